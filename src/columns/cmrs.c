/* Numbers of CMRS as its paper has them: the model, and what was gained beside it. */
#include <math.h>
#include <string.h>

#include "analysis/cmrs_model.h"
#include "columns/kernels.h"
#include "formats/cmrs.h"
#include "formats/csr.h"

bool cmrs_modelled(const struct result *result)
{
    return result->choice.kernel->format == &format_cmrs && result->choice.kernel->backend->devices != NULL;
}

static double value_bytes(const struct result *result)
{
    return result->choice.format.precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
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
    if (!cmrs_modelled(result) || results->rows == 0) return (struct value){.type = VALUE_NULL};
    double mean = (double)results->nnz / (double)results->rows;
    return real_value(function(height_of(result), mean, value_bytes(result), lambda));
}

struct value cmrs_f_32(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 32, cmrs_model_f);
}

struct value cmrs_f_128(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 128, cmrs_model_f);
}

struct value cmrs_f_256(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 256, cmrs_model_f);
}

struct value cmrs_a_32(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 32, cmrs_model_a);
}

struct value cmrs_a_128(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 128, cmrs_model_a);
}

struct value cmrs_a_256(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 256, cmrs_model_a);
}

struct value cmrs_approximation_32(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 32, cmrs_model_a_approximate);
}

struct value cmrs_approximation_128(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 128, cmrs_model_a_approximate);
}

struct value cmrs_approximation_256(const struct column *column, const struct subject *subject)
{
    (void)column;
    return model(subject, 256, cmrs_model_a_approximate);
}

struct value cmrs_gain(const struct column *column, const struct subject *subject)
{
    (void)column;
    if (!cmrs_modelled(subject->result)) return (struct value){.type = VALUE_NULL};
    const struct result *base =
        results_warp_a_row(subject->results, subject->result->choice.format.precision);
    return base ? real_value(result_speedup(subject->result, base)) : (struct value){.type = VALUE_NULL};
}

/* Bytes by eq. 6.1; NaN if this is no CMRS, or its strips are not known. */
static struct kernel_bytes bytes_of(const struct subject *subject)
{
    const struct results *results = subject->results;
    if (!cmrs_modelled(subject->result) || results->rows == 0) return (struct kernel_bytes){NAN, NAN};
    return cmrs_model_bytes(results->rows, results->cols, results->nnz, height_of(subject->result),
                            value_bytes(subject->result));
}

static struct value bytes_value(double bytes)
{
    return bytes < 0x1p62 ? integer_value((int64_t)bytes) : (struct value){.type = VALUE_NULL};
}

struct value cmrs_beta_minus(const struct column *column, const struct subject *subject)
{
    (void)column;
    return bytes_value(bytes_of(subject).minus);
}

struct value cmrs_beta_plus(const struct column *column, const struct subject *subject)
{
    (void)column;
    return bytes_value(bytes_of(subject).plus);
}

struct value cmrs_bandwidth(const struct column *column, const struct subject *subject)
{
    (void)column;
    return real_value(bytes_of(subject).minus / subject->result->samples.time * 1e-9);
}

/* Eq. 6.2: eta = beta / T / B. The paper's B is what the vendor states; beside it there is the copy bandwidth
 * measured in the same run, which is what a product could reach. */
static struct value eta(const struct subject *subject, double bytes, double bandwidth)
{
    return real_value(bytes / subject->result->samples.time / bandwidth);
}

static double copy_of(const struct subject *subject)
{
    return results_machine(subject->results, subject->result)->copy;
}

/* NaN if it is not known. */
static double stated_of(const struct subject *subject)
{
    double stated = results_machine(subject->results, subject->result)->vendor;
    return stated > 0 ? stated : NAN;
}

struct value cmrs_eta_minus(const struct column *column, const struct subject *subject)
{
    (void)column;
    return eta(subject, bytes_of(subject).minus, copy_of(subject));
}

struct value cmrs_eta_plus(const struct column *column, const struct subject *subject)
{
    (void)column;
    return eta(subject, bytes_of(subject).plus, copy_of(subject));
}

struct value cmrs_eta_minus_stated(const struct column *column, const struct subject *subject)
{
    (void)column;
    return eta(subject, bytes_of(subject).minus, stated_of(subject));
}

struct value cmrs_eta_plus_stated(const struct column *column, const struct subject *subject)
{
    (void)column;
    return eta(subject, bytes_of(subject).plus, stated_of(subject));
}
