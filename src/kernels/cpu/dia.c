#include "formats/dia.h"
#include "base/range.h"
#include "kernels/cpu/cpu.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->rows, NULL, error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    clear_y(launch);
    division->loops->contiguous->dia_plain(launch, 0, launch->storage->number[DIA_DIAGONALS]);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->contiguous->dia);
}

/* A diagonal loads an element of x for each of its positions within the matrix (loops/dia.h). */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const int32_t *offsets = storage->array[DIA_OFFSETS].data;
    int64_t loads = 0;
    for (int64_t d = 0; d < storage->number[DIA_DIAGONALS]; d++)
        loads += min(storage->rows, storage->cols - offsets[d]) - max(0, -(int64_t)offsets[d]);
    traffic->x_loads = loads;
}

static bool streams_y(const struct storage *storage)
{
    return true;
}

const struct kernel kernel_cpu_dia_seq = {
    CPU_KERNEL("dia-seq", dia),
    PUBLISHED_LOOP,
    .summary = "diagonal by diagonal, one thread",
    .source = "Saad, Iterative Methods for Sparse Linear Systems, section 3.4",
    .prepare = prepare,
    .run = run_seq,
    .release = division_release,
    .traffic = traffic,
    .host = {.work = HOST_DIAGONALS, .clears_y = true, .again_values = 3}, /* x and y, read and written */
};

const struct kernel kernel_cpu_dia_omp = {
    CPU_KERNEL("dia-omp", dia),
    .summary = "blocks of rows, diagonal by diagonal within a block",
    .source = "",
    .wins = "It suits bands and stencils with full diagonals, for which it reads only values, x and y.",
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
    .traffic = traffic,
    .host = {.work = HOST_DIAGONALS, .streams_y = streams_y},
};
