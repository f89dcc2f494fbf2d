/* The bandwidths of a machine's memory are measured, and its caches are flushed. */
#include <unistd.h>

#include "base/memory.h"
#include "kernels/timing/machine.h"
#include "support/bench.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/timing.h"

/* 2 MiB are too little to find a cache, but all numbers exist. */
static void machines_are_measured(void **state)
{
    struct machines machines = {0};
    struct progress progress = {0};
    for (int threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(machine_measure(&machines.host, threads, 4 << 20, NULL, NULL), STATUS_OK);
        assert_int_equal(machines.host.threads, threads);
        assert_true(machines.host.read > 0 && machines.host.copy > 0 && machines.host.times == 5);
        assert_true(machines.host.read_low <= machines.host.read &&
                    machines.host.copy_low <= machines.host.copy);
        assert_in_range(machines.host.cache, 1 << 18, 1 << 21);
        assert_true(machines.host.checksum == 0);
        assert_true(machine_narrow(&machines.host));
        assert_int_equal(machines.host.buffer, 1 << 21); /* all available memory, instead of 256 MiB */
        machines.host.read_low = machines.host.copy_low = 1e-9;
        machines.host.read = machines.host.copy = 1e30;
        machine_again(&machines.host, NULL); /* measuring again keeps the best and the worst */
        assert_int_equal(machines.host.times, 6);
        assert_true(machines.host.read == 1e30 && machines.host.copy == 1e30);
        assert_true(machines.host.read_low == 1e-9 && machines.host.copy_low == 1e-9);
        machine_flush(&machines.host, NULL);
        machine_free(&machines.host);
        machine_free(&machines.host);
    }
    assert_int_equal(machine_measure(&machines.host, 0, (size_t)1 << 30, NULL, NULL), STATUS_OK);
    assert_true(machines.host.buffer >= (size_t)1 << 28); /* 256 MiB fit in the limit, whatever the cache */
    assert_false(machine_narrow(&machines.host));
    machine_free(&machines.host);
    assert_int_equal(machine_measure(&machines.host, 0, 1, NULL, NULL), STATUS_OK);
    assert_int_equal(machines.host.threads, 1);
    machine_free(&machines.host);
    memory_fail_after(0);
    assert_int_equal(machine_measure(&machines.host, 2, 4 << 20, NULL, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_null(machines.host.memory);
    progress_cancel(&progress);
    assert_int_equal(machine_measure(&machines.host, 2, 4 << 20, &progress, NULL), STATUS_CANCELLED);
    assert_null(machines.host.memory);
    machine_again(&machines.host, NULL);
    machine_flush(&machines.host, NULL);
}

/* The steps that measuring takes, of which each is a size read three times, or a bandwidth; *cache is found.
 */
static int64_t steps_of(int threads, size_t limit, size_t *cache)
{
    struct machine machine;
    struct progress progress = {0};
    assert_int_equal(machine_measure(&machine, threads, limit, &progress, NULL), STATUS_OK);
    *cache = machine.cache;
    machine_free(&machine);
    assert_int_equal(atomic_load(&progress.done), atomic_load(&progress.total));
    return atomic_load(&progress.done);
}

/* The sizes of a sweep go up to half the limit: 256 KiB, 512 KiB, 1 MiB and 2 MiB of 4 MiB. A cache is looked
 * for once for each number of threads and limit; then the five bandwidths remain. */
static void a_cache_is_looked_for_once(void **state)
{
    size_t first, again, other;
    assert_int_equal(steps_of(4, 4 << 20, &first), 3 * 4 + 5);
    assert_int_equal(steps_of(4, 4 << 20, &again), 5);
    assert_int_equal(again, first);
    assert_int_equal(steps_of(4, 2 << 20, &other), 3 * 3 + 5);
    assert_true(other <= 1 << 19); /* at most half of the memory */
    assert_int_equal(steps_of(5, 2 << 20, &other), 3 * 3 + 5);
    assert_int_equal(steps_of(5, 2 << 20, &again), 5);
    assert_int_equal(again, other);
    assert_int_equal(steps_of(4, 4 << 20, &again), 3 * 4 + 5); /* only the last search is remembered */
}

static void threads_that_waited_have_their_own_bandwidths(void **state)
{
    assert_true(machine_mended(4e9, 9e9) == 9e9);
    assert_true(machine_mended(4.5e9, 9e9) == 4.5e9);
    assert_true(machine_mended(8e9, 9e9) == 8e9);
    assert_true(machine_mended(9e9, 8e9) == 9e9);
}

/* One thread reads 2 MiB, and copies one half of them to the other half, which counts as twice the bytes. So
 * the times that follow from both bandwidths are less than the time of measuring. */
static void bandwidths_agree_with_the_time_of_measuring(void **state)
{
    const double bytes = 1 << 21;
    struct machine machine;
    assert_int_equal(machine_measure(&machine, 1, 4 << 20, NULL, NULL), STATUS_OK);
    assert_int_equal(machine.share, bytes);
    for (int k = 0; k < 20; k++) {
        machine.read = machine.copy = 0;
        machine_again(&machine, NULL);
        assert_true(bytes / machine.read + bytes / machine.copy <= machine.cost + 1e-9);
    }
    machine_free(&machine);
}

/* Each cold sample is preceded by reading the whole buffer, here ones, which are added to the checksum. */
static void caches_are_flushed(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct result results[] = {ask_result(&kernel_counting, "", PRECISION_F64, 1),
                               ask_result(&kernel_cpu_csr_omp, "", PRECISION_F32, 3)};
    struct bench_options options = few_samples(5);
    assert_int_equal(machine_measure(&machines.host, 2, 4 << 20, NULL, NULL), STATUS_OK);
    for (size_t k = 0; k < 2 * machines.host.share / sizeof(double); k++)
        ((double *)machines.host.memory)[k] = 1;
    machine_flush(&machines.host, NULL);
    double once = machines.host.checksum;
    assert_true(once > 1000);
    assert_int_equal(timing_bench(&a, results, 2, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&results[0]);
    expect_result(&results[1]);
    assert_true(machines.host.checksum >= 11 * once);
    assert_int_equal(results[0].samples.count, 5);
    assert_false(results[0].cached);
    machine_free(&machines.host);
    csr_free(&a);
}

/* Where kernels run for longer than half a second, the machine is measured again in between. */
static void a_machine_is_watched(void **state)
{
    struct csr a = bench_example();
    struct machines machines = {0};
    struct result result = ask_result(&kernel_slow, "", PRECISION_F64, 1);
    struct bench_options options = few_samples(4);
    options.cold = false;
    assert_int_equal(machine_measure(&machines.host, 1, 4 << 20, NULL, NULL), STATUS_OK);
    machines.host.cost = 0;
    assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, NULL, NULL), STATUS_OK);
    expect_result(&result);
    assert_true(machines.host.times > 5);
    machine_free(&machines.host);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(machines_are_measured, forget_bench),
        cmocka_unit_test(a_cache_is_looked_for_once),
        cmocka_unit_test(threads_that_waited_have_their_own_bandwidths),
        cmocka_unit_test_setup(bandwidths_agree_with_the_time_of_measuring, forget_bench),
        cmocka_unit_test_setup(caches_are_flushed, forget_bench),
        cmocka_unit_test_setup(a_machine_is_watched, forget_bench),
    };
    return cmocka_run_group_tests(tests, make_bench_kernels, NULL);
}
