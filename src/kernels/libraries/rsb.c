/* librsb: recursive sparse blocks, tuned as its documentation has it.
 *
 * The functions are declared as in the documentation of librsb 1.3.0 (rsb.h), with integers of 32 bits. The
 * library cannot be asked for its version. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

enum { NO_ERROR = 0, OUT_OF_MEMORY = -0x40 };
enum { TYPE_F32 = 'S', TYPE_F64 = 'D', TRANSPOSITION_N = 'N', TRANSPOSITION_T = 'T' };
enum { BLOCKING = 1, NO_FLAGS = 0, ROW_MAJOR = 0, COLUMN_MAJOR = 0x4000000, EXECUTING_THREADS = 9 };

/* Seconds that each round of tuning may take; how many rounds, the library decides. */
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

#define WANTED(field, name)                           \
    {                                                 \
        name, offsetof(__typeof__(rsb), field), false \
    }
static const struct library_symbol wanted[] = {
    WANTED(init, "rsb_lib_init"),
    WANTED(set_opt, "rsb_lib_set_opt"),
    WANTED(error_text, "rsb_strerror_r"),
    WANTED(create, "rsb_mtx_alloc_from_csr_const"),
    WANTED(tune, "rsb_tune_spmm"),
    WANTED(mv, "rsb_spmv"),
    WANTED(mm, "rsb_spmm"),
    WANTED(destroy, "rsb_mtx_free"),
    {0},
};

static enum status start(char *version, struct error *error)
{
    char words[160] = "";
    int code = rsb.init(NULL);
    if (code == NO_ERROR) return STATUS_OK;
    rsb.error_text(code, words, sizeof words);
    return error_set(error, STATUS_UNAVAILABLE, "it fails at rsb_lib_init: %s", words);
}

static const char *const files[] = {"librsb.so.0", "librsb.so", NULL};
static const char *const folders[] = {"/usr/local/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

static enum status failed(const char *what, int code, struct error *error)
{
    char words[160] = "";
    rsb.error_text(code, words, sizeof words);
    return library_failed(&library_rsb, what, code == OUT_OF_MEMORY, words, error);
}

static int take_threads(int threads)
{
    rsb.set_opt(EXECUTING_THREADS, &threads);
    return library_threads(&library_rsb, threads);
}

static int transposition_of(const struct launch *launch)
{
    return launch->product.transposed ? TRANSPOSITION_T : TRANSPOSITION_N;
}

static int order_of(const struct launch *launch)
{
    return launch->product.by_rows && launch->product.columns > 1 ? ROW_MAJOR : COLUMN_MAJOR;
}

/* Store the matrix as blocks, and let the library choose other ones if they are faster. Which threads there
 * are it is not let choose. */
static enum status make(const struct library_csr *csr, struct launch *launch, struct error *error)
{
    int code = NO_ERROR;
    launch->state =
        rsb.create(csr->val, csr->row_ptr, csr->col, csr->entries, csr->single ? TYPE_F32 : TYPE_F64,
                   csr->rows, csr->cols, BLOCKING, BLOCKING, NO_FLAGS, &code);
    if (!launch->state) return failed("rsb_mtx_alloc_from_csr_const", code, error);
    bool several = launch->product.columns > 1;
    code = rsb.tune(&launch->state, NULL, NULL, 0, TUNE_SECONDS, transposition_of(launch),
                    library_factor(csr->single, true), NULL, launch->product.columns, order_of(launch), NULL,
                    several ? library_x_stride(launch) : 0,
                    library_factor(csr->single, launch->product.accumulate), NULL,
                    several ? library_y_stride(launch) : 0);
    return code == NO_ERROR ? STATUS_OK : failed("rsb_tune_spmm", code, error);
}

static bool multiply(const struct launch *launch)
{
    const bool single = launch->storage->precision == PRECISION_F32;
    const void *alpha = library_factor(single, true),
               *beta = library_factor(single, launch->product.accumulate);
    int transposition = transposition_of(launch), code;
    if (launch->product.columns > 1)
        code = rsb.mm(transposition, alpha, launch->state, launch->product.columns, order_of(launch),
                      launch->x, library_x_stride(launch), beta, launch->y, library_y_stride(launch));
    else
        code = rsb.mv(transposition, alpha, launch->state, launch->x, 1, beta, launch->y, 1);
    return code == NO_ERROR;
}

static void release(struct launch *launch)
{
    rsb.destroy(launch->state);
    launch->state = NULL;
}

const struct library library_rsb = {
    .place.title = "librsb",
    .place.variable = "SPARSIGHT_RSB",
    .place.files = files,
    .place.folders = folders,
    .place.install = "to install it: apt-get install librsb0",
    .wanted = wanted,
    .symbols = &rsb,
    .found = &found,
    .kernel = &kernel_rsb_csr,
    .start = start,
    .take_threads = take_threads,
    .make = make,
    .multiply = multiply,
};

const struct kernel kernel_rsb_csr = {
    .name = "csr",
    .backend = &backend_rsb,
    .format = &format_csr,
    .summary = "rsb_spmv or rsb_spmm after rsb_tune_spmm",
    .source = "Martone, Parallel Computing 40, 2014",
    .wins = "It is for very large matrices and several vectors, which its blocks keep in the "
            "caches. Looking for them takes as long as a hundred products or more.",
    .parameters = library_parameters,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare_cost = 1000,
    .prepare = library_prepare,
    .run = library_run,
    .release = release,
    .like = &kernel_cpu_csr_balanced,
};
