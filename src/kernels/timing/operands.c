#include "kernels/timing/operands.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/generators/hash.h"

/* Maximum number of runs of a graph in its timing. */
#define GRAPH_RUNS_MOST 16

/* Number of products that may be added to y before it becomes `start` again. */
#define ADDED_MAX 256

static size_t size_of(const struct operands *operands)
{
    return (size_t)value_width(operands->precision, operands->complex);
}

/* Vectors are arrays of parts: a complex element is two of them, its real and its imaginary part. */
static inline int64_t parts_of(const struct operands *operands, int64_t elements)
{
    return operands->complex ? 2 * elements : elements;
}

/* The elements of one vector of X and of one of Y, and of all of them. */
static int64_t x_size(const struct operands *operands)
{
    return product_x_size(operands->product, operands->rows, operands->cols);
}

static int64_t y_size(const struct operands *operands)
{
    return product_y_size(operands->product, operands->rows, operands->cols);
}

static int64_t x_elements(const struct operands *operands)
{
    return x_size(operands) * product_columns(operands->product);
}

static int64_t y_elements(const struct operands *operands)
{
    return y_size(operands) * product_columns(operands->product);
}

static inline double part_at(const void *data, enum precision precision, int64_t p)
{
    return precision == PRECISION_F32 ? ((const float *)data)[p] : ((const double *)data)[p];
}

static inline void set_part(void *data, enum precision precision, int64_t p, double value)
{
    if (precision == PRECISION_F32)
        ((float *)data)[p] = (float)value;
    else
        ((double *)data)[p] = value;
}

/* Returns a random number with a magnitude of 1/2 to 1 and either sign, from one in (-1, 1). */
static double random_value(uint64_t hash)
{
    double value = hash_value(hash);
    return value / 2 + copysign(0.5, value);
}

/* Part p of element i of vector c is random number (c n + i) parts + p, where vectors have n elements, and
 * complex elements have two parts, real ones one. So elements do not depend on the layout. */
void operands_draw(const struct operands *operands, const struct operands_draw *draw, int64_t count,
                   void *data)
{
    const struct product product = operands->product;
    const int columns = product_columns(product), parts = operands->complex ? 2 : 1;
    const uint64_t key = hash_key(draw->seed ? draw->seed : 1, HASH_VALUE, draw->y);
#pragma omp parallel for schedule(static) if (count * columns > PARALLEL_MIN)
    for (int64_t i = 0; i < count; i++) {
        int64_t number = draw->col ? draw->col[i] : draw->first + i;
        for (int64_t c = 0; c < columns; c++)
            for (int64_t part = 0; part < parts; part++)
                set_part(data, operands->precision,
                         product_place(product, draw->size, draw->at + i, (int)c) * parts + part,
                         random_value(hash_at(key, (c * draw->n + number) * parts + part)));
    }
}

/* Return vectors of n elements each, as many as the product has, in its layout. */
static void *random_vectors(const struct operands *operands, int64_t n, bool y, uint64_t seed,
                            struct error *error)
{
    const struct operands_draw draw = {.y = y, .seed = seed, .n = n, .size = n};
    size_t columns = (size_t)product_columns(operands->product);
    void *data = memory_array((size_t)n * columns, size_of(operands), error);
    if (!data) return NULL;
    threads_place(data, (size_t)n * columns * size_of(operands));
    operands_draw(operands, &draw, n, data);
    return data;
}

/* Copy part p of the given vector into x. Fails if an element is infinite in the precision. */
static enum status take_part(struct operands *operands, int64_t p, double value, const char *whose,
                             struct error *error)
{
    set_part(operands->x, operands->precision, p, value);
    if (isfinite(part_at(operands->x, operands->precision, p))) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%selement %" PRId64 " of x, %g, is too large for %s", whose,
                     (operands->complex ? p / 2 : p) + 1, value,
                     value_name(operands->precision, operands->complex));
}

/* Make x from the given vector. */
static enum status take_x(struct operands *operands, const struct vector *x, struct error *error)
{
    enum status status = STATUS_OK;
    for (int64_t j = 0; j < x_size(operands) && status == STATUS_OK; j++) {
        status = take_part(operands, parts_of(operands, j), x->real[j], "", error);
        if (status != STATUS_OK || !operands->complex) continue;
        status = take_part(operands, 2 * j + 1, x->imaginary ? x->imaginary[j] : 0, "the imaginary part of ",
                           error);
    }
    return status;
}

/* Check the size of x, y, `start`, and the three arrays of the reference against the limit; for a reordered
 * matrix also x, `start` and an array of the reference in the natural order, and for a transposed product the
 * transposed matrix. */
static enum status check_size(const struct csr *a, enum precision precision,
                              const struct operands_options *options, struct error *error)
{
    const struct product product = options->product;
    bool complex = a->imaginary != NULL;
    size_t value = (size_t)value_width(precision, complex), y, x, bytes, more = options->natural ? 1 : 0;
    size_t columns = (size_t)product_columns(product);
    size_t reference = (complex ? 4 : 3) + (complex ? 2 : 1) * more; /* numbers an element */
    size_multiply((size_t)product_y_size(product, a->rows, a->cols) * columns,
                  (2 + more) * value + reference * sizeof(double), &y);
    size_multiply((size_t)product_x_size(product, a->rows, a->cols) * columns, (1 + more) * value, &x);
    size_add(y, x, &bytes);
    if (product.transposed) size_add(bytes, csr_bytes(a->cols, csr_nnz(a), complex), &bytes);
    return memory_check(bytes, options->limit, "vectors and what they should be", error);
}

static enum status make_vectors(struct operands *operands, const struct operands_options *options,
                                struct error *error)
{
    operands->x = random_vectors(operands, x_size(operands), false, options->seed, error);
    operands->y = random_vectors(operands, y_size(operands), true, options->seed, error);
    bool added = operands->product.accumulate;
    if (added) operands->start = random_vectors(operands, y_size(operands), true, options->seed, error);
    if (!operands->x || !operands->y || (added && !operands->start)) return STATUS_MEMORY;
    return options->x ? take_x(operands, options->x, error) : STATUS_OK;
}

/* The permutations by which X and Y were reordered: those of the columns and of the rows of the matrix, or
 * the other way round if it is transposed. NULL: not at all. */
static const int32_t *x_order(const struct operands *operands, const struct natural *natural)
{
    return operands->product.transposed ? natural->rows : natural->cols;
}

static const int32_t *y_order(const struct operands *operands, const struct natural *natural)
{
    return operands->product.transposed ? natural->cols : natural->rows;
}

/* Return a copy of vectors of n elements each in the natural order: element k of a vector becomes its element
 * from[k]. */
static void *natural_vectors(const struct operands *operands, const void *in, int64_t n, const int32_t *from,
                             struct error *error)
{
    const struct product product = operands->product;
    const int columns = product_columns(product);
    size_t size = size_of(operands);
    char *out = memory_array((size_t)n * (size_t)columns, size, error);
    if (!out) return NULL;
#pragma omp parallel for schedule(static) if (n * columns > PARALLEL_MIN)
    for (int64_t k = 0; k < n; k++)
        for (int c = 0; c < columns; c++)
            memcpy(out + (size_t)product_place(product, n, from ? from[k] : k, c) * size,
                   (const char *)in + (size_t)product_place(product, n, k, c) * size, size);
    return out;
}

/* Permute an array of the reference, with one or two numbers for each element, into the order of Y. */
static enum status reorder(const struct operands *operands, double **array, int numbers, const int32_t *order,
                           struct error *error)
{
    const struct product product = operands->product;
    const int columns = product_columns(product);
    int64_t n = y_size(operands);
    size_t size = (size_t)numbers * sizeof **array;
    double *out = memory_array((size_t)n * (size_t)columns, size, error);
    if (!out) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (n * columns > PARALLEL_MIN)
    for (int64_t k = 0; k < n; k++)
        for (int c = 0; c < columns; c++)
            memcpy(out + product_place(product, n, k, c) * numbers,
                   *array + product_place(product, n, order ? order[k] : k, c) * numbers, size);
    free(*array);
    *array = out;
    return STATUS_OK;
}

/* Make the reference of a reordered matrix from the product of the natural one. A y is then right only if it
 * equals the natural product after the inverse permutation. */
static enum status reference_from(const struct natural *natural, struct operands *operands,
                                  struct progress *progress, struct error *error)
{
    struct reference *reference = &operands->reference;
    const int32_t *order = y_order(operands, natural);
    void *x = natural_vectors(operands, operands->x, x_size(operands), x_order(operands, natural), error);
    void *start = NULL;
    enum status status = x ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && operands->start) {
        start = natural_vectors(operands, operands->start, y_size(operands), order, error);
        status = start ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK)
        status = reference_make(natural->a, operands->precision, operands->product, x, start, progress,
                                reference, error);
    free(x);
    free(start);
    if (status == STATUS_OK)
        status = reorder(operands, &reference->y, reference->complex ? 2 : 1, order, error);
    if (status == STATUS_OK) status = reorder(operands, &reference->magnitude, 1, order, error);
    return status == STATUS_OK ? reorder(operands, &reference->bound, 1, order, error) : status;
}

enum status operands_make(struct operands *operands, const struct csr *a, enum precision precision,
                          const struct operands_options *options, struct progress *progress,
                          struct error *error)
{
    if (operands->ready) return STATUS_OK;
    *operands = (struct operands){.complex = a->imaginary != NULL,
                                  .precision = precision,
                                  .rows = a->rows,
                                  .cols = a->cols,
                                  .product = options->product};
    enum status status = check_size(a, precision, options, error);
    if (status == STATUS_OK) status = make_vectors(operands, options, error);
    if (status == STATUS_OK && options->natural)
        status = reference_from(options->natural, operands, progress, error);
    else if (status == STATUS_OK)
        status = reference_make(a, precision, operands->product, operands->x, operands->start, progress,
                                &operands->reference, error);
    if (status != STATUS_OK) operands_free(operands);
    operands->ready = status == STATUS_OK;
    return status;
}

static size_t y_bytes(const struct operands *operands)
{
    return (size_t)y_elements(operands) * size_of(operands);
}

enum status operands_place(struct operands *operands, struct device *device, struct error *error)
{
    struct placed *placed = &operands->placed;
    struct error reason = {0};
    size_t y = y_bytes(operands), x = (size_t)x_elements(operands) * size_of(operands);
    if (placed->device) return STATUS_OK;
    *placed = (struct placed){.device = device};
    placed->fetched = memory_array(y, 1, &reason);
    if (placed->fetched) placed->x = device_copy_of(device, operands->x, x, "x", &reason);
    if (placed->x) placed->y = device_copy_of(device, operands->y, y, "y", &reason);
    if (placed->y && operands->start)
        placed->start = device_copy_of(device, operands->start, y, "y", &reason);
    if (reason.status == STATUS_OK) return STATUS_OK;
    operands_displace(operands);
    return error_set(error, reason.status, "%s", reason.message);
}

void operands_displace(struct operands *operands)
{
    struct placed *placed = &operands->placed;
    if (!placed->device) return;
    device_release(placed->device, placed->x);
    device_release(placed->device, placed->y);
    device_release(placed->device, placed->start);
    free(placed->fetched);
    *placed = (struct placed){0};
}

static void fill_y(struct operands *operands, double value)
{
    int64_t parts = parts_of(operands, y_elements(operands));
#pragma omp parallel for schedule(static) if (parts > PARALLEL_MIN)
    for (int64_t p = 0; p < parts; p++)
        set_part(operands->y, operands->precision, p, value);
}

/* Fill y on the device with a byte: 0 makes all elements 0, and 0xff makes them NaN, in both precisions. */
static enum status fill_on(struct operands *operands, struct device *device, unsigned char byte,
                           struct error *error)
{
    enum status status = device_check(device, error);
    if (status != STATUS_OK) return status;
    return device->type->fill(device, operands->placed.y, byte, y_bytes(operands), error);
}

static enum status start_again(struct operands *operands, struct device *device, struct error *error)
{
    if (device) {
        struct placed *placed = &operands->placed;
        placed->added = 0;
        enum status status = device_check(device, error);
        if (status != STATUS_OK) return status;
        return device->type->copy(device, placed->y, placed->start, y_bytes(operands), error);
    }
    memcpy(operands->y, operands->start, y_bytes(operands));
    operands->added = 0;
    return STATUS_OK;
}

enum status operands_poison(struct operands *operands, struct device *device, struct error *error)
{
    if (operands->product.accumulate) return start_again(operands, device, error);
    if (device) return fill_on(operands, device, 0xff, error);
    fill_y(operands, NAN);
    return STATUS_OK;
}

enum status operands_settle(struct operands *operands, struct device *device, struct error *error)
{
    int64_t added = device ? operands->placed.added : operands->added;
    if (!operands->product.accumulate || added < ADDED_MAX) return STATUS_OK;
    return start_again(operands, device, error);
}

/* Give the vectors on its device to the launch, which will add this number of products to them. */
static enum status point_on(struct operands *operands, struct launch *launch, int64_t products,
                            struct error *error)
{
    enum status status = device_check(launch->device, error);
    if (status != STATUS_OK) return status;
    launch->x = operands->placed.x;
    launch->host_x = operands->x;
    launch->y = operands->placed.y;
    operands->placed.added += products;
    return STATUS_OK;
}

static enum status run_on(struct operands *operands, struct launch *launch, int products, double *seconds,
                          struct error *error)
{
    enum status status = point_on(operands, launch, products, error);
    if (status != STATUS_OK) return status;
    return launch->device->type->time(launch->device, launch, products, seconds, error);
}

enum status operands_run_graph(struct operands *operands, struct launch *launch, int products,
                               double *seconds, struct error *error)
{
    enum status status = point_on(operands, launch, products * GRAPH_RUNS_MOST, error);
    if (status != STATUS_OK) return status;
    return launch->device->type->time_graph(launch->device, launch, products, seconds, error);
}

enum status operands_run(struct operands *operands, struct launch *launch, int products, double *seconds,
                         struct error *error)
{
    if (launch->device) return run_on(operands, launch, products, seconds, error);
    operands->added += products;
    double start = clock_seconds();
    for (int k = 0; k < products; k++)
        kernel_run(launch, operands->x, operands->y);
    *seconds = (clock_seconds() - start) / products;
    return STATUS_OK;
}

enum status operands_repeat(struct operands *operands, struct launch *launch, int products,
                            struct error *error)
{
    double seconds;
    if (!launch->device || !launch->device->type->repeat)
        return operands_run(operands, launch, products, &seconds, error);
    enum status status = point_on(operands, launch, products, error);
    if (status != STATUS_OK) return status;
    return launch->device->type->repeat(launch->device, launch, products, error);
}

/* Return y on the host, copying it from a device first. */
static enum status fetch_y(const struct operands *operands, struct device *device, const void **y,
                           struct error *error)
{
    const struct placed *placed = &operands->placed;
    *y = device ? placed->fetched : operands->y;
    if (!device) return STATUS_OK;
    enum status status = device_check(device, error);
    if (status != STATUS_OK) return status;
    return device->type->read(device, placed->fetched, placed->y, y_bytes(operands), error);
}

enum status operands_check(const struct operands *operands, struct device *device, double *max_error,
                           struct error *error)
{
    const void *y;
    *max_error = NAN;
    enum status status = fetch_y(operands, device, &y, error);
    return status == STATUS_OK ? reference_check(&operands->reference, y, max_error, error) : status;
}

/* Compute A x into y; if the product adds to y, y is set to 0 first. operands_settle does not expect the
 * resulting y, so that `added` makes it restart. */
static enum status run_fresh(struct operands *operands, struct launch *launch, struct error *error)
{
    struct device *device = launch->device;
    double seconds;
    enum status status = STATUS_OK;
    if (device)
        status = fill_on(operands, device, operands->product.accumulate ? 0 : 0xff, error);
    else
        fill_y(operands, operands->product.accumulate ? 0 : NAN);
    if (status == STATUS_OK) status = operands_run(operands, launch, 1, &seconds, error);
    *(device ? &operands->placed.added : &operands->added) = ADDED_MAX;
    return status;
}

/* Element i of y; *imaginary becomes its imaginary part, 0 for a real one. */
static double y_at(const struct operands *operands, const void *y, int64_t i, double *imaginary)
{
    int64_t p = parts_of(operands, i);
    *imaginary = operands->complex ? part_at(y, operands->precision, p + 1) : 0;
    return part_at(y, operands->precision, p);
}

enum status operands_residual(struct operands *operands, struct launch *launch, const struct vector *b,
                              double *residual, struct error *error)
{
    double difference = 0, largest = 0;
    bool finite = true;
    const void *y;
    enum status status = run_fresh(operands, launch, error);
    if (status == STATUS_OK) status = fetch_y(operands, launch->device, &y, error);
    if (status != STATUS_OK) return status;
    for (int64_t i = 0; i < y_elements(operands); i++) {
        double imaginary, real = y_at(operands, y, i, &imaginary);
        double b_imaginary = b->imaginary ? b->imaginary[i] : 0;
        finite = finite && isfinite(real) && isfinite(imaginary);
        difference = fmax(difference, hypot(real - b->real[i], imaginary - b_imaginary));
        largest = fmax(largest, hypot(b->real[i], b_imaginary));
    }
    *residual = !finite ? INFINITY : largest > 0 ? difference / largest : difference;
    return STATUS_OK;
}

void operands_free(struct operands *operands)
{
    operands_displace(operands);
    free(operands->x);
    free(operands->y);
    free(operands->start);
    reference_free(&operands->reference);
    *operands = (struct operands){0};
}
