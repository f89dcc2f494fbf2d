/* The traces of the kernels of jds.cu: the memory requests of their warps. */
#include "kernels/cuda/jds.h"
#include "formats/jds_parts.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/ell.h"
#include "kernels/cuda/traces/replay.h"

static int columns_of(const struct launch *launch)
{
    return (int)launch->storage->number[JDS_COLUMNS];
}

/* Tell the tracer how the first `lanes` lanes, which have a sorted row each, from r on, write their sums to
 * y[perm[r]], y[perm[r + 1]], ... */
static void put_sorted(struct tracer *tracer, const struct launch *launch, int64_t r, int lanes)
{
    const struct ask load = {ACCESS_LOAD, OPERAND_ROWS, "perm[r]", sizeof(int32_t)};
    const int32_t *perm = launch->resident->array[JDS_PERM].data;
    int64_t i[WARP];
    for (int lane = 0; lane < lanes; lane++)
        i[lane] = perm[r + lane];
    trace_line(tracer, &load, 0, lanes, r);
    replay_put(tracer, launch, lanes_below(lanes), i);
}

/* The COO part has up to two launches: one sets its rows to 0, unless the launch accumulates, and one adds
 * its entries. Launch numbers s count from the first of these two. */

static int64_t stages_apart(const struct launch *launch)
{
    if (launch->storage->number[JDS_APART] == 0) return 0;
    return launch->state ? 2 : 1;
}

static bool clears(const struct launch *launch, int64_t s)
{
    return launch->state && s == 0;
}

/* Return the number of rows set to 0, or of entries added. */
static int64_t units_apart(const struct launch *launch, int64_t s)
{
    const struct storage *storage = launch->storage;
    return clears(launch, s) ? storage->number[JDS_APART] : storage->slots[1];
}

static void stage_apart(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, jds_grid(launch, units_apart(launch, s)), "%s<%s>",
                 clears(launch, s) ? "clear_rows" : "coo_part", replay_real(launch));
}

static void warp_clear(const struct launch *launch, int64_t t, int lanes, struct tracer *tracer)
{
    const struct ask load = {ACCESS_LOAD, OPERAND_TABLES, "row[t]", sizeof(int32_t)};
    const struct ask store = {ACCESS_STORE, OPERAND_Y, "y[row[t]]", replay_value(launch)};
    const int32_t *row = launch->state;
    int64_t i[WARP];
    for (int lane = 0; lane < lanes; lane++)
        i[lane] = row[t + lane];
    trace_line(tracer, &load, 0, lanes, t);
    trace_index(tracer, &store, lanes_below(lanes), i);
}

static void warp_apart(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = jds_grid(launch, units_apart(launch, s));
    int64_t first;
    int lanes = replay_threads(&grid, units_apart(launch, s), warp, &first);
    if (clears(launch, s))
        warp_clear(launch, first, lanes, tracer);
    else
        replay_entries(tracer, launch, columns_of(launch) + 2, first, lanes);
}

/* jds */

/* Return the number of launches before those of the COO part: one, or none if all rows are in that part. */
static int64_t stages_sorted(const struct launch *launch)
{
    return jds_sorted(launch->storage) > 0;
}

static int64_t stages(const struct launch *launch)
{
    return stages_sorted(launch) + stages_apart(launch);
}

static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    if (s >= stages_sorted(launch))
        stage_apart(launch, s - stages_sorted(launch), stage);
    else
        replay_stage(stage, jds_grid(launch, jds_sorted(launch->storage)), "jds_diagonals<%s, %s>",
                     replay_real(launch), replay_offset(launch));
}

/* Replay the loop over diagonals as it is compiled: iter_ptr[0] is loaded before the loop. In the loop the
 * lanes whose rows were in all diagonals so far load iter_ptr[d + 1], to test diagonal d; they have
 * iter_ptr[d] from the previous iteration. The lanes that continue load iter_ptr[d] once more. */
static void diagonals(const struct launch *launch, int64_t r, int lanes, struct tracer *tracer)
{
    const struct replay_product product = replay_product(launch, columns_of(launch), columns_of(launch) + 1);
    const struct array *iter_ptr = &launch->resident->array[JDS_ITER_PTR];
    int offset = replay_size(launch, JDS_ITER_PTR);
    const struct ask begin = {ACCESS_LOAD, OPERAND_POINTERS, "iter_ptr[d]", offset};
    const struct ask end = {ACCESS_LOAD, OPERAND_POINTERS, "iter_ptr[d + 1]", offset};
    int64_t count = launch->storage->number[JDS_LONGEST], there = lanes;
    if (count > 0) trace_same(tracer, &begin, lanes_below(lanes), 0);
    for (int64_t d = 0; d < count && there > 0; d++) {
        int64_t first = array_integer(iter_ptr, d);
        trace_same(tracer, &end, lanes_below(there), d + 1);
        there = clip(array_integer(iter_ptr, d + 1) - first - r, there);
        trace_same(tracer, &begin, lanes_below(there), d);
        replay_multiply_line(tracer, &product, lanes_below(there), first + r);
    }
}

/* row[l] becomes list[t + l] for lanes l < lanes, and -1 for the others. */
static void rows_from(const int32_t *list, int64_t t, int lanes, int64_t row[WARP])
{
    for (int lane = 0; lane < WARP; lane++)
        row[lane] = lane < lanes ? list[t + lane] : -1;
}

/* Find the rows of the lanes in a launch for the COO part: those that they set to 0, or those of their
 * entries. */
static void rows_apart(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    const struct grid grid = jds_grid(launch, units_apart(launch, s));
    const int32_t *list =
        clears(launch, s) ? launch->state : launch->resident->array[columns_of(launch) + 2].data;
    int64_t t;
    int lanes = replay_threads(&grid, units_apart(launch, s), warp, &t);
    rows_from(list, t, lanes, row);
}

static const int32_t *order_of(const struct launch *launch)
{
    return launch->resident->array[JDS_PERM].data;
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = jds_grid(launch, jds_sorted(launch->storage));
    int64_t r;
    if (s >= stages_sorted(launch)) {
        warp_apart(launch, s - stages_sorted(launch), warp, tracer);
        return;
    }
    int lanes = replay_threads(&grid, jds_sorted(launch->storage), warp, &r);
    diagonals(launch, r, lanes, tracer);
    put_sorted(tracer, launch, r, lanes);
}

static void rows(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    const struct grid grid = jds_grid(launch, jds_sorted(launch->storage));
    int64_t r;
    if (s >= stages_sorted(launch)) {
        rows_apart(launch, s - stages_sorted(launch), warp, row);
        return;
    }
    int lanes = replay_threads(&grid, jds_sorted(launch->storage), warp, &r);
    rows_from(order_of(launch), r, lanes, row);
}

/* The rows are sorted, so that the first row r of a warp is the longest: it has an entry in each diagonal
 * with more than r entries, and the longest diagonals come first. */
static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct array *iter_ptr = &launch->resident->array[JDS_ITER_PTR];
    const struct grid grid = jds_grid(launch, jds_sorted(launch->storage));
    int64_t low = 0, high = launch->storage->number[JDS_LONGEST], r;
    if (s >= stages_sorted(launch) || !replay_threads(&grid, jds_sorted(launch->storage), warp, &r)) return 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (array_integer(iter_ptr, middle + 1) - array_integer(iter_ptr, middle) > r)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct trace trace_jds = {
    .stages = stages, .stage = stage, .warp = warp, .rows = rows, .weight = weight};

/* jds-sections */

static int64_t sections_of(const struct launch *launch)
{
    return launch->storage->number[JDS_SECTIONS];
}

static int64_t stages_sections(const struct launch *launch)
{
    return sections_of(launch) + stages_apart(launch);
}

static void stage_sections(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    if (s >= sections_of(launch)) {
        stage_apart(launch, s - sections_of(launch), stage);
        return;
    }
    const struct jds_piece piece = jds_piece(launch->storage, s);
    const struct grid grid = jds_grid(launch, piece.height);
    if (piece.csr)
        replay_stage(stage, grid, "jds_section_csr<%s, %s>", replay_real(launch), replay_offset(launch));
    else
        replay_stage(stage, grid, "jds_section_ell<%s>", replay_real(launch));
}

static void warp_sections(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    if (s >= sections_of(launch)) {
        warp_apart(launch, s - sections_of(launch), warp, tracer);
        return;
    }
    const struct jds_piece piece = jds_piece(launch->storage, s);
    const struct grid grid = jds_grid(launch, piece.height);
    const int q = columns_of(launch);
    const struct rectangle rectangle = {
        .q_col = q, .q_val = q + 1, .slot = piece.slot, .height = piece.height, .width = piece.wide};
    int64_t t;
    int lanes = replay_threads(&grid, piece.height, warp, &t);
    if (piece.csr)
        replay_rows(tracer, launch, JDS_ROW_PTR, q, q + 1, piece.first + t, lanes);
    else
        replay_rectangle(tracer, launch, &rectangle, t, lanes);
    put_sorted(tracer, launch, piece.first + t, lanes);
}

static void rows_sections(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    if (s >= sections_of(launch)) {
        rows_apart(launch, s - sections_of(launch), warp, row);
        return;
    }
    const struct jds_piece piece = jds_piece(launch->storage, s);
    const struct grid grid = jds_grid(launch, piece.height);
    int64_t t;
    int lanes = replay_threads(&grid, piece.height, warp, &t);
    rows_from(order_of(launch), piece.first + t, lanes, row);
}

static int64_t weight_sections(const struct launch *launch, int64_t s, int64_t warp)
{
    int64_t t;
    if (s >= sections_of(launch)) return 1;
    const struct jds_piece piece = jds_piece(launch->storage, s);
    const struct grid grid = jds_grid(launch, piece.height);
    int lanes = replay_threads(&grid, piece.height, warp, &t);
    return piece.csr ? replay_longest(&launch->resident->array[JDS_ROW_PTR], piece.first + t, lanes)
                     : piece.wide;
}

const struct trace trace_jds_sections = {.stages = stages_sections,
                                         .stage = stage_sections,
                                         .warp = warp_sections,
                                         .rows = rows_sections,
                                         .weight = weight_sections};
