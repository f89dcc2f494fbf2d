/* Triangular solves on NVIDIA's GPUs: declarations for the host and the device code. C and C++ include
 * this. */
#ifndef SPARSIGHT_KERNELS_CUDA_TRISOLVE_SOLVE_H
#define SPARSIGHT_KERNELS_CUDA_TRISOLVE_SOLVE_H

#include "kernels/cuda/trisolve/plan.h"
#include "kernels/gpu/device.h"

/* A plan whose arrays are in the device's memory. */
struct cuda_half {
    struct triplan plan;          /* in the device's memory, except `phases`, which is NULL */
    struct triplan_phase *phases; /* in the host's memory; owned */
    double *x[2];     /* by place: a solve writes one of them, and clears the other for the next solve */
    int64_t *arrived; /* at barriers of this solve */
    int half;         /* the element of x that the next solve writes */
    int wide_blocks, narrow_blocks; /* maximum numbers of blocks that run at the same time */
};

/* The state of a kernel. A symmetric Gauss-Seidel step is two solves. */
struct cuda_solve {
    struct device *device;
    enum trisolve_operation operation;
    bool barriers;  /* blocks wait for each other after each level of a wide phase, and not for single x */
    int threads;    /* of a block in wide phases */
    int ahead;      /* wide phases: rows in flight, in levels of mean width; 0: as many as fit */
    int queue;      /* segments in flight */
    unsigned sleep; /* nanoseconds between two looks at an x */
    struct cuda_half half[TRIANGLES];
    double *right; /* rows: the right side of the second solve */
    int *failed;   /* 1 after a thread gave up waiting */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Find the number of blocks of each launch. STATUS_UNAVAILABLE. */
enum status cuda_solve_fit(struct cuda_solve *solve, struct error *error);
/* Put a solve into the device's queue. b and x are in its memory. */
void cuda_solve_run(void *solve, const double *b, double *x);
/* Return the bytes of shared memory that a segment may take on the device. */
size_t cuda_solve_shared(const struct device *device);

#ifdef __cplusplus
}
#endif

#endif
