/* AMD's AOCL-Sparse. The program announces many products, and the library chooses its storage of the matrix
 * (aoclsparse_optimize).
 *
 * The functions are declared as in "AOCL-Sparse: API Guide", version 5.2, with 32-bit integers. The library
 * uses the number of threads of its OpenMP, at most AOCLSPARSE_NUM_THREADS. */
#include <stdio.h>

#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

enum { NOT_IMPLEMENTED = 1, MEMORY_ERROR = 10, OPERATION_NONE = 111, BASE_ZERO = 0 };

/* Number of announced products. */
#define CALLS 1000

static struct {
    const char *(*version)(void);
    int (*create_descr)(void **descr);
    int (*destroy_descr)(void *descr);
    int (*create[2])(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col, void *val);
    int (*mv_hint)(void *a, int operation, const void *descr, int calls);
    int (*optimize)(void *a);
    int (*mv[2])(int operation, const void *alpha, void *a, const void *descr, const void *x,
                 const void *beta, void *y);
    int (*destroy)(void **a);
} aocl;

static const struct library_symbol wanted[] = {
    {"aoclsparse_get_version", &aocl.version},
    {"aoclsparse_create_mat_descr", &aocl.create_descr},
    {"aoclsparse_destroy_mat_descr", &aocl.destroy_descr},
    {"aoclsparse_create_dcsr", &aocl.create[0]},
    {"aoclsparse_create_scsr", &aocl.create[1]},
    {"aoclsparse_set_mv_hint", &aocl.mv_hint},
    {"aoclsparse_optimize", &aocl.optimize},
    {"aoclsparse_dmv", &aocl.mv[0]},
    {"aoclsparse_smv", &aocl.mv[1]},
    {"aoclsparse_destroy", &aocl.destroy},
    {0},
};

static bool start(char *text, size_t size, struct library_call *call)
{
    const char *version = aocl.version();
    snprintf(text, size, "%s", version ? version : "");
    return true;
}

enum { A, DESCR };

static bool make(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call)
{
    int code = aocl.create[product->single](&handle[A], BASE_ZERO, csr->rows, csr->cols, csr->entries,
                                            csr->row_ptr, csr->col, csr->val);
    if (!library_asked(call, "aoclsparse_create_?csr", code) ||
        !library_asked(call, "aoclsparse_create_mat_descr", aocl.create_descr(&handle[DESCR])))
        return false;
    code = aocl.mv_hint(handle[A], OPERATION_NONE, handle[DESCR], CALLS);
    if (code == NOT_IMPLEMENTED) return true; /* it multiplies all the same */
    return library_asked(call, "aoclsparse_set_mv_hint", code) &&
           library_asked(call, "aoclsparse_optimize", aocl.optimize(handle[A]));
}

static int multiply(const struct library_product *product, void *const *handle)
{
    return aocl.mv[product->single](OPERATION_NONE, product->one_at, handle[A], handle[DESCR], product->x,
                                    product->beta_at, product->y);
}

static void release(void **handle)
{
    aocl.destroy(&handle[A]);
    if (handle[DESCR]) aocl.destroy_descr(handle[DESCR]);
}

static const char *const files[] = {"libaoclsparse.so", "libaoclsparse.so.1", "libaoclsparse.so.0", NULL};
static const char *const folders[] = {"$AOCL_ROOT/lib", "$AOCL_ROOT/lib_LP64", "/opt/aoclsparse/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

const struct library library_aocl = {
    .place.title = "AOCL-Sparse",
    .place.variable = "SPARSIGHT_AOCL",
    .place.files = files,
    .place.folders = folders,
    .place.install = "it comes with AOCL, from www.amd.com/en/developer/aocl.html",
    .wanted = wanted,
    .found = &found,
    .kernel = &kernel_aocl_csr,
    .version_min = 4, /* "AOCL-Sparse 4.0" */
    .no_memory = MEMORY_ERROR,
    .code_name = "status",
    .start = start,
    .make = make,
    .multiply = multiply,
    .release = release,
};

const struct kernel kernel_aocl_csr = {
    LIBRARY_KERNEL(aocl),
    .summary = "aoclsparse_?mv after aoclsparse_optimize",
    .source = "AMD AOCL-Sparse",
    .wins = "It is AMD's library for AMD's processors; on others it serves for comparison.",
    .prepare_cost = 100,
    .like = &kernel_cpu_csr_omp,
};
