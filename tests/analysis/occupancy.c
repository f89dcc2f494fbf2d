/* Occupancy compared with NVIDIA's own calculator. */
#include <limits.h>
#include <string.h>

#include "analysis/warps/occupancy.h"
#include "support/cmocka.h"

/* Resident blocks per multiprocessor, for registers per thread, threads per block, and bytes of shared
 * memory. They are the results of cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 13.0 (cuda_occupancy.h).
 * Those of 2.0, which it does not support, were read off the spreadsheet of CUDA 8.0. */
static const struct {
    int major, minor, registers, threads;
    size_t shared;
    int blocks;
} cases[] = {
    {2, 0, 20, 192, 0, 8},      {2, 0, 21, 192, 0, 7},     {2, 0, 63, 512, 0, 1},
    {2, 0, 63, 1024, 0, 0},     {2, 0, 32, 64, 2048, 8},   {2, 0, 16, 256, 12289, 3},
    {2, 0, 64, 32, 0, 0},       {2, 0, 20, 64, 49153, 0},  {3, 5, 16, 256, 0, 8},
    {3, 5, 33, 256, 0, 6},      {3, 5, 40, 128, 0, 12},    {3, 5, 65, 1024, 0, 0},
    {3, 5, 32, 96, 0, 16},      {3, 5, 128, 160, 5000, 3}, {3, 5, 32, 128, 16384, 3},
    {3, 5, 20, 64, 49152, 1},   {7, 0, 32, 256, 0, 8},     {7, 0, 33, 256, 0, 6},
    {7, 0, 40, 128, 0, 12},     {7, 0, 255, 256, 0, 1},    {7, 0, 32, 96, 0, 21},
    {7, 0, 24, 32, 0, 32},      {7, 0, 32, 128, 16384, 6}, {7, 0, 20, 64, 49152, 2},
    {3, 5, 34, 160, 0, 9},      {5, 2, 34, 64, 0, 24},     {8, 9, 43, 64, 0, 20},
    {5, 2, 16, 32, 49153, 0},   {9, 0, 34, 64, 0, 24},     {8, 0, 32, 256, 0, 8},
    {8, 0, 64, 1024, 0, 1},     {8, 0, 65, 1024, 0, 0},    {8, 0, 32, 96, 0, 21},
    {8, 0, 128, 160, 5000, 3},  {8, 0, 32, 128, 16384, 9}, {8, 0, 20, 64, 49152, 3},
    {8, 9, 16, 256, 0, 6},      {8, 9, 33, 256, 0, 6},     {8, 9, 40, 128, 0, 12},
    {8, 9, 255, 256, 0, 1},     {8, 9, 32, 96, 0, 16},     {8, 9, 24, 32, 0, 24},
    {8, 9, 32, 128, 16384, 5},  {8, 9, 20, 64, 49152, 2},  {9, 0, 16, 256, 0, 8},
    {9, 0, 33, 256, 0, 6},      {9, 0, 40, 128, 0, 12},    {9, 0, 65, 1024, 0, 0},
    {9, 0, 32, 96, 0, 21},      {9, 0, 24, 32, 0, 32},     {9, 0, 128, 160, 5000, 3},
    {9, 0, 32, 128, 16384, 13}, {9, 0, 20, 64, 49152, 4},  {9, 0, 32, 128, 232448, 1},
    {9, 0, 32, 128, 232449, 0},
};

static void blocks_are_those_of_the_calculator(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gpu gpu = {.major = cases[k].major, .minor = cases[k].minor};
        assert_true(gpu_limits(&gpu));
        struct occupancy occupancy =
            occupancy_of(&gpu, cases[k].registers, cases[k].threads, cases[k].shared);
        if (occupancy.blocks != cases[k].blocks)
            fail_msg("%d.%d, %d registers, %d threads, %zu bytes: %d blocks instead of %d", gpu.major,
                     gpu.minor, cases[k].registers, cases[k].threads, cases[k].shared, occupancy.blocks,
                     cases[k].blocks);
        int warps = cases[k].blocks * ((cases[k].threads + 31) / 32);
        assert_int_equal(occupancy.warps, warps);
        assert_true(occupancy.share == (double)warps / gpu.warps);
    }
}

/* Warps, blocks, and KiB of shared memory per multiprocessor: the table "Technical Specifications per Compute
 * Capability" of the CUDA C++ Programming Guide, 13.0 from 7.5 on. */
static void limits_are_those_of_the_guide(void **state)
{
    static const int guide[][5] = {{2, 1, 48, 8, 48},    {3, 0, 64, 16, 48},   {5, 0, 64, 32, 64},
                                   {5, 2, 64, 32, 96},   {6, 0, 64, 32, 64},   {6, 1, 64, 32, 96},
                                   {7, 0, 64, 32, 96},   {7, 5, 32, 16, 64},   {8, 0, 64, 32, 164},
                                   {8, 6, 48, 16, 100},  {8, 7, 48, 16, 164},  {8, 9, 48, 24, 100},
                                   {9, 0, 64, 32, 228},  {10, 0, 64, 32, 228}, {10, 3, 64, 32, 228},
                                   {11, 0, 48, 24, 228}, {12, 0, 48, 24, 100}, {12, 1, 48, 24, 100}};
    for (size_t k = 0; k < sizeof guide / sizeof *guide; k++) {
        struct gpu gpu = {.major = guide[k][0], .minor = guide[k][1]};
        assert_true(gpu_limits(&gpu));
        assert_int_equal(gpu.warps, guide[k][2]);
        assert_int_equal(gpu.blocks, guide[k][3]);
        assert_int_equal(gpu.shared, guide[k][4] * 1024);
        /* a block may have all but the reserved shared memory, since one can opt for it */
        size_t max = gpu.major < 7 ? 49152 : gpu.shared - gpu.shared_reserved;
        assert_int_equal(gpu.shared_block, max);
        assert_int_equal(gpu.shared_reserved, gpu.major < 8 ? 0 : 1024);
    }
}

static struct occupancy on_h200(int registers, int threads, size_t shared)
{
    struct gpu gpu = {.major = 9};
    gpu_limits(&gpu);
    return occupancy_of(&gpu, registers, threads, shared);
}

static void the_limit_is_named(void **state)
{
    assert_string_equal(occupancy_limit_name(on_h200(32, 256, 0).limit), "warps");
    assert_string_equal(occupancy_limit_name(on_h200(40, 256, 0).limit), "registers");
    assert_string_equal(occupancy_limit_name(on_h200(16, 256, 65536).limit), "shared memory");
    assert_string_equal(occupancy_limit_name(on_h200(16, 32, 0).limit), "blocks");
    assert_string_equal(occupancy_limit_name(on_h200(65, 1024, 0).limit), "registers");
    struct occupancy each = on_h200(40, 128, 16384);
    assert_int_equal(each.blocks_by[OCCUPANCY_WARPS], 16);
    assert_int_equal(each.blocks_by[OCCUPANCY_REGISTERS], 12);
    assert_int_equal(each.blocks_by[OCCUPANCY_SHARED], 13);
    assert_int_equal(each.blocks_by[OCCUPANCY_BLOCKS], 32);
}

static void unused_resources_do_not_limit(void **state)
{
    struct gpu gpu = {.major = 7};
    gpu_limits(&gpu);
    struct occupancy occupancy = occupancy_of(&gpu, 0, 64, 0);
    assert_int_equal(occupancy.blocks_by[OCCUPANCY_REGISTERS], INT_MAX);
    assert_int_equal(occupancy.blocks_by[OCCUPANCY_SHARED], INT_MAX);
    assert_int_equal(occupancy.warps, 64);
}

static void impossible_launches_are_not_resident(void **state)
{
    assert_int_equal(on_h200(32, 0, 0).blocks, 0);
    assert_int_equal(on_h200(32, 1025, 0).blocks, 0);
    assert_int_equal(on_h200(-1, 32, 0).blocks, 0);
    assert_int_equal(on_h200(256, 32, 0).blocks, 0);
    assert_true(on_h200(32, 1025, 0).share == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_of_the_calculator),
        cmocka_unit_test(limits_are_those_of_the_guide),
        cmocka_unit_test(the_limit_is_named),
        cmocka_unit_test(unused_resources_do_not_limit),
        cmocka_unit_test(impossible_launches_are_not_resident),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
