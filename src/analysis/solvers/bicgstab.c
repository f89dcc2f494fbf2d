/* BiCGSTAB: Saad, algorithm 7.7; with a preconditioner from the right, Templates, figure 2.10. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/solvers/krylov.h"
#include "analysis/solvers/vectors.h"

enum { R, SHADOW, P, V, T, P_HAT, S_HAT, VECTORS };

/* A dot product is lost in rounding if it is this small beside the product of the norms. */
#define LOST (DBL_EPSILON * DBL_EPSILON)

/* The scalars of the recurrence. */
struct scalars {
    struct scalar rho, alpha, omega;
    double shadow; /* the norm of the first residual */
};

/* x += alpha p_hat, r = r - alpha v. Returns false after a breakdown. */
static bool half_step(struct krylov *krylov, struct scalars *scalars, const double **p_hat)
{
    double *r = krylov_vector(krylov, R), *v = krylov_vector(krylov, V);
    *p_hat = krylov_precondition(krylov, krylov_vector(krylov, P), krylov_vector(krylov, P_HAT));
    krylov_multiply(krylov, *p_hat, v);
    const struct scalar projected = krylov_inner(krylov, krylov_vector(krylov, SHADOW), v);
    if (!(scalar_size(projected) > LOST * krylov_norm(krylov, v) * scalars->shadow)) {
        krylov_break(krylov, "(A p, r0) = 0 at iteration %lld; GMRES does not break down",
                     (long long)krylov->solve->iterations + 1);
        return false;
    }
    scalars->alpha = scalar_quotient(scalars->rho, projected);
    vector_add_scaled(krylov->n, scalars->alpha, *p_hat, krylov->x);
    vector_add_scaled(krylov->n, scalar_negative(scalars->alpha), v, r);
    return true;
}

/* x += omega s_hat, r = s - omega A s_hat, where r holds s before. Returns false after a breakdown. */
static bool other_half(struct krylov *krylov, struct scalars *scalars)
{
    double *r = krylov_vector(krylov, R), *t = krylov_vector(krylov, T);
    const double *s_hat = krylov_precondition(krylov, r, krylov_vector(krylov, S_HAT));
    krylov_multiply(krylov, s_hat, t);
    const double square = krylov_dot(krylov, t, t);
    scalars->omega = square > 0 ? scalar_quotient(krylov_inner(krylov, t, r), (struct scalar){square, 0})
                                : (struct scalar){0};
    if (scalar_size(scalars->omega) == 0 || isnan(scalar_size(scalars->omega))) {
        krylov_break(krylov, "omega = 0 at iteration %lld; GMRES does not break down",
                     (long long)krylov->solve->iterations + 1);
        return false;
    }
    vector_add_scaled(krylov->n, scalars->omega, s_hat, krylov->x);
    vector_add_scaled(krylov->n, scalar_negative(scalars->omega), t, r);
    return true;
}

static enum status run_bicgstab(struct krylov *krylov, struct error *error)
{
    const int64_t n = krylov->n;
    const double *p_hat;
    double *r = krylov_vector(krylov, R), *p = krylov_vector(krylov, P);
    const size_t bytes = (size_t)n * sizeof *r;
    struct scalars scalars = {.rho = {krylov->norm * krylov->norm, 0}, .shadow = krylov->norm};
    memcpy(r, krylov->b, bytes);
    memcpy(krylov_vector(krylov, SHADOW), krylov->b, bytes);
    memcpy(p, krylov->b, bytes);
    while (half_step(krylov, &scalars, &p_hat)) {
        const double half = krylov_norm(krylov, r);
        if (half <= krylov->least) { /* the second half is unnecessary */
            krylov_step(krylov, half);
            break;
        }
        if (!other_half(krylov, &scalars)) break;
        const double norm = krylov_norm(krylov, r);
        if (!krylov_step(krylov, norm)) break;
        const struct scalar rho = krylov_inner(krylov, krylov_vector(krylov, SHADOW), r);
        if (!(scalar_size(rho) > LOST * norm * scalars.shadow)) {
            krylov_break(krylov, "(r, r0) = 0 at iteration %lld; GMRES does not break down",
                         (long long)krylov->solve->iterations);
            break;
        }
        const struct scalar beta =
            scalar_product(scalar_quotient(rho, scalars.rho), scalar_quotient(scalars.alpha, scalars.omega));
        scalars.rho = rho;
        vector_add_scaled(n, scalar_negative(scalars.omega), krylov_vector(krylov, V), p);
        vector_add_to_scaled(n, r, beta, p);
    }
    return progress_status(krylov->progress, error);
}

const struct solver_method solver_bicgstab = {
    .name = "bicgstab",
    .title = "BiCGSTAB",
    .summary = "stabilised biconjugate gradients; two products an iteration",
    .source = "Saad 2003, algorithm 7.7",
    .vectors = VECTORS,
    .run = run_bicgstab,
};
