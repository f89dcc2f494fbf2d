/* The trace of csr-swept: the requests of the threads of csr_swept.cu, one by one, are those of their
 * warps. */
#include "kernels/cuda/csr_swept.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"

/* Moments. */
enum { PIECE, CLEAR = 1000, ROUND = 1000000, COPY = 200000000, PUT = 300000000, PARTIAL = 400000000 };

static void shared(struct lockstep *warp, int64_t moment, enum access access, int size, int64_t sum)
{
    note(warp, moment, access, OPERAND_SHARED, size, sum);
}

static void put(const struct launch *launch, struct lockstep *warp, int64_t moment, int size, int64_t row)
{
    if (launch->product.accumulate) note(warp, moment, ACCESS_LOAD, OPERAND_Y, size, row);
    note(warp, moment + 1, ACCESS_STORE, OPERAND_Y, size, row);
}

static void thread_join(const struct launch *launch, int64_t block, int thread, struct lockstep *warp,
                        int size)
{
    const struct sweep_join *join = &((const struct swept *)launch->state)->sweeps.joins[block];
    note(warp, 0, ACCESS_LOAD, OPERAND_TABLES, 16, 2 * block);
    if (thread >= join->rows) return;
    note(warp, 1, ACCESS_LOAD, OPERAND_TABLES, 16, 2 * block + 1);
    for (int32_t k = 0; k < join->pieces; k++)
        note(warp, 10 + k, ACCESS_LOAD, OPERAND_TABLES, size,
             join->partials + thread + (int64_t)k * join->stride);
    put(launch, warp, PUT, size, join->row + thread);
}

static void take(const struct sweeps *sweeps, int64_t group, int lane, int size, int64_t moment,
                 struct lockstep *warp)
{
    uint32_t place = sweeps->places[group * 32 + lane], sum = place >> 16;
    warp->padding = sum == SWEEP_NONE;
    note(warp, moment, ACCESS_LOAD, OPERAND_COLUMNS, 4, group * 32 + lane);
    warp->padding = false;
    note(warp, moment + 1, ACCESS_LOAD, OPERAND_TABLES, 4, group);
    if (sum == SWEEP_NONE) return;
    note(warp, moment + 2, ACCESS_LOAD, OPERAND_VALUES, size, group * 32 + lane);
    note(warp, moment + 3, ACCESS_LOAD, OPERAND_X, size, sweeps->bases[group] + (int64_t)(place & 0xffff));
    shared(warp, moment + 4, ACCESS_LOAD, size, sum);
    shared(warp, moment + 5, ACCESS_STORE, size, sum);
}

/* A warp for each row with copies; lane 0 adds the sums of all. */
static void add_copies(const struct sweeps *sweeps, const struct sweep_piece *piece, int thread, int threads,
                       int size, struct lockstep *warp)
{
    for (int c = thread / 32, n = 0; c < piece->copied; c += threads / 32, n++) {
        const struct sweep_copy *copy = &sweeps->copies[piece->copies + c];
        note(warp, COPY + 10000 * n, ACCESS_LOAD, OPERAND_TABLES, 16, piece->copies + c);
        for (int k = thread % 32, turn = 0; k < copy->count; k += 32, turn++)
            shared(warp, COPY + 10000 * n + 10 + turn, ACCESS_LOAD, size, copy->first + k);
        if (thread % 32 > 0) continue;
        shared(warp, COPY + 10000 * n + 1, ACCESS_LOAD, size, copy->sum);
        shared(warp, COPY + 10000 * n + 2, ACCESS_STORE, size, copy->sum);
    }
}

static void thread_swept(const struct launch *launch, int64_t s, int64_t block, int thread,
                         struct lockstep *warp)
{
    const struct sweeps *sweeps = &((const struct swept *)launch->state)->sweeps;
    const int size = value_width(launch->storage->precision, launch->storage->complex);
    const int threads = (int)launch->values.number[SWEPT_BLOCK];
    if (s == 1) {
        thread_join(launch, block, thread, warp, size);
        return;
    }
    const struct sweep_piece *piece = &sweeps->pieces[block];
    note(warp, PIECE, ACCESS_LOAD, OPERAND_TABLES, 16, 2 * block);
    note(warp, PIECE + 1, ACCESS_LOAD, OPERAND_TABLES, 16, 2 * block + 1);
    for (int k = thread, turn = 0; k < sweeps->sums; k += threads, turn++)
        shared(warp, CLEAR + turn, ACCESS_STORE, size, k);
    for (int t = 0; t < piece->rounds; t++)
        take(sweeps, piece->group + (int64_t)t * (threads / 32) + thread / 32, thread % 32, size,
             ROUND + 10 * t, warp);
    add_copies(sweeps, piece, thread, threads, size, warp);
    for (int r = thread, turn = 0; r < piece->rows; r += threads, turn++) {
        shared(warp, PUT + 10 * turn, ACCESS_LOAD, size, sweep_sum(r));
        if (piece->partials >= 0)
            note(warp, PARTIAL + turn, ACCESS_STORE, OPERAND_TABLES, size, piece->partials + r);
        else
            put(launch, warp, PUT + 10 * turn + 1, size, piece->row + r);
    }
}

static const char *const sets[] = {"block=32,sums=64,pieces=1", "block=64,sums=100", "block=256,pieces=3",
                                   "block=128,sums=3000,pieces=1", ""};

static void warps_ask_as_their_threads_do(void **state)
{
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_true(expect_trace(&kernel_cuda_csr_swept, sets[k], NULL, thread_swept) > 30);
}

static int64_t long_and_empty(int64_t i)
{
    static const int64_t lengths[] = {0, 0, 3, 5000, 1, 0, 40, 70, 0, 2100, 2, 2, 2, 0};
    return lengths[i];
}

/* Rows with copies, and empty ones. */
static void long_and_empty_rows(void **state)
{
    struct csr a = support_rows(14, long_and_empty);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        assert_true(expect_trace_of(&kernel_cuda_csr_swept, sets[k], NULL, &a, thread_swept) > 5);

    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_ask_as_their_threads_do),
        cmocka_unit_test(long_and_empty_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
