#include "kernels/cuda/grid.h"

#include <math.h>

#include "kernels/gpu/device.h"

enum status check_warps(const struct launch *launch, int k, struct error *error)
{
    int threads = (int)launch->values.number[k];
    if (threads % WARP == 0) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s works in whole warps: %s=%d is no multiple of %d",
                     launch->kernel->name, launch->kernel->parameters[k].name, threads, WARP);
}

int64_t grid_resident_threads(const struct launch *launch)
{
    int multiprocessors = launch->device->facts.multiprocessors;
    return (int64_t)(multiprocessors > 0 ? multiprocessors : 1) * 2048;
}

void choose_early(struct launch *launch, int k)
{
    double *early = &launch->values.number[k];
    if (isnan(*early)) *early = launch->device->facts.major >= EARLY_MAJOR;
}

bool matrix_stays(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const double vectors = (double)(storage->rows + storage->cols) * (double)value_size(storage);
    const double bytes = launch->times * ((double)storage_size(storage).bytes + vectors);
    return 2 * bytes <= (double)launch->device->facts.cache;
}

bool begins_early(const struct launch *launch, int k)
{
    return launch->values.number[k] != 0 && launch->device->facts.major >= EARLY_MAJOR;
}
