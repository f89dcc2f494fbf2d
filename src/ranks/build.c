#include "ranks/build.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/matrix.h"
#include "matrix/mirrors.h"
#include "matrix/rows.h"
#include "ranks/stage.h"

enum pass {
    PASS_COUNT, /* looks at places, and counts the entries of each row */
    PASS_PLACE, /* takes places and values, and puts every entry into its row */
    PASS_MATCH, /* looks at places, and finds out which duplicates are mirror images of each other */
    PASS_CHECK, /* looks for errors alone, of places and of values */
};

/* What is sent in each pass but the last. A count is the row alone, as int32_t. */
struct entry {
    int32_t row, col;
    double val;
};

struct complex_entry {
    int32_t row, col;
    double val, imaginary;
};

struct name {
    int32_t row, col;
    uint64_t name; /* block << 32 | number in the block, as struct mirror names entries */
};

struct work {
    struct together *together;
    const struct ranks *ranks;
    const struct source *source;
    enum pass pass;
    int64_t first_block, last_block;
    const struct cut *cut; /* in this pass */
    int64_t first;         /* the first row of this rank by that cut */
    struct cut even;       /* equal runs of rows, for the first pass */
    struct csr a;          /* row_ptr is changed in the passes as in build_csr */
    int64_t room;
    struct mirrors mirrors;
    struct stage stage;
    atomic_uint orientations;
    _Atomic int64_t stored;
    atomic_bool overrun;
};

/* Entries as plain arrays: those of a sink, or their mirror images. */
struct batch {
    int count;
    const int32_t *row, *col;
    const double *val, *imaginary;
    int64_t block, before; /* of a sink */
};

/* --- what an owner does with entries of its rows --- */

/* Return the end of the run of entries in one row that begins with entry `first`: a run takes one addition.
 */
static inline int run_end(const struct batch *batch, int first)
{
    int end = first + 1;
    while (end < batch->count && batch->row[end] == batch->row[first])
        end++;
    return end;
}

static void count_batch(struct work *w, const struct batch *batch)
{
    for (int k = 0, end; k < batch->count; k = end) {
        end = run_end(batch, k);
        __atomic_fetch_add(&w->a.row_ptr[batch->row[k] - w->first], end - k, __ATOMIC_RELAXED);
    }
}

/* First all positions are taken, then the entries written: the lines of col and val that they go to arrive
 * meanwhile (matrix/build.c). */
static void place_batch(struct work *w, const struct batch *batch)
{
    int64_t position[SINK_ENTRIES];
    for (int k = 0, end; k < batch->count; k = end) {
        end = run_end(batch, k);
        int64_t begin =
            __atomic_fetch_add(&w->a.row_ptr[batch->row[k] - w->first], end - k, __ATOMIC_RELAXED);
        if (__builtin_expect(begin + (end - k) > w->room, 0)) { /* a file that changed between the passes */
            atomic_store(&w->overrun, true);
            return;
        }
        for (int t = k; t < end; t++)
            position[t] = begin + (t - k);
        __builtin_prefetch(&w->a.col[begin], 1);
        __builtin_prefetch(&w->a.val[begin], 1);
    }
    for (int k = 0; k < batch->count; k++) {
        w->a.col[position[k]] = batch->col[k];
        w->a.val[position[k]] = batch->val[k];
    }
    if (w->a.imaginary)
        for (int k = 0; k < batch->count; k++)
            w->a.imaginary[position[k]] = batch->imaginary[k];
}

/* Take entries that belong to this rank. */
static void keep(struct work *w, const struct batch *batch)
{
    if (w->pass == PASS_MATCH) {
        mirrors_match(&w->mirrors, batch->row, batch->col, batch->count, batch->block, batch->before);
        return;
    }
    for (int k = 0; k < batch->count; k++)
        __builtin_prefetch(&w->a.row_ptr[batch->row[k] - w->first], 1);
    if (w->pass == PASS_COUNT)
        count_batch(w, batch);
    else
        place_batch(w, batch);
}

/* Records are delivered so many at a time. */
static void deliver_some(struct work *w, const char *records, int count)
{
    int32_t row[SINK_ENTRIES], col[SINK_ENTRIES];
    double val[SINK_ENTRIES], imaginary[SINK_ENTRIES];
    struct batch batch = {count, row, col, val, imaginary, 0, 0};
    if (w->pass == PASS_COUNT) {
        memcpy(row, records, (size_t)count * sizeof *row);
    } else if (w->source->complex) {
        for (int k = 0; k < count; k++) {
            struct complex_entry entry;
            memcpy(&entry, records + (size_t)k * sizeof entry, sizeof entry);
            row[k] = entry.row;
            col[k] = entry.col;
            val[k] = entry.val;
            imaginary[k] = entry.imaginary;
        }
    } else {
        for (int k = 0; k < count; k++) {
            struct entry entry;
            memcpy(&entry, records + (size_t)k * sizeof entry, sizeof entry);
            row[k] = entry.row;
            col[k] = entry.col;
            val[k] = entry.val;
        }
    }
    keep(w, &batch);
}

static void match_names(struct work *w, const char *records, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        struct name name;
        memcpy(&name, records + (size_t)k * sizeof name, sizeof name);
        mirrors_match(&w->mirrors, &name.row, &name.col, 1, (int64_t)(name.name >> 32),
                      (int64_t)(name.name & UINT32_MAX));
    }
}

static void deliver(void *self, const char *records, int64_t count)
{
    struct work *w = self;
    if (w->pass == PASS_MATCH) {
        match_names(w, records, count);
        return;
    }
    for (int64_t k = 0; k < count; k += SINK_ENTRIES)
        deliver_some(w, records + (size_t)k * w->stage.size,
                     count - k < SINK_ENTRIES ? (int)(count - k) : SINK_ENTRIES);
}

/* --- from the source to the owners --- */

/* Return the row that decides who gets an entry: its own, or in the last pass that of the place below the
 * diagonal. */
static int32_t deciding_row(const struct work *w, const struct batch *batch, int k)
{
    return w->pass == PASS_MATCH && batch->col[k] > batch->row[k] ? batch->col[k] : batch->row[k];
}

static void write_record(const struct work *w, const struct batch *batch, int k, char *record)
{
    if (w->pass == PASS_COUNT) {
        memcpy(record, &batch->row[k], sizeof batch->row[k]);
    } else if (w->pass == PASS_MATCH) {
        struct name name = {batch->row[k], batch->col[k],
                            (uint64_t)batch->block << 32 | (uint64_t)(batch->before + k)};
        memcpy(record, &name, sizeof name);
    } else if (w->source->complex) {
        struct complex_entry entry = {batch->row[k], batch->col[k], batch->val[k], batch->imaginary[k]};
        memcpy(record, &entry, sizeof entry);
    } else {
        struct entry entry = {batch->row[k], batch->col[k], batch->val[k]};
        memcpy(record, &entry, sizeof entry);
    }
}

/* Return true if all of a batch belongs to this rank. */
static bool stays(const struct work *w, const struct batch *batch)
{
    int64_t first = w->cut->begin[w->ranks->rank], last = w->cut->begin[w->ranks->rank + 1];
    bool here = w->pass != PASS_MATCH || w->ranks->count == 1;
    for (int k = 0; k < batch->count; k++)
        here &= batch->row[k] >= first && batch->row[k] < last;
    return here;
}

static void route(struct work *w, const struct batch *batch)
{
    int32_t owner[SINK_ENTRIES], row[SINK_ENTRIES], col[SINK_ENTRIES], *to = NULL, me = w->ranks->rank;
    double val[SINK_ENTRIES], imaginary[SINK_ENTRIES];
    struct batch own = {0, row, col, val, imaginary, 0, 0};
    bool values = w->pass == PASS_PLACE, complex = values && w->source->complex;
    char *records = NULL;
    int away = 0;
    if (stays(w, batch)) {
        if (stage_put(&w->stage, omp_get_thread_num(), batch->count, 0, &records, &to)) keep(w, batch);
        return;
    }
    for (int k = 0; k < batch->count; k++) {
        owner[k] = cut_owner(w->cut, deciding_row(w, batch, k));
        away +=
            owner[k] != me || w->pass == PASS_MATCH; /* names of own entries are sent, too: they are few */
    }
    if (!stage_put(&w->stage, omp_get_thread_num(), batch->count - away, away, &records, &to)) return;
    for (int k = 0; k < batch->count; k++) {
        if (owner[k] != me || w->pass == PASS_MATCH) {
            write_record(w, batch, k, records);
            records += w->stage.size;
            *to++ = owner[k];
            continue;
        }
        row[own.count] = batch->row[k];
        col[own.count] = batch->col[k];
        if (values) val[own.count] = batch->val[k];
        if (complex) imaginary[own.count] = batch->imaginary[k];
        own.count++;
    }
    keep(w, &own);
}

/* Route the mirror images of off-diagonal entries (matrix/build.c). */
static void route_mirror_images(struct work *w, const struct sink *sink)
{
    int32_t row[SINK_ENTRIES], col[SINK_ENTRIES];
    double val[SINK_ENTRIES], imaginary[SINK_ENTRIES];
    const struct mirror_signs signs = mirror_signs(w->source->symmetry);
    struct batch batch = {0, row, col, val, imaginary, 0, 0};
    unsigned orientations = 0;
    for (int k = 0; k < sink->count; k++) {
        if (sink->row[k] == sink->col[k]) continue;
        orientations |= sink->row[k] > sink->col[k] ? MIRROR_LOWER : MIRROR_UPPER;
        row[batch.count] = sink->col[k];
        col[batch.count] = sink->row[k];
        if (sink->values) {
            val[batch.count] = signs.real * sink->val[k];
            if (sink->complex) imaginary[batch.count] = signs.imaginary * sink->imaginary[k];
        }
        batch.count++;
    }
    route(w, &batch);
    if (w->pass == PASS_COUNT) atomic_fetch_or_explicit(&w->orientations, orientations, memory_order_relaxed);
}

static void take(struct work *w, const struct sink *sink)
{
    if (w->pass == PASS_CHECK || atomic_load_explicit(&w->stage.stop, memory_order_relaxed)) return;
    struct batch batch = {sink->count,     sink->row,   sink->col,   sink->val,
                          sink->imaginary, sink->block, sink->before};
    route(w, &batch);
    if (w->pass != PASS_MATCH && w->source->symmetry != SYMMETRY_GENERAL) route_mirror_images(w, sink);
}

static void flush(struct sink *sink)
{
    take(sink->owner, sink);
    sink->before += sink->count;
    sink->count = 0;
}

/* Ask for block k. *stored is the number of its entries. */
static enum status produce(struct work *w, int64_t k, int64_t *stored, struct error *error)
{
    struct sink sink;
    sink.count = 0;
    sink.values = w->pass == PASS_PLACE || w->pass == PASS_CHECK;
    sink.complex = w->source->complex;
    sink.flush = flush;
    sink.owner = w;
    sink.block = k;
    sink.before = 0;
    enum status status = w->source->block(w->source->self, k, &sink, error);
    if (status == STATUS_OK) sink_flush(&sink);
    *stored = sink.before;
    return status;
}

static int threads_for(const struct work *w)
{
    int64_t blocks = w->last_block - w->first_block;
    int threads = threads_count();
    return threads <= blocks ? threads : blocks > 0 ? (int)blocks : 1;
}

/* Look at this rank's blocks up to `last` for the first that fails. STATUS_OK if none does. */
static enum status check_blocks(struct work *w, int64_t last, struct error *error)
{
    _Atomic int64_t failed = last;
    struct error first = {0};
    w->pass = PASS_CHECK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_for(w))
    for (int64_t k = w->first_block; k < last; k++) {
        struct error mine = {0};
        int64_t stored;
        if (k > atomic_load(&failed) || produce(w, k, &stored, &mine) == STATUS_OK) continue;
#pragma omp critical(sparsight_ranks_error)
        if (k < atomic_load(&failed)) {
            atomic_store(&failed, k);
            first = mine;
        }
    }
    if (atomic_load(&failed) == last) return STATUS_OK;
    *error = first;
    return first.status;
}

static enum status others_failed(struct error *error)
{
    return error_set(error, STATUS_CANCELLED, "another rank has failed");
}

/* Agree on how a step went. A rank that did not fail itself gets STATUS_CANCELLED. */
static enum status learn(struct work *w, enum status status, struct error *error)
{
    struct error agreed = *error;
    if (ranks_agree(w->ranks, status, &agreed) == STATUS_OK) return STATUS_OK;
    w->together->failed = true;
    return status != STATUS_OK ? status : others_failed(error);
}

/* One pass over the blocks of all ranks. A source fails at its first fault in the order of the file, also if
 * another rank comes to one before: so ranks look at what they have not looked at yet, up to the first that
 * failed. */
static enum status run_pass(struct work *w, enum pass pass, bool release, struct error *error)
{
    static const size_t sizes[] = {[PASS_COUNT] = sizeof(int32_t), [PASS_MATCH] = sizeof(struct name)};
    struct error first = {0};
    int threads = threads_for(w);
    int64_t stored = 0, blocks = w->last_block - w->first_block;
    size_t entry = w->source->complex ? sizeof(struct complex_entry) : sizeof(struct entry);
    w->pass = pass;
    stage_begin(&w->stage, pass == PASS_PLACE ? entry : sizes[pass], threads, deliver, w);
#pragma omp parallel num_threads(threads) reduction(+ : stored)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
#pragma omp single
        w->stage.threads = team;
        int64_t end = w->first_block + blocks / team * (thread + 1) + blocks % team * (thread + 1) / team;
        int64_t k = w->first_block + blocks / team * thread + blocks % team * thread / team;
        struct error mine = {0};
        for (; k < end && mine.status == STATUS_OK && !atomic_load(&w->stage.stop); k++) {
            int64_t entries = 0;
            produce(w, k, &entries, &mine);
            stored += entries;
            if (release && w->source->release) w->source->release(w->source->self, k);
        }
        if (mine.status != STATUS_OK) {
#pragma omp critical(sparsight_ranks_error)
            if (first.status == STATUS_OK) first = mine;
        }
        stage_finish(&w->stage, thread, mine.status != STATUS_OK);
    }
    atomic_store(&w->stored, stored);
    int failed = w->stage.first_failed;
    if (failed == w->ranks->count) return STATUS_OK;
    w->together->failed = true;
    if (w->ranks->rank <= failed && (first.status == STATUS_OK || first.status == STATUS_INPUT) &&
        !(release && w->source->release)) {
        struct error earlier = {0};
        if (check_blocks(w, w->last_block, &earlier) != STATUS_OK) first = earlier;
    }
    if (first.status == STATUS_OK) return others_failed(error);
    *error = first;
    return first.status;
}

/* --- between the passes --- */

/* Find where the ranks' runs of rows begin, from the lengths of the rows of this rank's even run: as
 * share_cut does it, each rank for the rows that it has counted. */
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
    int next = 0; /* the cuts 1 .. next are known, as far as this rank's rows go */
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

/* Give the lengths of rows, which are divided evenly, to the ranks that own them by the new cut. */
static enum status hand_over(struct work *w, int64_t **lengths, struct error *error)
{
    const struct ranks *ranks = w->ranks;
    const int64_t *from = w->even.begin, *to = w->together->cut.begin;
    int me = ranks->rank;
    int64_t own = to[me + 1] - to[me];
    int64_t *counts = memory_zeroed(2 * (size_t)ranks->count, sizeof *counts, error);
    int64_t *row_ptr = memory_array((size_t)own + 1, sizeof *row_ptr, error);
    enum status status = learn(w, counts && row_ptr ? STATUS_OK : STATUS_MEMORY, error);
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
    own.builder = NULL; /* these are the numbers of this rank's part */
    own.rows = a->rows;
    w->room = a->row_ptr[a->rows];
    if (matrix_check(&own, w->room, 4 * STAGE_BYTES, error) != STATUS_OK) return STATUS_LIMIT;
    a->col = memory_array((size_t)w->room, sizeof *a->col, error);
    a->val = memory_array((size_t)w->room, sizeof *a->val, error);
    if (own.complex) a->imaginary = memory_array((size_t)w->room, sizeof *a->imaginary, error);
    return a->col && a->val && (!own.complex || a->imaginary) ? STATUS_OK : STATUS_MEMORY;
}

/* Pass 1, and the cut that follows from it. */
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
    status = learn(w, status, error);
    if (status == STATUS_OK) status = run_pass(w, PASS_COUNT, false, error);
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
    return learn(w, status == STATUS_OK ? allocate(w, error) : status, error);
}

/* After pass 2 row_ptr[i] is the end of row i, which is the begin of row i + 1. */
static void restore_offsets(struct csr *a)
{
    memmove(a->row_ptr + 1, a->row_ptr, (size_t)a->rows * sizeof *a->row_ptr);
    a->row_ptr[0] = 0;
}

/* --- mirror images --- */

/* Agree on the entry of the source that is the first mirror image of an earlier one where both must not
 * stand. Rank 0 says so, since it can tell the lines of any source. */
static enum status judge(struct work *w, const struct source *own, struct error *error)
{
    uint64_t place;
    const struct mirror *mine = mirrors_worst(&w->mirrors, &w->a, own, &place);
    int64_t first = place == UINT64_MAX ? INT64_MAX : (int64_t)place, worst = first;
    ranks_min(w->ranks, &worst, 1);
    if (worst == INT64_MAX) return STATUS_OK;
    struct mirror mirror = {0};
    if (first == worst) mirror = *mine;
    w->together->builder.first(w->together, first == worst, &mirror, sizeof mirror);
    return learn(w, w->ranks->rank == 0 ? mirrors_refuse(&mirror, w->source, error) : STATUS_OK, error);
}

static int compare_mirrors(const void *x, const void *y)
{
    const struct mirror *p = x, *q = y;
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    return p->j < q->j ? -1 : p->j > q->j;
}

/* Tell the owner of row j of each place (i, j) where an entry and its mirror image agree: it has the other
 * one. */
static enum status tell_mirrors(struct work *w, struct error *error)
{
    const struct ranks *ranks = w->ranks;
    struct mirrors *mirrors = &w->mirrors;
    size_t parts = (size_t)ranks->count;
    int64_t *counts = memory_zeroed(2 * parts, sizeof *counts, error), total = 0, come = 0;
    for (int64_t k = 0; counts && k < mirrors->count; k++) {
        const struct mirror *m = &mirrors->list[k];
        if (m->lower && m->upper) counts[cut_owner(w->cut, m->j)]++;
    }
    for (int r = 0; counts && r < ranks->count; r++)
        total += counts[r];
    struct mirror *out = memory_array((size_t)total, sizeof *out, error);
    int64_t *next = memory_zeroed(parts + 1, sizeof *next, error);
    enum status status = learn(w, counts && out && next ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        for (int r = 0; r < ranks->count; r++)
            next[r + 1] = next[r] + counts[r];
        for (int64_t k = 0; k < mirrors->count; k++) {
            const struct mirror *m = &mirrors->list[k];
            if (m->lower && m->upper) out[next[cut_owner(w->cut, m->j)]++] = *m;
        }
        ranks_counts(ranks, counts, counts + parts);
        counts[parts + (size_t)ranks->rank] = counts[ranks->rank] = 0; /* those are in the list already */
        for (int r = 0; r < ranks->count; r++)
            come += counts[parts + (size_t)r];
    }
    free(next);
    struct mirror *list =
        status == STATUS_OK
            ? memory_resize(mirrors->list, (size_t)(mirrors->count + come + 1), sizeof *list, error)
            : NULL;
    if (list) mirrors->list = list;
    if (status == STATUS_OK) status = learn(w, list ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        ranks_exchange(ranks, out, counts, list + mirrors->count, counts + parts, sizeof *list);
        mirrors->count += come;
        qsort(list, (size_t)mirrors->count, sizeof *list, compare_mirrors);
    }
    free(out);
    free(counts);
    return status;
}

/* For a symmetric source that gave entries on both sides of the diagonal (matrix/mirrors.h). */
static enum status judge_mirrors(struct work *w, const struct source *own, struct error *error)
{
    enum status status = learn(w, mirrors_collect(&w->mirrors, &w->a, w->first, error), error);
    if (status != STATUS_OK) return status;
    int64_t places = w->mirrors.count;
    ranks_sum(w->ranks, &places, 1);
    if (places == 0) return STATUS_OK;
    status = run_pass(w, PASS_MATCH, false, error);
    if (status == STATUS_OK) status = judge(w, own, error);
    return status == STATUS_OK ? tell_mirrors(w, error) : status;
}

/* --- the whole --- */

/* Learn the sizes that rank 0 reads alone, or see that all ranks read the same. */
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
        return learn(
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

static enum status check_size(const struct source *source, struct error *error)
{
    if (source->rows < 0 || source->cols < 0 || source->rows > INT32_MAX || source->cols > INT32_MAX)
        return error_set(error, STATUS_LIMIT,
                         "%lld rows x %lld columns: rows and columns are held in 32 bits, at most %d of each",
                         (long long)source->rows, (long long)source->cols, INT32_MAX);
    return matrix_check(source, 0, 0, error);
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
    enum status status = check_size(own, error);
    if (status == STATUS_OK) status = stage_open(&w->stage, w->ranks, error);
    status = learn(w, status, error);
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
    status = run_pass(w, PASS_PLACE, !mirrors, error);
    if (status != STATUS_OK) return status;
    bool overrun = atomic_load(&w->overrun);
    status = learn(
        w, overrun ? error_at(error, STATUS_INPUT, own->path, 0, 0, "changed while it was read") : STATUS_OK,
        error);
    if (status != STATUS_OK) return status;
    restore_offsets(&w->a);
    own->first_row = w->first;
    status = learn(w, rows_sort(&w->a, NULL, error), error);
    if (status == STATUS_OK && mirrors) status = judge_mirrors(w, own, error);
    if (status != STATUS_OK) return status;
    status = learn(w, rows_merge(&w->a, own, &w->mirrors, result, error), error);
    if (status == STATUS_OK) total_up(w, result);
    return status;
}

/* Meet before the first entries are dealt out, or when rank 0 knows that there will be none: what comes
 * before that can take long, and rank 0 does it with the threads of all ranks of its node. */
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
    (void)progress;
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
    (void)self;
    (void)k;
    (void)sink;
    (void)error;
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
