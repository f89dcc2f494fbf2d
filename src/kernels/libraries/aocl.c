/* AMD's AOCL-Sparse. The library is told that many products will follow, and chooses how it stores the matrix
 * (aoclsparse_optimize).
 *
 * The functions are declared as in "AOCL-Sparse: API Guide", version 5.2, with integers of 32 bits. The
 * library takes as many threads as its OpenMP says, and no more than AOCLSPARSE_NUM_THREADS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

#define VERSION_MIN 4 /* "AOCL-Sparse 4.0" */

enum { SUCCESS = 0, NOT_IMPLEMENTED = 1, MEMORY_ERROR = 10, OPERATION_NONE = 111, BASE_ZERO = 0 };

/* So many products are announced. */
#define CALLS 1000

static struct {
    const char *(*version)(void);
    int (*create_descr)(void **descr);
    int (*destroy_descr)(void *descr);
    int (*create_f32)(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                      float *val);
    int (*create_f64)(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                      double *val);
    int (*mv_hint)(void *a, int operation, const void *descr, int calls);
    int (*optimize)(void *a);
    int (*mv_f32)(int operation, const float *alpha, void *a, const void *descr, const float *x,
                  const float *beta, float *y);
    int (*mv_f64)(int operation, const double *alpha, void *a, const void *descr, const double *x,
                  const double *beta, double *y);
    int (*destroy)(void **a);
} aocl;

#define WANTED(field, name)                            \
    {                                                  \
        name, offsetof(__typeof__(aocl), field), false \
    }
static const struct library_symbol wanted[] = {
    WANTED(version, "aoclsparse_get_version"),
    WANTED(create_descr, "aoclsparse_create_mat_descr"),
    WANTED(destroy_descr, "aoclsparse_destroy_mat_descr"),
    WANTED(create_f32, "aoclsparse_create_scsr"),
    WANTED(create_f64, "aoclsparse_create_dcsr"),
    WANTED(mv_hint, "aoclsparse_set_mv_hint"),
    WANTED(optimize, "aoclsparse_optimize"),
    WANTED(mv_f32, "aoclsparse_smv"),
    WANTED(mv_f64, "aoclsparse_dmv"),
    WANTED(destroy, "aoclsparse_destroy"),
    {0},
};

static enum status start(char *version, struct error *error)
{
    const char *text = aocl.version(), *number = text ? text + strcspn(text, "0123456789") : "";
    if (sscanf(number, "%31[0-9.]", version) == 1 && atoi(version) >= VERSION_MIN) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "it is too old: version %d is needed, and this is '%.80s'",
                     VERSION_MIN, text ? text : "");
}

static const char *const files[] = {"libaoclsparse.so", "libaoclsparse.so.1", "libaoclsparse.so.0", NULL};
static const char *const folders[] = {"$AOCL_ROOT/lib", "$AOCL_ROOT/lib_LP64", "/opt/aoclsparse/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

struct prepared {
    void *a, *descr;
};

static int create(const struct library_csr *csr, void **a)
{
    if (csr->single)
        return aocl.create_f32(a, BASE_ZERO, csr->rows, csr->cols, csr->entries, csr->row_ptr, csr->col,
                               csr->val);
    return aocl.create_f64(a, BASE_ZERO, csr->rows, csr->cols, csr->entries, csr->row_ptr, csr->col,
                           csr->val);
}

/* A library that knows no hint for this matrix multiplies it all the same. */
static int ask(const struct library_csr *csr, struct prepared *prepared, const char **what)
{
    *what = "aoclsparse_create_mat_descr";
    int code = aocl.create_descr(&prepared->descr);
    if (code != SUCCESS) return code;
    *what = "aoclsparse_create_?csr";
    code = create(csr, &prepared->a);
    if (code != SUCCESS) return code;
    *what = "aoclsparse_set_mv_hint";
    code = aocl.mv_hint(prepared->a, OPERATION_NONE, prepared->descr, CALLS);
    if (code != SUCCESS) return code == NOT_IMPLEMENTED ? SUCCESS : code;
    *what = "aoclsparse_optimize";
    return aocl.optimize(prepared->a);
}

static enum status make(const struct library_csr *csr, struct launch *launch, struct error *error)
{
    const char *what;
    launch->state = memory_zeroed(1, sizeof(struct prepared), error);
    if (!launch->state) return STATUS_MEMORY;
    int code = ask(csr, launch->state, &what);
    return code == SUCCESS
               ? STATUS_OK
               : library_failed_with(&library_aocl, what, code == MEMORY_ERROR, "status", code, error);
}

static bool multiply(const struct launch *launch)
{
    const struct prepared *prepared = launch->state;
    bool single = launch->storage->precision == PRECISION_F32;
    const void *alpha = library_factor(single, true),
               *beta = library_factor(single, launch->product.accumulate);
    int code;
    if (single)
        code = aocl.mv_f32(OPERATION_NONE, alpha, prepared->a, prepared->descr, launch->x, beta, launch->y);
    else
        code = aocl.mv_f64(OPERATION_NONE, alpha, prepared->a, prepared->descr, launch->x, beta, launch->y);
    return code == SUCCESS;
}

static void release(struct launch *launch)
{
    struct prepared *prepared = launch->state;
    if (prepared->a) aocl.destroy(&prepared->a);
    if (prepared->descr) aocl.destroy_descr(prepared->descr);
    free(prepared);
    launch->state = NULL;
}

const struct library library_aocl = {
    .place.title = "AOCL-Sparse",
    .place.variable = "SPARSIGHT_AOCL",
    .place.files = files,
    .place.folders = folders,
    .place.install = "it comes with AOCL, from www.amd.com/en/developer/aocl.html",
    .wanted = wanted,
    .symbols = &aocl,
    .found = &found,
    .kernel = &kernel_aocl_csr,
    .start = start,
    .make = make,
    .multiply = multiply,
};

const struct kernel kernel_aocl_csr = {
    .name = "csr",
    .backend = &backend_aocl,
    .format = &format_csr,
    .summary = "aoclsparse_?mv after aoclsparse_optimize",
    .source = "AMD AOCL-Sparse",
    .wins = "It is AMD's for AMD's processors; on others it is there to compare with.",
    .parameters = library_parameters,
    .prepare_cost = 100,
    .prepare = library_prepare,
    .run = library_run,
    .release = release,
    .like = &kernel_cpu_csr_omp,
};
