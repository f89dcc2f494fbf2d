#include "analysis/structure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"

/* What takes time by the row is done in blocks of rows, and what takes time by the entry in blocks of
 * entries, so that all threads share a long row. */
#define BLOCK_ROWS 65536
#define BLOCK_ENTRIES ((int64_t)1 << 17)

/* Mirror images are sought in batches. They lie anywhere in memory, and of a batch all are waited for
 * together instead of each in turn. */
#define BATCH 64

/* The columns of a row that is searched are fetched ahead, of one of up to FETCH_COLUMNS columns all lines of
 * the cache, each of which has LINE_COLUMNS of them. Of a longer row most would be fetched in vain. */
#define FETCH_COLUMNS 64
#define LINE_COLUMNS 16

/* Bandwidths, profile, diagonal and empty rows. Columns ascend, so that the first and the last entry of row i
 * tell them: its smallest column j gives i - j to the lower bandwidth and the profile, its largest j - i to
 * the upper bandwidth, and only if the diagonal lies between them it has to be sought. */
static void scan_rows(const struct csr *a, struct progress *progress, struct structure *s)
{
    int64_t lower = 0, upper = 0, profile = 0, diagonal = 0, empty = 0;
    int64_t blocks = a->rows / BLOCK_ROWS + 1;
#pragma omp parallel for schedule(dynamic) reduction(max : lower, upper) reduction(+ : profile, diagonal, empty) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, a->rows);
        for (int64_t i = first; i < end; i++) {
            if (a->row_ptr[i] == a->row_ptr[i + 1]) {
                empty++;
                continue;
            }
            int64_t left = i - a->col[a->row_ptr[i]], right = a->col[a->row_ptr[i + 1] - 1] - i;
            lower = max(lower, left);
            upper = max(upper, right);
            profile += max(0, left);
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

/* Counts of pairs of places (i, j) and (j, i) with i < j. */
struct pairs {
    int64_t both;      /* pairs of places that both have an entry */
    int64_t equal;     /* those of them whose values are equal */
    int64_t conjugate; /* those of them whose values are conjugate */
};

static inline bool same_value(const struct csr *a, int64_t k, int64_t mirror)
{
    return a->val[k] == a->val[mirror] && (!a->imaginary || a->imaginary[k] == a->imaginary[mirror]);
}

static inline bool conjugate_value(const struct csr *a, int64_t k, int64_t mirror)
{
    return a->val[k] == a->val[mirror] && (!a->imaginary || a->imaginary[k] == -a->imaginary[mirror]);
}

/* Entries (row, col) above the diagonal, whose mirror images are sought. */
struct batch {
    int count;
    int64_t entry[BATCH]; /* their numbers */
    int32_t row[BATCH], col[BATCH];
    const int32_t *place[BATCH]; /* where row `col` of the matrix begins; later, where the mirror image is */
    int64_t length[BATCH];       /* the length of that row */
};

static void fetch_row(const int32_t *place, int64_t length)
{
    if (length <= FETCH_COLUMNS)
        for (int64_t k = 0; k < length; k += LINE_COLUMNS)
            __builtin_prefetch(place + k);
    else
        for (int64_t quarter = 1; quarter < 4; quarter++)
            __builtin_prefetch(place + length / 4 * quarter);
}

/* The first of n > 0 ascending columns that is j or larger, or if there is none the last. The search takes
 * the same steps whatever the columns are, so that no branch is guessed wrong. */
static inline const int32_t *seek(const int32_t *place, int64_t n, int32_t j)
{
    while (n > 1) {
        int64_t half = n / 2;
        place += place[half - 1] < j ? half : 0;
        n -= half;
    }
    return place;
}

/* Find the mirror images of a batch in three sweeps, each of which asks for the memory that the next one
 * needs: rows, then columns, then values. The batch is empty afterwards. */
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
    for (int b = 0; b < found; b++) {
        pairs->equal += same_value(a, batch->entry[b], batch->place[b] - a->col);
        pairs->conjugate += conjugate_value(a, batch->entry[b], batch->place[b] - a->col);
    }
    pairs->both += found;
    batch->count = 0;
}

/* Put those of entries first .. end-1 of row i that lie above the diagonal into the batch. */
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

/* The sets of columns and of diagonals that have an entry. Diagonals j - i are numbered from 0 by adding
 * rows - 1. */
struct sets {
    uint64_t *columns;
    uint64_t *diagonals;
};

static void scan_block(const struct csr *a, int64_t first, int64_t last, const struct sets *sets,
                       struct pairs *pairs)
{
    struct batch batch = {0};
    for (int64_t i = csr_row_of(a, first), k = first; k < last; i++) {
        int64_t end = min(a->row_ptr[i + 1], last);
        for (int64_t e = k; e < end; e++) {
            set_add(sets->columns, a->col[e]);
            set_add(sets->diagonals, a->col[e] - i + a->rows - 1);
        }
        if (a->rows == a->cols) gather(a, i, k, end, &batch, pairs);
        k = end;
    }
    find_mirrors(a, &batch, pairs);
}

/* Columns, diagonals and pairs, by blocks of entries. */
static struct pairs scan_entries(const struct csr *a, const struct sets *sets, struct progress *progress)
{
    int64_t nnz = csr_nnz(a), blocks = nnz / BLOCK_ENTRIES + 1, both = 0, equal = 0;
    int64_t conjugate = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : both, equal, conjugate) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_ENTRIES, last = min(first + BLOCK_ENTRIES, nnz);
        struct pairs pairs = {0};
        scan_block(a, first, last, sets, &pairs);
        both += pairs.both;
        equal += pairs.equal;
        conjugate += pairs.conjugate;
        progress_add(progress, last - first);
    }
    return (struct pairs){both, equal, conjugate};
}

size_t structure_bytes(int64_t rows, int64_t cols)
{
    return set_bytes(cols) + set_bytes(rows + cols);
}

enum status structure_of(const struct csr *a, struct progress *progress, struct structure *structure,
                         struct error *error)
{
    struct structure s = {.pattern_symmetry = NAN, .numeric_symmetry = NAN, .conjugate_symmetry = NAN};
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
        s.conjugate_symmetry = 2 * (double)pairs.conjugate / (double)off_diagonal;
    }
    *structure = s;
out:
    free(sets.columns);
    free(sets.diagonals);
    return status;
}
