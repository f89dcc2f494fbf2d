/* The requests of a GPU's kernel to memory in a product other than y = A x: with several vectors, or with
 * A^T. Such loops have no traces. Their requests are counted from the order in which they go through the
 * matrix (kernels/cuda/products). The result is an estimate, which time.h uses like a replayed one. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_PRODUCTS_H
#define SPARSIGHT_ANALYSIS_FORECAST_PRODUCTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/forecast/memory.h"
#include "analysis/warps/estimate.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"

/* The kinds of products, and of loops for them, for which kernels have separate paces. */
enum product_kind {
    PRODUCT_ROWS,               /* Y = A X with several vectors, row by row */
    PRODUCT_COLUMNS,            /* Y = A X with several vectors, column by column */
    PRODUCT_TRANSPOSED,         /* y = A^T x */
    PRODUCT_TRANSPOSED_ROWS,    /* Y = A^T X, row by row */
    PRODUCT_TRANSPOSED_COLUMNS, /* Y = A^T X, column by column */
    PRODUCT_WINDOWS,            /* Y = A X by windows of rows (kernels/cuda/products/windows.h) */
    PRODUCT_STRAIGHT,           /* Y = A X by a thread for each row, column by column */
    PRODUCT_KINDS               /* y = A x is none of them */
};

/* The kind of a product in the loops that every kernel has: one of the first five. */
enum product_kind product_kind_of(struct product product);

/* The name of a kind in tables: "rows", "columns", "transposed", "transposed-rows", "transposed-columns",
 * "windows", "straight". */
const char *product_kind_name(enum product_kind kind);

/* The pace of a kernel in products of a kind, and the errors of its forecasts on matrices outside the fit. */
struct product_pace {
    const char *kernel; /* "cuda/sell" */
    enum product_kind kind;
    struct kernel_pace pace;
};

/* tests/forecast/products.py writes the table; the last row has a NULL kernel. */
extern const struct product_pace product_paces[];

/* The 80% intervals of such forecasts, as shares of them: for GPUs and for processors (data/README.md). */
struct product_spread {
    double low, high;
};
extern const struct product_spread product_spread_gpu, product_spread_cpu;

/* The pace of a kernel for products of a kind. NULL if there is none; then there is no forecast. */
const struct kernel_pace *product_pace_of(const struct kernel *kernel, enum product_kind kind);

/* Count the requests of a kernel. `storage` is planned: its arrays may be missing. `reuse` is the matrix's;
 * all members except the order are used. If x or y is scattered, the model is
 *
 * L1   A block processes its share of the matrix in order. An element that it touched g entries ago is still
 *      in L1 if the block's part of L1 holds all data touched since, and if both entries are in one share of
 *      B entries, which has the probability 1 - g/B.
 * L2   keeps the data touched within the last T, as in memory.h. An element of a row of X is as wide as all
 *      vectors together.
 *
 * estimate->there is false for a kernel that does not compute this product, or whose loops are unknown.
 * O(nnz) for the first kernel of a product, else O(rows). STATUS_MEMORY, STATUS_CANCELLED. */
enum status product_estimate(const struct kernel_choice *choice, const struct storage *storage,
                             const struct gpu *gpu, struct product product, struct memory_reuse *reuse,
                             struct estimate *estimate, struct kernel_choice *resolved,
                             struct progress *progress, struct error *error);

/* Forecast the product from that estimate. */
void product_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                      bool cold, struct prediction *prediction);

/* Set the interval of the forecast of such a product. */
void product_set_interval(struct prediction *prediction);

#endif
