/* The limits of each compute capability and of unlisted ones, and the range of each key of a profile. */
#include <stdio.h>
#include <string.h>

#include "kernels/gpu/profile.h"
#include "support/cmocka.h"

#define KIB ((size_t)1024)

/* Technical specifications per compute capability, as the CUDA C++ Programming Guide lists them: warps and
 * blocks of a multiprocessor, its KiB of shared memory and those of a block, KiB of unified L1 (0: apart from
 * shared memory), and multiplications with additions a clock. */
static const struct {
    int major, minor, warps, blocks, shared, block, unified, f64, f32;
} guide[] = {{2, 0, 48, 8, 48, 48, 0, 16, 32},       {2, 1, 48, 8, 48, 48, 0, 4, 48},
             {3, 0, 64, 16, 48, 48, 0, 8, 192},      {3, 5, 64, 16, 48, 48, 0, 64, 192},
             {5, 0, 64, 32, 64, 48, 0, 4, 128},      {5, 2, 64, 32, 96, 48, 0, 4, 128},
             {6, 0, 64, 32, 64, 48, 0, 32, 64},      {6, 1, 64, 32, 96, 48, 0, 4, 128},
             {7, 0, 64, 32, 96, 96, 128, 32, 64},    {7, 5, 32, 16, 64, 64, 96, 2, 64},
             {8, 0, 64, 32, 164, 163, 192, 32, 64},  {8, 6, 48, 16, 100, 99, 128, 2, 128},
             {8, 7, 48, 16, 164, 163, 192, 2, 128},  {8, 9, 48, 24, 100, 99, 128, 2, 128},
             {9, 0, 64, 32, 228, 227, 256, 64, 128}, {10, 0, 64, 32, 228, 227, 256, 64, 128},
             {10, 3, 64, 32, 228, 227, 256, 2, 128}, {11, 0, 48, 24, 228, 227, 256, 2, 128},
             {12, 0, 48, 24, 100, 99, 128, 2, 128},  {12, 1, 48, 24, 100, 99, 128, 2, 128}};

static void limits_are_those_of_the_guide(void **state)
{
    for (size_t k = 0; k < sizeof guide / sizeof *guide; k++) {
        struct gpu gpu = {.major = guide[k].major, .minor = guide[k].minor, .multiprocessors = 3};
        const bool fermi = gpu.major == 2, unified = guide[k].unified > 0;
        assert_true(gpu_limits(&gpu));
        assert_int_equal(gpu.warps, guide[k].warps);
        assert_int_equal(gpu.blocks, guide[k].blocks);
        assert_int_equal(gpu.registers, fermi ? 32768 : 65536);
        assert_int_equal(gpu.register_unit, fermi ? 64 : 256);
        assert_int_equal(gpu.thread_registers, fermi || (gpu.major == 3 && gpu.minor == 0) ? 63 : 255);
        assert_int_equal(gpu.warp_unit, fermi || (gpu.major == 6 && gpu.minor == 0) ? 2 : 4);
        assert_int_equal(gpu.shared, (size_t)guide[k].shared * KIB);
        assert_int_equal(gpu.shared_block, (size_t)guide[k].block * KIB);
        assert_int_equal(gpu.shared_reserved, gpu.major >= 8 ? KIB : 0);
        assert_int_equal(gpu.shared_unit, gpu.major < 3 || gpu.major >= 8 ? 128 : 256);
        assert_int_equal(gpu.granule, fermi ? 128 : 32);
        assert_int_equal(gpu.l1_shared, unified);
        if (unified) assert_int_equal(gpu.l1, (size_t)guide[k].unified * KIB);
        assert_true(gpu_arithmetic(&gpu, 8) == 4.5e9 * guide[k].f64);
        assert_true(gpu_arithmetic(&gpu, 4) == 4.5e9 * guide[k].f32);
    }
}

/* An unknown GPU has the limits of the nearest lower compute capability. */
static void unknown_ones_have_the_nearest_lower_limits(void **state)
{
    static const struct {
        int major, minor, warps, shared;
    } cases[] = {{8, 5, 64, 164}, {8, 8, 48, 164}, {9, 9, 64, 228}, {99, 0, 48, 100}, {1, 3, 48, 48}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gpu gpu = {.major = cases[k].major, .minor = cases[k].minor};
        assert_false(gpu_limits(&gpu));
        assert_int_equal(gpu.warps, cases[k].warps);
        assert_int_equal(gpu.shared, (size_t)cases[k].shared * KIB);
    }
}

/* Both ends of the range of a key are taken, and what lies beyond them is refused. */
static void ranges_have_two_ends(void **state)
{
    static const struct {
        const char *key, *below, *least, *most, *above;
    } ranges[] = {{"warps", "0", "1", "4096", "4097"},
                  {"blocks", "0", "1", "4096", "4097"},
                  {"registers", "1023", "1024", "16777216", "16777217"},
                  {"registers a thread", "0", "1", "65536", "65537"},
                  {"register unit", "0", "1", "65536", "65537"},
                  {"warp unit", "0", "1", "64", "65"},
                  {"shared memory", "1023", "228 KiB", "1 GiB", "1.1 GiB"},
                  {"shared memory a block", "1023", "1024", "99 KiB", "1.1 GiB"},
                  {"shared memory reserved", "-1", "0", "1 MiB", "1.01 MiB"},
                  {"shared memory unit", "0", "1", "65536", "65537"},
                  {"L1", "-1", "0", "1 MiB", "1.01 MiB"},
                  {"L1 with shared memory", "-1", "0", "1", "2"},
                  {"L2 partitions", "0", "1", "16", "17"},
                  {"peak double", "0.9 MFLOP/s", "1 MFLOP/s", "1000000 TFLOP/s", "1000001 TFLOP/s"},
                  {"peak single", "0.9 MFLOP/s", "1 MFLOP/s", "1000000 TFLOP/s", "1000001 TFLOP/s"},
                  {"launch", "0.9 ns", "1 ns", "1 s", "1.1 s"},
                  {"early launch", "0.9 ns", "1 ns", "1 s", "1.1 s"},
                  {"next launch", "0.9 ns", "1 ns", "1 s", "1.1 s"},
                  {"L1 latency", "0.9 ns", "1 ns", "1 ms", "1.1 ms"},
                  {"L2 latency", "0.9 ns", "1 ns", "1 ms", "1.1 ms"},
                  {"memory latency", "0.9 ns", "1 ns", "1 ms", "1.1 ms"},
                  {"shared memory latency", "0.9 ns", "1 ns", "1 ms", "1.1 ms"},
                  {"L1 bandwidth", "0.9 MB/s", "1 MB/s", "1000000 TB/s", "1000001 TB/s"},
                  {"L2 bandwidth", "0.9 MB/s", "1 MB/s", "1000000 TB/s", "1000001 TB/s"},
                  {"read bandwidth", "0.9 MB/s", "1 MB/s", "1000000 TB/s", "1000001 TB/s"},
                  {"write bandwidth", "0.9 MB/s", "1 MB/s", "1000000 TB/s", "1000001 TB/s"},
                  {"reduction bandwidth", "0.9 MB/s", "1 MB/s", "1000000 TB/s", "1000001 TB/s"},
                  {"meeting addition", "0.0009 ns", "0.001 ns", "1 ms", "1.1 ms"}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const char *const values[] = {ranges[k].below, ranges[k].least, ranges[k].most, ranges[k].above};
        for (int v = 0; v < 4; v++) {
            char text[512];
            struct gpu gpu;
            struct error error = {0};
            int length = snprintf(text, sizeof text,
                                  "title = A\ncompute capability = 8.6\nmultiprocessors = 3\nL2 = 1 MiB\n"
                                  "memory = 2 GiB\nbandwidth = 100 GB/s\n%s = %s\n%s",
                                  ranges[k].key, values[v],
                                  strncmp(ranges[k].key, "L1 with", 7) ? "L1 with shared memory = 0\n" : "");
            /* relations to other keys are tested elsewhere */
            const bool within = v == 1 || v == 2,
                       ok = gpu_read(text, (size_t)length, "a.gpu", &gpu, &error) == STATUS_OK;
            const bool refused =
                strstr(error.message, "out of range") || strstr(error.message, "is not a number");
            if (refused == within || (!within && ok))
                fail_msg("%s = %s: %s", ranges[k].key, values[v], error.message);
            if (!within) assert_int_equal(error.line, 7);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_those_of_the_guide),
        cmocka_unit_test(ranges_have_two_ends),
        cmocka_unit_test(unknown_ones_have_the_nearest_lower_limits),
    };
    return cmocka_run_group_tests_name("gpu limits", tests, NULL, NULL);
}
