#include "kernels/operands.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/generators/hash.h"

/* Products that may be added to y before it is made `start` again. */
#define ADDED_MOST 256

static size_t value_size(enum precision precision)
{
    return precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
}

static inline double element_at(const void *data, enum precision precision, int64_t e)
{
    return precision == PRECISION_F32 ? ((const float *)data)[e] : ((const double *)data)[e];
}

static inline void set_element(void *data, enum precision precision, int64_t e, double value)
{
    if (precision == PRECISION_F32)
        ((float *)data)[e] = (float)value;
    else
        ((double *)data)[e] = value;
}

/* 1/2 to 1, of either sign. */
static double random_value(uint64_t hash)
{
    double value = hash_value(hash);
    return value / 2 + copysign(0.5, value);
}

static void *random_vector(int64_t n, enum precision precision, uint64_t key, struct error *error)
{
    void *data = memory_array((size_t)n, value_size(precision), error);
    if (!data) return NULL;
#pragma omp parallel for schedule(static) if (n > THREADS_LEAST)
    for (int64_t e = 0; e < n; e++)
        set_element(data, precision, e, random_value(hash_at(key, e)));
    return data;
}

/* Put what was given in the place of random numbers. */
static enum status take_x(struct operands *operands, const double *x, struct error *error)
{
    for (int64_t j = 0; j < operands->cols; j++) {
        set_element(operands->x, operands->precision, j, x[j]);
        if (isfinite(element_at(operands->x, operands->precision, j))) continue;
        return error_set(error, STATUS_UNAVAILABLE, "element %" PRId64 " of x, %g, is too large for %s",
                         j + 1, x[j], precision_name(operands->precision));
    }
    return STATUS_OK;
}

/* x, y and start, and three arrays of the reference. */
static enum status check_size(const struct csr *a, enum precision precision, size_t limit,
                              struct error *error)
{
    size_t value = value_size(precision), rows, cols, bytes;
    size_multiply((size_t)a->rows, 2 * value + 3 * sizeof(double), &rows);
    size_multiply((size_t)a->cols, value, &cols);
    size_add(rows, cols, &bytes);
    return memory_check(bytes, limit, "vectors and what they should be", error);
}

static enum status make_vectors(struct operands *operands, const double *x, uint64_t seed,
                                struct error *error)
{
    enum precision precision = operands->precision;
    uint64_t x_key = hash_key(seed, HASH_VALUE, 0), y_key = hash_key(seed, HASH_VALUE, 1);
    operands->x = random_vector(operands->cols, precision, x_key, error);
    operands->y = random_vector(operands->rows, precision, y_key, error);
    if (operands->accumulate) operands->start = random_vector(operands->rows, precision, y_key, error);
    if (!operands->x || !operands->y || (operands->accumulate && !operands->start)) return STATUS_MEMORY;
    return x ? take_x(operands, x, error) : STATUS_OK;
}

enum status operands_make(struct operands *operands, const struct csr *a, enum precision precision,
                          bool accumulate, const double *x, uint64_t seed, struct progress *progress,
                          struct error *error)
{
    if (operands->ready) return STATUS_OK;
    *operands =
        (struct operands){.precision = precision, .rows = a->rows, .cols = a->cols, .accumulate = accumulate};
    enum status status = check_size(a, precision, 0, error);
    if (status == STATUS_OK) status = make_vectors(operands, x, seed, error);
    if (status == STATUS_OK)
        status =
            reference_make(a, precision, operands->x, operands->start, progress, &operands->reference, error);
    if (status != STATUS_OK) operands_free(operands);
    operands->ready = status == STATUS_OK;
    return status;
}

static void fill_y(struct operands *operands, double value)
{
    int64_t rows = operands->rows;
#pragma omp parallel for schedule(static) if (rows > THREADS_LEAST)
    for (int64_t i = 0; i < rows; i++)
        set_element(operands->y, operands->precision, i, value);
}

static void start_again(struct operands *operands)
{
    memcpy(operands->y, operands->start, (size_t)operands->rows * value_size(operands->precision));
    operands->added = 0;
}

void operands_poison(struct operands *operands)
{
    if (operands->accumulate)
        start_again(operands);
    else
        fill_y(operands, NAN);
}

void operands_settle(struct operands *operands)
{
    if (operands->accumulate && operands->added >= ADDED_MOST) start_again(operands);
}

double operands_run(struct operands *operands, struct launch *launch, int products)
{
    operands->added += products;
    double start = clock_seconds();
    for (int k = 0; k < products; k++)
        kernel_run(launch, operands->x, operands->y);
    return (clock_seconds() - start) / products;
}

enum status operands_check(const struct operands *operands, double *max_error, struct error *error)
{
    return reference_check(&operands->reference, operands->y, max_error, error);
}

double operands_residual(struct operands *operands, struct launch *launch, const double *b)
{
    double difference = 0, largest = 0;
    bool finite = true;
    fill_y(operands, operands->accumulate ? 0 : NAN);
    operands->added = ADDED_MOST;
    kernel_run(launch, operands->x, operands->y);
    for (int64_t i = 0; i < operands->rows; i++) {
        double value = element_at(operands->y, operands->precision, i);
        finite = finite && isfinite(value);
        difference = fmax(difference, fabs(value - b[i]));
        largest = fmax(largest, fabs(b[i]));
    }
    if (!finite) return INFINITY;
    return largest > 0 ? difference / largest : difference;
}

void operands_free(struct operands *operands)
{
    free(operands->x);
    free(operands->y);
    free(operands->start);
    reference_free(&operands->reference);
    *operands = (struct operands){0};
}
