#include "kernels/cpu/cpu.h"

#include <stdlib.h>

#include "base/memory.h"
#include "config.h"
#include "formats/array.h"

const struct loops *loops_for(enum precision precision)
{
    bool single = precision == PRECISION_F32;
#ifdef LOOPS_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return single ? &loops_f32_avx512 : &loops_f64_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return single ? &loops_f32_avx2 : &loops_f64_avx2;
#endif
    return single ? &loops_f32_portable : &loops_f64_portable;
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
