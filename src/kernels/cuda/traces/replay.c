#include "kernels/cuda/traces/replay.h"

#include <stdarg.h>
#include <stdio.h>

void replay_stage(struct trace_stage *stage, struct grid grid, const char *function, ...)
{
    va_list arguments;
    stage->blocks = grid.blocks;
    stage->threads = grid.threads;
    stage->shared = grid.shared;
    stage->warps = grid.blocks * replay_warps(&grid);
    va_start(arguments, function);
    vsnprintf(stage->function, sizeof stage->function, function, arguments);
    va_end(arguments);
}

struct replay_slots replay_slots(const struct launch *launch, int q)
{
    const struct array *values = &launch->resident->array[q];
    bool padded = values->part == 0 && storage_pads(launch->storage);
    return (struct replay_slots){launch->storage, padded ? values : NULL};
}

/* Return the lanes l < lanes whose slot e + l holds no entry, by the bytes of an outline. */
static uint32_t without_entry(const uint8_t *entry, int64_t e, int lanes)
{
    uint32_t without = 0;
    for (int lane = 0; lane < lanes; lane++)
        without |= (uint32_t)(entry[e + lane] == 0) << lane;
    return without;
}

/* Return the lanes l < lanes whose value e + l is 0. The two common types have separate loops, which the
 * compiler vectorises. */
static uint32_t zeros_at(const struct array *values, int64_t e, int lanes)
{
    const double *doubles = values->data;
    const float *floats = values->data;
    uint32_t zeros = 0;
    if (values->element == ELEMENT_F64)
        for (int lane = 0; lane < lanes; lane++)
            zeros |= (uint32_t)(doubles[e + lane] == 0) << lane;
    else if (values->element == ELEMENT_F32)
        for (int lane = 0; lane < lanes; lane++)
            zeros |= (uint32_t)(floats[e + lane] == 0) << lane;
    else
        for (int lane = 0; lane < lanes; lane++)
            zeros |= (uint32_t)array_zero(values, e + lane) << lane;
    return zeros;
}

uint32_t replay_padding(const struct replay_slots *slots, uint32_t active, int64_t e)
{
    if (!slots->values || !active) return 0;
    int low = __builtin_ctz(active), end = WARP - __builtin_clz(active);
    const uint8_t *entry = slots->storage->entry;
    if (entry) return without_entry(entry, e + low, end - low) << low & active;
    uint32_t padding = zeros_at(slots->values, e + low, end - low) << low & active;
    for (uint32_t rest = slots->storage->kept ? padding : 0; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (!slot_padding(slots->storage, slots->values, e + lane)) padding &= ~((uint32_t)1 << lane);
    }
    return padding;
}

struct replay_product replay_product(const struct launch *launch, int q_col, int q_val)
{
    return (struct replay_product){
        .val = {ACCESS_LOAD, OPERAND_VALUES, "val[k]", replay_size(launch, q_val)},
        .col = {ACCESS_LOAD, OPERAND_COLUMNS, "col[k]", replay_size(launch, q_col)},
        .x = {ACCESS_LOAD, OPERAND_X, "x[col[k]]", replay_value(launch)},
        .columns = launch->resident->array[q_col].data,
        .slots = replay_slots(launch, q_val),
    };
}

void replay_multiply(struct tracer *tracer, const struct replay_product *product, uint32_t active,
                     const int64_t k[WARP])
{
    int64_t j[WARP];
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        j[lane] = product->columns[k[lane]];
        if (product->slots.values && slot_padding(product->slots.storage, product->slots.values, k[lane]))
            tracer->padding |= (uint32_t)1 << lane;
    }
    trace_index(tracer, &product->val, active, k);
    trace_index(tracer, &product->col, active, k);
    trace_index(tracer, &product->x, active, j);
    tracer->padding = 0;
}

void replay_multiply_line(struct tracer *tracer, const struct replay_product *product, uint32_t active,
                          int64_t k)
{
    int64_t j[WARP];
    if (active == UINT32_MAX) {
        for (int lane = 0; lane < WARP; lane++)
            j[lane] = product->columns[k + lane];
    } else {
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            j[lane] = product->columns[k + lane];
        }
    }
    tracer->padding = tracer->sectors ? 0 : replay_padding(&product->slots, active, k);
    replay_line(tracer, &product->val, active, k);
    replay_line(tracer, &product->col, active, k);
    trace_index(tracer, &product->x, active, j);
    tracer->padding = 0;
}

void replay_line(struct tracer *tracer, const struct ask *ask, uint32_t active, int64_t element)
{
    int64_t index[WARP];
    if (!active) return;
    int low = __builtin_ctz(active), count = __builtin_popcount(active);
    if (active >> low == lanes_below(count)) {
        trace_line(tracer, ask, low, count, element + low);
        return;
    }
    for (int lane = low; lane < WARP; lane++)
        index[lane] = element + lane;
    trace_index(tracer, ask, active, index);
}

void replay_put(struct tracer *tracer, const struct launch *launch, uint32_t active,
                const int64_t index[WARP])
{
    const struct ask load = {ACCESS_LOAD, OPERAND_Y, "y[i]", replay_value(launch)};
    const struct ask store = {ACCESS_STORE, OPERAND_Y, "y[i]", replay_value(launch)};
    if (launch->product.accumulate) trace_index(tracer, &load, active, index);
    trace_index(tracer, &store, active, index);
}

void replay_put_line(struct tracer *tracer, const struct launch *launch, int lanes, int64_t row)
{
    const struct ask load = {ACCESS_LOAD, OPERAND_Y, "y[i]", replay_value(launch)};
    const struct ask store = {ACCESS_STORE, OPERAND_Y, "y[i]", replay_value(launch)};
    if (launch->product.accumulate) trace_line(tracer, &load, 0, lanes, row);
    trace_line(tracer, &store, 0, lanes, row);
}

void replay_put_groups(struct tracer *tracer, const struct launch *launch, int groups, int wide, int64_t row)
{
    const struct ask load = {ACCESS_LOAD, OPERAND_Y, "y[i]", replay_value(launch)};
    const struct ask store = {ACCESS_STORE, OPERAND_Y, "y[i]", replay_value(launch)};
    if (launch->product.accumulate) trace_groups(tracer, &load, groups, wide, 1, row);
    trace_groups(tracer, &store, groups, wide, 1, row);
}

void replay_part(const struct launch *launch, uint32_t active, const int64_t index[WARP], int part,
                 int64_t of[WARP])
{
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        of[lane] = index[lane] * replay_parts(launch) + part;
    }
}

void replay_add(struct tracer *tracer, const struct launch *launch, const char *text, uint32_t active,
                const int64_t index[WARP])
{
    const int parts = replay_parts(launch);
    const struct ask add = {ACCESS_REDUCTION, OPERAND_Y, text, replay_value(launch) / parts};
    int64_t of[WARP];
    for (int part = 0; part < parts; part++) {
        replay_part(launch, active, index, part, of);
        trace_index(tracer, &add, active, of);
    }
}

void replay_add_same(struct tracer *tracer, const struct launch *launch, const char *text, uint32_t active,
                     int64_t row)
{
    const int parts = replay_parts(launch);
    const struct ask add = {ACCESS_REDUCTION, OPERAND_Y, text, replay_value(launch) / parts};
    for (int part = 0; part < parts; part++)
        trace_same(tracer, &add, active, row * parts + part);
}
