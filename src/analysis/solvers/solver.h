/* Krylov methods on A x = b: the number of products of a solve, the decrease of the residual, and the
 * division of the time. Sources: Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, SIAM 2003;
 * Barrett and others, Templates for the Solution of Linear Systems, SIAM 1994. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_SOLVER_H
#define SPARSIGHT_ANALYSIS_SOLVERS_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/parameters.h"
#include "matrix/csr.h"

struct krylov;
struct preconditioner_kind;

/* A method. The table is in solver.c, ended by NULL. */
struct solver_method {
    const char *name;    /* "cg" */
    const char *title;   /* "CG" */
    const char *summary; /* one line for the help */
    const char *source;  /* the source of the algorithm */
    bool symmetric;      /* it needs a symmetric matrix, or a Hermitian one */
    int vectors;         /* vectors of n numbers that it needs in addition to x and b */
    bool restarts;       /* it needs restart + 1 more vectors */
    enum status (*run)(struct krylov *krylov, struct error *error);
};
extern const struct solver_method *const solver_methods[];

#define SOLVER_METHODS 3
#define SOLVER_REASON 240

/* The request. solver_options_standard() has the defaults. */
struct solver_options {
    unsigned methods;         /* bits, by the index in solver_methods */
    unsigned preconditioners; /* bits, by the index in `preconditioners` */
    double tolerance;         /* the solve ends when ||r|| <= tolerance ||b|| */
    int64_t most;             /* iterations at most */
    int restart;              /* the restart length of GMRES */
    int block;                /* rows of a block of block Jacobi */
    double shift;             /* of the pivots of ILU(0) and IC(0), as a share of the row's largest |a| */
    bool ones;                /* b is A times ones; else A times random numbers from (-1, 1) */
    int64_t seed;             /* the seed of the random numbers */
    bool refine;              /* also refine solves with the matrix stored in f32 */
};

struct solver_options solver_options_standard(void);

/* Read "cg,ilu0,tol=1e-8,max=500": names of methods and preconditioners, and parameters. Without a method all
 * methods are run, and without a preconditioner all preconditioners; "" leaves all defaults. STATUS_USAGE. */
enum status solver_options_read(const char *text, struct solver_options *options, struct error *error);

/* Return word k of requests, for completion and help; NULL after the last. */
const char *solver_options_word(int k);

extern const struct parameter solver_parameters[];

/* The end of a solve. */
enum solve_end {
    SOLVE_CONVERGED, /* the residual of the recurrence, and that of x within a factor of 10, meet the
                        tolerance */
    SOLVE_DRIFTED,   /* the residual of the recurrence meets it, but b - A x is more than 10 times larger */
    SOLVE_MOST,      /* the iterations were used up */
    SOLVE_BROKEN,    /* the method broke down; `reason` states how */
    SOLVE_REFUSED,   /* it was not run; `reason` states why */
    SOLVE_ENDS
};

/* The parts of a solve's time. SOLVE_VECTORS is the time that is in no other part. A call that takes far
 * longer than the median call of its part counts as the median (pace.h). */
enum solve_part { SOLVE_SETUP, SOLVE_PRODUCTS, SOLVE_PRECONDITIONER, SOLVE_VECTORS, SOLVE_PARTS };

/* One solve: a method with a preconditioner. */
struct solve {
    const struct solver_method *method;
    const struct preconditioner_kind *preconditioner;
    enum solve_end end;
    char reason[SOLVER_REASON]; /* the reason of SOLVE_BROKEN and SOLVE_REFUSED; else "" */
    bool refined;               /* refinement, with the matrix stored in f32 */
    int64_t iterations;
    int64_t products;     /* A times a vector, without that of the check */
    int64_t refreshes;    /* of `products`, those in f64 for the residual of a refinement */
    int64_t applications; /* of the preconditioner */
    double residual;      /* ||r|| / ||b|| of the recurrence */
    double true_residual; /* ||b - A x|| / ||b||, computed at the end from x */
    double seconds[SOLVE_PARTS];
    double *curve; /* ||r|| / ||b|| after iteration 0, 1, .. `iterations`; owned */
};

/* All solves of a request, by preconditioner within each method. Free with solving_free; takes {0}. */
struct solving {
    struct solver_options options;
    int64_t rows, nnz;  /* of the matrix */
    bool symmetric;     /* a_ij = a_ji for all entries, or its conjugate if the matrix is complex */
    struct solve *runs; /* owned */
    int count;
    int fastest; /* the converged solve that took the least time; -1: none converged */
};

void solving_free(struct solving *solving);

/* Run the requested solves one after another, from x = 0. A solve that cannot be run has its reason.
 * STATUS_UNAVAILABLE if none can: the matrix is not square, or is empty, or its entries are not in memory.
 * Solves of a complex matrix are complex; its preconditioners are those of a real one of twice the size
 * (embedding.h). STATUS_LIMIT if the vectors exceed `limit` beside the matrix. STATUS_MEMORY,
 * STATUS_CANCELLED. A solve takes O(iterations (nnz + rows)). Parallel; numbers of iterations and residuals
 * do not depend on the number of threads. */
enum status solving_run(const struct csr *a, const struct solver_options *options, size_t limit,
                        struct progress *progress, struct solving *solving, struct error *error);

/* Return the largest number of bytes that solving_run allocates, including its results. */
size_t solving_bytes(const struct csr *a, const struct solver_options *options);

/* The sum of the parts, with the set-up. */
double solve_seconds(const struct solve *solve);

/* "CG", "BiCGSTAB, Jacobi", "GMRES, ILU(0), refined". Returns out. */
char *solve_name(const struct solve *solve, char *out, size_t size);
#define SOLVE_NAME 64

/* "converged", "drifted", "iterations", "breakdown", "refused". */
const char *solve_end_name(enum solve_end end);

#endif
