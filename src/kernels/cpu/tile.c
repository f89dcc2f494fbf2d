#include "formats/tile.h"

#include "base/range.h"
#include "formats/array.h"
#include "kernels/cpu/cpu.h"

extern const struct kernel kernel_cpu_csr_omp;

/* Return the number of slots before tile row r, for dividing tile rows among threads. */
static int64_t slots_before(const void *of, int64_t r)
{
    const struct array *array = of;
    return array_integer(&array[TILE_SLOT_PTR], array_integer(&array[TILE_PTR], r));
}

static enum status prepare(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    launch->state = division_new(launch, storage->number[TILE_ROWS],
                                 storage->number[TILE_TILES] ? slots_before : NULL, storage->array, error);
    return launch->state ? STATUS_OK : STATUS_MEMORY;
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->contiguous->tile);
}

/* A dense tile loads an element of x for each of its columns. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct array *array = launch->storage->array;
    const uint8_t *index = array[TILE_INDEX].data;
    for (int64_t t = 0; t < launch->storage->number[TILE_TILES]; t++) {
        const int64_t slots =
            array_integer(&array[TILE_SLOT_PTR], t + 1) - array_integer(&array[TILE_SLOT_PTR], t);
        if (tile_kind(index[array_integer(&array[TILE_BYTE_PTR], t)]) == TILE_DENSE)
            traffic->x_loads -= slots - min(TILE_SIZE, launch->storage->cols -
                                                           array_integer(&array[TILE_COL], t) * TILE_SIZE);
    }
}

const struct kernel kernel_cpu_tile_omp = {
    CPU_KERNEL("tile-omp", tile),
    .summary =
        "tile by tile, with a loop for each storage; each thread has tile rows with equally many slots",
    .source = "after Niu, Lu, Dong, Jin, Tan and Yuan, IPDPS 2021, section III",
    .wins = "It suits entries that lie close together: most of them share their tile with many others.",
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
    .traffic = traffic,
    .pace = {.like = &kernel_cpu_csr_omp},
    .host = {.work = HOST_ROWS},
};
