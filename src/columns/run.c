/* The columns of the results of running a kernel. */
#include "columns/lists.h"

const void *owner_result(const struct subject *subject)
{
    return subject->result;
}

const void *owner_result_size(const struct subject *subject)
{
    return subject->result->sized ? &subject->result->size : NULL;
}

static bool is_timed(const struct subject *subject)
{
    return result_timed(subject->result);
}

static bool has_threads(const struct subject *subject)
{
    return subject->result->resolved.threads > 0;
}

static struct value get_format(const struct column *column, const struct subject *subject)
{
    return text_value(subject->result->choice.kernel->format->name);
}

static struct value get_backend(const struct column *column, const struct subject *subject)
{
    return text_value(subject->result->choice.kernel->backend->name);
}

static struct value get_device(const struct column *column, const struct subject *subject)
{
    const char *name = results_machine(subject->results, subject->result)->name;
    return text_value(name[0] ? name : NULL);
}

static struct value get_precision(const struct column *column, const struct subject *subject)
{
    return text_value(value_name(subject->result->choice.format.precision, subject->result->complex));
}

static struct value get_params(const struct column *column, const struct subject *subject)
{
    const struct result *result = subject->result;
    return (struct value){.type = VALUE_PARAMETERS,
                          .parameters = result->choice.kernel->format->parameters,
                          .numbers = result->resolved.format.values.number,
                          .further = result->choice.kernel->parameters,
                          .further_numbers = result->resolved.values.number};
}

static struct value get_unavailable(const struct column *column, const struct subject *subject)
{
    const struct result *result = subject->result;
    return text_value(result->status == STATUS_OK ? NULL : result->error.message);
}

/* The result's number at the column's offset. */
static double stored(const struct column *column, const struct subject *subject)
{
    return *(const double *)(const void *)((const char *)subject->result + column->offset);
}

static struct value get_spread(const struct column *column, const struct subject *subject)
{
    const struct samples *samples = &subject->result->samples;
    struct value value = subject->results->options.protocol != PROTOCOL_MEDIAN
                             ? real_value(samples->stddev / samples->mean)
                             : real_value((samples->high - samples->low) / 2 / samples->median);
    if (value.type != VALUE_REAL) return value;
    value.low = 1e6 * samples->low;
    value.high = 1e6 * samples->high;
    return value;
}

/* 10^9 operations a second. The number at the column's offset has the operations of a product. */
static struct value get_gflops(const struct column *column, const struct subject *subject)
{
    return real_value(stored(column, subject) / subject->result->samples.time * 1e-9);
}

/* The bytes a product at the column's offset / T, as a share of the copy bandwidth. */
static struct value get_eta(const struct column *column, const struct subject *subject)
{
    return real_value(stored(column, subject) / subject->result->samples.time /
                      results_machine(subject->results, subject->result)->copy);
}

static struct value get_read_share(const struct column *column, const struct subject *subject)
{
    const struct result *result = subject->result;
    return real_value(result->bytes.plus / result->samples.time /
                      results_machine(subject->results, result)->read);
}

static struct value get_break_even(const struct column *column, const struct subject *subject)
{
    int64_t products = results_break_even(subject->results, subject->result);
    return products < 0 ? null_value() : integer_value(products);
}

static struct value get_device_break_even(const struct column *column, const struct subject *subject)
{
    int64_t products = results_device_break_even(subject->results, subject->result);
    return products < 0 ? null_value() : integer_value(products);
}

static struct value get_device_convert_refused(const struct column *column, const struct subject *subject)
{
    const struct error *refused = &subject->result->device_convert_refused;
    return text_value(refused->status == STATUS_OK ? NULL : refused->message);
}

static struct value get_tie(const struct column *column, const struct subject *subject)
{
    if (!result_timed(subject->result)) return null_value();
    return boolean_value(results_tied(subject->results, subject->result));
}

static struct value get_agrees(const struct column *column, const struct subject *subject)
{
    if (!subject->results->held || !result_timed(subject->result)) return null_value();
    return boolean_value(subject->result->residual <= RESULTS_AGREE);
}

static struct value get_deterministic(const struct column *column, const struct subject *subject)
{
    const struct result *result = subject->result;
    int64_t apart = result->sized ? result->size.apart : 1; /* entries may be in COO if unknown */
    enum kernel_order order = kernel_order(result->choice.kernel, subject->results->options.product, apart);
    return order == KERNEL_ORDER_UNKNOWN ? null_value() : boolean_value(order == KERNEL_ORDERED);
}

const struct column_part part_run = {.key = "", .title = "Kernels"};

#define OF(member) COLUMN_STORED(owner_result, struct result, member)
#define SECONDS(member) COLUMN_SECONDS(owner_result, struct result, member)
#define OF_SIZE(member) COLUMN_STORED(owner_result_size, struct format_size, member)

const struct column run_columns[] = {
    {.key = "kernel", .title = "Kernel", OF(full_name), .help = "the kernel's name: backend/format-variant"},
    {.key = "format",
     .title = "Format",
     .type = VALUE_TEXT,
     .get = get_format,
     .help = "the storage format that it reads"},
    {.key = "backend",
     .title = "Backend",
     .type = VALUE_TEXT,
     .get = get_backend,
     .help = "cpu or cuda for our kernels, or the library of the kernel: cusparse, mkl, aocl, rsb, "
             "graphblas, armpl, petsc"},
    {.key = "device",
     .title = "Device",
     .type = VALUE_TEXT,
     .get = get_device,
     .help = "the GPU on which it ran; null on the processor"},
    {.key = "precision",
     .title = "Precision",
     .type = VALUE_TEXT,
     .get = get_precision,
     .help = "precision of the values, of x and of y: f64 or f32, or c64 or c32 for a complex matrix"},
    {.key = "params",
     .title = "Parameters",
     .type = VALUE_PARAMETERS,
     .get = get_params,
     .help = "each parameter of the format and of the kernel with its value"},
    {.key = "threads",
     .title = "Threads",
     .heading = "thr",
     .leading = true,
     OF(resolved.threads),
     .known = has_threads,
     .help = "threads of the processor; null on a GPU"},
    {.key = "unavailable",
     .title = "Not available",
     .role = COLUMN_REASON,
     .type = VALUE_TEXT,
     .get = get_unavailable,
     .help =
         "the reason why it is unavailable: it cannot run here, or a row was wrong; null if it has times"},
    {.key = "samples",
     .title = "Samples",
     .largest_first = true,
     OF(samples.count),
     .known = is_timed,
     .help = "timed samples behind the numbers, without those that the protocol drops"},
    {.key = "time_us",
     .title = "Time",
     .heading = "time",
     .leading = true,
     SECONDS(samples.time),
     .help = "T, of one product: the median, or the mean with a protocol from the literature"},
    {.key = "predicted_us",
     .title = "Forecast time",
     .heading = "forecast",
     .instead = &part_predicted,
     .leading = true,
     COLUMN_SECONDS(owner_prediction, struct prediction, seconds),
     .help = "forecast time of a product, for caches in the same state as when kernels are timed"},
    {.key = "median_us", .title = "Median", SECONDS(samples.median), .help = "median of the samples"},
    {.key = "low_us",
     .title = "Median at least",
     SECONDS(samples.low),
     .help = "lower end of the 95% interval of the median, an order statistic"},
    {.key = "high_us",
     .title = "Median at most",
     SECONDS(samples.high),
     .help = "upper end of the 95% interval of the median, an order statistic"},
    {.key = "spread",
     .title = "Spread",
     .unit = "of T",
     .heading = "+-",
     .leading = true,
     .role = COLUMN_PERCENT,
     .type = VALUE_REAL,
     .get = get_spread,
     .help = "half the width of the interval of the median; the standard deviation if T is a mean"},
    {.key = "min_us", .title = "Minimum", SECONDS(samples.min), .help = "shortest sample"},
    {.key = "mean_us", .title = "Mean", SECONDS(samples.mean), .help = "mean of the samples"},
    {.key = "stddev_us",
     .title = "Standard deviation",
     SECONDS(samples.stddev),
     .help = "standard deviation of the samples: divided by their number - 1"},
    {.key = "tie",
     .title = "Tie",
     .largest_first = true,
     .type = VALUE_BOOLEAN,
     .get = get_tie,
     .help = "whether the interval of its median overlaps that of the fastest kernel of the precision"},
    {.key = "gflops",
     .title = "Speed",
     .unit = "GFLOP/s",
     .heading = "GFLOP/s",
     .leading = true,
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_gflops,
     .offset = offsetof(struct result, flops),
     .help = "2 nnz / T; 8 nnz / T of a complex matrix, whose multiplications are 6 operations each"},
    {.key = "gflops_cmrs",
     .title = "Speed as in the CMRS paper",
     .unit = "GFLOP/s",
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_gflops,
     .offset = offsetof(struct result, flops_cmrs),
     .help = "(2 nnz - m) / T, as Koza et al. count; (8 nnz - 2 m) / T of a complex matrix"},
    {.key = "beta_minus",
     .title = "Bytes moved, x as loaded",
     .unit = "bytes",
     COLUMN_WHOLE(owner_result, struct result, bytes.minus),
     .help = "beta-minus: all arrays that it reads, y, and each element of x once per load"},
    {.key = "beta_plus",
     .title = "Bytes moved, x once",
     .unit = "bytes",
     COLUMN_WHOLE(owner_result, struct result, bytes.plus),
     .help = "beta-plus: all arrays that it reads, y, and each element of x once; the minimum to move"},
    {.key = "eta_minus",
     .title = "Efficiency, x as loaded",
     .unit = "of the copy bandwidth",
     .role = COLUMN_SHARE,
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_eta,
     .offset = offsetof(struct result, bytes.minus),
     .help = "beta-minus / T / copy bandwidth of its processor or GPU, measured in the same run"},
    {.key = "eta_plus",
     .title = "Efficiency, x once",
     .unit = "of the copy bandwidth",
     .role = COLUMN_SHARE,
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_eta,
     .offset = offsetof(struct result, bytes.plus),
     .help = "beta-plus / T / copy bandwidth of its processor or GPU, measured in the same run"},
    {.key = "read_share",
     .title = "Share of read bandwidth",
     .unit = "of read bandwidth",
     .heading = "% read",
     .leading = true,
     .of_memory = true,
     .role = COLUMN_PERCENT,
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_read_share,
     .help = "beta-plus / T / read bandwidth of its processor or GPU, measured in the same run"},
    {.key = "bytes",
     .title = "Size",
     .unit = "bytes",
     OF_SIZE(bytes),
     .help = "size of all arrays of the format"},
    {.key = "slots",
     .title = "Slots",
     OF_SIZE(slots),
     .help = "slots of the format, with or without an entry"},
    {.key = "padding_ratio",
     .title = "Padding factor",
     .unit = "slots an entry",
     .heading = "factor",
     .leading = true,
     OF(size.padding_ratio),
     .help = "padding factor: slots of the format / entries of the matrix; 1 without padding, less if mirror "
             "images share a slot"},
    {.key = NULL},
};

const struct column run_later_columns[] = {
    {.key = "max_error",
     .title = "Largest error",
     .unit = "of sum abs(a x)",
     .largest_first = true,
     OF(max_error),
     .help = "max over rows of abs(y - reference) / sum abs(a x); 0 where both are 0"},
    {.key = "convert_us",
     .title = "Conversion time",
     .heading = "convert",
     .leading = true,
     SECONDS(convert_seconds),
     .help = "time to convert CSR to the format, and to the data that the kernel reads beside or instead of "
             "it; allocation included"},
    {.key = "upload_us",
     .title = "Upload time",
     SECONDS(upload_seconds),
     .help = "time to copy the arrays of the format to the memory of the GPU, not part of the conversion "
             "time; null on the processor"},
    {.key = "transfer_us",
     .title = "Transfer time",
     SECONDS(transfer_seconds),
     .help =
         "time to copy y to the host and back, part of the time of each product; null if y stays on the GPU"},
    {.key = "graph_us",
     .title = "Time in a graph",
     SECONDS(graph_seconds),
     .help = "median time of a product in a CUDA graph of several products; null on the processor, with cold "
             "caches, and if a product cannot be recorded"},
    {.key = "break_even",
     .title = "Break-even",
     .unit = "products",
     .heading = "break-even",
     .leading = true,
     .type = VALUE_INTEGER,
     .get = get_break_even,
     .help = "products after which the conversion has paid off, compared with the fastest kernel with the "
             "same number of threads that reads CSR directly, uploads counted for both; null: never"},
    {.key = "device_convert_us",
     .title = "Conversion time on the GPU",
     .heading = "GPU convert",
     SECONDS(device_convert_seconds),
     .help = "time to convert CSR on the GPU to the format, and to the data that the kernel reads beside it; "
             "includes finding the sizes, without allocation; null on the processor"},
    {.key = "device_break_even",
     .title = "Break-even on the GPU",
     .unit = "products",
     .heading = "GPU break-even",
     .type = VALUE_INTEGER,
     .get = get_device_break_even,
     .help = "products after which the conversion on the GPU has paid off, compared with the fastest CSR "
             "kernel; null: never"},
    {.key = "device_convert_refused",
     .title = "Not converted on the GPU",
     .role = COLUMN_REASON,
     .type = VALUE_TEXT,
     .get = get_device_convert_refused,
     .help = "the reason why nothing was converted on the GPU; null if it was, and on the processor"},
    {.key = "cached",
     .title = "Fits in the cache",
     .largest_first = true,
     OF(cached),
     .known = is_timed,
     .help = "true if the data that it reads fits in the last-level cache and the caches were not flushed"},
    {.key = "residual",
     .title = "Residual",
     .unit = "of max abs(b)",
     .largest_first = true,
     OF(residual),
     .help = "max abs(A x - b) / max abs(b), or max abs(A x) if b is 0; null without a b"},
    {.key = "agrees",
     .title = "A x agrees with b",
     .largest_first = true,
     .type = VALUE_BOOLEAN,
     .get = get_agrees,
     .help = "whether the residual is at most 1e-5; null without a b"},
    {.key = "deterministic",
     .title = "Deterministic",
     .largest_first = true,
     .type = VALUE_BOOLEAN,
     .get = get_deterministic,
     .help = "whether the same vectors and number of threads give the same bits each time; false if threads "
             "add to sums in any order; null if the library does not say"},
    {.key = "library",
     .title = "Library",
     OF(library),
     .help = "version of the kernel's library; null for our kernels, or if the library was not found"},
    {.key = NULL},
};
