#include <stdlib.h>

#include "base/memory.h"
#include "formats/hyb.h"
#include "kernels/cpu/coo.h"
#include "kernels/cpu/ell.h"

/* The ELL part is divided by rows and the COO part by entries, independently of each other: a thread may have
 * entries in rows of another thread. So ELL is complete in all threads before COO is added. */
struct hyb_work {
    struct ell_part ell;
    struct division *rows;    /* divides the ELL part */
    struct coo_work *entries; /* divides the COO part */
};

static void release(struct launch *launch)
{
    struct hyb_work *work = launch->state;
    free(work->rows);
    coo_work_free(work->entries);
    free(work);
    launch->state = NULL;
}

static enum status prepare(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    const struct coo_part rest = coo_part_of(storage, HYB_ROW, COO_ADDED);
    struct hyb_work *work = memory_zeroed(1, sizeof *work, error);
    if (!work) return STATUS_MEMORY;
    work->ell = ell_part_of(storage, HYB_LAYOUT, HYB_PAD);
    work->rows = division_new(launch, storage->rows, NULL, NULL, error);
    if (work->rows) work->entries = coo_work_new(launch, &rest, error);
    launch->state = work;
    return work->entries ? STATUS_OK : STATUS_MEMORY;
}

static void run_seq(const struct launch *launch)
{
    const struct hyb_work *work = launch->state;
    work->rows->loops->ell_plain(launch, &work->ell, 0, work->ell.rows);
    work->rows->loops->coo_plain(launch, &work->entries->part);
}

static void run_omp(const struct launch *launch)
{
    struct hyb_work *work = launch->state;
    const struct division *rows = work->rows;
#pragma omp parallel num_threads(launch->threads)
    {
#pragma omp for schedule(static, 1)
        for (int t = 0; t < launch->threads; t++)
            rows->loops->ell(launch, &work->ell, rows->bound[t], rows->bound[t + 1]);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < launch->threads; t++)
            coo_work_run(launch, work->entries, t);
    }
    coo_work_finish(launch, work->entries);
}

static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct ell_part part = ell_part_of(launch->storage, HYB_LAYOUT, HYB_PAD);
    traffic->x_loads = ell_loads(launch->storage, &part) + launch->storage->slots[1];
}

static const struct tuning_line tuning[] = {
    {"k", TUNING_SHARES, TUNING_LENGTHS}, {"pad", "repeat sentinel"}, {"layout", "transposed rows"}, {NULL}};

const struct kernel kernel_cpu_hyb_seq = {
    CPU_KERNEL("hyb-seq", hyb),
    PUBLISHED_LOOP,
    .summary = "ELL row by row, then COO entry by entry; one thread",
    .source = "PMPP, section 10.4",
    .prepare = prepare,
    .run = run_seq,
    .release = release,
    .traffic = traffic,
    .host = {.work = HOST_PARTS},
    .tuning = tuning,
};

const struct kernel kernel_cpu_hyb_omp = {
    CPU_KERNEL("hyb-omp", hyb),
    .summary = "the loop of ell-omp, then that of coo-omp",
    .source = "",
    .wins = "It suits rows of nearly equal length with a few exceptions, and with k=0 matrices of mostly "
            "empty rows.",
    .prepare = prepare,
    .run = run_omp,
    .release = release,
    .traffic = traffic,
    .host = {.work = HOST_PARTS},
    .tuning = tuning,
};
