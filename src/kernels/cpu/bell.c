#include "formats/bell.h"
#include "base/range.h"
#include "formats/array.h"
#include "kernels/cpu/cpu.h"

extern const struct kernel kernel_cpu_bsr_omp;

static enum status prepare(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->number[BELL_BLOCK_ROWS], NULL, error);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->contiguous->bell);
}

/* Each block loads an element of x for each of its columns that the matrix has. The slots of padding blocks
 * are skipped. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const int32_t *col = storage->array[BELL_COL].data;
    const int64_t size = storage->number[BELL_SIZE], width = storage->number[BELL_WIDTH];
    traffic->x_loads = storage->number[BELL_BLOCKS] * size;
    for (int64_t r = 0; r < storage->number[BELL_BLOCK_ROWS]; r++) {
        const int64_t blocks = bell_blocks_of(storage, r);
        if (blocks > 0)
            traffic->x_loads -= max(0, ((int64_t)col[r * width + blocks - 1] + 1) * size - storage->cols);
    }
    traffic_pass(storage, storage->slots[0] - storage->number[BELL_BLOCKS] * size * size, 1U << ROLE_VALUES,
                 traffic);
}

static int64_t slots_of_block_row(const struct storage *storage)
{
    return storage->number[BELL_WIDTH] * storage->number[BELL_SIZE] * storage->number[BELL_SIZE];
}

static const struct tuning_line tuning[] = {{"size", "2 3 4 5 6 7 8 16"}, {NULL}};

const struct kernel kernel_cpu_bell_omp = {
    CPU_KERNEL("bell-omp", bell),
    .summary = "block by block up to the padding, a loop for each size up to 8; blocks of block rows",
    .source = "",
    .wins = "It suits dense blocks of one size that are full, equally many of them in each block row.",
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
    .traffic = traffic,
    .pace = {.like = &kernel_cpu_bsr_omp},
    .host = {.piece = slots_of_block_row},
    .tuning = tuning,
};
