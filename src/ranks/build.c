#include "ranks/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/build.h"
#include "matrix/matrix.h"
#include "matrix/rows.h"
#include "ranks/work.h"

/* --- between the passes --- */

/* Find the first rows of the ranks' runs by the rule of share_cut. Each rank uses the lengths of the rows in
 * its even run, which it has counted. */
static void find_cuts(const struct work *w, const int64_t *lengths, struct cut *cut)
{
    const struct ranks *ranks = w->ranks;
    int parts = ranks->count;
    int64_t first = w->even.begin[ranks->rank], last = w->even.begin[ranks->rank + 1], own = 0;
    for (int64_t i = first; i < last; i++)
        own += lengths[i - first];
    int64_t nnz = own, before = ranks_before(ranks, own);
    ranks_sum(ranks, &nnz, 1);
    const double share = (double)nnz / (double)parts;
    int next = 0; /* this rank's rows determine the cuts 1 .. next so far */
    for (int p = 1; p <= parts; p++)
        cut->begin[p] = w->source->rows;
    for (int64_t i = first; i < last; i++) {
        int64_t end = before + lengths[i - first];
        double middle = ((double)before + (double)end) / 2;
        int64_t part = share > 0 ? (int64_t)(middle / share) : 0;
        if (part >= parts) part = parts - 1;
        while (next < part)
            cut->begin[++next] = i;
        before = end;
    }
    ranks_min(ranks, cut->begin, parts + 1);
}

/* Each rank has counted the rows of an even run. Send the lengths to the owners by the new cut. */
static enum status hand_over(struct work *w, int64_t **lengths, struct error *error)
{
    const struct ranks *ranks = w->ranks;
    const int64_t *from = w->even.begin, *to = w->together->cut.begin;
    int me = ranks->rank;
    int64_t own = to[me + 1] - to[me];
    int64_t *counts = memory_zeroed(2 * (size_t)ranks->count, sizeof *counts, error);
    int64_t *row_ptr = memory_array((size_t)own + 1, sizeof *row_ptr, error);
    enum status status = work_learn(w, counts && row_ptr ? STATUS_OK : STATUS_MEMORY, error);
    for (int r = 0; status == STATUS_OK && r < ranks->count; r++) {
        int64_t begin = from[me] > to[r] ? from[me] : to[r];
        int64_t end = from[me + 1] < to[r + 1] ? from[me + 1] : to[r + 1];
        counts[r] = end > begin ? end - begin : 0;
    }
    if (status == STATUS_OK) {
        ranks_counts(ranks, counts, counts + ranks->count);
        ranks_exchange(ranks, *lengths, counts, row_ptr, counts + ranks->count, sizeof *row_ptr);
        free(*lengths);
        *lengths = row_ptr;
        row_ptr = NULL;
    }
    free(row_ptr);
    free(counts);
    return status;
}

static enum status allocate(struct work *w, struct error *error)
{
    struct csr *a = &w->a;
    struct source own = *w->source;
    own.builder = NULL; /* the sizes below are those of this rank */
    own.rows = a->rows;
    if (matrix_check(&own, a->row_ptr[a->rows], 4 * STAGE_BYTES, error) != STATUS_OK) return STATUS_LIMIT;
    return csr_allocate(a, a->row_ptr[a->rows], own.complex, error);
}

/* Run pass 1, and compute the cut from its counts. */
static enum status count_pass(struct work *w, struct error *error)
{
    const struct ranks *ranks = w->ranks;
    struct together *together = w->together;
    enum status status = cut_evenly(&w->even, ranks->count, w->source->rows, error);
    if (status == STATUS_OK) status = cut_make(&together->cut, ranks->count, error);
    if (status == STATUS_OK) {
        w->cut = &w->even;
        w->first = w->even.begin[ranks->rank];
        int64_t rows = w->even.begin[ranks->rank + 1] - w->first;
        w->a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *w->a.row_ptr, error);
        if (!w->a.row_ptr) status = STATUS_MEMORY;
    }
    status = work_learn(w, status, error);
    if (status == STATUS_OK) status = work_pass(w, PASS_COUNT, false, error);
    if (status != STATUS_OK) return status;
    find_cuts(w, w->a.row_ptr, &together->cut);
    status = hand_over(w, &w->a.row_ptr, error);
    if (status != STATUS_OK) return status;
    w->cut = &together->cut;
    w->first = together->cut.begin[ranks->rank];
    w->a.rows = together->cut.begin[ranks->rank + 1] - w->first;
    w->a.cols = w->source->cols;
    threads_offsets(w->a.row_ptr, w->a.rows);
    status = cut_index(&together->cut, error);
    return work_learn(w, status == STATUS_OK ? allocate(w, error) : status, error);
}

/* --- the whole --- */

/* Receive the sizes if rank 0 reads alone, or check that all ranks read the same. */
static enum status compare_sources(struct work *w, struct source *source, struct error *error)
{
    int64_t mine[6] = {
        source->rows,  source->cols, source->complex, (int64_t)source->symmetry, (int64_t)source->duplicates,
        source->blocks};
    int64_t theirs[6];
    memcpy(theirs, mine, sizeof theirs);
    ranks_broadcast(w->ranks, 0, theirs, sizeof theirs);
    if (!w->together->alone) {
        bool same = memcmp(mine, theirs, sizeof mine) == 0;
        return work_learn(
            w,
            same ? STATUS_OK
                 : error_at(
                       error, STATUS_INPUT, source->path, 0, 0,
                       "rank %d reads another file of this name than rank 0 does; all ranks need the same",
                       w->ranks->rank),
            error);
    }
    source->rows = theirs[0];
    source->cols = theirs[1];
    source->complex = theirs[2] != 0;
    source->symmetry = (enum symmetry)theirs[3];
    source->duplicates = (enum duplicates)theirs[4];
    int64_t agreeing = source->agreeing_mirrors;
    ranks_broadcast(w->ranks, 0, &agreeing, sizeof agreeing);
    source->agreeing_mirrors = agreeing != 0;
    return STATUS_OK;
}

static void total_up(const struct work *w, struct build_result *result)
{
    int64_t numbers[3] = {atomic_load(&w->stored), result->duplicates, result->agreeing_mirrors};
    ranks_sum(w->ranks, numbers, 3);
    result->stored = numbers[0];
    result->duplicates = numbers[1];
    result->agreeing_mirrors = numbers[2];
}

static enum status build_steps(struct work *w, struct source *own, struct build_result *result,
                               struct error *error)
{
    struct together *together = w->together;
    enum status status = matrix_check_size(own, error);
    if (status == STATUS_OK) status = stage_open(&w->stage, w->ranks, error);
    status = work_learn(w, status, error);
    if (status != STATUS_OK) return status;
    result->together = true;
    status = compare_sources(w, own, error);
    if (status != STATUS_OK) return status;
    together->builder.range(together, own->blocks, &w->first_block, &w->last_block);
    together->cols = own->cols;
    status = count_pass(w, error);
    if (status != STATUS_OK) return status;
    int64_t sides[2] = {(atomic_load(&w->orientations) & MIRROR_LOWER) != 0,
                        (atomic_load(&w->orientations) & MIRROR_UPPER) != 0};
    ranks_sum(w->ranks, sides, 2);
    bool mirrors = own->symmetry != SYMMETRY_GENERAL && sides[0] && sides[1];
    const struct ends ends = ends_note(&w->a);
    status = work_pass(w, PASS_PLACE, !mirrors, error);
    if (status != STATUS_OK) return status;
    status = work_learn(w, ends_settle(&ends, &w->a, own->path, error), error);
    if (status != STATUS_OK) return status;
    own->first_row = w->first;
    status = work_learn(w, rows_sort(&w->a, NULL, error), error);
    if (status == STATUS_OK && mirrors) status = work_judge_mirrors(w, own, error);
    if (status != STATUS_OK) return status;
    status = work_learn(w, rows_merge(&w->a, own, &w->mirrors, result, error), error);
    if (status == STATUS_OK) total_up(w, result);
    return status;
}

/* Wait for all ranks before the first entries are distributed, or when rank 0 knows that there are none. The
 * work before this can take long, and rank 0 does it with the threads of all ranks on its node. */
static void meet(struct together *together)
{
    if (!together->met) ranks_meet(together->ranks);
    together->met = true;
}

static enum status builder_build(void *self, const struct source *source, struct progress *progress,
                                 struct csr *a, struct build_result *result, struct error *error)
{
    struct together *together = self;
    struct source own = *source;
    struct error mine = {0};
    struct work w = {.together = together, .ranks = together->ranks, .source = &own};
    *a = (struct csr){0};
    if (together->alone) meet(together);
    enum status status = build_steps(&w, &own, result, &mine);
    stage_close(&w.stage);
    cut_free(&w.even);
    mirrors_free(&w.mirrors);
    if (status == STATUS_OK)
        *a = w.a;
    else
        csr_free(&w.a);
    if (status != STATUS_OK && error) *error = mine;
    return status;
}

/* --- the builder --- */

static void builder_range(void *self, int64_t blocks, int64_t *first, int64_t *last)
{
    const struct together *together = self;
    int64_t parts = together->ranks->count, part = together->ranks->rank;
    if (together->alone) {
        *first = part == 0 ? 0 : blocks;
        *last = blocks;
        return;
    }
    *first = blocks / parts * part + blocks % parts * part / parts;
    *last = blocks / parts * (part + 1) + blocks % parts * (part + 1) / parts;
}

static int64_t builder_sum(void *self, int64_t number)
{
    const struct together *together = self;
    ranks_sum(together->ranks, &number, 1);
    return number;
}

static int64_t builder_before(void *self, int64_t number)
{
    const struct together *together = self;
    return ranks_before(together->ranks, number);
}

static void builder_first(void *self, bool has, void *data, size_t bytes)
{
    const struct together *together = self;
    const struct ranks *ranks = together->ranks;
    int64_t root = has ? ranks->rank : ranks->count;
    ranks_min(ranks, &root, 1);
    if (root < ranks->count) ranks_broadcast(ranks, (int)root, data, bytes);
}

void together_start(struct together *together, const struct ranks *ranks, bool alone)
{
    *together = (struct together){
        .builder = {.self = together,
                    .parts = ranks->count,
                    .part = ranks->rank,
                    .build = builder_build,
                    .range = builder_range,
                    .sum = builder_sum,
                    .before = builder_before,
                    .first = builder_first},
        .ranks = ranks,
        .alone = alone,
    };
}

void together_free(struct together *together)
{
    cut_free(&together->cut);
}

static enum status give_nothing(void *self, int64_t k, struct sink *sink, struct error *error)
{
    return STATUS_OK;
}

enum status together_follow(struct together *together, const struct load_options *options, struct csr *a,
                            struct summed *summed, struct build_result *result, struct error *error)
{
    const struct source source = {.limit = options->limit,
                                  .beside = options->beside,
                                  .builder = &together->builder,
                                  .summed = summed,
                                  .path = "",
                                  .block = give_nothing};
    return builder_build(together, &source, NULL, a, result, error);
}

enum status together_end(struct together *together, enum status status, struct error *error)
{
    struct error mine = *error;
    if (together->alone) meet(together);
    if (!together->failed && ranks_agree(together->ranks, status, error) == STATUS_OK) return STATUS_OK;
    *error = mine;
    bool real = status != STATUS_OK && status != STATUS_CANCELLED;
    enum status agreed = ranks_agree(together->ranks, real ? status : STATUS_OK, error);
    if (agreed == STATUS_OK) return error_set(error, STATUS_CANCELLED, "reading was cancelled");
    return agreed;
}
