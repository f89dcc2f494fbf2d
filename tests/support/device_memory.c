#include "support/device_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Each array begins behind its size, on a boundary for all types. */
#define HEAD 16

struct device_memory device_memory = {.room = SIZE_MAX};

static enum status available(struct device *device, size_t *bytes, struct error *error)
{
    *bytes = device_memory.room - device_memory.bytes;
    return STATUS_OK;
}

static enum status allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    char *block = memory_array(HEAD + bytes, 1, error);
    if (!block) return STATUS_MEMORY;
    memcpy(block, &bytes, sizeof bytes);
    *data = memset(block + HEAD, 0x5a, bytes);
    device_memory.arrays++;
    device_memory.bytes += bytes;
    return STATUS_OK;
}

static void release(struct device *device, void *data)
{
    size_t bytes;
    if (!data) return;
    memcpy(&bytes, (char *)data - HEAD, sizeof bytes);
    free((char *)data - HEAD);
    device_memory.arrays--;
    device_memory.bytes -= bytes;
}

static enum status write_to(struct device *device, void *to, const void *from, size_t bytes,
                            struct error *error)
{
    if (device_memory.deaf) return error_set(error, STATUS_IO, "it does not listen");
    memcpy(to, from, bytes);
    return STATUS_OK;
}

static enum status fill(struct device *device, void *to, unsigned char byte, size_t bytes,
                        struct error *error)
{
    memset(to, byte, bytes);
    return STATUS_OK;
}

const struct device_type device_of_memory = {
    .available = available, .allocate = allocate, .release = release, .write = write_to, .fill = fill};
