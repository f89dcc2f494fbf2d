#include "kernels/cuda/replay.h"

void replay_put(struct tracer *tracer, const struct launch *launch, uint32_t active,
                const int64_t index[WARP])
{
    const struct ask load = {ACCESS_LOAD, OPERAND_Y, "y[i]", replay_value(launch)};
    const struct ask store = {ACCESS_STORE, OPERAND_Y, "y[i]", replay_value(launch)};
    if (launch->accumulate) trace_index(tracer, &load, active, index);
    trace_index(tracer, &store, active, index);
}

void replay_put_line(struct tracer *tracer, const struct launch *launch, int lanes, int64_t row)
{
    const struct ask load = {ACCESS_LOAD, OPERAND_Y, "y[i]", replay_value(launch)};
    const struct ask store = {ACCESS_STORE, OPERAND_Y, "y[i]", replay_value(launch)};
    if (launch->accumulate) trace_line(tracer, &load, 0, lanes, row);
    trace_line(tracer, &store, 0, lanes, row);
}
