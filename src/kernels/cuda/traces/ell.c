/* The traces of the kernels of ell.cu and ell.cuh: the memory requests of their warps. */
#include <string.h>

#include "kernels/cuda/ell.h"
#include "kernels/cuda/traces/replay.h"

/* At each step a warp reads indices and values one column of the rectangle after those of the previous step;
 * the values show padding. The host's processor does not predict this stride, so those of AHEAD steps later
 * are prefetched. */
#define AHEAD 8
#define HOST_LINE 64 /* bytes that a prefetch brings */

static void ask_ahead(const struct replay_product *product, int64_t e, int64_t step)
{
    const int32_t *at = product->columns + e + AHEAD * step;
    __builtin_prefetch(at);
    __builtin_prefetch(at + WARP / 2);
    if (!product->slots.values) return;
    const uint8_t *entry = product->slots.storage->entry;
    if (entry) {
        __builtin_prefetch(entry + e + AHEAD * step);
        return;
    }
    const char *value = (const char *)product->slots.values->data + (e + AHEAD * step) * product->val.size;
    for (int byte = 0; byte < WARP * product->val.size; byte += HOST_LINE)
        __builtin_prefetch(value + byte);
}

/* Replay the first `lanes` lanes, which have slots from e on, and skip those with column -1 once they have
 * read the column. */
static void masked_slots(struct tracer *tracer, const struct replay_product *product, int64_t e, int lanes)
{
    uint32_t active = 0;
    int64_t j[WARP];
    for (int lane = 0; lane < lanes; lane++) {
        j[lane] = product->columns[e + lane];
        active |= (uint32_t)(j[lane] >= 0) << lane;
    }
    tracer->padding = lanes_below(lanes) & ~active;
    trace_line(tracer, &product->col, 0, lanes, e);
    replay_line(tracer, &product->val, active, e);
    trace_index(tracer, &product->x, active, j);
    tracer->padding = 0;
}

void replay_rectangle(struct tracer *tracer, const struct launch *launch, const struct rectangle *rectangle,
                      int64_t i, int lanes)
{
    const struct replay_product product = replay_product(launch, rectangle->q_col, rectangle->q_val);
    int64_t e = rectangle->slot + i;
    if (lanes <= 0) return;
    for (int64_t c = 0; c < rectangle->width; c++, e += rectangle->height) {
        if (c + AHEAD < rectangle->width) ask_ahead(&product, e, rectangle->height);
        if (rectangle->masked)
            masked_slots(tracer, &product, e, lanes);
        else
            replay_multiply_line(tracer, &product, lanes_below(lanes), e);
    }
}

/* All four kernels */

/* The functions in ell.cu are called as the kernels are. */
static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, ell_grid(launch), "%s<%s>", launch->kernel->name, replay_real(launch));
    *strchr(stage->function, '-') = '_';
}

/* *i becomes the first row of a warp. Returns the number of its rows. */
static int rows_of(const struct launch *launch, int64_t warp, int64_t *i)
{
    const struct grid grid = ell_grid(launch);
    return replay_threads(&grid, launch->storage->rows, warp, i);
}

static struct rectangle rectangle_of(const struct launch *launch, bool masked)
{
    const struct storage *storage = launch->storage;
    return (struct rectangle){.q_col = ELL_COL,
                              .q_val = ELL_VAL,
                              .height = storage->rows,
                              .width = storage->number[ELL_WIDTH],
                              .masked = masked};
}

/* ell-padded and ell-masked */

static void warp_slots(const struct launch *launch, int64_t warp, bool masked, struct tracer *tracer)
{
    const struct rectangle rectangle = rectangle_of(launch, masked);
    int64_t i;
    int lanes = rows_of(launch, warp, &i);
    replay_rectangle(tracer, launch, &rectangle, i, lanes);
    replay_put_line(tracer, launch, lanes, i);
}

static void warp_padded(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    warp_slots(launch, warp, false, tracer);
}

const struct trace trace_ell_padded = {.stage = stage, .warp = warp_padded};

static void warp_masked(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    warp_slots(launch, warp, true, tracer);
}

/* The number of slots of row i before its first with column -1. */
static int64_t masked_from(const struct launch *launch, int64_t i)
{
    const int32_t *col = launch->resident->array[ELL_COL].data;
    int64_t low = 0, high = launch->storage->number[ELL_WIDTH];
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (col[middle * launch->storage->rows + i] >= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* All slots have their column read, but values and x only those before a row's end. */
static int64_t weight_masked(const struct launch *launch, int64_t s, int64_t warp)
{
    int64_t i, longest = 0;
    int lanes = rows_of(launch, warp, &i);
    for (int lane = 0; lane < lanes; lane++)
        longest = max(longest, masked_from(launch, i + lane));
    return launch->storage->number[ELL_WIDTH] + 2 * longest;
}

const struct trace trace_ell_masked = {.stage = stage, .warp = warp_masked, .weight = weight_masked};

/* ell-bounded */

/* Return the lanes whose rows have more than c entries. *next becomes the minimum of these rows' lengths: for
 * positions below that the lanes are the same. */
static uint32_t longer(const int32_t *length, int lanes, int64_t c, int64_t *next)
{
    uint32_t active = 0;
    *next = INT64_MAX;
    for (int lane = 0; lane < lanes; lane++) {
        if (length[lane] <= c) continue;
        active |= (uint32_t)1 << lane;
        *next = min(*next, length[lane]);
    }
    return active;
}

static void warp_bounded(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    struct replay_product product = replay_product(launch, ELL_COL, ELL_VAL);
    const struct ask load = {ACCESS_LOAD, OPERAND_TABLES, "length[i]", sizeof(int32_t)};
    const int32_t *length = launch->state;
    int64_t i, next = 0;
    int lanes = rows_of(launch, warp, &i);
    uint32_t active = lanes_below(lanes);
    product.slots.values = NULL; /* no lane works on padding */
    trace_line(tracer, &load, 0, lanes, i);
    for (int64_t c = 0; active; c++) {
        if (c == next) active = longer(length + i, lanes, c, &next);
        const int64_t rows = launch->storage->rows, e = c * rows + i;
        if (c + AHEAD < launch->storage->number[ELL_WIDTH]) ask_ahead(&product, e, rows);
        replay_multiply_line(tracer, &product, active, e);
    }
    replay_put_line(tracer, launch, lanes, i);
}

static int64_t weight_bounded(const struct launch *launch, int64_t s, int64_t warp)
{
    const int32_t *length = launch->state;
    int64_t i, longest = 0;
    int lanes = rows_of(launch, warp, &i);
    for (int lane = 0; lane < lanes; lane++)
        longest = max(longest, length[i + lane]);
    return longest;
}

const struct trace trace_ell_bounded = {.stage = stage, .warp = warp_bounded, .weight = weight_bounded};

/* ell-rowmajor */

static void warp_rowmajor(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct replay_product product = replay_product(launch, ELL_COL, ELL_VAL);
    int64_t width = launch->storage->number[ELL_WIDTH], i, j[WARP];
    int lanes = rows_of(launch, warp, &i);
    for (int64_t c = 0; lanes > 0 && c < width; c++) {
        const int64_t k = i * width + c;
        for (int lane = 0; lane < lanes; lane++) {
            j[lane] = product.columns[k + lane * width];
            tracer->padding |= replay_padding(&product.slots, 1, k + lane * width) << lane;
        }
        trace_stride(tracer, &product.val, lanes, k, width);
        trace_stride(tracer, &product.col, lanes, k, width);
        trace_index(tracer, &product.x, lanes_below(lanes), j);
        tracer->padding = 0;
    }
    replay_put_line(tracer, launch, lanes, i);
}

const struct trace trace_ell_rowmajor = {.stage = stage, .warp = warp_rowmajor};
