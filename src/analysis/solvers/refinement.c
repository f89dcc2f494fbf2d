/* Iterative refinement in two precisions: Buttari and others, ACM TOMS 34 (4), 2008; with Krylov methods
 * inside, Anzt, Heuveline and Rocker, PARA 2010. */
#include <math.h>
#include <string.h>

#include "analysis/solvers/krylov.h"
#include "analysis/solvers/vectors.h"

/* A round that leaves more than this share of the residual ends the refinement: f32 is too coarse. */
#define STALLED 0.5

/* Return ||b - A x||, and put the vector into r. */
static double refresh(struct krylov *krylov, double *r)
{
    const float *narrow = krylov->narrow;
    krylov->narrow = NULL;
    krylov_multiply(krylov, krylov->x, r);
    krylov->narrow = narrow;
    krylov->solve->refreshes++;
    vector_add_to(krylov->n, krylov->b, -1, r);
    return krylov_norm(krylov, r);
}

enum status solver_refine(struct krylov *krylov, const struct solver_method *method, double *scratch,
                          struct error *error)
{
    struct solve *solve = krylov->solve;
    double *r = scratch, *d = scratch + krylov->n, norm = krylov->norm;
    memcpy(r, krylov->b, (size_t)krylov->n * sizeof *r);
    for (;;) {
        struct krylov inner = *krylov;
        inner.b = r;
        inner.x = d;
        inner.norm = norm;
        inner.least = fmax(REFINE_INNER * norm, 0.5 * krylov->least);
        memset(d, 0, (size_t)krylov->n * sizeof *d);
        enum status status = method->run(&inner, error);
        if (status != STATUS_OK) return status;
        vector_add(krylov->n, 1, d, krylov->x);
        const double before = norm;
        norm = refresh(krylov, r);
        solve->residual = solve->curve[solve->iterations] = norm / krylov->whole;
        if (solve->end != SOLVE_CONVERGED) return STATUS_OK;
        if (norm <= krylov->least) return STATUS_OK;
        solve->end = SOLVE_MOST;
        if (solve->iterations >= krylov->options->most) return STATUS_OK;
        if (!(norm < STALLED * before)) {
            krylov_break(krylov, "refinement stalls: A rounded to f32 is too far from A");
            return STATUS_OK;
        }
    }
}
