/* Arm Performance Libraries. The program announces many products, and the library chooses its storage of the
 * matrix (armpl_spmv_optimize).
 *
 * The functions are declared as in "Arm Performance Libraries Reference Guide", version 24.10, "Sparse Linear
 * Algebra", with 32-bit integers (LP64); the constants are those of its module armpl_sparse_params. The
 * library uses the number of threads of its OpenMP. */
#include <stdio.h>

#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

enum { HINT_OPERATION = 60, HINT_INVOCATIONS = 80, OPERATION_NOTRANS = 300, INVOCATIONS_MANY = 420 };

static struct {
    void (*version)(int *major, int *minor, int *patch, const char **tag);
    int (*create[2])(void **a, int rows, int cols, const int *row_ptr, const int *col, const void *val,
                     int flags);
    int (*hint)(void *a, int hint, int value);
    int (*optimize)(void *a);
    int (*mv_f32)(int operation, float alpha, void *a, const float *x, float beta, float *y);
    int (*mv_f64)(int operation, double alpha, void *a, const double *x, double beta, double *y);
    int (*destroy)(void *a);
} armpl;

static const struct library_symbol wanted[] = {
    {"armplversion", &armpl.version},
    {"armpl_spmat_create_csr_d", &armpl.create[0]},
    {"armpl_spmat_create_csr_s", &armpl.create[1]},
    {"armpl_spmat_hint", &armpl.hint},
    {"armpl_spmv_optimize", &armpl.optimize},
    {"armpl_spmv_exec_s", &armpl.mv_f32},
    {"armpl_spmv_exec_d", &armpl.mv_f64},
    {"armpl_spmat_destroy", &armpl.destroy},
    {0},
};

static bool start(char *text, size_t size, struct library_call *call)
{
    int major = 0, minor = 0, patch = 0;
    const char *tag = "";
    armpl.version(&major, &minor, &patch, &tag);
    snprintf(text, size, "%d.%d", major, minor);
    return true;
}

static bool make(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call)
{
    int code =
        armpl.create[product->single](handle, csr->rows, csr->cols, csr->row_ptr, csr->col, csr->val, 0);
    return library_asked(call, "armpl_spmat_create_csr", code) &&
           library_asked(call, "armpl_spmat_hint", armpl.hint(*handle, HINT_OPERATION, OPERATION_NOTRANS)) &&
           library_asked(call, "armpl_spmat_hint", armpl.hint(*handle, HINT_INVOCATIONS, INVOCATIONS_MANY)) &&
           library_asked(call, "armpl_spmv_optimize", armpl.optimize(*handle));
}

static int multiply(const struct library_product *product, void *const *handle)
{
    if (product->single)
        return armpl.mv_f32(OPERATION_NOTRANS, 1, *handle, product->x, product->beta, product->y);
    return armpl.mv_f64(OPERATION_NOTRANS, 1, *handle, product->x, product->beta, product->y);
}

static void release(void **handle)
{
    armpl.destroy(*handle);
}

static const char *const files[] = {"libarmpl_lp64_mp.so", "libarmpl_mp.so", NULL};
static const char *const folders[] = {"$ARMPL_DIR/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

const struct library library_armpl = {
    .place.title = "Arm Performance Libraries",
    .place.variable = "SPARSIGHT_ARMPL",
    .place.files = files,
    .place.folders = folders,
    .place.install = "it is for Arm's processors, and comes from developer.arm.com",
    .wanted = wanted,
    .found = &found,
    .kernel = &kernel_armpl_csr,
    .version_min = 19, /* the first with these functions */
    .code_name = "status",
    .start = start,
    .make = make,
    .multiply = multiply,
    .release = release,
};

const struct kernel kernel_armpl_csr = {
    LIBRARY_KERNEL(armpl),
    .summary = "armpl_spmv_exec after armpl_spmv_optimize",
    .source = "Arm Performance Libraries",
    .wins = "It is Arm's library for Arm's processors.",
    .prepare_cost = 100,
    .like = &kernel_cpu_csr_omp,
};
