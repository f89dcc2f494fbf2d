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
    struct gpu gpu; /* the caller's, which ready_make leaves alone: the product to forecast */
};

/* Store the matrix, which becomes the result's own, in the kernel's format, and prepare the kernel with these
 * parameters for an estimated GPU with these facts. If that fails, the message is printed and the program
 * ends. End with ready_free. */
void ready_make(struct ready *ready, const struct device_facts *facts, const struct kernel *kernel,
                const char *parameters, struct csr a);
/* The same with these parameters of the format. */
void ready_make_as(struct ready *ready, const struct device_facts *facts, const struct kernel *kernel,
                   const char *of_format, const char *parameters, struct csr a);
void ready_free(struct ready *ready);

#endif
