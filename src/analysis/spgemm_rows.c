#include "analysis/spgemm_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

/* A row uses a marker of all columns if the marker fits into a second-level cache. It also does if it has
 * more than one multiplication for this number of columns. Other rows use a hash table, which is smaller. */
#define CACHED_COLUMNS ((int64_t)1 << 18)
#define COLUMNS_PER_MULTIPLICATION 32

/* Rows that a thread takes at a time, and multiplications between two checks of the progress. */
#define BLOCK_ROWS 32
#define STRETCH ((int64_t)1 << 16)

/* The most bytes that the sets of several threads take together. */
#define ROOM ((size_t)256 << 20)

/* The columns of a row. Each thread has its own set, and reuses it for each row. */
struct columns_set {
    int32_t *marker; /* the last row, counted from 1, with an entry in the column; NULL: unused */
    int32_t *table;  /* hash table with linear probing: a column, or -1 where it is free; NULL: unused */
};

static bool takes_marker(int64_t cols, int64_t work)
{
    return cols <= CACHED_COLUMNS || work > cols / COLUMNS_PER_MULTIPLICATION;
}

/* Return the binary logarithm of the size of the table, which is at least twice the number of columns in
 * it. */
static int table_bits(int64_t work)
{
    int bits = 4;
    while ((int64_t)1 << bits < 2 * work)
        bits++;
    return bits;
}

/* Return the slots of the largest table; 0 if no row takes a table. */
static int64_t table_slots(int64_t cols, int64_t most)
{
    int64_t work = min(most, cols / COLUMNS_PER_MULTIPLICATION);
    return cols <= CACHED_COLUMNS ? 0 : (int64_t)1 << table_bits(work);
}

static size_t set_bytes_of(int64_t cols, int64_t most)
{
    int64_t marked = takes_marker(cols, most) ? cols : 0;
    return ((size_t)marked + (size_t)table_slots(cols, most)) * sizeof(int32_t);
}

static int threads_of(int64_t cols, int64_t most)
{
    size_t each = set_bytes_of(cols, most);
    return each ? (int)max(1, min(threads_count(), (int64_t)(ROOM / each))) : threads_count();
}

size_t spgemm_rows_bytes(int64_t cols)
{
    return (size_t)threads_of(cols, cols) * set_bytes_of(cols, cols);
}

static bool open_set(const struct row_product *product, struct columns_set *set)
{
    size_t slots = (size_t)table_slots(product->cols, product->most);
    bool marked = takes_marker(product->cols, product->most);
    *set = (struct columns_set){0};
    if (marked) set->marker = memory_zeroed((size_t)product->cols, sizeof *set->marker, NULL);
    if (slots) set->table = memory_array(slots, sizeof *set->table, NULL);
    return (!marked || set->marker) && (!slots || set->table);
}

static void close_set(struct columns_set *set)
{
    free(set->marker);
    free(set->table);
}

static int64_t mark(const int32_t *index, int64_t count, int32_t stamp, int32_t *marker)
{
    int64_t added = 0;
    for (int64_t q = 0; q < count; q++) {
        int32_t j = index[q];
        added += marker[j] != stamp;
        marker[j] = stamp;
    }
    return added;
}

/* A column is multiplied by 2^32 / golden ratio. The upper bits of the product spread neighbouring columns
 * (Knuth, The Art of Computer Programming 3, section 6.4). */
static int64_t insert(const int32_t *index, int64_t count, int bits, int32_t *table)
{
    const uint32_t mask = ((uint32_t)1 << bits) - 1;
    int64_t added = 0;
    for (int64_t q = 0; q < count; q++) {
        int32_t j = index[q];
        uint32_t slot = (uint32_t)j * 0x9e3779b1u >> (32 - bits);
        while (table[slot] != j && table[slot] >= 0)
            slot = (slot + 1) & mask;
        added += table[slot] != j;
        table[slot] = j;
    }
    return added;
}

/* Return the number of entries of row i of C, or any number if the progress is cancelled. Counting ends when
 * the row is full. */
static int64_t count_row(const struct row_product *product, int64_t i, const struct columns_set *set,
                         struct progress *progress)
{
    const struct row_pattern *left = &product->left, *right = &product->right;
    const int64_t first = left->ptr[i], end = left->ptr[i + 1], work = product->work[i];
    const bool marked = takes_marker(product->cols, work);
    int64_t added = 0;
    if (end - first < 2) return work;
    int bits = marked ? 0 : table_bits(work);
    if (!marked) memset(set->table, 0xff, sizeof(int32_t) << bits);
    for (int64_t k = first; k < end && added < product->cols; k++) {
        int64_t q = right->ptr[left->index[k]], stop = right->ptr[left->index[k] + 1];
        if (k + 1 < end) __builtin_prefetch(&right->index[right->ptr[left->index[k + 1]]]);
        while (q < stop && !progress_cancelled(progress)) {
            int64_t count = min(stop - q, STRETCH);
            added += marked ? mark(right->index + q, count, (int32_t)i + 1, set->marker)
                            : insert(right->index + q, count, bits, set->table);
            q += count;
        }
    }
    return added;
}

/* Count rows first .. end-1 of the list. */
static struct row_counts count_block(const struct row_product *product, const int32_t *list, int64_t first,
                                     int64_t end, const struct columns_set *set, int32_t *lengths,
                                     struct progress *progress)
{
    struct row_counts counts = {0};
    int64_t work = 0;
    for (int64_t q = first; q < end && !progress_cancelled(progress); q++) {
        int64_t i = list ? list[q] : q, length = count_row(product, i, set, progress);
        work += product->work[i];
        counts.entries += length;
        counts.longest = max(counts.longest, length);
        if (lengths) lengths[q] = (int32_t)length;
    }
    progress_add(progress, work);
    return counts;
}

enum status spgemm_rows_count(const struct row_product *product, const int32_t *list, int64_t count,
                              int32_t *lengths, struct progress *progress, struct row_counts *counts,
                              struct error *error)
{
    int64_t entries = 0, longest = 0, blocks = divide_up(count, BLOCK_ROWS);
    bool missing = false;
    *counts = (struct row_counts){0};
#pragma omp parallel reduction(+ : entries) reduction(max : longest) num_threads(threads_of(product->cols, product->most)) if (blocks > 1)
    {
        struct columns_set set;
        if (!open_set(product, &set)) {
#pragma omp atomic write
            missing = true;
        }
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++) {
            if (missing || progress_cancelled(progress)) continue;
            struct row_counts block = count_block(product, list, b * BLOCK_ROWS,
                                                  min((b + 1) * BLOCK_ROWS, count), &set, lengths, progress);
            entries += block.entries;
            longest = max(longest, block.longest);
        }
        close_set(&set);
    }
    if (missing) return error_set(error, STATUS_MEMORY, "out of memory");
    *counts = (struct row_counts){entries, longest};
    return progress_status(progress, error);
}
