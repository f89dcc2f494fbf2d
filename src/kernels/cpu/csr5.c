#include "kernels/cpu/csr5.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernels/cpu/cpu.h"

extern const struct kernel kernel_cpu_csr_balanced;

/* Tiles divided among threads. carried[t] is thread t's sum over the row that began before its first tile. */
struct tiles {
    struct division *division;
    loop_sum carried[];
};

static enum status prepare(struct launch *launch, struct error *error)
{
    size_t threads = (size_t)launch->threads;
    struct tiles *tiles = memory_array(sizeof *tiles + threads * sizeof tiles->carried[0], 1, error);
    launch->state = tiles;
    if (!tiles) return STATUS_MEMORY;
    tiles->division = division_new(launch, launch->storage->number[CSR5_TILES] + 1, NULL, NULL, error);
    return tiles->division ? STATUS_OK : STATUS_MEMORY;
}

static void release(struct launch *launch)
{
    struct tiles *tiles = launch->state;
    if (tiles) free(tiles->division);
    free(tiles);
    launch->state = NULL;
}

static void run(const struct launch *launch)
{
    struct tiles *tiles = launch->state;
    const struct division *division = tiles->division;
    const int64_t *bound = division->bound;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        tiles->carried[t] = division->loops->csr5(launch, bound[t], bound[t + 1]);
    for (int t = 1; t < launch->threads; t++)
        if (bound[t] < bound[t + 1] && csr5_continues(launch->storage, bound[t]))
            put_sum(launch, csr5_row(launch->storage, bound[t]), tiles->carried[t], true);
}

/* Offsets of rows are read in the tail alone, which is shorter than a tile. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct array *row_ptr = &launch->storage->array[CSR5_ROW_PTR];
    if (launch->storage->number[CSR5_TILES] > 0)
        traffic->array_bytes -= (size_t)row_ptr->length * element_size(row_ptr->element);
}

const struct kernel kernel_cpu_csr5_omp = {
    CPU_KERNEL("csr5-omp", csr5),
    .summary = "each thread has equally many tiles, and each lane of a tile a column; no atomics",
    .source = "Liu and Vinter, ICS 2015, section 4",
    .wins = "It suits rows of very different lengths, also of a few very long ones, since only entries are "
            "divided among lanes and threads.",
    .prepare = prepare,
    .run = run,
    .release = release,
    .traffic = traffic,
    .pace = {.like = &kernel_cpu_csr_balanced},
    .host = {.work = HOST_ENTRIES},
};
