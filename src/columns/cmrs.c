/* The columns of CMRS from its paper: the model, and the measured gain. */
#include <math.h>

#include "analysis/cmrs_model.h"
#include "columns/lists.h"
#include "formats/cmrs.h"
#include "formats/csr.h"

/* The model is of kernels that read CMRS on a GPU. */
static bool is_modelled(const struct subject *subject)
{
    const struct result *result = subject->result;
    return result->choice.kernel->format == &format_cmrs && result->choice.kernel->backend->devices != NULL;
}

static double value_bytes(const struct result *result)
{
    return value_width(result->choice.format.precision, result->complex);
}

static double height_of(const struct result *result)
{
    return result->resolved.format.values.number[CMRS_HEIGHT];
}

static struct value model(const struct subject *subject, double lambda,
                          double (*function)(double height, double mean, double value_bytes, double lambda))
{
    const struct results *results = subject->results;
    const struct result *result = subject->result;
    if (!is_modelled(subject) || results->rows == 0) return null_value();
    double mean = (double)results->nnz / (double)results->rows;
    return real_value(function(height_of(result), mean, value_bytes(result), lambda));
}

/* In these three functions, the column's index selects lambda. */
static struct value get_f(const struct column *column, const struct subject *subject)
{
    return model(subject, column->index, cmrs_model_f);
}

static struct value get_a(const struct column *column, const struct subject *subject)
{
    return model(subject, column->index, cmrs_model_a);
}

static struct value get_approximation(const struct column *column, const struct subject *subject)
{
    return model(subject, column->index, cmrs_model_a_approximate);
}

static struct value get_gain(const struct column *column, const struct subject *subject)
{
    if (!is_modelled(subject)) return null_value();
    const struct result *base =
        results_warp_a_row(subject->results, subject->result->choice.format.precision);
    return base ? real_value(result_speedup(subject->result, base)) : null_value();
}

/* The bytes of a product by eq. 6.1; NaN if the model does not apply, or the matrix has no rows. */
static struct kernel_bytes bytes_of(const struct subject *subject)
{
    const struct results *results = subject->results;
    if (!is_modelled(subject) || results->rows == 0) return (struct kernel_bytes){NAN, NAN};
    return cmrs_model_bytes(results->rows, results->cols, results->nnz, height_of(subject->result),
                            value_bytes(subject->result));
}

static struct value bytes_value(double bytes)
{
    return bytes < 0x1p62 ? integer_value((int64_t)bytes) : null_value();
}

static struct value get_beta_minus(const struct column *column, const struct subject *subject)
{
    return bytes_value(bytes_of(subject).minus);
}

static struct value get_beta_plus(const struct column *column, const struct subject *subject)
{
    return bytes_value(bytes_of(subject).plus);
}

static struct value get_bandwidth(const struct column *column, const struct subject *subject)
{
    return real_value(bytes_of(subject).minus / subject->result->samples.time * 1e-9);
}

/* Eq. 6.2: eta = beta / T / B. The paper's B is the vendor's bandwidth. A second column uses the copy
 * bandwidth measured in the same run, which a product could reach. */
static struct value eta(const struct subject *subject, double bytes, double bandwidth)
{
    return real_value(bytes / subject->result->samples.time / bandwidth);
}

static double copy_of(const struct subject *subject)
{
    return results_machine(subject->results, subject->result)->copy;
}

/* The bandwidth in bytes/s that the vendor states. It is 0 if unknown; eta is then infinite, which a column
 * shows as null. */
static double stated_of(const struct subject *subject)
{
    return results_machine(subject->results, subject->result)->vendor;
}

static struct value get_eta_minus(const struct column *column, const struct subject *subject)
{
    return eta(subject, bytes_of(subject).minus, copy_of(subject));
}

static struct value get_eta_plus(const struct column *column, const struct subject *subject)
{
    return eta(subject, bytes_of(subject).plus, copy_of(subject));
}

static struct value get_eta_minus_stated(const struct column *column, const struct subject *subject)
{
    return eta(subject, bytes_of(subject).minus, stated_of(subject));
}

static struct value get_eta_plus_stated(const struct column *column, const struct subject *subject)
{
    return eta(subject, bytes_of(subject).plus, stated_of(subject));
}

const struct column_part part_cmrs = {.key = "cmrs", .title = "CMRS model", .applies = is_modelled};

/* Lambda, the bytes of a transaction of memory: 32 is a sector and 128 a line of the GPUs of today, and the
 * paper draws lines for 128 and 256. */
enum { LAMBDA_32, LAMBDA_128, LAMBDA_256, LAMBDAS };

const struct column_instance lambdas[] = {
    [LAMBDA_32] = {.key = "32", .words = "32", .index = 32},
    [LAMBDA_128] = {.key = "128", .words = "128", .index = 128},
    [LAMBDA_256] = {.key = "256", .words = "256", .index = 256},
    [LAMBDAS] = {.key = NULL},
};

/* The table has f for each lambda first, then a and its approximation side by side for each. */
const struct column f_columns[] = {
    {.key = "cmrs.f_@",
     .title = "f, transactions of @ bytes",
     .unit = "moved / requested",
     .heading = "f @",
     .headed = 1u << LAMBDA_128,
     .type = VALUE_REAL,
     .get = get_f,
     .help = "f(h, mu, b) = 1 + (lambda - b) / (h mu b) of Koza et al., eq. 5.1: bytes moved for strips of h "
             "rows / bytes requested, if memory is read lambda = @ bytes at a time; 1 is best"},
    {.key = NULL},
};

const struct column a_columns[] = {
    {.key = "cmrs.a_@",
     .title = "a, transactions of @ bytes",
     .unit = "of a warp per row",
     .heading = "a @",
     .type = VALUE_REAL,
     .get = get_a,
     .help = "a(h, mu, b) = f(1, mu, b) / f(h, mu, b), eq. 5.2: the largest gain over a warp per row, for "
             "lambda = @"},
    {.key = "cmrs.approximation_@",
     .title = "~a, transactions of @ bytes",
     .unit = "of a warp per row",
     .heading = "~a @",
     .headed = 1u << LAMBDA_128,
     .type = VALUE_REAL,
     .get = get_approximation,
     .help = "1 + (h - 1) / (1 + h mu b / lambda), the approximation of a that Koza et al. print with eq. "
             "5.2, for lambda = @"},
    {.key = NULL},
};

const struct column cmrs_columns[] = {
    {.key = "cmrs.gain",
     .title = "Gain over a warp per row",
     .unit = "T of a warp per row / T",
     .heading = "gain",
     .type = VALUE_REAL,
     .get = get_gain,
     .help =
         "measured gain over a warp per row in the same run; null if csr-vector:threads=32 was not in it"},
    {.key = "cmrs.beta_minus",
     .title = "Beta-minus by eq. 6.1",
     .unit = "bytes",
     .type = VALUE_INTEGER,
     .get = get_beta_minus,
     .help = "nnz (b + 4) + 4 ceil(m / h) + b (nnz + m), for the packed format without the ends of strips, "
             "whatever was stored"},
    {.key = "cmrs.beta_plus",
     .title = "Beta-plus by eq. 6.1",
     .unit = "bytes",
     .type = VALUE_INTEGER,
     .get = get_beta_plus,
     .help = "nnz (b + 4) + 4 ceil(m / h) + b (n + m)"},
    {.key = "cmrs.bandwidth",
     .title = "Bandwidth by eq. 6.1",
     .unit = "GB/s",
     .heading = "GB/s",
     .type = VALUE_REAL,
     .get = get_bandwidth,
     .help = "beta-minus of eq. 6.1 / T"},
    {.key = "cmrs.eta_minus",
     .title = "Eta-minus",
     .unit = "of the copy bandwidth",
     .role = COLUMN_SHARE,
     .heading = "eta-",
     .type = VALUE_REAL,
     .get = get_eta_minus,
     .help = "beta-minus of eq. 6.1 / T / copy bandwidth of its processor or GPU, measured in the same run"},
    {.key = "cmrs.eta_plus",
     .title = "Eta-plus",
     .unit = "of the copy bandwidth",
     .role = COLUMN_SHARE,
     .heading = "eta+",
     .type = VALUE_REAL,
     .get = get_eta_plus,
     .help = "beta-plus of eq. 6.1 / T / copy bandwidth of its processor or GPU, measured in the same run"},
    {.key = "cmrs.eta_minus_stated",
     .title = "Eta-minus by eq. 6.2",
     .unit = "of the stated bandwidth",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_eta_minus_stated,
     .help = "beta-minus of eq. 6.1 / T / bandwidth stated by the vendor (eq. 6.2); null if the driver does "
             "not report it"},
    {.key = "cmrs.eta_plus_stated",
     .title = "Eta-plus by eq. 6.2",
     .unit = "of the stated bandwidth",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_eta_plus_stated,
     .help =
         "beta-plus of eq. 6.1 / T / bandwidth stated by the vendor; null if the driver does not report it"},
    {.key = NULL},
};
