#include "kernels/traffic.h"

#include <math.h>

#include "formats/array.h"
#include "kernels/kernel.h"

void traffic_pass(const struct storage *storage, int64_t slots, unsigned roles, struct traffic *traffic)
{
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        if (!array->per_slot || array->part != 0 || !(roles >> array->role & 1)) continue;
        const size_t bytes = (size_t)slots * element_size(array->element);
        traffic->array_bytes -= bytes;
        traffic->passed_bytes += bytes;
    }
}

struct traffic kernel_traffic(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const int64_t columns = product_columns(launch->product);
    const int64_t y_size = product_y_size(launch->product, storage->rows, storage->cols);
    struct traffic traffic = {.array_bytes = storage_size(storage).bytes,
                              .x_loads = storage_slots(storage),
                              .y_loads = launch->product.accumulate ? y_size : 0,
                              .y_stores = y_size,
                              .transfer_seconds = NAN};
    if (launch->kernel->traffic) launch->kernel->traffic(launch, &traffic);
    traffic.x_loads *= columns;
    traffic.y_loads *= columns;
    traffic.y_stores *= columns;
    return traffic;
}

struct kernel_bytes kernel_bytes(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const struct traffic traffic = kernel_traffic(launch);
    double value = (double)element_size(storage_values(storage, 0)->element);
    double arrays = (double)traffic.array_bytes + (double)traffic.own_bytes;
    double vectors = value * product_columns(launch->product);
    double x = vectors * (double)product_x_size(launch->product, storage->rows, storage->cols),
           y = vectors * (double)product_y_size(launch->product, storage->rows, storage->cols) *
               (launch->product.accumulate ? 2 : 1);
    double x_moved = value * (double)traffic.x_loads,
           y_moved = value * ((double)traffic.y_loads + (double)traffic.y_stores);
    return (struct kernel_bytes){.plus = arrays + x + y, .minus = arrays + x_moved + y_moved};
}
