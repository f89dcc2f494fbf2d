/* Measuring a GPU: the use of the driver's measurements, the matrices for them, and, if there is a GPU,
 * whether the numbers are plausible. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/calibrate.h"
#include "kernels/gpu/plausible.h"
#include "kernels/timing/calibrate.h"
#include "support/cmocka.h"
#include "support/fake_device.h"

#define MIB ((size_t)1 << 20)

static void a_device_becomes_a_profile(void **state)
{
    struct gpu gpu;
    struct error error = {0};
    fake.pace = 1.23456e-6;
    fake.read = 4.5e9;
    fake.read_step = 1e6;
    if (gpu_calibrate(&fake_type, 1, &gpu, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_string_equal(gpu.title, "Fake 1");
    assert_string_equal(gpu.name, "fake-1");
    assert_true(strncmp(gpu.source, "its driver, and sparsight kernels --calibrate on 20", 51) == 0);
    assert_non_null(strstr(gpu.source, " times, which agree within "));
    assert_true(gpu.bandwidth == 5e9 && gpu.cache == 4096);
    assert_true(gpu.pace.measured);
    /* Four digits are kept. */
    assert_true(gpu.pace.launch == 1.235e-6 && gpu.pace.early == 1.235e-6 && gpu.pace.next == 1.235e-6 &&
                gpu.pace.meeting == 1.235e-9);
    /* The measured bandwidth falls each time. The median of the nine after the first is the sixth
     * measurement; the best pass is the first one. */
    assert_true(gpu.pace.read == 4.495e9);
    assert_in_range(fake.paces, 2, 4); /* more than two if other programs disturb */
    assert_int_equal(fake.bandwidths, 10 * fake.paces);
    /* It uses at most half of the free memory, and returns it. */
    assert_in_range(fake.max_used, 1, fake.memory / 2);
    assert_int_equal(fake.used, 0);
}

/* A busy host launches late: the best of several measurements counts, and an impossible one is not kept. */
static void a_late_launch_is_measured_again(void **state)
{
    struct gpu gpu;
    struct error error = {0};
    fake.pace = 20e-6;
    fake.pace_times = 0.5;
    fake.read = 4.5e9;
    if (gpu_calibrate(&fake_type, 0, &gpu, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_true(gpu.pace.launch == 2.5e-6);
    assert_int_equal(fake.paces, 4);
    assert_non_null(strstr(gpu.source, "4 times, which agree within 100%"));
    fake.pace = 171e-6;
    fake.pace_times = 1;
    assert_int_equal(gpu_calibrate(&fake_type, 0, &gpu, NULL, &error), STATUS_UNAVAILABLE);
    assert_non_null(
        strstr(error.message, "its launch came out as 171 us, but a launch on a quiet host takes"));
    assert_int_equal(gpu.multiprocessors + gpu.name[0], 0);
    error_clear(&error);
    fake.pace = 2e-6;
    fake.read = 1e9; /* 0.2 of the nominal 5e9 */
    assert_int_equal(gpu_calibrate(&fake_type, 0, &gpu, NULL, &error), STATUS_UNAVAILABLE);
    assert_non_null(
        strstr(error.message, "its read bandwidth came out as 1 GB/s, but it is at least 0.4 of"));
    assert_int_equal(fake.used, 0);
}

/* The kept measurements of GPUs are plausible. */
static void shipped_profiles_are_plausible(void **state)
{
    struct gpu gpu;
    char why[PLAUSIBLE_WORDS];
    const char *const names[] = {"h200", "h100", "a100", "v100", "rtx4090", "k20m", "gtx480"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(gpu_find(names[k], &gpu, NULL), STATUS_OK);
        if (pace_implausible(&gpu.pace, gpu.bandwidth, why)) fail_msg("%s: %s", names[k], why);
    }
    assert_int_equal(gpu_find("h200", &gpu, NULL), STATUS_OK);
    gpu.pace.early = gpu.pace.launch; /* a profile may lack it */
    for (int k = 0; k < PACE_NUMBERS; k++) {
        struct gpu_pace pace = gpu.pace;
        *pace_number(&pace, &pace_bounds[k]) *= pace_bounds[k].more ? 1e-4 : 1e4;
        assert_true(pace_implausible(&pace, gpu.bandwidth, why));
        assert_non_null(strstr(why, pace_bounds[k].name));
    }
}

static void failed_measurements_have_a_message(void **state)
{
    struct gpu gpu;
    struct error error = {0};
    struct progress progress = {0};
    struct device_type unmeasured = fake_type;
    fake.pace = 0;
    fake.read = 4.5e9;
    assert_int_equal(gpu_calibrate(&fake_type, 0, &gpu, NULL, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "its launch came out as 0 us"));
    assert_int_equal(gpu.multiprocessors + gpu.name[0], 0);
    error_clear(&error);
    fake.pace = 1;
    assert_int_equal(gpu_calibrate(&fake_type, 7, &gpu, NULL, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "there is no GPU 7"));
    error_clear(&error);
    unmeasured.pace = NULL;
    assert_int_equal(gpu_calibrate(&unmeasured, 0, &gpu, NULL, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "Fake 0 cannot be measured");
    progress_cancel(&progress);
    assert_int_equal(gpu_calibrate(&fake_type, 0, &gpu, &progress, NULL), STATUS_CANCELLED);
    assert_int_equal(fake.used, 0);
    fake.count = 0;
    error_clear(&error);
    assert_int_equal(gpu_calibrate(&fake_type, 0, &gpu, NULL, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "no such device; "));
    assert_non_null(strstr(error.message, "--gpu=NAME"));
}

/* A chase comes back to its first element only after all the others. */
static void chases_visit_all_lines(void **state)
{
    for (uint32_t n = 2; n <= 1u << 20; n *= 2) {
        uint32_t at = 0, steps = 0;
        do {
            at = (CALIBRATE_RING_FACTOR * at + CALIBRATE_RING_STEP) & (n - 1);
            steps++;
        } while (at != 0 && steps <= n);
        assert_int_equal(steps, n);
    }
}

/* A request asks for 32 sectors in 32 lines, wherever its first lane is. */
static void lanes_ask_for_lines_of_their_own(void **state)
{
    const uint32_t per_line = CALIBRATE_LINE / CALIBRATE_SECTOR;
    for (uint32_t n = CALIBRATE_L1 / CALIBRATE_SECTOR; n <= 1u << 22; n *= 2)
        for (uint32_t first = 0; first < 64; first++) {
            uint32_t line[32];
            for (uint32_t lane = 0; lane < 32; lane++) {
                line[lane] = ((first + lane * calibrate_stride(n)) & (n - 1)) / per_line;
                for (uint32_t other = 0; other < lane; other++)
                    assert_int_not_equal(line[other], line[lane]);
            }
        }
}

/* By hand: an H200 has 60 MiB of L2, a K20m 1.25. */
static void sizes_go_by_l2(void **state)
{
    const size_t large = 60 * MIB, small = 5 * MIB / 4;
    assert_int_equal(calibrate_slice(large), 8 * MIB);
    assert_int_equal(calibrate_slice(small), MIB / 4);
    assert_int_equal(calibrate_l2_chase(large), 8 * MIB);
    assert_int_equal(calibrate_l2_chase(128 * MIB), 8 * MIB);
    assert_int_equal(calibrate_l2_chase(small), MIB / 4);
    assert_int_equal(calibrate_memory_chase(large, 2048 * MIB), 512 * MIB);
    assert_int_equal(calibrate_memory_chase(small, 2048 * MIB), 16 * MIB);
    assert_int_equal(calibrate_memory_chase(large, 600 * MIB), 256 * MIB);
    assert_int_equal(calibrate_memory_chase(large, 500 * MIB), 0);
    assert_int_equal(calibrate_memory_chase(large, 0), 0);
}

/* A device of which every measurement takes 2 us, until the call `fails_at` fails. */
static struct {
    int times, fails_at, fills, writes, flushes;
} steady;

static enum status steady_time(struct device *device, const struct launch *launch, int products,
                               double *seconds, struct error *error)
{
    *seconds = 2e-6;
    if (++steady.times == steady.fails_at) return error_set(error, STATUS_UNAVAILABLE, "it fell off the bus");
    return STATUS_OK;
}

static enum status steady_fill(struct device *device, void *to, unsigned char byte, size_t bytes,
                               struct error *error)
{
    steady.fills++;
    return STATUS_OK;
}

static enum status steady_write(struct device *device, void *to, const void *from, size_t bytes,
                                struct error *error)
{
    steady.writes++;
    return STATUS_OK;
}

static enum status steady_flush(struct device *device, const void *memory, size_t bytes, struct error *error)
{
    steady.flushes++;
    return STATUS_OK;
}

static const struct device_type steady_type = {
    .time = steady_time, .fill = steady_fill, .write = steady_write, .flush = steady_flush};

/* Blocks of 1024 threads that an H200 of 3 multiprocessors runs at a time: 2 on each. */
#define STEADY_THREADS (3.0 * 2 * 1024)

static enum status steady_pace(struct gpu_pace *pace, struct progress *progress, struct error *error)
{
    static char buffer[1 << 23];
    struct device device = {.type = &steady_type,
                            .facts = {.major = 9, .multiprocessors = 3, .cache = 1 << 18}};
    steady.times = steady.fills = steady.writes = steady.flushes = 0;
    return cuda_pace(&device, buffer, sizeof buffer, pace, progress, error);
}

static void check_close(double found, double expected)
{
    if (!(found >= 0.999999 * expected && found <= 1.000001 * expected))
        fail_msg("%g, not %g", found, expected);
}

/* By hand: the work of a block in 2 us, with 32 bytes a sector, and the 8 MiB less a slot of 4096 bytes that
 * are written. */
static void paces_follow_from_times(void **state)
{
    struct gpu_pace pace = {0};
    struct progress progress = {0};
    struct error error = {0};
    if (steady_pace(&pace, &progress, &error) != STATUS_OK) fail_msg("%s", error.message);
    check_close(pace.launch, 2e-6);
    check_close(pace.early, 2e-6);
    assert_true(pace.next == 0); /* two launches take as long as one */
    check_close(pace.l1, STEADY_THREADS * 2048 * 32 / 2e-6);
    check_close(pace.l2, STEADY_THREADS * 1024 * 32 / 2e-6);
    check_close(pace.reductions, STEADY_THREADS * 256 * 32 / 2e-6);
    check_close(pace.meeting, 2e-6 / (3 * 256 * 16));
    check_close(pace.write, ((1 << 23) - 4096) / 2e-6);
    check_close(pace.shared_latency, 2e-6 / 131072);
    check_close(pace.l1_latency, 2e-6 / 16384);
    check_close(pace.l2_latency, 2e-6 / 16384);
    check_close(pace.memory_latency, 2e-6 / 16384);
    assert_int_equal(steady.fills, 1);
    assert_int_equal(steady.writes, 3);  /* the start of each pointer chase */
    assert_int_equal(steady.flushes, 1); /* before the one in memory */
    assert_string_equal(atomic_load(&progress.phase), "measuring the GPU");
    assert_int_equal(atomic_load(&progress.done), 12);
    assert_int_equal(atomic_load(&progress.total), 12);
}

/* After a failure, and when it is cancelled, nothing more is measured. */
static void a_failure_ends_the_measurements(void **state)
{
    struct gpu_pace pace;
    struct progress progress = {0};
    for (steady.fails_at = 1; steady.fails_at <= 5; steady.fails_at++) {
        struct error error = {0};
        assert_int_equal(steady_pace(&pace, NULL, &error), STATUS_UNAVAILABLE);
        assert_int_equal(steady.times, steady.fails_at);
        assert_string_equal(error.message, "it fell off the bus");
        assert_int_equal(steady.writes + steady.flushes, 0);
    }
    steady.fails_at = 0;
    progress_cancel(&progress);
    assert_int_equal(steady_pace(&pace, &progress, NULL), STATUS_CANCELLED);
    assert_int_equal(steady.times + steady.writes + steady.flushes, 0);
}

/* Numbers that are impossible for any GPU. */
static void a_gpu_that_is_here_makes_sense(void **state)
{
    const struct device_type *type = device_types[0];
    struct gpu gpu;
    struct error error = {0};
    if (type->check(&error) != STATUS_OK) {
        /* cmocka's own skip() counts as a failure in TAP. */
        print_message("# SKIP no GPU is measured: %s\n", error.message);
        return;
    }
    if (gpu_calibrate(type, 0, &gpu, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
    const struct gpu_pace *pace = &gpu.pace;
    assert_true(pace->launch > 0.2e-6 && pace->launch < 50e-6 && pace->next > 0.1e-6 && pace->next < 50e-6);
    assert_true(pace->early > 0.1e-6 && pace->early < 1.1 * pace->launch);
    assert_true(pace->shared_latency > 5e-9 && pace->shared_latency < pace->l2_latency);
    assert_true(pace->l1_latency > 5e-9 && pace->l1_latency < pace->l2_latency);
    assert_true(pace->l2_latency < pace->memory_latency && pace->memory_latency < 5e-6);
    assert_true(pace->l1 >= pace->l2 && pace->l2 >= pace->read && pace->l2 >= pace->reductions);
    assert_true(pace->read <= 1.05 * gpu.bandwidth && pace->read > 0.5 * gpu.bandwidth);
    assert_true(pace->write <= 1.05 * gpu.bandwidth && pace->write > 0.4 * gpu.bandwidth);
    assert_true(pace->meeting > 1e-11 && pace->meeting < 100e-9);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_device_becomes_a_profile),          TEST(failed_measurements_have_a_message),
        TEST(a_late_launch_is_measured_again),     cmocka_unit_test(shipped_profiles_are_plausible),
        cmocka_unit_test(chases_visit_all_lines),  cmocka_unit_test(lanes_ask_for_lines_of_their_own),
        cmocka_unit_test(sizes_go_by_l2),          cmocka_unit_test(a_gpu_that_is_here_makes_sense),
        cmocka_unit_test(paces_follow_from_times), cmocka_unit_test(a_failure_ends_the_measurements),
    };
    /* The profiles of the user who runs this are not read. */
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/nonexistent", 1);
    return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
