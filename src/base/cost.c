#include "base/cost.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/job.h"

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

static double cpu_seconds(void)
{
    struct timespec now;
    struct rusage children = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds_of(&children.ru_utime) +
           seconds_of(&children.ru_stime);
}

struct cost cost_begin(void)
{
    return (struct cost){.cpu = cpu_seconds(), .wall = clock_seconds()};
}

void cost_add(struct costs *costs, const struct cost *added)
{
    int k = 0;
    while (k < costs->count && strcmp(costs->items[k].name, added->name) != 0)
        k++;
    if (k == COSTS_MAX) return;
    if (k == costs->count) costs->items[costs->count++] = (struct cost){.name = added->name};
    costs->items[k].cpu += added->cpu;
    costs->items[k].wall += added->wall;
}

void cost_end(struct costs *costs, const char *name, const struct cost *begun)
{
    const struct cost now = cost_begin();
    cost_add(costs,
             &(struct cost){.name = name, .cpu = now.cpu - begun->cpu, .wall = now.wall - begun->wall});
}
