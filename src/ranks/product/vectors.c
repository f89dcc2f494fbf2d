#include "ranks/product/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void *array(const struct operands *vectors, int64_t size, struct error *error)
{
    return memory_array((size_t)size * (size_t)product_columns(vectors->product),
                        (size_t)value_width(vectors->precision, vectors->complex), error);
}

static enum status make_own(const struct split *split, uint64_t seed, struct operands *vectors,
                            struct error *error)
{
    const struct share *share = split->share;
    const struct operands_draw x = {
        .seed = seed, .n = share->cols, .first = split->plan.first, .size = vectors->cols};
    const struct operands_draw y = {
        .y = true, .seed = seed, .n = share->rows, .first = share->first, .size = vectors->rows};
    vectors->x = array(vectors, vectors->cols, error);
    vectors->y = array(vectors, vectors->rows, error);
    if (vectors->product.accumulate) vectors->start = array(vectors, vectors->rows, error);
    if (!vectors->x || !vectors->y || (vectors->product.accumulate && !vectors->start)) return STATUS_MEMORY;
    operands_draw(vectors, &x, vectors->cols, vectors->x);
    operands_draw(vectors, &y, vectors->rows, vectors->y);
    if (vectors->start) operands_draw(vectors, &y, vectors->rows, vectors->start);
    return STATUS_OK;
}

/* The reference of the own rows, from the own elements of x followed by those of the halo. */
static enum status make_reference(const struct split *split, uint64_t seed, struct operands *vectors,
                                  struct error *error)
{
    const struct csr *own = &split->share->own;
    const struct plan *plan = &split->plan;
    int64_t size = vectors->cols + plan->halo;
    int32_t *col = memory_array((size_t)csr_nnz(own), sizeof *col, error);
    void *x = array(vectors, size, error);
    enum status status = col && x ? split_columns(split, col, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        struct csr a = *own;
        struct operands_draw draw = {
            .seed = seed, .n = split->share->cols, .first = plan->first, .size = size};
        operands_draw(vectors, &draw, vectors->cols, x);
        draw.col = plan->col;
        draw.at = vectors->cols;
        operands_draw(vectors, &draw, plan->halo, x);
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

/* Check the size of x, y and `start`, and the memory for making the reference. */
static enum status check_size(const struct split *split, const struct operands *vectors, size_t limit,
                              struct error *error)
{
    size_t value = (size_t)value_width(vectors->precision, vectors->complex), x, y, more, bytes;
    size_t numbers = vectors->complex ? 4 : 3, columns = (size_t)product_columns(vectors->product);
    size_multiply((size_t)(2 * vectors->cols + split->plan.halo) * columns, value, &x);
    size_multiply((size_t)vectors->rows * columns, 3 * value + numbers * sizeof(double), &y);
    size_multiply((size_t)csr_nnz(&split->share->own), sizeof(int32_t), &more);
    size_add(x, y, &bytes);
    size_add(bytes, more, &bytes);
    return memory_check(bytes, limit, "a rank's vectors and what they should be", error);
}

enum status vectors_make(const struct split *split, enum precision precision, struct product product,
                         uint64_t seed, size_t limit, struct operands *vectors, struct error *error)
{
    if (vectors->ready) return STATUS_OK;
    if (product.transposed)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "over ranks products with the transposed matrix are those of a matrix that is stored transposed");
    *vectors = (struct operands){.complex = split->share->own.imaginary != NULL,
                                 .precision = precision,
                                 .product = product,
                                 .rows = split->share->own.rows,
                                 .cols = split_own(split)};
    enum status status = check_size(split, vectors, limit, error);
    if (status == STATUS_OK) status = make_own(split, seed, vectors, error);
    if (status == STATUS_OK) status = make_reference(split, seed, vectors, error);
    if (status != STATUS_OK) operands_free(vectors);
    vectors->ready = status == STATUS_OK;
    return status;
}
