/* The trace of csr-segmented: the requests of the threads of csr_segmented.cu, one by one, are those of their
 * warps. Where a thread needs data of other threads, the test reads the run from its beginning. */
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/csr_segmented.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/preparing.h"
#include "support/storing.h"

/* A thread of a block. */
struct thread {
    const struct launch *launch;
    struct lockstep *warp;
    const struct segmented_run *run;
    int64_t block;
    int threads, thread, each, value;
    int unit; /* bytes of a sum in double precision */
};

/* Moments. */
enum {
    RUN,
    NONE = 5,
    ENTRY = 100,
    PART = 200,
    PRODUCT = 500,
    ENDS = 600,
    LATER = 700,
    HAND = 800,
    FIRST = 900,
    MARK = 100000,
    ZERO = 200000,
    TAKE = 300000,
    WALK = 400000,
};

static void ask(const struct thread *thread, int64_t moment, enum access access, enum operand operand,
                int size, int64_t e)
{
    note(thread->warp, moment, access, operand, size, e);
}

/* Shared memory by its bytes: sums of warps, then whether a row ended in them, each with 8 bytes a warp, 16
 * if the matrix is complex, where rows end with 2 bytes an entry, and the products. */
static void shared(const struct thread *thread, int64_t moment, enum access access, int size, int64_t byte)
{
    assert_int_equal(byte % size, 0);
    ask(thread, moment, access, OPERAND_SHARED, size, byte / size);
}

static int64_t ends_byte(const struct thread *thread)
{
    return thread->threads / 32 * (int64_t)2 * thread->unit;
}

static int64_t product_byte(const struct thread *thread, int64_t e)
{
    int64_t gap = 128 / thread->value,
            front = ends_byte(thread) + 2 * (int64_t)thread->threads * thread->each;
    return front + (e + e / gap) * thread->value;
}

static int64_t row_ptr(const struct thread *thread, int64_t i)
{
    return array_integer(&thread->launch->storage->array[CSR_ROW_PTR], i);
}

static void put(const struct thread *thread, int64_t moment, int64_t row)
{
    if (thread->launch->product.accumulate) ask(thread, moment, ACCESS_LOAD, OPERAND_Y, thread->value, row);
    ask(thread, moment + 1, ACCESS_STORE, OPERAND_Y, thread->value, row);
}

static void load_entries(const struct thread *t)
{
    int64_t begin = t->run->begin, count = t->run->end - begin;
    for (int j = 0; j < t->each; j++) {
        int64_t e = j * (int64_t)t->threads + t->thread;
        if (e >= count) continue;
        ask(t, ENTRY + 3 * j, ACCESS_LOAD, OPERAND_COLUMNS, 4, begin + e);
        ask(t, ENTRY + 3 * j + 1, ACCESS_LOAD, OPERAND_VALUES, t->value, begin + e);
        ask(t, ENTRY + 3 * j + 2, ACCESS_LOAD, OPERAND_X, t->value,
            array_integer(&t->launch->storage->array[CSR_COL], begin + e));
    }
}

static void each_row(const struct thread *t, int64_t moment, bool clear)
{
    int offset = t->launch->storage->wide ? 8 : 4;
    for (int64_t i = t->thread, n = 0; i < t->run->rows; i += t->threads, n++) {
        int64_t begin = row_ptr(t, t->run->row + i), end = row_ptr(t, t->run->row + i + 1);
        ask(t, moment + 10 * n, ACCESS_LOAD, OPERAND_POINTERS, offset, t->run->row + i);
        ask(t, moment + 10 * n + 1, ACCESS_LOAD, OPERAND_POINTERS, offset, t->run->row + i + 1);
        if (clear && begin == end)
            ask(t, moment + 10 * n + 2, ACCESS_STORE, OPERAND_Y, t->value, t->run->row + i);
        if (!clear && end > begin)
            shared(t, moment + 10 * n + 2, ACCESS_STORE, 2, ends_byte(t) + 2 * (end - 1 - t->run->begin));
    }
}

/* Each warp's first lane leaves its sum, and the first warp adds them up. */
static void sum_over_block(const struct thread *t, int64_t moment, int size)
{
    int lane = t->thread % 32;
    if (lane == 0) shared(t, moment, ACCESS_STORE, size, t->thread / 32 * (int64_t)size);
    if (t->thread < 32 && lane < t->threads / 32)
        shared(t, moment + 1, ACCESS_LOAD, size, lane * (int64_t)size);
}

static void sum_part(const struct thread *t)
{
    int64_t from = t->run->from, ended = t->threads / 32 * (int64_t)t->unit, words = t->unit / 4;
    sum_over_block(t, PART, t->value);
    if (t->thread == 0) {
        for (int word = 0; word < words; word++)
            ask(t, PART + 20 + word, ACCESS_STORE, OPERAND_TABLES, 8, words * t->block + word);
        ask(t, PART + 4, ACCESS_ATOMIC, OPERAND_TABLES, 4, from);
        shared(t, PART + 5, ACCESS_STORE, 4, ended);
    }
    shared(t, PART + 6, ACCESS_LOAD, 4, ended);
    if (t->block < from + t->run->parts - 1) return; /* assume that the last part arrives last */
    for (int64_t part = t->thread, n = 0; part < t->run->parts; part += t->threads, n++)
        for (int word = 0; word < words; word++) {
            ask(t, TAKE + 10 * n + word, ACCESS_LOAD, OPERAND_TABLES, 8, words * (from + part) + word);
            ask(t, TAKE + 10 * n + 4 + word, ACCESS_STORE, OPERAND_TABLES, 8, words * (from + part) + word);
        }
    sum_over_block(t, PART + 7, t->unit);
    if (t->thread > 0) return;
    put(t, PART + 10, t->run->row);
    ask(t, PART + 12, ACCESS_STORE, OPERAND_TABLES, 4, from);
}

/* The row that ends with entry e of the run, counted from its beginning; -1 if none does. */
static int64_t row_ending(const struct thread *t, int64_t e)
{
    for (int64_t i = t->run->row; i < t->run->row + t->run->rows; i++)
        if (row_ptr(t, i + 1) == t->run->begin + e + 1 && row_ptr(t, i) < row_ptr(t, i + 1)) return i;
    return -1;
}

static bool ended_in(const struct thread *t, int64_t from, int64_t to)
{
    for (int64_t e = from; e < to; e++)
        if (row_ending(t, e) >= 0) return true;
    return false;
}

static void sum_rows(const struct thread *t)
{
    int lane = t->thread % 32, warp = t->thread / 32, each = t->each;
    int64_t own = t->thread * (int64_t)each, first = -1, warp_entries = 32 * (int64_t)each;
    shared(t, ENDS, ACCESS_LOAD, 2 * each, ends_byte(t) + 2 * own);
    for (int j = 0; j < each; j++) {
        int64_t row = row_ending(t, own + j);
        if (row >= 0 && first >= 0) put(t, LATER + 2 * j, row);
        if (row >= 0 && first < 0) first = row;
    }
    if (lane == 31) {
        shared(t, HAND, ACCESS_STORE, t->value, warp * (int64_t)t->value);
        shared(t, HAND + 1, ACCESS_STORE, 4, t->threads / 32 * (int64_t)t->unit + warp * (int64_t)4);
    }
    if (first < 0) return;
    for (int w = warp - 1; w >= 0 && !ended_in(t, warp * warp_entries, own); w--) {
        shared(t, WALK + 10 * w, ACCESS_LOAD, t->value, w * (int64_t)t->value);
        shared(t, WALK + 10 * w + 1, ACCESS_LOAD, 4, t->threads / 32 * (int64_t)t->unit + w * (int64_t)4);
        if (ended_in(t, w * warp_entries, (w + 1) * warp_entries)) break;
    }
    put(t, FIRST, first);
}

static void thread_segmented(const struct launch *launch, int64_t s, int64_t block, int thread,
                             struct lockstep *warp)
{
    const struct segmented *segmented = launch->state;
    const struct thread own = {.launch = launch,
                               .warp = warp,
                               .run = &segmented->runs[block],
                               .block = block,
                               .threads = (int)launch->values.number[SEGMENTED_BLOCK],
                               .thread = thread,
                               .each = (int)launch->values.number[SEGMENTED_ENTRIES],
                               .value = value_width(launch->storage->precision, launch->storage->complex),
                               .unit = launch->storage->complex ? 16 : 8};
    const struct thread *t = &own;
    assert_int_equal(s, 0);
    ask(t, RUN, ACCESS_LOAD, OPERAND_TABLES, 16, 2 * block);
    ask(t, RUN + 1, ACCESS_LOAD, OPERAND_TABLES, 16, 2 * block + 1);
    shared(t, NONE, ACCESS_STORE, 2 * t->each, ends_byte(t) + 2 * (int64_t)thread * t->each);
    load_entries(t);
    if (t->run->parts > 0) {
        sum_part(t);
        return;
    }
    each_row(t, MARK, false);
    if (t->run->from > 0 && !launch->product.accumulate) each_row(t, ZERO, true);
    for (int j = 0; j < t->each && t->each > 1; j++) {
        shared(t, PRODUCT + 2 * j, ACCESS_STORE, t->value, product_byte(t, j * (int64_t)t->threads + thread));
        shared(t, PRODUCT + 2 * j + 1, ACCESS_LOAD, t->value, product_byte(t, thread * (int64_t)t->each + j));
    }
    sum_rows(t);
}

static const char *const sets[] = {"block=32,entries=1",
                                   "block=64,entries=1",
                                   "block=256,entries=1",
                                   "block=32,entries=2",
                                   "block=64,entries=4",
                                   "block=96,entries=4",
                                   ""};

static void warps_ask_as_their_threads_do(void **state)
{
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_true(expect_trace(&kernel_cuda_csr_segmented, sets[k], NULL, thread_segmented) > 30);
}

static int64_t long_and_empty(int64_t i)
{
    static const int64_t lengths[] = {0, 0, 3, 5000, 1, 0, 40, 70, 0, 2100, 2, 2, 2, 0};
    return lengths[i];
}

static int64_t mixed(int64_t i)
{
    static const int64_t lengths[] = {0, 700, 31, 33, 0, 0, 64, 65, 1, 1, 1, 300, 0, 128, 0};
    return lengths[i];
}

/* Rows with many parts, and rows that end in each lane, with empty ones between them. */
static void long_and_empty_rows(void **state)
{
    struct csr a = support_rows(14, long_and_empty);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_true(expect_trace_of(&kernel_cuda_csr_segmented, sets[k], NULL, &a, thread_segmented) > 20);
    csr_free(&a);
}

/* The runs together contain each entry once, and each row either whole or in all its parts. */
static void runs_cover_the_matrix(void **state)
{
    static const struct device_facts facts = {
        .name = "paper", .major = 9, .multiprocessors = 4, .shared = 232448};
    struct csr a = support_rows(15, mixed);
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct device device;
        struct launch launch;
        paper_open(&facts, &device);
        assert_int_equal(preparing_on_paper(&device, &kernel_cuda_csr_segmented, sets[k], &storage,
                                            &(struct preparing){0}, &launch, NULL),
                         STATUS_OK);
        const struct segmented *segmented = launch.state;
        int64_t at = 0, row = 0, room = segmented_room(&launch);
        for (int64_t r = 0; r < segmented->count; r++) {
            const struct segmented_run *run = &segmented->runs[r];
            assert_int_equal(run->begin, at);
            assert_true(run->end - run->begin <= room && run->rows <= 2 * room);
            assert_int_equal(run->row, row);
            at = run->end;
            if (run->parts > 0) {
                assert_int_equal(run->begin == a.row_ptr[row], r == run->from);
                assert_int_equal(run->end == a.row_ptr[row + 1], r == run->from + run->parts - 1);
                row += run->end == a.row_ptr[row + 1];
            } else {
                int empty = 0;
                for (int32_t i = 0; i < run->rows; i++)
                    empty += a.row_ptr[row + i] == a.row_ptr[row + i + 1];
                assert_int_equal(run->from, empty);
                row += run->rows;
                assert_int_equal(run->end, a.row_ptr[row]);
            }
        }
        assert_int_equal(at, a.row_ptr[a.rows]);
        assert_int_equal(row, a.rows);
        kernel_release(&launch);
        device_close(&device);
    }
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_ask_as_their_threads_do),
        cmocka_unit_test(long_and_empty_rows),
        cmocka_unit_test(runs_cover_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
