/* Intel's oneMKL, its inspector-executor sparse BLAS: the library is told that many products will follow, and
 * chooses how it stores the matrix and divides the rows (mkl_sparse_optimize).
 *
 * The functions are declared as in "Developer Reference for Intel oneAPI Math Kernel Library for C", version
 * 2025.0: "Inspector-Executor Sparse BLAS Routines" and "Support Functions", with integers of 32 bits (LP64).
 * libmkl_rt is one library for all layers of MKL. The layer of threads that is chosen is GNU's: it takes the
 * OpenMP of this program, where Intel's would bring another whose threads compete with ours. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

#define VERSION_MIN                                                                        \
    2019 /* "2019.0.0": the first with the functions below and their types as they are now \
          */

enum { SUCCESS = 0, ALLOC_FAILED = 2 };
enum { INTERFACE_LP64 = 0, THREADING_SEQUENTIAL = 1, THREADING_GNU = 3 };
enum { NON_TRANSPOSE = 10, TRANSPOSE = 11, ROW_MAJOR = 101, COLUMN_MAJOR = 102 };
enum { GENERAL = 20, FULL = 42, NON_UNIT = 50, MEMORY_AGGRESSIVE = 81, BASE_ZERO = 0 };

/* So many products are announced. */
#define CALLS 1000

struct descr {
    int type, mode, diagonal;
};

static struct {
    int (*interface_layer)(int layer);
    int (*threading_layer)(int layer);
    void (*version_string)(char *text, int length);
    void (*set_dynamic)(int on);
    int (*verbose)(int on);
    int (*threads_local)(int threads);
    int (*create_f32)(void **a, int base, int rows, int cols, int *first, int *end, int *col, float *val);
    int (*create_f64)(void **a, int base, int rows, int cols, int *first, int *end, int *col, double *val);
    int (*mv_hint)(void *a, int operation, struct descr descr, int calls);
    int (*mm_hint)(void *a, int operation, struct descr descr, int layout, int columns, int calls);
    int (*memory_hint)(void *a, int policy);
    int (*optimize)(void *a);
    int (*mv_f32)(int operation, float alpha, void *a, struct descr descr, const float *x, float beta,
                  float *y);
    int (*mv_f64)(int operation, double alpha, void *a, struct descr descr, const double *x, double beta,
                  double *y);
    int (*mm_f32)(int operation, float alpha, void *a, struct descr descr, int layout, const float *x,
                  int columns, int x_stride, float beta, float *y, int y_stride);
    int (*mm_f64)(int operation, double alpha, void *a, struct descr descr, int layout, const double *x,
                  int columns, int x_stride, double beta, double *y, int y_stride);
    int (*destroy)(void *a);
} mkl;

#define WANTED(field, name)                           \
    {                                                 \
        name, offsetof(__typeof__(mkl), field), false \
    }
static const struct library_symbol wanted[] = {
    WANTED(interface_layer, "MKL_Set_Interface_Layer"),
    WANTED(threading_layer, "MKL_Set_Threading_Layer"),
    WANTED(version_string, "MKL_Get_Version_String"),
    WANTED(set_dynamic, "MKL_Set_Dynamic"),
    WANTED(verbose, "MKL_Verbose"),
    WANTED(threads_local, "MKL_Set_Num_Threads_Local"),
    WANTED(create_f32, "mkl_sparse_s_create_csr"),
    WANTED(create_f64, "mkl_sparse_d_create_csr"),
    WANTED(mv_hint, "mkl_sparse_set_mv_hint"),
    WANTED(mm_hint, "mkl_sparse_set_mm_hint"),
    WANTED(memory_hint, "mkl_sparse_set_memory_hint"),
    WANTED(optimize, "mkl_sparse_optimize"),
    WANTED(mv_f32, "mkl_sparse_s_mv"),
    WANTED(mv_f64, "mkl_sparse_d_mv"),
    WANTED(mm_f32, "mkl_sparse_s_mm"),
    WANTED(mm_f64, "mkl_sparse_d_mm"),
    WANTED(destroy, "mkl_sparse_destroy"),
    {0},
};

static enum status start(char *version, struct error *error)
{
    char text[256] = "";
    int threading = dlsym(RTLD_DEFAULT, "GOMP_parallel") ? THREADING_GNU : THREADING_SEQUENTIAL;
    int interface = mkl.interface_layer(INTERFACE_LP64), layer = mkl.threading_layer(threading);
    if (interface != INTERFACE_LP64)
        return error_set(error, STATUS_UNAVAILABLE, "it insists on the interface with 64-bit integers");
    if (layer != threading)
        return error_set(error, STATUS_UNAVAILABLE,
                         "it insists on layer %d of threads instead of %d, the one for this program's OpenMP",
                         layer, threading);
    mkl.version_string(text, sizeof text - 1);
    const char *number = strstr(text, "Version ");
    if (!number || sscanf(number, "Version %31[0-9.]", version) != 1 || atoi(version) < VERSION_MIN)
        return error_set(error, STATUS_UNAVAILABLE,
                         "it is too old: version %d is needed, and this is '%.80s'", VERSION_MIN, text);
    mkl.set_dynamic(false);
    mkl.verbose(false);
    return STATUS_OK;
}

static const char *const files[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so",
                                    NULL};
/* Where Intel's scripts, its packages and Python's put it. */
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

static const char *words_of(int code)
{
    static const char *const words[] = {"no error",         "it is not initialised", "it has no memory",
                                        "an invalid value", "execution failed",      "an internal error",
                                        "not supported"};
    return code > 0 && code < (int)(sizeof words / sizeof *words) ? words[code] : "an unknown error";
}

static const struct descr general = {GENERAL, FULL, NON_UNIT};

static int create(const struct library_csr *csr, void **a)
{
    if (csr->single)
        return mkl.create_f32(a, BASE_ZERO, csr->rows, csr->cols, csr->row_ptr, csr->row_ptr + 1, csr->col,
                              csr->val);
    return mkl.create_f64(a, BASE_ZERO, csr->rows, csr->cols, csr->row_ptr, csr->row_ptr + 1, csr->col,
                          csr->val);
}

static int operation_of(const struct launch *launch)
{
    return launch->product.transposed ? TRANSPOSE : NON_TRANSPOSE;
}

static int layout_of(const struct launch *launch)
{
    return launch->product.by_rows ? ROW_MAJOR : COLUMN_MAJOR;
}

/* Tell which products will follow, by the function that *what becomes. */
static int give_hint(const struct launch *launch, const char **what)
{
    bool several = launch->product.columns > 1;
    *what = several ? "mkl_sparse_set_mm_hint" : "mkl_sparse_set_mv_hint";
    if (several)
        return mkl.mm_hint(launch->state, operation_of(launch), general, layout_of(launch),
                           launch->product.columns, CALLS);
    return mkl.mv_hint(launch->state, operation_of(launch), general, CALLS);
}

/* The threads of the calling thread alone. */
static int take_threads(int threads)
{
    return mkl.threads_local(threads);
}

static enum status make(const struct library_csr *csr, struct launch *launch, struct error *error)
{
    const char *what = "mkl_sparse_?_create_csr";
    int code = create(csr, &launch->state);
    if (code == SUCCESS) code = give_hint(launch, &what);
    if (code == SUCCESS) {
        what = "mkl_sparse_set_memory_hint";
        code = mkl.memory_hint(launch->state, MEMORY_AGGRESSIVE);
    }
    if (code == SUCCESS) {
        what = "mkl_sparse_optimize";
        code = mkl.optimize(launch->state);
    }
    return code == SUCCESS ? STATUS_OK
                           : library_failed(&library_mkl, what, code == ALLOC_FAILED, words_of(code), error);
}

static int multiply_several(const struct launch *launch)
{
    const struct product product = launch->product;
    int x_stride = library_x_stride(launch), y_stride = library_y_stride(launch);
    if (launch->storage->precision == PRECISION_F32)
        return mkl.mm_f32(operation_of(launch), 1, launch->state, general, layout_of(launch), launch->x,
                          product.columns, x_stride, product.accumulate, launch->y, y_stride);
    return mkl.mm_f64(operation_of(launch), 1, launch->state, general, layout_of(launch), launch->x,
                      product.columns, x_stride, product.accumulate, launch->y, y_stride);
}

static int multiply_single(const struct launch *launch)
{
    bool add = launch->product.accumulate;
    if (launch->storage->precision == PRECISION_F32)
        return mkl.mv_f32(operation_of(launch), 1, launch->state, general, launch->x, add, launch->y);
    return mkl.mv_f64(operation_of(launch), 1, launch->state, general, launch->x, add, launch->y);
}

static bool multiply(const struct launch *launch)
{
    int code = launch->product.columns > 1 ? multiply_several(launch) : multiply_single(launch);
    return code == SUCCESS;
}

static void release(struct launch *launch)
{
    mkl.destroy(launch->state);
    launch->state = NULL;
}

const struct library library_mkl = {
    .place.title = "oneMKL",
    .place.variable = "SPARSIGHT_MKL",
    .place.files = files,
    .place.folders = folders,
    .place.install = "to install it: pip install mkl",
    .wanted = wanted,
    .symbols = &mkl,
    .found = &found,
    .kernel = &kernel_mkl_csr,
    .start = start,
    .take_threads = take_threads,
    .make = make,
    .multiply = multiply,
};

const struct kernel kernel_mkl_csr = {
    .name = "csr",
    .backend = &backend_mkl,
    .format = &format_csr,
    .summary = "mkl_sparse_?_mv or _mm after mkl_sparse_optimize",
    .source = "Intel oneMKL",
    .wins = "It is Intel's for Intel's processors. Its inspector stores the matrix anew for many "
            "products.",
    .parameters = library_parameters,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare_cost = 150,
    .prepare = library_prepare,
    .run = library_run,
    .release = release,
    .like = &kernel_cpu_csr_omp,
};
