#include "kernels/backend.h"

#include "kernels/cuda/cuda.h"
#include "kernels/gpu/device.h"

static const struct {
    const char *name;
    enum device_kind kind;
} backends[] = {
    [BACKEND_CPU] = {"cpu", DEVICE_HOST},
    [BACKEND_CUDA] = {"cuda", DEVICE_GPU},
    [BACKEND_CUSPARSE] = {"cusparse", DEVICE_GPU},
    [BACKEND_FOREIGN] = {"foreign", DEVICE_HOST},
};

const char *backend_name(enum backend backend)
{
    return backends[backend].name;
}

enum device_kind backend_kind(enum backend backend)
{
    return backends[backend].kind;
}

const struct device_type *device_type_of(enum device_kind kind)
{
    return kind == DEVICE_GPU ? &device_type_cuda : NULL;
}

enum status backend_check(enum backend backend, struct error *error)
{
    const struct device_type *type = device_type_of(backend_kind(backend));
    return type ? type->check(error) : STATUS_OK;
}
