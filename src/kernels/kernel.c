#include "kernels/kernel.h"

#include <string.h>

#include "base/threads.h"
#include "formats/array.h"

const char *kernel_backend(const struct kernel *kernel)
{
    return kernel->foreign ? kernel->foreign : backend_name(kernel->backend);
}

void kernel_name(const struct kernel *kernel, struct text *text)
{
    text_append(text, "%s/%s", kernel_backend(kernel), kernel->name);
}

static enum status check_complex(const struct kernel *kernel, bool complex, struct error *error)
{
    if (!complex || kernel->complex) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "the matrix is complex: there are real kernels only");
}

enum status kernel_check(const struct kernel *kernel, bool complex, struct error *error)
{
    enum status status = check_complex(kernel, complex, error);
    if (status == STATUS_OK) status = backend_check(kernel->backend, error);
    return status == STATUS_OK ? kernel_suits(kernel, complex, error) : status;
}

enum status kernel_suits(const struct kernel *kernel, bool complex, struct error *error)
{
    const char *reason = kernel->unavailable ? kernel->unavailable() : NULL;
    if (reason) return error_set(error, STATUS_UNAVAILABLE, "%s", reason);
    return check_complex(kernel, complex, error);
}

/* Read the kernel's parameters and let it prepare. */
static enum status prepare(struct launch *launch, const char *parameters, struct error *error)
{
    const struct kernel *kernel = launch->kernel;
    enum status status =
        parameters_read(kernel->name, kernel->parameters, parameters, &launch->values, error);
    return status == STATUS_OK && kernel->prepare ? kernel->prepare(launch, error) : status;
}

enum status kernel_prepare(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                           int threads, bool accumulate, struct launch *launch, struct error *error)
{
    *launch =
        (struct launch){.kernel = kernel, .storage = storage, .resident = storage, .accumulate = accumulate};
    launch->threads = kernel->sequential ? 1 : threads > 0 ? threads : threads_count();
    enum status status = kernel_check(kernel, storage->complex, error);
    if (status != STATUS_OK) return status;
    if (backend_kind(kernel->backend) != DEVICE_HOST)
        return error_set(error, STATUS_UNAVAILABLE, "%s runs on a device only", kernel->name);
    return prepare(launch, parameters, error);
}

enum status kernel_prepare_on(struct device *device, const struct kernel *kernel, const char *parameters,
                              const struct storage *storage, const struct storage *resident, bool accumulate,
                              struct launch *launch, struct error *error)
{
    *launch = (struct launch){.kernel = kernel,
                              .storage = storage,
                              .resident = resident,
                              .device = device,
                              .accumulate = accumulate};
    return prepare(launch, parameters, error);
}

void kernel_run(struct launch *launch, const void *x, void *y)
{
    launch->x = launch->host_x = x;
    launch->y = y;
    launch->kernel->run(launch);
}

void kernel_release(struct launch *launch)
{
    if (launch->kernel && launch->kernel->release && launch->state) launch->kernel->release(launch);
    parameters_free(&launch->values);
    *launch = (struct launch){0};
}

struct kernel_bytes kernel_bytes(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    double value = (double)element_size(storage_values(storage, 0)->element);
    double arrays = (double)(launch->kernel->read_bytes ? launch->kernel->read_bytes(launch)
                                                        : storage_size(storage).bytes);
    if (launch->kernel->own_bytes) arrays += (double)launch->kernel->own_bytes(launch);
    double y = value * (double)storage->rows * (launch->accumulate ? 2 : 1);
    int64_t loads = launch->kernel->x_loads ? launch->kernel->x_loads(launch) : storage_slots(storage);
    return (struct kernel_bytes){arrays + value * (double)storage->cols + y,
                                 arrays + value * (double)loads + y};
}
