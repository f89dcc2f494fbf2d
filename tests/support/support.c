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

struct csr support_matrix(int64_t rows, int64_t cols, double density, bool skewed, bool complex,
                          uint64_t seed)
{
    struct csr a = {0};
    for (int pass = 0; pass < 2; pass++) {
        uint64_t state = seed;
        int64_t n = 0;
        for (int64_t i = 0; i < rows; i++) {
            for (int64_t j = 0; j < cols; j++) {
                if (support_random(&state, 1000000) >= millionths(i, density, skewed)) continue;
                double real = (double)support_random(&state, 5) - 2;
                double imaginary = complex ? (double)support_random(&state, 3) - 1 : 0;
                if (pass) {
                    a.col[n] = (int32_t)j;
                    a.val[n] = real;
                    if (complex) a.imaginary[n] = imaginary;
                }
                n++;
            }
            if (pass) a.row_ptr[i + 1] = n;
        }
        if (!pass) a = allocate(rows, cols, n, complex);
    }
    return a;
}
