#include "matrix/build.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/shares.h"
#include "base/text.h"
#include "base/threads.h"
#include "matrix/batch.h"
#include "matrix/mirrors.h"
#include "matrix/relay.h"
#include "matrix/rows.h"

struct build {
    const struct source *source; /* its limit is that before the allocation of the matrix */
    enum pass pass;
    struct csr a;
    atomic_uint orientations; /* MIRROR_LOWER, MIRROR_UPPER: the triangles with given entries */
    _Atomic int64_t stored;
    struct mirrors mirrors;
    bool glimpsed; /* source->glimpse has counted all blocks */
};

static void flush(struct sink *sink)
{
    struct build *build = sink->owner;
    const struct batch batch = batch_of(sink);
    struct batch_room room;
    unsigned orientations;
    if (build->pass == PASS_MATCH) {
        mirrors_match(&build->mirrors, sink->row, sink->col, sink->count, sink->block, sink->before);
        return;
    }
    if (build->pass == PASS_CHECK) return;
    if (sink->columns && !build->glimpsed)
        glimpse_take(sink->glimpse, sink->row, sink->col, sink->count, sink->block, sink->before);
    batch_take(&batch, build->pass, 0, &build->a);
    if (build->source->symmetry == SYMMETRY_GENERAL) return;
    const struct batch images = batch_mirror(sink, build->source->symmetry, &room, &orientations);
    batch_take(&images, build->pass, 0, &build->a);
    if (build->pass == PASS_COUNT)
        atomic_fetch_or_explicit(&build->orientations, orientations, memory_order_relaxed);
}

/* One pass over blocks 0 .. blocks-1. Of several errors that of the lowest block is kept: once block k has
 * failed, only blocks below k are still read. *failed is the lowest failed block, or `blocks`. */
static enum status run_pass(struct build *build, enum pass pass, int64_t blocks, bool release,
                            struct progress *progress, int64_t *failed, struct error *error)
{
    const struct source *source = build->source;
    struct failing failing;
    struct share shares[SHARES_MAX];
    int threads = shares_make(shares, blocks);
    int64_t stored = 0;
    bool values = pass == PASS_PLACE || pass == PASS_CHECK;
    build->pass = pass;
    failing_start(&failing, blocks);
#pragma omp parallel num_threads(threads) reduction(+ : stored)
    for (int64_t k; (k = shares_take(shares, threads, omp_get_thread_num())) >= 0;) {
        if (failing_before(&failing, k) || progress_cancelled(progress)) continue;
        struct error mine = {0};
        int64_t entries = 0;
        if (batch_produce(source, k, values, flush, build, &entries, &mine) != STATUS_OK)
            failing_note(&failing, k, &mine);
        stored += entries;
        if (!build->glimpsed) glimpse_block(source->glimpse);
        if (release && source->release) source->release(source->self, k);
        progress_add(progress, 1);
    }
    atomic_store(&build->stored, stored);
    *failed = atomic_load(&failing.first);
    if (progress_cancelled(progress)) return progress_status(progress, error);
    return failing_status(&failing, error);
}

/* Run pass 1. If a position is invalid, an earlier entry may have a bad value, which is then the first error
 * of the input: so the blocks up to there are read again with values. */
static enum status count(struct build *build, struct progress *progress, struct error *error)
{
    struct error later = {0}, earlier = {0};
    int64_t failed;
    enum status status = run_pass(build, PASS_COUNT, build->source->blocks, false, progress, &failed, &later);
    if (status != STATUS_OK && status != STATUS_CANCELLED) {
        int64_t unused;
        enum status check = run_pass(build, PASS_CHECK, failed + 1, false, progress, &unused, &earlier);
        if (check != STATUS_OK) {
            later = earlier;
            status = check;
        }
    }
    if (status != STATUS_OK && error) *error = later;
    return status;
}

static bool both_orientations(struct build *build)
{
    return atomic_load(&build->orientations) == (MIRROR_LOWER | MIRROR_UPPER);
}

bool source_streams(const struct source *source)
{
    return source->taker && (source->taker->chosen || source->taker->always);
}

enum status matrix_check(const struct source *source, int64_t nnz, size_t more, struct error *error)
{
    int64_t parts = source->builder ? source->builder->parts : 1;
    int64_t rows = (source->rows + parts - 1) / parts, entries = nnz / parts + (nnz % parts != 0);
    size_t matrix = csr_bytes(rows, entries, source->complex), reading, all, beside = 0;
    char size[32], limit[32];
    size_add(matrix, more, &reading);
    if (source->beside) beside = source->beside(rows, source->cols, entries, source->complex);
    bool fits = reading <= memory_limit(source->limit);
    size_add(matrix, beside <= MEMORY_SLACK ? 0 : beside, &all);
    if (source->taker && nnz > source->taker->expected) source->taker->expected = nnz;
    if (source_streams(source) || (fits && all <= memory_limit(source->limit))) return STATUS_OK;
    if (source->taker) {
        source->taker->chosen = true;
        return STATUS_OK;
    }
    return error_set(error, STATUS_LIMIT, "%s %s of memory, more than the limit of %s; --limit=BYTES sets it",
                     fits ? "the matrix and its analysis need" : "the matrix needs",
                     format_bytes(size, sizeof size, (double)(fits ? all : reading)),
                     format_bytes(limit, sizeof limit, (double)memory_limit(source->limit)));
}

/* For a symmetric source that gave entries on both sides of the diagonal: a duplicate may consist of an entry
 * and its mirror image. If there are duplicates, read the source a third time. */
static enum status judge_mirrors(struct build *build, struct progress *progress, struct error *error)
{
    int64_t failed;
    enum status status = mirrors_collect(&build->mirrors, &build->a, 0, error);
    if (status != STATUS_OK || build->mirrors.count == 0) return status;
    status = run_pass(build, PASS_MATCH, build->source->blocks, false, progress, &failed, error);
    if (status != STATUS_OK) return status;
    return mirrors_judge(&build->mirrors, &build->a, build->source, error);
}

enum status matrix_check_size(const struct source *source, struct error *error)
{
    if (source->rows < 0 || source->cols < 0 || source->rows > INT32_MAX || source->cols > INT32_MAX)
        return error_set(error, STATUS_LIMIT,
                         "%lld rows x %lld columns: rows and columns are held in 32 bits, at most %d of each",
                         (long long)source->rows, (long long)source->cols, INT32_MAX);
    return matrix_check(source, 0, 0, error);
}

/* Move the entries to the caller's arrays. */
static enum status stream(struct build *build, struct progress *progress, struct build_result *result,
                          struct error *error)
{
    free(build->a.row_ptr);
    build->a = (struct csr){0};
    enum status status = stream_source(build->source, progress, error);
    if (status == STATUS_OK) stream_result(build->source, &build->a, result);
    return status;
}

static void begin_glimpse(const struct source *source)
{
    glimpse_begin(source->glimpse, source->rows, source->cols, source->symmetry != SYMMETRY_GENERAL,
                  source->blocks);
}

/* Set row_ptr to the number of entries of each row. */
static enum status count_rows(struct build *build, struct progress *progress, struct error *error)
{
    const struct source *source = build->source;
    progress_phase(progress, "reading", source->row_lengths ? source->blocks : 2 * source->blocks);
    if (source->row_lengths) return STATUS_OK;
    build->a.row_ptr = memory_zeroed((size_t)source->rows + 1, sizeof *build->a.row_ptr, error);
    if (!build->a.row_ptr) return STATUS_MEMORY;
    enum status status = count(build, progress, error);
    build->glimpsed = !source->glimpse || atomic_load(&source->glimpse->counted) > 0;
    if (!build->glimpsed) begin_glimpse(source);
    return status;
}

static enum status build_steps(struct build *build, struct progress *progress, struct build_result *result,
                               struct error *error)
{
    const struct source *source = build->source;
    struct csr *a = &build->a;
    int64_t failed;
    enum status status = matrix_check_size(source, error);
    if (status != STATUS_OK) return status;
    begin_glimpse(source);
    if (source_streams(source)) return stream(build, progress, result, error);
    a->rows = source->rows;
    a->cols = source->cols;
    status = count_rows(build, progress, error);
    if (status != STATUS_OK) return status;
    threads_offsets(a->row_ptr, a->rows);
    result->stored = source->row_lengths ? a->row_ptr[a->rows] : atomic_load(&build->stored);
    status = matrix_check(source, a->row_ptr[a->rows], 0, error);
    if (status != STATUS_OK) return status;
    if (source_streams(source)) return stream(build, progress, result, error);
    status = csr_allocate(a, a->row_ptr[a->rows], source->complex, error);
    if (status != STATUS_OK) return status;
    bool mirrors = source->symmetry != SYMMETRY_GENERAL && both_orientations(build);
    const struct ends ends = ends_note(a);
    status = run_pass(build, PASS_PLACE, source->blocks, !mirrors, progress, &failed, error);
    if (status != STATUS_OK) return status;
    status = ends_settle(&ends, a, source->path, error);
    if (status != STATUS_OK) return status;

    progress_phase(progress, "sorting rows", a->rows);
    status = rows_sort(a, progress, error);
    if (status != STATUS_OK) return status;
    if (mirrors) status = judge_mirrors(build, progress, error);
    if (status != STATUS_OK) return status;
    return rows_merge(a, source, &build->mirrors, result, error);
}

/* Move the matrix to the caller, or free it after a failure. */
static enum status finish(struct build *build, enum status status, struct csr *a)
{
    mirrors_free(&build->mirrors);
    if (status == STATUS_OK)
        *a = build->a;
    else
        csr_free(&build->a);
    return status;
}

enum status build_csr(const struct source *source, struct progress *progress, struct csr *a,
                      struct build_result *result, struct error *error)
{
    struct source own = *source;
    struct build build = {.source = &own, .a = {.row_ptr = source->row_lengths}};
    own.limit = memory_limit(source->limit);
    *result = (struct build_result){0};
    *a = (struct csr){0};
    if (source->builder)
        return source->builder->build(source->builder->self, source, progress, a, result, error);
    enum status status = build_steps(&build, progress, result, error);
    return finish(&build, status, a);
}

/* Let the glimpse count the entries of a block. Only the begins of its own rows have been written for sure.
 */
static void glimpse_rows(struct glimpse *glimpse, const struct csr *a, const struct rows_found *found,
                         int64_t block)
{
    int32_t rows[GLIMPSE_STRETCH];
    int64_t row = found->first_row;
    for (int64_t k = found->first, count; glimpse && k < found->end; k += count) {
        count = min(found->end - k, GLIMPSE_STRETCH);
        for (int64_t t = 0; t < count; t++) {
            while (row + 1 < found->end_row && a->row_ptr[row + 1] <= k + t)
                row++;
            rows[t] = (int32_t)row;
        }
        glimpse_take(glimpse, rows, a->col + k, count, block, k - found->first);
    }
}

/* Fill in all entries. */
static enum status fill_rows(const struct source *source, struct csr *a,
                             enum status (*fill)(void *self, int64_t k, struct csr *a,
                                                 struct rows_found *found, struct error *error),
                             struct rows_found *found, struct progress *progress, struct error *error)
{
    struct share shares[SHARES_MAX];
    int threads = shares_make(shares, source->blocks);
    struct failing failing;
    bool unsorted = false;
    int64_t zeros = 0;
    failing_start(&failing, source->blocks);
    progress_phase(progress, "reading", source->blocks);
#pragma omp parallel num_threads(threads) reduction(|| : unsorted) reduction(+ : zeros)
    for (int64_t k; (k = shares_take(shares, threads, omp_get_thread_num())) >= 0;) {
        struct error mine = {0};
        struct rows_found here = {0};
        if (failing_before(&failing, k) || progress_cancelled(progress)) continue;
        if (fill(source->self, k, a, &here, &mine) != STATUS_OK)
            failing_note(&failing, k, &mine);
        else
            glimpse_rows(source->glimpse, a, &here, k);
        glimpse_block(source->glimpse);
        unsorted = unsorted || here.unsorted;
        zeros += here.zeros;
        progress_add(progress, 1);
    }
    *found = (struct rows_found){.unsorted = unsorted, .zeros = zeros};
    if (progress_cancelled(progress)) return progress_status(progress, error);
    return failing_status(&failing, error);
}

enum status build_rows(const struct source *source, int64_t *row_ptr,
                       enum status (*fill)(void *self, int64_t k, struct csr *a, struct rows_found *found,
                                           struct error *error),
                       struct progress *progress, struct csr *a, struct build_result *result,
                       struct error *error)
{
    struct source kept = *source; /* sources by rows are not passed on */
    struct build build = {.source = &kept};
    kept.taker = NULL;
    kept.limit = memory_limit(source->limit);
    struct rows_found found = {0};
    build.a = (struct csr){.rows = source->rows, .cols = source->cols, .row_ptr = row_ptr};
    *result = (struct build_result){.stored = csr_nnz(&build.a)};
    *a = (struct csr){0};
    enum status status = matrix_check_size(&kept, error);
    if (status == STATUS_OK) status = matrix_check(&kept, csr_nnz(&build.a), 0, error);
    if (status == STATUS_OK) begin_glimpse(source);
    if (status == STATUS_OK) status = csr_allocate(&build.a, csr_nnz(&build.a), kept.complex, error);
    if (status == STATUS_OK) status = fill_rows(source, &build.a, fill, &found, progress, error);
    result->zeros = found.zeros;
    result->zeros_counted = !found.unsorted; /* duplicates may cancel each other, or be zeros together */
    if (status == STATUS_OK && found.unsorted) {
        progress_phase(progress, "sorting rows", build.a.rows);
        status = rows_sort(&build.a, progress, error);
        if (status == STATUS_OK) status = rows_merge(&build.a, source, &build.mirrors, result, error);
    }
    return finish(&build, status, a);
}
