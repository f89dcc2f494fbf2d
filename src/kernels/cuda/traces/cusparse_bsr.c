/* A model of the memory requests of cuSPARSE's kernels for BSR. Their code is unknown. Times and counters on
 * matrices made for this purpose show how threads share the blocks
 * (data/measured/bsr-h200-2026-11-28.txt):
 *
 *     size 2, 4    A block row has as many lanes as a block has values; a step takes two of its blocks. A
 *                  row of more than 512 blocks is shared by all 128 threads of the block of threads, one
 *                  such row after the other.
 *     size 3       A block row has a warp; a step takes three of its blocks.
 *     others       A block row has a block of 64 threads; a step takes one of its blocks.
 *
 * In a step a lane loads the column of its block, then values of the block, then elements of x. For size 2
 * the two blocks wait for x one after the other. In the end the sums are stored. */
#include "formats/bsr.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/cuda/traces/replay.h"

#define SHARED_ROW 512    /* a block row with more blocks is shared by all threads */
#define THREADS 128       /* threads of a block */
#define THREADS_OF_ROW 64 /* threads of a block that has a single block row */

/* The division of block rows among the threads of a block. */
struct sharing {
    int size;         /* size of a block of the matrix */
    int pair;         /* values that a lane loads at once */
    int lanes;        /* for a block row */
    int rows;         /* block rows for a block of threads */
    int64_t rows_all; /* block rows of the matrix */
    bool single;      /* a step takes one block, with any number of lanes */
    bool shares;      /* all threads share each long row */
    struct grid grid;
};

static struct sharing sharing_of(const struct launch *launch)
{
    struct sharing d = {.size = (int)launch->storage->number[BSR_SIZE], .pair = 1, .lanes = WARP};
    const int values = d.size * d.size;
    int threads = THREADS;
    if (d.size == 2 || d.size == 4) {
        d.shares = true;
        d.lanes = values;
        d.pair = replay_value(launch) <= 8 ? 2 : 1;
    } else if (d.size != 3) {
        d.single = true;
        d.lanes = threads = THREADS_OF_ROW;
    }
    d.rows = threads / d.lanes;
    d.rows_all = (launch->storage->rows + d.size - 1) / d.size;
    d.grid = grid_for(d.rows_all, d.lanes, threads);
    return d;
}

/* A thread is assumed to have as many registers as in csr-scalar. */
static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    const struct sharing d = sharing_of(launch);
    replay_stage(stage, d.grid, "csr_scalar<%s, %s>", replay_real(launch), replay_offset(launch));
}

/* The part of a block that a lane processes in a step. */
struct part {
    int group;
    int block; /* the block's number in the step */
    int value; /* the number of the first value that the lane loads, and its column in the block */
    int column;
};

/* The block rows that a warp processes at the same time: one for each group of lanes. */
struct walk {
    struct part part[WARP]; /* of each lane */
    int lanes; /* the number of lanes that share a row; if they exceed a warp, this warp has those from `lane`
                  on */
    int lane;
    int64_t k[WARP], end[WARP]; /* for each group: the next block, and the end of the row */
};

/* Find the parts of all lanes. */
static void find_parts(const struct sharing *d, struct walk *walk)
{
    const int values = d->size * d->size;
    struct part part = {0};
    int of_row = walk->lane % walk->lanes;
    part.value = of_row * d->pair;
    for (int lane = 0; lane < WARP; lane++, part.value += d->pair) {
        if (of_row == walk->lanes) {
            of_row = 0;
            part = (struct part){.group = part.group + 1};
        }
        for (; !d->single && part.value >= values; part.value -= values)
            part.block++;
        part.column = part.value % d->size;
        walk->part[lane] = part;
        of_row++;
    }
}

/* Replay the loads of values and of x for the active lanes. */
static void multiply(const struct launch *launch, struct tracer *tracer, const struct sharing *d,
                     const struct walk *walk, uint32_t active)
{
    const int bytes = d->pair * replay_value(launch), values = d->size * d->size;
    const struct ask val = {ACCESS_LOAD, OPERAND_VALUES, "val[(k size + i) size + j]", bytes};
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[col[k] size + j]", bytes};
    const struct replay_slots slots = replay_slots(launch, BSR_VAL);
    const int32_t *column = launch->resident->array[BSR_COL].data;
    const int shift = d->pair - 1; /* a pair is 1 or 2 values */
    int64_t value[WARP], element[WARP];
    uint32_t second = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const struct part part = walk->part[lane];
        const int64_t k = walk->k[part.group] + part.block;
        value[lane] = (k * values + part.value) >> shift;
        element[lane] = ((int64_t)column[k] * d->size + part.column) >> shift;
        const uint32_t both = lanes_below(d->pair);
        const bool padding = !tracer->sectors && replay_padding(&slots, both, value[lane] * d->pair) == both;
        tracer->padding |= (uint32_t)padding << lane;
        if (d->size == 2 && walk->lanes == d->lanes) second |= (uint32_t)(part.block == 1) << lane;
    }
    trace_index(tracer, &val, active, value);
    trace_index(tracer, &x, active & ~second, element);
    trace_index(tracer, &x, active & second, element);
    tracer->padding = 0;
}

/* Replay all steps, until the rows have ended. */
static void go(const struct launch *launch, struct tracer *tracer, const struct sharing *d, struct walk *walk,
               int groups)
{
    const struct ask col = {ACCESS_LOAD, OPERAND_COLUMNS, "col[k]", sizeof(int32_t)};
    const int values = d->size * d->size, step = d->single ? 1 : walk->lanes * d->pair / values;
    const int lanes = (int)min(WARP, groups * walk->lanes);
    find_parts(d, walk);
    for (;;) {
        int64_t index[WARP];
        uint32_t active = 0, left = 0;
        for (int lane = 0; lane < lanes; lane++) {
            const struct part part = walk->part[lane];
            const int group = part.group;
            index[lane] = walk->k[group] + part.block;
            left |= (uint32_t)(walk->k[group] < walk->end[group]) << lane;
            active |= (uint32_t)(part.block < step && part.value < values && index[lane] < walk->end[group])
                      << lane;
        }
        if (!left) return;
        trace_index(tracer, &col, active, index);
        multiply(launch, tracer, d, walk, active);
        for (int group = 0; group < groups; group++)
            walk->k[group] += step;
    }
}

/* Return the number of blocks of a row. */
static int64_t blocks_of(const struct launch *launch, int64_t row)
{
    const struct array *pointers = &launch->resident->array[BSR_ROW_PTR];
    return array_integer(pointers, row + 1) - array_integer(pointers, row);
}

static bool is_shared(const struct sharing *d, const struct launch *launch, int64_t row)
{
    return d->shares && blocks_of(launch, row) > SHARED_ROW;
}

/* Replay the rows that all threads of the warp's block share. */
static void shared_rows(const struct launch *launch, struct tracer *tracer, const struct sharing *d,
                        int64_t warp)
{
    const struct array *pointers = &launch->resident->array[BSR_ROW_PTR];
    const int64_t first = warp / replay_warps(&d->grid) * d->rows;
    for (int64_t row = first; row < min(first + d->rows, d->rows_all); row++) {
        struct walk walk = {.lanes = d->grid.threads, .lane = (int)(warp % replay_warps(&d->grid)) * WARP};
        walk.k[0] = array_integer(pointers, row);
        walk.end[0] = array_integer(pointers, row + 1);
        if (is_shared(d, launch, row)) go(launch, tracer, d, &walk, 1);
    }
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct array *pointers = &launch->resident->array[BSR_ROW_PTR];
    const struct ask pointer = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[r]",
                                replay_size(launch, BSR_ROW_PTR)};
    const struct sharing d = sharing_of(launch);
    struct walk walk = {.lanes = d.lanes, .lane = (int)(warp * WARP % d.lanes)};
    const int64_t first = warp * WARP / d.lanes;
    const int groups = (int)max(0, min(max(1, WARP / d.lanes), d.rows_all - first));
    if (groups == 0) return;
    trace_line(tracer, &pointer, 0, groups + 1, first);
    for (int group = 0; group < groups; group++) {
        walk.k[group] = walk.end[group] = array_integer(pointers, first + group + 1);
        if (!is_shared(&d, launch, first + group)) walk.k[group] -= blocks_of(launch, first + group);
    }
    go(launch, tracer, &d, &walk, groups);
    shared_rows(launch, tracer, &d, warp);
    const int64_t sums = min(groups * d.size, launch->storage->rows - first * d.size);
    for (int64_t i = 0; walk.lane == 0 && i < sums; i += WARP)
        replay_put_line(tracer, launch, (int)min(WARP, sums - i), first * d.size + i);
}

/* The number of steps of the longest row, plus those of the shared rows. */
static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct sharing d = sharing_of(launch);
    const int64_t first = warp * WARP / d.lanes / d.rows * d.rows;
    int64_t longest = 0, shared = 0;
    for (int64_t row = first; row < min(first + d.rows, d.rows_all); row++)
        if (is_shared(&d, launch, row))
            shared += blocks_of(launch, row) * d.lanes / d.grid.threads;
        else
            longest = max(longest, blocks_of(launch, row));
    return longest + shared;
}

const struct trace trace_block_rows = {.stage = stage, .warp = warp, .weight = weight};
