#include "kernels/cpu/cpu.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/range.h"
#include "config.h"
#include "formats/array.h"
#include "formats/csr.h"

const struct parameter no_parameters[] = {{0}};

enum instructions { INSTRUCTIONS_ANY, INSTRUCTIONS_AVX2, INSTRUCTIONS_AVX512 };

/* The compiled variants of the loops, those with the widest vectors first; each has the loops of both
 * precisions, of real and of complex numbers. An instruction set with gathers has two, of which the second
 * loads elements of x singly; the loops of complex numbers gather nothing. */
static const struct variant {
    enum instructions needs;
    const struct loops *loops[2][2];
} variants[] = {
#ifdef LOOPS_AVX512
    {INSTRUCTIONS_AVX512, {{&loops_f64_avx512, &loops_f32_avx512}, {&loops_c64_avx512, &loops_c32_avx512}}},
    {INSTRUCTIONS_AVX512,
     {{&loops_f64_avx512_loads, &loops_f32_avx512_loads}, {&loops_c64_avx512, &loops_c32_avx512}}},
#endif
#ifdef LOOPS_AVX2
    {INSTRUCTIONS_AVX2, {{&loops_f64_avx2, &loops_f32_avx2}, {&loops_c64_avx2, &loops_c32_avx2}}},
    {INSTRUCTIONS_AVX2, {{&loops_f64_avx2_loads, &loops_f32_avx2_loads}, {&loops_c64_avx2, &loops_c32_avx2}}},
#endif
    {INSTRUCTIONS_ANY,
     {{&loops_f64_portable, &loops_f32_portable}, {&loops_c64_portable, &loops_c32_portable}}},
};
#define VARIANTS ((int)(sizeof variants / sizeof *variants))

/* The variant chosen by tests, and the one found to be the fastest; -1: none. */
static atomic_int chosen = -1, fastest = -1;

static bool can_run(int variant)
{
#ifdef __x86_64__
    if (variants[variant].needs == INSTRUCTIONS_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (variants[variant].needs == INSTRUCTIONS_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return variants[variant].needs == INSTRUCTIONS_ANY;
}

/* Entries of the trial of variants: a sum without rows over entries with columns in random order, all in the
 * first-level cache. The fastest sample counts; each takes a few microseconds, so that hardly one of ten is
 * interrupted. */
#define TRIAL_ENTRIES 1024
#define TRIAL_SAMPLES 40

struct loops_trial {
    struct storage storage;
    int32_t col[TRIAL_ENTRIES];
    double val[TRIAL_ENTRIES], x[TRIAL_ENTRIES], sum;
};

static double trial_seconds(const struct loops *loops, const struct launch *launch)
{
    double best = INFINITY;
    for (int sample = 0; sample < TRIAL_SAMPLES; sample++) {
        double start = clock_seconds();
        *(volatile double *)launch->y = (double)loops->csr_entries(launch, 0, TRIAL_ENTRIES);
        best = fmin(best, clock_seconds() - start);
    }
    return best;
}

/* Return the fastest variant of this machine: its widest vectors, with the faster way of loading elements.
 * Takes some tenths of a millisecond. */
static int find_fastest(void)
{
    int widest = 0;
    while (!can_run(widest))
        widest++;
    if (widest + 1 == VARIANTS) return widest;
    struct loops_trial trial = {.storage = {.rows = 1, .cols = TRIAL_ENTRIES, .nnz = TRIAL_ENTRIES}};
    for (int k = 0; k < TRIAL_ENTRIES; k++)
        trial.col[k] = (int32_t)((uint32_t)k * 389 % TRIAL_ENTRIES); /* 389 is odd: each column once */
    trial.storage.array[CSR_COL].data = trial.col;
    trial.storage.array[CSR_VAL].data = trial.val;
    const struct launch launch = {.storage = &trial.storage, .x = trial.x, .y = &trial.sum};
    double gathered = trial_seconds(variants[widest].loops[false][PRECISION_F64], &launch);
    double single = trial_seconds(variants[widest + 1].loops[false][PRECISION_F64], &launch);
    return single < gathered ? widest + 1 : widest;
}

static const struct loops *fastest_loops(enum precision precision, bool complex)
{
    int variant = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (variant < 0) variant = atomic_load_explicit(&fastest, memory_order_relaxed);
    if (variant < 0) {
        int none = -1;
        variant = find_fastest();
        if (!atomic_compare_exchange_strong(&fastest, &none, variant)) variant = none;
    }
    return variants[variant].loops[complex][precision];
}

const struct loops *loops_for(enum precision precision)
{
    return fastest_loops(precision, false);
}

const struct loops *loops_of(const struct storage *storage)
{
    return fastest_loops(storage->precision, storage->complex);
}

bool loops_choose(const char *isa)
{
    for (int k = 0; isa && k < VARIANTS; k++) {
        if (strcmp(variants[k].loops[0][0]->isa, isa) != 0 || !can_run(k)) continue;
        atomic_store(&chosen, k);
        return true;
    }
    if (!isa) atomic_store(&chosen, -1);
    return !isa;
}

/* Return the first unit u with u + before(u) >= target. */
static int64_t unit_with(work_before *before, const void *of, int64_t units, double target)
{
    int64_t low = 0, high = units;
    BISECT(low, high, (double)before(of, middle) + (double)middle < target);
    return low;
}

struct division *division_new(const struct launch *launch, int64_t units, work_before *before, const void *of,
                              struct error *error)
{
    size_t bounds = (size_t)launch->threads + 1;
    struct division *division = memory_array(sizeof *division + bounds * sizeof division->bound[0], 1, error);
    if (!division) return NULL;
    division->loops = loops_of(launch->storage);
    division->scattered = false;
    double all = before && units ? (double)before(of, units) + (double)units : 0;
    for (int t = 0; t <= launch->threads; t++)
        division->bound[t] =
            t == launch->threads ? units
            : before             ? unit_with(before, of, units, all * t / launch->threads)
                     : units / launch->threads * t + (units % launch->threads) * t / launch->threads;
    return division;
}

static int64_t offset_before(const void *of, int64_t u)
{
    return array_integer(of, u);
}

enum status divide(struct launch *launch, int64_t units, const struct array *work, struct error *error)
{
    launch->state = division_new(launch, units, work ? offset_before : NULL, work, error);
    return launch->state ? STATUS_OK : STATUS_MEMORY;
}

void division_release(struct launch *launch)
{
    free(launch->state);
    launch->state = NULL;
}

/* Bytes of the matrix for each thread that a core's caches hold from one product to the next. */
#define APART_BYTES ((size_t)8 << 20)

bool vectors_apart(const struct launch *launch)
{
    const struct product product = launch->product;
    return launch->kernel->apart && !product.transposed && !product.by_rows &&
           product.columns == APART_COLUMNS &&
           storage_size(launch->storage).bytes <= (size_t)launch->threads * APART_BYTES;
}

bool vectors_single(const struct launch *launch)
{
    return product_plain(launch->product) || vectors_apart(launch);
}

struct launch vectors_one(const struct launch *launch, int c)
{
    const size_t size = element_size(storage_values(launch->storage, 0)->element);
    struct launch one = *launch;
    one.product.columns = 1;
    one.x = (const char *)launch->x + (size_t)c * (size_t)launch->storage->cols * size;
    one.y = (char *)launch->y + (size_t)c * (size_t)launch->storage->rows * size;
    return one;
}

void run_divided(const struct launch *launch, cpu_loop *loop)
{
    const struct division *division = launch->state;
    const int columns = product_columns(launch->product);
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        for (int c = 0; c < columns; c++) {
            const struct launch one = vectors_one(launch, c);
            loop(&one, division->bound[t], division->bound[t + 1]);
        }
}

void clear_y(const struct launch *launch)
{
    size_t size = element_size(storage_values(launch->storage, 0)->element);
    if (!launch->product.accumulate) memset(launch->y, 0, (size_t)launch->storage->rows * size);
}

void put_sum(const struct launch *launch, int64_t i, loop_sum value, bool add)
{
    double real = __real__ value, imaginary = __imag__ value;
    bool single = launch->storage->precision == PRECISION_F32;
    int64_t parts = launch->storage->complex ? 2 : 1;
    for (int64_t p = parts * i; p < parts * (i + 1); p++) {
        double part = p == parts * i ? real : imaginary;
        if (single)
            ((float *)launch->y)[p] = add ? ((float *)launch->y)[p] + (float)part : (float)part;
        else
            ((double *)launch->y)[p] = add ? ((double *)launch->y)[p] + part : part;
    }
}

/* The smallest x, in bytes, for which prefetching pays. Parts of a smaller one that are not in a core's
 * private caches come fast enough from the shared cache, so that a prefetch costs about as much as it
 * saves. */
#define SCATTERED_BYTES ((int64_t)16 << 20)

/* Prefetching requires more than one miss in this number of entries. */
#define SCATTERED_SHARE 20

/* The samples are STRETCHES stretches of up to STRETCH entries in order, spread evenly over all entries. In
 * each, the first half fills the cache and the second half is counted. */
#define STRETCHES 4
#define STRETCH ((int64_t)1 << 18)

/* The model of a core's caches: LINES lines of 64 bytes, 512 KiB, direct-mapped, so that a line of x has one
 * slot, and is evicted by another line in this slot. */
#define LINE 64
#define LINES 8192

/* The slot of a line is a hash of its number, as if addresses were random; otherwise a matrix whose columns
 * are a power of two apart would use few slots. Knuth's multiplicative hash takes the upper bits of the
 * product with a prime near 2^32 / golden ratio; 13 of them, since LINES = 2^13. */
static uint32_t place_of(uint32_t line)
{
    return line * UINT32_C(2654435761) >> 19;
}

/* Count the misses of the second half of a stretch. A line whose predecessor is in the cache is no miss,
 * since processors prefetch the next line. Lines are numbered from 1, since 0 is an empty slot. */
static int64_t misses(uint32_t *cache, const int32_t *col, int64_t count, size_t size)
{
    int64_t missed = 0;
    for (int64_t k = 0; k < count; k++) {
        uint32_t line = (uint32_t)((uint64_t)col[k] * size / LINE) + 1;
        uint32_t *held = &cache[place_of(line)];
        bool follows = cache[place_of(line - 1)] == line - 1;
        missed += k >= count / 2 && *held != line && !follows;
        *held = line;
    }
    return missed;
}

bool columns_scattered(const int32_t *col, int64_t count, int64_t cols, size_t size)
{
    uint32_t cache[LINES] = {0};
    int64_t length = min(STRETCH, count / STRETCHES), missed = 0;
    if (cols < SCATTERED_BYTES / (int64_t)size) return false;
    for (int64_t s = 0; s < STRETCHES; s++)
        missed += misses(cache, col + (count - length) / (STRETCHES - 1) * s, length, size);
    return missed > STRETCHES * (length / 2) / SCATTERED_SHARE;
}
