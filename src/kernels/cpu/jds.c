#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/jds_parts.h"
#include "kernels/cpu/coo.h"

struct jds_work {
    struct division *rows;    /* sorted rows of part 0, divided by their slots */
    struct coo_work *entries; /* divides the COO part; NULL if there is none */
};

/* Return the number of slots of sorted rows 0 .. r-1. Diagonal d has iter_ptr[d+1] - iter_ptr[d] slots, one
 * for each of the first sorted rows. Diagonals with more than r slots contribute r each, and the later ones
 * all their slots. The search finds `low`, the first of the later ones. */
static int64_t slots_of_diagonals(const struct storage *storage, int64_t r)
{
    int64_t low = 0, high = storage->number[JDS_LONGEST];
    BISECT(low, high, jds_at(storage, JDS_ITER_PTR, middle + 1) - jds_at(storage, JDS_ITER_PTR, middle) > r);
    return low * r + storage->slots[0] - jds_at(storage, JDS_ITER_PTR, low);
}

/* Return the number of slots of sorted rows 0 .. r-1 in any kind of JDS; rows from JDS_FILLED on have none.
 */
static int64_t slots_before(const void *of, int64_t r)
{
    const struct storage *storage = of;
    if (r >= storage->number[JDS_FILLED]) return storage->slots[0];
    if (jds_kind(storage) == JDS_SECTIONS_CSR) return jds_at(storage, JDS_ROW_PTR, r);
    if (jds_kind(storage) == JDS_PLAIN) return slots_of_diagonals(storage, r);
    struct jds_section section = jds_section(storage, jds_section_of(storage, r));
    return section.slot + (r - section.first) * section.wide;
}

static void release(struct launch *launch)
{
    struct jds_work *work = launch->state;
    free(work->rows);
    coo_work_free(work->entries);
    free(work);
    launch->state = NULL;
}

/* Return the number of the array in which the COO part begins: the one after part 0's columns and values. */
static int apart(const struct storage *storage)
{
    return (int)storage->number[JDS_COLUMNS] + 2;
}

static enum status prepare(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    struct jds_work *work = memory_zeroed(1, sizeof *work, error);
    if (!work) return STATUS_MEMORY;
    launch->state = work;
    work->rows = division_new(launch, jds_sorted(storage), slots_before, storage, error);
    if (!work->rows) return STATUS_MEMORY;
    if (storage->number[JDS_APART] == 0) return STATUS_OK;
    const struct coo_part rest = coo_part_of(storage, apart(storage), COO_OWN_ROWS);
    work->entries = coo_work_new(launch, &rest, error);
    return work->entries ? STATUS_OK : STATUS_MEMORY;
}

static void run_seq(const struct launch *launch)
{
    const struct jds_work *work = launch->state;
    clear_y(launch);
    work->rows->loops->jds_plain(launch, 0, jds_sorted(launch->storage));
    if (work->entries) work->rows->loops->coo_plain(launch, &work->entries->part);
}

/* The two parts have no row in common, so threads may write rows of both parts at the same time. */
static void run_omp(const struct launch *launch)
{
    struct jds_work *work = launch->state;
    const struct division *rows = work->rows;
#pragma omp parallel for schedule(static, 1) num_threads(launch->threads)
    for (int t = 0; t < launch->threads; t++) {
        rows->loops->jds(launch, rows->bound[t], rows->bound[t + 1]);
        if (work->entries) coo_work_run(launch, work->entries, t);
    }
    if (work->entries) coo_work_finish(launch, work->entries);
}

static const struct tuning_line tuning[] = {{"sections", "none share"},
                                            {"share", "0.1 0.25 0.5 0.75 0.9 1"},
                                            {"height", "1 32 1024", TUNING_ROWS},
                                            {"inside", "ell csr"},
                                            {NULL}};

static const struct tuning_rule rules[] = {{"sections", "none", "share", "0.5"},
                                           {"sections", "none", "height", "1"},
                                           {"sections", "none", "inside", "ell"},
                                           {NULL}};

const struct kernel kernel_cpu_jds_seq = {
    CPU_KERNEL("jds-seq", jds),
    PUBLISHED_LOOP,
    .summary = "diagonal by diagonal or section by section, one thread",
    .source = "PMPP, section 10.5; 4th edition, notes of chapter 14",
    .prepare = prepare,
    .run = run_seq,
    .release = release,
    .host = {.work = HOST_JAGGED, .clears_y = true, .again_values = 3, .again_bytes = 4}, /* and perm */
    .tuning = tuning,
    .tuning_rules = rules,
};

const struct kernel kernel_cpu_jds_omp = {
    CPU_KERNEL("jds-omp", jds),
    .summary = "blocks of sorted rows, diagonal by diagonal; each thread has equally many slots",
    .source = "",
    .wins = "It suits short rows of many lengths: adjacent sorted rows have similar lengths, and vectors run "
            "over them.",
    .prepare = prepare,
    .run = run_omp,
    .release = release,
    .host = {.work = HOST_JAGGED},
    .tuning = tuning,
    .tuning_rules = rules,
};
