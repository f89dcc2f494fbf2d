#include "kernels/backend.h"

#include <string.h>

#include "kernels/cuda/cuda.h"
#include "kernels/cuda/resources.h"
#include "kernels/gpu/device.h"

const struct backend backend_cpu = {.name = "cpu"};
const struct backend backend_cuda = {
    .name = "cuda", .devices = &device_type_cuda, .resources = cuda_resources_tell};
const struct backend backend_cusparse = {.name = "cusparse", .devices = &device_type_cuda};

const struct backend *const backends[] = {
    &backend_cpu,
    &backend_cuda,
    &backend_cusparse,
    NULL,
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

enum status backend_check(const struct backend *backend, struct error *error)
{
    return backend->devices ? backend->devices->check(error) : STATUS_OK;
}
