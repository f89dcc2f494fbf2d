#include "analysis/structure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/set.h"

/* Work is cut by entries, not by rows, so that a long row is shared by all threads. */
#define BLOCK_ROWS 65536
#define BLOCK_ENTRIES ((int64_t)1 << 17)

/* Mirror images are sought this many at a time: they lie anywhere in memory, and a batch waits for all of
 * them together instead of for each in turn. */
#define BATCH 64

/* Of a row to be searched, the lines of so many columns are fetched ahead; more would be in vain for most. */
#define FETCH_COLUMNS 64
#define LINE_COLUMNS 16

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What the first and last entry of each row tell. */
static void scan_rows(const struct csr *a, struct progress *progress, struct structure *s)
{
    int64_t lower = 0, upper = 0, profile = 0, diagonal = 0, empty = 0;
    int64_t blocks = a->rows / BLOCK_ROWS + 1;
#pragma omp parallel for schedule(dynamic) reduction(max : lower, upper) reduction(+ : profile, diagonal, empty) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_ROWS, end = smaller(first + BLOCK_ROWS, a->rows);
        for (int64_t i = first; i < end; i++) {
            if (a->row_ptr[i] == a->row_ptr[i + 1]) {
                empty++;
                continue;
            }
            int64_t left = i - a->col[a->row_ptr[i]], right = a->col[a->row_ptr[i + 1] - 1] - i;
            lower = larger(lower, left);
            upper = larger(upper, right);
            profile += larger(0, left);
            diagonal += left >= 0 && right >= 0 && csr_find(a, i, i) >= 0;
        }
        progress_add(progress, end - first);
    }
    s->lower_bandwidth = lower;
    s->upper_bandwidth = upper;
    s->profile = profile;
    s->diagonal_nonzeros = diagonal;
    s->empty_rows = empty;
}

/* Pairs (i,j), (j,i) off the diagonal that both exist, and those with equal values. */
struct pairs {
    int64_t both;
    int64_t equal;
};

static inline bool same_value(const struct csr *a, int64_t k, int64_t mirror)
{
    return a->val[k] == a->val[mirror] && (!a->imaginary || a->imaginary[k] == a->imaginary[mirror]);
}

/* Entries above the diagonal whose mirror images are to be found. */
struct batch {
    int count;
    int64_t entry[BATCH];
    int32_t row[BATCH], col[BATCH];
    const int32_t *place[BATCH]; /* row `col` of the matrix, then where the mirror image is or would be */
    int64_t length[BATCH];
};

static void fetch_row(const int32_t *place, int64_t length)
{
    if (length <= FETCH_COLUMNS)
        for (int64_t k = 0; k < length; k += LINE_COLUMNS)
            __builtin_prefetch(place + k);
    else
        for (int64_t part = 1; part < 4; part++)
            __builtin_prefetch(place + length / 4 * part);
}

/* First of n > 0 ascending columns that is at least j, else the last: no branch on what is found. */
static inline const int32_t *seek(const int32_t *place, int64_t n, int32_t j)
{
    while (n > 1) {
        int64_t half = n / 2;
        place += place[half - 1] < j ? half : 0;
        n -= half;
    }
    return place;
}

static void find_mirrors(const struct csr *a, struct batch *batch, struct pairs *pairs)
{
    int found = 0;
    for (int b = 0; b < batch->count; b++) {
        const int64_t *offsets = &a->row_ptr[batch->col[b]];
        batch->place[b] = a->col + offsets[0];
        batch->length[b] = offsets[1] - offsets[0];
        fetch_row(batch->place[b], batch->length[b]);
    }
    for (int b = 0; b < batch->count; b++) {
        if (batch->length[b] == 0) continue;
        const int32_t *place = seek(batch->place[b], batch->length[b], batch->row[b]);
        if (*place != batch->row[b]) continue;
        __builtin_prefetch(&a->val[place - a->col]);
        batch->place[found] = place;
        batch->entry[found++] = batch->entry[b];
    }
    for (int b = 0; b < found; b++)
        pairs->equal += same_value(a, batch->entry[b], batch->place[b] - a->col);
    pairs->both += found;
    batch->count = 0;
}

/* Put entries first..end-1 of row i that lie above the diagonal into the batch. */
static void gather(const struct csr *a, int64_t i, int64_t first, int64_t end, struct batch *batch,
                   struct pairs *pairs)
{
    for (int64_t k = first; k < end; k++) {
        if (a->col[k] <= i) continue;
        int b = batch->count++;
        batch->entry[b] = k;
        batch->row[b] = (int32_t)i;
        batch->col[b] = a->col[k];
        __builtin_prefetch(&a->row_ptr[a->col[k]]);
        if (batch->count == BATCH) find_mirrors(a, batch, pairs);
    }
}

/* Sets that entries add to: their columns, and their diagonals j - i + rows - 1. */
struct sets {
    uint64_t *columns;
    uint64_t *diagonals;
};

static void scan_block(const struct csr *a, int64_t first, int64_t last, const struct sets *sets,
                       struct pairs *pairs)
{
    struct batch batch = {0};
    for (int64_t i = csr_row_of(a, first), k = first; k < last; i++) {
        int64_t end = smaller(a->row_ptr[i + 1], last);
        for (int64_t e = k; e < end; e++) {
            set_add(sets->columns, a->col[e]);
            set_add(sets->diagonals, a->col[e] - i + a->rows - 1);
        }
        if (a->rows == a->cols) gather(a, i, k, end, &batch, pairs);
        k = end;
    }
    find_mirrors(a, &batch, pairs);
}

static struct pairs scan_entries(const struct csr *a, const struct sets *sets, struct progress *progress)
{
    int64_t nnz = csr_nnz(a), blocks = nnz / BLOCK_ENTRIES + 1, both = 0, equal = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : both, equal) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_ENTRIES, last = smaller(first + BLOCK_ENTRIES, nnz);
        struct pairs pairs = {0};
        scan_block(a, first, last, sets, &pairs);
        both += pairs.both;
        equal += pairs.equal;
        progress_add(progress, last - first);
    }
    return (struct pairs){both, equal};
}

enum status structure_of(const struct csr *a, struct progress *progress, struct structure *structure,
                         struct error *error)
{
    struct structure s = {.pattern_symmetry = NAN, .numeric_symmetry = NAN};
    enum status status = STATUS_MEMORY;
    struct sets sets = {0};
    *structure = s;
    progress_phase(progress, "structure", a->rows + csr_nnz(a));
    sets.columns = set_new(a->cols, error);
    sets.diagonals = sets.columns ? set_new(a->rows + a->cols, error) : NULL;
    if (!sets.diagonals) goto out;
    scan_rows(a, progress, &s);
    struct pairs pairs = scan_entries(a, &sets, progress);
    status = progress_status(progress, error);
    if (status != STATUS_OK) goto out;
    s.empty_cols = a->cols - set_count(sets.columns, a->cols);
    s.diagonals = set_count(sets.diagonals, a->rows + a->cols);
    int64_t off_diagonal = csr_nnz(a) - s.diagonal_nonzeros;
    if (a->rows == a->cols && off_diagonal > 0) {
        s.pattern_symmetry = 2 * (double)pairs.both / (double)off_diagonal;
        s.numeric_symmetry = 2 * (double)pairs.equal / (double)off_diagonal;
    }
    *structure = s;
out:
    free(sets.columns);
    free(sets.diagonals);
    return status;
}
