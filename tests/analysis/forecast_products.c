/* Forecasts of products with several vectors and with A^T: counts compared with those of the lanes one by
 * one, and the least time that memory allows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/products.h"
#include "kernels/list.h"
#include "support/cmocka.h"
#include "support/estimating.h"
#include "support/support.h"

static struct estimate estimate_of(const struct csr *a, const char *name, const struct gpu *gpu,
                                   struct product product)
{
    return estimating_product(a, NULL, name, gpu, product);
}

static void products_are_of_five_kinds(void **state)
{
    assert_int_equal(product_kind_of((struct product){.accumulate = true, .by_rows = true}), PRODUCT_KINDS);
    assert_int_equal(product_kind_of((struct product){.columns = 2, .by_rows = true}), PRODUCT_ROWS);
    assert_int_equal(product_kind_of((struct product){.columns = 2}), PRODUCT_COLUMNS);
    assert_int_equal(product_kind_of((struct product){.transposed = true, .by_rows = true}),
                     PRODUCT_TRANSPOSED);
    assert_int_equal(product_kind_of((struct product){.transposed = true, .columns = 64, .by_rows = true}),
                     PRODUCT_TRANSPOSED_ROWS);
    assert_int_equal(product_kind_of((struct product){.transposed = true, .columns = 3}),
                     PRODUCT_TRANSPOSED_COLUMNS);
    assert_string_equal(product_kind_name(PRODUCT_TRANSPOSED_ROWS), "transposed-rows");
}

/* The distinct sectors, of 32 bytes, or lines, of 128, of some bytes' addresses, each with `wide` bytes. */
static int sectors_at(const int64_t *address, int count, int wide, int bytes)
{
    int64_t sector[256];
    int found = 0;
    for (int k = 0; k < count; k++)
        for (int64_t s = address[k] / bytes; s <= (address[k] + wide - 1) / bytes; s++) {
            bool again = false;
            for (int j = 0; j < found && !again; j++)
                again = sector[j] == s;
            if (!again) sector[found++] = s;
        }
    return found;
}

/* The sectors, or lines, of X that the lanes of csr-vector request, with 8 lanes a row. For 8 doubles by rows
 * 4 lanes load 2 each, so that a request has 2 entries each of 4 rows. */
static double gathered(const struct csr *a, int threads, int bytes)
{
    const int lanes = 4, slices = threads / lanes, together = 32 / threads;
    double sum = 0;
    for (int64_t first = 0; first < a->rows; first += together)
        for (int64_t round = 0; round < a->cols; round++) {
            int64_t address[32];
            int count = 0;
            for (int64_t i = first; i < first + together && i < a->rows; i++)
                for (int s = 0; s < slices; s++) {
                    const int64_t k = a->row_ptr[i] + round * slices + s;
                    if (k < a->row_ptr[i + 1]) address[count++] = (int64_t)a->col[k] * 64;
                }
            sum += sectors_at(address, count, 64, bytes);
        }
    return sum;
}

static void loads_are_those_of_lanes(void **state)
{
    struct csr a = support_matrix(3000, 3000, 0.01, false, false, 1);
    const struct gpu gpu = estimating_gpu("h200");
    const struct product product = {.columns = 8, .by_rows = true};
    const double nnz = (double)csr_nnz(&a);
    /* 32 lanes a row fill the GPU best: 8 slices of 4 lanes, whose columns lie in 32 bytes and values in
     * 64. */
    const struct estimate estimate = estimate_of(&a, "cuda/csr-vector", &gpu, product);
    const double x = gathered(&a, 32, 32), entries = nnz / 8 * 1 + nnz / 8 * 2, pointers = 3000;
    expect_near((double)estimate.accesses[ACCESS_LOAD].sectors, x + entries + pointers, 0.05,
                "sectors of loads");
    expect_near((double)estimate.accesses[ACCESS_LOAD].lines, gathered(&a, 32, 128) + nnz / 8 * 2 + pointers,
                0.05, "lines of loads");
    /* A warp has a row, and all are resident. It loads the offset of the row, and for each 32 entries columns
     * and values, and then X. */
    double steps = 0, longest = 0;
    for (int64_t i = 0; i < a.rows; i++) {
        const double row = 1 + 2 * ceil((double)(a.row_ptr[i + 1] - a.row_ptr[i]) / 32);
        steps += row;
        longest = fmax(longest, row);
    }
    expect_near(estimate.steps.requests, steps / 3000, 1e-9, "requests one after the other");
    expect_near((double)estimate.steps.longest, longest, 0, "those of the longest warp");
    assert_int_equal(estimate.steps.launches, 1);
    assert_int_equal(estimate.accesses[ACCESS_REDUCTION].sectors, 0);
    expect_near((double)estimate.operands[OPERAND_VALUES].bytes, nnz * 8 * 8, 0, "multiplications");
    csr_free(&a);
}

/* Additions of y = A^T x by coo-atomic: 32 entries that follow each other at a time. */
static void additions_are_those_of_lanes(void **state)
{
    struct csr a = support_matrix(500, 4000, 0.02, false, false, 2);
    const struct gpu gpu = estimating_gpu("h200");
    const int64_t nnz = csr_nnz(&a);
    double narrow = 0, most = 0;
    double count[4000 / 16] = {0};
    for (int64_t k = 0; k < nnz; k += 32) {
        int64_t address[32];
        int some = 0;
        for (int64_t e = k; e < k + 32 && e < nnz; e++)
            address[some++] = a.col[e] * (int64_t)8;
        narrow += sectors_at(address, some, 8, 32);
    }
    for (int64_t k = 0; k < nnz; k++)
        most = fmax(most, ++count[a.col[k] / 16]);
    struct estimate estimate = estimate_of(&a, "cuda/coo-atomic", &gpu, (struct product){.transposed = true});
    expect_near((double)estimate.accesses[ACCESS_REDUCTION].sectors, narrow, 0.03, "additions to y");
    expect_near((double)estimate.steps.hottest, most, 0, "the hottest line");
    assert_int_equal(estimate.steps.launches, 2); /* y is cleared first */
    /* Of 8 doubles each entry adds to two sectors; of vectors one behind the other, which a matrix with few
     * entries reads in their layout, to one of each. */
    struct product eight = {.transposed = true, .columns = 8, .by_rows = true};
    estimate = estimate_of(&a, "cuda/coo-atomic", &gpu, eight);
    expect_near((double)estimate.accesses[ACCESS_REDUCTION].sectors, 2.0 * (double)nnz, 0, "additions to Y");
    eight.by_rows = false;
    estimate = estimate_of(&a, "cuda/coo-atomic", &gpu, eight);
    assert_int_equal(estimate.steps.launches, 2);
    assert_in_range(estimate.accesses[ACCESS_REDUCTION].sectors, 7 * nnz, 8 * nnz);
    csr_free(&a);
}

/* A request of ell-padded adds for 32 successive rows. If four of them have the same column, their additions
 * wait for each other, and share no sector. */
static void additions_to_one_element_share_nothing(void **state)
{
    enum { ROWS = 640 };
    struct csr a = {.rows = ROWS, .cols = 64 * ROWS / 4};
    const struct gpu gpu = estimating_gpu("h200");
    a.row_ptr = malloc((ROWS + 1) * sizeof *a.row_ptr);
    a.col = malloc(ROWS * 4 * sizeof *a.col);
    a.val = calloc(ROWS * 4, sizeof *a.val);
    for (int32_t i = 0; i <= ROWS; i++)
        a.row_ptr[i] = 4 * (int64_t)i;
    for (int32_t k = 0; k < 4 * ROWS; k++)
        a.col[k] = 64 * (k / 16) + k % 4;
    const struct estimate estimate =
        estimate_of(&a, "cuda/ell-padded", &gpu, (struct product){.transposed = true});
    expect_near((double)estimate.accesses[ACCESS_REDUCTION].sectors, 4 * ROWS, 0, "additions");
    csr_free(&a);
}

/* The bytes that a diagonal matrix moves: each array once, X and Y once; transposed vectors once more. */
static void memory_gives_what_there_is(void **state)
{
    enum { ROWS = 2000000 };
    struct csr a = {.rows = ROWS, .cols = ROWS};
    const struct gpu gpu = estimating_gpu("h200");
    a.row_ptr = malloc((ROWS + 1) * sizeof *a.row_ptr);
    a.col = malloc(ROWS * sizeof *a.col);
    a.val = calloc(ROWS, sizeof *a.val);
    for (int32_t i = 0; i < ROWS; i++) {
        a.row_ptr[i] = i;
        a.col[i] = i;
    }
    a.row_ptr[ROWS] = ROWS;
    const double arrays = 16.0 * ROWS + 4, x = 8.0 * 8 * ROWS;
    struct product product = {.columns = 8, .by_rows = true};
    struct estimate estimate = estimate_of(&a, "cuda/csr-vector", &gpu, product);
    expect_near(memory_sum(estimate.memory.reads), arrays + x, 0.01, "read with flushed caches");
    expect_near(estimate.memory.warm_writes, x, 0.05, "written");
    product.by_rows = false;
    estimate = estimate_of(&a, "cuda/csr-vector", &gpu, product);
    assert_int_equal(estimate.steps.launches, 2); /* X is turned before */
    expect_near(memory_sum(estimate.memory.reads), arrays + 2 * x, 0.05, "read with X turned");
    csr_free(&a);
}

/* No forecast is shorter than the time of the bytes that a product must read: all arrays, and the touched
 * part of X; with warm caches except the part in L2. And every kernel that computes the product has a
 * forecast. */
static void no_forecast_beats_the_memory(void **state)
{
    static const struct product products[] = {{.columns = 8, .by_rows = true},
                                              {.columns = 8},
                                              {.columns = 64},
                                              {.columns = 5, .by_rows = true},
                                              {.transposed = true},
                                              {.transposed = true, .columns = 8, .by_rows = true},
                                              {.transposed = true, .columns = 32}};
    struct csr a = support_matrix(30000, 20000, 0.001, false, false, 3);
    int forecasts = 0;
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        const struct gpu gpu = estimating_gpu(file->name);
        for (size_t p = 0; p < sizeof products / sizeof *products; p++)
            for (const struct product_pace *pace = product_paces; pace->kernel; pace++) {
                struct kernel_list list = {0};
                struct prediction prediction[2];
                assert_int_equal(kernel_list_add(&list, pace->kernel, NULL), STATUS_OK);
                const struct kernel *kernel = list.choices[0].kernel;
                kernel_list_free(&list);
                if (kernel_computes(kernel, products[p], NULL) != STATUS_OK) continue;
                const struct estimate estimate = estimate_of(&a, pace->kernel, &gpu, products[p]);
                if ((int)pace->kind != estimate.kind) continue;
                assert_true(estimate.there);
                for (int cold = 0; cold < 2; cold++)
                    product_forecast(&gpu, kernel, &estimate, cold, &prediction[cold]);
                const double x = (products[p].transposed ? 30000.0 : 20000.0) * 8 *
                                 (products[p].columns > 1 ? products[p].columns : 1),
                             least = 12.0 * (double)csr_nnz(&a) + 0.99 * x, read = gpu.pace.read;
                if (prediction[1].seconds < least / read)
                    fail_msg("%s, %s, product %zu: %g us", gpu.name, pace->kernel, p,
                             1e6 * prediction[1].seconds);
                if (prediction[0].seconds < (least - (double)gpu.cache) / read)
                    fail_msg("%s, %s, product %zu: warm, %g us", gpu.name, pace->kernel, p,
                             1e6 * prediction[0].seconds);
                for (int cold = 0; cold < 2; cold++)
                    assert_true(prediction[cold].there && prediction[cold].low <= prediction[cold].seconds &&
                                prediction[cold].high >= prediction[cold].seconds);
                forecasts++;
            }
    }
    assert_true(forecasts > 300);
    csr_free(&a);
}

/* A warp of coo-atomic and of a library makes two requests: entries, and then their elements of X. In
 * csr-balanced a lane finds its row among 50 by bisection, which takes log2(50) requests; it has 8 entries,
 * of which it loads 4 at a time, with two requests each, and makes one more. All warps are resident. */
static void warps_make_their_requests(void **state)
{
    struct csr a = support_matrix(50, 50, 0.1, false, false, 4);
    const struct gpu gpu = estimating_gpu("h200");
    static const struct {
        const char *name;
        struct product product;
        double requests;
    } cases[] = {{"cuda/coo-atomic", {.columns = 2}, 2},
                 {"cuda/coo-atomic", {.transposed = true}, 2},
                 {"cusparse/coo-alg1", {.columns = 2}, 2},
                 {"cuda/csr-balanced", {.columns = 2}, 5.643856189774724 + 5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct estimate estimate = estimate_of(&a, cases[k].name, &gpu, cases[k].product);
        expect_near(estimate.steps.requests, cases[k].requests, 1e-9, cases[k].name);
        expect_near((double)estimate.steps.longest, round(cases[k].requests), 0, cases[k].name);
        expect_near(estimate.steps.turns, 1, 1e-9, cases[k].name);
    }
    csr_free(&a);
}

/* More warps than can be resident take turns: their number follows from the entries, not from the rows. */
static void warps_are_of_entries(void **state)
{
    struct csr few = support_matrix(1000, 2000, 0.5, false, false, 4);
    struct csr many = support_matrix(1000, 4000, 0.5, false, false, 4);
    const struct gpu gpu = estimating_gpu("h200");
    const double times = (double)csr_nnz(&many) / (double)csr_nnz(&few);
    static const char *const names[] = {"cuda/coo-atomic", "cusparse/coo-alg1"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct product product = {.columns = 2};
        const double one = estimate_of(&few, names[k], &gpu, product).steps.turns;
        const double two = estimate_of(&many, names[k], &gpu, product).steps.turns;
        assert_true(one > 1);
        expect_near(two, times * one, 1e-3, names[k]);
    }
    csr_free(&few);
    csr_free(&many);
}

/* Another model covers y = A x. A product that a kernel does not compute has no estimate. */
static void other_products_have_none(void **state)
{
    struct csr a = support_matrix(50, 50, 0.1, false, false, 4);
    const struct gpu gpu = estimating_gpu("h200");
    assert_false(estimate_of(&a, "cuda/csr-vector", &gpu, (struct product){0}).there);
    assert_false(estimate_of(&a, "cuda/csr-balanced", &gpu, (struct product){.transposed = true}).there);
    assert_false(estimate_of(&a, "cuda/csr-scalar", &gpu, (struct product){.columns = 2}).there);
    assert_true(estimate_of(&a, "cuda/csr-balanced", &gpu, (struct product){.columns = 2}).there);
    assert_true(estimate_of(&a, "cusparse/coo-alg1", &gpu, (struct product){.columns = 2}).there);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_of_five_kinds),
        cmocka_unit_test(loads_are_those_of_lanes),
        cmocka_unit_test(additions_are_those_of_lanes),
        cmocka_unit_test(additions_to_one_element_share_nothing),
        cmocka_unit_test(memory_gives_what_there_is),
        cmocka_unit_test(no_forecast_beats_the_memory),
        cmocka_unit_test(warps_make_their_requests),
        cmocka_unit_test(warps_are_of_entries),
        cmocka_unit_test(other_products_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
