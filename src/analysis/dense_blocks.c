#include "analysis/dense_blocks.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/block_stamps.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

#define MOST DENSE_BLOCK_MAX

/* The rows of a stretch. Each begins with a block of any size. */
#define STRETCH_ROWS BLOCK_STRETCH

/* Stretches that a thread takes at a time. */
#define STRETCHES 64

/* Fixed blocks */

/* Count the blocks of rows first .. end-1, a block row, for numbers of columns from .. to. The rows are
 * merged; next[c] is the first column after the last block of c columns. */
static void count_block_row(const struct csr *a, int64_t first, int64_t end, int from, int to,
                            int64_t *counts)
{
    int64_t at[MOST], last[MOST], next[MOST + 1] = {0};
    const int rows = (int)(end - first);
    for (int r = 0; r < rows; r++) {
        at[r] = a->row_ptr[first + r];
        last[r] = a->row_ptr[first + r + 1];
    }
    for (;;) {
        int64_t col = INT64_MAX;
        for (int r = 0; r < rows; r++)
            if (at[r] < last[r]) col = min(col, a->col[at[r]]);
        if (col == INT64_MAX) return;
        for (int c = from; c <= to; c++) {
            if (col < next[c]) continue;
            counts[c]++;
            next[c] = col - col % c + c;
        }
        const int64_t past = from == to ? next[from] : col + 1;
        for (int r = 0; r < rows; r++)
            while (at[r] < last[r] && a->col[at[r]] < past)
                at[r]++;
    }
}

/* Count the blocks of r rows in rows first .. end-1, where a block row begins. */
static void count_rows(const struct csr *a, int64_t first, int64_t end, int r, int from, int to,
                       int64_t *counts)
{
    for (int64_t i = first; i < end; i += r) {
        const int64_t after = min(i + r, end);
        if (a->row_ptr[i] < a->row_ptr[after]) count_block_row(a, i, after, from, to, counts);
    }
}

/* The sampled stretches: every `step`-th. */
static int64_t sample_step(const struct csr *a)
{
    return max(1, divide_up(csr_nnz(a), DENSE_BLOCKS_SAMPLE));
}

/* Count the blocks of all sizes in rows first .. end-1, a stretch. */
static void count_stretch(const struct csr *a, int64_t first, int64_t end, struct block_stamps *stamps,
                          block_counts counts)
{
    if (a->row_ptr[first] == a->row_ptr[end]) return;
    if (block_stamps_help(stamps, a, first, end))
        block_stamps_count(stamps, a, first, end, counts);
    else
        for (int r = 1; r <= MOST; r++)
            count_rows(a, first, end, r, 1, MOST, counts[r]);
}

/* Count the blocks of all sizes in the sampled stretches. */
static enum status count_sample(const struct csr *a, struct progress *progress, block_counts counts,
                                struct error *error)
{
    const int64_t step = sample_step(a), stretches = (a->rows + STRETCH_ROWS - 1) / STRETCH_ROWS;
    const int threads = csr_nnz(a) > PARALLEL_MIN ? threads_count() : 1;
    const size_t bytes = block_stamps_bytes(a->cols);
    char *tables = memory_zeroed((size_t)threads, bytes, error);
    if (!tables) return STATUS_MEMORY;
#pragma omp parallel num_threads(threads)
    {
        struct block_stamps stamps =
            block_stamps_begin(tables + (size_t)omp_get_thread_num() * bytes, a->cols);
        block_counts mine = {{0}};
#pragma omp for schedule(dynamic)
        for (int64_t s = 0; s < stretches; s += step) {
            if (progress_cancelled(progress)) continue;
            count_stretch(a, s * STRETCH_ROWS, min((s + 1) * STRETCH_ROWS, a->rows), &stamps, mine);
        }
#pragma omp critical
        for (int r = 1; r <= MOST; r++)
            for (int c = 1; c <= MOST; c++)
                counts[r][c] += mine[r][c];
    }
    free(tables);
    return STATUS_OK;
}

static int64_t count_all(const struct csr *a, int r, int c, struct progress *progress)
{
    const int64_t rows = STRETCH_ROWS * STRETCHES, pieces = (a->rows + rows - 1) / rows;
    int64_t count = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : count) if (pieces > 1)
    for (int64_t p = 0; p < pieces; p++) {
        int64_t counts[MOST + 1] = {0};
        if (progress_cancelled(progress)) continue;
        count_rows(a, p * rows, min((p + 1) * rows, a->rows), r, c, c, counts);
        count += counts[c];
    }
    return count;
}

static enum status find_fixed(const struct csr *a, struct progress *progress, struct dense_blocks *blocks,
                              struct error *error)
{
    block_counts counts = {{0}};
    int64_t least = INT64_MAX;
    if (count_sample(a, progress, counts, error) != STATUS_OK) return STATUS_MEMORY;
    for (int r = 1; r <= MOST; r++)
        for (int c = 1; c <= MOST; c++) {
            const int64_t bytes = counts[r][c] * (4 + 8 * r * c);
            if (bytes >= least) continue;
            least = bytes;
            blocks->rows = r;
            blocks->cols = c;
        }
    const int r = (int)blocks->rows, c = (int)blocks->cols;
    const bool all = sample_step(a) == 1;
    blocks->count = all ? counts[r][c] : r * c == 1 ? csr_nnz(a) : count_all(a, r, c, progress);
    blocks->fill = 1 - (double)csr_nnz(a) / ((double)blocks->count * r * c);
    return STATUS_OK;
}

/* Variable blocks */

static inline int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* Return true if rows i-1 and i exist and have the same columns, at least one. */
static bool repeats(const struct csr *a, int64_t i)
{
    const int64_t n = i > 0 && i < a->rows ? length_of(a, i) : 0;
    return n > 0 && length_of(a, i - 1) == n && a->col[a->row_ptr[i]] == a->col[a->row_ptr[i - 1]] &&
           memcmp(a->col + a->row_ptr[i], a->col + a->row_ptr[i - 1], (size_t)n * sizeof *a->col) == 0;
}

int64_t dense_blocks_group(const struct csr *a, int64_t i, int64_t most, int64_t *end)
{
    int64_t first = i;
    *end = i + 1;
    while (i - first < most && repeats(a, first))
        first--;
    while (*end - i <= most && repeats(a, *end))
        (*end)++;
    return first;
}

/* Bits of a column: it has an entry; it differs from the column before it. */
#define HAS ((uint8_t)1)
#define BEGINS ((uint8_t)2)

static inline void mark(uint8_t *column, uint8_t bits)
{
    if ((__atomic_load_n(column, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(column, bits, __ATOMIC_RELAXED);
}

/* Two adjacent columns are in different groups if only one of them has an entry in row i: the second begins a
 * group. */
static void mark_row(const struct csr *a, int64_t i, uint8_t *columns)
{
    for (int64_t k = a->row_ptr[i], before = -2; k < a->row_ptr[i + 1]; k++) {
        const int64_t j = a->col[k];
        mark(&columns[j], j == before + 1 ? HAS : HAS | BEGINS);
        if (j != before + 1 && before >= 0) mark(&columns[before + 1], BEGINS);
        before = j;
    }
    const int64_t last = a->col[a->row_ptr[i + 1] - 1];
    if (last + 1 < a->cols) mark(&columns[last + 1], BEGINS);
}

/* The groups of rows that begin in rows first .. end-1. */
struct row_groups {
    int64_t count, rows, largest, blocks;
};

/* Find these groups, and mark the columns of each, or count its blocks by the marks. */
static struct row_groups scan_groups(const struct csr *a, int64_t first, int64_t end, uint8_t *columns,
                                     bool counting)
{
    struct row_groups groups = {0};
    for (int64_t i = first, next; i < end; i = next) {
        next = i + 1;
        if (length_of(a, i) == 0 || repeats(a, i)) continue;
        while (repeats(a, next))
            next++;
        groups.count++;
        groups.rows += next - i;
        groups.largest = max(groups.largest, next - i);
        if (!counting) mark_row(a, i, columns);
        for (int64_t k = a->row_ptr[i]; counting && k < a->row_ptr[i + 1]; k++)
            groups.blocks += (columns[a->col[k]] & BEGINS) != 0;
    }
    return groups;
}

static struct row_groups find_groups(const struct csr *a, uint8_t *columns, bool counting,
                                     struct progress *progress)
{
    const int64_t rows = STRETCH_ROWS * STRETCHES, pieces = (a->rows + rows - 1) / rows;
    int64_t count = 0, grouped = 0, largest = 0, blocks = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : count, grouped, blocks) reduction(max : largest) if (pieces > 1)
    for (int64_t p = 0; p < pieces; p++) {
        if (progress_cancelled(progress)) continue;
        const int64_t end = min((p + 1) * rows, a->rows);
        const struct row_groups here = scan_groups(a, p * rows, end, columns, counting);
        count += here.count;
        grouped += here.rows;
        blocks += here.blocks;
        largest = max(largest, here.largest);
        progress_add(progress, end - p * rows);
    }
    return (struct row_groups){count, grouped, largest, blocks};
}

static void count_columns(const struct csr *a, const uint8_t *columns, struct dense_blocks *blocks)
{
    int64_t with_entries = 0, run = 0;
    for (int64_t j = 0; j < a->cols; j++) {
        const bool has = columns[j] & HAS;
        blocks->col_groups += has && columns[j] & BEGINS;
        run = !has ? 0 : columns[j] & BEGINS ? 1 : run + 1;
        blocks->largest_col_group = max(blocks->largest_col_group, run);
        with_entries += has;
    }
    blocks->mean_col_group = (double)with_entries / (double)blocks->col_groups;
}

static enum status find_variable(const struct csr *a, struct progress *progress, struct dense_blocks *blocks,
                                 struct error *error)
{
    uint8_t *columns = memory_zeroed((size_t)a->cols, sizeof *columns, error);
    if (!columns) return STATUS_MEMORY;
    const struct row_groups groups = find_groups(a, columns, false, progress);
    blocks->row_groups = groups.count;
    blocks->largest_row_group = groups.largest;
    blocks->mean_row_group = (double)groups.rows / (double)groups.count;
    count_columns(a, columns, blocks);
    blocks->variable = find_groups(a, columns, true, progress).blocks;
    blocks->mean_variable = (double)csr_nnz(a) / (double)blocks->variable;
    free(columns);
    return STATUS_OK;
}

/* Similar rows */

/* The present group. A column has the stamp 2 * number + 1 if the first row has an entry there, or else
 * 2 * number if another row of the group has one. */
struct similar {
    uint32_t *stamps;
    uint32_t number;
    int64_t first, columns; /* the first row; the columns of all its rows */
};

/* Return true if the cosine of row i and the group's first row is at least DENSE_BLOCKS_COSINE, 4 / 5. */
static bool is_similar(const struct csr *a, const struct similar *group, int64_t i)
{
    const double product = (double)length_of(a, i) * (double)length_of(a, group->first);
    const double least = (double)min(length_of(a, i), length_of(a, group->first));
    int64_t common = 0;
    if (25 * least * least < 16 * product) return false;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        common += group->stamps[a->col[k]] == 2 * group->number + 1;
    return 25 * (double)common * (double)common >= 16 * product;
}

static void begin_group(const struct csr *a, struct similar *group, int64_t i)
{
    group->number++;
    group->first = i;
    group->columns = length_of(a, i);
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        group->stamps[a->col[k]] = 2 * group->number + 1;
}

static void join_group(const struct csr *a, struct similar *group, int64_t i)
{
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        uint32_t *stamp = &group->stamps[a->col[k]];
        if (*stamp >= 2 * group->number) continue;
        *stamp = 2 * group->number;
        group->columns++;
    }
}

/* Rows between two checks of the progress. */
#define CHECKED 4096

/* `sizes` may be NULL; sizes[k] becomes the number of rows in groups of k rows. */
static enum status find_similar(const struct csr *a, struct progress *progress, struct dense_blocks *blocks,
                                int64_t *sizes, struct error *error)
{
    struct similar group = {.stamps = memory_zeroed((size_t)a->cols, sizeof *group.stamps, error)};
    int64_t grouped = 0;
    double slots = 0;
    if (!group.stamps) return STATUS_MEMORY;
    for (int64_t i = 0, next; i < a->rows && !progress_cancelled(progress); i = next) {
        next = i + 1;
        if (length_of(a, i) == 0) continue;
        begin_group(a, &group, i);
        while (next < a->rows && length_of(a, next) > 0 && is_similar(a, &group, next)) {
            if (next % CHECKED == 0 && progress_cancelled(progress)) break;
            join_group(a, &group, next++);
        }
        grouped += next - i;
        if (sizes) sizes[min(next - i, DENSE_GROUP_MAX)] += next - i;
        slots += (double)(next - i) * (double)group.columns;
        blocks->largest_similar_group = max(blocks->largest_similar_group, next - i);
    }
    free(group.stamps);
    blocks->similar_groups = group.number;
    blocks->mean_similar_group = (double)grouped / (double)group.number;
    blocks->similar_fill = 1 - (double)csr_nnz(a) / slots;
    return STATUS_OK;
}

size_t dense_blocks_bytes(const struct csr *a)
{
    const size_t stamps = (size_t)threads_count() * block_stamps_bytes(a->cols);
    return max((size_t)a->cols * sizeof(uint32_t), stamps);
}

enum status dense_blocks_find(const struct csr *a, struct progress *progress, struct dense_blocks *blocks,
                              struct error *error)
{
    *blocks = (struct dense_blocks){0};
    progress_phase(progress, "dense blocks", 2 * a->rows);
    enum status status = find_fixed(a, progress, blocks, error);
    if (status == STATUS_OK) status = find_variable(a, progress, blocks, error);
    if (status == STATUS_OK) status = find_similar(a, progress, blocks, NULL, error);
    if (status == STATUS_OK) status = progress_status(progress, error);
    if (status != STATUS_OK) *blocks = (struct dense_blocks){0};
    return status;
}

/* Every size */

/* Return the entries of the sampled stretches. */
static int64_t entries_of_sample(const struct csr *a)
{
    const int64_t step = sample_step(a) * STRETCH_ROWS;
    int64_t entries = 0;
    for (int64_t i = 0; i < a->rows; i += step)
        entries += a->row_ptr[min(i + STRETCH_ROWS, a->rows)] - a->row_ptr[i];
    return entries;
}

double dense_block_bytes(const struct dense_block_sizes *sizes, int r, int c)
{
    return (double)sizes->count[r][c] * (4 + 8 * r * c) / ((double)sizes->count[1][1] * (4 + 8));
}

enum status dense_block_sizes_find(const struct csr *a, struct progress *progress,
                                   struct dense_block_sizes *sizes, struct error *error)
{
    struct dense_blocks similar = {0};
    *sizes = (struct dense_block_sizes){.entries = entries_of_sample(a)};
    progress_phase(progress, "sizes of dense blocks", a->rows);
    enum status status = count_sample(a, progress, sizes->count, error);
    for (int64_t i = 0, end; i < a->rows && status == STATUS_OK; i = end) {
        if (progress_cancelled(progress)) break;
        dense_blocks_group(a, i, a->rows, &end);
        if (length_of(a, i) > 0) sizes->same[min(end - i, DENSE_GROUP_MAX)] += end - i;
        progress_add(progress, end - i);
    }
    if (status == STATUS_OK) status = find_similar(a, progress, &similar, sizes->similar, error);
    return status == STATUS_OK ? progress_status(progress, error) : status;
}
