/* Intel's oneMKL, its inspector-executor sparse BLAS. The program announces many products, and the library
 * chooses its storage of the matrix and division of the rows (mkl_sparse_optimize).
 *
 * The functions are declared as in "Developer Reference for Intel oneAPI Math Kernel Library for C", version
 * 2025.0: "Inspector-Executor Sparse BLAS Routines" and "Support Functions", with 32-bit integers (LP64).
 * libmkl_rt is one library for all layers of MKL. The chosen threading layer is GNU's, which uses the OpenMP
 * of this program. Intel's would bring its own, whose threads compete with ours. */
#include <dlfcn.h>
#include <stdio.h>

#include "formats/sss.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"
#include "kernels/libraries/mkl.h"

enum { ALLOC_FAILED = 2 };
enum { INTERFACE_LP64 = 0, THREADING_SEQUENTIAL = 1, THREADING_GNU = 3 };

static struct {
    int (*interface_layer)(int layer);
    int (*threading_layer)(int layer);
    void (*version_string)(char *text, int length);
    void (*set_dynamic)(int on);
    int (*verbose)(int on);
    int (*threads_local)(int threads);
    int (*create[2])(void **a, int base, int rows, int cols, int *first, int *end, int *col, void *val);
    int (*mv_hint)(void *a, int operation, struct mkl_descr descr, int calls);
    int (*mm_hint)(void *a, int operation, struct mkl_descr descr, int layout, int columns, int calls);
    int (*memory_hint)(void *a, int policy);
    int (*optimize)(void *a);
    int (*mv_f32)(int operation, float alpha, void *a, struct mkl_descr descr, const float *x, float beta,
                  float *y);
    int (*mv_f64)(int operation, double alpha, void *a, struct mkl_descr descr, const double *x, double beta,
                  double *y);
    int (*mm_f32)(int operation, float alpha, void *a, struct mkl_descr descr, int layout, const float *x,
                  int columns, int x_stride, float beta, float *y, int y_stride);
    int (*mm_f64)(int operation, double alpha, void *a, struct mkl_descr descr, int layout, const double *x,
                  int columns, int x_stride, double beta, double *y, int y_stride);
    int (*destroy)(void *a);
} mkl;

static const struct library_symbol wanted[] = {
    {"MKL_Set_Interface_Layer", &mkl.interface_layer},
    {"MKL_Set_Threading_Layer", &mkl.threading_layer},
    {"MKL_Get_Version_String", &mkl.version_string},
    {"MKL_Set_Dynamic", &mkl.set_dynamic},
    {"MKL_Verbose", &mkl.verbose},
    {"MKL_Set_Num_Threads_Local", &mkl.threads_local},
    {"mkl_sparse_d_create_csr", &mkl.create[0]},
    {"mkl_sparse_s_create_csr", &mkl.create[1]},
    {"mkl_sparse_set_mv_hint", &mkl.mv_hint},
    {"mkl_sparse_set_mm_hint", &mkl.mm_hint},
    {"mkl_sparse_set_memory_hint", &mkl.memory_hint},
    {"mkl_sparse_optimize", &mkl.optimize},
    {"mkl_sparse_s_mv", &mkl.mv_f32},
    {"mkl_sparse_d_mv", &mkl.mv_f64},
    {"mkl_sparse_s_mm", &mkl.mm_f32},
    {"mkl_sparse_d_mm", &mkl.mm_f64},
    {"mkl_sparse_destroy", &mkl.destroy},
    {0},
};

static bool start(char *text, size_t size, struct library_call *call)
{
    int threading = dlsym(RTLD_DEFAULT, "GOMP_parallel") ? THREADING_GNU : THREADING_SEQUENTIAL;
    int interface = mkl.interface_layer(INTERFACE_LP64), layer = mkl.threading_layer(threading);
    if (interface != INTERFACE_LP64)
        call->status =
            error_set(call->error, STATUS_UNAVAILABLE, "it insists on the interface with 64-bit integers");
    else if (layer != threading)
        call->status =
            error_set(call->error, STATUS_UNAVAILABLE,
                      "it insists on layer %d of threads instead of %d, the one for this program's OpenMP",
                      layer, threading);
    if (call->status != STATUS_OK) return false;
    mkl.version_string(text, (int)size - 1);
    mkl.set_dynamic(false);
    mkl.verbose(false);
    return true;
}

static void explain(int code, char *words, size_t size)
{
    static const char *const all[] = {"no error",         "it is not initialised", "it has no memory",
                                      "an invalid value", "execution failed",      "an internal error",
                                      "not supported"};
    bool known = code > 0 && code < (int)(sizeof all / sizeof *all);
    snprintf(words, size, "%s", known ? all[code] : "an unknown error");
}

/* The entries that are passed: all, or those on and below the diagonal, which also represent their mirror
 * images. */
static struct mkl_descr descr_of(const struct library_product *product)
{
    if (product->symmetric) return (struct mkl_descr){MKL_SYMMETRIC, MKL_LOWER, MKL_NON_UNIT};
    return (struct mkl_descr){MKL_GENERAL, MKL_FULL, MKL_NON_UNIT};
}

static int operation_of(const struct library_product *product)
{
    return product->transposed ? MKL_TRANSPOSE : MKL_NON_TRANSPOSE;
}

static int layout_of(const struct library_product *product)
{
    return product->by_rows ? MKL_ROW_MAJOR : MKL_COLUMN_MAJOR;
}

/* Tell which products will follow. */
static bool give_hint(const struct library_product *product, void *a, struct library_call *call)
{
    const struct mkl_descr descr = descr_of(product);
    int operation = operation_of(product);
    if (product->columns == 1)
        return library_asked(call, "mkl_sparse_set_mv_hint", mkl.mv_hint(a, operation, descr, MKL_CALLS));
    return library_asked(call, "mkl_sparse_set_mm_hint",
                         mkl.mm_hint(a, operation, descr, layout_of(product), product->columns, MKL_CALLS));
}

/* The setting for the calling thread only. */
static int take_threads(int threads)
{
    return mkl.threads_local(threads);
}

static bool make(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call)
{
    int code = mkl.create[product->single](handle, MKL_BASE_ZERO, csr->rows, csr->cols, csr->row_ptr,
                                           csr->row_ptr + 1, csr->col, csr->val);
    return library_asked(call, "mkl_sparse_?_create_csr", code) && give_hint(product, *handle, call) &&
           library_asked(call, "mkl_sparse_set_memory_hint",
                         mkl.memory_hint(*handle, MKL_MEMORY_AGGRESSIVE)) &&
           library_asked(call, "mkl_sparse_optimize", mkl.optimize(*handle));
}

static int multiply(const struct library_product *product, void *const *handle)
{
    void *a = *handle, *y = product->y;
    const void *x = product->x;
    const struct mkl_descr descr = descr_of(product);
    int operation = operation_of(product), layout = layout_of(product), columns = product->columns,
        x_stride = product->x_stride, y_stride = product->y_stride, beta = product->beta;
    if (columns > 1 && product->single)
        return mkl.mm_f32(operation, 1, a, descr, layout, x, columns, x_stride, beta, y, y_stride);
    if (columns > 1)
        return mkl.mm_f64(operation, 1, a, descr, layout, x, columns, x_stride, beta, y, y_stride);
    if (product->single) return mkl.mv_f32(operation, 1, a, descr, x, beta, y);
    return mkl.mv_f64(operation, 1, a, descr, x, beta, y);
}

static void release(void **handle)
{
    mkl.destroy(*handle);
}

static const char *const files[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so",
                                    NULL};
/* The folders of Intel's scripts, its packages and Python's. */
static const char *const folders[] = {"$MKLROOT/lib",
                                      "$MKLROOT/lib/intel64",
                                      "$VIRTUAL_ENV/lib",
                                      "$CONDA_PREFIX/lib",
                                      "$HOME/.local/lib",
                                      "/usr/local/lib",
                                      "/opt/intel/oneapi/mkl/latest/lib",
                                      "/opt/intel/oneapi/mkl/latest/lib/intel64",
                                      NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

const struct library library_mkl = {
    .place.title = "oneMKL",
    .place.variable = "SPARSIGHT_MKL",
    .place.files = files,
    .place.folders = folders,
    .place.install = "to install it: pip install mkl",
    .wanted = wanted,
    .found = &found,
    .kernel = &kernel_mkl_csr,
    .version_min = 2019, /* "2019.0.0": the first with these functions and types */
    .no_memory = ALLOC_FAILED,
    .explain = explain,
    .start = start,
    .take_threads = take_threads,
    .make = make,
    .multiply = multiply,
    .release = release,
};

const struct kernel kernel_mkl_csr = {
    LIBRARY_KERNEL(mkl),
    .summary = "mkl_sparse_?_mv or _mm after mkl_sparse_optimize",
    .source = "Intel oneMKL",
    .wins = "It is Intel's library for Intel's processors. Its inspector stores the matrix again, for many "
            "products.",
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare_cost = 150,
    .like = &kernel_cpu_csr_omp,
};

/* oneMKL has symmetric matrices, and Hermitian ones, which libraries are not asked for, since these are
 * complex. */
static enum status takes_symmetric(const struct storage *storage, struct error *error)
{
    if (storage->symmetry == SYMMETRY_SYMMETRIC) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "oneMKL multiplies symmetric matrices by half, and not %s ones",
                     storage->symmetry == SYMMETRY_SKEW ? "skew-symmetric" : "Hermitian");
}

const struct kernel kernel_mkl_sss = {
    .name = "sss",
    .backend = &backend_mkl,
    .format = &format_sss,
    .parameters = library_parameters,
    .prepare = library_prepare,
    .run = library_run,
    .release = library_release,
    .takes = takes_symmetric,
    .summary = "mkl_sparse_?_mv of the lower triangle with SPARSE_MATRIX_TYPE_SYMMETRIC",
    .source = "Intel oneMKL",
    .wins = "It is Intel's library for Intel's processors, told that the matrix is symmetric.",
    .prepare_cost = 150,
    .like = &kernel_cpu_sss_omp,
};
