/* Traces of SSS: the requests of the threads of sss.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "formats/sss.h"
#include "kernels/cuda/sss.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static int size_of(const struct launch *launch, int q)
{
    return (int)element_size(launch->storage->array[q].element);
}

/* The loop's requests come before the last addition: no row has as many as LAST turns. */
#define LAST 100000

static void thread_atomic(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    int64_t threads = (int64_t)launch->values.number[SSS_ATOMIC_THREADS], t = 0;
    int64_t i = (block * (int64_t)launch->values.number[SSS_ATOMIC_BLOCK] + thread) / threads;
    int value = size_of(launch, SSS_VAL), offset = size_of(launch, SSS_ROW_PTR);
    bool first = thread % threads == 0;
    assert_int_equal(s, 0);
    if (i >= storage->rows) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, i);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, i + 1);
    int64_t k = array_integer(&storage->array[SSS_ROW_PTR], i) + thread % threads;
    int64_t end = array_integer(&storage->array[SSS_ROW_PTR], i + 1);
    if (k < end || first) note(warp, 2, ACCESS_LOAD, OPERAND_X, value, i);
    if (first) note(warp, 3, ACCESS_LOAD, OPERAND_VALUES, value, i);
    for (; k < end; k += threads, t++) {
        int64_t j = array_integer(&storage->array[SSS_COL], k);
        note(warp, turn(t, 0), ACCESS_LOAD, OPERAND_COLUMNS, 4, k);
        note(warp, turn(t, 1), ACCESS_LOAD, OPERAND_VALUES, value, k);
        note(warp, turn(t, 2), ACCESS_LOAD, OPERAND_X, value, j);
        note_reduction(launch, warp, turn(t, 3), j);
    }
    if (first) note_reduction(launch, warp, turn(LAST, 0), i);
}

static void sss_atomic_warps_ask_as_their_threads_do(void **state)
{
    static const char *const kernel[] = {"",          "threads=1",          "threads=2,block=32",
                                         "threads=4", "threads=8,block=96", "threads=16,block=1024",
                                         "threads=32"};
    static const int64_t sizes[] = {1, 31, 33, 64, 257};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++) {
        int64_t warps = 0;
        for (int n = 0; n < 10; n++) {
            const enum symmetry kind = n < 5 ? SYMMETRY_SYMMETRIC + n % 2 : SYMMETRY_HERMITIAN;
            struct csr a = support_symmetric(kind, sizes[n % 5], 0.1, n % 2, n >= 5, (uint64_t)n);
            warps += expect_trace_of(&kernel_cuda_sss_atomic, kernel[k], NULL, &a, thread_atomic);
            csr_free(&a);
        }
        assert_true(warps > 100);
    }
}

static const struct device_facts facts = {
    .name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};

static void other_numbers_of_threads_are_refused(void **state)
{
    const struct preparing options = {0};
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 30, 0.5, false, false, 1);
    struct device device;
    struct launch launch;
    struct error error = {0};
    paper_open(&facts, &device);
    struct storage storage = storing_done(&format_sss, "", NULL, &a);
    assert_int_equal(preparing_on_paper(&device, &kernel_cuda_sss_atomic, "threads=3", &storage, &options,
                                        &launch, &error),
                     STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "sss-atomic has 1, 2, 4, 8, 16 or 32 threads a row, not threads=3");
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

/* Rows of 0, 1 and 2 entries below the diagonal. With 4 threads a row, 1, 1 and 2 lanes load the row's
 * element of x: 4 loads. Without a parameter each row has one thread: 3 loads. Each of the 3 entries loads
 * one element more, and adds once; each row adds once. */
static void traffic_counts_the_lanes_that_load(void **state)
{
    static const double dense[] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
    struct csr a = support_dense(3, 3, dense);
    struct device device;
    paper_open(&facts, &device);
    struct storage storage = storing_done(&format_sss, "", NULL, &a);
    for (int k = 0; k < 4; k++) {
        const struct preparing options = {.product.accumulate = k % 2};
        struct launch launch;
        struct tracer tracer = {0};
        int64_t loads = k < 2 ? 4 + 3 : 3 + 3;
        assert_int_equal(preparing_on_paper(&device, &kernel_cuda_sss_atomic, k < 2 ? "threads=4" : "",
                                            &storage, &options, &launch, NULL),
                         STATUS_OK);
        trace_warp(&launch, 0, 0, &tracer);
        const struct traffic traffic = kernel_traffic(&launch);
        assert_int_equal(traffic.x_loads, loads);
        assert_int_equal(tracer.count[ACCESS_LOAD][OPERAND_X].lanes, loads);
        assert_int_equal(tracer.count[ACCESS_REDUCTION][OPERAND_Y].lanes, 3 + 3);
        assert_int_equal(traffic.y_loads, k % 2 ? 3 : 0);
        assert_int_equal(traffic.y_stores, 3);
        kernel_release(&launch);
    }
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sss_atomic_warps_ask_as_their_threads_do),
        cmocka_unit_test(other_numbers_of_threads_are_refused),
        cmocka_unit_test(traffic_counts_the_lanes_that_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
