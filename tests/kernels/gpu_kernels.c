/* Kernels of GPUs, as far as they can be tested without one: the storages that they refuse, their data beside
 * the arrays, and the division of launches. A device in the host's memory takes the arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/csr.h"
#include "formats/sss.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/ell.h"
#include "kernels/cuda/hyb.h"
#include "kernels/cuda/jds.h"
#include "kernels/cuda/sell.h"
#include "kernels/gpu/device.h"
#include "support/cmocka.h"
#include "support/device_memory.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static int begin(void **state)
{
    device_memory.room = (size_t)1 << 30;
    return 0;
}

static int end(void **state)
{
    assert_int_equal(device_memory.arrays, 0);
    return 0;
}

/* A kernel prepared for a matrix */

struct ready {
    struct device device;
    struct storage storage;
    struct launch launch;
    struct error error;
    enum status status;
};

static void ready_make(struct ready *ready, const struct kernel *kernel, const char *format,
                       const char *parameters, const struct csr *a, enum precision precision, bool accumulate)
{
    const struct storing options = {.precision = precision};
    *ready = (struct ready){.device = {.type = &device_of_memory}};
    ready->storage = storing_done(kernel->format, format, &options, a);
    ready->status =
        preparing_on(&ready->device, kernel, parameters, &ready->storage, &ready->storage,
                     &(struct preparing){.product.accumulate = accumulate}, &ready->launch, &ready->error);
}

static void ready_free(struct ready *ready)
{
    kernel_release(&ready->launch);
    storage_free(&ready->storage);
    assert_int_equal(device_memory.arrays, 0);
}

/* Rows of 0 to 20 entries, and some that are full; values are zeros now and then, at the ends of rows too. */
static struct csr ragged(void)
{
    return support_matrix(700, 90, 0.1, true, false, 3);
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* Tests */

static const struct {
    const struct kernel *kernel;
    const char *format, *parameters;
    const char *refusal; /* the message, or NULL */
} requests[] = {
    {&kernel_cuda_ell_padded, "", "", NULL},
    {&kernel_cuda_ell_padded, "pad=sentinel", "", "ask for pad=repeat"},
    {&kernel_cuda_ell_padded, "layout=rows", "", "ask for layout=transposed"},
    {&kernel_cuda_ell_bounded, "", "", NULL},
    {&kernel_cuda_ell_bounded, "pad=sentinel", "", NULL},
    {&kernel_cuda_ell_bounded, "layout=rows", "", "ask for layout=transposed"},
    {&kernel_cuda_ell_masked, "pad=sentinel", "", NULL},
    {&kernel_cuda_ell_masked, "", "", "ask for pad=sentinel"},
    {&kernel_cuda_ell_masked, "pad=sentinel,layout=rows", "", "ask for layout=transposed"},
    {&kernel_cuda_ell_rowmajor, "layout=rows", "", NULL},
    {&kernel_cuda_ell_rowmajor, "", "", "ask for layout=rows"},
    {&kernel_cuda_ell_rowmajor, "pad=sentinel,layout=rows", "", "ask for pad=repeat"},
    {&kernel_cuda_hyb, "", "", NULL},
    {&kernel_cuda_hyb, "pad=sentinel", "", NULL},
    {&kernel_cuda_hyb, "layout=rows", "", "ask for layout=transposed"},
    {&kernel_cuda_hyb_fused, "k=0", "", NULL},
    {&kernel_cuda_hyb_fused, "", "block=1024", NULL},
    {&kernel_cuda_hyb_fused, "", "block=100", "whole warps"},
    {&kernel_cuda_hyb_fused, "layout=rows", "", "ask for layout=transposed"},
    {&kernel_cuda_hyb_host, "layout=rows", "", "ask for layout=transposed"},
    {&kernel_cuda_jds, "", "", NULL},
    {&kernel_cuda_jds, "longest=5", "", NULL},
    {&kernel_cuda_jds, "sections=equal", "", "ask for sections=none"},
    {&kernel_cuda_jds_sections, "sections=equal", "", NULL},
    {&kernel_cuda_jds_sections, "sections=share,inside=csr,longest=0", "", NULL},
    {&kernel_cuda_jds_sections, "", "", "ask for sections=share"},
};

static void kernels_refuse_what_they_cannot_read(void **state)
{
    struct csr a = ragged();
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) {
        struct ready ready;
        ready_make(&ready, requests[k].kernel, requests[k].format, requests[k].parameters, &a, PRECISION_F64,
                   false);
        assert_int_equal(ready.status, requests[k].refusal ? STATUS_UNAVAILABLE : STATUS_OK);
        if (requests[k].refusal && !strstr(ready.error.message, requests[k].refusal))
            fail_msg("'%s' does not say %s", ready.error.message, requests[k].refusal);
        if (requests[k].refusal) assert_non_null(strstr(ready.error.message, requests[k].kernel->name));
        ready_free(&ready);
    }
    csr_free(&a);
}

/* By default each kernel gets a storage that it reads. */
static void defaults_are_not_refused(void **state)
{
    struct csr a = ragged(), half = support_symmetric(SYMMETRY_SYMMETRIC, 300, 0.1, true, false, 3);
    for (int k = 0; kernels[k]; k++) {
        const struct csr *matrix = kernels[k]->format == &format_sss ? &half : &a;
        struct ready ready;
        if (kernels[k]->backend != &backend_cuda || kernels[k] == &kernel_cuda_hyb_host) continue;
        const char *format = kernels[k]->format_defaults;
        ready_make(&ready, kernels[k], format ? format : "", "", matrix, PRECISION_F32, true);
        if (ready.status != STATUS_OK) fail_msg("%s: %s", kernels[k]->name, ready.error.message);
        ready_free(&ready);
    }
    csr_free(&half);
    csr_free(&a);
}

/* Lanes per row: the least power of two, within 2 and 32, that is at least the mean row length, as in CUSP.
 * More lanes if they do not fill half of the 2048 resident threads of this GPU, and half as many if they
 * exceed these, unless a row is much longer than others. */
static void lanes_of_a_row_follow_rows_and_lengths(void **state)
{
    static const struct {
        int64_t rows, length, longest; /* entries of the other rows, and of the first row */
        int threads;
    } cases[] = {{300, 1, 1, 2}, {300, 3, 3, 4}, {300, 4, 4, 4}, {200, 5, 5, 8},    {60, 20, 20, 32},
                 {600, 2, 2, 2}, {600, 3, 3, 2}, {600, 9, 9, 8}, {600, 3, 190, 4},  {100, 3, 3, 8},
                 {256, 1, 1, 4}, {257, 1, 1, 2}, {10, 1, 1, 32}, {1, 200, 200, 32}, {10, 0, 0, 32}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ready ready;
        double *values = calloc((size_t)cases[k].rows * 200, sizeof *values);
        assert_non_null(values);
        for (int64_t i = 0; i < cases[k].rows; i++)
            for (int64_t j = 0; j < (i ? cases[k].length : cases[k].longest); j++)
                values[i * 200 + j] = 1;
        struct csr a = support_dense(cases[k].rows, 200, values);
        ready_make(&ready, &kernel_cuda_csr_vector, "", "", &a, PRECISION_F64, false);
        assert_int_equal(ready.status, STATUS_OK);
        assert_int_equal(ready.launch.values.number[CSR_VECTOR_THREADS], cases[k].threads);
        ready_free(&ready);
        csr_free(&a);
        free(values);
    }
}

/* The bytes that are counted: the arrays, x, y once or twice, and the further data of the kernel. */
static void expect_bytes(const struct ready *ready, size_t own)
{
    const struct storage *storage = &ready->storage;
    size_t value = storage->precision == PRECISION_F32 ? 4 : 8;
    size_t y = (size_t)storage->rows * value * (ready->launch.product.accumulate ? 2 : 1);
    assert_int_equal((size_t)kernel_bytes(&ready->launch).plus,
                     storage_size(storage).bytes + own + y + (size_t)storage->cols * value);
}

static void ell_bounded_keeps_row_lengths(void **state)
{
    static const char *const pads[] = {"", "pad=sentinel"};
    struct csr matrices[] = {ragged(), support_matrix(50, 1, 0.5, false, false, 2),
                             support_matrix(0, 5, 0.5, false, false, 1), support_dense(2, 2, (double[4]){0})};
    for (int k = 0; k < 4 * 4; k++) {
        const struct csr *a = &matrices[k / 4];
        struct ready ready;
        ready_make(&ready, &kernel_cuda_ell_bounded, pads[k % 2], "", a,
                   k & 2 ? PRECISION_F32 : PRECISION_F64, k & 2);
        assert_int_equal(ready.status, STATUS_OK);
        const int32_t *length = ready.launch.state;
        for (int64_t i = 0; i < a->rows; i++)
            assert_int_equal(length[i], length_of(a, i));
        size_t value = k & 2 ? 4 : 8;
        struct kernel_bytes bytes = kernel_bytes(&ready.launch);
        /* entries and lengths, x, and y once or twice; no padding is read */
        assert_int_equal((size_t)bytes.plus, (size_t)csr_nnz(a) * (value + 4) + (size_t)a->rows * 4 +
                                                 (size_t)a->cols * value +
                                                 (size_t)a->rows * value * (k & 2 ? 2 : 1));
        assert_true(bytes.minus - bytes.plus == (double)value * (double)(csr_nnz(a) - a->cols));
        ready_free(&ready);
    }
    for (int k = 0; k < 4; k++)
        csr_free(&matrices[k]);
}

/* Padding is loaded like an entry unless it is masked. */
static void loads_of_x_are_counted(void **state)
{
    static const struct {
        const struct kernel *kernel;
        const char *format;
        bool all; /* slots, else entries */
    } loads[] = {
        {&kernel_cuda_ell_padded, "", true},
        {&kernel_cuda_ell_masked, "pad=sentinel", false},
        {&kernel_cuda_ell_rowmajor, "layout=rows", true},
        {&kernel_cuda_hyb, "k=7", true},
        {&kernel_cuda_hyb, "k=7,pad=sentinel", false},
        {&kernel_cuda_hyb_fused, "k=7,pad=sentinel", false},
        {&kernel_cuda_jds, "", false},
        {&kernel_cuda_jds_sections, "sections=share", true},
    };
    struct csr a = ragged();
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        struct ready ready;
        ready_make(&ready, loads[k].kernel, loads[k].format, "", &a, PRECISION_F64, false);
        struct kernel_bytes bytes = kernel_bytes(&ready.launch);
        int64_t expected = loads[k].all ? storage_slots(&ready.storage) : csr_nnz(&a);
        assert_true(loads[k].all == (storage_slots(&ready.storage) > csr_nnz(&a)) || !loads[k].all);
        assert_true(bytes.minus - bytes.plus == 8 * (double)(expected - a.cols));
        ready_free(&ready);
    }
    csr_free(&a);
}

/* Block b begins with the first entry beyond k of rows from b x block on. */
static void hyb_fused_keeps_where_blocks_begin(void **state)
{
    struct csr a = ragged();
    for (int width = 0; width <= 90; width += 9)
        for (int block = 32; block <= 1024; block *= 2) {
            struct ready ready;
            char format[32], parameters[32];
            snprintf(format, sizeof format, "k=%d", width);
            snprintf(parameters, sizeof parameters, "block=%d", block);
            ready_make(&ready, &kernel_cuda_hyb_fused, format, parameters, &a, PRECISION_F32, false);
            assert_int_equal(ready.status, STATUS_OK);
            const int64_t *first = ready.launch.state;
            int64_t blocks = hyb_fused_grid(&ready.launch).blocks, before = 0;
            assert_int_equal(blocks, (700 + block - 1) / block);
            for (int64_t i = 0; i < a.rows; i++) {
                if (i % block == 0) assert_int_equal(first[i / block], before);
                before += length_of(&a, i) > width ? length_of(&a, i) - width : 0;
            }
            assert_int_equal(first[blocks], before);
            assert_int_equal(hyb_fused_grid(&ready.launch).shared, (size_t)block * sizeof(float));
            assert_int_equal(hyb_rest_grid(&ready.launch).blocks, (before + block - 1) / block);
            expect_bytes(&ready, (size_t)(blocks + 1) * 8);
            ready_free(&ready);
        }
    csr_free(&a);
}

/* Rows longer than `longest`, which are cleared before their entries are added. */
static void jds_keeps_the_rows_of_its_coo_part(void **state)
{
    struct csr a = ragged();
    for (int longest = 0; longest <= 90; longest += 10)
        for (int k = 0; k < 4; k++) {
            struct ready ready;
            char format[64];
            bool accumulate = k % 2;
            snprintf(format, sizeof format, "longest=%d%s", longest, k < 2 ? "" : ",sections=share");
            ready_make(&ready, k < 2 ? &kernel_cuda_jds : &kernel_cuda_jds_sections, format, "", &a,
                       PRECISION_F64, accumulate);
            assert_int_equal(ready.status, STATUS_OK);
            const int32_t *row = ready.launch.state;
            size_t count = 0;
            for (int64_t i = 0; i < a.rows; i++)
                if (length_of(&a, i) > longest) {
                    if (!accumulate) assert_int_equal(row[count], i);
                    count++;
                }
            assert_true(!row == (accumulate || count == 0));
            expect_bytes(&ready, row ? count * 4 : 0);
            ready_free(&ready);
        }
    csr_free(&a);
}

/* The launches of jds-sections: all sorted rows, once, in their order; the empty ones without slots. */
static void sections_are_launched_one_by_one(void **state)
{
    static const char *const formats_of[] = {
        "sections=equal", "sections=share,inside=csr", "sections=equal,height=50",
        "sections=equal,inside=csr,longest=8", "sections=share,longest=0"};
    struct csr a = ragged();
    for (int k = 0; k < 5; k++) {
        struct ready ready;
        ready_make(&ready, &kernel_cuda_jds_sections, formats_of[k], "", &a, PRECISION_F64, true);
        const struct storage *storage = &ready.storage;
        const int32_t *perm = storage->array[JDS_PERM].data;
        int64_t rows = 0, slots = 0;
        for (int64_t s = 0; s < storage->number[JDS_SECTIONS]; s++) {
            const struct jds_piece piece = jds_piece(storage, s);
            bool empty = length_of(&a, perm[piece.first]) == 0;
            assert_int_equal(piece.first, rows);
            assert_true(piece.height > 0);
            assert_int_equal(piece.csr, !empty && strstr(formats_of[k], "csr"));
            assert_int_equal(jds_grid(&ready.launch, piece.height).blocks, (piece.height + 255) / 256);
            if (!piece.csr) assert_int_equal(piece.wide, length_of(&a, perm[piece.first]));
            if (!piece.csr) assert_int_equal(piece.slot, slots);
            for (int64_t r = 0; r < piece.height; r++)
                slots += piece.csr ? length_of(&a, perm[rows + r]) : piece.wide;
            rows += piece.height;
        }
        assert_int_equal(rows, storage->rows - storage->number[JDS_APART]);
        assert_int_equal(slots, storage->slots[0]);
        ready_free(&ready);
    }
    csr_free(&a);
}

/* Each item has a thread, no block is without work, and there are no more blocks than a launch may have. */
static void launches_are_cut_into_blocks(void **state)
{
    static const int64_t counts[] = {0, 1, 31, 32, 33, 1023, 1024, 1025, INT32_MAX, (int64_t)1 << 36};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int block = 32; block <= 1024; block *= 2) {
            struct storage storage = {.rows = counts[k], .slots = {0, counts[k]}};
            struct launch launch = {.storage = &storage};
            launch.values.number[0] = block;
            const struct grid grids[] = {ell_grid(&launch), hyb_rows_grid(&launch), hyb_rest_grid(&launch),
                                         hyb_fused_grid(&launch), jds_grid(&launch, counts[k])};
            for (int g = 0; g < 5; g++) {
                assert_int_equal(grids[g].threads, block);
                assert_true(grids[g].blocks * block >= counts[k] &&
                            (grids[g].blocks - 1) * block < counts[k]);
                assert_true(grids[g].blocks <= ((int64_t)1 << 31) - 1 || block == 32);
                assert_int_equal(grids[g].shared, g == 3 ? (size_t)block * sizeof(double) : 0);
            }
        }
}

/* Nothing is left behind, on the host or on the device. */
static void lack_of_memory_has_a_message(void **state)
{
    static const struct {
        const struct kernel *kernel;
        const char *format;
        const char *what;
    } kept[] = {{&kernel_cuda_ell_bounded, "", "row lengths"},
                {&kernel_cuda_hyb_fused, "k=3", "where blocks begin in COO"},
                {&kernel_cuda_jds, "longest=5", "rows of the COO part"}};
    struct csr a = ragged();
    for (int k = 0; k < 3; k++) {
        struct ready ready;
        ready_make(&ready, kept[k].kernel, kept[k].format, "", &a, PRECISION_F64, false);
        assert_int_equal(ready.status, STATUS_OK);
        kernel_release(&ready.launch);
        for (long count = 0; count < 2; count++) {
            memory_fail_after(count);
            assert_int_equal(preparing_on(&ready.device, kept[k].kernel, "", &ready.storage, &ready.storage,
                                          &(struct preparing){0}, &ready.launch, NULL),
                             STATUS_MEMORY);
            assert_int_equal(memory_failures(), 1);
            memory_fail_after(-1);
            kernel_release(&ready.launch);
            assert_int_equal(device_memory.arrays, 0);
        }
        device_memory.room = 3;
        assert_int_equal(preparing_on(&ready.device, kept[k].kernel, "", &ready.storage, &ready.storage,
                                      &(struct preparing){0}, &ready.launch, &ready.error),
                         STATUS_LIMIT);
        assert_non_null(strstr(ready.error.message, kept[k].what));
        begin(NULL);
        ready_free(&ready);
    }
    csr_free(&a);
}

static void unwritable_arrays_are_freed(void **state)
{
    struct device device = {.type = &device_of_memory};
    struct error error = {0};
    device_memory.deaf = true;
    assert_null(device_copy_of(&device, "four", 4, "a table", &error));
    device_memory.deaf = false;
    assert_int_equal(error.status, STATUS_IO);
    assert_int_equal(device_memory.arrays, 0);
    void *copy = device_copy_of(&device, "four", 4, "a table", NULL);
    assert_memory_equal(copy, "four", 4);
    device_release(&device, copy);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* CSR of a 2 x 2 identity has 3 x 4 bytes of pointers, 2 x 4 of columns and 2 x 8 of values; x and y have 32.
 * These 68 bytes must fit in half of L2, or a multiple of them if the storage represents more rows. */
static void small_matrices_stay_in_the_cache(void **state)
{
    int64_t row_ptr[] = {0, 1, 2};
    int32_t col[] = {0, 1};
    double val[] = {1, 1};
    struct csr a = {.rows = 2, .cols = 2, .row_ptr = row_ptr, .col = col, .val = val};
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    struct device device = {.facts.cache = 2 * 68};
    struct launch launch = {.storage = &storage, .device = &device, .times = 1};
    assert_true(matrix_stays(&launch));
    device.facts.cache--;
    assert_false(matrix_stays(&launch));
    device.facts.cache = 3 * 2 * 68 - 1;
    launch.times = 3;
    assert_false(matrix_stays(&launch));
    device.facts.cache++;
    assert_true(matrix_stays(&launch));
    storage_free(&storage);
}

/* Complex values in double precision have 16 bytes, and so many registers that a block has 512 threads at
 * most. */
static void blocks_of_sell_have_registers(void **state)
{
    static const struct {
        enum precision precision;
        bool complex;
        int block, threads;
    } cases[] = {{PRECISION_F64, true, 1024, 512},
                 {PRECISION_F64, true, 512, 512},
                 {PRECISION_F64, true, 64, 64},
                 {PRECISION_F32, true, 1024, 1024},
                 {PRECISION_F64, false, 1024, 1024}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct storage storage = {.precision = cases[k].precision, .complex = cases[k].complex};
        struct launch launch = {.storage = &storage};
        storage.values.number[SELL_C] = SELL_SLICE;
        storage.number[SELL_CHUNKS] = 64;
        launch.values.number[SELL_BLOCK] = cases[k].block;
        const struct grid grid = sell_grid(&launch);
        assert_int_equal(grid.threads, cases[k].threads);
        assert_int_equal(grid.blocks, 64 * WARP / cases[k].threads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_refuse_what_they_cannot_read),
        TEST(defaults_are_not_refused),
        TEST(ell_bounded_keeps_row_lengths),
        TEST(loads_of_x_are_counted),
        TEST(hyb_fused_keeps_where_blocks_begin),
        TEST(jds_keeps_the_rows_of_its_coo_part),
        TEST(sections_are_launched_one_by_one),
        TEST(launches_are_cut_into_blocks),
        TEST(lack_of_memory_has_a_message),
        TEST(lanes_of_a_row_follow_rows_and_lengths),
        TEST(unwritable_arrays_are_freed),
        cmocka_unit_test(small_matrices_stay_in_the_cache),
        cmocka_unit_test(blocks_of_sell_have_registers),
    };
    return cmocka_run_group_tests_name("gpu_kernels", tests, NULL, NULL);
}
