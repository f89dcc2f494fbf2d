/* SuiteSparse:GraphBLAS: y = 0, then y += A x in place, with all vectors full.
 *
 * The functions are declared as in "SuiteSparse:GraphBLAS User Guide", versions 7.4 to 9.4; the constants of
 * its options changed with version 8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

enum { OUT_OF_MEMORY = -102, NONBLOCKING = 0, MATERIALIZE = 1 };
/* Options of version 7, and of later ones. */
enum { OLD_LIBRARY_VERSION = 9, OLD_THREADS = 5, LIBRARY_VERSION = 7005, THREADS = 7086 };

static struct {
    int (*init)(int mode);
    int (*get)(int option, int *value);
    int (*set)(int option, int value);
    int (*matrix_new)(void **a, void *type, uint64_t rows, uint64_t cols);
    int (*matrix_pack)(void *a, uint64_t **row_ptr, uint64_t **col, void **val, uint64_t row_ptr_bytes,
                       uint64_t col_bytes, uint64_t val_bytes, bool iso, bool jumbled, void *descriptor);
    int (*matrix_wait)(void *a, int mode);
    int (*matrix_free)(void **a);
    int (*vector_new)(void **v, void *type, uint64_t size);
    int (*vector_pack)(void *v, void **data, uint64_t bytes, bool iso, void *descriptor);
    int (*vector_unpack)(void *v, void **data, uint64_t *bytes, bool *iso, void *descriptor);
    int (*vector_wait)(void *v, int mode);
    int (*vector_free)(void **v);
    int (*mxv)(void *y, void *mask, void *accumulate, void *semiring, void *a, void *x, void *descriptor);
    void **type[2], **plus[2], **semiring[2];
    int threads; /* the option for their number in this version */
} graphblas;

static const struct library_symbol wanted[] = {
    {"GrB_init", &graphblas.init},
    {"GxB_Global_Option_get_INT32", &graphblas.get},
    {"GxB_Global_Option_set_INT32", &graphblas.set},
    {"GrB_Matrix_new", &graphblas.matrix_new},
    {"GxB_Matrix_pack_CSR", &graphblas.matrix_pack},
    {"GrB_Matrix_wait", &graphblas.matrix_wait},
    {"GrB_Matrix_free", &graphblas.matrix_free},
    {"GrB_Vector_new", &graphblas.vector_new},
    {"GxB_Vector_pack_Full", &graphblas.vector_pack},
    {"GxB_Vector_unpack_Full", &graphblas.vector_unpack},
    {"GrB_Vector_wait", &graphblas.vector_wait},
    {"GrB_Vector_free", &graphblas.vector_free},
    {"GrB_mxv", &graphblas.mxv},
    {"GrB_FP64", &graphblas.type[0]},
    {"GrB_FP32", &graphblas.type[1]},
    {"GrB_PLUS_FP64", &graphblas.plus[0]},
    {"GrB_PLUS_FP32", &graphblas.plus[1]},
    {"GrB_PLUS_TIMES_SEMIRING_FP64", &graphblas.semiring[0]},
    {"GrB_PLUS_TIMES_SEMIRING_FP32", &graphblas.semiring[1]},
    {0},
};

static bool start(char *text, size_t size, struct library_call *call)
{
    int number[8] = {0}; /* three are written; another version may write more */
    if (!library_asked(call, "GrB_init", graphblas.init(NONBLOCKING))) return false;
    graphblas.threads = THREADS;
    if (graphblas.get(LIBRARY_VERSION, number) != 0) {
        graphblas.threads = OLD_THREADS;
        if (graphblas.get(OLD_LIBRARY_VERSION, number) != 0) number[0] = 0;
    }
    snprintf(text, size, "%d.%d.%d", number[0], number[1], number[2]);
    return true;
}

static int take_threads(int threads)
{
    graphblas.set(graphblas.threads, threads);
    return library_threads(&library_graphblas, threads);
}

enum { A, X, Y };

static size_t value_size(const struct library_product *product)
{
    return product->single ? sizeof(float) : sizeof(double);
}

/* The arrays of CSR for GraphBLAS: 64-bit offsets and columns. */
struct arrays {
    uint64_t *row_ptr, *col;
    void *val;
    uint64_t row_ptr_bytes, col_bytes, val_bytes;
};

static enum status copy_arrays(const struct library_csr *csr, size_t value, struct arrays *arrays,
                               struct error *error)
{
    size_t rows = (size_t)csr->rows, entries = (size_t)csr->entries;
    arrays->row_ptr_bytes = (rows + 1) * sizeof *arrays->row_ptr;
    arrays->col_bytes = entries * sizeof *arrays->col;
    arrays->val_bytes = entries * value;
    enum status status = memory_check(arrays->row_ptr_bytes + arrays->col_bytes + arrays->val_bytes,
                                      csr->limit, "the matrix as GraphBLAS stores it", error);
    if (status != STATUS_OK) return status;
    arrays->row_ptr = memory_array(rows + 1, sizeof *arrays->row_ptr, error);
    arrays->col = memory_array(entries, sizeof *arrays->col, error);
    arrays->val = memory_array(entries, value, error);
    if (!arrays->row_ptr || !arrays->col || !arrays->val) return STATUS_MEMORY;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i <= csr->rows; i++)
        arrays->row_ptr[i] = (uint64_t)csr->row_ptr[i];
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < csr->entries; k++) {
        arrays->col[k] = (uint64_t)csr->col[k];
        memcpy((char *)arrays->val + (size_t)k * value, (const char *)csr->val + (size_t)k * value, value);
    }
    return STATUS_OK;
}

/* Make the matrix, which takes over the arrays, and the vectors. */
static bool fill(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call)
{
    struct arrays arrays = {0};
    void *type = *graphblas.type[product->single];
    uint64_t rows = (uint64_t)csr->rows, cols = (uint64_t)csr->cols;
    call->status = copy_arrays(csr, value_size(product), &arrays, call->error);
    bool filled = call->status == STATUS_OK &&
                  library_asked(call, "GrB_Matrix_new", graphblas.matrix_new(&handle[A], type, rows, cols)) &&
                  library_asked(call, "GrB_Vector_new", graphblas.vector_new(&handle[X], type, cols)) &&
                  library_asked(call, "GrB_Vector_new", graphblas.vector_new(&handle[Y], type, rows)) &&
                  library_asked(call, "GxB_Matrix_pack_CSR",
                                graphblas.matrix_pack(handle[A], &arrays.row_ptr, &arrays.col, &arrays.val,
                                                      arrays.row_ptr_bytes, arrays.col_bytes,
                                                      arrays.val_bytes, false, false, NULL)) &&
                  library_asked(call, "GrB_Matrix_wait", graphblas.matrix_wait(handle[A], MATERIALIZE));
    free(arrays.row_ptr);
    free(arrays.col);
    free(arrays.val);
    return filled;
}

/* y += A x; the library temporarily owns both arrays, without a copy. Returns 0 if they come back at the same
 * addresses. */
static int multiply(const struct library_product *product, void *const *handle)
{
    bool iso;
    void *x = (void *)product->x, *y = product->y;
    uint64_t x_bytes = (uint64_t)product->x_size * value_size(product);
    uint64_t y_bytes = (uint64_t)product->y_size * value_size(product);
    int code = graphblas.vector_pack(handle[X], &x, x_bytes, false, NULL);
    if (code != 0) return code;
    code = graphblas.vector_pack(handle[Y], &y, y_bytes, false, NULL);
    bool packed = code == 0;
    if (code == 0)
        code = graphblas.mxv(handle[Y], NULL, *graphblas.plus[product->single],
                             *graphblas.semiring[product->single], handle[A], handle[X], NULL);
    if (code == 0) code = graphblas.vector_wait(handle[Y], MATERIALIZE);
    if (packed) graphblas.vector_unpack(handle[Y], &y, &y_bytes, &iso, NULL);
    graphblas.vector_unpack(handle[X], &x, &x_bytes, &iso, NULL);
    return code == 0 && (y != product->y || x != product->x) ? -1 : code;
}

/* A trial product with separate vectors, which shows whether the library keeps arrays at their addresses. */
static enum status try_product(const struct library_product *product, void *const *handle,
                               struct error *error)
{
    struct library_product small = *product;
    void *x = memory_zeroed((size_t)product->x_size, value_size(product), error);
    void *y = memory_zeroed((size_t)product->y_size, value_size(product), error);
    bool memory = x && y;
    small.x = x;
    small.y = y;
    if (memory && multiply(&small, handle) != 0)
        /* The library may still hold the arrays, so that they are not freed. */
        return error_set(error, STATUS_UNAVAILABLE,
                         "GraphBLAS does not multiply in place here: it fails at GrB_mxv");
    free(x);
    free(y);
    return memory ? STATUS_OK : STATUS_MEMORY;
}

static bool make(const struct library_csr *csr, const struct library_product *product, void **handle,
                 struct library_call *call)
{
    if (!fill(csr, product, handle, call)) return false;
    call->status = try_product(product, handle, call->error);
    return call->status == STATUS_OK;
}

static void release(void **handle)
{
    graphblas.matrix_free(&handle[A]);
    graphblas.vector_free(&handle[X]);
    graphblas.vector_free(&handle[Y]);
}

static const char *const files[] = {"libgraphblas.so.10", "libgraphblas.so.9", "libgraphblas.so.8",
                                    "libgraphblas.so.7",  "libgraphblas.so",   NULL};
static const char *const folders[] = {"$CONDA_PREFIX/lib", "/usr/local/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

const struct library library_graphblas = {
    .place.title = "SuiteSparse:GraphBLAS",
    .place.variable = "SPARSIGHT_GRAPHBLAS",
    .place.files = files,
    .place.folders = folders,
    .place.install = "to install it: apt-get install libgraphblas-dev",
    .wanted = wanted,
    .found = &found,
    .kernel = &kernel_graphblas_csr,
    .version_min = 7,
    .no_memory = OUT_OF_MEMORY,
    .code_name = "GrB_Info",
    .start = start,
    .take_threads = take_threads,
    .make = make,
    .multiply = multiply,
    .adds = true,
    .release = release,
};

const struct kernel kernel_graphblas_csr = {
    LIBRARY_KERNEL(graphblas),
    .summary = "GrB_mxv with plus and times, in place on full vectors",
    .source = "Davis, ACM Transactions on Mathematical Software 45, 2019",
    .wins = "It suits programs that hold their matrices in GraphBLAS.",
    .prepare_cost = 40,
    .like = &kernel_cpu_csr_balanced,
};
