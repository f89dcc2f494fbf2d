#include "kernels/cuda/products/products.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernels/gpu/device.h"

static size_t vectors_elements(const struct launch *launch, int64_t size)
{
    return (size_t)size * (size_t)product_columns(launch->product);
}

static int64_t x_size(const struct launch *launch)
{
    return product_x_size(launch->product, launch->storage->rows, launch->storage->cols);
}

static int64_t y_size(const struct launch *launch)
{
    return product_y_size(launch->product, launch->storage->rows, launch->storage->cols);
}

enum status product_prepare(struct launch *launch, enum product_writes writes, struct error *error)
{
    struct error reason = {0};
    struct product_state *state = memory_zeroed(1, sizeof *state, error);
    launch->state = state;
    if (!state) return STATUS_MEMORY;
    if (!product_turned(launch)) return STATUS_OK;
    size_t value = value_size(launch->storage);
    state->x = device_array(launch->device, vectors_elements(launch, x_size(launch)), value, "X row by row",
                            &reason);
    if (state->x && writes == PRODUCT_ADDS)
        state->y = device_array(launch->device, vectors_elements(launch, y_size(launch)), value,
                                "Y row by row", &reason);
    if (reason.status == STATUS_OK) return STATUS_OK;
    return error_set(error, reason.status, "%s", reason.message);
}

void product_release(struct launch *launch)
{
    struct product_state *state = launch->state;
    device_release(launch->device, state->x);
    device_release(launch->device, state->y);
    free(state);
    launch->state = NULL;
}

void product_traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct product_state *state = launch->state;
    size_t value = value_size(launch->storage);
    if (state->x) traffic->own_bytes += 2 * vectors_elements(launch, x_size(launch)) * value;
    if (state->y) traffic->own_bytes += 2 * vectors_elements(launch, y_size(launch)) * value;
}
