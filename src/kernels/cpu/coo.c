#include "kernels/cpu/coo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formats/coo.h"
#include "formats/fill.h"
#include "kernels/cpu/spmm.h"

struct coo_part coo_part_of(const struct storage *storage, int q, enum coo_target target)
{
    const struct array *array = storage->array;
    return (struct coo_part){array[q].data, array[q + 1].data, array[q + 2].data, array[q].length, target};
}

struct coo_work *coo_work_new(const struct launch *launch, const struct coo_part *part, struct error *error)
{
    size_t threads = (size_t)launch->threads;
    struct coo_work *work = memory_array(sizeof *work + threads * sizeof work->carried[0], 1, error);
    if (!work) return NULL;
    work->part = *part;
    work->division = division_new(launch, part->count, NULL, NULL, error);
    if (work->division) return work;
    free(work);
    return NULL;
}

void coo_work_free(struct coo_work *work)
{
    if (work) free(work->division);
    free(work);
}

void coo_work_run(const struct launch *launch, struct coo_work *work, int t)
{
    const struct division *division = work->division;
    work->carried[t] = division->loops->coo(launch, &work->part, division->bound[t], division->bound[t + 1]);
}

/* A thread has a carried sum only if it has entries and its first one is not the first of its row. */
void coo_work_finish(const struct launch *launch, const struct coo_work *work)
{
    const int64_t *bound = work->division->bound;
    const int32_t *row = work->part.row;
    for (int t = 1; t < launch->threads; t++)
        if (bound[t] > 0 && bound[t] < bound[t + 1] && row[bound[t]] == row[bound[t] - 1])
            put_sum(launch, row[bound[t]], work->carried[t], true);
}

static enum status prepare_seq(struct launch *launch, struct error *error)
{
    if (!product_plain(launch->product)) return spmm_prepare(launch, error);
    return divide(launch, launch->storage->nnz, NULL, error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    const struct coo_part part = coo_part_of(launch->storage, COO_ROW, COO_ALL_ROWS);
    if (spmm_run(launch)) return;
    clear_y(launch);
    division->loops->coo_plain(launch, &part);
}

static enum status prepare_omp(struct launch *launch, struct error *error)
{
    const struct coo_part part = coo_part_of(launch->storage, COO_ROW, COO_ALL_ROWS);
    if ((int)launch->storage->values.number[COO_ORDER] != COO_BY_ROW)
        return error_set(error, STATUS_UNAVAILABLE,
                         "coo-omp needs entries in the order of rows: leave out order=random, or take "
                         "coo-seq");
    if (!product_plain(launch->product)) return spmm_prepare(launch, error);
    launch->state = coo_work_new(launch, &part, error);
    return launch->state ? STATUS_OK : STATUS_MEMORY;
}

static void run_omp(const struct launch *launch)
{
    struct coo_work *work = launch->state;
    if (spmm_run(launch)) return;
    if (work->part.count == 0) clear_y(launch);
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++)
        coo_work_run(launch, work, t);
    coo_work_finish(launch, work);
}

static void release_omp(struct launch *launch)
{
    if (!product_plain(launch->product)) {
        spmm_release(launch);
        return;
    }
    coo_work_free(launch->state);
    launch->state = NULL;
}

static struct spmm_rows rows_of(const struct storage *storage)
{
    const struct array *array = storage->array;
    const bool sorted = (int)storage_parameter(storage, COO_ORDER) == COO_BY_ROW;
    return (struct spmm_rows){.kind = sorted ? SPMM_COO : SPMM_ENTRY,
                              .units = sorted ? storage->rows : storage->nnz,
                              .wide = storage->wide,
                              .row = array[COO_ROW].data,
                              .col = array[COO_COL].data,
                              .val = array[COO_VAL].data,
                              .slots = storage->nnz,
                              .perm = sorted ? NULL : array[COO_ROW].data,
                              .stride = 1};
}

const struct kernel kernel_cpu_coo_seq = {
    CPU_KERNEL("coo-seq", coo),
    PUBLISHED_LOOP,
    .summary = "entry by entry, one thread",
    .source = "PMPP, figure 10.14",
    SPMM_KERNEL(rows_of),
    .prepare = prepare_seq,
    .run = run_seq,
    .release = spmm_release,
    .traffic = spmm_traffic,
    .host = {.work = HOST_ENTRIES, .clears_y = true},
};

const struct kernel kernel_cpu_coo_omp = {
    CPU_KERNEL("coo-omp", coo),
    .summary = "each thread has equally many entries, summed by rows; no atomics",
    .source = "after Blelloch, Heroux and Zagha, \"Segmented operations for sparse matrix computation "
              "on vector multiprocessors\", CMU-CS-93-173, 1993",
    .wins = "It suits matrices with a few very long rows or very many empty rows, since only entries are "
            "divided among threads.",
    SPMM_KERNEL(rows_of),
    .prepare = prepare_omp,
    .run = run_omp,
    .release = release_omp,
    .traffic = spmm_traffic,
    .host = {.work = HOST_ENTRIES},
};
