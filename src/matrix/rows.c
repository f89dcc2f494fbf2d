#include "matrix/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/nonempty.h"

/* Number of rows that a thread takes at a time. */
#define STRETCH 1024

/* Maximum number of entries for insertion sort. */
#define SHORT 24

/* Entries that are sorted together, as parallel arrays. */
struct stretch {
    int32_t *col;
    double *val;
    double *imaginary; /* may be NULL */
};

static struct stretch stretch_at(const struct csr *a, int64_t first)
{
    return (struct stretch){a->col + first, a->val + first, a->imaginary ? a->imaginary + first : NULL};
}

static inline void swap(struct stretch s, int64_t p, int64_t q)
{
    int32_t col = s.col[p];
    s.col[p] = s.col[q];
    s.col[q] = col;
    double val = s.val[p];
    s.val[p] = s.val[q];
    s.val[q] = val;
    if (s.imaginary) {
        double imaginary = s.imaginary[p];
        s.imaginary[p] = s.imaginary[q];
        s.imaginary[q] = imaginary;
    }
}

/* Sort n entries by column. Equal columns stay in their order. */
static void insertion_sort(struct stretch s, int64_t n)
{
    for (int64_t k = 1; k < n; k++) {
        int32_t col = s.col[k];
        if (s.col[k - 1] <= col) continue;
        double val = s.val[k], imaginary = s.imaginary ? s.imaginary[k] : 0;
        int64_t p = k;
        for (; p > 0 && s.col[p - 1] > col; p--) {
            s.col[p] = s.col[p - 1];
            s.val[p] = s.val[p - 1];
            if (s.imaginary) s.imaginary[p] = s.imaginary[p - 1];
        }
        s.col[p] = col;
        s.val[p] = val;
        if (s.imaginary) s.imaginary[p] = imaginary;
    }
}

/* Let entry `root` sink in the heap of n entries, whose entry k has children 2k + 1 and 2k + 2, until none of
 * its children has a larger column. */
static void sift_down(struct stretch s, int64_t root, int64_t n)
{
    for (int64_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && s.col[child + 1] > s.col[child]) child++;
        if (s.col[root] >= s.col[child]) return;
        swap(s, root, child);
    }
}

static void heap_sort(struct stretch s, int64_t n)
{
    for (int64_t root = n / 2 - 1; root >= 0; root--)
        sift_down(s, root, n);
    for (int64_t last = n - 1; last > 0; last--) {
        swap(s, 0, last);
        sift_down(s, 0, last);
    }
}

static int32_t median_of_three(int32_t a, int32_t b, int32_t c)
{
    if (a > b) {
        int32_t t = a;
        a = b;
        b = t;
    }
    return c <= a ? a : c >= b ? b : c;
}

/* Introsort (Musser, "Introspective sorting and selection algorithms", Software: Practice and Experience 27,
 * 1997): quicksort, with heapsort for the rest once the recursion is `depth` deep. It is never quadratic, and
 * it works in place, which matters since a row may hold most of the matrix. The partition is Hoare's;
 * afterwards
 *
 *     0 .. high    columns <= pivot
 *     low .. n-1   columns >= pivot     (between them, if anything, columns equal to the pivot)
 *
 * The function calls itself for the smaller half and continues with the larger. */
static void sort_stretch(struct stretch s, int64_t n, int depth)
{
    while (n > SHORT) {
        if (depth-- == 0) {
            heap_sort(s, n);
            return;
        }
        int32_t pivot = median_of_three(s.col[0], s.col[n / 2], s.col[n - 1]);
        int64_t low = 0, high = n - 1;
        while (low <= high) {
            while (s.col[low] < pivot)
                low++;
            while (s.col[high] > pivot)
                high--;
            if (low <= high) swap(s, low++, high--);
        }
        struct stretch upper = {s.col + low, s.val + low, s.imaginary ? s.imaginary + low : NULL};
        if (high + 1 < n - low) {
            sort_stretch(s, high + 1, depth);
            s = upper;
            n -= low;
        } else {
            sort_stretch(upper, n - low, depth);
            n = high + 1;
        }
    }
    insertion_sort(s, n);
}

static bool is_sorted(const int32_t *col, int64_t n)
{
    int descents = 0;
    for (int64_t k = 1; k < n; k++)
        descents |= col[k - 1] > col[k];
    return !descents;
}

/* Rows of RANKED_MIN to RANKED entries are sorted by rank: an entry's position is the number of smaller
 * columns in the row,
 *
 *     rank(k) = sum over j of (col[j] < col[k]).
 *
 * That takes n^2 comparisons, but no branch depends on them, and vectors make several at once. */
#define RANKED 64
#define RANKED_MIN 16

/* Sort n entries by rank. Ranks are 0 .. n-1, and their sum n (n-1) / 2, only if no two columns are equal; if
 * two are, returns false and does nothing. The keys are padded with the largest column there can be, which is
 * smaller than none, so that the inner loop has a multiple of eight steps. */
static bool sort_by_rank(struct stretch s, int n)
{
    int32_t key[RANKED], rank[RANKED], col[RANKED];
    double val[RANKED], imaginary[RANKED];
    int padded = (n + 7) / 8 * 8, sum = 0;
    for (int k = 0; k < padded; k++)
        key[k] = k < n ? s.col[k] : INT32_MAX;
    for (int k = 0; k < n; k++) {
        int32_t smaller = 0, mine = key[k];
        for (int j = 0; j < padded; j++)
            smaller += key[j] < mine;
        rank[k] = smaller;
        sum += smaller;
    }
    if (sum != n * (n - 1) / 2) return false;
    for (int k = 0; k < n; k++) {
        col[rank[k]] = key[k];
        val[rank[k]] = s.val[k];
        if (s.imaginary) imaginary[rank[k]] = s.imaginary[k];
    }
    memcpy(s.col, col, (size_t)n * sizeof *col);
    memcpy(s.val, val, (size_t)n * sizeof *val);
    if (s.imaginary) memcpy(s.imaginary, imaginary, (size_t)n * sizeof *imaginary);
    return true;
}

/* Sort row i. Introsort may recurse twice as deep as halving would take. */
static void sort_row(const struct csr *a, int64_t i)
{
    int64_t first = a->row_ptr[i], n = a->row_ptr[i + 1] - first;
    if (n < 2 || is_sorted(a->col + first, n)) return;
    if (n >= RANKED_MIN && n <= RANKED && sort_by_rank(stretch_at(a, first), (int)n)) return;
    int depth = 2 * (64 - __builtin_clzll((unsigned long long)n));
    sort_stretch(stretch_at(a, first), n, depth);
}

enum status rows_sort(struct csr *a, struct progress *progress, struct error *error)
{
    int64_t stretches = (a->rows + STRETCH - 1) / STRETCH;
#pragma omp parallel for schedule(dynamic, 1) if (a->rows + csr_nnz(a) > PARALLEL_MIN)
    for (int64_t s = 0; s < stretches; s++) {
        if (progress_cancelled(progress)) continue;
        int64_t end = s + 1 < stretches ? (s + 1) * STRETCH : a->rows;
        for (int64_t i = nonempty_from(a->row_ptr, s * STRETCH, end); i < end;
             i = nonempty_from(a->row_ptr, i + 1, end))
            sort_row(a, i);
        progress_add(progress, end - s * STRETCH);
    }
    return progress_status(progress, error);
}

/* Return the number of entries with the same column as the previous entry of their row. */
static int64_t count_duplicates(const struct csr *a)
{
    int64_t duplicates = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : duplicates) if (a->rows + csr_nnz(a) > PARALLEL_MIN)
    for (int64_t first = 0; first < a->rows; first += STRETCH) {
        const int64_t end = first + STRETCH < a->rows ? first + STRETCH : a->rows;
        for (int64_t i = nonempty_from(a->row_ptr, first, end); i < end;
             i = nonempty_from(a->row_ptr, i + 1, end))
            for (int64_t k = a->row_ptr[i] + 1; k < a->row_ptr[i + 1]; k++)
                duplicates += a->col[k] == a->col[k - 1];
    }
    return duplicates;
}

/* The signs with which values are compared and added, of the real and the imaginary parts. Entries of the
 * upper triangle have the signs of their mirror images. So a group of duplicates and its mirror image have
 * the same order, and their sums are mirror images of each other to the last bit. */
struct signs {
    double val, imaginary;
};

static struct signs signs_at(enum symmetry symmetry, int64_t i, int64_t j)
{
    bool upper = i < j;
    return (struct signs){
        .val = upper && symmetry == SYMMETRY_SKEW ? -1 : 1,
        .imaginary = upper && (symmetry == SYMMETRY_SKEW || symmetry == SYMMETRY_HERMITIAN) ? -1 : 1};
}

/* Compare two values. The result is negative if x comes before y, 0 if they are equal, else positive: by
 * value, -0 before 0, NaN last. */
static int compare(double x, double y)
{
    if (isnan(x) || isnan(y)) return (isnan(x) != 0) - (isnan(y) != 0);
    if (x == y) return (signbit(y) != 0) - (signbit(x) != 0);
    return x < y ? -1 : 1;
}

/* Return true if entry p comes before entry q in the order in which three or more duplicates are added.
 * Floating-point addition is not associative, and the order of entries depends on the threads: any order that
 * depends only on the values suffices. */
static bool value_before(struct stretch s, int64_t p, int64_t q, struct signs signs)
{
    int order = compare(signs.val * s.val[p], signs.val * s.val[q]);
    if (order == 0 && s.imaginary)
        order = compare(signs.imaginary * s.imaginary[p], signs.imaginary * s.imaginary[q]);
    return order < 0;
}

/* Add n entries up into the first. Two need no order, since addition commutes; more are sorted by heapsort,
 * since there may be as many as the row has. */
static void sum_group(struct stretch s, int64_t n, struct signs signs)
{
    if (n > 2)
        for (int64_t last = n; last > 1; last--) {
            int64_t start = last == n ? n / 2 - 1 : 0;
            for (int64_t root = start; root >= 0; root--)
                for (int64_t r = root, child; (child = 2 * r + 1) < last; r = child) {
                    if (child + 1 < last && value_before(s, child, child + 1, signs)) child++;
                    if (!value_before(s, r, child, signs)) break;
                    swap(s, r, child);
                }
            swap(s, 0, last - 1);
        }
    /* The sum of opposite numbers is 0 and not -0 in both triangles, unless one triangle is summed with the
     * signs of the other. */
    s.val[0] *= signs.val;
    if (s.imaginary) s.imaginary[0] *= signs.imaginary;
    for (int64_t k = 1; k < n; k++) {
        s.val[0] += signs.val * s.val[k];
        if (s.imaginary) s.imaginary[0] += signs.imaginary * s.imaginary[k];
    }
    s.val[0] *= signs.val;
    if (s.imaginary) s.imaginary[0] *= signs.imaginary;
}

/* A duplicate of a symmetric source occurs in two rows; it is counted on or below the diagonal. */
static bool counts_here(const struct source *source, int64_t i, int64_t j)
{
    return source->symmetry == SYMMETRY_GENERAL || i >= j;
}

/* Merge entries first .. first + n-1, which have one column of row i of the whole matrix, into the first of
 * them. */
static enum status merge_group(const struct csr *a, int64_t i, int64_t first, int64_t n,
                               const struct source *source, const struct mirrors *mirrors,
                               struct build_result *result, struct error *error)
{
    int64_t j = a->col[first];
    if (source->duplicates == DUPLICATES_KEEP) return STATUS_OK;
    if (mirrors_agree(mirrors, i, j)) {
        if (i > j) result->agreeing_mirrors += n - 1;
        return STATUS_OK;
    }
    sum_group(stretch_at(a, first), n, signs_at(source->symmetry, i, j));
    if (counts_here(source, i, j)) result->duplicates += n - 1;
    return source->summed ? summed_add(source->summed, i, j, n, error) : STATUS_OK;
}

enum status rows_merge(struct csr *a, const struct source *source, const struct mirrors *mirrors,
                       struct build_result *result, struct error *error)
{
    if (count_duplicates(a) == 0) return STATUS_OK;
    int64_t kept = 0, first = 0;
    enum status status = STATUS_OK;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t end = a->row_ptr[i + 1];
        for (int64_t k = first, n; k < end; k += n) {
            for (n = 1; k + n < end && a->col[k + n] == a->col[k];)
                n++;
            if (n > 1) status = merge_group(a, source->first_row + i, k, n, source, mirrors, result, error);
            if (status != STATUS_OK) return status;
            csr_move(a, k, kept++);
        }
        first = end;
        a->row_ptr[i + 1] = kept;
    }
    /* If the system refuses to shrink an array, the longer one is kept. */
    void *shrunk;
    if ((shrunk = memory_resize(a->col, (size_t)kept, sizeof *a->col, NULL))) a->col = shrunk;
    if ((shrunk = memory_resize(a->val, (size_t)kept, sizeof *a->val, NULL))) a->val = shrunk;
    if (a->imaginary && (shrunk = memory_resize(a->imaginary, (size_t)kept, sizeof *a->imaginary, NULL)))
        a->imaginary = shrunk;
    return STATUS_OK;
}
