/* Numbers of a kernel that was run. */
#include "columns/kernels.h"

struct value result_kernel(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(subject->result->full_name);
}

struct value result_format(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(subject->result->choice.kernel->format->name);
}

struct value result_backend(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(subject->result->choice.kernel->backend->name);
}

struct value result_device(const struct column *column, const struct subject *subject)
{
    (void)column;
    const char *name = results_machine(subject->results, subject->result)->name;
    return text_value(name[0] ? name : NULL);
}

struct value result_precision(const struct column *column, const struct subject *subject)
{
    (void)column;
    return text_value(precision_name(subject->result->choice.format.precision));
}

struct value result_params(const struct column *column, const struct subject *subject)
{
    (void)column;
    const struct result *result = subject->result;
    return (struct value){.type = VALUE_PARAMETERS,
                          .parameters = result->choice.kernel->format->parameters,
                          .numbers = result->resolved.format.values.number,
                          .further = result->choice.kernel->parameters,
                          .further_numbers = result->resolved.values.number};
}

struct value result_threads(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (subject->result->resolved.threads == 0) return (struct value){.type = VALUE_NULL};
    return integer_value(subject->result->resolved.threads);
}

struct value result_unavailable(const struct column *column, const struct subject *subject)
{
    (void)column;
    const struct result *result = subject->result;
    return text_value(result->status == STATUS_OK ? NULL : result->error.message);
}

struct value result_samples(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (!result_timed(subject->result)) return (struct value){.type = VALUE_NULL};
    return integer_value(subject->result->samples.count);
}

/* The number that the result holds at the column's offset. */
static double stored(const struct column *column, const struct subject *subject)
{
    return *(const double *)(const void *)((const char *)subject->result + column->offset);
}

struct value result_real(const struct column *column, const struct subject *subject)
{
    return real_value(stored(column, subject));
}

/* Seconds as microseconds. */
struct value result_us(const struct column *column, const struct subject *subject)
{
    return real_value(stored(column, subject) * 1e6);
}

struct value result_spread(const struct column *column, const struct subject *subject)
{
    (void)column;
    const struct samples *samples = &subject->result->samples;
    if (subject->results->options.protocol != PROTOCOL_MEDIAN)
        return real_value(100 * samples->stddev / samples->mean);
    return real_value(50 * (samples->high - samples->low) / samples->median);
}

/* Operations a second, counted at the column's offset. */
struct value result_gflops(const struct column *column, const struct subject *subject)
{
    return real_value(stored(column, subject) / subject->result->samples.time * 1e-9);
}

struct value result_bytes_moved(const struct column *column, const struct subject *subject)
{
    double bytes = stored(column, subject);
    return bytes < 0x1p62 ? integer_value((int64_t)bytes) : (struct value){.type = VALUE_NULL};
}

/* Bytes a second as a share of what the machine copies. */
struct value result_eta(const struct column *column, const struct subject *subject)
{
    return real_value(stored(column, subject) / subject->result->samples.time /
                      results_machine(subject->results, subject->result)->copy);
}

struct value result_read_share(const struct column *column, const struct subject *subject)
{
    (void)column;
    const struct result *result = subject->result;
    return real_value(100 * result->bytes.plus / result->samples.time /
                      results_machine(subject->results, result)->read);
}

struct value result_bytes(const struct column *column, const struct subject *subject)
{
    (void)column;
    size_t bytes = subject->result->size.bytes;
    if (!subject->result->sized) return (struct value){.type = VALUE_NULL};
    return integer_value(bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
}

struct value result_slots(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (!subject->result->sized) return (struct value){.type = VALUE_NULL};
    return integer_value(subject->result->size.slots);
}

struct value result_break_even(const struct column *column, const struct subject *subject)
{
    (void)column;
    int64_t products = results_break_even(subject->results, subject->result);
    return products < 0 ? (struct value){.type = VALUE_NULL} : integer_value(products);
}

struct value result_cached(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (!result_timed(subject->result)) return (struct value){.type = VALUE_NULL};
    return boolean_value(subject->result->cached);
}

struct value result_tie(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (!result_timed(subject->result)) return (struct value){.type = VALUE_NULL};
    return boolean_value(results_tied(subject->results, subject->result));
}

struct value result_agrees(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (!subject->results->held || !result_timed(subject->result)) return (struct value){.type = VALUE_NULL};
    return boolean_value(subject->result->residual <= RESULTS_AGREE);
}
