/* The columns of the time that is forecast for a kernel. */
#include "columns/lists.h"

static const struct prediction *prediction_of(const struct subject *subject)
{
    return results_prediction_of(subject->results, subject->result);
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

static struct value get_machine(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    return text_value(prediction ? prediction->machine : NULL);
}

static struct value get_constants(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    return text_value(!prediction ? NULL : prediction->derived ? "derived" : "measured");
}

static struct value get_like(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    return text_value(prediction && prediction->like[0] ? prediction->like : NULL);
}

static struct value get_term(const struct column *column, const struct subject *subject)
{
    const struct prediction *prediction = prediction_of(subject);
    if (!prediction) return null_value();
    return real_value(1e6 * *(const double *)(const void *)((const char *)prediction + column->offset));
}

const struct column_part part_predicted = {.key = "predicted", .title = "Forecast", .applies = applies};

#define TERM(bound) offsetof(struct prediction, term[bound])
#define END(member) offsetof(struct prediction, member)

const struct column prediction_columns[] = {
    {.key = "predicted.machine",
     .title = "Forecast for",
     .type = VALUE_TEXT,
     .get = get_machine,
     .help = "profile of the GPU that the time is forecast for; cpu: this processor"},
    {.key = "predicted.constants",
     .title = "Constants of the forecast",
     .type = VALUE_TEXT,
     .get = get_constants,
     .help = "measured, if all constants of the machine were measured on one like it; derived, if some were "
             "derived from others"},
    {.key = "predicted.low_us",
     .title = "Forecast at least",
     .heading = "at least",
     .leading = true,
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = END(low),
     .help = "lower end of the forecast's 80% interval, from the errors of forecasts beside measured times"},
    {.key = "predicted.high_us",
     .title = "Forecast at most",
     .heading = "at most",
     .leading = true,
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = END(high),
     .help = "upper end of the forecast's 80% interval"},
    {.key = "predicted.like",
     .title = "Forecast through",
     .type = VALUE_TEXT,
     .get = get_like,
     .help = "own kernel, or model, whose requests stand for those of a library's kernel; null if they are "
             "its own"},
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
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_LAUNCH),
     .help = "launches on a GPU, or waking threads, and what else a product without entries takes"},
    {.key = "predicted.longest_us",
     .title = "Forecast: longest work",
     .heading = "longest",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_LONGEST),
     .help = "the longest warp alone; on a processor, what the thread with most work has more than others"},
    {.key = "predicted.latency_us",
     .title = "Forecast: latency",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_LATENCY),
     .help = "waiting for loads, by as many warps or threads at a time as run"},
    {.key = "predicted.shared_us",
     .title = "Forecast: shared memory",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_SHARED),
     .help = "requests of shared memory, by as many warps at a time as run"},
    {.key = "predicted.l1_us",
     .title = "Forecast: L1",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_L1),
     .help = "sectors of loads / bandwidth of L1"},
    {.key = "predicted.l2_us",
     .title = "Forecast: L2",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_L2),
     .help = "what is asked of L2 / its bandwidth; on a processor, of the caches"},
    {.key = "predicted.dram_us",
     .title = "Forecast: memory",
     .heading = "DRAM",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_DRAM),
     .help = "bytes from and to memory / its bandwidths"},
    {.key = "predicted.reductions_us",
     .title = "Forecast: additions to y",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_REDUCTIONS),
     .help = "sectors of reductions and atomic operations / their bandwidth"},
    {.key = "predicted.hottest_us",
     .title = "Forecast: hottest place of y",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_HOTTEST),
     .help = "additions that meet in one line of y, one after the other"},
    {.key = "predicted.arithmetic_us",
     .title = "Forecast: arithmetic",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_ARITHMETIC),
     .help = "multiplications with additions / those that a GPU does each second, and passes of shared "
             "memory; on a processor, the instructions of loops"},
    {.key = "predicted.host_us",
     .title = "Forecast: host",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_term,
     .offset = TERM(BOUND_HOST),
     .help = "what the host computes of a product on a GPU, with the copies between the two"},
    {.key = NULL},
};
