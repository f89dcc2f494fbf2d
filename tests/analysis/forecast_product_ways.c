/* Forecasts of products with several vectors know which loops a kernel takes for a matrix: windows of rows,
 * vectors read as they lie, and narrow passes. Counts are compared with loops over all requests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/products/products.h"
#include "support/cmocka.h"
#include "support/estimating.h"
#include "support/support.h"

static struct estimate estimate_of(const struct csr *a, const char *name, const struct gpu *gpu,
                                   struct product product)
{
    return estimating_product(a, NULL, name, gpu, product);
}

/* A band of this many columns from the diagonal on; every `gap`-th column is empty. */
static struct csr band_of(int32_t rows, int32_t width, int32_t gap)
{
    struct csr a = {.rows = rows, .cols = rows};
    a.row_ptr = malloc(((size_t)rows + 1) * sizeof *a.row_ptr);
    a.col = malloc((size_t)rows * (size_t)width * sizeof *a.col);
    a.val = calloc((size_t)rows * (size_t)width, sizeof *a.val);
    int64_t count = 0;
    for (int32_t i = 0; i < rows; i++) {
        a.row_ptr[i] = count;
        for (int32_t j = i; j < i + width && j < rows; j++)
            if (j % gap) a.col[count++] = j;
    }
    a.row_ptr[rows] = count;
    return a;
}

/* The tiles of four columns in windows of eight rows. */
static double tiles_of(const struct csr *a)
{
    char *seen = malloc((size_t)a->cols);
    double tiles = 0;
    assert_non_null(seen);
    for (int64_t first = 0; first < a->rows; first += 8) {
        int columns = 0;
        memset(seen, 0, (size_t)a->cols);
        for (int64_t k = a->row_ptr[first]; k < a->row_ptr[first + 8 < a->rows ? first + 8 : a->rows]; k++) {
            columns += !seen[a->col[k]];
            seen[a->col[k]] = 1;
        }
        tiles += (columns + 3) / 4;
    }
    free(seen);
    return tiles;
}

/* In double precision a warp loads the first tile of its window, then for each tile 16 bytes of columns, 256
 * of values, and of each of its four columns the vectors of its pass. 250 windows have so few warps that a
 * pass takes 8 vectors only. */
static void windows_load_each_column_once(void **state)
{
    struct csr a = band_of(2000, 40, 5);
    const struct gpu gpu = estimating_gpu("h200");
    const double tiles = tiles_of(&a), passes = 2;
    const struct product product = {.columns = 16, .by_rows = true};
    const struct estimate estimate = estimate_of(&a, "cuda/csr-vector", &gpu, product);
    assert_int_equal(product_windows_passes(250, 16, 8, gpu.multiprocessors), 2);
    expect_near((double)estimate.accesses[ACCESS_LOAD].sectors,
                passes * (250 + tiles * (1 + 8) + tiles * 4 * 2), 1e-9, "sectors");
    expect_near((double)estimate.accesses[ACCESS_LOAD].lines, passes * (250 + tiles * (1 + 2) + tiles * 4),
                1e-9, "lines");
    expect_near(estimate.memory.sectors[OPERAND_X], passes * tiles * 4 * 2, 1e-9, "sectors of X from L2");
    expect_near(memory_sum(estimate.memory.reads), 251 * 8 + tiles * (16 + 256) + 1600 * 16 * 8, 0.02,
                "bytes read with flushed caches");
    assert_int_equal(estimate.steps.launches, 1);
    csr_free(&a);
}

/* A window takes fewer columns than eight rows have, so that scattered matrices, single vectors of seven, and
 * GPUs without such tensor cores have none. */
static void others_have_no_windows(void **state)
{
    struct csr band = band_of(2000, 40, 5), scattered = support_matrix(2000, 2000, 0.01, false, false, 1);
    const struct product sixteen = {.columns = 16, .by_rows = true}, seven = {.columns = 7, .by_rows = true};
    struct gpu gpu = estimating_gpu("h200");
    const double entries = (double)csr_nnz(&band), all = (double)csr_nnz(&scattered);
    /* By rows each entry loads its element of X: 128 bytes, and 56 of seven, which touch 2.5 sectors. */
    assert_true(
        (double)estimate_of(&scattered, "cuda/csr-vector", &gpu, sixteen).accesses[ACCESS_LOAD].sectors >
        4 * all);
    assert_true((double)estimate_of(&band, "cuda/csr-vector", &gpu, seven).accesses[ACCESS_LOAD].sectors >
                2 * entries);
    assert_true((double)estimate_of(&band, "cuda/csr-vector", &gpu, sixteen).accesses[ACCESS_LOAD].sectors <
                4 * entries);
    gpu.major = 7;
    assert_true((double)estimate_of(&band, "cuda/csr-vector", &gpu, sixteen).accesses[ACCESS_LOAD].sectors >
                4 * entries);
    csr_free(&band);
    csr_free(&scattered);
}

/* An excerpt has some rows in groups of neighbours; the tiles are those of the whole matrix. */
static void excerpts_count_the_windows_of_the_whole(void **state)
{
    struct csr a = band_of(40000, 40, 5);
    struct excerpt excerpt;
    struct error error = {0};
    const struct gpu gpu = estimating_gpu("h200");
    const struct product product = {.columns = 16, .by_rows = true};
    assert_int_equal(excerpt_of(&a, 100000, NULL, &excerpt, &error), STATUS_OK);
    assert_true(excerpt.there && excerpt.rows.rows < 20000);
    const struct estimate whole = estimate_of(&a, "cuda/csr-vector", &gpu, product),
                          part = estimating_product(&a, &excerpt, "cuda/csr-vector", &gpu, product);
    expect_near((double)part.accesses[ACCESS_LOAD].sectors, (double)whole.accesses[ACCESS_LOAD].sectors, 0.02,
                "sectors");
    excerpt_free(&excerpt);
    csr_free(&a);
}

/* sell with vectors by columns: 32 lanes have 32 rows, and load one element of one vector each. Neighbouring
 * rows of the band have neighbouring columns, so that they share sectors. No vector is turned. */
static void vectors_are_read_as_they_lie(void **state)
{
    struct csr a = band_of(4000, 6, 4001);
    const struct gpu gpu = estimating_gpu("h200");
    const struct product product = {.columns = 8};
    double x = 0;
    for (int64_t first = 0; first < a.rows; first += 32)
        for (int64_t slot = 0; slot < 6; slot++) {
            int64_t before = -1;
            for (int64_t i = first; i < first + 32 && i < a.rows; i++) {
                if (a.row_ptr[i] + slot >= a.row_ptr[i + 1]) continue;
                const int64_t sector = a.col[a.row_ptr[i] + slot] * (int64_t)8 / 32;
                x += 8 * (sector != before);
                before = sector;
            }
        }
    const struct estimate estimate = estimate_of(&a, "cuda/sell:c=32,sigma=1", &gpu, product);
    const double each = product_straight_vectors(4000, 8, 8, (int64_t)gpu.multiprocessors * 2048);
    expect_near((double)estimate.accesses[ACCESS_LOAD].sectors, x + 8 / each * 24000 * 12 / 32, 0.03,
                "sectors");
    assert_int_equal(estimate.steps.launches, 1);
    /* Scattered columns are gathered from vectors that are turned first. */
    struct csr scattered = support_matrix(100000, 100000, 0.0004, false, false, 1);
    assert_int_equal(estimate_of(&scattered, "cuda/sell:c=32,sigma=1", &gpu, product).steps.launches, 2);
    csr_free(&a);
    csr_free(&scattered);
}

/* X of 64 vectors has 2.5 MB, of 16 vectors 0.6. If L2 has 1.3 MB, a pass takes 16, and columns and values
 * are loaded four times; not those of a band, whose part of X stays in L2. */
static void passes_are_narrow_beyond_l2(void **state)
{
    struct csr scattered = support_matrix(5000, 5000, 0.004, false, false, 1), band = band_of(5000, 20, 5001);
    const struct product product = {.columns = 64, .by_rows = true};
    const double all = (double)csr_nnz(&scattered);
    struct gpu gpu = estimating_gpu("h200");
    const double once = estimate_of(&scattered, "cuda/sell", &gpu, product).memory.sectors[OPERAND_VALUES];
    gpu.cache = 1300000;
    const double four = estimate_of(&scattered, "cuda/sell", &gpu, product).memory.sectors[OPERAND_VALUES];
    expect_near(four, 4 * once, 1e-9, "sectors of values in narrow passes");
    assert_true(once >= all * 8 / 32);
    expect_near(estimate_of(&band, "cuda/sell", &gpu, product).memory.sectors[OPERAND_VALUES],
                (double)csr_nnz(&band) * 8 / 32, 0.02, "sectors of values of a band");
    csr_free(&scattered);
    csr_free(&band);
}

/* Many entries of COO whose vectors few lanes share are staged: neighbouring lanes load neighbouring entries,
 * 32 rows or columns of 4 bytes in 4 sectors. With eight lanes they are not staged, and a request has four.
 */
static void staged_entries_are_loaded_in_order(void **state)
{
    struct csr a = support_matrix(3000, 3000, 0.13, false, false, 1);
    struct gpu gpu = estimating_gpu("h200");
    gpu.multiprocessors = 66;
    const double nnz = (double)csr_nnz(&a);
    const struct estimate staged =
        estimate_of(&a, "cuda/coo-segmented", &gpu, (struct product){.columns = 4, .by_rows = true});
    const struct estimate apart =
        estimate_of(&a, "cuda/coo-segmented", &gpu, (struct product){.columns = 16, .by_rows = true});
    /* An entry loads a sector of X for 4 doubles, and a line for 16. */
    expect_near((double)staged.accesses[ACCESS_LOAD].lines, nnz + 3 * nnz / 32, 0.01, "lines, staged");
    expect_near((double)apart.accesses[ACCESS_LOAD].lines, nnz + 3 * nnz / 4, 0.01, "lines");
    csr_free(&a);
}

/* Windows add the sum of a column over eight rows once, for 8 vectors of 64 bytes in all. Without windows
 * each entry is added. Vectors stored by rows are not turned. */
static void windows_add_each_column_once(void **state)
{
    struct csr a = band_of(2000, 40, 5);
    struct gpu gpu = estimating_gpu("h200");
    const double tiles = tiles_of(&a), entries = (double)csr_nnz(&a);
    const struct product product = {.columns = 16, .by_rows = true, .transposed = true};
    const struct estimate windows = estimate_of(&a, "cuda/csr-vector", &gpu, product);
    expect_near((double)windows.accesses[ACCESS_REDUCTION].sectors, 2 * tiles * 4 * 2, 1e-9, "additions");
    gpu.major = 7;
    const struct estimate rows = estimate_of(&a, "cuda/csr-vector", &gpu, product);
    assert_true((double)rows.accesses[ACCESS_REDUCTION].sectors >= entries * 16 * 8 / 32);
    csr_free(&a);
}

/* A^T of coo-atomic adds to vectors by columns as they lie if neighbouring entries have near columns and
 * there are many rows: one launch, after Y is cleared. Entries of a row that are 10 columns apart touch a
 * sector each. */
static void entries_add_to_vectors_as_they_lie(void **state)
{
    struct csr a = band_of(100000, 3, 100001), many = band_of(100000, 40, 100001);
    const struct gpu gpu = estimating_gpu("h200");
    const struct product product = {.columns = 8, .transposed = true};
    const struct estimate apart = estimate_of(&a, "cuda/coo-atomic", &gpu, product),
                          turned = estimate_of(&many, "cuda/coo-atomic", &gpu, product);
    assert_int_equal(apart.steps.launches, 2);
    assert_true(turned.steps.launches > 2);
    csr_free(&a);
    csr_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_load_each_column_once),
        cmocka_unit_test(others_have_no_windows),
        cmocka_unit_test(excerpts_count_the_windows_of_the_whole),
        cmocka_unit_test(vectors_are_read_as_they_lie),
        cmocka_unit_test(passes_are_narrow_beyond_l2),
        cmocka_unit_test(staged_entries_are_loaded_in_order),
        cmocka_unit_test(windows_add_each_column_once),
        cmocka_unit_test(entries_add_to_vectors_as_they_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
