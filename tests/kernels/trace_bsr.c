/* Traces of BSR: the requests of the threads of bsr.cu, one by one, are those of their warps. */
#include "base/range.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "kernels/cuda/bsr.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/device_memory.h"
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

/* Note a thread's part of the copy of bytes first .. end-1 of an array of `all` bytes. A copy begins and ends
 * at multiples of 16; if the array ends before the last one, threads load the rest. */
static int64_t copy_of(struct lockstep *warp, int64_t moment, int thread, enum operand operand, int64_t first,
                       int64_t end, int64_t all, int64_t at, const struct storage *storage)
{
    const int64_t low = first - first % 16, value = value_width(storage->precision, storage->complex);
    int64_t high = end;
    while (high % 16 && high < all)
        high++;
    high -= high % 16;
    if (high < low) high = low;
    for (int64_t b = low + 16 * thread, t = 0; thread < 32 && b < high; b += 512, t++) {
        warp->padding = operand == OPERAND_VALUES;
        for (int64_t e = b / value; warp->padding && e < (b + 16) / value; e++)
            if (!storage_padding(storage, 0, e)) warp->padding = false;
        note(warp, moment + t, ACCESS_LOAD, operand, 16, b / 16);
        warp->padding = false;
    }
    if (high + 4 * thread < end) {
        note(warp, moment + 90000, ACCESS_LOAD, operand, 4, high / 4 + thread);
        note(warp, moment + 90001, ACCESS_STORE, OPERAND_SHARED, 4, (at + high - low) / 4 + thread);
    }
    return at + first - low;
}

/* The turns of a thread over the blocks of its block row that have been copied. */
static int64_t copied_blocks(const struct launch *launch, struct lockstep *warp, int64_t moment, int row,
                             int turn_of, int64_t k, int64_t end, int64_t begin, int64_t first,
                             int64_t columns, int64_t values)
{
    const struct storage *storage = launch->storage;
    const int size = (int)storage->number[BSR_SIZE],
              value = value_width(storage->precision, storage->complex);
    const int wide = value > 8 || size % 2 ? 1 : value > 4 || size % 4 ? 2 : 4, pieces = size / wide;
    const int ahead = value > 8 ? 1 : 2;
    for (; k < end; k += ahead, moment += 1000)
        for (int step = 0; step < 2; step++)
            for (int d = 0; d < ahead && k + d < end; d++) {
                const int64_t at = moment + 500 * step + 200 * d;
                if (step == 0) note(warp, at, ACCESS_LOAD, OPERAND_SHARED, 4, columns / 4 + k + d - begin);
                for (int p = 0; p < pieces; p++) {
                    const int part =
                        (pieces == 2 || pieces == 4 || pieces == 8 ? (p + turn_of) % pieces : p) * wide;
                    const int64_t e = ((first + k + d) * size + row) * size + part,
                                  j = array_integer(&storage->array[BSR_COL], first + k + d) * size + part;
                    bool padding = true;
                    for (int w = 0; w < wide; w++)
                        if (!storage_padding(storage, 0, e + w)) padding = false;
                    warp->padding = padding;
                    if (step == 1)
                        note(warp, at + p, ACCESS_LOAD, OPERAND_SHARED, wide * value,
                             (values / value + ((k + d - begin) * size + row) * size + part) / wide);
                    for (int w = 0; step == 0 && w < wide; w++)
                        if (storage->cols % size == 0 && w == 0)
                            note(warp, at + 10 + 10 * p, ACCESS_LOAD, OPERAND_X, wide * value, j / wide);
                        else if (storage->cols % size && j + w < storage->cols)
                            note(warp, at + 10 + 10 * p + w, ACCESS_LOAD, OPERAND_X, value, j + w);
                    warp->padding = false;
                }
            }
    return end;
}

static void thread_copied(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    const struct bsr_state *state = launch->state;
    const struct array *row_ptr = &storage->array[BSR_ROW_PTR];
    const int size = (int)storage->number[BSR_SIZE], threads = (int)launch->values.number[BSR_BLOCK],
              offset = storage->wide ? 8 : 4, value = value_width(storage->precision, storage->complex);
    const int held = thread % 32 / size, row = thread % 32 % size;
    const int64_t base = block * state->tile, bytes = (int64_t)size * size * value,
                  all = storage->number[BSR_BLOCKS];
    int64_t rows = storage->number[BSR_BLOCK_ROWS] - base;
    if (rows > state->tile) rows = state->tile;
    const int64_t first = array_integer(row_ptr, base), blocks = array_integer(row_ptr, base + rows) - first,
                  r = thread / 32 * (32 / size) + held;
    const bool works = held < 32 / size && r < rows;
    const struct bsr_room room = bsr_room_of(state->tile, state->copied, (int)bytes);
    assert_int_equal(s, 0);
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, base);
    for (int64_t q = thread, t = 0; q <= rows; q += threads, t++) {
        note(warp, 10 + 2 * t, ACCESS_LOAD, OPERAND_POINTERS, offset, base + q);
        note(warp, 11 + 2 * t, ACCESS_STORE, OPERAND_SHARED, 4, 4 + q);
    }
    note(warp, 900, ACCESS_LOAD, OPERAND_SHARED, 4, 4 + rows);
    for (int after = 0; works && after < 2; after++)
        note(warp, 901 + after, ACCESS_LOAD, OPERAND_SHARED, 4, 4 + r + after);
    int64_t k = works ? array_integer(row_ptr, base + r) - first : 0;
    const int64_t stop = works ? array_integer(row_ptr, base + r + 1) - first : 0;
    const int turn_of = size * value == 32 && value > 4 ? held : row * size * value / 128;
    int64_t moment = 1000000;
    for (int64_t begin = 0; begin < blocks; begin += state->copied, moment += 1000000) {
        int64_t end = begin + state->copied;
        if (end > blocks) end = blocks;
        const int64_t columns = copy_of(warp, moment, thread, OPERAND_COLUMNS, 4 * (first + begin),
                                        4 * (first + end), 4 * all, room.columns, storage);
        const int64_t values = copy_of(warp, moment + 100000, thread, OPERAND_VALUES, bytes * (first + begin),
                                       bytes * (first + end), bytes * all, room.values, storage);
        const int64_t to = stop < end ? stop : end;
        if (works && k < to)
            k = copied_blocks(launch, warp, moment + 200000, row, turn_of, k, to, begin, first, columns,
                              values);
    }
    if (works) put_at(launch, warp, moment, (base + r) * size + row);
}

/* Tiles of one warp and of more, whose copies have room for all blocks or not. */
static void copies_are_told(void **state)
{
    static const char *const format[] = {"size=2", "size=3", "size=4", "size=5",
                                         "size=6", "size=7", "size=8"};
    static const char *const kernel[] = {"copies=1", "copies=1,block=32", "copies=1,block=512"};
    for (size_t f = 0; f < sizeof format / sizeof *format; f++) {
        for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
            assert_true(expect_trace(&kernel_cuda_bsr, kernel[k], format[f], thread_copied) > 50);
        struct csr a = support_matrix(70, 1400, 0.04, false, false, 7);
        assert_true(expect_trace_of(&kernel_cuda_bsr, "copies=1,block=64", format[f], &a, thread_copied) > 0);
        csr_free(&a);
    }
}

static void bsr_warps_ask_as_their_threads_do(void **state)
{
    static const char *const format[] = {"size=2", "size=3", "size=4", "size=5",
                                         "size=6", "size=7", "size=8"};
    static const char *const kernel[] = {"copies=0", "copies=0,lanes=1", "copies=0,lanes=8,block=32",
                                         "copies=0,lanes=32,block=512"};
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
            assert_true(expect_trace_of(&kernel_cuda_bsr, n % 2 ? "copies=0,lanes=1" : "copies=0", format[f],
                                        &a, thread_bsr) > 0);
            csr_free(&a);
        }
}

/* The first warp begins the copies of its tile. It waits for row offsets, for x, and once for each part of
 * the tile that is copied at once, but for no request of a copy. */
static void expect_waits(struct launch *launch)
{
    const struct bsr_state *state = launch->state;
    const struct array *row_ptr = &launch->storage->array[BSR_ROW_PTR];
    struct tracer tracer = {.now = 0};
    const int64_t blocks = array_integer(row_ptr, state->tile) - array_integer(row_ptr, 0);
    trace_warp(launch, 0, 0, &tracer);
    const struct trace_counts *load = tracer.count[ACCESS_LOAD];
    assert_true(load[OPERAND_VALUES].requests > 1 && load[OPERAND_COLUMNS].requests > 0);
    assert_int_equal(tracer.waits, load[OPERAND_POINTERS].requests + load[OPERAND_X].requests +
                                       (blocks + state->copied - 1) / state->copied);
}

/* The default of copies and of the threads of a block, on a GPU of this compute capability. */
static void expect_copies(const struct csr *a, const char *format, int major, int copies, int block)
{
    struct storage storage = storing_done(&format_bsr, format, NULL, a);
    struct device device = {.type = &device_of_memory, .facts = {.multiprocessors = 4, .major = major}};
    struct launch launch;
    device_memory.room = SIZE_MAX;
    assert_int_equal(preparing_on(&device, &kernel_cuda_bsr, "", &storage, &storage, &(struct preparing){0},
                                  &launch, NULL),
                     STATUS_OK);
    assert_int_equal(launch.values.number[BSR_COPIES], copies);
    assert_int_equal(launch.values.number[BSR_BLOCK], block);
    assert_int_equal(((const struct bsr_state *)launch.state)->tile > 0, copies);
    assert_int_equal(kernel_cuda_bsr.pace_of(&launch) != NULL, copies);
    if (copies) expect_waits(&launch);
    kernel_release(&launch);
    storage_free(&storage);
}

/* Blocks of 3 to 7 rows are copied if block rows have few of them: 600 rows of about one entry; not 80 rows
 * of 300. */
static void few_blocks_are_copied(void **state)
{
    struct csr few = support_matrix(600, 600, 0.002, false, false, 7),
               many = support_matrix(80, 600, 0.5, false, false, 7);
    expect_copies(&few, "size=2", 9, 0, 128);
    expect_copies(&few, "size=3", 9, 1, 128);
    expect_copies(&few, "size=4", 8, 0, 128);
    expect_copies(&few, "size=6", 9, 1, 64);
    expect_copies(&few, "size=8", 9, 0, 128);
    expect_copies(&many, "size=4", 9, 0, 128);
    csr_free(&few);
    csr_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bsr_warps_ask_as_their_threads_do),
        cmocka_unit_test(long_rows_are_cut),
        cmocka_unit_test(copies_are_told),
        cmocka_unit_test(few_blocks_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
