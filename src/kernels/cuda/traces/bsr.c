/* A model of a product with BSR, for which there is no own GPU kernel: the memory requests of a warp whose
 * lanes have a row each. It is the basis of the forecast for cuSPARSE's kernel, whose code is unknown.
 * Measured times with equal rows are proportional to the blocks of the longest row, a third of a microsecond
 * each on an H200, the time of two dependent loads (data/README.md). Some very long rows are 4 to 64 times as
 * fast; their forecast is too long.
 *
 * A lane loads, for each block of its row, the column of the block, and then the values of the row and the
 * elements of x, one after the other. In the end it stores the sum. */
#include <stdio.h>

#include "formats/bsr.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/cuda/traces/replay.h"

#define THREADS 128 /* of a block of threads */

static struct grid grid_of(const struct launch *launch)
{
    return grid_for(launch->storage->rows, 1, THREADS);
}

/* A thread is assumed to have the registers of csr-scalar, whose threads also have a row each. */
static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    const struct grid grid = grid_of(launch);
    replay_grid(stage, &grid);
    snprintf(stage->function, sizeof stage->function, "csr_scalar<%s, %s>", replay_real(launch),
             replay_offset(launch));
}

/* Replay the loads for block k[l] of each active lane l, which has row row[l] of the block. */
static void multiply(const struct launch *launch, struct tracer *tracer, uint32_t active,
                     const int64_t k[WARP], const int row[WARP])
{
    const int64_t size = launch->storage->number[BSR_SIZE];
    const struct ask col = {ACCESS_LOAD, OPERAND_COLUMNS, "col[k]", sizeof(int32_t)};
    const struct ask val = {ACCESS_LOAD, OPERAND_VALUES, "val[(k size + i) size + j]", replay_value(launch)};
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[col[k] size + j]", replay_value(launch)};
    const int32_t *column = launch->resident->array[BSR_COL].data;
    const struct replay_slots slots = replay_slots(launch, BSR_VAL);
    int64_t value[WARP], element[WARP];
    trace_index(tracer, &col, active, k);
    for (int64_t j = 0; j < size; j++) {
        tracer->padding = 0;
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            value[lane] = (k[lane] * size + row[lane]) * size + j;
            element[lane] = column[k[lane]] * size + j;
            tracer->padding |= replay_padding(&slots, 1, value[lane]) << lane;
        }
        trace_index(tracer, &val, active, value);
        trace_index(tracer, &x, active, element);
    }
    tracer->padding = 0;
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct array *row_ptr = &launch->resident->array[BSR_ROW_PTR];
    const struct grid grid = grid_of(launch);
    const struct ask pointer = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[r]",
                                replay_size(launch, BSR_ROW_PTR)};
    const int64_t size = launch->storage->number[BSR_SIZE];
    int64_t first, r[WARP], k[WARP], end[WARP];
    int row[WARP];
    const int lanes = replay_threads(&grid, launch->storage->rows, warp, &first);
    uint32_t active = 0;
    for (int lane = 0; lane < lanes; lane++) {
        r[lane] = (first + lane) / size;
        row[lane] = (int)((first + lane) % size);
        k[lane] = array_integer(row_ptr, r[lane]);
        end[lane] = array_integer(row_ptr, r[lane] + 1);
        active |= (uint32_t)(k[lane] < end[lane]) << lane;
    }
    trace_index(tracer, &pointer, lanes_below(lanes), r);
    for (int lane = 0; lane < lanes; lane++)
        r[lane]++;
    trace_index(tracer, &pointer, lanes_below(lanes), r);
    while (active) {
        multiply(launch, tracer, active, k, row);
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            if (++k[lane] == end[lane]) active &= ~((uint32_t)1 << lane);
        }
    }
    replay_put_line(tracer, launch, lanes, first);
}

static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct storage *storage = launch->storage;
    const struct grid grid = grid_of(launch);
    const int64_t size = storage->number[BSR_SIZE];
    int64_t first;
    const int lanes = replay_threads(&grid, storage->rows, warp, &first);
    if (lanes == 0) return 0;
    return replay_longest(&launch->resident->array[BSR_ROW_PTR], first / size,
                          (first + lanes - 1) / size - first / size + 1);
}

const struct trace trace_block_rows = {.stage = stage, .warp = warp, .weight = weight};
