/* The requests of the warps of CMRS kernels: their threads as in src/kernels/cuda/cmrs.cu, one at a time. */
#include <stdio.h>
#include <string.h>

#include "formats/array.h"
#include "formats/cmrs.h"
#include "kernels/cuda/cmrs.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

#define SUM (INT64_MAX - 100) /* the moment when cells are added up */

static int64_t strip_ptr(const struct launch *launch, int64_t s)
{
    return array_integer(&launch->storage->array[CMRS_STRIP_PTR], s);
}

static int offset(const struct launch *launch)
{
    return (int)element_size(launch->storage->array[CMRS_STRIP_PTR].element);
}

static int value(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static bool packed(const struct launch *launch)
{
    return launch->storage->number[CMRS_PACKED] != 0;
}

static int64_t row_at(const struct launch *launch, int64_t e)
{
    if (packed(launch)) return array_integer(&launch->storage->array[CMRS_COL_IND], e) & 15;
    return array_integer(&launch->storage->array[CMRS_ROW_IN_STRIP], e);
}

/* The loads of a slot: four moments. */
static void load_slot(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t e)
{
    int64_t index = array_integer(&launch->storage->array[CMRS_COL_IND], e);
    warp->padding = storage_padding(launch->storage, 0, e);
    note(warp, moment, ACCESS_LOAD, OPERAND_COLUMNS, 4, e);
    if (!packed(launch)) note(warp, moment + 1, ACCESS_LOAD, OPERAND_ROWS, 1, e);
    note(warp, moment + 2, ACCESS_LOAD, OPERAND_VALUES, value(launch), e);
    note(warp, moment + 3, ACCESS_LOAD, OPERAND_X, value(launch), packed(launch) ? index >> 4 : index);
    warp->padding = false;
}

static void add_to(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t cell)
{
    note(warp, moment + 4, ACCESS_LOAD, OPERAND_SHARED, value(launch), cell);
    note(warp, moment + 5, ACCESS_STORE, OPERAND_SHARED, value(launch), cell);
}

static void put(const struct launch *launch, struct lockstep *warp, int64_t i)
{
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, value(launch), i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, value(launch), i);
}

static void thread_basic(const struct launch *launch, int64_t launched, int64_t block, int thread,
                         struct lockstep *warp)
{
    const double *number = launch->values.number;
    int64_t height = launch->storage->number[CMRS_HEIGHT];
    int64_t s = (block * (int64_t)number[CMRS_BASIC_BLOCK] + thread) / 32;
    int lane = thread % 32, rows = height > 8 ? 16 : height > 4 ? 8 : height > 2 ? 4 : (int)height;
    int lanes = 32 / rows, r = lane / lanes;
    if (s >= launch->storage->number[CMRS_STRIPS]) return;
    int64_t begin = strip_ptr(launch, s), end = strip_ptr(launch, s + 1), e = begin + lane;
    int64_t cell = thread / 32 * height * 32;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), s);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), s + 1);
    for (int k = 0; k < height; k++)
        note(warp, 10 + k, ACCESS_STORE, OPERAND_SHARED, value(launch), cell + k * 32 + lane);
    if (number[CMRS_BASIC_ALIGNED] != 0 && end - begin > 32) {
        e = begin / 32 * 32 + lane;
        if (e >= begin) {
            load_slot(launch, warp, 50, e);
            add_to(launch, warp, 50, cell + row_at(launch, e) * 32 + lane);
        }
        e += 32;
    }
    for (int t = 0; e < end; e += 32, t++) {
        load_slot(launch, warp, turn(t, 0), e);
        add_to(launch, warp, turn(t, 0), cell + row_at(launch, e) * 32 + lane);
    }
    for (int k = 0; k < rows && r < height; k++)
        note(warp, SUM + k, ACCESS_LOAD, OPERAND_SHARED, value(launch), cell + r * 32 + (lane ^ k * lanes));
    if (lane % lanes == 0 && r < height && s * height + r < launch->storage->rows)
        put(launch, warp, s * height + r);
}

static void thread_padded(const struct launch *launch, int64_t launched, int64_t block, int thread,
                          struct lockstep *warp)
{
    int64_t s = (block * (int64_t)launch->values.number[CMRS_PADDED_BLOCK] + thread) / 32;
    int64_t cell = thread / 32 * 16;
    int lane = thread % 32;
    if (s >= launch->storage->number[CMRS_STRIPS]) return;
    note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), s + 1);
    note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), s);
    if (lane < 16) note(warp, 2, ACCESS_STORE, OPERAND_SHARED, value(launch), cell + lane);
    int64_t group = strip_ptr(launch, s);
    for (int t = 0; group < strip_ptr(launch, s + 1); group += 32, t++) {
        int64_t e = group + lane, row = row_at(launch, e);
        load_slot(launch, warp, turn(t, 0), e);
        if (lane == 0 || row_at(launch, e - 1) != row) add_to(launch, warp, turn(t, 0), cell + row);
    }
    if (lane >= 16 || s * 16 + lane >= launch->storage->rows) return;
    note(warp, SUM, ACCESS_LOAD, OPERAND_SHARED, value(launch), cell + lane);
    put(launch, warp, s * 16 + lane);
}

static void strips_are_read_as_by_their_threads(void **state)
{
    static const char *const stored[] = {
        "height=1",           "height=2,packed=1",          "height=3",
        "height=4,sorted=1",  "height=5,packed=1,sorted=1", "height=8",
        "height=16,packed=1", "height=13,sorted=1",         "height=16,modulo=4"};
    assert_true(expect_trace(&kernel_cuda_cmrs, "", NULL, thread_basic) > 200);
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        assert_true(expect_trace(&kernel_cuda_cmrs, "", stored[k], thread_basic) > 200);
        assert_true(expect_trace(&kernel_cuda_cmrs, "aligned=yes,block=32", stored[k], thread_basic) > 200);
    }
    assert_true(expect_trace(&kernel_cuda_cmrs, "block=1024", "height=2", thread_basic) > 200);
}

static void groups_are_read_as_by_their_threads(void **state)
{
    static const char *const stored[] = {"modulo=1", "modulo=2,packed=1", "modulo=4",
                                         "modulo=8", "modulo=16",         "modulo=32,packed=1"};
    assert_true(expect_trace(&kernel_cuda_cmrs_padded, "", NULL, thread_padded) > 200);
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++)
        assert_true(expect_trace(&kernel_cuda_cmrs_padded, "block=32", stored[k], thread_padded) > 200);
}

/* How often the sums of a strip's rows read each cell; 32 cells of a row are adjacent. */
struct cells {
    int reads[CMRS_HEIGHT_MAX][32];
};

static void note_cells(void *context, const struct request *request)
{
    struct cells *cells = context;
    if (strcmp(request->ask->text, "sum += cell[...]") != 0) return;
    for (int lane = 0; lane < 32; lane++) {
        if (!(request->active >> lane & 1)) continue;
        uint64_t cell = request->address[lane] / (uint64_t)request->ask->size;
        assert_in_range(cell, 0, 32 * CMRS_HEIGHT_MAX - 1);
        cells->reads[cell / 32][cell % 32]++;
    }
}

/* For any number of lanes per row, the lanes together read each cell of the row once. */
static void each_cell_is_summed_once(void **state)
{
    static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};
    struct csr a = support_matrix(200, 90, 0.1, false, false, 3);
    for (int height = 1; height <= CMRS_HEIGHT_MAX; height++) {
        char parameters[32];
        struct device device;
        struct launch launch;
        struct cells cells = {0};
        snprintf(parameters, sizeof parameters, "height=%d", height);
        struct storage storage = storing_done(&format_cmrs, parameters, NULL, &a);
        paper_open(&facts, &device);
        assert_int_equal(preparing_on_paper(&device, &kernel_cuda_cmrs, "", &storage, &(struct preparing){0},
                                            &launch, NULL),
                         STATUS_OK);
        struct tracer tracer = {.show = note_cells, .context = &cells};
        trace_warp(&launch, 0, 1, &tracer);
        for (int r = 0; r < CMRS_HEIGHT_MAX; r++)
            for (int c = 0; c < 32; c++)
                assert_int_equal(cells.reads[r][c], r < height);
        kernel_release(&launch);
        device_close(&device);
        storage_free(&storage);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_is_summed_once),
        cmocka_unit_test(strips_are_read_as_by_their_threads),
        cmocka_unit_test(groups_are_read_as_by_their_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
