#include "kernels/gpu/paper.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void close_paper(struct device *device)
{
}

/* Tables go into the host's memory, which is checked when they are made. */
static enum status available(struct device *device, size_t *bytes, struct error *error)
{
    *bytes = SIZE_MAX;
    return STATUS_OK;
}

static enum status allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    enum status status = memory_check(bytes, device->limit, "a table of a kernel", error);
    if (status != STATUS_OK) return status;
    *data = memory_array(bytes, 1, error);
    return *data ? STATUS_OK : STATUS_MEMORY;
}

static void release(struct device *device, void *data)
{
    free(data);
}

static enum status move(struct device *device, void *to, const void *from, size_t bytes, struct error *error)
{
    if (bytes) memcpy(to, from, bytes);
    return STATUS_OK;
}

static enum status fill(struct device *device, void *to, unsigned char byte, size_t bytes,
                        struct error *error)
{
    memset(to, byte, bytes);
    return STATUS_OK;
}

static const struct device_type paper = {
    .close = close_paper,
    .available = available,
    .allocate = allocate,
    .release = release,
    .write = move,
    .read = move,
    .copy = move,
    .fill = fill,
};

void paper_open(const struct device_facts *facts, struct device *device)
{
    *device = (struct device){.type = &paper, .facts = *facts};
}

enum status paper_prepare(struct device *device, const struct kernel_choice *choice,
                          const struct storage *storage, const struct launch_options *options,
                          struct launch *launch, struct error *error)
{
    *launch = (struct launch){0};
    enum status status = kernel_suits(choice->kernel, storage->complex, options->product, error);
    if (status != STATUS_OK) return status;
    if (!choice->kernel->trace)
        return error_set(error, STATUS_UNAVAILABLE, "what %s asks of memory is not known",
                         choice->kernel->name);
    device->limit = options->limit;
    return kernel_prepare_on(device, choice, storage, storage, options, launch, error);
}
