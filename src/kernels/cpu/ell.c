#include "kernels/cpu/ell.h"

#include "kernels/cpu/cpu.h"
#include "kernels/cpu/spmm.h"

struct ell_part ell_part_of(const struct storage *storage, int layout, int pad)
{
    return (struct ell_part){
        .rows = storage->rows,
        .width = storage->number[ELL_WIDTH],
        .transposed = storage_parameter(storage, layout) == ELL_TRANSPOSED,
        .sentinel = storage_parameter(storage, pad) == ELL_SENTINEL,
    };
}

int64_t ell_loads(const struct storage *storage, const struct ell_part *part)
{
    return part->sentinel ? storage->nnz - storage->slots[1] : storage->slots[0];
}

static enum status prepare(struct launch *launch, struct error *error)
{
    if (!product_plain(launch->product)) return spmm_prepare(launch, error);
    return divide(launch, launch->storage->rows, NULL, error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    const struct ell_part part = ell_part_of(launch->storage, ELL_LAYOUT, ELL_PAD);
    if (spmm_run(launch)) return;
    division->loops->ell_plain(launch, &part, 0, part.rows);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    const struct ell_part part = ell_part_of(launch->storage, ELL_LAYOUT, ELL_PAD);
    if (spmm_run(launch)) return;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        division->loops->ell(launch, &part, division->bound[t], division->bound[t + 1]);
}

static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct ell_part part = ell_part_of(launch->storage, ELL_LAYOUT, ELL_PAD);
    traffic->x_loads = ell_loads(launch->storage, &part);
    spmm_traffic(launch, traffic);
}

static bool streams_y(const struct storage *storage)
{
    return true;
}

static struct spmm_rows rows_of(const struct storage *storage)
{
    const bool transposed = storage_parameter(storage, ELL_LAYOUT) == ELL_TRANSPOSED;
    return (struct spmm_rows){.kind = SPMM_ELL,
                              .units = storage->rows,
                              .wide = storage->wide,
                              .col = storage->array[ELL_COL].data,
                              .val = storage->array[ELL_VAL].data,
                              .slots = storage->slots[0],
                              .width = storage->number[ELL_WIDTH],
                              .sentinel = storage_parameter(storage, ELL_PAD) == ELL_SENTINEL,
                              .stride = transposed ? storage->rows : 1};
}

static const struct tuning_line tuning[] = {
    {"layout", "transposed rows"}, {"pad", "repeat sentinel"}, {NULL}};

const struct kernel kernel_cpu_ell_seq = {
    CPU_KERNEL("ell-seq", ell),
    PUBLISHED_LOOP,
    .summary = "row by row, one thread",
    .source = "PMPP, figure 10.10; Cranfield",
    SPMM_KERNEL(rows_of),
    .prepare = prepare,
    .run = run_seq,
    .release = spmm_release,
    .traffic = traffic,
    .tuning = tuning,
};

const struct kernel kernel_cpu_ell_omp = {
    CPU_KERNEL("ell-omp", ell),
    .summary = "blocks of rows; if transposed, column by column within a block",
    .source = "",
    .wins = "It suits rows of nearly equal length, above all in the transposed layout, in which vectors run "
            "over rows.",
    SPMM_KERNEL(rows_of),
    .prepare = prepare,
    .run = run_omp,
    .release = spmm_release,
    .traffic = traffic,
    .host = {.streams_y = streams_y},
    .tuning = tuning,
};
