#include "ranks/product/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/timing/operands.h"

/* So many products may be added to y before it becomes `start` again. */
#define ADDED_MAX 256

static size_t size_of(const struct vectors *vectors)
{
    return (size_t)value_width(vectors->precision, vectors->complex);
}

static size_t columns_of(const struct vectors *vectors)
{
    return (size_t)product_columns(vectors->product);
}

static size_t y_bytes(const struct vectors *vectors)
{
    return (size_t)vectors->y_size * columns_of(vectors) * size_of(vectors);
}

/* Random vectors in the making: element i of those that are made is element first + i of vectors with n
 * elements, or element col[i] if there is a list of them; it goes to place at + i among `size`. */
struct drawing {
    const struct vectors *vectors;
    uint64_t key;
    int64_t n, first, at, size;
    const int32_t *col;
};

static void draw(const struct drawing *drawing, int64_t count, void *data)
{
    const struct vectors *vectors = drawing->vectors;
    const struct product product = vectors->product;
    int columns = product_columns(product), parts = vectors->complex ? 2 : 1;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; i++) {
        int64_t number = drawing->col ? drawing->col[i] : drawing->first + i;
        for (int c = 0; c < columns; c++)
            for (int p = 0; p < parts; p++) {
                double value = operands_random(drawing->key, (c * drawing->n + number) * parts + p);
                int64_t place = product_place(product, drawing->size, drawing->at + i, c) * parts + p;
                if (vectors->precision == PRECISION_F32)
                    ((float *)data)[place] = (float)value;
                else
                    ((double *)data)[place] = value;
            }
    }
}

static void *array(const struct vectors *vectors, int64_t size, struct error *error)
{
    return memory_array((size_t)size * columns_of(vectors), size_of(vectors), error);
}

static enum status make_own(const struct split *split, uint64_t seed, struct vectors *vectors,
                            struct error *error)
{
    const struct share *share = split->share;
    vectors->x = array(vectors, vectors->x_size, error);
    vectors->y = array(vectors, vectors->y_size, error);
    if (vectors->product.accumulate) vectors->start = array(vectors, vectors->y_size, error);
    if (!vectors->x || !vectors->y || (vectors->product.accumulate && !vectors->start)) return STATUS_MEMORY;
    const struct drawing x = {.vectors = vectors,
                              .key = operands_key(seed, false),
                              .n = share->cols,
                              .first = split->plan.first,
                              .size = vectors->x_size};
    const struct drawing y = {.vectors = vectors,
                              .key = operands_key(seed, true),
                              .n = share->rows,
                              .first = share->first,
                              .size = vectors->y_size};
    draw(&x, vectors->x_size, vectors->x);
    draw(&y, vectors->y_size, vectors->y);
    if (vectors->start) memcpy(vectors->start, vectors->y, y_bytes(vectors));
    return STATUS_OK;
}

/* The reference of the own rows, from the own elements of x and behind them those of the halo. */
static enum status make_reference(const struct split *split, uint64_t seed, struct vectors *vectors,
                                  struct error *error)
{
    const struct csr *own = &split->share->own;
    const struct plan *plan = &split->plan;
    int64_t size = vectors->x_size + plan->halo;
    int32_t *col = memory_array((size_t)csr_nnz(own), sizeof *col, error);
    void *x = array(vectors, size, error);
    enum status status = col && x ? split_columns(split, col, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        struct csr a = *own;
        struct drawing of = {.vectors = vectors,
                             .key = operands_key(seed, false),
                             .n = split->share->cols,
                             .first = plan->first,
                             .size = size};
        draw(&of, vectors->x_size, x);
        of.col = plan->col;
        of.at = vectors->x_size;
        draw(&of, plan->halo, x);
        a.col = col;
        a.cols = size;
        status = reference_make(&a, vectors->precision, vectors->product, x, vectors->start, NULL,
                                &vectors->reference, error);
        vectors->reference.first = split->share->first;
    }
    free(col);
    free(x);
    return status;
}

/* Check the size of x, y and `start`, and of what making the reference takes. */
static enum status check_size(const struct split *split, const struct vectors *vectors, size_t limit,
                              struct error *error)
{
    size_t value = size_of(vectors), x, y, more, bytes;
    size_t numbers = vectors->complex ? 4 : 3;
    size_multiply((size_t)(2 * vectors->x_size + split->plan.halo) * columns_of(vectors), value, &x);
    size_multiply((size_t)vectors->y_size * columns_of(vectors), 3 * value + numbers * sizeof(double), &y);
    size_multiply((size_t)csr_nnz(&split->share->own), sizeof(int32_t), &more);
    size_add(x, y, &bytes);
    size_add(bytes, more, &bytes);
    return memory_check(bytes, limit, "a rank's vectors and what they should be", error);
}

enum status vectors_make(const struct split *split, enum precision precision, struct product product,
                         uint64_t seed, size_t limit, struct vectors *vectors, struct error *error)
{
    if (vectors->ready) return STATUS_OK;
    *vectors = (struct vectors){.complex = split->share->own.imaginary != NULL,
                                .precision = precision,
                                .product = product,
                                .x_size = split_own(split),
                                .y_size = split->share->own.rows};
    enum status status = check_size(split, vectors, limit, error);
    if (status == STATUS_OK) status = make_own(split, seed, vectors, error);
    if (status == STATUS_OK) status = make_reference(split, seed, vectors, error);
    if (status != STATUS_OK) vectors_free(vectors);
    vectors->ready = status == STATUS_OK;
    return status;
}

enum status vectors_place(struct vectors *vectors, struct device *device, struct error *error)
{
    size_t x = (size_t)vectors->x_size * columns_of(vectors) * size_of(vectors), y = y_bytes(vectors);
    struct error reason = {0};
    if (vectors->device) return STATUS_OK;
    vectors->device = device;
    vectors->fetched = memory_array(y, 1, &reason);
    if (vectors->fetched) vectors->device_x = device_copy_of(device, vectors->x, x, "x", &reason);
    if (vectors->device_x) vectors->device_y = device_copy_of(device, vectors->y, y, "y", &reason);
    if (vectors->device_y && vectors->start)
        vectors->device_start = device_copy_of(device, vectors->start, y, "y", &reason);
    if (reason.status == STATUS_OK) return STATUS_OK;
    device_release(device, vectors->device_x);
    device_release(device, vectors->device_y);
    free(vectors->fetched);
    vectors->device = NULL;
    vectors->device_x = vectors->device_y = vectors->fetched = NULL;
    return error_set(error, reason.status, "%s", reason.message);
}

static enum status start_again(struct vectors *vectors, struct device *device, struct error *error)
{
    vectors->added = 0;
    if (!device) {
        memcpy(vectors->y, vectors->start, y_bytes(vectors));
        return STATUS_OK;
    }
    enum status status = device_check(device, error);
    if (status != STATUS_OK) return status;
    return device->type->copy(device, vectors->device_y, vectors->device_start, y_bytes(vectors), error);
}

enum status vectors_poison(struct vectors *vectors, struct device *device, struct error *error)
{
    if (vectors->start) return start_again(vectors, device, error);
    if (!device) {
        memset(vectors->y, 0xff, y_bytes(vectors)); /* NaN, in both precisions */
        return STATUS_OK;
    }
    enum status status = device_check(device, error);
    return status == STATUS_OK ? device->type->fill(device, vectors->device_y, 0xff, y_bytes(vectors), error)
                               : status;
}

enum status vectors_settle(struct vectors *vectors, struct device *device, struct error *error)
{
    if (!vectors->start || vectors->added < ADDED_MAX) return STATUS_OK;
    return start_again(vectors, device, error);
}

enum status vectors_check(const struct vectors *vectors, struct device *device, double *max_error,
                          struct error *error)
{
    const void *y = vectors->y;
    *max_error = NAN;
    if (device) {
        enum status status = device_check(device, error);
        if (status == STATUS_OK)
            status = device->type->read(device, vectors->fetched, vectors->device_y, y_bytes(vectors), error);
        if (status != STATUS_OK) return status;
        y = vectors->fetched;
    }
    return reference_check(&vectors->reference, y, max_error, error);
}

void vectors_free(struct vectors *vectors)
{
    if (vectors->device) {
        device_release(vectors->device, vectors->device_x);
        device_release(vectors->device, vectors->device_y);
        device_release(vectors->device, vectors->device_start);
        free(vectors->fetched);
    }
    free(vectors->x);
    free(vectors->y);
    free(vectors->start);
    reference_free(&vectors->reference);
    *vectors = (struct vectors){0};
}
