#include "kernels/cpu/sell_compact.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/sell.h"
#include "kernels/cpu/transposed.h"
#include "kernels/told.h"

static const struct parameter parameters[] = {
    [SELL_COMPACT_VALUES] = {.name = "values",
                             .help = TOLD_HELP,
                             .type = PARAMETER_WORD,
                             .words = told_words,
                             .automatic = "8 if those that differ fit in registers"},
    {0},
};

static bool all_finite(const struct unique *unique, bool single)
{
    for (int k = 0; k < unique->count; k++)
        if (!isfinite(single ? ((const float *)unique->value)[k] : ((const double *)unique->value)[k]))
            return false;
    return true;
}

/* Find the values of the launch by bytes, if they are asked for or by default pay; else *unique becomes {0}.
 * The parameter becomes the choice. */
static enum status choose_values(struct launch *launch, struct unique *unique, struct error *error)
{
    const struct storage *storage = launch->storage;
    double *choice = &launch->values.number[SELL_COMPACT_VALUES];
    const double requested = *choice;
    *unique = (struct unique){0};
    *choice = TOLD_FULL;
    if (requested == TOLD_FULL || storage->slots[0] == 0) return STATUS_OK;
    if (isnan(requested) && !sell_few_pay(storage, 1)) return STATUS_OK;
    enum status status = unique_make(&storage->array[SELL_VAL], launch->limit, unique, error);
    if (status != STATUS_OK) return status;
    const bool possible = unique->count > 0 && all_finite(unique, storage->precision == PRECISION_F32);
    if (possible && (!isnan(requested) || sell_few_pay(storage, unique->count))) {
        *choice = TOLD_BYTE;
        return STATUS_OK;
    }
    unique_free(unique);
    if (isnan(requested)) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "values=8 is for matrices of which at most %d values differ, all of them finite: "
                     "take values=full",
                     UNIQUE_MAX);
}

static int64_t slots_before(const void *of, int64_t i)
{
    return array_integer(of, i);
}

static enum status prepare_plain(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    struct sell_compact *compact = memory_zeroed(1, sizeof *compact, error);
    launch->state = compact;
    if (!compact) return STATUS_MEMORY;
    compact->loops = loops_for(storage->precision);
    compact->division = division_new(launch, storage->number[SELL_CHUNKS], slots_before,
                                     &storage->array[SELL_CHUNK_PTR], error);
    if (!compact->division) return STATUS_MEMORY;
    enum status status = choose_values(launch, &compact->unique, error);
    return status == STATUS_OK ? sell_compact_tell(launch, compact, error) : status;
}

static void release_plain(struct launch *launch)
{
    struct sell_compact *compact = launch->state;
    if (!compact) return;
    free(compact->division);
    free(compact->place);
    free(compact->base);
    free(compact->difference);
    free(compact->gapped);
    free(compact->there);
    unique_free(&compact->unique);
    free(compact);
    launch->state = NULL;
}

static void run_plain(const struct launch *launch)
{
    const struct sell_compact *compact = launch->state;
    const int64_t *bound = compact->division->bound;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        compact->loops->sell_compact(launch, bound[t], bound[t + 1]);
}

static void traffic_plain(const struct launch *launch, struct traffic *traffic)
{
    const struct sell_compact *compact = launch->state;
    const struct storage *storage = launch->storage;
    const size_t c = (size_t)storage->values.number[SELL_C],
                 whole = (size_t)compact->counts.lines[SELL_TOLD_WHOLE] * c * sizeof(int32_t);
    traffic->array_bytes = storage_size(storage).bytes - storage->array[SELL_COL].length * sizeof(int32_t) +
                           whole - sell_compact_unread(storage, &compact->counts);
    traffic->own_bytes = sell_compact_bytes(storage, &compact->counts) - traffic->array_bytes;
    traffic->x_loads -= compact->gaps;
}

/* The transposed matrix is stored as SELL, and its columns are encoded in the same way. */

static enum status prepare(struct launch *launch, struct error *error)
{
    return transposed_prepare(launch, prepare_plain, error);
}

static void release(struct launch *launch)
{
    transposed_release(launch, release_plain);
}

static void run(const struct launch *launch)
{
    transposed_run(launch, run_plain);
}

static void traffic(const struct launch *launch, struct traffic *of)
{
    transposed_traffic(launch, of, traffic_plain);
}

const struct kernel kernel_cpu_sell_compact = {
    .name = "sell-compact",
    .backend = &backend_cpu,
    .format = &format_sell,
    .summary = "a column for c slots and differences of 8 or 16 bits, or none for consecutive columns, also "
               "with gaps; few values by bytes",
    .source = "Kreutzer et al., SIAM J. Sci. Comput. 36, 2014; columns after CSR-DU, values=8 after CSR-VI: "
              "Kourtis, Goumas and Koziris, \"Optimizing sparse matrix-vector multiplication using index and "
              "value compression\", Computing Frontiers 2008",
    .wins =
        "It suits grids, stencils and bands of any size, whose x it reads in sequence, and matrices larger "
        "than the caches whose rows have neighbours in x: it reads at most half of the bytes that sell-omp "
        "reads for columns. If columns are scattered, it gains nothing.",
    .parameters = parameters,
    .real_only = "its short columns save too little beside complex values to be faster than sell-omp",
    .transposes = true,
    .prepare_cost = 10,
    .prepare = prepare,
    .run = run,
    .release = release,
    .traffic = traffic,
    .host = {.work = HOST_TOLD,
             .rest = &kernel_cpu_sell_omp,
             .piece = sell_longest_chunk,
             .streams_y = sell_streams_y},
    .stores_transposed = transposed_always,
    .tuning = cpu_sell_tuning,
};
