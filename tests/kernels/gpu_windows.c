/* The windows of rows by which products with several vectors are computed on GPUs, as far as they can be
 * tested without one: their tables hold the matrix, and are made where they save time alone. A device in the
 * host's memory takes the arrays. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cuda/products/products.h"
#include "kernels/gpu/device.h"
#include "support/cmocka.h"
#include "support/device_memory.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* A band of `width` columns, with two thirds of its entries. */
static struct csr banded(int64_t rows, int64_t cols, int64_t width)
{
    double *values = calloc((size_t)(rows * cols), sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = i; j < cols && j < i + width; j++)
            if ((i * 7 + j * 5) % 3 != 0) values[i * cols + j] = (double)(i * cols + j + 1);
    struct csr a = support_dense(rows, cols, values);
    free(values);
    return a;
}

static struct product_windows windows_for(struct launch *launch)
{
    return ((const struct product_state *)launch->state)->windows;
}

static enum status prepare(struct device *device, const struct storage *storage, struct product product,
                           struct launch *launch, struct error *error)
{
    *device = (struct device){.type = &device_of_memory, .facts = {.multiprocessors = 4, .major = 9}};
    device_memory.room = SIZE_MAX;
    return preparing_on(device, &kernel_cuda_csr_vector, "", storage, storage,
                        &(struct preparing){.product = product}, launch, error);
}

/* Add the tables' values to a dense matrix, each at its place; columns ascend, and the last may be repeated.
 */
static void expect_matrix(const struct storage *storage, const struct product_windows *windows,
                          const struct csr *a)
{
    double *dense = calloc((size_t)(a->rows * a->cols), sizeof *dense);
    assert_non_null(dense);
    assert_int_equal(windows->windows, (a->rows + 7) / 8);
    assert_int_equal(windows->first[0], 0);
    assert_int_equal(windows->first[windows->windows], windows->tiles);
    for (int64_t w = 0; w < windows->windows; w++)
        for (int64_t c = 4 * windows->first[w]; c < 4 * windows->first[w + 1]; c++) {
            const int64_t j = windows->col[c], t = c / 4, k = c % 4;
            assert_in_range(j, 0, a->cols - 1);
            if (c > 4 * windows->first[w]) assert_true(windows->col[c - 1] <= j);
            for (int64_t r = 0; r < 8; r++) {
                const double value = storage->precision == PRECISION_F32
                                         ? (double)((const float *)windows->val)[t * 32 + k * 8 + r]
                                         : ((const double *)windows->val)[t * 32 + r * 4 + k];
                if (w * 8 + r < a->rows)
                    dense[(w * 8 + r) * a->cols + j] += value;
                else
                    assert_true(value == 0);
            }
        }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            assert_true(dense[i * a->cols + a->col[k]] == a->val[k]);
            dense[i * a->cols + a->col[k]] = 0;
        }
    for (int64_t k = 0; k < a->rows * a->cols; k++)
        assert_true(dense[k] == 0);
    free(dense);
}

static void windows_hold_the_matrix(void **state)
{
    static const struct {
        int64_t rows, cols, width;
    } cases[] = {{64, 80, 12}, {61, 61, 30}, {7, 40, 40}, {9, 5, 5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int how = 0; how < 4; how++) {
            struct csr a = banded(cases[k].rows, cases[k].cols, cases[k].width);
            const struct storing options = {.precision = how & 1 ? PRECISION_F32 : PRECISION_F64,
                                            .wide = how & 2};
            struct storage storage = storing_done(kernel_cuda_csr_vector.format, "", &options, &a);
            struct device device;
            struct launch launch;
            const struct product product = {.columns = 16, .by_rows = true};
            assert_int_equal(prepare(&device, &storage, product, &launch, NULL), STATUS_OK);
            const struct product_windows windows = windows_for(&launch);
            expect_matrix(&storage, &windows, &a);
            assert_int_equal(kernel_traffic(&launch).own_bytes, device_memory.bytes);
            kernel_release(&launch);
            assert_int_equal(device_memory.arrays, 0);
            storage_free(&storage);
            csr_free(&a);
        }
}

static int64_t windows_of(const struct csr *a, struct product product, int major)
{
    struct storage storage = storing_done(kernel_cuda_csr_vector.format, "", NULL, a);
    struct device device = {.type = &device_of_memory, .facts = {.multiprocessors = 4, .major = major}};
    struct launch launch;
    device_memory.room = SIZE_MAX;
    assert_int_equal(preparing_on(&device, &kernel_cuda_csr_vector, "", &storage, &storage,
                                  &(struct preparing){.product = product}, &launch, NULL),
                     STATUS_OK);
    const int64_t windows = windows_for(&launch).windows;
    kernel_release(&launch);
    storage_free(&storage);
    return windows;
}

/* Rows that share no columns have none; nor has a matrix with one long row, which a single warp would take.
 */
static void windows_are_made_where_they_save_time(void **state)
{
    const struct product product = {.columns = 16, .by_rows = true};
    struct csr a = banded(64, 80, 12), apart = banded(64, 80, 2),
               scattered = support_matrix(400, 3000, 0.005, false, false, 3);
    struct csr complex = support_matrix(64, 20, 0.8, false, true, 3);
    double *values = calloc(400 * 3000, sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < 400; i++)
        for (int64_t j = 0; j < (i ? 8 : 3000); j++)
            values[i * 3000 + j] = 1;
    struct csr arrow = support_dense(400, 3000, values);
    free(values);
    assert_int_equal(windows_of(&a, product, 9), 8);
    assert_int_equal(windows_of(&a, (struct product){.columns = 16}, 9), 8);
    assert_int_equal(windows_of(&a, product, 7), 0);
    assert_int_equal(windows_of(&a, (struct product){.columns = 12, .by_rows = true}, 9), 0);
    assert_int_equal(windows_of(&a, (struct product){.columns = 16, .by_rows = true, .transposed = true}, 9),
                     8);
    assert_int_equal(
        windows_of(&apart, (struct product){.columns = 16, .by_rows = true, .transposed = true}, 9), 0);
    assert_int_equal(
        windows_of(&arrow, (struct product){.columns = 16, .by_rows = true, .transposed = true}, 9), 0);
    assert_int_equal(windows_of(&apart, product, 9), 0);
    assert_int_equal(windows_of(&scattered, product, 9), 0);
    assert_int_equal(windows_of(&complex, product, 9), 0);
    assert_int_equal(windows_of(&arrow, product, 9), 0);
    csr_free(&a);
    csr_free(&apart);
    csr_free(&scattered);
    csr_free(&complex);
    csr_free(&arrow);
}

/* With A^T, X is read in any layout. If vectors are stored by columns, only Y is turned, and not if there
 * are few entries. */
static void the_transposed_turns_y_alone(void **state)
{
    const struct product columns = {.columns = 8, .transposed = true},
                         rows = {.columns = 8, .transposed = true, .by_rows = true};
    for (int many = 0; many < 2; many++) {
        struct csr a = banded(many ? 800 : 64, 820, 12);
        struct storage storage = storing_done(kernel_cuda_csr_vector.format, "", NULL, &a);
        struct device device;
        struct launch launch;
        assert_true(many == (csr_nnz(&a) > 4096));
        assert_int_equal(prepare(&device, &storage, rows, &launch, NULL), STATUS_OK);
        const size_t tables = device_memory.bytes;
        assert_true(windows_for(&launch).windows > 0);
        kernel_release(&launch);
        assert_int_equal(prepare(&device, &storage, columns, &launch, NULL), STATUS_OK);
        const size_t turned = many ? (size_t)(820 * 8) * sizeof(double) : 0;
        assert_int_equal(device_memory.bytes, tables + turned);
        assert_int_equal(kernel_traffic(&launch).own_bytes, tables + 2 * turned);
        kernel_release(&launch);
        assert_int_equal(device_memory.arrays, 0);
        storage_free(&storage);
        csr_free(&a);
    }
}

static void a_lack_of_memory_is_told(void **state)
{
    const struct product product = {.columns = 16, .by_rows = true};
    struct csr a = banded(64, 80, 12);
    struct storage storage = storing_done(kernel_cuda_csr_vector.format, "", NULL, &a);
    struct device device;
    struct launch launch;
    struct error error = {0};
    assert_int_equal(prepare(&device, &storage, product, &launch, NULL), STATUS_OK);
    const size_t needed = device_memory.bytes;
    kernel_release(&launch);
    device_memory.room = needed - 1;
    assert_int_equal(preparing_on(&device, &kernel_cuda_csr_vector, "", &storage, &storage,
                                  &(struct preparing){.product = product}, &launch, &error),
                     STATUS_LIMIT);
    kernel_release(&launch);
    assert_int_equal(device_memory.arrays, 0);
    device_memory.room = SIZE_MAX;
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK; k++) {
        assert_true(k < 20);
        memory_fail_after(k);
        status = preparing_on(&device, &kernel_cuda_csr_vector, "", &storage, &storage,
                              &(struct preparing){.product = product}, &launch, NULL);
        memory_fail_after(-1);
        assert_true(status == STATUS_OK || status == STATUS_MEMORY);
        kernel_release(&launch);
        assert_int_equal(device_memory.arrays, 0);
    }
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_hold_the_matrix),
        cmocka_unit_test(windows_are_made_where_they_save_time),
        cmocka_unit_test(the_transposed_turns_y_alone),
        cmocka_unit_test(a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
