#include "analysis/solvers/solver.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/embedding.h"
#include "analysis/solvers/krylov.h"
#include "analysis/solvers/vectors.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/generators/hash.h"

extern const struct solver_method solver_cg, solver_bicgstab, solver_gmres;

const struct solver_method *const solver_methods[] = {&solver_cg, &solver_bicgstab, &solver_gmres, NULL};

/* Data that the solves of a request share. */
struct work {
    const struct csr *a;
    struct csr embedded; /* of which preconditioners of a complex matrix are made; else {0} */
    int parts;           /* numbers of an element of a vector: 2 if the matrix is complex */
    struct solving *solving;
    struct progress *progress;
    double *b, *x, *sums, *vectors, *scratch;
    float *narrow; /* NULL without refinement */
    double norm;
};

static bool is_asked(unsigned bits, int k)
{
    return bits >> k & 1;
}

/* Return the maximum number of vectors that a requested method needs. */
static size_t most_vectors(const struct solver_options *options)
{
    size_t most = 0;
    for (int k = 0; solver_methods[k]; k++) {
        const struct solver_method *method = solver_methods[k];
        const size_t count = (size_t)method->vectors + (method->restarts ? (size_t)options->restart + 1 : 0);
        if (is_asked(options->methods, k) && count > most) most = count;
    }
    return most;
}

/* True if preconditioners are made of the embedded matrix. The first of their table needs none. */
static bool is_embedded(const struct csr *a, const struct solver_options *options)
{
    return csr_complex(a) && (options->preconditioners & ~1u);
}

static int count_runs(const struct solver_options *options)
{
    return __builtin_popcount(options->methods) * __builtin_popcount(options->preconditioners) *
           (options->refine ? 2 : 1);
}

size_t solving_bytes(const struct csr *a, const struct solver_options *options)
{
    const size_t parts = csr_complex(a) ? 2 : 1;
    size_t vectors, curves, most = 0;
    size_multiply(most_vectors(options) + 3 + (options->refine ? 2 : 0),
                  (size_t)a->rows * sizeof(double) * parts, &vectors);
    size_multiply((size_t)count_runs(options), ((size_t)options->most + 1) * sizeof(double), &curves);
    for (int k = 0; preconditioners[k]; k++) {
        if (!is_asked(options->preconditioners, k) || !preconditioners[k]->bytes) continue;
        const size_t bytes = preconditioners[k]->bytes(a, options) * parts * parts;
        if (bytes > most) most = bytes;
    }
    size_add(vectors, curves, &vectors);
    size_add(vectors, most, &vectors);
    size_add(vectors, options->refine ? (size_t)csr_nnz(a) * sizeof(float) * parts : 0, &vectors);
    size_add(vectors, is_embedded(a, options) ? embedding_bytes(a) : 0, &vectors);
    return vectors;
}

/* True if a_ij = a_ji for all entries, or the conjugate of it in a complex matrix. O(nnz log len). */
static bool is_symmetric(const struct csr *a)
{
    const bool complex = csr_complex(a);
    bool same = true;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : same) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; same && k < a->row_ptr[i + 1]; k++) {
            const int64_t mirror = a->col[k] == i ? k : csr_find(a, a->col[k], i);
            same = mirror >= 0 && a->val[mirror] == a->val[k] &&
                   (!complex || a->imaginary[mirror] == -a->imaginary[k]);
        }
    return same;
}

static enum status may_solve(const struct csr *a, const struct solver_options *options, size_t limit,
                             struct error *error)
{
    if (a->skeleton)
        return error_set(error, STATUS_UNAVAILABLE,
                         "solves: unavailable, since the entries are not in memory");
    if (a->rows != a->cols)
        return error_set(error, STATUS_UNAVAILABLE, "solves: unavailable, since the matrix is not square");
    return memory_check_beside(solving_bytes(a, options), csr_bytes(a->rows, csr_nnz(a), csr_complex(a)),
                               limit, "the vectors of solves", error);
}

static void work_free(struct work *work)
{
    csr_free(&work->embedded);
    free(work->b);
    free(work->narrow);
}

/* b and the other vectors lie in one array. */
static enum status work_make(struct work *work, struct error *error)
{
    const struct solver_options *options = &work->solving->options;
    const struct csr *a = work->a;
    const size_t parts = (size_t)work->parts, n = (size_t)a->rows * parts, nnz = (size_t)csr_nnz(a);
    const size_t count = 2 + most_vectors(options) + (options->refine ? 2 : 0);
    size_t numbers;
    if (!size_multiply(count, n, &numbers) ||
        !size_add(numbers, (size_t)vector_stretches((int64_t)n), &numbers))
        return error_set(error, STATUS_MEMORY, "out of memory");
    work->b = memory_array(numbers, sizeof *work->b, error);
    if (!work->b) return STATUS_MEMORY;
    threads_place(work->b, numbers * sizeof *work->b);
    work->x = work->b + n;
    work->vectors = work->x + n;
    work->scratch = work->vectors + most_vectors(options) * n;
    work->sums = work->scratch + (options->refine ? 2 : 0) * n;
    if (is_embedded(a, options) && embedding_make(a, &work->embedded, error) != STATUS_OK)
        return STATUS_MEMORY;
    if (!options->refine) return STATUS_OK;
    work->narrow = memory_array(nnz * parts, sizeof *work->narrow, error);
    if (!work->narrow) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (nnz > PARALLEL_MIN)
    for (size_t k = 0; k < nnz; k++) {
        work->narrow[k * parts] = (float)a->val[k];
        if (parts > 1) work->narrow[k * parts + 1] = (float)a->imaginary[k];
    }
    return STATUS_OK;
}

/* b = A x*. */
static enum status make_right_side(struct work *work, struct error *error)
{
    const struct solver_options *options = &work->solving->options;
    const uint64_t key = hash_key((uint64_t)options->seed, HASH_VALUE, 0);
    const int64_t n = work->a->rows * work->parts;
    for (int64_t i = 0; i < n; i++)
        work->x[i] = options->ones ? i % work->parts == 0 : hash_value(hash_at(key, i));
    solver_multiply(work->a, NULL, work->x, work->b);
    work->norm = sqrt(vector_dot(n, work->b, work->b, work->sums));
    if (!isfinite(work->norm)) {
        enum status status = csr_check_finite(work->a, "solves", error);
        if (status != STATUS_OK) return status;
        return error_set(error, STATUS_UNAVAILABLE, "solves: unavailable, since b = A x overflows");
    }
    if (work->norm > 0) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "solves: unavailable, since b = A x is 0%s",
                     options->ones ? " for the vector of ones; try x=random" : "");
}

/* ||b - A x|| / ||b|| */
static double true_residual(const struct work *work)
{
    const int64_t n = work->a->rows * work->parts;
    double *r = work->vectors;
    solver_multiply(work->a, NULL, work->x, r);
    vector_add_to(n, work->b, -1, r);
    return sqrt(vector_dot(n, r, r, work->sums)) / work->norm;
}

static void refuse(struct solve *solve, const char *reason)
{
    solve->end = SOLVE_REFUSED;
    snprintf(solve->reason, sizeof solve->reason, "%.*s", SOLVER_REASON - 1, reason);
}

static enum status run_method(struct work *work, const struct preconditioner *preconditioner,
                              struct solve *solve, struct error *error)
{
    const struct solver_options *options = &work->solving->options;
    const int64_t n = work->a->rows * work->parts;
    struct krylov_times times = {.inside = 0};
    struct krylov krylov = {.a = work->a,
                            .narrow = solve->refined ? work->narrow : NULL,
                            .preconditioner = preconditioner,
                            .options = options,
                            .n = n,
                            .complex = work->parts > 1,
                            .norm = work->norm,
                            .whole = work->norm,
                            .least = options->tolerance * work->norm,
                            .b = work->b,
                            .x = work->x,
                            .vectors = work->vectors,
                            .sums = work->sums,
                            .solve = solve,
                            .times = &times,
                            .progress = work->progress};
    solve->curve = memory_zeroed((size_t)options->most + 1, sizeof *solve->curve, error);
    if (!solve->curve) return STATUS_MEMORY;
    solve->curve[0] = solve->residual = 1;
    memset(work->x, 0, (size_t)n * sizeof *work->x);
    threads_gather(0);
    times.since = clock_seconds();
    enum status status = solve->refined ? solver_refine(&krylov, solve->method, work->scratch, error)
                                        : solve->method->run(&krylov, error);
    krylov_lap(&krylov);
    for (int part = SOLVE_PRODUCTS; part < SOLVE_PARTS; part++)
        solve->seconds[part] = pace_total(&times.part[part]);
    progress_add(work->progress, options->most - solve->iterations);
    if (status != STATUS_OK) return status;
    double *fitting = memory_resize(solve->curve, (size_t)solve->iterations + 1, sizeof *fitting, error);
    if (!fitting) return STATUS_MEMORY;
    solve->curve = fitting;
    solve->true_residual = true_residual(work);
    if (solve->end == SOLVE_CONVERGED && !(solve->true_residual <= 10 * options->tolerance))
        solve->end = SOLVE_DRIFTED;
    return STATUS_OK;
}

/* Run all methods with a preconditioner. Their solves are every `step`-th one, from the first on. */
static enum status run_preconditioner(struct work *work, const struct preconditioner_kind *kind,
                                      struct solve *first, int step, struct error *error)
{
    const struct solver_options *options = &work->solving->options;
    struct preconditioner preconditioner = {0};
    struct error refusal = {0};
    const bool asymmetric = !work->solving->symmetric, complex = work->parts > 1;
    const char *wanted = complex ? "Hermitian" : "symmetric";
    const double begun = clock_seconds();
    enum status status = STATUS_OK;
    if (kind->symmetric && asymmetric)
        error_set(&refusal, STATUS_UNAVAILABLE, "%s needs a %s matrix; ILU(0) does not", kind->title, wanted);
    else
        status = preconditioner_make(kind, complex ? &work->embedded : work->a, work->parts, options,
                                     &preconditioner, work->progress, &refusal);
    const double setup = clock_seconds() - begun;
    if (status != STATUS_OK && status != STATUS_UNAVAILABLE) {
        if (error) *error = refusal;
        return status;
    }
    status = STATUS_OK;
    for (int k = 0; k < work->solving->count / step && status == STATUS_OK; k++) {
        struct solve *solve = first + (ptrdiff_t)k * step;
        solve->preconditioner = kind;
        solve->seconds[SOLVE_SETUP] = kind->make ? setup : 0;
        if (refusal.message[0])
            refuse(solve, refusal.message);
        else if (solve->method->symmetric && asymmetric)
            refuse(solve, complex ? "CG needs a Hermitian matrix; BiCGSTAB and GMRES do not"
                                  : "CG needs a symmetric matrix; BiCGSTAB and GMRES do not");
        else
            status = run_method(work, &preconditioner, solve, error);
        if (solve->end == SOLVE_REFUSED) progress_add(work->progress, options->most);
    }
    preconditioner_free(&preconditioner);
    return status;
}

/* Make the list of solves: for each method first the unrefined, then the refined ones, each with all
 * preconditioners. */
static enum status lay_out(struct solving *solving, struct error *error)
{
    const struct solver_options *options = &solving->options;
    const int step = __builtin_popcount(options->preconditioners), kinds = options->refine ? 2 : 1;
    solving->runs = memory_zeroed((size_t)count_runs(options), sizeof *solving->runs, error);
    if (!solving->runs) return STATUS_MEMORY;
    for (int k = 0; solver_methods[k]; k++)
        for (int j = 0; is_asked(options->methods, k) && j < kinds * step; j++)
            solving->runs[solving->count++] = (struct solve){
                .method = solver_methods[k], .end = SOLVE_MOST, .refined = j >= step, .true_residual = NAN};
    return STATUS_OK;
}

static enum status run_all(struct work *work, struct error *error)
{
    struct solving *solving = work->solving;
    const struct solver_options *options = &solving->options;
    const int step = __builtin_popcount(options->preconditioners);
    enum status status = lay_out(solving, error);
    int column = 0;
    progress_phase(work->progress, "solving A x = b", options->most * solving->count);
    for (int k = 0; preconditioners[k] && status == STATUS_OK; k++)
        if (is_asked(options->preconditioners, k))
            status = run_preconditioner(work, preconditioners[k], solving->runs + column++, step, error);
    for (int k = 0; k < solving->count && status == STATUS_OK; k++) {
        const bool better = solving->fastest < 0 || solve_seconds(&solving->runs[k]) <
                                                        solve_seconds(&solving->runs[solving->fastest]);
        if (solving->runs[k].end == SOLVE_CONVERGED && better) solving->fastest = k;
    }
    return status;
}

enum status solving_run(const struct csr *a, const struct solver_options *options, size_t limit,
                        struct progress *progress, struct solving *solving, struct error *error)
{
    struct work work = {.a = a, .parts = csr_complex(a) ? 2 : 1, .solving = solving, .progress = progress};
    *solving = (struct solving){.options = *options, .rows = a->rows, .nnz = csr_nnz(a), .fastest = -1};
    enum status status = may_solve(a, options, limit, error);
    if (status == STATUS_OK) status = work_make(&work, error);
    if (status == STATUS_OK) status = make_right_side(&work, error);
    if (status == STATUS_OK) {
        solving->symmetric = is_symmetric(a);
        status = run_all(&work, error);
    }
    work_free(&work);
    if (status != STATUS_OK) solving_free(solving);
    return status;
}

void solving_free(struct solving *solving)
{
    for (int k = 0; k < solving->count; k++)
        free(solving->runs[k].curve);
    free(solving->runs);
    *solving = (struct solving){.fastest = -1};
}

double solve_seconds(const struct solve *solve)
{
    double sum = 0;
    for (int part = 0; part < SOLVE_PARTS; part++)
        sum += solve->seconds[part];
    return sum;
}

char *solve_name(const struct solve *solve, char *out, size_t size)
{
    snprintf(out, size, "%s%s%s%s", solve->method->title, solve->preconditioner->make ? ", " : "",
             solve->preconditioner->make ? solve->preconditioner->title : "",
             solve->refined ? ", refined" : "");
    return out;
}

const char *solve_end_name(enum solve_end end)
{
    static const char *const names[SOLVE_ENDS] = {[SOLVE_CONVERGED] = "converged",
                                                  [SOLVE_DRIFTED] = "drifted",
                                                  [SOLVE_MOST] = "iterations",
                                                  [SOLVE_BROKEN] = "breakdown",
                                                  [SOLVE_REFUSED] = "refused"};
    return names[end];
}
