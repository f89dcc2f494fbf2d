/* A stored matrix with a kernel that was prepared for an estimate. */
#ifndef SPARSIGHT_TESTS_SUPPORT_READY_H
#define SPARSIGHT_TESTS_SUPPORT_READY_H

#include "formats/format.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "matrix/csr.h"

struct ready {
    struct csr a;
    struct storage storage;
    struct device device;
    struct launch launch;
    struct gpu gpu; /* the product to forecast; the caller sets it, and ready_make does not change it */
};

/* Store the matrix, which *ready takes over, in the kernel's format, and prepare the kernel with these
 * parameters for an estimated GPU with these facts. A failure prints its message and ends the program. End
 * with ready_free. */
void ready_make(struct ready *ready, const struct device_facts *facts, const struct kernel *kernel,
                const char *parameters, struct csr a);
/* The same with these parameters of the format. */
void ready_make_as(struct ready *ready, const struct device_facts *facts, const struct kernel *kernel,
                   const char *of_format, const char *parameters, struct csr a);
void ready_free(struct ready *ready);

#endif
