#include "analysis/structure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/range.h"
#include "base/set.h"
#include "matrix/nonempty.h"

/* Work per row is divided into blocks of rows, and work per entry into blocks of entries, so that all threads
 * share a long row. */
#define BLOCK_ROWS 65536
#define BLOCK_ENTRIES ((int64_t)1 << 17)

/* Mirror images are looked up in batches. They lie anywhere in memory, and the accesses of a batch
 * overlap. */
#define BATCH 64

/* The columns of a row are prefetched before it is searched: all cache lines, of LINE_COLUMNS columns each,
 * if the row has up to FETCH_COLUMNS columns. For a longer row most prefetches would be useless. */
#define FETCH_COLUMNS 64
#define LINE_COLUMNS 16

/* Bandwidths, profile, diagonal and empty rows. Columns ascend, so that the first and the last entry of row i
 * suffice. Its smallest column j contributes i - j to the lower bandwidth and the profile, its largest j - i
 * to the upper bandwidth. The diagonal is searched only if it lies between them. */
static void scan_rows(const struct slab *slab, struct progress *progress, struct structure_part *part)
{
    const struct csr *a = slab->a;
    int64_t lower = 0, upper = 0, profile = 0, diagonal = 0, empty = 0;
    int64_t blocks = a->rows / BLOCK_ROWS + 1;
#pragma omp parallel for schedule(dynamic) reduction(max : lower, upper) reduction(+ : profile, diagonal, empty) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, a->rows);
        empty += end - first;
        for (int64_t r = nonempty_from(a->row_ptr, first, end); r < end;
             r = nonempty_from(a->row_ptr, r + 1, end)) {
            empty--;
            int64_t i = slab->first + r;
            int64_t left = i - a->col[a->row_ptr[r]], right = a->col[a->row_ptr[r + 1] - 1] - i;
            lower = max(lower, left);
            upper = max(upper, right);
            profile += max(0, left);
            diagonal += left >= 0 && right >= 0 && csr_find(a, r, i) >= 0;
        }
        progress_add(progress, end - first);
    }
    part->lower_bandwidth = lower;
    part->upper_bandwidth = upper;
    part->profile = profile;
    part->diagonal_nonzeros = diagonal;
    part->empty_rows = empty;
}

/* Counts of pairs of positions (i, j) and (j, i) with i < j. */
struct pairs {
    int64_t both;      /* pairs with an entry at both positions */
    int64_t equal;     /* of these, pairs with equal values */
    int64_t conjugate; /* of these, pairs with conjugate values */
};

/* Entries above the diagonal, whose mirror images are to be found. */
struct batch {
    int count;
    struct mirror sought[BATCH];
    const int32_t
        *place[BATCH]; /* the beginning of the mirror image's row; later, the position of the mirror image */
    int64_t length[BATCH]; /* the length of that row */
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

/* The first of n > 0 ascending columns that is >= j, or the last if there is none. The steps do not depend on
 * the columns, so that no branch is mispredicted. */
static inline const int32_t *seek(const int32_t *place, int64_t n, int32_t j)
{
    while (n > 1) {
        int64_t half = n / 2;
        place += place[half - 1] < j ? half : 0;
        n -= half;
    }
    return place;
}

static void compare(const struct csr *a, const struct mirror *sought, int64_t k, struct pairs *pairs)
{
    bool same = sought->real == a->val[k];
    double imaginary = a->imaginary ? a->imaginary[k] : 0;
    pairs->equal += same && sought->imaginary == imaginary;
    pairs->conjugate += same && sought->imaginary == -imaginary;
}

/* Find the mirror images of a batch in three sweeps, each of which asks for the memory that the next one
 * needs: rows, then columns, then values. The batch is empty afterwards. */
static void find_mirrors(const struct slab *slab, struct batch *batch, struct pairs *pairs)
{
    const struct csr *a = slab->a;
    int found = 0;
    for (int b = 0; b < batch->count; b++) {
        const int64_t *offsets = &a->row_ptr[batch->sought[b].col - slab->first];
        batch->place[b] = a->col + offsets[0];
        batch->length[b] = offsets[1] - offsets[0];
        fetch_row(batch->place[b], batch->length[b]);
    }
    for (int b = 0; b < batch->count; b++) {
        if (batch->length[b] == 0) continue;
        const int32_t *place = seek(batch->place[b], batch->length[b], batch->sought[b].row);
        if (*place != batch->sought[b].row) continue;
        __builtin_prefetch(&a->val[place - a->col]);
        batch->place[found] = place;
        batch->sought[found++] = batch->sought[b];
    }
    for (int b = 0; b < found; b++)
        compare(a, &batch->sought[b], batch->place[b] - a->col, pairs);
    pairs->both += found;
    batch->count = 0;
}

/* Where most mirror images are missing, a hashed set of the entries below the diagonal shows it for most of
 * these faster than a search. The share that exists is estimated from SAMPLED entries at equal distances. The
 * set has at least SET_BITS bits for each entry of the matrix. */
#define SAMPLED 512
#define SET_LEAST 65536 /* entries from which a set is worthwhile */
#define SET_BITS 4

struct below {
    uint64_t *set; /* NULL: none */
    int shift;
};

static int64_t place_below(const struct below *below, int64_t row, int64_t col)
{
    return (int64_t)(((uint64_t)row << 32 | (uint64_t)col) * UINT64_C(0x9E3779B97F4A7C15) >> below->shift);
}

static struct mirror mirror_of(const struct slab *slab, int64_t r, int64_t k)
{
    const struct csr *a = slab->a;
    return (struct mirror){.row = (int32_t)(slab->first + r),
                           .col = a->col[k],
                           .real = a->val[k],
                           .imaginary = a->imaginary ? a->imaginary[k] : 0};
}

/* Put the entries above the diagonal among entries first .. end-1 of row r of the slab into the batch, if the
 * slab has the rows of their mirror images. */
static void gather(const struct slab *slab, int64_t r, int64_t first, int64_t end, struct batch *batch,
                   const struct below *below, struct pairs *pairs)
{
    const struct csr *a = slab->a;
    const int64_t i = slab->first + r, last = slab->first + a->rows;
    for (int64_t k = first; k < end; k++) {
        if (a->col[k] <= i || a->col[k] >= last) continue;
        if (below->set && set_lacks(below->set, place_below(below, a->col[k], i))) continue;
        batch->sought[batch->count++] = mirror_of(slab, r, k);
        __builtin_prefetch(&a->row_ptr[a->col[k] - slab->first]);
        if (batch->count == BATCH) find_mirrors(slab, batch, pairs);
    }
}

static void scan_block(const struct slab *slab, int64_t first, int64_t last,
                       const struct structure_part *part, const struct below *below, struct pairs *pairs)
{
    const struct csr *a = slab->a;
    struct batch batch = {0};
    for (int64_t r = csr_row_of(a, first), k = first; k < last; r++) {
        r = nonempty_from(a->row_ptr, r, a->rows);
        int64_t end = min(a->row_ptr[r + 1], last), from = slab->rows - 1 - slab->first - r;
        for (int64_t e = k; e < end; e++) {
            set_add(part->columns, a->col[e]);
            set_add(part->diagonals, a->col[e] + from);
        }
        if (slab->rows == slab->cols) gather(slab, r, k, end, &batch, below, pairs);
        k = end;
    }
    find_mirrors(slab, &batch, pairs);
}

/* True if most of the sampled entries above the diagonal have no mirror image. */
static bool mostly_missing(const struct slab *slab)
{
    const struct csr *a = slab->a;
    const int64_t nnz = csr_nnz(a), last = slab->first + a->rows;
    int64_t above = 0, there = 0;
    for (int64_t s = 0; s < SAMPLED; s++) {
        const int64_t k = nnz / SAMPLED * s, r = csr_row_of(a, k), i = slab->first + r;
        if (a->col[k] <= i || a->col[k] >= last) continue;
        above++;
        there += csr_find(a, a->col[k] - slab->first, i) >= 0;
    }
    return 2 * there < above;
}

/* Make the set of the entries below the diagonal whose mirror images lie in rows of the slab, if it helps.
 * Without memory there is none. */
static struct below set_below(const struct slab *slab, struct progress *progress)
{
    const struct csr *a = slab->a;
    const int64_t nnz = csr_nnz(a), blocks = a->rows / BLOCK_ROWS + 1;
    struct below below = {.shift = 64};
    if (slab->rows != slab->cols || nnz < SET_LEAST || !mostly_missing(slab)) return below;
    while ((int64_t)1 << (64 - below.shift) < SET_BITS * nnz)
        below.shift--;
    below.set = set_new((int64_t)1 << (64 - below.shift), NULL);
    if (!below.set) return below;
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t first = b * BLOCK_ROWS, end = min(first + BLOCK_ROWS, a->rows);
        if (progress_cancelled(progress)) continue;
        for (int64_t r = nonempty_from(a->row_ptr, first, end); r < end;
             r = nonempty_from(a->row_ptr, r + 1, end)) {
            const int64_t i = slab->first + r;
            for (int64_t k = a->row_ptr[r]; k < a->row_ptr[r + 1] && a->col[k] < i; k++)
                set_add(below.set, place_below(&below, i, a->col[k]));
        }
    }
    return below;
}

/* Columns, diagonals and pairs, by blocks of entries. */
static void scan_entries(const struct slab *slab, struct progress *progress, struct structure_part *part)
{
    int64_t nnz = csr_nnz(slab->a), blocks = nnz / BLOCK_ENTRIES + 1, both = 0, equal = 0;
    int64_t conjugate = 0;
    const struct below below = set_below(slab, progress);
#pragma omp parallel for schedule(dynamic) reduction(+ : both, equal, conjugate) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t first = b * BLOCK_ENTRIES, last = min(first + BLOCK_ENTRIES, nnz);
        struct pairs pairs = {0};
        scan_block(slab, first, last, part, &below, &pairs);
        both += pairs.both;
        equal += pairs.equal;
        conjugate += pairs.conjugate;
        progress_add(progress, last - first);
    }
    free(below.set);
    part->both = both;
    part->equal = equal;
    part->conjugate = conjugate;
}

size_t structure_bytes(int64_t rows, int64_t cols)
{
    return set_bytes(cols) + set_bytes(rows + cols);
}

enum status structure_scan(const struct slab *slab, struct progress *progress, struct structure_part *part,
                           struct error *error)
{
    *part = (struct structure_part){0};
    progress_phase(progress, "structure", slab->a->rows + csr_nnz(slab->a));
    part->columns = set_new(slab->cols, error);
    part->diagonals = part->columns ? set_new(slab->rows + slab->cols, error) : NULL;
    if (!part->diagonals) return STATUS_MEMORY;
    scan_rows(slab, progress, part);
    scan_entries(slab, progress, part);
    return progress_status(progress, error);
}

int64_t structure_beyond(const struct slab *slab, int64_t *row, int64_t *entry, struct mirror *mirrors,
                         int64_t most)
{
    const struct csr *a = slab->a;
    int64_t count = 0;
    if (slab->rows != slab->cols) *row = a->rows;
    for (; *row < a->rows; ++*row, *entry = 0) {
        int64_t k = *entry ? *entry : csr_lower_bound(a, *row, slab->first + a->rows);
        for (; k < a->row_ptr[*row + 1] && count < most; k++)
            mirrors[count++] = mirror_of(slab, *row, k);
        *entry = k;
        if (count == most) break;
    }
    return count;
}

void structure_meet(const struct slab *slab, const struct mirror *mirrors, int64_t count,
                    struct structure_part *part)
{
    struct pairs pairs = {0};
    struct batch batch = {0};
    for (int64_t k = 0; k < count; k++) {
        batch.sought[batch.count++] = mirrors[k];
        __builtin_prefetch(&slab->a->row_ptr[mirrors[k].col - slab->first]);
        if (batch.count == BATCH) find_mirrors(slab, &batch, &pairs);
    }
    find_mirrors(slab, &batch, &pairs);
    part->both += pairs.both;
    part->equal += pairs.equal;
    part->conjugate += pairs.conjugate;
}

void structure_join(struct structure_part *to, const struct structure_part *from)
{
    to->lower_bandwidth = max(to->lower_bandwidth, from->lower_bandwidth);
    to->upper_bandwidth = max(to->upper_bandwidth, from->upper_bandwidth);
    to->profile += from->profile;
    to->diagonal_nonzeros += from->diagonal_nonzeros;
    to->empty_rows += from->empty_rows;
    to->both += from->both;
    to->equal += from->equal;
    to->conjugate += from->conjugate;
}

void structure_finish(const struct structure_part *part, int64_t rows, int64_t cols, int64_t nnz,
                      struct structure *structure)
{
    int64_t off_diagonal = nnz - part->diagonal_nonzeros;
    bool pairs = rows == cols && off_diagonal > 0;
    *structure = (struct structure){
        .lower_bandwidth = part->lower_bandwidth,
        .upper_bandwidth = part->upper_bandwidth,
        .profile = part->profile,
        .diagonal_nonzeros = part->diagonal_nonzeros,
        .diagonals = set_count(part->diagonals, rows + cols),
        .empty_rows = part->empty_rows,
        .empty_cols = cols - set_count(part->columns, cols),
        .pattern_symmetry = pairs ? 2 * (double)part->both / (double)off_diagonal : NAN,
        .numeric_symmetry = pairs ? 2 * (double)part->equal / (double)off_diagonal : NAN,
        .conjugate_symmetry = pairs ? 2 * (double)part->conjugate / (double)off_diagonal : NAN,
        .symmetry_error = NAN,
    };
}

void structure_part_free(struct structure_part *part)
{
    free(part->columns);
    free(part->diagonals);
    *part = (struct structure_part){0};
}

enum status structure_of(const struct csr *a, struct progress *progress, struct structure *structure,
                         struct error *error)
{
    const struct slab slab = slab_of(a);
    struct structure_part part;
    *structure =
        (struct structure){.pattern_symmetry = NAN, .numeric_symmetry = NAN, .conjugate_symmetry = NAN};
    enum status status = structure_scan(&slab, progress, &part, error);
    if (status == STATUS_OK) structure_finish(&part, a->rows, a->cols, csr_nnz(a), structure);
    structure_part_free(&part);
    return status;
}
