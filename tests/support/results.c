#include "support/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "formats/ell.h"
#include "support/kernels.h"

struct kernel ell_kernel;

int make_ell_kernel(void **state)
{
    ell_kernel = kernel_cpu_csr_omp;
    ell_kernel.name = "ell-omp";
    ell_kernel.format = &format_ell;
    return 0;
}

struct result result_of_seconds(const struct kernel *kernel, enum precision precision, int threads,
                                double low, double time, double high)
{
    const struct kernel_choice choice = {
        .kernel = kernel, .format = {.format = kernel->format, .precision = precision}, .threads = threads};
    return (struct result){.choice = choice,
                           .resolved = choice,
                           .convert_seconds = 1,
                           .samples = {.count = 30,
                                       .median = time,
                                       .low = low,
                                       .high = high,
                                       .min = low,
                                       .mean = time,
                                       .stddev = 0.5,
                                       .time = time}};
}

void results_by_hand(struct result *items)
{
    items[SEQ] = result_of_seconds(&kernel_cpu_csr_seq, PRECISION_F64, 2, 3.9, 4, 4.1);
    items[OMP] = result_of_seconds(&kernel_cpu_csr_omp, PRECISION_F64, 2, 2.9, 3, 3.1);
    items[ELL] = result_of_seconds(&ell_kernel, PRECISION_F64, 2, 3.4, 3.5, 3.6);
    items[FAST_ELL] = result_of_seconds(&ell_kernel, PRECISION_F64, 2, 2.4, 2.7, 2.95);
    items[WRONG] = result_of_seconds(&kernel_cpu_csr_omp, PRECISION_F64, 2, 0.1, 0.1, 0.1);
    items[WRONG].status = error_set(&items[WRONG].error, STATUS_INPUT, "row 3 is 7, not 8");
    items[LONE] = result_of_seconds(&ell_kernel, PRECISION_F64, 1, 2.98, 2.98, 2.98);
    items[SINGLE] = result_of_seconds(&kernel_cpu_csr_omp, PRECISION_F32, 2, 1, 1, 1);
}

struct value result_number(const struct results *results, const struct result *result, const char *key)
{
    const struct column *column = kernel_columns;
    while (column->key && strcmp(column->key, key) != 0)
        column++;
    assert_non_null(column->key);
    struct value value = kernel_value(column, results, result);
    assert_true(value.type == column->type || value.type == VALUE_NULL);
    return value;
}

void expect_result_number(const struct results *results, const struct result *result, const char *key,
                          double expected)
{
    struct value value = result_number(results, result, key);
    double found = value.type == VALUE_INTEGER   ? (double)value.integer
                   : value.type == VALUE_BOOLEAN ? value.boolean
                   : value.type == VALUE_REAL    ? value.real
                                                 : NAN;
    if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) <= 1e-14 * fabs(expected)))
        fail_msg("%s: %.17g, not %.17g", key, found, expected);
}
