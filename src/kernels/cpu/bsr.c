#include "formats/bsr.h"
#include "base/range.h"
#include "formats/array.h"
#include "kernels/cpu/cpu.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->number[BSR_BLOCK_ROWS], &launch->storage->array[BSR_ROW_PTR],
                  error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    division->loops->contiguous->bsr_plain(launch, 0, launch->storage->number[BSR_BLOCK_ROWS]);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->contiguous->bsr);
}

/* Each block loads an element of x for each of its columns. Their number is its size, except for the last
 * block of a block row, which may reach beyond the last column. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const struct array *row_ptr = &storage->array[BSR_ROW_PTR];
    const int32_t *col = storage->array[BSR_COL].data;
    int64_t size = storage->number[BSR_SIZE], loads = storage->number[BSR_BLOCKS] * size;
    for (int64_t r = 0; r < storage->number[BSR_BLOCK_ROWS]; r++) {
        int64_t end = array_integer(row_ptr, r + 1);
        if (end > array_integer(row_ptr, r))
            loads -= max(0, ((int64_t)col[end - 1] + 1) * size - storage->cols);
    }
    traffic->x_loads = loads;
}

static int64_t widest_line(const struct storage *storage)
{
    return storage->number[BSR_LONGEST] * storage->number[BSR_SIZE] * storage->number[BSR_SIZE];
}

static const struct tuning_line tuning[] = {{"size", "2 3 4 5 6 7 8"}, {NULL}};

const struct kernel kernel_cpu_bsr_seq = {
    CPU_KERNEL("bsr-seq", bsr),
    PUBLISHED_LOOP,
    .summary = "block by block, one thread",
    .source = "SciPy, bsr_matvec",
    .prepare = prepare,
    .run = run_seq,
    .release = division_release,
    .traffic = traffic,
    .host = {.piece = widest_line},
    .tuning = tuning,
};

const struct kernel kernel_cpu_bsr_omp = {
    CPU_KERNEL("bsr-omp", bsr),
    .summary = "block by block, a loop for each size; each thread has rows with equally many blocks",
    .source = "after Im, Yelick and Vuduc, \"Sparsity: optimization framework for sparse matrix "
              "kernels\", Int. J. High Perform. Comput. Appl. 18, 2004",
    .wins = "It suits small dense blocks of one size that are full.",
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
    .traffic = traffic,
    .host = {.piece = widest_line},
    .tuning = tuning,
};
