#include "kernels/cuda/told_values.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/cuda/grid.h"
#include "kernels/gpu/device.h"

/* By default, values of fewer bytes are not encoded: such a matrix is in a cache of the GPU, where a table
 * costs more than it saves. */
#define WORTH ((size_t)8 << 20)

static enum status refuse(double choice, struct error *error)
{
    if (choice == TOLD_ONE)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "values=0 is for real matrices whose values are all the same: take values=8 or full");
    return error_set(error, STATUS_UNAVAILABLE,
                     "values=8 is for real matrices of which at most %d values differ: take values=full",
                     UNIQUE_MAX);
}

enum status told_values_choose(struct launch *launch, int k, bool one, const struct array *values,
                               struct unique *unique, struct error *error)
{
    double *choice = &launch->values.number[k];
    bool left = isnan(*choice);
    *unique = (struct unique){0};
    double bytes = launch->times * (double)values->length * (double)element_size(values->element);
    if (left && bytes < (double)WORTH) *choice = TOLD_FULL;
    if (*choice == TOLD_FULL || values->length == 0) {
        *choice = TOLD_FULL;
        return STATUS_OK;
    }
    enum status status = unique_make(values, launch->limit, unique, error);
    if (status != STATUS_OK) return status;
    bool single = one && unique->count == 1 && *choice != TOLD_BYTE;
    if (!left && (unique->count <= 0 || (*choice == TOLD_ONE && !single))) {
        unique_free(unique);
        return refuse(*choice, error);
    }
    if (single) {
        free(unique->index);
        unique->index = NULL;
    }
    *choice = values_told(unique);
    return STATUS_OK;
}

void told_values_place(const struct launch *launch, const struct unique *unique, size_t count,
                       struct unique *there, struct error *reason)
{
    const size_t size = value_size(launch->storage);
    *there = (struct unique){.count = unique->count < 0 ? -1 : 0};
    if (unique->count <= 0) return;
    there->value = device_copy_of(launch->device, unique->value, (size_t)unique->count * size,
                                  "the values that differ", reason);
    if (there->value && unique->index)
        there->index = device_copy_of(launch->device, unique->index, count, "indices of values", reason);
    if (reason->status == STATUS_OK) there->count = unique->count;
}

void told_values_release(const struct launch *launch, struct unique *there)
{
    device_release(launch->device, there->value);
    device_release(launch->device, there->index);
    *there = (struct unique){0};
}

size_t told_values_read(const struct launch *launch, const struct unique *unique, size_t count)
{
    const size_t size = value_size(launch->storage);
    if (unique->count <= 0) return count * size;
    return (unique->index ? count : 0) + (size_t)unique->count * size;
}
