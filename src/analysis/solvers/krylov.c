#include "analysis/solvers/krylov.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/solvers/vectors.h"
#include "base/range.h"

double krylov_dot(const struct krylov *krylov, const double *x, const double *y)
{
    return vector_dot(krylov->n, x, y, krylov->sums);
}

struct scalar krylov_inner(const struct krylov *krylov, const double *x, const double *y)
{
    return (struct scalar){krylov_dot(krylov, x, y),
                           krylov->complex ? vector_cross(krylov->n, x, y, krylov->sums) : 0};
}

double krylov_norm(const struct krylov *krylov, const double *x)
{
    return sqrt(krylov_dot(krylov, x, x));
}

/* Return the first row of share t of T: the first that begins at entry t nnz / T or later. */
static int64_t share_begin(const struct csr *a, int t, int shares)
{
    const int64_t entry = csr_nnz(a) / shares * t;
    int64_t low = 0, high = a->rows;
    if (t == shares) return a->rows;
    if (t == 0) return 0;
    BISECT(low, high, a->row_ptr[middle] < entry)
    return low;
}

static void multiply_rows(const struct csr *a, int64_t from, int64_t to, const double *x, double *y)
{
    for (int64_t i = from; i < to; i++) {
        double sum = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            sum += a->val[k] * x[a->col[k]];
        y[i] = sum;
    }
}

static void multiply_narrow(const struct csr *a, const float *val, int64_t from, int64_t to, const double *x,
                            double *y)
{
    for (int64_t i = from; i < to; i++) {
        double sum = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            sum += (double)val[k] * x[a->col[k]];
        y[i] = sum;
    }
}

static void multiply_complex(const struct csr *a, int64_t from, int64_t to, const double *x, double *y)
{
    for (int64_t i = from; i < to; i++) {
        double real = 0, imaginary = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const double *at = x + 2 * (ptrdiff_t)a->col[k];
            real += a->val[k] * at[0] - a->imaginary[k] * at[1];
            imaginary += a->val[k] * at[1] + a->imaginary[k] * at[0];
        }
        y[2 * i] = real;
        y[2 * i + 1] = imaginary;
    }
}

static void multiply_narrow_complex(const struct csr *a, const float *val, int64_t from, int64_t to,
                                    const double *x, double *y)
{
    for (int64_t i = from; i < to; i++) {
        double real = 0, imaginary = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const double *at = x + 2 * (ptrdiff_t)a->col[k], re = (double)val[2 * k],
                         im = (double)val[2 * k + 1];
            real += re * at[0] - im * at[1];
            imaginary += re * at[1] + im * at[0];
        }
        y[2 * i] = real;
        y[2 * i + 1] = imaginary;
    }
}

void solver_multiply(const struct csr *a, const float *narrow, const double *x, double *y)
{
#pragma omp parallel if (csr_nnz(a) > VECTOR_SHARED)
    {
        const int t = omp_get_thread_num(), shares = omp_get_num_threads();
        const int64_t from = share_begin(a, t, shares), to = share_begin(a, t + 1, shares);
        if (narrow && csr_complex(a))
            multiply_narrow_complex(a, narrow, from, to, x, y);
        else if (csr_complex(a))
            multiply_complex(a, from, to, x, y);
        else if (narrow)
            multiply_narrow(a, narrow, from, to, x, y);
        else
            multiply_rows(a, from, to, x, y);
    }
}

/* Note a call of a part that began at this time. */
static void note_call(struct krylov *krylov, enum solve_part part, double begun)
{
    const double seconds = clock_seconds() - begun;
    pace_add(&krylov->times->part[part], seconds);
    krylov->times->inside += seconds;
}

void krylov_lap(struct krylov *krylov)
{
    struct krylov_times *times = krylov->times;
    const double now = clock_seconds();
    pace_add(&times->part[SOLVE_VECTORS], fmax(0, now - times->since - times->inside));
    times->since = now;
    times->inside = 0;
}

void krylov_multiply(struct krylov *krylov, const double *x, double *y)
{
    const double begun = clock_seconds();
    solver_multiply(krylov->a, krylov->narrow, x, y);
    note_call(krylov, SOLVE_PRODUCTS, begun);
    krylov->solve->products++;
}

const double *krylov_precondition(struct krylov *krylov, const double *r, double *z)
{
    const struct preconditioner *preconditioner = krylov->preconditioner;
    if (!preconditioner->kind->apply) return r;
    const double begun = clock_seconds();
    preconditioner->kind->apply(preconditioner, r, z);
    note_call(krylov, SOLVE_PRECONDITIONER, begun);
    krylov->solve->applications++;
    return z;
}

bool krylov_step(struct krylov *krylov, double norm)
{
    struct solve *solve = krylov->solve;
    krylov_lap(krylov);
    solve->iterations++;
    solve->residual = norm / krylov->whole;
    solve->curve[solve->iterations] = solve->residual;
    progress_add(krylov->progress, 1);
    if (progress_cancelled(krylov->progress)) return false;
    if (!isfinite(norm)) {
        krylov_break(krylov, "numbers overflow at iteration %lld", (long long)solve->iterations);
        return false;
    }
    solve->end = norm <= krylov->least ? SOLVE_CONVERGED : SOLVE_MOST;
    return norm > krylov->least && solve->iterations < krylov->options->most;
}

void krylov_break(struct krylov *krylov, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(krylov->solve->reason, sizeof krylov->solve->reason, format, arguments);
    va_end(arguments);
    krylov->solve->end = SOLVE_BROKEN;
}
