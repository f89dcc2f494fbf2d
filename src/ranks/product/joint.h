/* A product y = A x that all ranks compute together by one kernel: each its own rows, from its own elements
 * of x while the halo is on its way, and then from the halo. Three ways of doing so are behind one face: on
 * processors, on devices (joint_device.c), and by PETSc (joint_petsc.c). */
#ifndef SPARSIGHT_RANKS_PRODUCT_JOINT_H
#define SPARSIGHT_RANKS_PRODUCT_JOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
#include "ranks/product/exchange.h"
#include "ranks/product/split.h"
#include "ranks/product/vectors.h"

/* What a rank's products have taken, in seconds, since this was {0}; the three add up to all of their time.
 */
struct phases {
    double exchange; /* packing, and starting what is sent and received */
    double wait;     /* until the halo was there, when nothing else was left to compute */
    double compute;  /* multiplying, and adding up */
    int64_t products;
};

struct joint;

/* One way of computing products. Each function concerns this rank; the caller sees to it that all ranks have
 * prepared before one of them runs, and that all run as many products. */
struct joint_way {
    /* Prepare what is beyond the two launches. STATUS_UNAVAILABLE, STATUS_MEMORY, STATUS_LIMIT. */
    enum status (*prepare)(struct joint *joint, struct error *error);
    /* Compute so many products one after another, from the vectors' x to their y, and wait for them. If
     * `phases` is not NULL, add what they took, which may itself take some time. */
    enum status (*run)(struct joint *joint, int products, struct phases *phases, struct error *error);
    void (*release)(struct joint *joint);
};

/* What a rank has prepared. Start with {0}; end with joint_release. It must not be moved in between. */
struct joint {
    struct split *split;
    struct operands *vectors;
    struct device *device;       /* that the kernel runs on; NULL: the host */
    bool linked;                 /* the devices of all ranks are linked (kernels/gpu/exchange.h) */
    struct kernel_choice choice; /* of the part that multiplies own elements */
    struct kernel_choice beyond; /* of the part that multiplies the halo: the same if its format is csr, else
                                    CSR by a kernel of the same backend */
    const struct storage *stored[2]; /* the two parts, of the split's pools; NULL: nothing is stored */
    struct storage resident[2];      /* on the device */
    struct launch local, remote;
    double convert_seconds, upload_seconds; /* of storing and preparing; NaN for what is not done */
    const struct joint_way *way;
    struct exchange exchange;
    void *halo;  /* the elements that were received */
    void *sums;  /* of the remote part, if its rows are not all; NULL else */
    void *state; /* the way's own */
};

struct joint_options {
    struct product product;
    size_t
        limit; /* bytes of each storage and of each table that preparing makes; 0: what memory_check takes */
    bool linked; /* the devices of all ranks are linked */
};

/* Prepare a product by this kernel: of a device's, on the open `device`. The vectors are made and, for a
 * device, placed already. Not collective, but for PETSc's kernel, which all ranks prepare. STATUS_UNAVAILABLE
 * with the reason, STATUS_LIMIT, STATUS_MEMORY. joint_release has to follow, also after failure. */
enum status joint_prepare(struct split *split, const struct kernel_choice *choice,
                          const struct joint_options *options, struct operands *vectors,
                          struct device *device, struct progress *progress, struct joint *joint,
                          struct error *error);

/* Compute so many products. */
enum status joint_run(struct joint *joint, int products, struct phases *phases, struct error *error);

/* True if the remote part multiplies anything. */
static inline bool joint_reaches(const struct joint *joint)
{
    return joint->split->plan.remote > 0;
}

/* The bytes of an element of x. */
static inline size_t joint_width(const struct joint *joint)
{
    return (size_t)value_width(joint->vectors->precision, joint->vectors->complex);
}

/* What a product moves on this rank: the sums of both parts. */
struct kernel_bytes joint_bytes(const struct joint *joint);

void joint_release(struct joint *joint);

extern const struct joint_way joint_on_host, joint_on_device, joint_by_petsc;

#endif
