#include "kernels/cuda/grid.h"

enum status check_warps(const struct launch *launch, int k, struct error *error)
{
    int threads = (int)launch->values.number[k];
    if (threads % WARP == 0) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s works in whole warps: %s=%d is no multiple of %d",
                     launch->kernel->name, launch->kernel->parameters[k].name, threads, WARP);
}
