/* Conjugate gradients: Saad, algorithm 6.18, with a preconditioner 9.1. */
#include <math.h>
#include <string.h>

#include "analysis/solvers/krylov.h"
#include "analysis/solvers/vectors.h"

enum { R, Z, P, Q, VECTORS };

static enum status run_cg(struct krylov *krylov, struct error *error)
{
    const int64_t n = krylov->n;
    double *r = krylov_vector(krylov, R), *p = krylov_vector(krylov, P), *q = krylov_vector(krylov, Q);
    memcpy(r, krylov->b, (size_t)n * sizeof *r);
    const double *z = krylov_precondition(krylov, r, krylov_vector(krylov, Z));
    double rz = krylov_dot(krylov, r, z);
    double signs[2] = {
        rz, 0}; /* of the first r^T M^-1 r and p^T A p: negative definite matrices are accepted, too */
    memcpy(p, z, (size_t)n * sizeof *p);
    for (;;) {
        if (!(rz * copysign(1, signs[0]) > 0)) {
            krylov_break(krylov, "the preconditioner is not definite: r^T M^-1 r = %.2g", rz);
            break;
        }
        krylov_multiply(krylov, p, q);
        const double curvature = krylov_dot(krylov, p, q);
        if (signs[1] == 0) signs[1] = curvature;
        if (!(curvature * copysign(1, signs[1]) > 0)) {
            krylov_break(
                krylov,
                "the matrix is not definite: p^T A p = %.2g at iteration %lld; GMRES does not need that",
                curvature, (long long)krylov->solve->iterations + 1);
            break;
        }
        const double step = rz / curvature;
        vector_add(n, step, p, krylov->x);
        vector_add(n, -step, q, r);
        const double square = krylov_dot(krylov, r, r);
        if (!krylov_step(krylov, sqrt(square))) break;
        z = krylov_precondition(krylov, r, krylov_vector(krylov, Z));
        const double next = z == r ? square : krylov_dot(krylov, r, z);
        vector_add_to(n, z, next / rz, p);
        rz = next;
    }
    return progress_status(krylov->progress, error);
}

const struct solver_method solver_cg = {
    .name = "cg",
    .title = "CG",
    .summary = "conjugate gradients, for symmetric definite matrices",
    .source = "Saad 2003, algorithms 6.18 and 9.1",
    .symmetric = true,
    .vectors = VECTORS,
    .run = run_cg,
};
