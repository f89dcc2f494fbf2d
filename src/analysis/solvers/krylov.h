/* State and steps that the methods share. Only the files of this folder, and tests, include this. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_KRYLOV_H
#define SPARSIGHT_ANALYSIS_SOLVERS_KRYLOV_H

#include "analysis/solvers/pace.h"
#include "analysis/solvers/preconditioner.h"
#include "analysis/solvers/solver.h"
#include "analysis/solvers/vectors.h"

/* The times of a running solve: products, preconditionings, and the rest of each iteration. */
struct krylov_times {
    struct pace part[SOLVE_PARTS];
    double since;  /* when the time of the iteration began */
    double inside; /* seconds since then in products and preconditionings */
};

/* A running solve. The caller owns the pointers. */
struct krylov {
    const struct csr *a;
    const float *narrow; /* the values in f32, with which products are computed; NULL: those of a. Complex
                            ones are pairs */
    const struct preconditioner *preconditioner;
    const struct solver_options *options;
    int64_t n;       /* numbers of a vector: the rows, or twice as many of a complex matrix */
    bool complex;    /* vectors are pairs of numbers */
    double norm;     /* ||b|| */
    double whole;    /* residuals are given relative to this norm: ||b||, or in a refinement the norm of its
                        right-hand side */
    double least;    /* the solve ends when ||r|| is at most this */
    const double *b; /* the right-hand side */
    double *x;       /* 0 at the beginning, the solution at the end */
    double *vectors; /* n numbers for each vector of the method */
    double *sums;    /* for vector_dot */
    struct solve *solve;
    struct krylov_times *times;
    struct progress *progress;
};

/* Return vector k of the method. */
static inline double *krylov_vector(const struct krylov *krylov, int k)
{
    return krylov->vectors + k * krylov->n;
}

/* The real part of x^H y, and all of it. */
double krylov_dot(const struct krylov *krylov, const double *x, const double *y);
struct scalar krylov_inner(const struct krylov *krylov, const double *x, const double *y);
double krylov_norm(const struct krylov *krylov, const double *x);

/* y = A x, timed and counted. */
void krylov_multiply(struct krylov *krylov, const double *x, double *y);

/* Compute z = M^-1 r, timed and counted, and return z; without a preconditioner return r, and do not change
 * z. */
const double *krylov_precondition(struct krylov *krylov, const double *r, double *z);

/* Note ||r|| after the next iteration. Returns true if the method goes on. Otherwise the end of the solve is
 * set: converged, out of iterations, breakdown because of numbers that are not finite, or cancellation. */
bool krylov_step(struct krylov *krylov, double norm);

/* Add the time since the last iteration, without products and preconditionings, to SOLVE_VECTORS. krylov_step
 * calls this. */
void krylov_lap(struct krylov *krylov);

/* End the solve with a breakdown and its reason. */
void krylov_break(struct krylov *krylov, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* y = A x, with the values of A or, unless NULL, with these in f32. Vectors of a complex matrix are pairs of
 * numbers. Each thread takes rows with about as many
 * entries; the terms of a row are added in their order. */
void solver_multiply(const struct csr *a, const float *narrow, const double *x, double *y);

/* Iterative refinement: solve A32 d = b - A x by the method, where A32 is A rounded to f32 (krylov->narrow),
 * to REFINE_INNER; add d to x, and compute the residual with A; until it meets the tolerance. `scratch` has
 * 2 n numbers. The same results and errors as those of a method. */
#define REFINE_INNER 1e-4
enum status solver_refine(struct krylov *krylov, const struct solver_method *method, double *scratch,
                          struct error *error);

#endif
