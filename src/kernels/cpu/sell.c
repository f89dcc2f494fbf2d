#include "formats/sell.h"
#include "formats/fill.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/sell_compact.h"
#include "kernels/cpu/spmm.h"
#include "kernels/cpu/transposed.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    if (!vectors_single(launch)) return spmm_prepare(launch, error);
    return divide(launch, launch->storage->number[SELL_CHUNKS], &launch->storage->array[SELL_CHUNK_PTR],
                  error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    if (spmm_run(launch)) return;
    division->loops->sell_plain(launch, 0, launch->storage->number[SELL_CHUNKS]);
}

static void run_chunks(const struct launch *launch)
{
    const struct division *division = launch->state;
    if (spmm_run(launch)) return;
    run_divided(launch, division->loops->sell);
}

/* The transposed matrix is stored as SELL. */

static enum status prepare_omp(struct launch *launch, struct error *error)
{
    return transposed_prepare(launch, prepare, error);
}

static void release_omp(struct launch *launch)
{
    transposed_release(launch, spmm_release);
}

static void run_omp(const struct launch *launch)
{
    transposed_run(launch, run_chunks);
}

static void traffic_omp(const struct launch *launch, struct traffic *traffic)
{
    transposed_traffic(launch, traffic, spmm_traffic);
}

int64_t sell_longest_chunk(const struct storage *storage)
{
    return storage_parameter(storage, SELL_C) * storage->number[SELL_LONGEST];
}

bool sell_streams_y(const struct storage *storage)
{
    return storage->count <= SELL_PERM;
}

static struct spmm_rows rows_of(const struct storage *storage)
{
    const struct array *array = storage->array;
    return (struct spmm_rows){.kind = SPMM_SELL,
                              .units = storage->rows,
                              .ptr = array[SELL_CHUNK_PTR].data,
                              .wide = array[SELL_CHUNK_PTR].element == ELEMENT_I64,
                              .col = array[SELL_COL].data,
                              .val = array[SELL_VAL].data,
                              .perm = storage->count > SELL_PERM ? array[SELL_PERM].data : NULL,
                              .slots = storage->slots[0],
                              .stride = (int64_t)storage->values.number[SELL_C]};
}

const struct tuning_line cpu_sell_tuning[] = {{"c", "1 2 4 8 16 32 64 128 256"},
                                              {"sigma", "1 8 32 128 512 2048 8192 32768 131072", TUNING_ROWS},
                                              {NULL}};

const struct kernel kernel_cpu_sell_seq = {
    CPU_KERNEL("sell-seq", sell),
    PUBLISHED_LOOP,
    .summary = "chunk by chunk, column by column; one thread",
    .source = "Kreutzer et al., SIAM J. Sci. Comput. 36, 2014",
    SPMM_KERNEL(rows_of),
    .prepare = prepare,
    .run = run_seq,
    .release = spmm_release,
    .traffic = spmm_traffic,
    .host = {.piece = sell_longest_chunk},
    .tuning = cpu_sell_tuning,
};

const struct kernel kernel_cpu_sell_omp = {
    CPU_KERNEL("sell-omp", sell),
    .summary = "chunk by chunk, several rows at a time; each thread has chunks with equally many slots",
    .source = "Kreutzer et al., SIAM J. Sci. Comput. 36, 2014",
    .wins = "It suits most matrices that are multiplied often: vectors run over the rows of a chunk, so that "
            "short rows cost no more than long ones. If lengths differ, a sigma of 256 or more keeps padding "
            "low.",
    .apart = true,
    SPMM_KERNEL(rows_of),
    .prepare = prepare_omp,
    .run = run_omp,
    .release = release_omp,
    .traffic = traffic_omp,
    .host = {.piece = sell_longest_chunk, .streams_y = sell_streams_y},
    .stores_transposed = transposed_always,
    .tuning = cpu_sell_tuning,
};
