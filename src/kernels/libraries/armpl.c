/* Arm Performance Libraries. The library is told that many products will follow, and chooses how it stores
 * the matrix (armpl_spmv_optimize).
 *
 * The functions are declared as in "Arm Performance Libraries Reference Guide", version 24.10, "Sparse Linear
 * Algebra", with integers of 32 bits (LP64); the numbers are those of its module armpl_sparse_params. The
 * library takes as many threads as its OpenMP says. */
#include <stdio.h>

#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

#define VERSION_MIN 19 /* the first with these functions */

enum { SUCCESS = 0 };
enum { HINT_OPERATION = 60, HINT_INVOCATIONS = 80, OPERATION_NOTRANS = 300, INVOCATIONS_MANY = 420 };

static struct {
    void (*version)(int *major, int *minor, int *patch, const char **tag);
    int (*create_f32)(void **a, int rows, int cols, const int *row_ptr, const int *col, const float *val,
                      int flags);
    int (*create_f64)(void **a, int rows, int cols, const int *row_ptr, const int *col, const double *val,
                      int flags);
    int (*hint)(void *a, int hint, int value);
    int (*optimize)(void *a);
    int (*mv_f32)(int operation, float alpha, void *a, const float *x, float beta, float *y);
    int (*mv_f64)(int operation, double alpha, void *a, const double *x, double beta, double *y);
    int (*destroy)(void *a);
} armpl;

#define WANTED(field, name)                             \
    {                                                   \
        name, offsetof(__typeof__(armpl), field), false \
    }
static const struct library_symbol wanted[] = {
    WANTED(version, "armplversion"),
    WANTED(create_f32, "armpl_spmat_create_csr_s"),
    WANTED(create_f64, "armpl_spmat_create_csr_d"),
    WANTED(hint, "armpl_spmat_hint"),
    WANTED(optimize, "armpl_spmv_optimize"),
    WANTED(mv_f32, "armpl_spmv_exec_s"),
    WANTED(mv_f64, "armpl_spmv_exec_d"),
    WANTED(destroy, "armpl_spmat_destroy"),
    {0},
};

static enum status start(char *version, struct error *error)
{
    int major = 0, minor = 0, patch = 0;
    const char *tag = "";
    armpl.version(&major, &minor, &patch, &tag);
    snprintf(version, 32, "%d.%d", major, minor);
    if (major >= VERSION_MIN) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "it is too old: version %d is needed, and this is %s",
                     VERSION_MIN, version);
}

static const char *const files[] = {"libarmpl_lp64_mp.so", "libarmpl_mp.so", NULL};
static const char *const folders[] = {"$ARMPL_DIR/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

static int create(const struct library_csr *csr, void **a)
{
    if (csr->single) return armpl.create_f32(a, csr->rows, csr->cols, csr->row_ptr, csr->col, csr->val, 0);
    return armpl.create_f64(a, csr->rows, csr->cols, csr->row_ptr, csr->col, csr->val, 0);
}

static enum status make(const struct library_csr *csr, struct launch *launch, struct error *error)
{
    const char *what = "armpl_spmat_create_csr";
    int code = create(csr, &launch->state);
    if (code == SUCCESS) {
        what = "armpl_spmat_hint";
        code = armpl.hint(launch->state, HINT_OPERATION, OPERATION_NOTRANS);
    }
    if (code == SUCCESS) code = armpl.hint(launch->state, HINT_INVOCATIONS, INVOCATIONS_MANY);
    if (code == SUCCESS) {
        what = "armpl_spmv_optimize";
        code = armpl.optimize(launch->state);
    }
    return code == SUCCESS ? STATUS_OK
                           : library_failed_with(&library_armpl, what, false, "status", code, error);
}

static bool multiply(const struct launch *launch)
{
    int code;
    if (launch->storage->precision == PRECISION_F32)
        code = armpl.mv_f32(OPERATION_NOTRANS, 1, launch->state, launch->x, launch->product.accumulate,
                            launch->y);
    else
        code = armpl.mv_f64(OPERATION_NOTRANS, 1, launch->state, launch->x, launch->product.accumulate,
                            launch->y);
    return code == SUCCESS;
}

static void release(struct launch *launch)
{
    armpl.destroy(launch->state);
    launch->state = NULL;
}

const struct library library_armpl = {
    .place.title = "Arm Performance Libraries",
    .place.variable = "SPARSIGHT_ARMPL",
    .place.files = files,
    .place.folders = folders,
    .place.install = "it is for Arm's processors, and comes from developer.arm.com",
    .wanted = wanted,
    .symbols = &armpl,
    .found = &found,
    .kernel = &kernel_armpl_csr,
    .start = start,
    .make = make,
    .multiply = multiply,
};

const struct kernel kernel_armpl_csr = {
    .name = "csr",
    .backend = &backend_armpl,
    .format = &format_csr,
    .summary = "armpl_spmv_exec after armpl_spmv_optimize",
    .source = "Arm Performance Libraries",
    .wins = "It is Arm's for Arm's processors.",
    .parameters = library_parameters,
    .prepare_cost = 100,
    .prepare = library_prepare,
    .run = library_run,
    .release = release,
    .like = &kernel_cpu_csr_omp,
};
