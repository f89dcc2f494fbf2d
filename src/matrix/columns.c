#include "matrix/columns.h"

#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/skeleton.h"

#define BLOCK_ENTRIES ((int64_t)1 << 18)

static int64_t blocks_of(int64_t count, int64_t block)
{
    return count / block + (count % block != 0);
}

/* The method of counting the entries of columns: each thread has its own array (apart), or all threads add to
 * one array atomically. Atomic additions take longer, so that threads count apart as long as their arrays are
 * small beside the matrix. */
struct counting {
    int arrays; /* the number of arrays, each of which has a count for every column */
    bool apart;
};

static struct counting counting_of(int64_t cols, int64_t nnz)
{
    int64_t allowed = max(nnz / 4, 1 << 20);
    int threads = nnz < BLOCK_ENTRIES ? 1 : threads_count();
    bool apart = threads == 1 || cols <= allowed / threads;
    return (struct counting){apart ? threads : 1, apart};
}

static size_t counting_bytes(int64_t cols, const struct counting *counting)
{
    return (size_t)cols * (size_t)counting->arrays * sizeof(uint32_t);
}

/* Count with an array for each thread, and add up the arrays:
 *
 *     counts  | thread 0: cols counts | thread 1: cols counts | ...      all 0 at first
 *               result[j]    =  sum over t of counts[t cols + j], in the array of thread 0
 *
 * Thread t counts the blocks of entries t, t + threads, t + 2 threads, ... */
static void count_apart(const struct csr *a, struct progress *progress, int threads, uint32_t *counts)
{
    int64_t nnz = csr_nnz(a), blocks = blocks_of(nnz, BLOCK_ENTRIES), cols = a->cols;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        uint32_t *own = counts + (size_t)t * (size_t)cols;
        for (int64_t b = t; b < blocks && !progress_cancelled(progress); b += threads) {
            int64_t end = min((b + 1) * BLOCK_ENTRIES, nnz);
            for (int64_t k = b * BLOCK_ENTRIES; k < end; k++)
                own[a->col[k]]++;
            progress_add(progress, end - b * BLOCK_ENTRIES);
        }
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t j = 0; j < cols; j++)
        for (int t = 1; t < threads; t++)
            counts[j] += counts[(size_t)t * (size_t)cols + (size_t)j];
}

/* Count in one array by atomic additions. */
static void count_together(const struct csr *a, struct progress *progress, uint32_t *counts)
{
    int64_t nnz = csr_nnz(a), blocks = blocks_of(nnz, BLOCK_ENTRIES);
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t end = min((b + 1) * BLOCK_ENTRIES, nnz);
        for (int64_t k = b * BLOCK_ENTRIES; k < end; k++)
            __atomic_fetch_add(&counts[a->col[k]], 1, __ATOMIC_RELAXED);
        progress_add(progress, end - b * BLOCK_ENTRIES);
    }
}

/* Returns the number of entries in each column, the first a->cols elements of an array that the caller frees;
 * NULL if there is no memory. 32 bits suffice, since a column has at most one entry in each row. */
static uint32_t *count_columns(const struct csr *a, struct progress *progress, struct error *error)
{
    struct counting counting = counting_of(a->cols, csr_nnz(a));
    uint32_t *counts = memory_zeroed(counting_bytes(a->cols, &counting), 1, error);
    if (!counts) return NULL;
    if (counting.apart)
        count_apart(a, progress, counting.arrays, counts);
    else
        count_together(a, progress, counts);
    return counts;
}

/* In a matrix of so few entries that most columns are empty, the column indices are sorted, and equal ones
 * counted. That takes memory for the entries, not for the columns. They are sorted as digits to the base of
 * 2^11 from the lowest digit to the highest (radix sort): three passes for 31 bits, of which each keeps the
 * order of the passes before among equal digits. */

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

static bool mostly_empty(int64_t cols, int64_t nnz)
{
    return cols / 4 > nnz;
}

/* One pass of the sort. `to` gets the n keys of `from` in the order of the digit that begins at bit `shift`;
 * keys with the same digit stay in their order. next[d] is where the next key with digit d goes: at first the
 * number of keys with a smaller digit. */
static void sort_by_digit(const uint32_t *from, uint32_t *to, int64_t n, int shift)
{
    int64_t next[DIGITS + 1] = {0};
    for (int64_t k = 0; k < n; k++)
        next[(from[k] >> shift) % DIGITS + 1]++;
    for (int digit = 0; digit < DIGITS; digit++)
        next[digit + 1] += next[digit];
    for (int64_t k = 0; k < n; k++)
        to[next[(from[k] >> shift) % DIGITS]++] = from[k];
}

/* Replace keys[0 .. n-1], which ascend, by the number of times that each of them occurs: 2 2 2 5 9 9 becomes
 * 3 1 2. Returns the number of different keys. There are never more counts than keys read, so that writing
 * does not overtake reading. */
static int64_t count_runs(uint32_t *keys, int64_t n)
{
    int64_t runs = 0;
    for (int64_t k = 0, next; k < n; k = next) {
        for (next = k + 1; next < n && keys[next] == keys[k];)
            next++;
        keys[runs++] = (uint32_t)(next - k);
    }
    return runs;
}

static enum status count_by_sorting(const struct csr *a, struct progress *progress, struct lines *lines,
                                    uint32_t **lengths, struct error *error)
{
    int64_t nnz = csr_nnz(a);
    uint32_t *keys = memory_array((size_t)nnz, 2 * sizeof *keys, error), *from, *to, *other;
    if (!keys) return STATUS_MEMORY;
    from = keys;
    to = keys + nnz;
    if (nnz) memcpy(from, a->col, (size_t)nnz * sizeof *keys);
    for (int shift = 0; (a->cols - 1) >> shift && !progress_cancelled(progress); shift += DIGIT_BITS) {
        sort_by_digit(from, to, nnz, shift);
        other = from;
        from = to;
        to = other;
    }
    progress_add(progress, nnz);
    if (from != keys && nnz) memcpy(keys, from, (size_t)nnz * sizeof *keys);
    *lengths = keys;
    *lines = (struct lines){.count = count_runs(keys, nnz), .lengths = keys};
    lines->empty = a->cols - lines->count;
    return STATUS_OK;
}

enum status column_lengths(const struct csr *a, struct progress *progress, struct lines *lines,
                           uint32_t **lengths, struct error *error)
{
    enum status status = STATUS_OK;
    *lengths = NULL;
    if (a->skeleton) {
        *lines = (struct lines){.count = a->cols, .offsets = a->skeleton->col_ptr};
    } else if (mostly_empty(a->cols, csr_nnz(a))) {
        status = count_by_sorting(a, progress, lines, lengths, error);
    } else {
        *lengths = count_columns(a, progress, error);
        *lines = (struct lines){.count = a->cols, .lengths = *lengths};
        if (!*lengths) status = STATUS_MEMORY;
    }
    if (status == STATUS_OK) status = progress_status(progress, error);
    if (status == STATUS_OK) return status;
    free(*lengths);
    *lengths = NULL;
    return status;
}

void column_counts_add(const struct csr *a, int64_t from, int64_t to, int64_t *counts)
{
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t k = from > 0 ? csr_lower_bound(a, i, from) : a->row_ptr[i];
        for (; k < a->row_ptr[i + 1] && a->col[k] < to; k++)
            counts[a->col[k] - from]++;
    }
}

size_t column_lengths_bytes(int64_t cols, int64_t nnz)
{
    struct counting counting = counting_of(cols, nnz);
    return mostly_empty(cols, nnz) ? (size_t)nnz * 2 * sizeof(uint32_t) : counting_bytes(cols, &counting);
}

size_t column_offsets_bytes(const struct csr *a)
{
    struct counting counting = counting_of(a->cols, csr_nnz(a));
    return ((size_t)a->cols + 1) * sizeof(int64_t) + counting_bytes(a->cols, &counting);
}

static enum status copy_offsets(const struct csr *a, int64_t **offsets, struct error *error)
{
    *offsets = memory_array((size_t)a->cols + 1, sizeof **offsets, error);
    if (!*offsets) return STATUS_MEMORY;
    memcpy(*offsets, a->skeleton->col_ptr, ((size_t)a->cols + 1) * sizeof **offsets);
    return STATUS_OK;
}

enum status column_offsets(const struct csr *a, size_t limit, struct progress *progress, int64_t **offsets,
                           struct error *error)
{
    *offsets = NULL;
    enum status status = memory_check(column_offsets_bytes(a), limit, "the offsets of columns", error);
    if (status != STATUS_OK) return status;
    progress_phase(progress, "column offsets", csr_nnz(a));
    if (a->skeleton) return copy_offsets(a, offsets, error);
    int64_t *made = memory_array((size_t)a->cols + 1, sizeof *made, error);
    if (!made) return STATUS_MEMORY;
    uint32_t *counts = count_columns(a, progress, error);
    status = counts ? progress_status(progress, error) : STATUS_MEMORY;
    if (status != STATUS_OK) goto out;
#pragma omp parallel for schedule(static) if (a->cols > PARALLEL_MIN)
    for (int64_t j = 0; j < a->cols; j++)
        made[j] = counts[j];
    threads_offsets(made, a->cols);
    *offsets = made;
out:
    free(counts);
    if (status != STATUS_OK) free(made);
    return status;
}
