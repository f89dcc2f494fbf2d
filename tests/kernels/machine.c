/* What a machine's memory can do is measured, and its caches are flushed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "base/memory.h"
#include "kernels/timing/machine.h"
#include "support/bench.h"
#include "support/kernels.h"

/* With 2 MiB there is nothing to find out, but all is there. */
static void machines_are_measured(void **state)
{
    struct machine machine;
    struct progress progress = {0};
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(machine_measure(&machine, threads, 4 << 20, NULL, NULL), STATUS_OK);
        assert_int_equal(machine.threads, threads);
        assert_true(machine.read > 0 && machine.copy > 0 && machine.times == 5);
        assert_true(machine.read_low <= machine.read && machine.copy_low <= machine.copy);
        assert_in_range(machine.cache, 1 << 18, 1 << 21);
        assert_true(machine.checksum == 0);
        assert_true(machine_narrow(&machine));
        assert_int_equal(machine.buffer, 1 << 21); /* all there is: 256 MiB would be read */
        machine.read_low = machine.copy_low = 1e-9;
        machine.read = machine.copy = 1e30;
        machine_again(&machine, NULL); /* the best and the worst are kept */
        assert_int_equal(machine.times, 6);
        assert_true(machine.read == 1e30 && machine.copy == 1e30);
        assert_true(machine.read_low == 1e-9 && machine.copy_low == 1e-9);
        machine_flush(&machine, NULL);
        machine_free(&machine);
        machine_free(&machine);
    }
    assert_int_equal(machine_measure(&machine, 0, (size_t)1 << 30, NULL, NULL), STATUS_OK);
    assert_true(machine.buffer >= (size_t)1 << 28); /* where there is room for it, whatever the cache */
    assert_false(machine_narrow(&machine));
    machine_free(&machine);
    assert_int_equal(machine_measure(&machine, 0, 1, NULL, NULL), STATUS_OK);
    assert_int_equal(machine.threads, 1);
    machine_free(&machine);
    memory_fail_after(0);
    assert_int_equal(machine_measure(&machine, 2, 4 << 20, NULL, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_null(machine.memory);
    progress_cancel(&progress);
    assert_int_equal(machine_measure(&machine, 2, 4 << 20, &progress, NULL), STATUS_CANCELLED);
    assert_null(machine.memory);
    machine_again(&machine, NULL);
    machine_flush(&machine, NULL);
}

/* Before each cold sample the whole buffer is read: ones here, which the checksum adds up. */
static void caches_are_flushed(void **state)
{
    struct csr a = bench_example();
    struct machine machine;
    struct result results[] = {ask_result(&kernel_counting, "", PRECISION_F64, 1),
                               ask_result(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
    struct bench_options options = few_samples(5);
    (void)state;
    assert_int_equal(machine_measure(&machine, 2, 4 << 20, NULL, NULL), STATUS_OK);
    for (size_t k = 0; k < 2 * machine.part / sizeof(double); k++)
        ((double *)machine.memory)[k] = 1;
    machine_flush(&machine, NULL);
    double once = machine.checksum;
    assert_true(once > 1000);
    assert_int_equal(bench_run(&a, results, 2, &options, &machine, NULL, NULL), STATUS_OK);
    expect_result(&results[0]);
    expect_result(&results[1]);
    assert_true(machine.checksum >= 11 * once);
    assert_int_equal(results[0].samples.count, 5);
    assert_false(results[0].cached);
    machine_free(&machine);
    free_results(results, 2);
    csr_free(&a);
}

/* Where kernels run for longer than half a second, the machine is measured again in between. */
static void a_machine_is_watched(void **state)
{
    struct csr a = bench_example();
    struct machine machine;
    struct result result = ask_result(&kernel_slow, "", PRECISION_F64, 1);
    struct bench_options options = few_samples(4);
    (void)state;
    options.cold = false;
    assert_int_equal(machine_measure(&machine, 1, 4 << 20, NULL, NULL), STATUS_OK);
    machine.cost = 0;
    assert_int_equal(bench_run(&a, &result, 1, &options, &machine, NULL, NULL), STATUS_OK);
    expect_result(&result);
    assert_true(machine.times > 5);
    free_results(&result, 1);
    machine_free(&machine);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(machines_are_measured, forget_bench),
        cmocka_unit_test_setup(caches_are_flushed, forget_bench),
        cmocka_unit_test_setup(a_machine_is_watched, forget_bench),
    };
    return cmocka_run_group_tests(tests, make_bench_kernels, NULL);
}
