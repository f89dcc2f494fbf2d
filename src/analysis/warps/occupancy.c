#include "analysis/warps/occupancy.h"

#include <limits.h>

/* The smallest multiple of `unit` that is not below `amount`. */
static size_t up(size_t amount, size_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static int blocks_by_registers(const struct gpu *gpu, int registers, int warps)
{
    if (registers > gpu->thread_registers) return 0;
    size_t of_warp = up((size_t)registers * GPU_WARP, (size_t)gpu->register_unit);
    if (of_warp == 0) return INT_MAX;
    size_t max = (size_t)gpu->registers / of_warp / (size_t)gpu->warp_unit * (size_t)gpu->warp_unit;
    return (int)(max / (size_t)warps);
}

static int blocks_by_shared(const struct gpu *gpu, size_t shared)
{
    if (shared > gpu->shared_block) return 0;
    size_t of_block = up(shared + gpu->shared_reserved, gpu->shared_unit);
    if (of_block == 0) return INT_MAX;
    return (int)(gpu->shared / of_block);
}

struct occupancy occupancy_of(const struct gpu *gpu, int registers, int threads, size_t shared)
{
    struct occupancy occupancy = {0};
    if (threads < 1 || threads > GPU_BLOCK_THREADS || registers < 0) return occupancy;
    int warps = (threads + GPU_WARP - 1) / GPU_WARP, *by = occupancy.blocks_by;
    by[OCCUPANCY_WARPS] = gpu->warps / warps;
    by[OCCUPANCY_REGISTERS] = blocks_by_registers(gpu, registers, warps);
    by[OCCUPANCY_SHARED] = blocks_by_shared(gpu, shared);
    by[OCCUPANCY_BLOCKS] = gpu->blocks;
    for (int k = 1; k < OCCUPANCY_LIMITS; k++)
        if (by[k] < by[occupancy.limit]) occupancy.limit = (enum occupancy_limit)k;
    occupancy.blocks = by[occupancy.limit];
    occupancy.warps = occupancy.blocks * warps;
    occupancy.share = (double)occupancy.warps / gpu->warps;
    return occupancy;
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
    static const char *const names[OCCUPANCY_LIMITS] = {
        [OCCUPANCY_WARPS] = "warps",
        [OCCUPANCY_REGISTERS] = "registers",
        [OCCUPANCY_SHARED] = "shared memory",
        [OCCUPANCY_BLOCKS] = "blocks",
    };
    return limit >= 0 && limit < OCCUPANCY_LIMITS ? names[limit] : "";
}
