/* GMRES, restarted: Saad, algorithm 6.9 with modified Gram-Schmidt and Givens rotations (section 6.5.3), with
 * a preconditioner from the right (algorithm 9.5), so that its residual is that of A x = b. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/krylov.h"
#include "analysis/solvers/vectors.h"
#include "base/memory.h"

enum { Z, W, BASIS }; /* followed by restart + 1 vectors of the basis */

/* The least-squares problem of a cycle of m steps. */
struct small {
    int m;
    double *h; /* column j of the rotated Hessenberg matrix begins at h + j (m + 1); owned, with the following
                  arrays */
    double *cosine, *sine; /* of the rotations */
    double *g;             /* the rotated right-hand side */
    double *y;             /* the solution */
};

static enum status small_make(struct small *small, int m, struct error *error)
{
    const size_t size = (size_t)m + 1;
    *small = (struct small){.m = m};
    small->h = memory_array(size * (size + 4), sizeof *small->h, error);
    if (!small->h) return STATUS_MEMORY;
    small->cosine = small->h + size * size;
    small->sine = small->cosine + size;
    small->g = small->sine + size;
    small->y = small->g + size;
    return STATUS_OK;
}

/* Rotate column j of h so that its last element becomes 0. */
static void rotate(struct small *small, int j)
{
    double *h = small->h + (ptrdiff_t)j * (small->m + 1), *c = small->cosine, *s = small->sine, *g = small->g;
    for (int i = 0; i < j; i++) {
        const double above = c[i] * h[i] + s[i] * h[i + 1];
        h[i + 1] = c[i] * h[i + 1] - s[i] * h[i];
        h[i] = above;
    }
    const double length = hypot(h[j], h[j + 1]);
    c[j] = length > 0 ? h[j] / length : 1;
    s[j] = length > 0 ? h[j + 1] / length : 0;
    h[j] = length;
    g[j + 1] = -s[j] * g[j];
    g[j] *= c[j];
}

/* Make vector j + 1 of the basis: A M^-1 v_j, orthogonalized against the vectors before it. It is not scaled
 * yet, and h holds its norm. Returns its norm before orthogonalization. */
static double extend(struct krylov *krylov, struct small *small, int j)
{
    double *h = small->h + (ptrdiff_t)j * (small->m + 1), *next = krylov_vector(krylov, BASIS + j + 1);
    const double *z = krylov_precondition(krylov, krylov_vector(krylov, BASIS + j), krylov_vector(krylov, Z));
    krylov_multiply(krylov, z, next);
    const double norm = krylov_norm(krylov, next);
    for (int i = 0; i <= j; i++) {
        h[i] = krylov_dot(krylov, next, krylov_vector(krylov, BASIS + i));
        vector_add(krylov->n, -h[i], krylov_vector(krylov, BASIS + i), next);
    }
    h[j + 1] = krylov_norm(krylov, next);
    return norm;
}

/* x += M^-1 V y, where y solves the triangular system of `size` unknowns. */
static void add_solution(struct krylov *krylov, const struct small *small, int size)
{
    double *w = krylov_vector(krylov, W), *y = small->y;
    for (int i = size - 1; i >= 0; i--) {
        y[i] = small->g[i];
        for (int j = i + 1; j < size; j++)
            y[i] -= small->h[(ptrdiff_t)j * (small->m + 1) + i] * y[j];
        y[i] /= small->h[(ptrdiff_t)i * (small->m + 1) + i];
    }
    vector_scale(krylov->n, size > 0 ? y[0] : 0, krylov_vector(krylov, BASIS), w);
    for (int j = 1; j < size; j++)
        vector_add(krylov->n, y[j], krylov_vector(krylov, BASIS + j), w);
    vector_add(krylov->n, 1, krylov_precondition(krylov, w, krylov_vector(krylov, Z)), krylov->x);
}

/* A cycle from the residual of norm `beta` in the first vector of the basis. Returns false after the last. */
static bool cycle(struct krylov *krylov, struct small *small, double beta)
{
    bool more = true;
    int size = 0;
    vector_scale(krylov->n, 1 / beta, krylov_vector(krylov, BASIS), krylov_vector(krylov, BASIS));
    small->g[0] = beta;
    while (more && size < small->m) {
        double *h = small->h + (ptrdiff_t)size * (small->m + 1), *next;
        const double norm = extend(krylov, small, size), left = h[size + 1];
        const bool exhausted = !(left > DBL_EPSILON * norm);
        if (exhausted) h[size + 1] = 0; /* only rounding errors remain */
        rotate(small, size);
        if (exhausted && !(h[size] > DBL_EPSILON * norm)) {
            krylov_break(krylov, "the Krylov space is exhausted at iteration %lld: the matrix is singular",
                         (long long)krylov->solve->iterations + 1);
            more = false;
            break;
        }
        size++;
        more = krylov_step(krylov, fabs(small->g[size])) && !exhausted;
        next = krylov_vector(krylov, BASIS + size);
        if (more) vector_scale(krylov->n, 1 / left, next, next);
    }
    if (size > 0 && isfinite(small->g[0])) add_solution(krylov, small, size);
    return more;
}

static enum status run_gmres(struct krylov *krylov, struct error *error)
{
    struct small small;
    enum status status = small_make(&small, krylov->options->restart, error);
    if (status != STATUS_OK) return status;
    double *r = krylov_vector(krylov, BASIS), beta = krylov->norm;
    memcpy(r, krylov->b, (size_t)krylov->n * sizeof *r);
    while (cycle(krylov, &small, beta)) {
        krylov_multiply(krylov, krylov->x, r);
        vector_add_to(krylov->n, krylov->b, -1, r);
        const double before = beta;
        beta = krylov_norm(krylov, r);
        if (!(beta < before * (1 - 1e-12))) {
            krylov_break(krylov, "GMRES(%d) stagnates: a cycle leaves the residual as it is; try restart=%d",
                         small.m, 2 * small.m);
            break;
        }
    }
    free(small.h);
    return progress_status(krylov->progress, error);
}

const struct solver_method solver_gmres = {
    .name = "gmres",
    .title = "GMRES",
    .summary = "generalised minimal residuals, restarted",
    .source = "Saad 2003, algorithms 6.9 and 9.5",
    .vectors = BASIS,
    .restarts = true,
    .run = run_gmres,
};
