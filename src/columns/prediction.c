/* The columns of a kernel's forecast time. */
#include "columns/lists.h"

static const struct prediction *prediction_of(const struct subject *subject)
{
    return results_prediction_of(subject->results, subject->result);
}

const void *owner_prediction(const struct subject *subject)
{
    return prediction_of(subject);
}

static bool applies(const struct subject *subject)
{
    return prediction_of(subject) != NULL;
}

static struct value get_error(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    if (!prediction || !result_timed(subject->result)) return null_value();
    return real_value(prediction->seconds / subject->result->samples.time - 1);
}

static struct value get_bound(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    return text_value(prediction ? bound_key(prediction->bound) : NULL);
}

static struct value get_constants(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    return text_value(!prediction ? NULL : prediction->derived ? "derived" : "measured");
}

const struct column_part part_predicted = {.key = "predicted", .title = "Forecast", .applies = applies};

#define OF(member) COLUMN_STORED(owner_prediction, struct prediction, member)
#define SECONDS(member) COLUMN_SECONDS(owner_prediction, struct prediction, member)

const struct column prediction_columns[] = {
    {.key = "predicted.machine",
     .title = "Forecast for",
     OF(machine),
     .help = "profile of the GPU of the forecast; cpu: this processor"},
    {.key = "predicted.constants",
     .title = "Constants of the forecast",
     .type = VALUE_TEXT,
     .get = get_constants,
     .help =
         "measured if all constants were measured on a machine of this kind; derived if some were derived "
         "from other constants, or the kernel has the pace of another one until its own is fitted"},
    {.key = "predicted.low_us",
     .title = "Forecast at least",
     .heading = "at least",
     .leading = true,
     SECONDS(low),
     .help = "lower end of the forecast's 80% interval, from the errors of forecasts compared with measured "
             "times"},
    {.key = "predicted.high_us",
     .title = "Forecast at most",
     .heading = "at most",
     .leading = true,
     SECONDS(high),
     .help = "upper end of the forecast's 80% interval"},
    {.key = "predicted.like",
     .title = "Forecast through",
     OF(like),
     .help = "our kernel, or model, whose requests replace those of a library's kernel, or whose pace is "
             "used until the pace of one of our kernels is fitted; null if both are its own"},
    {.key = "predicted.bound",
     .title = "Bound by",
     .heading = "bound by",
     .type = VALUE_TEXT,
     .get = get_bound,
     .help = "the largest of the terms below, without _us"},
    {.key = "predicted.error",
     .title = "Error of the forecast",
     .unit = "of T",
     .role = COLUMN_PERCENT,
     .type = VALUE_REAL,
     .get = get_error,
     .help = "forecast time / T - 1; null if the kernel was not timed"},
    {.key = "predicted.launch_us",
     .title = "Forecast: launches",
     .heading = "launch",
     SECONDS(term[BOUND_LAUNCH]),
     .help = "launches on a GPU, or waking threads, and other time of a product without entries"},
    {.key = "predicted.longest_us",
     .title = "Forecast: longest work",
     .heading = "longest",
     SECONDS(term[BOUND_LONGEST]),
     .help = "the longest warp alone; on a processor, the extra work of the thread with most work"},
    {.key = "predicted.latency_us",
     .title = "Forecast: latency",
     SECONDS(term[BOUND_LATENCY]),
     .help = "waiting for loads, with all resident warps or threads at a time"},
    {.key = "predicted.shared_us",
     .title = "Forecast: shared memory",
     SECONDS(term[BOUND_SHARED]),
     .help = "requests of shared memory, with all resident warps at a time"},
    {.key = "predicted.l1_us",
     .title = "Forecast: L1",
     SECONDS(term[BOUND_L1]),
     .help = "sectors of loads / bandwidth of L1"},
    {.key = "predicted.l2_us",
     .title = "Forecast: L2",
     SECONDS(term[BOUND_L2]),
     .help = "bytes requested from L2 / its bandwidth; on a processor, from the caches"},
    {.key = "predicted.dram_us",
     .title = "Forecast: memory",
     .heading = "DRAM",
     SECONDS(term[BOUND_DRAM]),
     .help = "bytes from and to memory / their bandwidths"},
    {.key = "predicted.reductions_us",
     .title = "Forecast: additions to y",
     SECONDS(term[BOUND_REDUCTIONS]),
     .help = "sectors of reductions and atomic operations / their bandwidth"},
    {.key = "predicted.hottest_us",
     .title = "Forecast: hottest line of y",
     SECONDS(term[BOUND_HOTTEST]),
     .help = "additions to one 128-byte line of y, one after another"},
    {.key = "predicted.arithmetic_us",
     .title = "Forecast: arithmetic",
     SECONDS(term[BOUND_ARITHMETIC]),
     .help = "multiply-adds / the multiply-adds per second of the GPU, and passes of shared memory; on a "
             "processor, the instructions of loops"},
    {.key = "predicted.host_us",
     .title = "Forecast: host",
     SECONDS(term[BOUND_HOST]),
     .help = "the host's part of a product on a GPU, with the copies between both"},
    {.key = NULL},
};
