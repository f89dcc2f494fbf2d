/* Traces of BSR: the requests of the threads of bsr.cu, one by one, are those of their warps. */
#include "base/range.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "kernels/cuda/bsr.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* Moment of the requests after a loop of fewer turns than this. */
#define LAST 100000

/* The lanes of a block of this size, for values of this number of bytes: values that a lane loads at once,
 * requests per block, and rows and lanes per request. */
struct cut {
    int size, bytes, wide, times, high, across, lanes;
};

static const struct cut cuts[] = {
    {2, 8, 2, 1, 2, 1, 2},   {3, 8, 1, 1, 3, 3, 9},   {4, 8, 2, 2, 2, 2, 4},   {5, 8, 1, 1, 5, 5, 25},
    {6, 8, 2, 2, 3, 3, 9},   {7, 8, 1, 2, 4, 7, 28},  {8, 8, 2, 2, 4, 4, 16},  {2, 4, 2, 2, 1, 1, 1},
    {3, 4, 1, 1, 3, 3, 9},   {4, 4, 4, 1, 4, 1, 4},   {5, 4, 1, 1, 5, 5, 25},  {6, 4, 2, 2, 3, 3, 9},
    {7, 4, 1, 2, 4, 7, 28},  {8, 4, 4, 1, 8, 2, 16},  {2, 16, 1, 1, 2, 2, 4},  {3, 16, 1, 1, 3, 3, 9},
    {4, 16, 1, 1, 4, 4, 16}, {5, 16, 1, 1, 5, 5, 25}, {6, 16, 1, 2, 3, 6, 18}, {7, 16, 1, 2, 4, 7, 28},
    {8, 16, 1, 2, 4, 8, 32},
};

static struct cut cut_of(const struct storage *storage)
{
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
        if (cuts[k].size == storage->number[BSR_SIZE] &&
            cuts[k].bytes == value_width(storage->precision, storage->complex))
            return cuts[k];
    fail_msg("no such size");
    return cuts[0];
}

/* Lane l of `lanes` goes through blocks k to end - 1. */
static void walk(const struct storage *storage, int l, int lanes, int64_t k, int64_t end,
                 struct lockstep *warp)
{
    const struct cut cut = cut_of(storage);
    const int slot = l / cut.lanes, slots = lanes / cut.lanes, value = cut.bytes;
    const int row = l % cut.lanes / cut.across, column = l % cut.across * cut.wide;
    const bool whole = storage->cols % cut.size == 0, alone = cut.lanes == 1;
    int64_t t = 0;
    if (slot >= slots) return;
    for (k += slot; k < end; k += slots, t++) {
        const int64_t j = array_integer(&storage->array[BSR_COL], k) * cut.size + column;
        bool padding = true;
        note(warp, turn(t, 0), ACCESS_LOAD, OPERAND_COLUMNS, 4, k);
        for (int q = 0; q < (alone ? 1 : cut.times); q++) {
            const int64_t e = (k * cut.size + row + q * cut.high) * cut.size + column;
            const int each = alone ? 4 : cut.wide;
            if (row + q * cut.high >= cut.size) continue;
            warp->padding = true;
            for (int w = 0; w < each; w++)
                if (!storage_padding(storage, 0, e + w)) warp->padding = padding = false;
            note(warp, turn(t, 1 + q), ACCESS_LOAD, OPERAND_VALUES, value * each, e / each);
        }
        warp->padding = padding;
        for (int w = 0; w < cut.wide; w++)
            if (whole && w == 0)
                note(warp, turn(t, 10), ACCESS_LOAD, OPERAND_X, value * cut.wide, j / cut.wide);
            else if (!whole && j + w < storage->cols)
                note(warp, turn(t, 10 + w), ACCESS_LOAD, OPERAND_X, value, j + w);
        warp->padding = false;
    }
}

static void put_at(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t i)
{
    const int value = value_width(launch->storage->precision, launch->storage->complex);
    if (i >= launch->storage->rows) return;
    if (launch->product.accumulate) note(warp, moment, ACCESS_LOAD, OPERAND_Y, value, i);
    note(warp, moment + 1, ACCESS_STORE, OPERAND_Y, value, i);
}

/* The end of a piece: each row's sum goes into words of a table; lane 0 counts the pieces that have come. The
 * last warp takes and clears the words of all pieces, row by row. */
static void end_piece(const struct launch *launch, int64_t number, int lane, struct lockstep *warp)
{
    const struct bsr_state *state = launch->state;
    const struct bsr_piece *piece = &state->piece[number];
    const struct cut cut = cut_of(launch->storage);
    const int words = launch->storage->complex ? 4 : 2;
    int64_t moment = turn(LAST, 0) + 1000;
    for (int q = 0; q < cut.times; q++) {
        const int row = lane / cut.across + q * cut.high;
        for (int w = 0; w < words && lane < cut.lanes && lane % cut.across == 0 && row < cut.size; w++)
            note(warp, turn(LAST, 10 * q + w), ACCESS_STORE, OPERAND_TABLES, 8,
                 (number * cut.size + row) * words + w);
    }
    note(warp, turn(LAST, 90), ACCESS_LOAD, OPERAND_TABLES, 16, number * 2 + 1);
    if (lane == 0) note(warp, turn(LAST, 91), ACCESS_ATOMIC, OPERAND_TABLES, 4, piece->which);
    if (number + 1 < state->pieces && state->piece[number + 1].from == piece->from) return;
    for (int i = 0; i < cut.size; i++) {
        for (int p = 0; p < piece->pieces; p += 32, moment += 10)
            for (int w = 0; w < words && p + lane < piece->pieces; w++) {
                const int64_t word = ((int64_t)(piece->from + p + lane) * cut.size + i) * words + w;
                note(warp, moment + 2 * w, ACCESS_LOAD, OPERAND_TABLES, 8, word);
                note(warp, moment + 2 * w + 1, ACCESS_STORE, OPERAND_TABLES, 8, word);
            }
        if (lane == 0) put_at(launch, warp, moment, (int64_t)piece->row * cut.size + i);
        moment += 10;
    }
    if (lane == 0) note(warp, moment, ACCESS_STORE, OPERAND_TABLES, 4, piece->which);
}

static void thread_bsr(const struct launch *launch, int64_t s, int64_t block, int thread,
                       struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const struct bsr_state *state = launch->state;
    const struct cut cut = cut_of(storage);
    const int lanes = (int)launch->values.number[BSR_LANES], offset = storage->wide ? 8 : 4,
              l = thread % lanes;
    const int64_t number = block * (int64_t)launch->values.number[BSR_BLOCK] + thread;
    const int64_t row = (number - 32 * (int64_t)state->pieces) / lanes;
    assert_int_equal(s, 0);
    if (number < 32 * (int64_t)state->pieces) {
        const struct bsr_piece *piece = &state->piece[number / 32];
        note(warp, 0, ACCESS_LOAD, OPERAND_TABLES, 16, number / 32 * 2);
        walk(storage, thread % 32, 32, piece->first, piece->first + piece->count, warp);
        end_piece(launch, number / 32, thread % 32, warp);
        return;
    }
    if (row >= storage->number[BSR_BLOCK_ROWS]) return;
    const int64_t first = array_integer(&storage->array[BSR_ROW_PTR], row),
                  end = array_integer(&storage->array[BSR_ROW_PTR], row + 1);
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, row);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, row + 1);
    if (end - first > state->whole) return;
    walk(storage, l, lanes, first, end, warp);
    for (int q = 0; q < cut.times; q++)
        if (l < cut.lanes && l % cut.across == 0 && l / cut.across + q * cut.high < cut.size)
            put_at(launch, warp, turn(LAST, 10 * q), row * cut.size + l / cut.across + q * cut.high);
}

static void bsr_warps_ask_as_their_threads_do(void **state)
{
    static const char *const format[] = {"size=2", "size=3", "size=4", "size=5",
                                         "size=6", "size=7", "size=8"};
    static const char *const kernel[] = {"", "lanes=1", "lanes=8,block=32", "lanes=32,block=512"};
    for (size_t f = 0; f < sizeof format / sizeof *format; f++)
        for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
            assert_true(expect_trace(&kernel_cuda_bsr, kernel[k], format[f], thread_bsr) > 100);
}

/* Long rows beside short ones, and rows that are all long; some have more than 32 pieces. */
static void long_rows_are_cut(void **state)
{
    static const char *const format[] = {"size=2", "size=3", "size=4", "size=7", "size=8"};
    static const int64_t cols[] = {1400, 1401, 9000};
    for (size_t f = 0; f < sizeof format / sizeof *format; f++)
        for (int n = 0; n < 6; n++) {
            struct csr a = support_matrix(n < 3 ? 70 : 9, cols[n % 3], n < 3 ? 0.04 : 0.8, n % 2, false, 7);
            assert_true(expect_trace_of(&kernel_cuda_bsr, n % 2 ? "lanes=1" : "", format[f], &a, thread_bsr) >
                        0);
            csr_free(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bsr_warps_ask_as_their_threads_do),
        cmocka_unit_test(long_rows_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
