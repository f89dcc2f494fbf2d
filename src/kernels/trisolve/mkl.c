/* The triangular solves and the symmetric Gauss-Seidel step of Intel's oneMKL. The functions are declared as
 * in "Developer Reference for Intel oneAPI Math Kernel Library for C", version 2025.0: "Inspector-Executor
 * Sparse BLAS Routines". The library is found and started by src/kernels/libraries. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/library.h"
#include "kernels/libraries/mkl.h"
#include "kernels/trisolve/trisolve.h"

/* The functions of the library; each `prepare` looks for them again. */
struct functions {
    int (*threads_local)(int threads);
    int (*create)(void **a, int base, int rows, int cols, int *first, int *end, int *col, double *val);
    int (*hint)(void *a, int operation, struct mkl_descr descr, int calls);
    int (*symgs_hint)(void *a, int operation, struct mkl_descr descr, int calls);
    int (*optimize)(void *a);
    int (*solve)(int operation, double alpha, void *a, struct mkl_descr descr, const double *b, double *x);
    int (*symgs)(int operation, void *a, struct mkl_descr descr, double alpha, const double *b, double *x);
    int (*destroy)(void *a);
};

struct mkl_solve {
    struct functions mkl;
    enum trisolve_operation operation;
    int threads;
    int rows;
    int *row_ptr, *col; /* owned, as is val */
    double *val;
    void *handle;
};

static const char *unavailable(void)
{
    return library_look(&library_mkl);
}

static enum status find_functions(struct functions *mkl, struct error *error)
{
    const struct library_symbol wanted[] = {
        {"MKL_Set_Num_Threads_Local", &mkl->threads_local},
        {"mkl_sparse_d_create_csr", &mkl->create},
        {"mkl_sparse_set_sv_hint", &mkl->hint},
        {"mkl_sparse_set_symgs_hint", &mkl->symgs_hint},
        {"mkl_sparse_optimize", &mkl->optimize},
        {"mkl_sparse_d_trsv", &mkl->solve},
        {"mkl_sparse_d_symgs", &mkl->symgs},
        {"mkl_sparse_destroy", &mkl->destroy},
        {NULL, NULL},
    };
    const char *missing = library_lacks(library_mkl.found->file, wanted);
    if (missing) return error_set(error, STATUS_UNAVAILABLE, "oneMKL has no function %s", missing);
    return STATUS_OK;
}

/* True if U is the mirror image of L. `next` has room for a number per row. */
static bool is_symmetric(const struct trisolve_parts *parts, int64_t *next)
{
    const struct trisolve_triangle *lower = &parts->triangle[TRIANGLE_LOWER];
    const struct trisolve_triangle *upper = &parts->triangle[TRIANGLE_UPPER];
    if (lower->row_ptr[parts->rows] != upper->row_ptr[parts->rows]) return false;
    for (int64_t i = 0; i < parts->rows; i++)
        next[i] = upper->row_ptr[i];
    for (int64_t i = 0; i < parts->rows; i++) {
        for (int64_t k = lower->row_ptr[i]; k < lower->row_ptr[i + 1]; k++) {
            const int32_t j = lower->col[k];
            const int64_t mirror = next[j]++;
            if (mirror >= upper->row_ptr[j + 1] || upper->col[mirror] != i ||
                upper->val[mirror] != lower->val[k])
                return false;
        }
    }
    return true;
}

static enum status may_run(const struct trisolve_parts *parts, enum trisolve_operation operation,
                           struct error *error)
{
    if (operation != TRISOLVE_SYMGS) return STATUS_OK;
    int64_t *next = memory_array((size_t)parts->rows, sizeof *next, error);
    if (!next) return STATUS_MEMORY;
    const bool symmetric = is_symmetric(parts, next);
    free(next);
    if (symmetric) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "oneMKL has SymGS for symmetric matrices only");
}

/* Append the entries of row i of a triangle at position `at`; returns the position behind them. */
static int append(struct mkl_solve *solve, const struct trisolve_triangle *triangle, int64_t i, int at)
{
    for (int64_t k = triangle->row_ptr[i]; k < triangle->row_ptr[i + 1]; k++, at++) {
        solve->col[at] = triangle->col[k];
        solve->val[at] = triangle->val[k];
    }
    return at;
}

/* The CSR arrays of the parts that the operation reads. */
static enum status copy(const struct trisolve_parts *parts, struct mkl_solve *solve, struct error *error)
{
    const bool lower = solve->operation != TRISOLVE_UPPER, upper = solve->operation != TRISOLVE_LOWER;
    const int64_t entries = parts->rows + lower * parts->triangle[TRIANGLE_LOWER].row_ptr[parts->rows] +
                            upper * parts->triangle[TRIANGLE_UPPER].row_ptr[parts->rows];
    if (entries > INT32_MAX)
        return error_set(error, STATUS_UNAVAILABLE, "oneMKL is asked with 32-bit offsets only");
    solve->row_ptr = memory_array((size_t)parts->rows + 1, sizeof *solve->row_ptr, error);
    solve->col = memory_array((size_t)entries, sizeof *solve->col, error);
    solve->val = memory_array((size_t)entries, sizeof *solve->val, error);
    if (!solve->row_ptr || !solve->col || !solve->val) return STATUS_MEMORY;
    int at = 0;
    for (int64_t i = 0; i < parts->rows; i++) {
        solve->row_ptr[i] = at;
        if (lower) at = append(solve, &parts->triangle[TRIANGLE_LOWER], i, at);
        solve->col[at] = (int)i;
        solve->val[at++] = parts->diagonal[i];
        if (upper) at = append(solve, &parts->triangle[TRIANGLE_UPPER], i, at);
    }
    solve->row_ptr[parts->rows] = at;
    return STATUS_OK;
}

static struct mkl_descr descr_of(const struct mkl_solve *solve)
{
    if (solve->operation == TRISOLVE_SYMGS) return (struct mkl_descr){MKL_SYMMETRIC, MKL_FULL, MKL_NON_UNIT};
    return (struct mkl_descr){MKL_TRIANGULAR, solve->operation == TRISOLVE_LOWER ? MKL_LOWER : MKL_UPPER,
                              MKL_NON_UNIT};
}

static enum status inspect(struct mkl_solve *solve, struct error *error)
{
    const struct functions *mkl = &solve->mkl;
    const char *name = "mkl_sparse_d_create_csr";
    int code = mkl->create(&solve->handle, 0, solve->rows, solve->rows, solve->row_ptr, solve->row_ptr + 1,
                           solve->col, solve->val);
    if (code == 0) {
        const bool symgs = solve->operation == TRISOLVE_SYMGS;
        name = symgs ? "mkl_sparse_set_symgs_hint" : "mkl_sparse_set_sv_hint";
        code = (symgs ? mkl->symgs_hint : mkl->hint)(solve->handle, MKL_NON_TRANSPOSE, descr_of(solve),
                                                     MKL_CALLS);
    }
    if (code == 0) {
        name = "mkl_sparse_optimize";
        code = mkl->optimize(solve->handle);
    }
    if (code == 0) return STATUS_OK;
    char words[64];
    library_mkl.explain(code, words, sizeof words);
    return error_set(error, STATUS_UNAVAILABLE, "oneMKL: %s failed: %s (%d)", name, words, code);
}

static enum status prepare(const struct trisolve_parts *parts, enum trisolve_operation operation, int threads,
                           struct progress *progress, void **state, struct error *error)
{
    struct mkl_solve *solve = memory_zeroed(1, sizeof *solve, error);
    *state = solve;
    if (!solve) return STATUS_MEMORY;
    *solve = (struct mkl_solve){.operation = operation, .threads = threads, .rows = (int)parts->rows};
    enum status status = may_run(parts, operation, error);
    if (status == STATUS_OK) status = find_functions(&solve->mkl, error);
    if (status == STATUS_OK) status = copy(parts, solve, error);
    if (status != STATUS_OK) return status;
    const int before = solve->mkl.threads_local(threads);
    status = inspect(solve, error);
    solve->mkl.threads_local(before);
    return status;
}

static void run(void *state, const double *b, double *x)
{
    const struct mkl_solve *solve = state;
    const struct functions *mkl = &solve->mkl;
    const int before = mkl->threads_local(solve->threads);
    int code;
    if (solve->operation == TRISOLVE_SYMGS)
        code = mkl->symgs(MKL_NON_TRANSPOSE, solve->handle, descr_of(solve), 1, b, x);
    else
        code = mkl->solve(MKL_NON_TRANSPOSE, 1, solve->handle, descr_of(solve), b, x);
    mkl->threads_local(before);
    for (int64_t i = 0; code != 0 && i < solve->rows; i++)
        x[i] = NAN;
}

static void release(void *state)
{
    struct mkl_solve *solve = state;
    if (!solve) return;
    if (solve->handle) solve->mkl.destroy(solve->handle);
    free(solve->row_ptr);
    free(solve->col);
    free(solve->val);
    free(solve);
}

const struct trisolve_kernel trisolve_mkl = {
    .name = "mkl",
    .summary = "mkl_sparse_d_trsv and mkl_sparse_d_symgs after mkl_sparse_optimize",
    .source = "Intel oneMKL",
    .unavailable = unavailable,
    .prepare = prepare,
    .run = run,
    .release = release,
};
