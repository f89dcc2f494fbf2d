/* The user's limit covers the data beside a stored matrix: tables of kernels, the vectors of timing, and the
 * memory of an estimated GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/gpu/paper.h"
#include "kernels/timing/operands.h"
#include "session/estimates.h"
#include "support/cmocka.h"
#include "support/fake_device.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/timing.h"

#define ROWS 5000
#define COLS 3000

/* Row 0 has 40 entries, row 1 has 6, all others have one: 5044 in all. */
static struct csr tall(void)
{
    double *values = calloc((size_t)ROWS * COLS, sizeof *values);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < (i == 0 ? 40 : i == 1 ? 6 : 1); j++)
            values[i * COLS + (i + 7 * j) % COLS] = 1;
    struct csr a = support_dense(ROWS, COLS, values);
    free(values);
    return a;
}

/* STATUS_LIMIT, with the name of the data, its size, and the limit. */
static void expect_refusal(enum status status, const struct error *error, const char *what, size_t bytes,
                           size_t limit)
{
    char message[256], wanted[32], allowed[32];
    snprintf(message, sizeof message, "%s needs %s of memory, more than the limit of %s", what,
             format_bytes(wanted, sizeof wanted, (double)bytes),
             format_bytes(allowed, sizeof allowed, (double)limit));
    assert_int_equal(status, STATUS_LIMIT);
    if (!strstr(error->message, message)) fail_msg("'%s' is not '%s'", error->message, message);
}

/* Bytes by hand: 4 a row; 8 for each block of 32 rows and one more; 4 for each of the 2 rows that are longer
 * than 5; 2 a slot of 157 chunks, of which the first is 40 wide and the others 1, and 4 a chunk; and for the
 * 20 tiles of 256 entries 32 marks of 2 bytes, two numbers of 4, 256 columns of 2 and a span of 32 each, and
 * 4 bytes and a bit a row. y on the host is 8 bytes a row. */
static const struct {
    const struct kernel *kernel;
    const char *format, *parameters, *what;
    size_t bytes;
    bool runs; /* only if there is a real GPU */
} tables[] = {
    {&kernel_cuda_ell_bounded, "", "", "row lengths", 4 * ROWS, false},
    {&kernel_cuda_hyb_fused, "k=1", "block=32", "where blocks begin in COO", 8 * (157 + 1), false},
    {&kernel_cuda_jds, "longest=5", "", "rows of the COO part", 4 * 2, false},
    {&kernel_cuda_sell, "c=32,sigma=1", "columns=16", "columns of 16 bits", 2 * 32 * (40 + 156) + 4 * 157,
     false},
    {&kernel_cuda_csr_balanced, "", "columns=16", "the tables of csr-balanced",
     20 * (32 * 2 + 8 + 2 * 256 + 32) + 4 * ROWS + ROWS / 8, false},
    {&kernel_cuda_hyb_host, "k=1", "", "y on the host", 8 * ROWS, true},
};

static void tables_of_kernels_are_held_against_the_limit(void **state)
{
    struct csr a = tall();
    struct device device;
    fake.memory = (size_t)1 << 28;
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        struct storage storage = storing_done(tables[k].kernel->format, tables[k].format, NULL, &a);
        for (int enough = 0; enough < (tables[k].runs ? 1 : 2); enough++) {
            struct preparing options = {.limit = tables[k].bytes - !enough};
            struct launch launch;
            struct error error = {0};
            enum status status = preparing_on(&device, tables[k].kernel, tables[k].parameters, &storage,
                                              &storage, &options, &launch, &error);
            if (enough)
                assert_int_equal(status, STATUS_OK);
            else
                expect_refusal(status, &error, tables[k].what, tables[k].bytes, options.limit);
            kernel_release(&launch);
        }
        storage_free(&storage);
    }
    device_close(&device);
    csr_free(&a);
}

/* The memory of an estimated GPU is the host's. */
static void memory_on_paper_is_held_against_the_limit(void **state)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3};
    struct csr a = support_matrix(20, 20, 0.3, false, false, 1);
    struct device device;
    struct launch launch;
    struct error error = {0};
    struct storage storage = storing_done(kernel_cuda_csr_scalar.format, "", NULL, &a);
    paper_open(&facts, &device);
    assert_int_equal(preparing_on_paper(&device, &kernel_cuda_csr_scalar, "", &storage,
                                        &(struct preparing){.limit = 1000}, &launch, NULL),
                     STATUS_OK);
    void *small = device_array(&device, 1000, 1, "a table", NULL);
    assert_non_null(small);
    assert_null(device_array(&device, 1001, 1, "a table", &error));
    expect_refusal(error.status, &error, "a table of a kernel", 1001, 1000);
    device_release(&device, small);
    kernel_release(&launch);
    device_close(&device);
    storage_free(&storage);
    csr_free(&a);
}

/* An estimated GPU has memory up to the limit, regardless of the host's. */
static void memory_on_paper_is_bounded_by_the_limit_alone(void **state)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3};
    struct device device;
    paper_open(&facts, &device);
    device.limit = (size_t)64 << 20;
    void *large = device_array(&device, 64 << 20, 1, "a table", NULL);
    assert_non_null(large);
    device_release(&device, large);
    device_close(&device);
}

/* x, y, the y that is added to, and three arrays of the expected y. */
static void vectors_are_held_against_the_limit(void **state)
{
    const size_t bytes = ROWS * (2 * 4 + 3 * 8) + COLS * 4;
    struct csr a = tall();
    for (int enough = 0; enough < 2; enough++) {
        const struct operands_options options = {.limit = bytes - !enough};
        struct operands operands = {0};
        struct error error = {0};
        enum status status = operands_make(&operands, &a, PRECISION_F32, &options, NULL, &error);
        if (enough)
            assert_int_equal(status, STATUS_OK);
        else
            expect_refusal(status, &error, "vectors and what they should be", bytes, options.limit);
        operands_free(&operands);
    }
    csr_free(&a);
}

/* The matrix itself is within the limit: 12 bytes an entry, 4 a row and 4. */
static void timing_is_held_against_the_limit(void **state)
{
    const size_t bytes = ROWS * (2 * 8 + 3 * 8) + COLS * 8;
    struct csr a = tall();
    struct machines machines = {0};
    for (int enough = 0; enough < 2; enough++) {
        const struct bench_options options = {
            .repeat = 1, .warmup = -1, .min_seconds = 1e-9, .limit = enough ? bytes : 100000};
        struct result result = ask(&kernel_cpu_csr_seq, PRECISION_F64);
        assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
        if (enough)
            expect_ok(&result);
        else
            expect_refusal(result.status, &result.error, "vectors and what they should be", bytes, 100000);
    }
    csr_free(&a);
}

/* Data is also prepared for an estimate: 8 bytes for each of 157 blocks and one more. The storage exists
 * already, since converting takes more than that. */
static void estimates_are_held_against_the_limit(void **state)
{
    struct csr a = support_matrix(ROWS, 5, 0, false, false, 1);
    struct gpu gpu;
    gpu_default(-1, &gpu);
    for (int enough = 0; enough < 2; enough++) {
        const struct estimate_options options = {.gpu = &gpu, .limit = 8 * (157 + 1) - !enough};
        struct estimates estimates;
        struct result result = ask(&kernel_cuda_hyb_fused, PRECISION_F64);
        result.choice = preparing_choice(&kernel_cuda_hyb_fused, "k=0,block=32", PRECISION_F64, 0);
        struct pool pool = {.a = &a};
        const struct storage *storage;
        assert_int_equal(pool_take(&pool, &result.choice.format, 0, NULL, &storage, NULL), STATUS_OK);
        assert_int_equal(estimates_make(&estimates, &pool, &result, 1, &options, NULL, NULL, NULL),
                         STATUS_OK);
        pool_release(&pool, storage);
        pool_free(&pool);
        assert_int_equal(estimates.items[0].there, enough);
        estimates_free(&estimates);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_of_kernels_are_held_against_the_limit, begin, end),
        cmocka_unit_test(memory_on_paper_is_held_against_the_limit),
        cmocka_unit_test(memory_on_paper_is_bounded_by_the_limit_alone),
        cmocka_unit_test(vectors_are_held_against_the_limit),
        cmocka_unit_test(timing_is_held_against_the_limit),
        cmocka_unit_test(estimates_are_held_against_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
