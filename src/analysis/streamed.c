#include "analysis/streamed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mirror_sketch.h"
#include "analysis/pyramid_counted.h"
#include "analysis/streamed_parts.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/wide.h"

/* The table of the pyramid takes at most 1/SHARE of the limit. */
#define SHARE 8

/* The bytes of the limit for each entry that the sketch of symmetry keeps. */
#define SKETCH_SHARE 2048

/* Bytes of a thread's buffer beside its part: the entries of a block, with mirror images. */
#define ROOM_BYTES ((size_t)8 << 20)

/* The results of a thread. They may be joined in any order. */
struct part {
    int64_t lower, upper;     /* bandwidths */
    int64_t diagonal;         /* entries on the diagonal */
    int64_t zeros;            /* zeros among complex values; those of real values follow from other counts */
    int64_t equal, conjugate; /* off-diagonal entries that equal their mirror image or its conjugate */
    struct mirror_sums mirrors;
    struct values_part values;
};

struct streamed_work {
    int64_t rows, cols;
    bool complex, square;
    bool valued; /* values are analysed */
    enum symmetry symmetry;
    struct powers powers;
    int threads;
    struct part *parts;
    struct streamed_lines of_rows; /* its sums are used if valued, and lack the diagonal */
    bool whole_rows; /* rows come as a whole: of_rows has only lengths, and row_diagonal is unused, since this
                        has them */
    struct streamed_rows in_order;
    struct streamed_columns of_cols;
    uint32_t *col_lengths; /* the lengths of the columns at the end */
    double *row_diagonal;  /* for each row the |a| on the diagonal; NULL unless valued */
    int64_t positive_diagonal;
    struct excerpt_gather gather;
    bool twice; /* a smaller excerpt is gathered, too */
    struct excerpt_gather small;
    bool sketched; /* nothing states the symmetry, so it is found by a sketch */
    struct mirror_sketch mirrors;
    int64_t pattern_entries;    /* entries counted in the pyramid */
    enum status pattern_status; /* the outcome of counting */
    struct error pattern_error;
};

/* --- taking entries --- */

/* Return whether the value of an entry equals that of its mirror image, which follows from the symmetry. */
static bool is_equal(const struct entries *e, int64_t k, struct mirror_signs signs)
{
    return e->val[k] == signs.real * e->val[k] &&
           (!e->imaginary || e->imaginary[k] == signs.imaginary * e->imaginary[k]);
}

static bool is_conjugate(const struct entries *e, int64_t k, struct mirror_signs signs)
{
    return e->val[k] == signs.real * e->val[k] &&
           (!e->imaginary || e->imaginary[k] == -signs.imaginary * e->imaginary[k]);
}

/* The number of complex entries that are 0. */
static int64_t zeros_of(const struct entries *e)
{
    int64_t zeros = 0;
    for (int64_t k = 0; k < e->count; k++)
        zeros += e->val[k] == 0 && e->imaginary[k] == 0;
    return zeros;
}

WIDE static void take_places(const struct entries *e, struct part *part)
{
    int32_t least = 0, most = 0, diagonal = 0;
    for (int64_t k = 0; k < e->count; k++) {
        int32_t offset = e->col[k] - e->row[k];
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
        diagonal += offset == 0;
    }
    part->lower = max(part->lower, -(int64_t)least);
    part->upper = max(part->upper, most);
    part->diagonal += diagonal;
}

static void take_any(void *self, int thread, const struct entries *e)
{
    const struct streamed *streamed = self;
    struct streamed_work *work = streamed->work;
    struct part *part = &work->parts[thread];
    take_places(e, part);
    excerpt_take(&work->gather, e->count, e->row, e->col, work->valued ? e->val : NULL);
    if (work->twice) excerpt_take(&work->small, e->count, e->row, e->col, work->valued ? e->val : NULL);
    if (work->sketched) mirror_sketch_take(&work->mirrors, &part->mirrors, e);
    if (work->symmetry != SYMMETRY_GENERAL) {
        const struct mirror_signs signs = mirror_signs(work->symmetry);
        for (int64_t k = 0; k < e->count; k++) {
            part->equal += e->row[k] != e->col[k] && is_equal(e, k, signs);
            part->conjugate += e->row[k] != e->col[k] && is_conjugate(e, k, signs);
        }
    }
    if (!work->valued) return;
    values_take(&work->powers, e->val, e->imaginary, e->count, &part->values);
    if (e->imaginary) part->zeros += zeros_of(e);
}

/* Move the size of diagonal entry k to row_diagonal. */
static inline void move_diagonal(struct streamed_work *work, const struct entries *e, int64_t k, double *size)
{
    work->row_diagonal[e->row[k]] += *size;
    work->positive_diagonal += e->val[k] > 0 && (!e->imaginary || e->imaginary[k] == 0);
    *size = 0;
}

/* Do the same for all diagonal entries. */
static void take_diagonal(struct streamed_work *work, const struct entries *e, int64_t from, int64_t count,
                          double *sizes)
{
    int32_t at[STREAMED_BATCH], found = 0;
    for (int32_t k = 0; k < count; k++) { /* no branch for each entry, which would be mispredicted */
        at[found] = k;
        found += e->row[from + k] == e->col[from + k];
    }
    for (int32_t f = 0; f < found; f++)
        move_diagonal(work, e, from + at[f], &sizes[at[f]]);
}

/* The same for entries in ascending order. In each row the search for the diagonal starts at the distance
 * from the row's beginning at which it was in the row before. */
static void seek_diagonal(struct streamed_work *work, const struct entries *e, int64_t from, int64_t count,
                          double *sizes)
{
    const int32_t *row = e->row + from, *col = e->col + from;
    for (int64_t k = 0, end, before = 0; k < count; k = end) {
        end = streamed_lines_run(row, k, count);
        int64_t at = line_seek(col, k, end, row[k], k + before);
        if (at < 0) continue;
        move_diagonal(work, e, from + at, &sizes[at]);
        before = at - k;
    }
}

static void take_any_rows(struct streamed_work *work, const struct entries *e, int64_t from, int64_t count,
                          double *sizes)
{
    if (work->valued && e->ascend) seek_diagonal(work, e, from, count, sizes);
    if (work->valued && !e->ascend) take_diagonal(work, e, from, count, sizes);
    streamed_lines_take(&work->of_rows, e->row + from, e->col + from, sizes, count, e->ascend);
}

static void take_rows(void *self, const struct entries *e)
{
    const struct streamed *streamed = self;
    struct streamed_work *work = streamed->work;
    double sizes[STREAMED_BATCH];
    for (int64_t from = 0, count; from < e->count; from += count) {
        count = min(e->count - from, STREAMED_BATCH);
        if (work->valued) row_sizes(e, from, count, sizes);
        if (work->whole_rows)
            streamed_rows_take(&work->in_order, e, from, count, sizes);
        else
            take_any_rows(work, e, from, count, sizes);
    }
}

static void take_columns(void *self, const struct entries *e)
{
    const struct streamed *streamed = self;
    struct streamed_work *work = streamed->work;
    double sizes[STREAMED_BATCH];
    if (!e->imaginary) streamed_columns_take(&work->of_cols, e->col, e->val, e->count);
    for (int64_t from = 0, count; from < e->count && e->imaginary; from += count) {
        count = min(e->count - from, STREAMED_BATCH);
        row_sizes(e, from, count, sizes);
        streamed_columns_take(&work->of_cols, e->col + from, sizes, count);
    }
}

static void take_pattern(void *self, const struct entries *e)
{
    struct streamed *streamed = self;
    struct streamed_work *work = streamed->work;
    streamed_diagonals_take(streamed->diagonals, work->rows, e);
    if (work->pattern_status != STATUS_OK) return;
    work->pattern_status = pyramid_count_entries(&streamed->pyramid, work->pattern_entries, e->row, e->col,
                                                 e->count, &work->pattern_error);
    work->pattern_entries += e->count;
}

/* --- beginning --- */

/* The bytes of the pyramid's table. */
static size_t pyramid_share(size_t limit)
{
    return memory_limit(limit) / SHARE;
}

/* The most entries of the sketch of symmetry, which then takes at most a fifth of the limit. */
static int64_t sketch_kept(size_t limit)
{
    const size_t most = memory_limit(limit) / SKETCH_SHARE;
    return most < (size_t)MIRROR_SKETCH_KEPT ? (int64_t)most : MIRROR_SKETCH_KEPT;
}

/* True if a matrix in memory would be forecast from an excerpt, and that of the stream has neither all
 * entries nor as few as that. */
static bool is_twice(const struct taker *taker, size_t limit)
{
    const int64_t nnz = taker ? taker->expected : 0, admitted = excerpt_admitted(memory_limit(limit));
    return nnz > admitted && nnz <= EXCERPT_LEFT && excerpt_share(nnz) < admitted;
}

size_t streamed_bytes(const struct source *source, int threads, size_t limit)
{
    size_t rows = (size_t)source->rows, cols = (size_t)source->cols;
    size_t row = 2 * sizeof(int32_t), col = sizeof(int32_t), all;
    size_t row_work = sizeof(struct sum) + sizeof(double), col_work = sizeof(struct sum);
    if (source->whole_rows) { /* memory is largest after counting, with the offsets */
        row = sizeof(int32_t);
        row_work = sizeof(int64_t);
    }
    if (source->pattern) { /* the offsets take more than the other data of that time */
        row_work = sizeof(int64_t);
        col_work = sizeof(int64_t);
    }
    const size_t end =
        sizeof(uint32_t) + sizeof(int64_t) + EXCERPT_ROW_BYTES; /* lengths, offsets, the excerpt */
    const size_t each = row + row_work > end ? row + row_work : end;
    all = each * rows + (col + col_work) * cols + set_bytes(source->rows + source->cols);
    size_add(all, pyramid_begin_bytes(source->rows, source->cols, pyramid_share(limit)), &all);
    size_add(all, (size_t)threads * (sizeof(struct part) + ROOM_BYTES), &all);
    size_add(all, excerpt_bytes(excerpt_admitted(memory_limit(limit)), !source->complex), &all);
    if (is_twice(source->taker, limit))
        size_add(all, excerpt_bytes(excerpt_share(source->taker->expected), !source->complex), &all);
    if (rows == cols && source->symmetry == SYMMETRY_GENERAL)
        size_add(all, mirror_sketch_bytes(sketch_kept(limit), source->complex), &all);
    return all;
}

/* The bytes of the matrix and its analysis without streaming. */
static size_t whole_bytes(const struct source *source)
{
    int64_t nnz = source->taker ? source->taker->expected : 0;
    size_t all = csr_bytes(source->rows, nnz, source->complex);
    if (source->beside) size_add(all, source->beside(source->rows, source->cols, nnz, source->complex), &all);
    return all;
}

/* A matrix of few entries in very many rows takes less memory as a whole than as a stream. */
static enum status check(const struct source *source, int threads, size_t limit, struct error *error)
{
    char size[32], most[32];
    size_t bytes = streamed_bytes(source, threads, limit), whole = whole_bytes(source);
    if (bytes <= memory_limit(limit) || bytes <= MEMORY_SLACK) return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "%lld rows and %lld columns need %s of memory%s, more than the limit of %s; "
                     "--limit=BYTES sets it",
                     (long long)source->rows, (long long)source->cols,
                     format_bytes(size, sizeof size, (double)(whole < bytes ? whole : bytes)),
                     whole < bytes ? " with their analysis" : " even if no entries are kept",
                     format_bytes(most, sizeof most, (double)memory_limit(limit)));
}

/* If rows come in any order, more than their lengths is needed. */
static enum status allocate_rows(struct streamed_work *work, struct error *error)
{
    size_t rows = (size_t)work->rows;
    struct streamed_lines *lines = &work->of_rows;
    lines->first = memory_array(rows, sizeof *lines->first, error);
    if (!lines->first) return STATUS_MEMORY;
    threads_place(lines->first, rows * sizeof *lines->first);
    for (size_t i = 0; i < rows; i++)
        lines->first[i] = INT32_MAX;
    if (!work->valued) return STATUS_OK;
    lines->sums = memory_zeroed(rows, sizeof *lines->sums, error);
    work->row_diagonal = memory_zeroed(rows, sizeof *work->row_diagonal, error);
    if (!lines->sums || !work->row_diagonal) return STATUS_MEMORY;
    threads_place(lines->sums, rows * sizeof *lines->sums);
    threads_place(work->row_diagonal, rows * sizeof *work->row_diagonal);
    return STATUS_OK;
}

static enum status allocate(struct streamed *streamed, struct streamed_work *work, struct error *error)
{
    size_t rows = (size_t)work->rows;
    work->parts = memory_array((size_t)work->threads, sizeof *work->parts, error);
    work->of_rows.lengths = memory_zeroed(rows, sizeof *work->of_rows.lengths, error);
    streamed->diagonals = set_new(work->rows + work->cols, error);
    if (!work->parts || !work->of_rows.lengths || !streamed->diagonals) return STATUS_MEMORY;
    threads_place(work->of_rows.lengths, rows * sizeof *work->of_rows.lengths);
    for (int t = 0; t < work->threads; t++) {
        memset(&work->parts[t], 0, sizeof work->parts[t]);
        values_start(&work->parts[t].values);
    }
    enum status status = pyramid_counted_begin(work->rows, work->cols, pyramid_share(streamed->limit),
                                               &streamed->pyramid, error);
    if (status == STATUS_OK)
        status = excerpt_begin(work->rows, work->cols, streamed->taker.expected,
                               excerpt_admitted(memory_limit(streamed->limit)), !work->complex, work->complex,
                               &work->gather, error);
    if (status == STATUS_OK && work->twice)
        status = excerpt_begin(work->rows, work->cols, streamed->taker.expected,
                               excerpt_share(streamed->taker.expected), !work->complex, work->complex,
                               &work->small, error);
    if (status == STATUS_OK && work->sketched)
        status = mirror_sketch_begin(streamed->taker.expected, sketch_kept(streamed->limit), work->valued,
                                     work->complex, &work->mirrors, error);
    if (status == STATUS_OK) status = streamed_columns_start(work->cols, work->valued, &work->of_cols, error);
    work->in_order = (struct streamed_rows){
        .lengths = work->of_rows.lengths, .valued = work->valued, .square = work->square};
    return status == STATUS_OK && !work->whole_rows ? allocate_rows(work, error) : status;
}

static enum status begin(void *self, const struct source *source, int threads, struct error *error)
{
    struct streamed *streamed = self;
    enum status status = check(source, threads, streamed->limit, error);
    if (status != STATUS_OK) return status;
    struct streamed_work *work = memory_zeroed(1, sizeof *work, error);
    if (!work) return STATUS_MEMORY;
    streamed->work = work;
    work->rows = source->rows;
    work->cols = source->cols;
    work->complex = source->complex;
    work->square = source->rows == source->cols;
    work->valued = !source->pattern;
    work->symmetry = source->symmetry;
    work->sketched = work->square && work->symmetry == SYMMETRY_GENERAL;
    work->whole_rows = source->whole_rows && source->symmetry == SYMMETRY_GENERAL;
    work->threads = threads;
    work->twice = is_twice(&streamed->taker, streamed->limit);
    values_powers(&work->powers);
    return allocate(streamed, work, error);
}

void streamed_start(struct streamed *streamed, size_t limit)
{
    *streamed =
        (struct streamed){.taker = {.self = streamed, .begin = begin, .any = take_any}, .limit = limit};
    streamed->taker.stage[0] = take_rows;
    streamed->taker.stage[1] = take_columns;
    streamed->taker.stage[2] = take_pattern;
}

/* --- finishing --- */

static void join_parts(const struct streamed_work *work, struct part *all)
{
    *all = work->parts[0];
    for (int t = 1; t < work->threads; t++) {
        const struct part *part = &work->parts[t];
        all->lower = max(all->lower, part->lower);
        all->upper = max(all->upper, part->upper);
        all->diagonal += part->diagonal;
        all->zeros += part->zeros;
        all->equal += part->equal;
        all->conjugate += part->conjugate;
        mirror_sums_join(&all->mirrors, &part->mirrors);
        values_join(&all->values, &part->values);
    }
}

/* Return the number of real values that are not 0. */
static int64_t nonzeros(const struct values *values)
{
    return values->positive + values->negative + values->nan;
}

static void finish_values(struct streamed_work *work, struct values_part *part, struct values *values)
{
    for (int64_t i = 0; i < work->rows && !work->whole_rows; i++) {
        const struct row_sum row = {i, work->of_rows.sums[i], work->row_diagonal[i]};
        values_take_row(&row, work->square, &part->values);
    }
    for (int64_t i = 0; i < work->rows && work->whole_rows && work->square; i++)
        part->values.dominant_rows += work->of_rows.lengths[i] == 0;
    part->values.norm_inf = fmax(part->values.norm_inf, work->in_order.found.norm_inf);
    part->values.dominant_rows += work->in_order.found.dominant_rows;
    part->values.strict_rows += work->in_order.found.strict_rows;
    part->values.positive_diagonal = work->positive_diagonal + work->in_order.scan.positive_diagonal;
    values_finish(part, work->complex, streamed_columns_most(&work->of_cols), values);
}

/* The symmetry of a general matrix by the sketch, unless all entries lie in one triangle. */
static enum status sketch_symmetry(struct streamed_work *work, const struct part *part, int64_t off,
                                   struct streamed *streamed, struct error *error)
{
    struct mirror_found *found = &streamed->mirrors;
    struct structure *s = &streamed->structure;
    const bool nan = part->values.values.nan > 0;
    enum status status = mirror_sketch_end(&work->mirrors, &part->mirrors, off, nan, found, error);
    s->pattern_symmetry = found->pattern.share;
    s->numeric_symmetry = found->equal.share;
    s->conjugate_symmetry = found->conjugate.share;
    if (off == 0 || (found->pattern.error == 0 && found->equal.error == 0)) return status;
    s->symmetry_error = fmax(found->pattern.error, found->equal.error);
    return status;
}

static enum status finish_symmetry(struct streamed_work *work, const struct part *part,
                                   struct streamed *streamed, struct error *error)
{
    struct structure *s = &streamed->structure;
    int64_t off = streamed->nnz - part->diagonal;
    s->pattern_symmetry = s->numeric_symmetry = s->conjugate_symmetry = s->symmetry_error = NAN;
    if (!work->square || off == 0) return STATUS_OK;
    if (work->symmetry != SYMMETRY_GENERAL) {
        s->pattern_symmetry = 1;
        s->numeric_symmetry = (double)part->equal / (double)off;
        s->conjugate_symmetry = (double)part->conjugate / (double)off;
    } else if (part->lower == 0 || part->upper == 0)
        s->pattern_symmetry = s->numeric_symmetry = s->conjugate_symmetry = 0;
    else
        return sketch_symmetry(work, part, off, streamed, error);
    return STATUS_OK;
}

static enum status finish_structure(struct streamed *streamed, const struct part *part, struct error *error)
{
    struct streamed_work *work = streamed->work;
    struct structure *s = &streamed->structure;
    int64_t profile = work->in_order.profile, empty_rows = 0, empty_cols = 0;
    for (int64_t i = 0; i < work->rows; i++) {
        if (work->of_rows.lengths[i] == 0)
            empty_rows++;
        else if (!work->whole_rows)
            profile += max(0, i - work->of_rows.first[i]);
    }
    for (int64_t j = 0; j < work->cols; j++)
        empty_cols += work->col_lengths[j] == 0;
    *s = (struct structure){.lower_bandwidth = part->lower,
                            .upper_bandwidth = part->upper,
                            .profile = profile,
                            .diagonal_nonzeros = part->diagonal,
                            .diagonals = set_count(streamed->diagonals, work->rows + work->cols),
                            .empty_rows = empty_rows,
                            .empty_cols = empty_cols};
    return finish_symmetry(work, part, streamed, error);
}

static int64_t *offsets_of(const uint32_t *lengths, int64_t count, struct error *error)
{
    int64_t *offsets = memory_array((size_t)count + 1, sizeof *offsets, error);
    if (!offsets) return NULL;
    for (int64_t k = 0; k < count; k++)
        offsets[k] = lengths[k];
    offsets[count] = 0;
    threads_offsets(offsets, count);
    return offsets;
}

/* Lengths come last, when the sums have been freed. */
static enum status finish_lengths(struct streamed *streamed, struct progress *progress, struct error *error)
{
    const struct streamed_work *work = streamed->work;
    const struct lines rows = {.count = work->rows, .lengths = work->of_rows.lengths};
    const struct lines cols = {.count = work->cols, .lengths = work->col_lengths};
    progress_phase(progress, "lengths", work->rows + work->cols);
    enum status status = lengths_of_lines(&rows, streamed->nnz, progress, &streamed->row_lengths, error);
    if (status == STATUS_OK)
        status = lengths_of_lines(&cols, streamed->nnz, progress, &streamed->col_lengths, error);
    if (status != STATUS_OK) return status;
    streamed->row_ptr = offsets_of(work->of_rows.lengths, work->rows, error);
    streamed->col_ptr = streamed->row_ptr ? offsets_of(work->col_lengths, work->cols, error) : NULL;
    return streamed->col_ptr ? STATUS_OK : STATUS_MEMORY;
}

static void free_work(struct streamed_work *work)
{
    if (!work) return;
    free(work->parts);
    free(work->of_rows.lengths);
    streamed_columns_free(&work->of_cols);
    free(work->col_lengths);
    free(work->of_rows.first);
    free(work->of_rows.sums);
    free(work->row_diagonal);
    excerpt_drop(&work->gather);
    excerpt_drop(&work->small);
    mirror_sketch_drop(&work->mirrors);
    free(work);
}

/* True if a small excerpt represents the matrix, whose rows are known by now. */
static bool is_represented(const struct streamed *streamed)
{
    const struct csr a = {.rows = streamed->row_lengths.lines, .row_ptr = streamed->row_ptr};
    const int64_t kept = excerpt_kept(&a);
    return !streamed->excerpt.whole && kept > 0 && kept < EXCERPT_ENTRIES;
}

enum status streamed_finish(struct streamed *streamed, struct progress *progress, struct error *error)
{
    struct streamed_work *work = streamed->work;
    if (work->pattern_status != STATUS_OK) {
        if (error) *error = work->pattern_error;
        return work->pattern_status;
    }
    struct part *all = memory_array(1, sizeof *all, error);
    if (!all) return STATUS_MEMORY;
    join_parts(work, all);
    streamed_rows_end(&work->in_order);
    streamed->nnz = streamed->taker.found.entries;
    streamed->zeros = all->zeros;
    if (work->valued && !work->complex) streamed->zeros = streamed->nnz - nonzeros(&all->values.values);
    if (work->valued) finish_values(work, &all->values, &streamed->values);
    streamed_columns_end(&work->of_cols, &work->col_lengths);
    enum status status = finish_structure(streamed, all, error);
    free(all);
    if (status != STATUS_OK) return status;
    pyramid_end(&streamed->pyramid);
    free(work->of_rows.sums);
    free(work->row_diagonal);
    free(work->of_rows.first);
    work->of_rows.sums = NULL;
    work->row_diagonal = NULL;
    work->of_rows.first = NULL;
    status = finish_lengths(streamed, progress, error);
    if (status == STATUS_OK)
        status = excerpt_end(&work->gather, streamed->row_ptr, &streamed->excerpt, error);
    if (status == STATUS_OK && work->twice && is_represented(streamed))
        status = excerpt_end(&work->small, streamed->row_ptr, &streamed->foreseen, error);
    free_work(work);
    streamed->work = NULL;
    return status;
}

void streamed_free(struct streamed *streamed)
{
    free_work(streamed->work);
    free(streamed->row_ptr);
    free(streamed->col_ptr);
    free(streamed->diagonals);
    lengths_free(&streamed->row_lengths);
    lengths_free(&streamed->col_lengths);
    pyramid_free(&streamed->pyramid);
    excerpt_free(&streamed->excerpt);
    excerpt_free(&streamed->foreseen);
    *streamed = (struct streamed){0};
}
