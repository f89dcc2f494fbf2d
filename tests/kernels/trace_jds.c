/* Traces of JDS: the requests of the threads of jds.cu, one by one, are those of their warps. */
#include "formats/array.h"
#include "formats/fill.h"
#include "kernels/cuda/jds.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/lockstep.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static int value(const struct launch *launch)
{
    return value_width(launch->storage->precision, launch->storage->complex);
}

static int offset(const struct launch *launch)
{
    return launch->storage->wide ? 8 : 4;
}

static int64_t at(const struct launch *launch, int64_t q, int64_t e)
{
    return array_integer(&launch->storage->array[q], e);
}

/* Entry e of the part whose columns are array q. */
static void multiply(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t q, int64_t e)
{
    warp->padding = storage_padding(launch->storage, launch->storage->array[q].part, e);
    note(warp, moment, ACCESS_LOAD, OPERAND_COLUMNS, 4, e);
    note(warp, moment + 1, ACCESS_LOAD, OPERAND_VALUES, value(launch), e);
    note(warp, moment + 2, ACCESS_LOAD, OPERAND_X, value(launch), at(launch, q, e));
    warp->padding = false;
}

static void put_sorted(const struct launch *launch, struct lockstep *warp, int64_t r)
{
    int64_t i = at(launch, JDS_PERM, r);
    note(warp, INT64_MAX - 2, ACCESS_LOAD, OPERAND_ROWS, 4, r);
    if (launch->product.accumulate) note(warp, INT64_MAX - 1, ACCESS_LOAD, OPERAND_Y, value(launch), i);
    note(warp, INT64_MAX, ACCESS_STORE, OPERAND_Y, value(launch), i);
}

static int64_t thread_of_grid(const struct launch *launch, int64_t block, int thread)
{
    return block * (int64_t)launch->values.number[JDS_BLOCK] + thread;
}

/* Return the row of this number among the distinct rows of the COO part. */
static int64_t row_apart(const struct launch *launch, int64_t t)
{
    int64_t q = launch->storage->number[JDS_COLUMNS] + 2, e = 0;
    for (int64_t met = 0;; e++) {
        met += e == 0 || at(launch, q, e) != at(launch, q, e - 1);
        if (met > t) return at(launch, q, e);
    }
}

/* The launches after the others, from 0 on: y = A x clears the rows first. */
static void thread_apart(const struct launch *launch, int64_t s, int64_t t, struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    int64_t q = storage->number[JDS_COLUMNS] + 2;
    bool clears = !launch->product.accumulate && s == 0;
    assert_true(storage->number[JDS_APART] > 0);
    assert_true(s < (launch->product.accumulate ? 1 : 2));
    if (clears && t < storage->number[JDS_APART]) {
        note(warp, 0, ACCESS_LOAD, OPERAND_TABLES, 4, t);
        note(warp, 1, ACCESS_STORE, OPERAND_Y, value(launch), row_apart(launch, t));
    }
    if (clears || t >= storage->slots[1]) return;
    multiply(launch, warp, 0, q + 1, t);
    note(warp, 10, ACCESS_LOAD, OPERAND_ROWS, 4, t);
    note_reduction(launch, warp, 11, at(launch, q, t));
}

/* As compiled: iter_ptr[d] is at hand for the test, and loaded again by those that pass it. */
static void thread_diagonals(const struct launch *launch, int64_t s, int64_t block, int thread,
                             struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    int64_t r = thread_of_grid(launch, block, thread), diagonals = storage->number[JDS_LONGEST];
    int64_t sorted = storage->array[JDS_PERM].length, q = storage->number[JDS_COLUMNS];
    if (sorted == 0) s++;
    if (s > 0) {
        thread_apart(launch, s - 1, r, warp);
        return;
    }
    if (r >= sorted) return;
    if (diagonals > 0) note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), 0);
    for (int64_t d = 0; d < diagonals; d++) {
        int64_t k = at(launch, JDS_ITER_PTR, d) + r;
        note(warp, turn(d, 0), ACCESS_LOAD, OPERAND_POINTERS, offset(launch), d + 1);
        if (k >= at(launch, JDS_ITER_PTR, d + 1)) break;
        note(warp, turn(d, 1), ACCESS_LOAD, OPERAND_POINTERS, offset(launch), d);
        multiply(launch, warp, turn(d, 2), q, k);
    }
    put_sorted(launch, warp, r);
}

/* Rows without entries are the last section, which has no slots. */
static void thread_sections(const struct launch *launch, int64_t s, int64_t block, int thread,
                            struct lockstep *warp)
{
    const struct storage *storage = launch->storage;
    int64_t t = thread_of_grid(launch, block, thread), q = storage->number[JDS_COLUMNS];
    if (s >= storage->number[JDS_SECTIONS]) {
        thread_apart(launch, s - storage->number[JDS_SECTIONS], t, warp);
        return;
    }
    int64_t first = at(launch, JDS_SECTION_ROW, s), height = at(launch, JDS_SECTION_ROW, s + 1) - first;
    int64_t slot = at(launch, JDS_SECTION_PTR, s), slots = at(launch, JDS_SECTION_PTR, s + 1) - slot;
    if (t >= height) return;
    if (storage_parameter(storage, JDS_INSIDE) == JDS_INSIDE_CSR && slots > 0) {
        int64_t k = at(launch, JDS_ROW_PTR, first + t), end = at(launch, JDS_ROW_PTR, first + t + 1);
        note(warp, 0, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), first + t);
        note(warp, 1, ACCESS_LOAD, OPERAND_POINTERS, offset(launch), first + t + 1);
        for (int64_t d = 0; k + d < end; d++)
            multiply(launch, warp, turn(d, 0), q, k + d);
    } else {
        for (int64_t d = 0; d < slots / height; d++)
            multiply(launch, warp, turn(d, 0), q, slot + d * height + t);
    }
    put_sorted(launch, warp, first + t);
}

static void jds_warps_ask_as_their_threads_do(void **state)
{
    static const char *const stored[] = {"", "longest=1", "longest=3"};
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        assert_true(expect_trace(&kernel_cuda_jds, "", stored[k], thread_diagonals) > 200);
        assert_true(expect_trace(&kernel_cuda_jds, "block=32", stored[k], thread_diagonals) > 200);
        assert_true(expect_trace(&kernel_cuda_jds, "block=48", stored[k], thread_diagonals) > 200);
    }
}

static void jds_sections_warps_ask_as_their_threads_do(void **state)
{
    static const char *const stored[] = {"sections=share",
                                         "sections=equal",
                                         "sections=equal,height=1",
                                         "sections=share,height=7,share=0.9",
                                         "sections=share,inside=csr",
                                         "sections=equal,height=50,inside=csr",
                                         "sections=share,longest=2",
                                         "sections=equal,longest=1,inside=csr"};
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        assert_true(expect_trace(&kernel_cuda_jds_sections, "", stored[k], thread_sections) > 200);
        assert_true(expect_trace(&kernel_cuda_jds_sections, "block=32", stored[k], thread_sections) > 200);
        assert_true(expect_trace(&kernel_cuda_jds_sections, "block=48", stored[k], thread_sections) > 200);
    }
}

/* The work of a warp: each lane's row, and its lanes' requests of y. */
struct said {
    int64_t row[TRACE_LANES];
    int64_t lanes; /* lanes with requests of y */
};

static void hold_rows(void *context, const struct request *request)
{
    struct said *said = context;
    if (request->ask->operand != OPERAND_Y) return;
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        if (!(request->active >> lane & 1)) continue;
        assert_int_equal(request->address[lane] / (uint64_t)request->ask->size, said->row[lane]);
        said->lanes++;
    }
}

/* Return the number of lanes of the launches for the COO part that were compared. */
static int64_t hold_launch(const struct launch *launch, int64_t apart)
{
    int64_t lanes = 0;
    for (int64_t s = 0; s < trace_stages(launch); s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        for (int64_t warp = 0; warp < stage.warps; warp++) {
            struct said said = {.lanes = 0};
            struct tracer tracer = {.show = hold_rows, .context = &said};
            launch->kernel->trace->rows(launch, s, warp, said.row);
            trace_warp(launch, s, warp, &tracer);
            if (s >= apart) lanes += said.lanes;
        }
    }
    return lanes;
}

static void rows_are_those_that_lanes_add_to(void **state)
{
    static const struct {
        const struct kernel *kernel;
        const char *stored;
    } cases[] = {{&kernel_cuda_jds, "longest=3"},
                 {&kernel_cuda_jds_sections, "sections=share,longest=2"},
                 {&kernel_cuda_jds_sections, "sections=equal,longest=1,inside=csr"}};
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3};
    struct csr a = support_matrix(500, 90, 0.1, true, false, 5);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct device device;
        struct launch launch;
        paper_open(&facts, &device);
        struct storage storage = storing_done(&format_jds, cases[k].stored, NULL, &a);
        assert_int_equal(
            preparing_on_paper(&device, cases[k].kernel, "", &storage, &(struct preparing){0}, &launch, NULL),
            STATUS_OK);
        int64_t apart = k == 0 ? 1 : storage.number[JDS_SECTIONS];
        assert_true(hold_launch(&launch, apart) >= storage.slots[1] + storage.number[JDS_APART]);
        kernel_release(&launch);
        storage_free(&storage);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jds_warps_ask_as_their_threads_do),
        cmocka_unit_test(jds_sections_warps_ask_as_their_threads_do),
        cmocka_unit_test(rows_are_those_that_lanes_add_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
