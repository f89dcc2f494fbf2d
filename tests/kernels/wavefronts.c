/* tests/gpu/wavefronts, the model by which profile_gpu predicts passes, compared with the counts of Nsight
 * Compute 2025.3.1 on an H200. Each count is of a launch of one warp. */
#include "gpu/wavefronts.h"
#include "support/cmocka.h"

static int counted(enum access access, int size, uint32_t active, const int elements[TRACE_LANES])
{
    uint64_t address[TRACE_LANES];
    const struct ask ask = {access, OPERAND_SHARED, "", size};
    for (int lane = 0; lane < TRACE_LANES; lane++)
        address[lane] = (uint64_t)elements[lane] * (uint64_t)size;
    const struct request request = {&ask, active, 0, address};
    return wavefronts(&request);
}

static int strided(enum access access, int size, uint32_t active, int stride)
{
    int elements[TRACE_LANES];
    for (int lane = 0; lane < TRACE_LANES; lane++)
        elements[lane] = stride * lane;
    return counted(access, size, active, elements);
}

/* active lanes, their elements, and the passes */
struct measured {
    uint32_t active;
    int elements[TRACE_LANES];
    int passes;
};

/* Of 8 bytes. */
static const struct measured eights[] = {
    {0x146c0842,
     {0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 10, 12, 0, 19, 24, 0, 0, 0, 25, 0, 28, 0, 0, 0},
     3},
    {0x43800026,
     {0, 1, 5, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 14, 16, 0, 0, 0, 0, 17, 0},
     2},
    {0x80989862,
     {0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 4, 6, 0, 0, 9, 0, 0, 0, 10, 12, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 18},
     2},
    {0x31c06386,
     {0, 0, 2, 0, 0, 0, 0, 3, 4, 7, 0, 0, 0, 12, 13, 0, 0, 0, 0, 0, 0, 0, 14, 16, 17, 0, 0, 0, 18, 19, 0, 0},
     2},
    {0x89421206,
     {0, 0, 4, 0, 0, 0, 0, 0, 0, 5, 0, 0, 11, 0, 0, 0, 0, 13, 0, 0, 0, 0, 16, 0, 20, 0, 0, 24, 0, 0, 0, 28},
     2},
    {0x00500026,
     {0, 0, 3, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0},
     1},
    {0x20031406,
     {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 9, 0, 0, 0, 10, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0},
     2},
    {0x86840080,
     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0, 11, 14, 0, 0, 0, 0, 18},
     1},
    {0x08444090,
     {0, 0, 0, 0, 32, 0, 0, 45, 0, 0, 0, 0, 0, 0, 13, 0, 0, 0, 28, 0, 0, 0, 38, 0, 0, 0, 0, 14, 0, 0, 0, 0},
     3},
    {0x40844422,
     {0, 19, 0, 0, 0, 45, 0, 0, 0, 0, 32, 0, 0, 0, 7, 0, 0, 0, 31, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 24, 0},
     1},
    {0x150a041c,
     {0, 0, 45, 45, 45, 0, 0, 0, 0, 0, 21, 0, 0, 0, 0, 0, 0, 41, 0, 2, 0, 0, 0, 0, 36, 0, 20, 0, 16, 0, 0, 0},
     3},
    {0xa48a8580,
     {0, 0, 0, 0, 0, 0, 0, 7, 17, 0, 36, 0, 0, 0, 0, 17, 0, 4, 0, 41, 0, 0, 0, 3, 0, 0, 31, 0, 0, 13, 0, 11},
     2},
};

/* Of 16 bytes. */
static const struct measured sixteens[] = {
    {0x00fa4c01,
     {15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 58, 0, 0, 51, 0, 0, 55, 0, 2, 48, 39, 56, 30, 0, 0, 0, 0, 0, 0, 0, 0},
     3},
    {0x4d054010,
     {0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0, 12, 0, 21, 0, 0, 0, 0, 0, 35, 0, 55, 40, 0, 0, 51, 0},
     4},
    {0x10040440,
     {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 56, 0, 0, 0},
     2},
    {0x8c134601,
     {6, 0, 0, 0, 0, 0, 0, 0, 0, 3, 49, 0, 0, 0, 16, 0, 17, 31, 0, 0, 43, 0, 0, 0, 0, 0, 1, 51, 0, 0, 0, 47},
     4},
    {0x90014010,
     {0, 0, 0, 0, 94, 0, 0, 0, 0, 0, 0, 0, 0, 0, 42, 0, 26, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 84, 0, 0, 55},
     3},
    {0x7489ad13,
     {3, 12, 0, 0, 5, 0, 0, 0, 0, 0, 7, 8, 0, 2, 0, 10, 6, 0, 0, 13, 0, 0, 0, 15, 0, 0, 10, 0, 8, 10, 13, 0},
     5},
    {0x012082de,
     {0, 14, 4, 7, 10, 0, 14, 11, 0, 14, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 12, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0},
     2},
    {0x0b400a0c,
     {0, 0, 4, 7, 0, 0, 0, 0, 0, 21, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 46, 0, 50, 51, 0, 56, 0, 0, 0, 0},
     4},
};

static void loads_by_few_lanes(void **state)
{
    for (size_t k = 0; k < sizeof eights / sizeof *eights; k++)
        assert_int_equal(counted(ACCESS_LOAD, 8, eights[k].active, eights[k].elements), eights[k].passes);
    for (size_t k = 0; k < sizeof sixteens / sizeof *sixteens; k++)
        assert_int_equal(counted(ACCESS_LOAD, 16, sixteens[k].active, sixteens[k].elements),
                         sixteens[k].passes);
}

/* data/measured/gpu-rules: the table of shared memory */
static void strides(void **state)
{
    assert_int_equal(strided(ACCESS_LOAD, 4, UINT32_MAX, 1), 1);
    assert_int_equal(strided(ACCESS_LOAD, 4, UINT32_MAX, 2), 2);
    assert_int_equal(strided(ACCESS_STORE, 4, UINT32_MAX, 32), 32);
    assert_int_equal(strided(ACCESS_LOAD, 8, UINT32_MAX, 1), 2);
    assert_int_equal(strided(ACCESS_LOAD, 8, UINT32_MAX, 0), 1);
    assert_int_equal(strided(ACCESS_STORE, 8, UINT32_MAX, 0), 2);
    assert_int_equal(strided(ACCESS_LOAD, 8, 0x55555555, 1), 2);
    assert_int_equal(strided(ACCESS_LOAD, 16, UINT32_MAX, 1), 4);
    assert_int_equal(strided(ACCESS_LOAD, 8, 0, 1), 0);
}

/* A swap of 4 bytes takes two passes for the warp; one of 8 bytes takes two for each half with active
 * lanes. */
static void swaps(void **state)
{
    assert_int_equal(strided(ACCESS_ATOMIC, 4, UINT32_MAX, 1), 2);
    assert_int_equal(strided(ACCESS_ATOMIC, 8, UINT32_MAX, 1), 4);
    assert_int_equal(strided(ACCESS_ATOMIC, 8, 0xff00, 1), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_by_few_lanes),
        cmocka_unit_test(strides),
        cmocka_unit_test(swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
