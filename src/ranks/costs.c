#include "ranks/costs.h"

#include <math.h>

void ranks_costs(const struct ranks *ranks, struct costs *costs)
{
    int64_t times[COSTS_MAX][2] = {{0}}; /* nanoseconds */
    for (int k = 0; k < costs->count; k++) {
        times[k][0] = llround(1e9 * costs->items[k].cpu);
        times[k][1] = llround(1e9 * costs->items[k].wall);
    }
    ranks_max(ranks, times[0], 2 * (int64_t)COSTS_MAX);
    for (int k = 0; k < costs->count; k++) {
        costs->items[k].cpu = 1e-9 * (double)times[k][0];
        costs->items[k].wall = 1e-9 * (double)times[k][1];
    }
}
