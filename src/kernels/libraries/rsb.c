/* librsb: recursive sparse blocks, tuned as in its documentation.
 *
 * The functions are declared as in the documentation of librsb 1.3.0 (rsb.h), with 32-bit integers. The
 * library has no function for its version. */
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

enum { OUT_OF_MEMORY = -0x40 };
enum { TYPE_F32 = 'S', TYPE_F64 = 'D', TRANSPOSITION_N = 'N', TRANSPOSITION_T = 'T' };
enum { BLOCKING = 1, NO_FLAGS = 0, ROW_MAJOR = 0, COLUMN_MAJOR = 0x4000000, EXECUTING_THREADS = 9 };

/* Maximum seconds of a round of tuning; the library decides the number of rounds. */
#define TUNE_SECONDS 1.0

static struct {
    int (*init)(void *options);
    int (*set_opt)(int option, const void *value);
    int (*error_text)(int code, char *text, size_t size);
    void *(*create)(const void *val, const int *row_ptr, const int *col, int entries, char type, int rows,
                    int cols, int high, int wide, int flags, int *code);
    int (*tune)(void **a, double *gain, int *threads, int rounds, double seconds, int transposition,
                const void *alpha, const void *same, int columns, int order, const void *x, int x_stride,
                const void *beta, void *y, int y_stride);
    int (*mv)(int transposition, const void *alpha, const void *a, const void *x, int x_step,
              const void *beta, void *y, int y_step);
    int (*mm)(int transposition, const void *alpha, const void *a, int columns, int order, const void *x,
              int x_stride, const void *beta, void *y, int y_stride);
    void *(*destroy)(void *a);
} rsb;

static const struct library_symbol wanted[] = {
    {"rsb_lib_init", &rsb.init},
    {"rsb_lib_set_opt", &rsb.set_opt},
    {"rsb_strerror_r", &rsb.error_text},
    {"rsb_mtx_alloc_from_csr_const", &rsb.create},
    {"rsb_tune_spmm", &rsb.tune},
    {"rsb_spmv", &rsb.mv},
    {"rsb_spmm", &rsb.mm},
    {"rsb_mtx_free", &rsb.destroy},
    {0},
};

static bool start(char *text, size_t size, struct library_call *call)
{
    return library_asked(call, "rsb_lib_init", rsb.init(NULL));
}

static void explain(int code, char *words, size_t size)
{
    rsb.error_text(code, words, size);
}

static int take_threads(int threads)
{
    rsb.set_opt(EXECUTING_THREADS, &threads);
    return library_threads(&library_rsb, threads);
}

static int transposition_of(const struct library_product *product)
{
    return product->transposed ? TRANSPOSITION_T : TRANSPOSITION_N;
}

static int order_of(const struct library_product *product)
{
    return product->by_rows ? ROW_MAJOR : COLUMN_MAJOR;
}

/* Store the matrix as blocks, and let the library choose faster ones, but not the number of threads. */
static bool make(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call)
{
    bool several = product->columns > 1;
    int code = 0;
    *handle =
        rsb.create(csr->val, csr->row_ptr, csr->col, csr->entries, product->single ? TYPE_F32 : TYPE_F64,
                   csr->rows, csr->cols, BLOCKING, BLOCKING, NO_FLAGS, &code);
    library_asked(call, "rsb_mtx_alloc_from_csr_const", code);
    if (!*handle) return false;
    code = rsb.tune(handle, NULL, NULL, 0, TUNE_SECONDS, transposition_of(product), product->one_at, NULL,
                    product->columns, order_of(product), NULL, several ? product->x_stride : 0,
                    product->beta_at, NULL, several ? product->y_stride : 0);
    return library_asked(call, "rsb_tune_spmm", code);
}

static int multiply(const struct library_product *product, void *const *handle)
{
    int transposition = transposition_of(product);
    if (product->columns > 1)
        return rsb.mm(transposition, product->one_at, *handle, product->columns, order_of(product),
                      product->x, product->x_stride, product->beta_at, product->y, product->y_stride);
    return rsb.mv(transposition, product->one_at, *handle, product->x, 1, product->beta_at, product->y, 1);
}

static void release(void **handle)
{
    rsb.destroy(*handle);
}

static const char *const files[] = {"librsb.so.0", "librsb.so", NULL};
static const char *const folders[] = {"/usr/local/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

const struct library library_rsb = {
    .place.title = "librsb",
    .place.variable = "SPARSIGHT_RSB",
    .place.files = files,
    .place.folders = folders,
    .place.install = "to install it: apt-get install librsb0",
    .wanted = wanted,
    .found = &found,
    .kernel = &kernel_rsb_csr,
    .no_memory = OUT_OF_MEMORY,
    .explain = explain,
    .start = start,
    .take_threads = take_threads,
    .make = make,
    .multiply = multiply,
    .release = release,
};

const struct kernel kernel_rsb_csr = {
    LIBRARY_KERNEL(rsb),
    .summary = "rsb_spmv or rsb_spmm after rsb_tune_spmm",
    .source = "Martone, Parallel Computing 40, 2014",
    .wins = "It suits very large matrices and several vectors, which its blocks keep in the caches. The "
            "search for blocks takes as long as a hundred products or more.",
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare_cost = 1000,
    .like = &kernel_cpu_csr_balanced,
};
