/* A rank's part of the vectors, of one precision, that products are run on, and what its part of y should be.
 * The elements are those that one process would have (kernels/timing/operands.h), whatever the number of
 * ranks. */
#ifndef SPARSIGHT_RANKS_PRODUCT_VECTORS_H
#define SPARSIGHT_RANKS_PRODUCT_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/choice.h"
#include "kernels/gpu/device.h"
#include "kernels/product.h"
#include "kernels/timing/check.h"
#include "ranks/product/split.h"

/* Start with {0}; free with vectors_free, before the device is closed. */
struct vectors {
    bool ready;
    bool complex;
    enum precision precision;
    struct product product;
    int64_t x_size, y_size; /* own elements of a vector */
    void *x, *y;            /* all vectors, as kernels/product.h lays them out */
    void *start;            /* what y holds before a product is added to it; NULL if products replace y */
    int64_t added; /* products that were added since y was `start`; of the device's y if it is there */
    struct reference reference;
    struct device *device; /* where they lie too; NULL: nowhere */
    void *device_x, *device_y, *device_start;
    void *fetched; /* the host's copy of the device's y */
};

/* Make the vectors for a product y = A x or y += A x of one or several vectors, from a seed (0 stands for 1).
 * The reference takes its elements of x from the seed, and none from other ranks, so that it tells of a wrong
 * exchange too. Not collective. STATUS_MEMORY; STATUS_LIMIT if they take more than `limit` bytes (0: what
 * memory_check takes by itself). On failure they are {0}. O(own entries columns). */
enum status vectors_make(const struct split *split, enum precision precision, struct product product,
                         uint64_t seed, size_t limit, struct vectors *vectors, struct error *error);

/* Copy them to the device, unless they are there. */
enum status vectors_place(struct vectors *vectors, struct device *device, struct error *error);

/* Make y, on the device if it is not NULL, what it is before a product that will be checked: NaN, or `start`.
 */
enum status vectors_poison(struct vectors *vectors, struct device *device, struct error *error);

/* Make y `start` again if products were added to it often. */
enum status vectors_settle(struct vectors *vectors, struct device *device, struct error *error);

/* Compare y with what it should be (reference_check). */
enum status vectors_check(const struct vectors *vectors, struct device *device, double *max_error,
                          struct error *error);

void vectors_free(struct vectors *vectors);

#endif
