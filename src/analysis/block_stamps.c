#include "analysis/block_stamps.h"

#include <string.h>

#include "base/range.h"

#define MOST DENSE_BLOCK_MAX
#define WIDTH_MAX (16 * BLOCK_STRETCH)
#define STAMP_MAX UINT16_MAX
#define ENOUGH 8 /* rows to look at, for each entry, up to which stamps are faster than merging rows */

/* A stamp for each number of rows 1 .. 8. The compiler keeps it in a register. */
typedef uint16_t lanes __attribute__((vector_size(2 * MOST)));

/* The table of stamps has an element for each block of c columns, c = 1 .. 8, of the present window of
 * columns. Lane r - 1 is the stamp of the last block of r rows with an entry there: the number of its first
 * block row is that of the block row within the stretch, plus a number that no earlier stamp reached. */

/* Return the index in the table of the first block of c columns; that of 9 is the size of the table. */
static size_t table_from(int64_t width, int c)
{
    size_t at = 0;
    for (int k = 1; k < c; k++)
        at += (size_t)(width / k);
    return at;
}

static int64_t width_of(int64_t cols)
{
    return min(WIDTH_MAX, (cols + BLOCK_STRETCH - 1) / BLOCK_STRETCH * BLOCK_STRETCH);
}

size_t block_stamps_bytes(int64_t cols)
{
    return table_from(width_of(cols), MOST + 1) * sizeof(lanes);
}

struct block_stamps block_stamps_begin(void *table, int64_t cols)
{
    return (struct block_stamps){.table = table, .width = width_of(cols)};
}

/* The columns of the entries of some rows: low .. high. */
struct span {
    int64_t low, high;
};

static struct span span_of(const struct csr *a, int64_t first, int64_t end)
{
    struct span span = {INT64_MAX, -1};
    for (int64_t i = first; i < end; i++) {
        if (a->row_ptr[i] == a->row_ptr[i + 1]) continue;
        span.low = min(span.low, a->col[a->row_ptr[i]]);
        span.high = max(span.high, a->col[a->row_ptr[i + 1] - 1]);
    }
    return span;
}

bool block_stamps_help(const struct block_stamps *stamps, const struct csr *a, int64_t first, int64_t end)
{
    const struct span span = span_of(a, first, end);
    const int64_t windows = (span.high - span.low) / stamps->width + 1;
    return windows * (end - first) <= ENOUGH * (a->row_ptr[end] - a->row_ptr[first]);
}

/* Rows, whose blocks are being counted. */
struct stamping {
    struct block_stamps *stamps;
    const struct csr *a;
    lanes *of[MOST];   /* the stamps of blocks of 1, 2, ... columns */
    lanes known[MOST]; /* the number of entries whose block had its stamp already */
    int64_t pending;   /* entries since `known` was 0 */
    int64_t low, end;  /* the columns of the present window, */
    int64_t later;     /* and the first column of an entry behind it */
};

/* Stamp a block. Returns -1 in each lane that had this stamp. */
static inline lanes stamp(lanes *block, lanes with)
{
    const lanes same = (lanes)(*block == with);
    *block = with;
    return same;
}

/* Stamp the blocks of the entries from k on, below `last`, that lie in the window. Returns the first other
 * entry. */
static int64_t stamp_row(struct stamping *stamping, int64_t k, int64_t last, lanes with)
{
    const int32_t *col = stamping->a->col;
    const int64_t low = stamping->low, end = stamping->end;
    lanes *of[MOST], known[MOST]; /* in registers */
    memcpy(of, stamping->of, sizeof of);
    memcpy(known, stamping->known, sizeof known);
    for (; k < last && col[k] < end; k++) {
        const uint32_t at = (uint32_t)(col[k] - low);
        known[0] -= stamp(of[0] + at, with);
        known[1] -= stamp(of[1] + at / 2, with);
        known[2] -= stamp(of[2] + at / 3, with);
        known[3] -= stamp(of[3] + at / 4, with);
        known[4] -= stamp(of[4] + at / 5, with);
        known[5] -= stamp(of[5] + at / 6, with);
        known[6] -= stamp(of[6] + at / 7, with);
        known[7] -= stamp(of[7] + at / 8, with);
    }
    memcpy(stamping->known, known, sizeof known);
    return k;
}

/* Subtract the entries whose block was known from the counts. */
static void flush(struct stamping *stamping, block_counts counts)
{
    for (int c = 1; c <= MOST; c++)
        for (int r = 1; r <= MOST; r++)
            counts[r][c] -= stamping->known[c - 1][r - 1];
    memset(stamping->known, 0, sizeof stamping->known);
    stamping->pending = 0;
}

/* Stamp the blocks of the entries in the present window. next[i] is the first entry of row i behind the
 * earlier windows. */
static void stamp_window(struct stamping *stamping, int64_t first, int64_t rows, int64_t *next,
                         block_counts counts)
{
    const struct csr *a = stamping->a;
    struct block_stamps *stamps = stamping->stamps;
    if (stamps->used + rows > STAMP_MAX) {
        memset(stamps->table, 0, table_from(stamps->width, MOST + 1) * sizeof(lanes));
        stamps->used = 0;
    }
    stamping->later = INT64_MAX;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t last = a->row_ptr[first + i + 1], k = next[i];
        if (k == last) continue;
        if (a->col[k] < stamping->end) {
            lanes with;
            for (int r = 1; r <= MOST; r++)
                with[r - 1] = (uint16_t)(stamps->used + 1 + i / r);
            if (stamping->pending + stamps->width > UINT16_MAX) flush(stamping, counts);
            next[i] = stamp_row(stamping, k, last, with);
            stamping->pending += next[i] - k;
        }
        if (next[i] < last) stamping->later = min(stamping->later, a->col[next[i]]);
    }
    stamps->used += rows;
}

void block_stamps_count(struct block_stamps *stamps, const struct csr *a, int64_t first, int64_t end,
                        block_counts counts)
{
    struct stamping stamping = {.stamps = stamps, .a = a, .later = span_of(a, first, end).low};
    int64_t next[BLOCK_STRETCH];
    const int64_t rows = end - first, entries = a->row_ptr[end] - a->row_ptr[first];
    for (int64_t i = 0; i < rows; i++)
        next[i] = a->row_ptr[first + i];
    for (int c = 1; c <= MOST; c++)
        stamping.of[c - 1] = (lanes *)stamps->table + table_from(stamps->width, c);
    while (stamping.later < INT64_MAX) {
        stamping.low = stamping.later / BLOCK_STRETCH * BLOCK_STRETCH;
        stamping.end = stamping.low + stamps->width;
        stamp_window(&stamping, first, rows, next, counts);
    }
    flush(&stamping, counts);
    for (int r = 1; r <= MOST; r++)
        for (int c = 1; c <= MOST; c++)
            counts[r][c] += entries;
}
