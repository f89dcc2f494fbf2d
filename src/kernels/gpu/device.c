#include "kernels/gpu/device.h"

#include <math.h>

#include "base/job.h"
#include "base/memory.h"
#include "formats/array.h"

enum status device_open(const struct device_type *type, int index, struct device *device, struct error *error)
{
    *device = (struct device){.index = index};
    enum status status = type->check(error);
    if (status != STATUS_OK) return status;
    int count = type->count();
    if (index < 0 || index >= count)
        return error_set(error, STATUS_UNAVAILABLE, "there is no GPU %d: this machine has %d, counted from 0",
                         index, count);
    status = type->describe(index, &device->facts, error);
    if (status != STATUS_OK) return status;
    device->type = type;
    return type->open(device, error);
}

void device_close(struct device *device)
{
    if (device->type) device->type->close(device);
    *device = (struct device){0};
}

bool device_runs(const struct device *device)
{
    return device->type->time != NULL;
}

enum status device_check(const struct device *device, struct error *error)
{
    if (device->lost.status == STATUS_OK) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s", device->lost.message);
}

void device_lose(struct device *device, const struct error *reason)
{
    error_set(&device->lost, STATUS_UNAVAILABLE, "%.200s can do nothing more since this failed: %.300s",
              device->facts.name, reason->message); /* error_set keeps the first reason */
}

/* Fail with STATUS_LIMIT if this number of bytes exceeds the device's free memory. */
static enum status check_room(struct device *device, size_t bytes, const char *what, struct error *error)
{
    char wanted[32], left[32], whole[32];
    size_t available;
    enum status status = device_check(device, error);
    if (status == STATUS_OK) status = device->type->available(device, &available, error);
    if (status != STATUS_OK || bytes <= available) return status;
    return error_set(error, STATUS_LIMIT, "%s: %s are needed on %s, which has %s free%s%s%s", what,
                     format_bytes(wanted, sizeof wanted, (double)bytes), device->facts.name,
                     format_bytes(left, sizeof left, (double)available), device->facts.memory ? " of " : "",
                     device->facts.memory ? format_bytes(whole, sizeof whole, (double)device->facts.memory)
                                          : "",
                     device->facts.memory ? " (this and other processes hold the rest)" : "");
}

void *device_array(struct device *device, size_t count, size_t size, const char *what, struct error *error)
{
    void *data = NULL;
    size_t bytes;
    size_multiply(count ? count : 1, size, &bytes);
    if (check_room(device, bytes, what, error) != STATUS_OK) return NULL;
    struct error reason = {0};
    char wanted[32];
    enum status status = device->type->allocate(device, bytes, &data, &reason);
    if (status == STATUS_OK) return data;
    error_set(error, status, "%s: %s could not be had on %s: %s", what,
              format_bytes(wanted, sizeof wanted, (double)bytes), device->facts.name, reason.message);
    return NULL;
}

void device_release(struct device *device, void *data)
{
    if (data) device->type->release(device, data);
}

void *device_copy_of(struct device *device, const void *data, size_t bytes, const char *what,
                     struct error *error)
{
    void *copy = device_array(device, bytes, 1, what, error);
    if (!copy || bytes == 0 || device->type->write(device, copy, data, bytes, error) == STATUS_OK)
        return copy;
    device_release(device, copy);
    return NULL;
}

static size_t array_bytes(const struct array *array)
{
    return (size_t)array->length * element_size(array->element);
}

enum status device_store(struct device *device, const struct storage *storage, struct storage *resident,
                         double *seconds, struct error *error)
{
    struct error reason = {0};
    double start = clock_seconds();
    *resident = (struct storage){0};
    enum status status = check_room(device, storage_size(storage).bytes, "the arrays of the matrix", &reason);
    if (status == STATUS_OK) {
        *resident = *storage;
        resident->kept = NULL;
        resident->entry = NULL;
        for (int q = 0; q < storage->count; q++)
            resident->array[q].data = NULL;
    }
    for (int q = 0; q < storage->count && status == STATUS_OK; q++) {
        const struct array *array = &storage->array[q];
        resident->array[q].data =
            device_copy_of(device, array->data, array_bytes(array), array->name, &reason);
        if (!resident->array[q].data) status = reason.status;
    }
    if (status != STATUS_OK) {
        device_unstore(device, resident);
        return error_set(error, status, "%s", reason.message);
    }
    *seconds = clock_seconds() - start;
    return STATUS_OK;
}

/* Overwrite the arrays, so that elements not written are detected. */
static enum status poison(struct device *device, const struct storage *resident, struct error *error)
{
    enum status status = STATUS_OK;
    for (int q = 0; q < resident->count && status == STATUS_OK; q++)
        if (resident->array[q].length > 0)
            status = device->type->fill(device, resident->array[q].data, 0xff,
                                        array_bytes(&resident->array[q]), error);
    return status;
}

static enum status restore(struct device *device, const struct storage *storage,
                           const struct storage *resident, struct error *error)
{
    enum status status = device_check(device, error);
    for (int q = 0; q < storage->count && status == STATUS_OK; q++)
        if (storage->array[q].length > 0)
            status = device->type->write(device, resident->array[q].data, storage->array[q].data,
                                         array_bytes(&storage->array[q]), error);
    return status;
}

enum status device_convert(struct device *device, const struct storage *csr, const struct storage *storage,
                           struct storage *resident, double *seconds, struct error *error)
{
    const struct format_choice choice = storage_choice(storage);
    struct conversion_work work;
    struct error reason = {0};
    *seconds = NAN;
    enum status status = device->type->converts(&choice, (double)storage->rows, &work, error);
    if (status != STATUS_OK) return status;
    status = poison(device, resident, &reason);
    if (status == STATUS_OK) status = device->type->convert(device, csr, resident, seconds, &reason);
    if (status == STATUS_OK) return STATUS_OK;
    *seconds = NAN;
    if (restore(device, storage, resident, &reason) != STATUS_OK) device_lose(device, &reason);
    return error_set(error, status, "%s", reason.message);
}

void device_unstore(struct device *device, struct storage *resident)
{
    for (int q = 0; q < resident->count; q++)
        device_release(device, resident->array[q].data);
    *resident = (struct storage){0};
}
