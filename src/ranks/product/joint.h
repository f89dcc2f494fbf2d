/* A product y = A x that all ranks compute together by one kernel: each computes its own rows, first with its
 * own elements of x during the exchange, then with the halo. One interface has three implementations: on
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

/* The accumulated times of a rank's products in seconds; the three add up to the whole time. */
struct phases {
    double exchange; /* packing, and starting sends and receives */
    double wait;     /* waiting after the local part: for the halo, or on devices for its separate sums */
    double compute;  /* multiplying, and adding up */
    int64_t products;
};

struct joint;

/* An implementation of products. Each function concerns this rank. The caller ensures that all ranks have
 * prepared before one of them runs, and that all run the same number of products. */
struct joint_way {
    /* Prepare the rest beside the two launches. STATUS_UNAVAILABLE, STATUS_MEMORY, STATUS_LIMIT. */
    enum status (*prepare)(struct joint *joint, struct error *error);
    /* Compute this number of products one after another, from the vectors' x to their y, and wait for them.
     * If `phases` is not NULL, add their times; measuring may itself take time. */
    enum status (*run)(struct joint *joint, int products, struct phases *phases, struct error *error);
    void (*release)(struct joint *joint);
};

/* The prepared state of a rank. Start with {0}; end with joint_release. It must not be moved in between. */
struct joint {
    struct split *split;
    struct operands *vectors;
    struct device *device;       /* the device of the kernel; NULL: the host */
    bool linked;                 /* the devices of all ranks are linked (kernels/gpu/exchange.h) */
    struct kernel_choice choice; /* for the local part */
    struct kernel_choice beyond; /* for the remote part: the same if its format is csr, else a CSR kernel of
                                    the same backend */
    const struct storage *stored[2]; /* the two parts, of the split's pools; NULL: nothing is stored */
    struct storage resident[2];      /* on the device */
    struct launch local, remote;
    double convert_seconds, upload_seconds; /* of storing and preparing; NaN for steps not done */
    const struct joint_way *way;
    struct exchange exchange;
    void *halo;  /* the elements that were received */
    void *sums;  /* sums of the remote part if it lacks some rows; else NULL */
    void *state; /* data of the joint_way */
};

struct joint_options {
    struct product product;
    size_t limit; /* bytes of each storage and of each table that preparing makes; 0: the default of
                     memory_check */
    bool linked;  /* the devices of all ranks are linked */
};

/* Prepare a product by this kernel; a device's kernel uses the open `device`. The vectors are already made
 * and, for a device, placed there. Not collective, except for PETSc's kernel, which all ranks prepare
 * together. STATUS_UNAVAILABLE with the reason, STATUS_LIMIT, STATUS_MEMORY. The caller must call
 * joint_release, also after failure. */
enum status joint_prepare(struct split *split, const struct kernel_choice *choice,
                          const struct joint_options *options, struct operands *vectors,
                          struct device *device, struct progress *progress, struct joint *joint,
                          struct error *error);

/* Compute this number of products. */
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

/* The traffic of a product on this rank: the sums of both parts. */
struct kernel_bytes joint_bytes(const struct joint *joint);

void joint_release(struct joint *joint);

extern const struct joint_way joint_on_host, joint_on_device, joint_by_petsc;

#endif
