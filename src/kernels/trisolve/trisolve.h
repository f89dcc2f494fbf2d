/* Kernels of triangular solves (SpTRSV), which preconditioners need, and of the symmetric Gauss-Seidel step
 * (SymGS), the smoother of HPCG (Dongarra, Heroux and Luszczek, Int. J. High Perform. Comput. Appl. 30,
 * 2016). Each row is solved after the rows that it depends on. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_TRISOLVE_H
#define SPARSIGHT_KERNELS_TRISOLVE_TRISOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/backend.h"
#include "kernels/gpu/device.h"
#include "matrix/csr.h"
#include "matrix/graphs/levels.h"

struct progress;

/* The operations, for A = L + D + U with the diagonal D. */
enum trisolve_operation {
    TRISOLVE_LOWER, /* solve (L + D) x = b */
    TRISOLVE_UPPER, /* solve (D + U) x = b */
    TRISOLVE_SYMGS, /* from x0: solve (L + D) x1 = b - U x0, then (D + U) x = b - L x1 */
    TRISOLVE_OPERATIONS
};

/* "lower", "upper", "symgs". */
const char *trisolve_operation_name(enum trisolve_operation operation);

/* "Lower triangular solve, (L + D) x = b" */
const char *trisolve_operation_title(enum trisolve_operation operation);

/* The entries below or above the diagonal, in CSR. */
struct trisolve_triangle {
    int64_t *row_ptr; /* rows + 1 */
    int32_t *col;
    double *val;
};

/* A square matrix in three parts. The arrays are owned; free with trisolve_parts_free, which takes {0}. */
struct trisolve_parts {
    int64_t rows;
    struct trisolve_triangle triangle[TRIANGLES];
    double *diagonal; /* rows */
    double *inverse;  /* 1 / diagonal */
    int64_t ones;     /* rows without a diagonal entry, or with a zero there: a 1 replaces it */
};

/* Divide a real matrix. Parallel; O(nnz + rows). STATUS_UNAVAILABLE if it is not square, is complex, or has
 * no entries in memory; STATUS_MEMORY. */
enum status trisolve_parts_make(const struct csr *a, struct trisolve_parts *parts, struct error *error);
void trisolve_parts_free(struct trisolve_parts *parts);

/* Return the bytes of the arrays. */
size_t trisolve_parts_bytes(const struct csr *a);

/* Facts about a prepared kernel. For TRISOLVE_SYMGS they are added over both solves. */
struct trisolve_facts {
    int64_t levels; /* levels of the triangle that is solved */
    int64_t waits;  /* waits of the thread that waits most often */
};

/* Where a kernel of devices runs. */
struct trisolve_place {
    struct device *device;  /* open */
    const char *parameters; /* of the kernel, "lanes=4"; NULL: defaults */
};

/* A kernel in double precision. The table ends with NULL. */
struct trisolve_kernel {
    const char *name;                   /* "cpu/levels" */
    const char *summary;                /* one line for lists */
    const char *source;                 /* paper or library */
    bool parallel;                      /* its threads are ours, which are gathered before it is timed */
    const struct backend *backend;      /* that of its devices; NULL: it runs on the host */
    const struct parameter *parameters; /* its own; ends with a NULL name. NULL: none */
    /* Return the reason why it cannot run on this machine, or NULL. The member is NULL if it always can. May
     * search for a library. */
    const char *(*unavailable)(void);
    /* Make the state that `run` needs and `release` frees. The caller keeps the parts, which must exist until
     * `release`. Fails with STATUS_UNAVAILABLE and the reason, STATUS_MEMORY, STATUS_CANCELLED. */
    enum status (*prepare)(const struct trisolve_parts *parts, enum trisolve_operation operation, int threads,
                           struct progress *progress, void **state, struct error *error);
    /* The same for a kernel of devices, whose `prepare` is NULL. The parts may be freed afterwards.
     * STATUS_USAGE for wrong parameters. */
    enum status (*prepare_on)(const struct trisolve_parts *parts, enum trisolve_operation operation,
                              const struct trisolve_place *place, struct progress *progress, void **state,
                              struct error *error);
    /* Compute x from b. With TRISOLVE_SYMGS, x holds x0 before. The kernels cpu/ also accept b = x, except
     * with TRISOLVE_SYMGS. Allocates nothing. A failure makes x NaN. On a device, b and x are in its memory,
     * and the work is put into its queue. */
    void (*run)(void *state, const double *b, double *x);
    /* Wait for a device, and fail if a run failed. NULL: none fails. */
    enum status (*outcome)(void *state, struct error *error);
    void (*release)(void *state);
    struct trisolve_facts (*facts)(const void *state); /* NULL: none are known */
};
extern const struct trisolve_kernel *const trisolve_kernels[];

extern const struct trisolve_kernel trisolve_sequential, trisolve_levels, trisolve_mkl, trisolve_cuda_free,
    trisolve_cuda_levels, trisolve_cusparse;

#endif
