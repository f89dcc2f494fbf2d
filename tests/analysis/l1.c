/* The L1 of a multiprocessor: its hits and misses by hand, and its size beside shared memory. */
#include "analysis/forecast/l1.h"
#include "analysis/forecast/windows.h"
#include "kernels/gpu/profile.h"
#include "support/unit.h"

#define KIB 1024

/* Load one sector, number sector % 4 of line sector / 4. */
static bool load(struct l1 *l1, uint64_t sector, bool keep)
{
    return l1_load(l1, sector / 4, 1u << sector % 4, keep) != 0;
}

TEST(a_sector_is_there_once_it_was_loaded)
{
    struct l1 l1;
    assert_int_equal(l1_make(&l1, 64 * KIB, NULL), STATUS_OK);
    assert_false(load(&l1, 4, true));
    assert_true(load(&l1, 4, true));
    assert_false(load(&l1, 5, true)); /* of the same line */
    assert_true(load(&l1, 4, true));
    assert_true(load(&l1, 5, true));
    assert_false(load(&l1, 6, false)); /* it is not kept */
    assert_false(load(&l1, 6, true));
    assert_true(load(&l1, 6, false));
    assert_false(load(&l1, 40, false));
    assert_false(load(&l1, 40, true));
    l1_free(&l1);
    assert_int_equal(l1_make(&l1, 100, NULL), STATUS_OK);
    assert_false(load(&l1, 4, true));
    assert_false(load(&l1, 4, true));
    l1_free(&l1);
    l1_free(&(struct l1){0});
}

/* How many of `lines` lines, taken in turn, are there in the tenth round. */
static int found_in_turn(int lines)
{
    struct l1 l1;
    int found = 0;
    assert_int_equal(l1_make(&l1, L1_WAYS * L1_LINE, NULL), STATUS_OK);
    for (int round = 0; round < 10; round++) {
        found = 0;
        for (int line = 0; line < lines; line++)
            found += load(&l1, 4 * (uint64_t)line, true);
    }
    l1_free(&l1);
    return found;
}

/* A set holds L1_WAYS lines; of a few more in turn not all are lost; of many more nearly all. */
TEST(a_set_holds_its_lines)
{
    assert_int_equal(found_in_turn(L1_WAYS), L1_WAYS);
    assert_in_range(found_in_turn(L1_WAYS + 2), 1, L1_WAYS + 1);
    assert_in_range(found_in_turn(4 * L1_WAYS), 0, 2);
}

/* A line that is used between all others stays longer than if chance alone decided. */
TEST(often_used_granules_stay)
{
    struct l1 l1;
    int found = 0;
    assert_int_equal(l1_make(&l1, L1_WAYS * L1_LINE, NULL), STATUS_OK);
    for (uint64_t line = 1; line <= 1000; line++) {
        found += load(&l1, 0, true);
        load(&l1, 4 * line, true);
    }
    l1_free(&l1);
    assert_true(found > 990);
}

/* An L1 that is emptied answers as a new one does, also after its sets were full. */
TEST(an_emptied_l1_is_as_new)
{
    enum { LOADS = 4000 };
    struct l1 l1;
    bool hits[LOADS];
    assert_int_equal(l1_make(&l1, 8 * L1_WAYS * L1_LINE, NULL), STATUS_OK);
    for (int turn = 0; turn < 3; turn++) {
        int hit = 0;
        for (uint64_t k = 0; k < LOADS; k++) {
            const bool there = load(&l1, k * k % 1021, k % 5 > 0);
            if (turn == 0) hits[k] = there;
            assert_int_equal(there, hits[k]);
            hit += there;
        }
        assert_in_range(hit, LOADS / 10, LOADS - LOADS / 10);
        const uint64_t line = l1.line[0]; /* of the slot that is the last used one in a new L1 */
        l1_clear(&l1);
        for (uint64_t sector = 0; sector < 4; sector++)
            assert_false(load(&l1, 4 * (line - 1) + sector, false));
        l1_clear(&l1);
    }
    l1_free(&l1);
}

/* Sectors of a line that are loaded together hit, and are kept, as if they were loaded one after the other.
 */
TEST(sectors_together_are_as_one_by_one)
{
    struct l1 one, all;
    assert_int_equal(l1_make(&one, 8 * L1_WAYS * L1_LINE, NULL), STATUS_OK);
    assert_int_equal(l1_make(&all, 8 * L1_WAYS * L1_LINE, NULL), STATUS_OK);
    for (uint64_t k = 0; k < 4000; k++) {
        const uint64_t line = k * k % 257;
        const unsigned sectors = 1 + (unsigned)(k * 7 % 15);
        const bool keep = k % 5 > 0;
        unsigned hits = 0;
        for (unsigned s = 0; s < 4; s++)
            if (sectors >> s & 1) hits |= (unsigned)load(&one, 4 * line + s, keep) << s;
        assert_int_equal(l1_load(&all, line, sectors, keep), hits);
    }
    l1_free(&one);
    l1_free(&all);
}

/* The shared memory that the driver of an H200 gave blocks, as Nsight Compute shows it: 32 KiB where 8 blocks
 * have 1 KiB each that the system reserves, 64 KiB for one block of 41.125 KiB, and 164 KiB for 16 blocks of
 * 9 KiB. Without a common store L1 has its own size. */
TEST(shared_memory_leaves_the_rest_to_l1)
{
    struct gpu gpu = {0};
    assert_int_equal(gpu_find("h200", &gpu, NULL), STATUS_OK);
    assert_int_equal(windows_l1(&gpu, 0, 8), (256 - 32) * KIB);
    assert_int_equal(windows_l1(&gpu, 42112 - 1024, 1), (256 - 64) * KIB);
    assert_int_equal(windows_l1(&gpu, 8 * KIB, 16), (256 - 164) * KIB);
    assert_int_equal(gpu_find("k20m", &gpu, NULL), STATUS_OK);
    assert_int_equal(windows_l1(&gpu, 8 * KIB, 4), 48 * KIB);
}
