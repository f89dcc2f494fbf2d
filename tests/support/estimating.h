/* Estimates of a GPU's products with several vectors and with A^T, for tests. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ESTIMATING_H
#define SPARSIGHT_TESTS_SUPPORT_ESTIMATING_H

#include "analysis/forecast/excerpt.h"
#include "analysis/warps/estimate.h"
#include "kernels/gpu/profile.h"
#include "kernels/product.h"
#include "matrix/csr.h"

/* Fail the test unless `found` differs from `wanted` by this share of it at most; `what` is said then. */
void expect_near(double found, double wanted, double share, const char *what);

/* The profile of this name. The test fails if there is none. */
struct gpu estimating_gpu(const char *name);

/* Estimate the kernel of this name for the matrix: from the excerpt, unless it is NULL. The test fails if
 * that fails. */
struct estimate estimating_product(const struct csr *a, const struct excerpt *excerpt, const char *name,
                                   const struct gpu *gpu, struct product product);

#endif
