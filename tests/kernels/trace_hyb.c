/* Traces of HYB: the requests of the threads of hyb.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "kernels/cuda/hyb.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"

static int value(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static int64_t at(const struct launch *launch, int q, int64_t e)
{
    return array_integer(&launch->storage->array[q], e);
}

/* Entry e of the part whose columns are array q; skipped if its column is -1. */
static void multiply(const struct launch *launch, struct lockstep *warp, int64_t moment, int q, int64_t e)
{
    int64_t j = at(launch, q, e);
    warp->padding = q == HYB_ELL_COL && storage_padding(launch->storage, 0, e);
    note(warp, moment, ACCESS_LOAD, OPERAND_COLUMNS, 4, e);
    if (j >= 0) {
        note(warp, moment + 1, ACCESS_LOAD, OPERAND_VALUES, value(launch), e);
        note(warp, moment + 2, ACCESS_LOAD, OPERAND_X, value(launch), j);
    }
    warp->padding = false;
}

static void put(const struct launch *launch, struct lockstep *warp, int64_t i)
{
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, value(launch), i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, value(launch), i);
}

static void ell_row(const struct launch *launch, struct lockstep *warp, int64_t i)
{
    for (int64_t c = 0; c < launch->storage->number[HYB_WIDTH]; c++)
        multiply(launch, warp, turn(c, 0), HYB_ELL_COL, c * launch->storage->rows + i);
}

static void thread_two(const struct launch *launch, int64_t s, int64_t block, int thread,
                       struct lockstep *warp)
{
    int64_t i = block * (int64_t)launch->values.number[HYB_BLOCK] + thread;
    assert_true(s < 2);
    if (s == 0 && i < launch->storage->rows) {
        ell_row(launch, warp, i);
        put(launch, warp, i);
    }
    if (s == 1 && i < launch->storage->slots[1]) {
        multiply(launch, warp, 0, HYB_COL, i);
        note(warp, 10, ACCESS_LOAD, OPERAND_ROWS, 4, i);
        note_reduction(launch, warp, 11, at(launch, HYB_ROW, i));
    }
}

static void thread_host(const struct launch *launch, int64_t s, int64_t block, int thread,
                        struct lockstep *warp)
{
    assert_int_equal(s, 0);
    thread_two(launch, s, block, thread, warp);
}

/* Lanes 0 .. last add to the sums of their rows in shared memory. Clear the `waits` of the lanes that succeed
 * in one round: the lowest lane of each bank, for doubles in each half of the warp. A lane of the upper half
 * fails if the lower half has just changed its sum. */
static void next_round(bool waits[32], const int64_t *rows, int last, int size)
{
    const int banks = 128 / size;
    uint32_t asked[2] = {0}; /* banks that a lane of this half has asked for */
    int64_t changed[32];     /* the sum of each bank that the lower half changes */
    for (int bank = 0; bank < banks; bank++)
        changed[bank] = -1;
    for (int lane = 0; lane <= last; lane++) {
        if (!waits[lane]) continue;
        const int bank = (int)(rows[lane] % banks), half = size == 4 ? 0 : lane / 16;
        const bool first = !(asked[half] >> bank & 1);
        asked[half] |= 1u << bank;
        if (!first || (half == 1 && changed[bank] == rows[lane])) continue;
        waits[lane] = false;
        if (half == 0) changed[bank] = rows[lane];
    }
}

/* Add to a part of a sum in shared memory: load, add, swap, until that succeeds. */
static void add_part(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t first,
                     int last, int lane, int64_t base, int part, int parts)
{
    const int size = value(launch) / parts;
    int64_t rows[32];
    bool waits[32];
    for (int other = 0; other <= last; other++) {
        rows[other] = (at(launch, HYB_ROW, first + other) - base) * parts + part;
        waits[other] = true;
    }
    for (; waits[lane]; next_round(waits, rows, last, size)) {
        note(warp, moment++, ACCESS_LOAD, OPERAND_SHARED, size, rows[lane]);
        note(warp, moment++, ACCESS_ATOMIC, OPERAND_SHARED, size, rows[lane]);
    }
}

/* Add to a sum, a complex one part by part. */
static void add(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t first, int last,
                int lane, int64_t base)
{
    const int parts = launch->storage->complex ? 2 : 1;
    for (int part = 0; part < parts; part++)
        add_part(launch, warp, moment + part * (int64_t)1000000000000, first, last, lane, base, part, parts);
}

/* The first entry of COO whose row is not before row i. */
static int64_t begin_of(const struct launch *launch, int64_t i)
{
    int64_t low = 0, high = launch->storage->slots[1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (at(launch, HYB_ROW, middle) < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void thread_fused(const struct launch *launch, int64_t s, int64_t block, int thread,
                         struct lockstep *warp)
{
    int threads = (int)launch->values.number[HYB_BLOCK], lane = thread % 32;
    int64_t i = block * threads + thread, base = block * threads, end = begin_of(launch, base + threads);
    int64_t t = 1000000;
    assert_int_equal(s, 0);
    if (i < launch->storage->rows) ell_row(launch, warp, i);
    note(warp, turn(t, 0), ACCESS_STORE, OPERAND_SHARED, value(launch), thread);
    note(warp, turn(t, 1), ACCESS_LOAD, OPERAND_TABLES, 8, block + 1);
    note(warp, turn(t, 2), ACCESS_LOAD, OPERAND_TABLES, 8, block);
    for (int64_t e = begin_of(launch, base) + thread / 32 * 32; e < end; e += threads) {
        int last = end - e < 32 ? (int)(end - e) - 1 : 31;
        bool one_row = at(launch, HYB_ROW, e) == at(launch, HYB_ROW, e + last);
        t++;
        if (lane <= last) {
            note(warp, turn(t, 0), ACCESS_LOAD, OPERAND_ROWS, 4, e + lane);
            multiply(launch, warp, turn(t, 1), HYB_COL, e + lane);
        }
        if (one_row ? lane == 0 : lane <= last)
            add(launch, warp, turn(t, 10), e, one_row ? 0 : last, lane, base);
    }
    if (i >= launch->storage->rows) return;
    note(warp, INT64_MAX - 2, ACCESS_LOAD, OPERAND_SHARED, value(launch), thread);
    put(launch, warp, i);
}

static void hyb_warps_ask_as_their_threads_do(void **state)
{
    static const char *const stored[] = {"", "k=0", "k=1,pad=sentinel"};
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        assert_true(expect_trace(&kernel_cuda_hyb, "", stored[k], thread_two) > 200);
        assert_true(expect_trace(&kernel_cuda_hyb, "block=48", stored[k], thread_two) > 200);
        assert_true(expect_trace(&kernel_cuda_hyb_host, "block=32", stored[k], thread_host) > 200);
    }
    assert_true(expect_trace(&kernel_cuda_hyb, "", "k=1000", thread_two) > 200);
}

static void hyb_fused_warps_ask_as_their_threads_do(void **state)
{
    static const char *const stored[] = {"", "k=0", "k=1,pad=sentinel"};
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        assert_true(expect_trace(&kernel_cuda_hyb_fused, "", stored[k], thread_fused) > 200);
        assert_true(expect_trace(&kernel_cuda_hyb_fused, "block=32", stored[k], thread_fused) > 200);
        assert_true(expect_trace(&kernel_cuda_hyb_fused, "block=96", stored[k], thread_fused) > 200);
    }
    assert_true(expect_trace(&kernel_cuda_hyb_fused, "", "k=1000,pad=sentinel", thread_fused) > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hyb_warps_ask_as_their_threads_do),
        cmocka_unit_test(hyb_fused_warps_ask_as_their_threads_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
