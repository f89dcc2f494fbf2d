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
    struct scalar *h; /* column j of the rotated Hessenberg matrix begins at h + j (m + 1); owned, with the
                         following arrays */
    struct scalar *cosine, *sine; /* of the rotations; sines are real */
    struct scalar *g;             /* the rotated right-hand side */
    struct scalar *y;             /* the solution */
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

static struct scalar sum_of(struct scalar a, struct scalar b)
{
    return (struct scalar){a.re + b.re, a.im + b.im};
}

/* Rotate column j of h so that its last element, which is real, becomes 0, by the unitary matrix
 *
 *     conj(c)  s        c = h_j / length,  s = h_j+1 / length.
 *       -s     c
 */
static void rotate(struct small *small, int j)
{
    struct scalar *h = small->h + (ptrdiff_t)j * (small->m + 1), *c = small->cosine, *s = small->sine,
                  *g = small->g;
    for (int i = 0; i < j; i++) {
        const struct scalar above =
            sum_of(scalar_product(scalar_conjugate(c[i]), h[i]), scalar_product(s[i], h[i + 1]));
        h[i + 1] = sum_of(scalar_product(c[i], h[i + 1]), scalar_negative(scalar_product(s[i], h[i])));
        h[i] = above;
    }
    const double length = hypot(scalar_size(h[j]), h[j + 1].re);
    const struct scalar whole = {length, 0};
    c[j] = length > 0 ? scalar_quotient(h[j], whole) : (struct scalar){1, 0};
    s[j] = length > 0 ? scalar_quotient(h[j + 1], whole) : (struct scalar){0};
    h[j] = whole;
    g[j + 1] = scalar_product(scalar_negative(s[j]), g[j]);
    g[j] = scalar_product(g[j], scalar_conjugate(c[j]));
}

/* Make vector j + 1 of the basis: A M^-1 v_j, orthogonalized against the vectors before it. It is not scaled
 * yet, and h holds its norm. Returns its norm before orthogonalization. */
static double extend(struct krylov *krylov, struct small *small, int j)
{
    struct scalar *h = small->h + (ptrdiff_t)j * (small->m + 1);
    double *next = krylov_vector(krylov, BASIS + j + 1);
    const double *z = krylov_precondition(krylov, krylov_vector(krylov, BASIS + j), krylov_vector(krylov, Z));
    krylov_multiply(krylov, z, next);
    const double norm = krylov_norm(krylov, next);
    for (int i = 0; i <= j; i++) {
        h[i] = krylov_inner(krylov, krylov_vector(krylov, BASIS + i), next);
        vector_add_scaled(krylov->n, scalar_negative(h[i]), krylov_vector(krylov, BASIS + i), next);
    }
    h[j + 1] = (struct scalar){krylov_norm(krylov, next), 0};
    return norm;
}

/* x += M^-1 V y, where y solves the triangular system of `size` unknowns. */
static void add_solution(struct krylov *krylov, const struct small *small, int size)
{
    double *w = krylov_vector(krylov, W);
    struct scalar *y = small->y;
    for (int i = size - 1; i >= 0; i--) {
        y[i] = small->g[i];
        for (int j = i + 1; j < size; j++)
            y[i] = sum_of(y[i],
                          scalar_negative(scalar_product(small->h[(ptrdiff_t)j * (small->m + 1) + i], y[j])));
        y[i] = scalar_quotient(y[i], small->h[(ptrdiff_t)i * (small->m + 1) + i]);
    }
    memset(w, 0, (size_t)krylov->n * sizeof *w);
    for (int j = 0; j < size; j++)
        vector_add_scaled(krylov->n, y[j], krylov_vector(krylov, BASIS + j), w);
    vector_add(krylov->n, 1, krylov_precondition(krylov, w, krylov_vector(krylov, Z)), krylov->x);
}

/* A cycle from the residual of norm `beta` in the first vector of the basis. Returns false after the last. */
static bool cycle(struct krylov *krylov, struct small *small, double beta)
{
    bool more = true;
    int size = 0;
    vector_scale(krylov->n, 1 / beta, krylov_vector(krylov, BASIS), krylov_vector(krylov, BASIS));
    small->g[0] = (struct scalar){beta, 0};
    while (more && size < small->m) {
        struct scalar *h = small->h + (ptrdiff_t)size * (small->m + 1);
        double *next;
        const double norm = extend(krylov, small, size), left = h[size + 1].re;
        const bool exhausted = !(left > DBL_EPSILON * norm);
        if (exhausted) h[size + 1].re = 0; /* only rounding errors remain */
        rotate(small, size);
        if (exhausted && !(h[size].re > DBL_EPSILON * norm)) {
            krylov_break(krylov, "the Krylov space is exhausted at iteration %lld: the matrix is singular",
                         (long long)krylov->solve->iterations + 1);
            more = false;
            break;
        }
        size++;
        more = krylov_step(krylov, scalar_size(small->g[size])) && !exhausted;
        next = krylov_vector(krylov, BASIS + size);
        if (more) vector_scale(krylov->n, 1 / left, next, next);
    }
    if (size > 0 && isfinite(scalar_size(small->g[0]))) add_solution(krylov, small, size);
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
