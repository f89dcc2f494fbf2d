#include "analysis/spgemm.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/spgemm_rows.h"
#include "analysis/spgemm_sample.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "base/threads.h"
#include "matrix/columns.h"

/* Rows that a thread takes at a time, and entries between two checks of the progress. */
#define BLOCK_ROWS 1024
#define STRETCH ((int64_t)1 << 16)

/* Multiplications of a sample per entry of A; see SPGEMM_SAMPLE. */
#define SAMPLE_PER_ENTRY 4

/* Bytes of an index and of a value in an accumulator. */
#define SLOT_BYTES ((size_t)12)

/* The data of the analysis. spgemm_of frees the arrays. */
struct making {
    const struct csr *a;
    enum spgemm_kind kind;
    int64_t rows, cols;  /* of C */
    int64_t *work;       /* multiplications of each row of C */
    int64_t *offsets;    /* of the columns of A; NULL for A A */
    int64_t *column_ptr; /* the rows of column j of A are column_row[column_ptr[j]] .. */
    int32_t *column_row; /* column_row[column_ptr[j+1]-1], in any order; none if column j is not wanted */
    struct row_product product;
};

static void making_free(struct making *m)
{
    free(m->work);
    free(m->offsets);
    free(m->column_ptr);
    free(m->column_row);
}

static int64_t rows_of(const struct csr *a, enum spgemm_kind kind)
{
    return kind == SPGEMM_ATA ? a->cols : a->rows;
}

static int64_t cols_of(const struct csr *a, enum spgemm_kind kind)
{
    return kind == SPGEMM_AAT ? a->rows : a->cols;
}

static inline int64_t length_at(const int64_t *offsets, int64_t line)
{
    return offsets[line + 1] - offsets[line];
}

/* Return the multiplications of row i of A A or A A^T. The rows of the right matrix begin at these
 * offsets. */
static int64_t work_of_row(const struct csr *a, int64_t i, const int64_t *offsets, struct progress *progress)
{
    int64_t sum = 0, end = a->row_ptr[i + 1];
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(progress);)
        for (int64_t stop = min(k + STRETCH, end); k < stop; k++)
            sum += length_at(offsets, a->col[k]);
    return sum;
}

/* Row i of A adds its length to work[j] of A^T A for each of its entries (i, j). */
static void add_row_work(const struct csr *a, int64_t i, int64_t *work, struct progress *progress)
{
    int64_t length = length_at(a->row_ptr, i), end = a->row_ptr[i + 1];
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(progress);)
        for (int64_t stop = min(k + STRETCH, end); k < stop; k++)
            __atomic_fetch_add(&work[a->col[k]], length, __ATOMIC_RELAXED);
}

static void find_work(struct making *m, struct progress *progress)
{
    const struct csr *a = m->a;
    int64_t blocks = divide_up(a->rows, BLOCK_ROWS);
    progress_phase(progress, "multiplications of a product", csr_nnz(a));
#pragma omp parallel for schedule(dynamic) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, a->rows);
        if (progress_cancelled(progress)) continue;
        for (int64_t i = first; i < end; i++) {
            if (m->kind == SPGEMM_ATA)
                add_row_work(a, i, m->work, progress);
            else
                m->work[i] = work_of_row(a, i, m->kind == SPGEMM_AA ? a->row_ptr : m->offsets, progress);
        }
        progress_add(progress, a->row_ptr[end] - a->row_ptr[first]);
    }
}

/* The sum may exceed 64 bits. The sums of the lower and of the upper 32 bits do not. */
static void sum_work(struct making *m, struct progress *progress, struct spgemm *out)
{
    int64_t low = 0, high = 0, most = 0, blocks = divide_up(m->rows, BLOCK_ROWS);
#pragma omp parallel for schedule(static) reduction(+ : low, high) reduction(max : most) if (m->rows > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        for (int64_t i = b * BLOCK_ROWS; i < min((b + 1) * BLOCK_ROWS, m->rows); i++) {
            low += m->work[i] & UINT32_MAX;
            high += m->work[i] >> 32;
            most = max(most, m->work[i]);
        }
    }
    __int128 sum = ((__int128)high << 32) + low;
    out->multiplications = sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
    out->most_multiplications = m->product.most = most;
}

/* Append row i to each wanted column in which it has an entry. next[j] is the next free position of column
 * j. */
static void gather_row(const struct csr *a, int64_t i, const uint64_t *wanted, int64_t *next,
                       struct making *m, struct progress *progress)
{
    int64_t end = a->row_ptr[i + 1];
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(progress);)
        for (int64_t stop = min(k + STRETCH, end); k < stop; k++) {
            int32_t j = a->col[k];
            if (wanted && set_lacks(wanted, j)) continue;
            m->column_row[__atomic_fetch_add(&next[j], 1, __ATOMIC_RELAXED)] = (int32_t)i;
        }
}

/* Transpose the wanted columns, or all if `wanted` is NULL. The rows of a column are in any order, which does
 * not change counts. column_ptr[j + 1] is the next free position of column j, and finally its end. */
static enum status gather_columns(struct making *m, const uint64_t *wanted, struct progress *progress,
                                  struct error *error)
{
    const struct csr *a = m->a;
    int64_t *next, blocks = divide_up(a->rows, BLOCK_ROWS);
    m->column_ptr = memory_array((size_t)a->cols + 2, sizeof *m->column_ptr, error);
    if (!m->column_ptr) return STATUS_MEMORY;
    m->column_ptr[0] = 0;
    next = m->column_ptr + 1;
#pragma omp parallel for schedule(static) if (a->cols > PARALLEL_MIN)
    for (int64_t j = 0; j < a->cols; j++)
        next[j] = wanted && set_lacks(wanted, j) ? 0 : length_at(m->offsets, j);
    threads_offsets(next, a->cols);
    m->column_row = memory_array((size_t)next[a->cols], sizeof *m->column_row, error);
    if (!m->column_row) return STATUS_MEMORY;
    progress_phase(progress, "transposing the pattern", csr_nnz(a));
#pragma omp parallel for schedule(dynamic) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, a->rows);
        for (int64_t i = first; i < end && !progress_cancelled(progress); i++)
            gather_row(a, i, wanted, next, m, progress);
        progress_add(progress, a->row_ptr[end] - a->row_ptr[first]);
    }
    struct row_pattern *transposed = m->kind == SPGEMM_ATA ? &m->product.left : &m->product.right;
    *transposed = (struct row_pattern){m->column_ptr, m->column_row};
    return progress_status(progress, error);
}

static enum status count_all(struct making *m, struct progress *progress, struct spgemm *out,
                             struct error *error)
{
    struct row_counts counts;
    enum status status = m->kind == SPGEMM_AA ? STATUS_OK : gather_columns(m, NULL, progress, error);
    if (status != STATUS_OK) return status;
    progress_phase(progress, "entries of a product", out->multiplications);
    status = spgemm_rows_count(&m->product, NULL, m->rows, NULL, progress, &counts, error);
    out->exact = true;
    out->nnz = counts.entries;
    out->rows_counted = m->rows;
    out->longest = out->longest_bound = counts.longest;
    return status;
}

static void want_row(const struct csr *a, int64_t i, uint64_t *wanted, struct progress *progress)
{
    int64_t end = a->row_ptr[i + 1];
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(progress);)
        for (int64_t stop = min(k + STRETCH, end); k < stop; k++)
            set_add(wanted, a->col[k]);
}

/* Make the rows of A^T that the drawn rows of C need. For A^T A these are the drawn rows themselves, for A
 * A^T the columns of A with an entry in a drawn row. */
static enum status gather_for(struct making *m, const struct spgemm_sample *sample, struct progress *progress,
                              struct error *error)
{
    const struct csr *a = m->a;
    uint64_t *wanted = set_new(a->cols, error);
    if (!wanted) return STATUS_MEMORY;
#pragma omp parallel for schedule(dynamic, 64) if (sample->count > 64)
    for (int64_t q = 0; q < sample->count; q++) {
        int64_t i = sample->rows[q];
        if (m->kind == SPGEMM_ATA)
            set_add(wanted, i);
        else
            want_row(a, i, wanted, progress);
    }
    enum status status = gather_columns(m, wanted, progress, error);
    free(wanted);
    return status;
}

static void estimate(const struct making *m, const struct spgemm_sample *sample, const int32_t *lengths,
                     const struct row_counts *counts, struct spgemm *out)
{
    double entries;
    spgemm_sample_estimate(sample, lengths, &entries, &out->standard_error);
    out->nnz = min(llround(entries), min(out->multiplications, m->rows * m->cols));
    out->rows_counted = sample->count;
    out->longest = out->longest_bound = max(counts->longest, sample->longest);
    for (int g = 0; g < sample->groups; g++)
        if (sample->group[g].strata)
            out->longest_bound = max(out->longest_bound, min(sample->group[g].most, m->cols));
}

static enum status count_sample(struct making *m, const struct spgemm_budget *budget,
                                struct progress *progress, struct spgemm *out, struct error *error)
{
    struct spgemm_sample sample;
    struct row_counts counts;
    int32_t *lengths = NULL;
    int64_t cost = 0;
    enum status status =
        spgemm_sample_draw(&m->product, budget->sample, budget->seed, progress, &sample, error);
    if (status == STATUS_OK && m->kind != SPGEMM_AA) status = gather_for(m, &sample, progress, error);
    if (status == STATUS_OK) {
        lengths = memory_array((size_t)sample.count, sizeof *lengths, error);
        if (!lengths) status = STATUS_MEMORY;
    }
    for (int64_t q = 0; q < sample.count; q++)
        cost += m->work[sample.rows[q]];
    progress_phase(progress, "entries of a product, sampled", cost);
    if (status == STATUS_OK)
        status = spgemm_rows_count(&m->product, sample.rows, sample.count, lengths, progress, &counts, error);
    if (status == STATUS_OK) estimate(m, &sample, lengths, &counts, out);
    free(lengths);
    spgemm_sample_free(&sample);
    return status;
}

static size_t slots_for(int64_t entries)
{
    size_t slots = 1;
    while (slots < (size_t)entries)
        slots *= 2;
    return slots;
}

static void finish(const struct making *m, struct spgemm *out)
{
    out->compression = share_of((double)out->multiplications, (double)out->nnz);
    out->density = share_of((double)out->nnz, (double)m->rows * (double)m->cols);
    out->growth = share_of((double)out->nnz, (double)csr_nnz(m->a));
    out->hash_bytes = slots_for(min(out->most_multiplications, m->cols)) * SLOT_BYTES;
    out->fitted_bytes = slots_for(2 * out->longest_bound) * SLOT_BYTES;
    out->dense_bytes = (size_t)m->cols * SLOT_BYTES;
}

/* Find the multiplications of all rows of C. */
static enum status begin(struct making *m, struct progress *progress, struct spgemm *out, struct error *error)
{
    const struct csr *a = m->a;
    if (m->kind == SPGEMM_AA && a->rows != a->cols)
        return error_set(error, STATUS_UNAVAILABLE, "A A needs a square matrix; this one is %lld x %lld",
                         (long long)a->rows, (long long)a->cols);
    if (m->kind != SPGEMM_AA) {
        enum status status = column_offsets(a, SIZE_MAX, progress, &m->offsets, error);
        if (status != STATUS_OK) return status;
    }
    m->work = memory_zeroed((size_t)m->rows, sizeof *m->work, error);
    if (!m->work) return STATUS_MEMORY;
    find_work(m, progress);
    m->product = (struct row_product){.rows = m->rows,
                                      .cols = m->cols,
                                      .left = {m->kind == SPGEMM_ATA ? m->offsets : a->row_ptr, a->col},
                                      .right = {m->kind == SPGEMM_AAT ? m->offsets : a->row_ptr, a->col},
                                      .work = m->work};
    sum_work(m, progress, out);
    return progress_status(progress, error);
}

static enum status make(struct making *m, const struct spgemm_budget *budget, struct progress *progress,
                        struct spgemm *out, struct error *error)
{
    enum status status = begin(m, progress, out, error);
    if (status != STATUS_OK) return status;
    status = out->multiplications <= budget->exact ? count_all(m, progress, out, error)
                                                   : count_sample(m, budget, progress, out, error);
    if (status == STATUS_OK) finish(m, out);
    return status;
}

enum status spgemm_of(const struct csr *a, enum spgemm_kind kind, const struct spgemm_budget *budget,
                      struct progress *progress, struct spgemm *out, struct error *error)
{
    struct making m = {.a = a, .kind = kind, .rows = rows_of(a, kind), .cols = cols_of(a, kind)};
    struct spgemm_budget bounds = budget ? *budget : (struct spgemm_budget){0};
    *out = (struct spgemm){0};
    out->rows = m.rows;
    out->cols = m.cols;
    if (!bounds.exact) bounds.exact = SPGEMM_EXACT;
    if (!bounds.sample) bounds.sample = max(SPGEMM_SAMPLE, SAMPLE_PER_ENTRY * csr_nnz(a));
    enum status status = make(&m, &bounds, progress, out, error);
    if (status != STATUS_OK) *out = (struct spgemm){0};
    making_free(&m);
    return status;
}

/* Rows */

/* Count the entries of every `step`-th row. */
static enum status count_lengths(struct making *m, int64_t step, struct progress *progress, int32_t *length,
                                 struct error *error)
{
    const int64_t count = divide_up(m->rows, step);
    struct row_counts counts;
    enum status status = STATUS_OK;
    int32_t *list = memory_array((size_t)count, sizeof *list, error),
            *found = memory_array((size_t)count, sizeof *found, error);
    if (!list || !found) status = STATUS_MEMORY;
    for (int64_t q = 0; q < count && status == STATUS_OK; q++)
        list[q] = (int32_t)(q * step);
    if (status == STATUS_OK && m->kind != SPGEMM_AA) status = gather_columns(m, NULL, progress, error);
    if (status == STATUS_OK)
        status = spgemm_rows_count(&m->product, list, count, found, progress, &counts, error);
    for (int64_t q = 0; q < count && status == STATUS_OK; q++)
        length[list[q]] = found[q];
    free(list);
    free(found);
    return status;
}

enum status spgemm_rows_find(const struct csr *a, enum spgemm_kind kind, int64_t budget,
                             struct progress *progress, struct spgemm_rows *out, struct error *error)
{
    struct making m = {.a = a, .kind = kind, .rows = rows_of(a, kind), .cols = cols_of(a, kind)};
    struct spgemm sums = {0};
    *out = (struct spgemm_rows){.rows = m.rows};
    enum status status = begin(&m, progress, &sums, error);
    if (status == STATUS_OK) {
        out->length = memory_array((size_t)m.rows, sizeof *out->length, error);
        if (!out->length) status = STATUS_MEMORY;
    }
    for (int64_t i = 0; i < m.rows && status == STATUS_OK; i++)
        out->length[i] = -1;
    out->step = max(1, divide_up(sums.multiplications, budget));
    if (status == STATUS_OK) status = count_lengths(&m, out->step, progress, out->length, error);
    if (status == STATUS_OK) {
        out->work = m.work;
        m.work = NULL;
    } else
        spgemm_rows_free(out);
    making_free(&m);
    return status;
}

void spgemm_rows_free(struct spgemm_rows *rows)
{
    free(rows->work);
    free(rows->length);
    *rows = (struct spgemm_rows){0};
}

size_t spgemm_bytes(const struct csr *a, enum spgemm_kind kind)
{
    int64_t rows = rows_of(a, kind), nnz = csr_nnz(a);
    size_t all = (size_t)rows * sizeof(int64_t) + spgemm_rows_bytes(cols_of(a, kind));
    size_t sample = spgemm_sample_bytes(rows, max(SPGEMM_SAMPLE, SAMPLE_PER_ENTRY * nnz));
    if (kind != SPGEMM_AA) {
        size_add(all, column_offsets_bytes(a), &all);
        size_add(all, ((size_t)a->cols + 2) * sizeof(int64_t) + (size_t)nnz * sizeof(int32_t), &all);
        sample += set_bytes(a->cols);
    }
    size_add(all, sample + (size_t)rows * sizeof(int32_t), &all);
    return all;
}
