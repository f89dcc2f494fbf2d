/* The trace of csr-segmented: the memory requests of a block's warps for a run. */
#include "kernels/cuda/csr_segmented.h"
#include "formats/csr.h"
#include "formats/fill.h"
#include "kernels/cuda/traces/replay.h"

/* A warp, in its block and its run. */
struct way {
    const struct launch *launch;
    struct tracer *tracer;
    const struct array *row_ptr;
    const struct segmented_run *run;
    int64_t block; /* the number of the block and of its run */
    int threads, warps, warp, each, value;
    bool complex;
};

static void stage_segmented(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, segmented_grid(launch), "csr_segmented<%d, %s, %s>",
                 (int)launch->values.number[SEGMENTED_ENTRIES], replay_real(launch), replay_offset(launch));
    stage->early = begins_early(launch, SEGMENTED_EARLY);
}

/* Offsets in shared memory, in elements of their sizes, of the flags whether a row has ended in a warp, of
 * the rows that end with each entry, and of the products. The sums of warps are at the beginning. */
static int64_t ended_at(const struct way *way, int warp)
{
    return way->warps * (int64_t)segmented_unit(way->complex) / 4 + warp;
}

static int64_t end_at(const struct way *way, int64_t entry)
{
    return way->warps * (int64_t)segmented_unit(way->complex) + entry;
}

static int64_t product_at(const struct way *way, int64_t entry)
{
    return segmented_front(way->threads, way->each, way->complex) / way->value +
           segmented_place((int)entry, way->value);
}

/* Loads of the run, and of its entries: entry j threads + t for thread t. Elements of x are loaded later, by
 * the same lanes. */
static void load_entries(const struct way *way)
{
    const struct ask run = {ACCESS_LOAD, OPERAND_TABLES, "runs[blockIdx.x]", 16};
    const struct ask col = {ACCESS_LOAD, OPERAND_COLUMNS, "col[run.begin + e]", sizeof(int32_t), true};
    const struct ask val = {ACCESS_LOAD, OPERAND_VALUES, "val[run.begin + e]", way->value, true};
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[column[j]]", way->value};
    const struct ask none = {ACCESS_STORE, OPERAND_SHARED, "ends[thread] = none", 2 * way->each};
    const int32_t *column = way->launch->resident->array[CSR_COL].data;
    trace_same(way->tracer, &run, UINT32_MAX, 2 * way->block);
    trace_same(way->tracer, &run, UINT32_MAX, 2 * way->block + 1);
    trace_line(way->tracer, &none, 0, WARP, end_at(way, 0) / way->each + way->warp * (int64_t)WARP);
    for (int j = 0; j < way->each; j++) {
        int64_t e = way->run->begin + j * (int64_t)way->threads + way->warp * (int64_t)WARP, place[WARP];
        int lanes = (int)clip(way->run->end - e, WARP);
        trace_line(way->tracer, &col, 0, lanes, e);
        trace_line(way->tracer, &val, 0, lanes, e);
        for (int lane = 0; lane < lanes; lane++)
            place[lane] = column[e + lane];
        trace_index(way->tracer, &x, lanes_below(lanes), place);
    }
}

/* The loops over the rows of a run, a row for each thread: one notes the ends of rows, the other sets empty
 * rows to 0. */
static void go_through_rows(const struct way *way, bool clear)
{
    int offset = replay_size(way->launch, CSR_ROW_PTR);
    const struct ask begin = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[run.row + i]", offset};
    const struct ask end = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[run.row + i + 1]", offset};
    const struct ask mark = {ACCESS_STORE, OPERAND_SHARED, "ends[end - run.begin - 1]", sizeof(int16_t)};
    const struct ask zero = {ACCESS_STORE, OPERAND_Y, "y[run.row + i]", way->value};
    for (int64_t i = way->warp * (int64_t)WARP; i < way->run->rows; i += way->threads) {
        int lanes = (int)min(WARP, way->run->rows - i);
        int64_t first = way->run->row + i, place[WARP];
        uint32_t full = 0;
        trace_line(way->tracer, &begin, 0, lanes, first);
        trace_line(way->tracer, &end, 0, lanes, first + 1);
        for (int lane = 0; lane < lanes; lane++) {
            int64_t stop = array_integer(way->row_ptr, first + lane + 1);
            full |= (uint32_t)(stop > array_integer(way->row_ptr, first + lane)) << lane;
            place[lane] = clear ? first + lane : end_at(way, stop - way->run->begin - 1);
        }
        if (clear)
            trace_index(way->tracer, &zero, lanes_below(lanes) & ~full, place);
        else
            trace_index(way->tracer, &mark, full, place);
    }
}

/* A part of a row */

/* A sum over the block, in numbers of `size` bytes. */
static void sum_over_block(const struct way *way, int size)
{
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "sums[warp]", size};
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "sums[lane]", size};
    trace_same(way->tracer, &store, 1, way->warp);
    if (way->warp == 0) trace_line(way->tracer, &load, 0, way->warps, 0);
}

/* The last block to arrive takes the sums of all; the counts do not depend on which one that is. */
static void take_parts(const struct way *way)
{
    static const struct ask take = {ACCESS_LOAD, OPERAND_TABLES, "take(partials + ...)", sizeof(uint64_t)};
    static const struct ask leave = {ACCESS_STORE, OPERAND_TABLES, "take(partials + ...)", sizeof(uint64_t)};
    static const struct ask none = {ACCESS_STORE, OPERAND_TABLES, "arrived[run.from] = 0", sizeof(uint32_t)};
    const int words = segmented_words(way->complex);
    int64_t from = way->run->from, parts = way->run->parts;
    for (int64_t part = way->warp * (int64_t)WARP; part < parts; part += way->threads) {
        int lanes = (int)min(WARP, parts - part);
        for (int word = 0; word < words; word++)
            trace_stride(way->tracer, &take, lanes, words * (from + part) + word, words);
        for (int word = 0; word < words; word++)
            trace_stride(way->tracer, &leave, lanes, words * (from + part) + word, words);
    }
    sum_over_block(way, segmented_unit(way->complex));
    if (way->warp > 0) return;
    replay_put_line(way->tracer, way->launch, 1, way->run->row);
    trace_same(way->tracer, &none, 1, from);
}

static void sum_part(const struct way *way)
{
    static const struct ask partial = {ACCESS_STORE, OPERAND_TABLES, "give(partials + ...)",
                                       sizeof(uint64_t)};
    static const struct ask arrive = {ACCESS_ATOMIC, OPERAND_TABLES, "arrived[run.from]", sizeof(uint32_t)};
    static const struct ask note = {ACCESS_STORE, OPERAND_SHARED, "*ended", sizeof(int)};
    static const struct ask look = {ACCESS_LOAD, OPERAND_SHARED, "*ended", sizeof(int)};
    const int words = segmented_words(way->complex);
    sum_over_block(way, way->value);
    if (way->warp == 0) {
        for (int word = 0; word < words; word++)
            trace_same(way->tracer, &partial, 1, words * way->block + word);
        trace_same(way->tracer, &arrive, 1, way->run->from);
        trace_same(way->tracer, &note, 1, ended_at(way, 0));
    }
    trace_same(way->tracer, &look, UINT32_MAX, ended_at(way, 0));
    if (way->block == way->run->from + way->run->parts - 1) take_parts(way);
}

/* Whole rows */

/* Products move between threads: each lane stores its own, and loads those that it adds up. Neither has bank
 * conflicts (segmented_place). */
static void turn(const struct way *way)
{
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "products[segmented_place(...)]", way->value};
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "products[segmented_place(...)]", way->value};
    int64_t place[WARP];
    for (int j = 0; j < way->each; j++) {
        for (int lane = 0; lane < WARP; lane++)
            place[lane] = product_at(way, j * (int64_t)way->threads + way->warp * WARP + lane);
        replay_apart(way->tracer, &store, UINT32_MAX, place);
        for (int lane = 0; lane < WARP; lane++)
            place[lane] = product_at(way, (way->warp * (int64_t)WARP + lane) * way->each + j);
        replay_apart(way->tracer, &load, UINT32_MAX, place);
    }
}

/* The rows that end in the entries of a warp. */
struct ends {
    uint32_t has[SEGMENTED_ENTRIES_MAX];      /* bit l: a row ends with entry j of lane l, */
    int64_t row[SEGMENTED_ENTRIES_MAX][WARP]; /* and this is the row */
    int64_t first[WARP];                      /* the first row that ends in each lane */
    uint32_t some;                            /* bit l: there is one */
    int above; /* the last warp before this one in which a row ends, -1 if there is none */
};

static void find_ends(const struct way *way, struct ends *ends)
{
    int64_t wide = WARP * (int64_t)way->each, low = way->run->begin + way->warp * wide;
    int64_t high = min(low + wide, way->run->end);
    *ends = (struct ends){.above = -1};
    if (low >= high) return;
    int64_t i = offset_find(way->row_ptr, way->launch->storage->rows, low);
    int64_t before = array_integer(way->row_ptr, i) - way->run->begin;
    if (before > 0) ends->above = (int)((before - 1) / wide);
    for (int64_t begin = -1; i < way->run->row + way->run->rows; i++) {
        int64_t end = array_integer(way->row_ptr, i + 1);
        if (end > high) break;
        begin = array_integer(way->row_ptr, i);
        if (end == begin) continue;
        int lane = (int)((end - 1 - low) / way->each), j = (int)((end - 1 - low) % way->each);
        ends->has[j] |= (uint32_t)1 << lane;
        ends->row[j][lane] = i;
        if (!(ends->some >> lane & 1)) ends->first[lane] = i;
        if (ends->some >> lane & 1) continue;
        ends->some |= (uint32_t)1 << lane;
    }
}

static void sum_rows(const struct way *way)
{
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "ends[thread]", 2 * way->each};
    const struct ask sum = {ACCESS_STORE, OPERAND_SHARED, "sum[warp]", way->value};
    const struct ask ended = {ACCESS_STORE, OPERAND_SHARED, "ended[warp]", sizeof(int)};
    const struct ask add = {ACCESS_LOAD, OPERAND_SHARED, "sum[w]", way->value};
    const struct ask last = {ACCESS_LOAD, OPERAND_SHARED, "ended[w]", sizeof(int)};
    struct ends ends;
    find_ends(way, &ends);
    trace_line(way->tracer, &load, 0, WARP, end_at(way, 0) / way->each + way->warp * (int64_t)WARP);
    for (int j = 1; j < way->each; j++) {
        uint32_t later = ends.has[j];
        for (uint32_t rest = later; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            if (ends.row[j][lane] == ends.first[lane]) later &= ~((uint32_t)1 << lane);
        }
        replay_put(way->tracer, way->launch, later, ends.row[j]);
    }
    trace_same(way->tracer, &sum, (uint32_t)1 << (WARP - 1), way->warp);
    trace_same(way->tracer, &ended, (uint32_t)1 << (WARP - 1), ended_at(way, way->warp));
    if (!ends.some) return;
    for (int w = way->warp - 1; w >= max(ends.above, 0); w--) {
        trace_same(way->tracer, &add, ends.some & -ends.some, w);
        trace_same(way->tracer, &last, ends.some & -ends.some, ended_at(way, w));
    }
    replay_put(way->tracer, way->launch, ends.some, ends.first);
}

static void warp_segmented(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct segmented *segmented = launch->state;
    const struct grid grid = segmented_grid(launch);
    int64_t block = warp / replay_warps(&grid);
    const struct way way = {.launch = launch,
                            .tracer = tracer,
                            .row_ptr = &launch->resident->array[CSR_ROW_PTR],
                            .run = &segmented->runs[block],
                            .block = block,
                            .threads = grid.threads,
                            .warps = grid.threads / WARP,
                            .warp = (int)(warp % replay_warps(&grid)),
                            .each = (int)launch->values.number[SEGMENTED_ENTRIES],
                            .value = replay_value(launch),
                            .complex = launch->storage->complex};
    load_entries(&way);
    if (way.run->parts > 0) {
        sum_part(&way);
        return;
    }
    go_through_rows(&way, false);
    if (way.run->from > 0 && !launch->product.accumulate) go_through_rows(&way, true);
    if (way.each > 1) turn(&way);
    sum_rows(&way);
}

const struct trace trace_csr_segmented = {.stage = stage_segmented, .warp = warp_segmented};
