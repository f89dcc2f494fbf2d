#include "kernels/cpu/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config.h"
#include "formats/array.h"

/* All that were compiled, the fastest first; by precision. */
static const struct loops *const variants[][2] = {
#ifdef LOOPS_X86
    {&loops_f64_avx512, &loops_f32_avx512},
    {&loops_f64_avx2, &loops_f32_avx2},
#endif
    {&loops_f64_portable, &loops_f32_portable},
};
#define VARIANTS ((int)(sizeof variants / sizeof *variants))

static atomic_int chosen = -1;

static bool can_run(int variant)
{
#ifdef LOOPS_X86
    if (variant == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (variant == 1) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return variant < VARIANTS;
}

const struct loops *loops_for(enum precision precision)
{
    int variant = atomic_load_explicit(&chosen, memory_order_relaxed);
    for (int k = 0; variant < 0; k++)
        if (can_run(k)) variant = k;
    return variants[variant][precision];
}

bool loops_choose(const char *isa)
{
    for (int k = 0; isa && k < VARIANTS; k++) {
        if (strcmp(variants[k][0]->isa, isa) != 0 || !can_run(k)) continue;
        atomic_store(&chosen, k);
        return true;
    }
    if (!isa) atomic_store(&chosen, -1);
    return !isa;
}

/* The first unit with at least `target` work before it. */
static int64_t unit_with(const struct array *work, int64_t units, double target)
{
    int64_t low = 0, high = units;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((double)(array_integer(work, middle) + middle) < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum status divide(struct launch *launch, int64_t units, const struct array *work, struct error *error)
{
    size_t bounds = (size_t)launch->threads + 1;
    struct division *division = memory_array(sizeof *division + bounds * sizeof division->bound[0], 1, error);
    if (!division) return STATUS_MEMORY;
    division->loops = loops_for(launch->storage->precision);
    double all = work && units ? (double)(array_integer(work, units) + units) : 0;
    for (int t = 0; t <= launch->threads; t++)
        division->bound[t] =
            t == launch->threads ? units
            : work               ? unit_with(work, units, all * t / launch->threads)
                   : units / launch->threads * t + (units % launch->threads) * t / launch->threads;
    launch->state = division;
    return STATUS_OK;
}

void division_release(struct launch *launch)
{
    free(launch->state);
    launch->state = NULL;
}

void run_sequential(const struct launch *launch, cpu_loop *loop, int64_t units)
{
    loop(launch, 0, units);
}

void run_divided(const struct launch *launch, cpu_loop *loop)
{
    const struct division *division = launch->state;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        loop(launch, division->bound[t], division->bound[t + 1]);
}
