#include "kernels/backend.h"

#include <string.h>

#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/cuda/resources.h"
#include "kernels/gpu/device.h"
#include "kernels/libraries/backends.h"

const struct backend backend_cpu = {.name = "cpu"};
const struct backend backend_cuda = {
    .name = "cuda", .devices = &device_type_cuda, .resources = cuda_resources_tell};
const struct backend backend_cusparse = {
    .name = "cusparse", .devices = &device_type_cuda, .device_library = cusparse_found};
const struct backend backend_mkl = {.name = "mkl", .library = &library_mkl};
const struct backend backend_aocl = {.name = "aocl", .library = &library_aocl};
const struct backend backend_rsb = {.name = "rsb", .library = &library_rsb};
const struct backend backend_graphblas = {.name = "graphblas", .library = &library_graphblas};
const struct backend backend_armpl = {.name = "armpl", .library = &library_armpl};
const struct backend backend_petsc = {.name = "petsc", .ranks = true};

const struct backend *const backends[] = {
    &backend_cpu, &backend_cuda,      &backend_cusparse, &backend_mkl,   &backend_aocl,
    &backend_rsb, &backend_graphblas, &backend_armpl,    &backend_petsc, NULL,
};

const struct device_type *const device_types[] = {
    &device_type_cuda,
    NULL,
};

const struct backend *backend_find(const char *name)
{
    for (int k = 0; backends[k]; k++)
        if (strcmp(backends[k]->name, name) == 0) return backends[k];
    return NULL;
}

bool backend_is_own(const struct backend *backend)
{
    return !backend->devices && !backend->library && !backend->ranks && !backend->foreign;
}

enum status backend_check(const struct backend *backend, struct error *error)
{
    if (backend->ranks)
        return error_set(error, STATUS_UNAVAILABLE,
                         "it multiplies over processes alone: run sparsight-mpi, which a build with MPI has");
    return backend->devices ? backend->devices->check(error) : STATUS_OK;
}
