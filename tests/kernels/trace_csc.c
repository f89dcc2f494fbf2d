/* Traces of CSC: the requests of the threads of csc.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "formats/csc.h"
#include "kernels/cuda/csc.h"
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

static void thread_atomic(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    int64_t threads = (int64_t)launch->values.number[CSC_ATOMIC_THREADS], t = 0;
    int64_t j = (block * (int64_t)launch->values.number[CSC_ATOMIC_BLOCK] + thread) / threads;
    int value = size_of(launch, CSC_VAL), offset = size_of(launch, CSC_COL_PTR);
    assert_int_equal(s, 0);
    if (j >= storage->cols) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, j);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, j + 1);
    int64_t e = array_integer(&storage->array[CSC_COL_PTR], j) + thread % threads;
    int64_t end = array_integer(&storage->array[CSC_COL_PTR], j + 1);
    if (e >= end) return;
    note(warp, 2, ACCESS_LOAD, OPERAND_X, value, j);
    for (; e < end; e += threads, t++) {
        note(warp, turn(t, 0), ACCESS_LOAD, OPERAND_ROWS, 4, e);
        note(warp, turn(t, 1), ACCESS_LOAD, OPERAND_VALUES, value, e);
        note_reduction(launch, warp, turn(t, 2), array_integer(&storage->array[CSC_ROW], e));
    }
}

static void csc_atomic_warps_ask_as_their_threads_do(void **state)
{
    static const char *const kernel[] = {"",          "threads=1",          "threads=2,block=32",
                                         "threads=4", "threads=8,block=96", "threads=16,block=1024",
                                         "threads=32"};
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
        assert_true(expect_trace(&kernel_cuda_csc_atomic, kernel[k], NULL, thread_atomic) > 200);
}

static void prepared(struct device *device, const struct storage *storage, const char *parameters,
                     bool accumulate, struct launch *launch)
{
    const struct preparing options = {.product.accumulate = accumulate};
    assert_int_equal(
        preparing_on_paper(device, &kernel_cuda_csc_atomic, parameters, storage, &options, launch, NULL),
        STATUS_OK);
}

static void other_numbers_of_threads_are_refused(void **state)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};
    const struct preparing options = {0};
    struct csr a = support_matrix(30, 20, 0.5, false, false, 1);
    struct device device;
    struct launch launch;
    struct error error = {0};
    paper_open(&facts, &device);
    struct storage storage = storing_done(&format_csc, "", NULL, &a);
    assert_int_equal(preparing_on_paper(&device, &kernel_cuda_csc_atomic, "threads=3", &storage, &options,
                                        &launch, &error),
                     STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "csc-atomic has 1, 2, 4, 8, 16 or 32 threads a column, not threads=3");
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

/* Columns of 15, 5 and no entries. With 4 threads a column, 4 threads each load x[0] and x[1]: 8 elements.
 * Without a parameter there are 8 threads, 20 / 3 rounded up to a power of two, of which 8 and 5 have an
 * entry. Nothing of y is loaded; clearing y stores each element. */
static void traffic_counts_the_lanes_that_load(void **state)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};
    double dense[15][3] = {{0}};
    struct device device;
    for (int i = 0; i < 15; i++)
        dense[i][0] = 1;
    for (int i = 3; i < 8; i++)
        dense[i][1] = 1;
    struct csr a = support_dense(15, 3, dense[0]);
    paper_open(&facts, &device);
    struct storage storage = storing_done(&format_csc, "", NULL, &a);
    for (int k = 0; k < 4; k++) {
        struct launch launch;
        struct tracer tracer = {0};
        int64_t loads = k < 2 ? 8 : 13;
        prepared(&device, &storage, k < 2 ? "threads=4" : "", k % 2, &launch);
        trace_warp(&launch, 0, 0, &tracer);
        const struct traffic traffic = kernel_traffic(&launch);
        assert_int_equal(traffic.x_loads, loads);
        assert_int_equal(tracer.count[ACCESS_LOAD][OPERAND_X].lanes, loads);
        assert_int_equal(tracer.count[ACCESS_REDUCTION][OPERAND_Y].lanes, 20);
        assert_int_equal(traffic.y_loads, k % 2 ? 15 : 0);
        assert_int_equal(traffic.y_stores, 15);
        kernel_release(&launch);
    }
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csc_atomic_warps_ask_as_their_threads_do),
        cmocka_unit_test(other_numbers_of_threads_are_refused),
        cmocka_unit_test(traffic_counts_the_lanes_that_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
