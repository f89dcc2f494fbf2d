#include "support/support.h"

#include <stdlib.h>

#include "base/memory.h"

uint32_t support_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((*state >> 32) * below) >> 32);
}

static struct csr allocate(int64_t rows, int64_t cols, int64_t nnz, bool complex)
{
    struct csr a = {.rows = rows, .cols = cols};
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)nnz, sizeof *a.col, NULL);
    a.val = memory_array((size_t)nnz, sizeof *a.val, NULL);
    if (complex) a.imaginary = memory_array((size_t)nnz, sizeof *a.imaginary, NULL);
    if (!a.row_ptr || !a.col || !a.val || (complex && !a.imaginary)) abort();
    return a;
}

struct csr support_dense(int64_t rows, int64_t cols, const double *values)
{
    struct csr a = allocate(rows, cols, rows * cols, false);
    int64_t n = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            if (values[i * cols + j] == 0) continue;
            a.col[n] = (int32_t)j;
            a.val[n++] = values[i * cols + j];
        }
        a.row_ptr[i + 1] = n;
    }
    return a;
}

/* How likely an entry of row i is, in millionths. */
static uint32_t millionths(int64_t i, double density, bool skewed)
{
    if (i % 17 == 5) return 0;
    if (skewed && i % 29 == 3) return 1000000;
    return (uint32_t)(density * 1e6);
}

/* Entries before their number is known. */
struct drawn {
    int32_t *col;
    double *val, *imaginary;
    int64_t count, room;
};

static void draw_entry(struct drawn *drawn, uint64_t *state, int64_t j, bool complex)
{
    if (drawn->count == drawn->room) {
        drawn->room = 2 * drawn->room + 64;
        drawn->col = realloc(drawn->col, (size_t)drawn->room * sizeof *drawn->col);
        drawn->val = realloc(drawn->val, (size_t)drawn->room * sizeof *drawn->val);
        drawn->imaginary = realloc(drawn->imaginary, (size_t)drawn->room * sizeof *drawn->imaginary);
        if (!drawn->col || !drawn->val || !drawn->imaginary) abort();
    }
    drawn->col[drawn->count] = (int32_t)j;
    drawn->val[drawn->count] = (double)support_random(state, 5) - 2;
    drawn->imaginary[drawn->count++] = complex ? (double)support_random(state, 3) - 1 : 0;
}

struct csr support_matrix(int64_t rows, int64_t cols, double density, bool skewed, bool complex,
                          uint64_t seed)
{
    struct drawn drawn = {0};
    uint64_t state = seed;
    int64_t *ends = malloc(((size_t)rows + 1) * sizeof *ends);
    if (!ends) abort();
    for (int64_t i = 0; i < rows; i++) {
        const uint32_t likely = millionths(i, density, skewed);
        for (int64_t j = 0; j < cols; j++)
            if (support_random(&state, 1000000) < likely) draw_entry(&drawn, &state, j, complex);
        ends[i] = drawn.count;
    }
    struct csr a = allocate(rows, cols, drawn.count, complex);
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = ends[i];
    for (int64_t k = 0; k < drawn.count; k++) {
        a.col[k] = drawn.col[k];
        a.val[k] = drawn.val[k];
        if (complex) a.imaginary[k] = drawn.imaginary[k];
    }
    free(drawn.col);
    free(drawn.val);
    free(drawn.imaginary);
    free(ends);
    return a;
}

/* The number of entry (i, j), or -1: rows are gone through. */
static int64_t find(const struct csr *a, int64_t i, int64_t j)
{
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        if (a->col[k] == j) return k;
    return -1;
}

/* The entry (i, j) of the matrix whose lower triangle is that of `half`: its number there, or -1. */
static int64_t source_of(const struct csr *half, enum symmetry symmetry, int64_t i, int64_t j)
{
    const int64_t k = i < j ? find(half, j, i) : find(half, i, j);
    return i == j && symmetry == SYMMETRY_SKEW ? -1 : k;
}

struct csr support_symmetric(enum symmetry symmetry, int64_t n, double density, bool skewed, bool complex,
                             uint64_t seed)
{
    struct csr half = support_matrix(n, n, density, skewed, complex, seed);
    struct csr a = allocate(n, n, 2 * csr_nnz(&half), complex);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            const int64_t k = source_of(&half, symmetry, i, j);
            const bool image = i < j;
            if (k < 0) continue;
            a.col[count] = (int32_t)j;
            a.val[count] = image && symmetry == SYMMETRY_SKEW ? -half.val[k] : half.val[k];
            if (complex)
                a.imaginary[count] = i == j && symmetry == SYMMETRY_HERMITIAN  ? 0
                                     : image && symmetry != SYMMETRY_SYMMETRIC ? -half.imaginary[k]
                                                                               : half.imaginary[k];
            count++;
        }
        a.row_ptr[i + 1] = count;
    }
    csr_free(&half);
    return a;
}
