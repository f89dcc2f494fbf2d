/* For the tests of warps: kernels that are prepared on an estimated device, and the memory requests of
 * csr-scalar. */
#ifndef SPARSIGHT_TESTS_SUPPORT_WARPS_H
#define SPARSIGHT_TESTS_SUPPORT_WARPS_H

#include "kernels/gpu/paper.h"
#include "kernels/kernel.h"

/* A stored matrix with a kernel that was prepared for it. */
struct warps_ready {
    struct csr a;
    struct storage storage;
    struct device device;
    struct launch launch;
};

/* Store the matrix, which *ready takes over, with the parameters `format` ("" for the kernel's defaults), and
 * prepare the kernel for it. A failure fails the test. */
void warps_prepare_stored(struct warps_ready *ready, const struct kernel *kernel, const char *format,
                          const char *parameters, struct csr a);

/* The same with the defaults of the format. */
void warps_prepare(struct warps_ready *ready, const struct kernel *kernel, const char *parameters,
                   struct csr a);

void warps_finish(struct warps_ready *ready);

/* Count the sectors that a warp of csr-scalar requests, by a plain loop: lane l of warp w has row 32 w + l;
 * in round r it loads entry r of its row. */
int64_t warps_scalar_sectors(const struct csr *a, int64_t warp);

/* Count the requests of a warp of csr-scalar: two offsets, y, and a value, a column and an element of x for
 * each entry of its longest row. */
int64_t warps_scalar_requests(const struct csr *a, int64_t warp);

#endif
