/* GPU kernels whose warps sum together (csr-vector, coo-segmented, cmrs), as far as they can be tested
 * without a GPU: the storages and parameters that they refuse, and the division of their launches. */
#include <string.h>

#include "kernels/cuda/cmrs.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/csr.h"
#include "kernels/gpu/device.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* A kernel prepared on a device whose blocks can have this much shared memory. */
struct ready {
    struct device device;
    struct storage storage;
    struct launch launch;
    struct error error;
    enum status status;
};

/* Every position has an entry. */
static struct csr full(int64_t rows, int64_t cols)
{
    static double ones[20000];
    assert_true(rows * cols <= 20000);
    for (int64_t k = 0; k < rows * cols; k++)
        ones[k] = 1;
    return support_dense(rows, cols, ones);
}

static void ready_make(struct ready *ready, const struct kernel *kernel, const char *format,
                       const char *parameters, enum precision precision, size_t shared, const struct csr *a)
{
    const struct storing options = {.precision = precision};
    *ready = (struct ready){.device = {.facts = {.shared = shared}}};
    ready->storage = storing_done(kernel->format, format, &options, a);
    ready->status = preparing_on(&ready->device, kernel, parameters, &ready->storage, &ready->storage,
                                 &(struct preparing){0}, &ready->launch, &ready->error);
}

static void ready_free(struct ready *ready)
{
    kernel_release(&ready->launch);
    storage_free(&ready->storage);
}

static const struct {
    const struct kernel *kernel;
    const char *format, *parameters;
    size_t shared;
    const char *refusal; /* the message, or NULL */
} requests[] = {
    {&kernel_cuda_csr_vector, "", "", 0, NULL},
    {&kernel_cuda_csr_vector, "", "threads=16,aligned=yes", 0, NULL},
    {&kernel_cuda_csr_vector, "", "reduce=shared", 0, NULL},
    {&kernel_cuda_csr_vector, "", "threads=32,reduce=shared", 0, NULL},
    {&kernel_cuda_csr_vector, "", "threads=16,reduce=shared", 0, "leave out threads=16 or reduce"},
    {&kernel_cuda_csr_vector, "", "threads=3", 0, "not threads=3"},
    {&kernel_cuda_csr_vector, "", "block=48", 0, "block=48 is no multiple of 32"},
    {&kernel_cuda_coo_segmented, "", "", 0, NULL},
    {&kernel_cuda_coo_segmented, "order=random", "", 0, "ask for order=row"},
    {&kernel_cuda_coo_segmented, "", "block=33", 0, "block=33 is no multiple of 32"},
    {&kernel_cuda_cmrs, "", "", 0, NULL},
    {&kernel_cuda_cmrs, "height=5,packed=1,sorted=1", "block=96,aligned=yes", 0, NULL},
    {&kernel_cuda_cmrs, "modulo=2", "", 0, NULL},
    {&kernel_cuda_cmrs, "", "block=1000", 0, "block=1000 is no multiple of 32"},
    {&kernel_cuda_cmrs, "height=16", "block=1024", 131071, "needs 131072 bytes of shared memory"},
    {&kernel_cuda_cmrs, "height=16", "block=1024", 65536, "a block can have 65536: give a smaller block"},
    {&kernel_cuda_cmrs, "height=12", "block=512", 49152, NULL},
    {&kernel_cuda_cmrs, "height=13", "block=512", 49152, "needs 53248 bytes"},
    {&kernel_cuda_cmrs_padded, "modulo=1", "", 0, NULL},
    {&kernel_cuda_cmrs_padded, "modulo=32,packed=1", "block=1024", 49152, NULL},
    {&kernel_cuda_cmrs_padded, "", "", 0, "ask for modulo=1 to 32"},
    {&kernel_cuda_cmrs_padded, "modulo=4", "block=40", 0, "block=40 is no multiple of 32"},
};

static void kernels_refuse_what_they_cannot_do(void **state)
{
    struct csr a = support_matrix(100, 90, 0.1, true, false, 3);
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) {
        struct ready ready;
        ready_make(&ready, requests[k].kernel, requests[k].format, requests[k].parameters, PRECISION_F64,
                   requests[k].shared, &a);
        if ((ready.status == STATUS_OK) != !requests[k].refusal)
            fail_msg("%s:%s on %s: %s", requests[k].kernel->name, requests[k].parameters, requests[k].format,
                     ready.error.message);
        if (requests[k].refusal) assert_int_equal(ready.status, STATUS_UNAVAILABLE);
        if (requests[k].refusal && !strstr(ready.error.message, requests[k].refusal))
            fail_msg("'%s' does not say %s", ready.error.message, requests[k].refusal);
        ready_free(&ready);
    }
    csr_free(&a);
}

/* Threads per row follow from the mean row length and the number of rows, on a GPU that runs 2048 threads:
 * more if they do not fill half of it, and half as many if they exceed it. */
static void csr_vector_chooses_threads(void **state)
{
    static const struct {
        int64_t rows, cols;
        int threads;
    } cases[] = {
        {600, 1, 2},  {600, 2, 2},  {400, 3, 4},   {100, 8, 8}, {60, 17, 32}, /* at least the mean length */
        {100, 1, 8},  {20, 1, 32},  {60, 3, 16},   /* doubled up to 800, 640 and 960 threads in all */
        {140, 9, 8},  {300, 9, 8},  {600, 17, 16}, /* 16 would take 2240 and 4800 threads, 32 take 19200 */
        {1001, 3, 2}, {2000, 2, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = full(cases[k].rows, cases[k].cols);
        struct ready ready;
        ready_make(&ready, &kernel_cuda_csr_vector, "", "", PRECISION_F64, 0, &a);
        assert_int_equal(ready.launch.values.number[CSR_VECTOR_THREADS], cases[k].threads);
        ready_free(&ready);
        ready_make(&ready, &kernel_cuda_csr_vector, "", "reduce=shared", PRECISION_F64, 0, &a);
        assert_int_equal(ready.launch.values.number[CSR_VECTOR_THREADS], 32);
        ready_free(&ready);
        csr_free(&a);
    }
}

/* Of a full matrix of 1001 rows and 3 columns. */
static const struct {
    const struct kernel *kernel;
    struct grid (*grid)(const struct launch *launch);
    const char *format, *parameters;
    enum precision precision;
    int64_t blocks;
    int threads;
    size_t shared;
} launches[] = {
    /* 128 rows a block, 64, or 8 */
    {&kernel_cuda_csr_vector, csr_vector_grid, "", "", PRECISION_F64, 8, 256, 0},
    {&kernel_cuda_csr_vector, csr_vector_grid, "", "threads=4", PRECISION_F64, 16, 256, 0},
    {&kernel_cuda_csr_vector, csr_vector_grid, "", "threads=32", PRECISION_F64, 126, 256, 0},
    {&kernel_cuda_csr_vector, csr_vector_grid, "", "reduce=shared", PRECISION_F64, 126, 256, 256 * 8},
    {&kernel_cuda_csr_vector, csr_vector_grid, "", "reduce=shared,block=64", PRECISION_F32, 501, 64, 64 * 4},
    /* 3003 entries: 93 full intervals of 32, the kernel's choice, and one more; 11 of 256, and one more */
    {&kernel_cuda_coo_segmented, coo_segmented_grid, "", "", PRECISION_F64, 12, 256, 0},
    {&kernel_cuda_coo_segmented, coo_segmented_grid, "", "block=32", PRECISION_F64, 94, 32, 0},
    {&kernel_cuda_coo_segmented, coo_segmented_grid, "", "steps=8", PRECISION_F64, 2, 256, 0},
    {&kernel_cuda_coo_segmented, coo_segmented_grid, "", "block=32,steps=8", PRECISION_F64, 12, 32, 0},
    {&kernel_cuda_coo_segmented, coo_segmented_grid, "", "block=32,steps=1", PRECISION_F32, 94, 32, 0},
    {&kernel_cuda_coo_segmented, coo_segmented_grid, "", "steps=1024", PRECISION_F32, 1, 256, 0},
    /* strips: 126, 1001, 334, 63; each warp has height x 32 values in shared memory */
    {&kernel_cuda_cmrs, cmrs_basic_grid, "", "", PRECISION_F64, 32, 128, 4 * 8 * 32 * 8},
    {&kernel_cuda_cmrs, cmrs_basic_grid, "height=1", "block=32", PRECISION_F64, 1001, 32, 32 * 8},
    {&kernel_cuda_cmrs, cmrs_basic_grid, "height=3", "block=1024", PRECISION_F32, 11, 1024, 32 * 3 * 32 * 4},
    {&kernel_cuda_cmrs, cmrs_basic_grid, "height=16,sorted=1", "", PRECISION_F32, 16, 128, 4 * 16 * 32 * 4},
    {&kernel_cuda_cmrs_padded, cmrs_padded_grid, "modulo=4", "", PRECISION_F64, 8, 256, 8 * 16 * 8},
    {&kernel_cuda_cmrs_padded, cmrs_padded_grid, "modulo=1", "block=32", PRECISION_F32, 63, 32, 16 * 4},
};

static void launches_are_cut_by_warps(void **state)
{
    struct csr a = full(1001, 3);
    for (size_t k = 0; k < sizeof launches / sizeof *launches; k++) {
        struct ready ready;
        ready_make(&ready, launches[k].kernel, launches[k].format, launches[k].parameters,
                   launches[k].precision, 0, &a);
        assert_int_equal(ready.status, STATUS_OK);
        struct grid grid = launches[k].grid(&ready.launch);
        if (grid.blocks != launches[k].blocks || grid.threads != launches[k].threads ||
            grid.shared != launches[k].shared)
            fail_msg("%zu: %s:%s has %lld blocks of %d threads and %zu bytes", k, launches[k].kernel->name,
                     launches[k].parameters, (long long)grid.blocks, grid.threads, grid.shared);
        ready_free(&ready);
    }
    csr_free(&a);
}

/* An empty storage launches nothing. */
static void nothing_is_launched_for_nothing(void **state)
{
    struct csr a = full(0, 4), b = full(4, 0);
    struct ready ready;
    ready_make(&ready, &kernel_cuda_cmrs, "", "", PRECISION_F64, 0, &a);
    assert_int_equal(cmrs_basic_grid(&ready.launch).blocks, 0);
    ready_free(&ready);
    ready_make(&ready, &kernel_cuda_csr_vector, "", "", PRECISION_F64, 0, &a);
    assert_int_equal(csr_vector_grid(&ready.launch).blocks, 0);
    ready_free(&ready);
    ready_make(&ready, &kernel_cuda_coo_segmented, "", "", PRECISION_F64, 0, &b);
    assert_int_equal(coo_segmented_grid(&ready.launch).blocks, 0);
    ready_free(&ready);
    ready_make(&ready, &kernel_cuda_cmrs_padded, "modulo=4", "", PRECISION_F64, 0, &b);
    assert_int_equal(cmrs_padded_grid(&ready.launch).blocks, 1);
    ready_free(&ready);
    csr_free(&a);
    csr_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_refuse_what_they_cannot_do),
        cmocka_unit_test(csr_vector_chooses_threads),
        cmocka_unit_test(launches_are_cut_by_warps),
        cmocka_unit_test(nothing_is_launched_for_nothing),
    };
    return cmocka_run_group_tests_name("gpu_sums", tests, NULL, NULL);
}
