/* Traces: the tracer's counts of a request, and the requests of the warps of CSR kernels. */
#include <string.h>

#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/csr.h"
#include "kernels/gpu/trace.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/support.h"

static const struct ask load_8 = {ACCESS_LOAD, OPERAND_VALUES, "val[k]", 8};
static const struct ask load_4 = {ACCESS_LOAD, OPERAND_COLUMNS, "col[k]", 4};

static void expect(const struct trace_counts *found, struct trace_counts expected)
{
    if (memcmp(found, &expected, sizeof expected) == 0) return;
    fail_msg("%lld %lld %lld %lld %lld %lld %lld %lld", (long long)found->requests, (long long)found->sectors,
             (long long)found->lines, (long long)found->bytes, (long long)found->useful,
             (long long)found->lanes, (long long)found->padding, (long long)found->conflicts);
}

/* 32 doubles are 8 sectors and 2 lines if they begin at a line, and one more of each if not. */
static void neighbours_share_sectors(void **state)
{
    struct tracer tracer = {0};
    const struct trace_counts *count = &tracer.count[ACCESS_LOAD][OPERAND_VALUES];
    trace_line(&tracer, &load_8, 0, 32, 32);
    expect(count, (struct trace_counts){1, 8, 2, 256, 256, 32, 0, 0});
    trace_line(&tracer, &load_8, 0, 32, 1);
    expect(count, (struct trace_counts){2, 17, 5, 512, 512, 64, 0, 0});
    trace_line(&tracer, &load_8, 3, 1, 3);
    expect(count, (struct trace_counts){3, 18, 6, 520, 520, 65, 0, 0});
    trace_line(&tracer, &load_8, 0, 0, 3);
    expect(count, (struct trace_counts){3, 18, 6, 520, 520, 65, 0, 0});
}

static void one_address_is_one_sector(void **state)
{
    struct tracer tracer = {0};
    trace_same(&tracer, &load_4, UINT32_MAX, 1000);
    const struct trace_counts *count = &tracer.count[ACCESS_LOAD][OPERAND_COLUMNS];
    expect(count, (struct trace_counts){1, 1, 1, 128, 4, 32, 0, 0});
    trace_same(&tracer, &load_4, 0, 1000);
    expect(count, (struct trace_counts){1, 1, 1, 128, 4, 32, 0, 0});
}

/* A pattern of lanes that was counted on an H200: see data/measured. */
static void expect_measured(enum access access, enum operand operand, int size, int64_t (*element)(int lane),
                            int64_t sectors, int64_t lines, int64_t conflicts)
{
    const struct ask ask = {access, operand, "", size};
    struct tracer tracer = {0};
    int64_t index[TRACE_LANES];
    for (int lane = 0; lane < TRACE_LANES; lane++)
        index[lane] = element(lane);
    trace_index(&tracer, &ask, UINT32_MAX, index);
    const struct trace_counts *found = &tracer.count[access][operand];
    assert_int_equal(found->requests, 1);
    assert_int_equal(found->sectors, sectors);
    assert_int_equal(found->lines, lines);
    assert_int_equal(found->conflicts, conflicts);
}

static int64_t neighbours(int lane)
{
    return lane;
}

static int64_t one(int lane)
{
    return 0;
}

static int64_t pairs(int lane)
{
    return lane / 2;
}

static int64_t halves(int lane)
{
    return lane % 16;
}

static int64_t eights(int lane)
{
    return lane / 8;
}

static int64_t second(int lane)
{
    return 2 * lane;
}

static int64_t line_of_4(int lane)
{
    return 32 * lane;
}

static void patterns_count_as_on_an_h200(void **state)
{
    expect_measured(ACCESS_LOAD, OPERAND_X, 4, neighbours, 4, 1, 0);
    expect_measured(ACCESS_LOAD, OPERAND_X, 8, neighbours, 8, 2, 0);
    expect_measured(ACCESS_LOAD, OPERAND_X, 16, neighbours, 16, 4, 0);
    expect_measured(ACCESS_LOAD, OPERAND_X, 4, second, 8, 2, 0);
    expect_measured(ACCESS_STORE, OPERAND_X, 4, line_of_4, 32, 32, 0);
    expect_measured(ACCESS_REDUCTION, OPERAND_Y, 4, neighbours, 4, 1, 0);
    expect_measured(ACCESS_REDUCTION, OPERAND_Y, 4, one, 32, 32, 31);
    expect_measured(ACCESS_ATOMIC, OPERAND_Y, 4, pairs, 4, 2, 16);
    expect_measured(ACCESS_REDUCTION, OPERAND_Y, 4, halves, 4, 2, 16);
    expect_measured(ACCESS_REDUCTION, OPERAND_Y, 4, eights, 8, 8, 28);
    expect_measured(ACCESS_LOAD, OPERAND_SHARED, 4, second, 0, 0, 1);
    expect_measured(ACCESS_LOAD, OPERAND_SHARED, 4, line_of_4, 0, 0, 31);
    expect_measured(ACCESS_LOAD, OPERAND_SHARED, 8, neighbours, 0, 0, 0);
    expect_measured(ACCESS_LOAD, OPERAND_SHARED, 16, neighbours, 0, 0, 0);
    expect_measured(ACCESS_STORE, OPERAND_SHARED, 8, second, 0, 0, 2);
}

/* Additions in shared memory: rounds, and extra passes of the loads, as measured. */
static void additions_in_shared_memory_go_round(void **state)
{
    static const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "", 4};
    static const struct ask swap = {ACCESS_ATOMIC, OPERAND_SHARED, "", 4};
    static const struct {
        int64_t (*element)(int lane);
        int64_t rounds, conflicts;
    } measured[] = {{neighbours, 1, 0}, {second, 2, 1}, {line_of_4, 32, 496}, {one, 32, 0}};
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        struct tracer tracer = {0};
        int64_t index[TRACE_LANES];
        for (int lane = 0; lane < TRACE_LANES; lane++)
            index[lane] = measured[k].element(lane);
        trace_add_in_shared(&tracer, &load, &swap, UINT32_MAX, index);
        assert_int_equal(tracer.count[ACCESS_LOAD][OPERAND_SHARED].requests, measured[k].rounds);
        assert_int_equal(tracer.count[ACCESS_ATOMIC][OPERAND_SHARED].requests, measured[k].rounds);
        assert_int_equal(tracer.count[ACCESS_LOAD][OPERAND_SHARED].conflicts, measured[k].conflicts);
    }
}

/* For any request, the fast counts equal those of the rules. */
static void any_pattern_counts_by_the_rules(void **state)
{
    static const int spans[] = {2, 20, 40, 200, 3000, 1000000};
    uint64_t seed = 11;
    for (int trial = 0; trial < 20000; trial++) {
        const struct ask ask = {(enum access)support_random(&seed, ACCESSES),
                                support_random(&seed, 2) ? OPERAND_X : OPERAND_SHARED, "",
                                1 << support_random(&seed, 5)};
        uint32_t active = support_random(&seed, 2) ? UINT32_MAX : support_random(&seed, UINT32_MAX);
        uint32_t span = (uint32_t)spans[support_random(&seed, 6)];
        bool ascending = support_random(&seed, 2), paired = support_random(&seed, 4) == 0;
        struct note notes[TRACE_LANES];
        int64_t index[TRACE_LANES], last = 0;
        struct tracer found = {.padding = support_random(&seed, 2) ? 0 : support_random(&seed, UINT32_MAX)};
        struct tracer expected = {0};
        int count = 0;
        for (int lane = 0; lane < TRACE_LANES; lane++) {
            last = ascending ? last + support_random(&seed, 1 + span / 16) : support_random(&seed, span);
            index[lane] = paired && lane % 2 ? index[lane - 1] : last;
            if (active >> lane & 1)
                notes[count++] = (struct note){.address = (uint64_t)(index[lane] * ask.size),
                                               .access = (uint8_t)ask.access,
                                               .operand = (uint8_t)ask.operand,
                                               .size = (int16_t)ask.size,
                                               .lane = (int16_t)lane,
                                               .padding = found.padding >> lane & 1};
        }
        trace_index(&found, &ask, active, index);
        if (count) lockstep_count(notes, count, &expected);
        assert_memory_equal(found.count, expected.count, sizeof found.count);
    }
}

/* All lanes add to one element, so that 31 wait; then to two, so that 30 wait. */
static void reductions_meet(void **state)
{
    static const struct ask add = {ACCESS_REDUCTION, OPERAND_Y, "y[i]", 8};
    struct tracer tracer = {0};
    int64_t index[TRACE_LANES];
    trace_same(&tracer, &add, UINT32_MAX, 2);
    const struct trace_counts *count = &tracer.count[ACCESS_REDUCTION][OPERAND_Y];
    expect(count, (struct trace_counts){1, 32, 32, 256, 256, 32, 0, 31});
    for (int lane = 0; lane < TRACE_LANES; lane++)
        index[lane] = lane % 2 ? 70 : 3;
    trace_index(&tracer, &add, UINT32_MAX, index);
    expect(count, (struct trace_counts){2, 64, 64, 512, 512, 64, 0, 61});
}

/* Lanes that work on padding take part, and their bytes are moved. Bytes that only these lanes request are
 * not useful. */
static void padding_is_moved_and_serves_nobody(void **state)
{
    static const struct ask add = {ACCESS_REDUCTION, OPERAND_Y, "y[i]", 8};
    struct tracer tracer = {.padding = 0xffff0003u};
    const struct trace_counts *loads = &tracer.count[ACCESS_LOAD][OPERAND_VALUES];
    int64_t index[TRACE_LANES];
    trace_line(&tracer, &load_8, 0, 32, 0);
    expect(loads, (struct trace_counts){1, 8, 2, 256, 14 * 8, 32, 18, 0});
    trace_line(&tracer, &load_8, 16, 4, 0); /* these four lanes all work on padding */
    expect(loads, (struct trace_counts){2, 9, 3, 288, 14 * 8, 36, 22, 0});
    trace_same(&tracer, &load_8, 7, 0);
    expect(loads, (struct trace_counts){3, 10, 4, 312, 15 * 8, 39, 24, 0});
    trace_same(&tracer, &load_8, 3, 0);
    expect(loads, (struct trace_counts){4, 11, 5, 328, 15 * 8, 41, 26, 0});
    trace_stride(&tracer, &load_8, 4, 0, 16);
    expect(loads, (struct trace_counts){5, 15, 9, 360, 17 * 8, 45, 28, 0});
    for (int lane = 0; lane < TRACE_LANES; lane++)
        index[lane] = lane % 16; /* lanes 0, 1, 16 and 17 all work on padding */
    trace_index(&tracer, &load_8, UINT32_MAX, index);
    expect(loads, (struct trace_counts){6, 19, 10, 616, 31 * 8, 77, 46, 0});
    trace_index(&tracer, &add, 6, index);
    expect(&tracer.count[ACCESS_REDUCTION][OPERAND_Y], (struct trace_counts){1, 1, 1, 16, 8, 2, 1, 0});
}

struct seen {
    int requests;
    uint32_t active[4];
    uint64_t address[4][TRACE_LANES];
};

static void see(void *context, const struct request *request)
{
    struct seen *seen = context;
    assert_true(seen->requests < 4);
    seen->active[seen->requests] = request->active;
    for (int lane = 0; lane < TRACE_LANES; lane++)
        if (request->active >> lane & 1) seen->address[seen->requests][lane] = request->address[lane];
    seen->requests++;
}

/* Of the atomic additions of warps, only the sectors in each line of y are counted, turn by turn: tables of
 * partial sums can have more lines than y. Elements 16 and 17 share a sector. */
static void additions_to_lines_of_y_are_counted(void **state)
{
    static const struct ask y = {ACCESS_REDUCTION, OPERAND_Y, "y", 8};
    static const struct ask table = {ACCESS_ATOMIC, OPERAND_TABLES, "arrived", 4};
    const int64_t place[TRACE_LANES] = {0, 16, 17, 32};
    uint32_t lines[3] = {0};
    struct tracer tracer = {.lines = lines};
    trace_same(&tracer, &y, 7, 16);
    trace_index(&tracer, &y, 15, place);
    trace_line(&tracer, &y, 0, 2, 15);
    assert_true(lines[0] == 1 + 1 && lines[1] == 3 + 1 + 1 && lines[2] == 1);
    trace_same(&tracer, &table, 1, 5000);
    trace_index(&tracer, &table, 15, place);
    trace_line(&tracer, &table, 0, 2, 15);
    assert_true(lines[0] == 2 && lines[1] == 5 && lines[2] == 1);
}

static void requests_are_shown(void **state)
{
    struct seen seen = {0};
    struct tracer tracer = {.show = see, .context = &seen};
    int64_t index[TRACE_LANES] = {[4] = 9, [30] = 2};
    trace_line(&tracer, &load_8, 2, 3, 10);
    trace_same(&tracer, &load_8, 0x80000001u, 2);
    trace_index(&tracer, &load_4, 1u << 4 | 1u << 30, index);
    trace_index(&tracer, &load_4, 0, index);
    assert_int_equal(seen.requests, 3);
    assert_int_equal(seen.active[0], 0x1c);
    assert_int_equal(seen.address[0][2], 80);
    assert_int_equal(seen.address[0][4], 96);
    assert_int_equal(seen.active[1], 0x80000001u);
    assert_int_equal(seen.address[1][31], 16);
    assert_int_equal(seen.address[2][4], 36);
    assert_int_equal(seen.address[2][30], 8);
}

/* The sectors that an observer receives, and those that the addresses of the lanes give. */
struct told {
    uint64_t sector[2][64 * TRACE_LANES];
    int count[2], requests[2];
};

static void hear(void *context, const struct ask *ask, const uint64_t *sector, int count)
{
    struct told *told = context;
    assert_true(ask->operand != OPERAND_SHARED && count > 0);
    memcpy(told->sector[0] + told->count[0], sector, (size_t)count * sizeof *sector);
    told->count[0] += count;
    told->requests[0]++;
}

static void derive(void *context, const struct request *request)
{
    struct told *told = context;
    const int first = told->count[1];
    if (request->ask->operand == OPERAND_SHARED) return;
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        bool met = !(request->active >> lane & 1);
        for (int k = first; !met && k < told->count[1]; k++)
            met = told->sector[1][k] == request->address[lane] / 32;
        if (!met) told->sector[1][told->count[1]++] = request->address[lane] / 32;
    }
    told->requests[1]++;
}

static void report_all(struct tracer *tracer, int64_t spread)
{
    static const struct ask asks[] = {
        {ACCESS_LOAD, OPERAND_X, "x", 8},     {ACCESS_LOAD, OPERAND_X, "x", 4},
        {ACCESS_LOAD, OPERAND_X, "x", 16},    {ACCESS_STORE, OPERAND_ROWS, "r", 2},
        {ACCESS_LOAD, OPERAND_ROWS, "r", 1},  {ACCESS_REDUCTION, OPERAND_Y, "y", 8},
        {ACCESS_LOAD, OPERAND_SHARED, "s", 8}};
    int64_t index[TRACE_LANES];
    for (size_t k = 0; k < sizeof asks / sizeof *asks; k++) {
        for (int lane = 0; lane < TRACE_LANES; lane++)
            index[lane] = (int64_t)(lane * 7919 + (int64_t)k * 31) % spread;
        trace_index(tracer, &asks[k], UINT32_MAX, index);
        trace_index(tracer, &asks[k], 0x8421f00fu, index);
        trace_line(tracer, &asks[k], 3, 29, spread);
        trace_stride(tracer, &asks[k], 17, 5, spread);
        trace_same(tracer, &asks[k], 0x10010u, spread);
        if (asks[k].access == ACCESS_LOAD && asks[k].operand != OPERAND_SHARED)
            trace_groups(tracer, &asks[k], 8, 4, 2, spread);
    }
}

/* An observer of sectors receives only those of global memory, in the order of the lanes. Observing counts
 * nothing. */
static void sectors_are_those_of_the_lanes(void **state)
{
    static struct told told;
    static const int64_t spreads[] = {1, 5, 40, 97, 1000, 7000};
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
        struct tracer hears = {.sectors = hear, .context = &told}, shows = {.show = derive, .context = &told};
        const struct tracer nothing = {.sectors = hear, .context = &told};
        memset(&told, 0, sizeof told);
        report_all(&hears, spreads[s]);
        report_all(&shows, spreads[s]);
        assert_memory_equal(hears.count, nothing.count, sizeof nothing.count);
        assert_true(told.requests[0] > 30 && told.requests[0] == told.requests[1]);
        assert_int_equal(told.count[0], told.count[1]);
        assert_memory_equal(told.sector[0], told.sector[1], (size_t)told.count[1] * sizeof told.sector[1][0]);
    }
}

/* csr.cu */

static int64_t row_ptr(const struct launch *launch, int64_t i)
{
    return array_integer(&launch->storage->array[CSR_ROW_PTR], i);
}

static int value(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static void multiply(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t k)
{
    note(warp, moment, ACCESS_LOAD, OPERAND_VALUES, value(launch), k);
    note(warp, moment + 1, ACCESS_LOAD, OPERAND_COLUMNS, 4, k);
    note(warp, moment + 2, ACCESS_LOAD, OPERAND_X, value(launch),
         array_integer(&launch->storage->array[CSR_COL], k));
}

static void put(const struct launch *launch, struct lockstep *warp, int64_t i)
{
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, value(launch), i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, value(launch), i);
}

static void thread_scalar(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    int64_t i = block * (int64_t)launch->values.number[CSR_SCALAR_BLOCK] + thread;
    int offset = (int)element_size(launch->storage->array[CSR_ROW_PTR].element);
    if (i >= launch->storage->rows) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, i + 1);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, i);
    for (int64_t k = row_ptr(launch, i); k < row_ptr(launch, i + 1); k++)
        multiply(launch, warp, turn(k - row_ptr(launch, i), 0), k);
    put(launch, warp, i);
}

/* The tree of sum_in_shared. */
static void add_in_shared(const struct launch *launch, int thread, struct lockstep *warp)
{
    int round = 0, lane = thread % 32;
    int64_t moment = INT64_MAX - 100;
    note(warp, moment++, ACCESS_STORE, OPERAND_SHARED, value(launch), thread);
    for (int distance = 16; distance > 0; distance /= 2, round++, moment += 2) {
        if (lane >= distance) continue;
        note(warp, moment, ACCESS_LOAD, OPERAND_SHARED, value(launch), thread + distance);
        note(warp, moment + 1, ACCESS_STORE, OPERAND_SHARED, value(launch), thread);
    }
}

static void thread_vector(const struct launch *launch, int64_t s, int64_t block, int thread,
                          struct lockstep *warp)
{
    const double *number = launch->values.number;
    int threads = (int)number[CSR_VECTOR_THREADS], lane = thread % threads;
    int64_t i = (block * (int64_t)number[CSR_VECTOR_BLOCK] + thread) / threads;
    int offset = (int)element_size(launch->storage->array[CSR_ROW_PTR].element);
    bool there = i < launch->storage->rows;
    if (there) {
        int64_t begin = row_ptr(launch, i), end = row_ptr(launch, i + 1), k = begin + lane;
        note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset, i);
        note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset, i + 1);
        if (number[CSR_VECTOR_ALIGNED] != 0 && end - begin > threads) k = begin / threads * threads + lane;
        if (k >= begin && k < end) multiply(launch, warp, 10, k);
        for (int t = 0; (k += threads) < end; t++)
            multiply(launch, warp, turn(t, 0), k);
    }
    if ((int)number[CSR_VECTOR_REDUCE] == CSR_SHARED) add_in_shared(launch, thread, warp);
    if (lane == 0 && there) put(launch, warp, i);
}

static void csr_warps_ask_as_their_threads_do(void **state)
{
    static const char *const vector[] = {"",
                                         "threads=2",
                                         "threads=4",
                                         "threads=8,block=32",
                                         "threads=16",
                                         "threads=32",
                                         "aligned=yes,threads=4",
                                         "aligned=yes,threads=32",
                                         "reduce=shared,block=64"};
    assert_true(expect_trace(&kernel_cuda_csr_scalar, "", NULL, thread_scalar) > 200);
    assert_true(expect_trace(&kernel_cuda_csr_scalar, "block=32", NULL, thread_scalar) > 200);
    assert_true(expect_trace(&kernel_cuda_csr_scalar, "block=48", NULL, thread_scalar) > 200);
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        assert_true(expect_trace(&kernel_cuda_csr_vector, vector[k], NULL, thread_vector) > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share_sectors),
        cmocka_unit_test(one_address_is_one_sector),
        cmocka_unit_test(reductions_meet),
        cmocka_unit_test(padding_is_moved_and_serves_nobody),
        cmocka_unit_test(patterns_count_as_on_an_h200),
        cmocka_unit_test(additions_in_shared_memory_go_round),
        cmocka_unit_test(any_pattern_counts_by_the_rules),
        cmocka_unit_test(additions_to_lines_of_y_are_counted),
        cmocka_unit_test(requests_are_shown),
        cmocka_unit_test(sectors_are_those_of_the_lanes),
        cmocka_unit_test(csr_warps_ask_as_their_threads_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
