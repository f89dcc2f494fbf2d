#include "analysis/derive.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/sorted.h"

/* Number of rows that a thread takes at a time. */
#define BLOCK_ROWS 1024

/* A derived row has the columns of `count` entries of `a`, from entry `first` on. */
struct piece {
    int64_t first, count;
};

/* Derived rows: row i is row order[i] of `a` without its first `skip` entries. */
struct recipe {
    const struct csr *a;
    int64_t skip;
    const int32_t *order; /* NULL if row i is row i of `a` */
};

static struct piece piece_of(const struct recipe *recipe, int64_t i)
{
    int64_t row = recipe->order ? recipe->order[i] : i;
    int64_t first = recipe->a->row_ptr[row], end = recipe->a->row_ptr[row + 1];
    int64_t skip = min(recipe->skip, end - first);
    return (struct piece){first + skip, end - first - skip};
}

static int64_t blocks_of(int64_t rows)
{
    return rows / BLOCK_ROWS + (rows % BLOCK_ROWS != 0);
}

static void set_offsets(const struct recipe *recipe, struct csr *out, struct progress *progress)
{
    int64_t rows = out->rows, blocks = blocks_of(rows);
#pragma omp parallel for if (rows > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        for (int64_t i = b * BLOCK_ROWS; i < min((b + 1) * BLOCK_ROWS, rows); i++)
            out->row_ptr[i] = piece_of(recipe, i).count;
    }
    if (!progress_cancelled(progress)) threads_offsets(out->row_ptr, rows);
}

static void copy_columns(const struct recipe *recipe, struct csr *out, struct progress *progress)
{
    int64_t rows = out->rows, blocks = blocks_of(rows);
#pragma omp parallel for schedule(dynamic) if (csr_nnz(out) + rows > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, rows);
        for (int64_t i = first; i < end && !progress_cancelled(progress); i++) {
            struct piece piece = piece_of(recipe, i);
            memcpy(out->col + out->row_ptr[i], recipe->a->col + piece.first,
                   (size_t)piece.count * sizeof *out->col);
        }
        progress_add(progress, end - first);
    }
}

static enum status make(const struct recipe *recipe, struct progress *progress, struct csr *out,
                        struct error *error)
{
    const struct csr *a = recipe->a;
    *out = (struct csr){.rows = a->rows, .cols = a->cols};
    progress_phase(progress, "entries", a->rows);
    enum status status = STATUS_MEMORY;
    out->row_ptr = memory_array((size_t)a->rows + 1, sizeof *out->row_ptr, error);
    if (!out->row_ptr) goto out;
    out->row_ptr[a->rows] = 0; /* as it is after a cancellation */
    set_offsets(recipe, out, progress);
    out->col = memory_array((size_t)csr_nnz(out), sizeof *out->col, error);
    status = out->col ? STATUS_OK : STATUS_MEMORY;
    if (status != STATUS_OK) goto out;
    copy_columns(recipe, out, progress);
    status = progress_status(progress, error);
out:
    if (status != STATUS_OK) csr_free(out);
    return status;
}

enum status derive_rest(const struct csr *a, int64_t k, struct progress *progress, struct csr *rest,
                        struct error *error)
{
    return make(&(struct recipe){.a = a, .skip = k}, progress, rest, error);
}

enum status derive_order(const struct csr *a, const int32_t *order, struct progress *progress,
                         struct csr *out, struct error *error)
{
    return make(&(struct recipe){.a = a, .order = order}, progress, out, error);
}

/* Some of the entries */

static bool is_left(const struct csr *a, enum derive_which which, int64_t i, int64_t k)
{
    if (which == DERIVE_BELOW_0) return !a->imaginary && a->val[k] < 0;
    return a->rows != a->cols || csr_find(a, a->col[k], i) < 0;
}

/* Count the remaining entries of rows first .. end-1 into out->row_ptr; once the columns are allocated, copy
 * them. */
static void take_rows(const struct csr *a, enum derive_which which, int64_t first, int64_t end,
                      struct csr *out, struct progress *progress)
{
    for (int64_t i = first; i < end && !progress_cancelled(progress); i++) {
        int64_t count = 0;
        int32_t *col = out->col ? out->col + out->row_ptr[i] : NULL;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            if (!is_left(a, which, i, k)) continue;
            if (col) col[count] = a->col[k];
            count++;
        }
        if (!col) out->row_ptr[i] = count;
    }
    progress_add(progress, end - first);
}

static void take_all(const struct csr *a, enum derive_which which, struct csr *out, struct progress *progress)
{
    int64_t blocks = blocks_of(a->rows);
#pragma omp parallel for schedule(dynamic) if (csr_nnz(a) + a->rows > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++)
        take_rows(a, which, b * BLOCK_ROWS, min((b + 1) * BLOCK_ROWS, a->rows), out, progress);
}

/* Count the remaining entries of each row, and turn the counts into offsets. */
static enum status count_some(const struct csr *a, enum derive_which which, struct progress *progress,
                              struct csr *some, struct error *error)
{
    *some = (struct csr){.rows = a->rows, .cols = a->cols};
    progress_phase(progress, "entries", 2 * a->rows);
    some->row_ptr = memory_array((size_t)a->rows + 1, sizeof *some->row_ptr, error);
    if (!some->row_ptr) return STATUS_MEMORY;
    some->row_ptr[a->rows] = 0;
    take_all(a, which, some, progress);
    enum status status = progress_status(progress, error);
    if (status == STATUS_OK)
        threads_offsets(some->row_ptr, a->rows);
    else
        csr_free(some);
    return status;
}

static enum status copy_some(const struct csr *a, enum derive_which which, struct progress *progress,
                             struct csr *some, struct error *error)
{
    some->col = memory_array((size_t)csr_nnz(some), sizeof *some->col, error);
    if (some->col) take_all(a, which, some, progress);
    enum status status = some->col ? progress_status(progress, error) : STATUS_MEMORY;
    if (status != STATUS_OK) csr_free(some);
    return status;
}

/* Derived patterns with their pyramids */

/* The bytes of a derived pattern with this number of entries: offsets, columns and the pyramid's sums. */
static size_t pattern_bytes(const struct csr *a, const struct pyramid *like, int64_t entries)
{
    size_t offsets, columns, sums, bytes;
    size_t sum = entries > UINT32_MAX ? sizeof(uint64_t) : sizeof(uint32_t);
    size_multiply((size_t)a->rows + 1, sizeof *a->row_ptr, &offsets);
    size_multiply((size_t)entries, sizeof *a->col, &columns);
    size_multiply(((size_t)like->grid_rows + 1) * ((size_t)like->grid_cols + 1), sum, &sums);
    size_add(offsets, columns, &bytes);
    size_add(bytes, sums, &bytes);
    return bytes;
}

static int64_t entries_beyond(const struct csr *a, int64_t k)
{
    int64_t rest = 0;
#pragma omp parallel for reduction(+ : rest) if (a->rows > PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t length = a->row_ptr[i + 1] - a->row_ptr[i];
        rest += length > k ? length - k : 0;
    }
    return rest;
}

/* Make the pyramid of the derived pattern, and its tiles. */
static enum status count_derived(const struct pyramid *like, size_t limit, struct progress *progress,
                                 struct derived *derived, struct error *error)
{
    enum status status = pyramid_build_like(&derived->csr, like, progress, &derived->pyramid, error);
    if (status != STATUS_OK) return status;
    return tiles_make_if_many(&derived->csr, &derived->pyramid, limit, progress, &derived->tiles, error);
}

enum status derived_rest(const struct csr *a, const struct pyramid *like, int64_t k, size_t limit,
                         struct progress *progress, struct derived *derived, struct error *error)
{
    *derived = (struct derived){0};
    enum status status = memory_check(pattern_bytes(a, like, entries_beyond(a, k)), limit,
                                      "the pattern of the entries beyond K", error);
    if (status == STATUS_OK) status = derive_rest(a, k, progress, &derived->csr, error);
    if (status == STATUS_OK) status = count_derived(like, limit, progress, derived, error);
    if (status != STATUS_OK) derived_free(derived);
    return status;
}

enum status derived_some(const struct csr *a, const struct pyramid *like, enum derive_which which,
                         size_t limit, struct progress *progress, struct derived *derived,
                         struct error *error)
{
    *derived = (struct derived){0};
    enum status status = count_some(a, which, progress, &derived->csr, error);
    if (status == STATUS_OK)
        status = memory_check(pattern_bytes(a, like, csr_nnz(&derived->csr)), limit,
                              which == DERIVE_BELOW_0 ? "the pattern of the negative entries"
                                                      : "the pattern of the entries without mirror image",
                              error);
    if (status == STATUS_OK) status = copy_some(a, which, progress, &derived->csr, error);
    if (status == STATUS_OK) status = count_derived(like, limit, progress, derived, error);
    if (status != STATUS_OK) derived_free(derived);
    return status;
}

static void invert(const int32_t *order, int64_t rows, int32_t *position)
{
#pragma omp parallel for if (rows > PARALLEL_MIN)
    for (int64_t p = 0; p < rows; p++)
        position[order[p]] = (int32_t)p;
}

enum status derived_by_length(const struct csr *a, const struct pyramid *like, int64_t window, size_t limit,
                              struct progress *progress, struct derived *derived, struct error *error)
{
    size_t bytes, orders;
    *derived = (struct derived){0};
    size_multiply((size_t)a->rows, 2 * sizeof *derived->order, &orders);
    size_add(pattern_bytes(a, like, csr_nnz(a)), orders, &bytes);
    enum status status = memory_check(bytes, limit, "the pattern with its rows in order", error);
    if (status == STATUS_OK) {
        derived->order = memory_array((size_t)a->rows, sizeof *derived->order, error);
        derived->position = memory_array((size_t)a->rows, sizeof *derived->position, error);
        status = derived->order && derived->position ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK) status = sort_rows(a, window, progress, derived->order, error);
    if (status == STATUS_OK) {
        invert(derived->order, a->rows, derived->position);
        status = derive_order(a, derived->order, progress, &derived->csr, error);
    }
    if (status == STATUS_OK) status = count_derived(like, limit, progress, derived, error);
    if (status != STATUS_OK) derived_free(derived);
    return status;
}

void derived_free(struct derived *derived)
{
    csr_free(&derived->csr);
    pyramid_free(&derived->pyramid);
    tiles_free(&derived->tiles);
    free(derived->order);
    free(derived->position);
    *derived = (struct derived){0};
}
