/* SuiteSparse:GraphBLAS: y = 0, then y += A x in place, with all vectors full.
 *
 * The functions are declared as in "SuiteSparse:GraphBLAS User Guide", versions 7.4 to 9.4; the numbers of
 * its options changed with version 8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/csr.h"
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

#define VERSION_MIN 7

enum { SUCCESS = 0, OUT_OF_MEMORY = -102, NONBLOCKING = 0, MATERIALIZE = 1 };
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
    void **type_f32, **type_f64, **plus_f32, **plus_f64, **semiring_f32, **semiring_f64;
    int threads; /* the option that says how many, in this version */
} graphblas;

#define WANTED(field, name)                                 \
    {                                                       \
        name, offsetof(__typeof__(graphblas), field), false \
    }
static const struct library_symbol wanted[] = {
    WANTED(init, "GrB_init"),
    WANTED(get, "GxB_Global_Option_get_INT32"),
    WANTED(set, "GxB_Global_Option_set_INT32"),
    WANTED(matrix_new, "GrB_Matrix_new"),
    WANTED(matrix_pack, "GxB_Matrix_pack_CSR"),
    WANTED(matrix_wait, "GrB_Matrix_wait"),
    WANTED(matrix_free, "GrB_Matrix_free"),
    WANTED(vector_new, "GrB_Vector_new"),
    WANTED(vector_pack, "GxB_Vector_pack_Full"),
    WANTED(vector_unpack, "GxB_Vector_unpack_Full"),
    WANTED(vector_wait, "GrB_Vector_wait"),
    WANTED(vector_free, "GrB_Vector_free"),
    WANTED(mxv, "GrB_mxv"),
    WANTED(type_f32, "GrB_FP32"),
    WANTED(type_f64, "GrB_FP64"),
    WANTED(plus_f32, "GrB_PLUS_FP32"),
    WANTED(plus_f64, "GrB_PLUS_FP64"),
    WANTED(semiring_f32, "GrB_PLUS_TIMES_SEMIRING_FP32"),
    WANTED(semiring_f64, "GrB_PLUS_TIMES_SEMIRING_FP64"),
    {0},
};

static enum status start(char *version, struct error *error)
{
    int number[8] = {0}; /* three of them are written, by some version perhaps more */
    int code = graphblas.init(NONBLOCKING);
    if (code != SUCCESS) return error_set(error, STATUS_UNAVAILABLE, "it fails at GrB_init with %d", code);
    graphblas.threads = THREADS;
    if (graphblas.get(LIBRARY_VERSION, number) != SUCCESS) {
        graphblas.threads = OLD_THREADS;
        if (graphblas.get(OLD_LIBRARY_VERSION, number) != SUCCESS) number[0] = 0;
    }
    snprintf(version, 40, "%d.%d.%d", number[0], number[1], number[2]);
    if (number[0] >= VERSION_MIN) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "it is too old: version %d is needed, and this is %s",
                     VERSION_MIN, version);
}

static const char *const files[] = {"libgraphblas.so.10", "libgraphblas.so.9", "libgraphblas.so.8",
                                    "libgraphblas.so.7",  "libgraphblas.so",   NULL};
static const char *const folders[] = {"$CONDA_PREFIX/lib", "/usr/local/lib", NULL};
static struct library_found found = LIBRARY_FOUND_NOTHING;

struct prepared {
    void *a, *x, *y;
    bool single;
};

static size_t value_size(bool single)
{
    return single ? sizeof(float) : sizeof(double);
}

static int take_threads(int threads)
{
    graphblas.set(graphblas.threads, threads);
    return library_threads(&library_graphblas, threads);
}

/* The arrays of CSR as GraphBLAS takes them: offsets and columns of 64 bits. */
struct arrays {
    uint64_t *row_ptr, *col;
    void *val;
};

static enum status copy_arrays(const struct library_csr *csr, size_t limit, struct arrays *arrays,
                               struct error *error)
{
    size_t value = value_size(csr->single), rows = (size_t)csr->rows, entries = (size_t)csr->entries;
    size_t bytes = (rows + 1) * sizeof *arrays->row_ptr + entries * (sizeof *arrays->col + value);
    enum status status = memory_check(bytes, limit, "the matrix as GraphBLAS stores it", error);
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
static enum status fill(const struct library_csr *csr, size_t limit, struct prepared *prepared,
                        struct error *error)
{
    struct arrays arrays = {0};
    void *type = csr->single ? *graphblas.type_f32 : *graphblas.type_f64;
    uint64_t rows = (uint64_t)csr->rows, cols = (uint64_t)csr->cols, entries = (uint64_t)csr->entries;
    enum status status = copy_arrays(csr, limit, &arrays, error);
    const char *what = "GrB_Matrix_new";
    if (status == STATUS_OK) {
        int code = graphblas.matrix_new(&prepared->a, type, rows, cols);
        if (code == SUCCESS) {
            what = "GrB_Vector_new";
            code = graphblas.vector_new(&prepared->x, type, cols);
        }
        if (code == SUCCESS) code = graphblas.vector_new(&prepared->y, type, rows);
        if (code == SUCCESS) {
            what = "GxB_Matrix_pack_CSR";
            code = graphblas.matrix_pack(prepared->a, &arrays.row_ptr, &arrays.col, &arrays.val,
                                         (rows + 1) * sizeof(uint64_t), entries * sizeof(uint64_t),
                                         entries * value_size(csr->single), false, false, NULL);
        }
        if (code == SUCCESS) {
            what = "GrB_Matrix_wait";
            code = graphblas.matrix_wait(prepared->a, MATERIALIZE);
        }
        if (code != SUCCESS)
            status =
                library_failed_with(&library_graphblas, what, code == OUT_OF_MEMORY, "GrB_Info", code, error);
    }
    free(arrays.row_ptr);
    free(arrays.col);
    free(arrays.val);
    return status;
}

/* y += A x; the library holds both arrays meanwhile, and copies nothing. True if they are where they were. */
static bool add_product(const struct storage *storage, const struct prepared *prepared, const void *x,
                        void *y)
{
    bool iso;
    void *x_data = (void *)x, *y_data = y;
    uint64_t x_bytes = (uint64_t)storage->cols * value_size(prepared->single);
    uint64_t y_bytes = (uint64_t)storage->rows * value_size(prepared->single);
    int code = graphblas.vector_pack(prepared->x, &x_data, x_bytes, false, NULL);
    if (code != SUCCESS) return false;
    code = graphblas.vector_pack(prepared->y, &y_data, y_bytes, false, NULL);
    bool packed = code == SUCCESS;
    if (code == SUCCESS)
        code = graphblas.mxv(prepared->y, NULL, prepared->single ? *graphblas.plus_f32 : *graphblas.plus_f64,
                             prepared->single ? *graphblas.semiring_f32 : *graphblas.semiring_f64,
                             prepared->a, prepared->x, NULL);
    if (code == SUCCESS) code = graphblas.vector_wait(prepared->y, MATERIALIZE);
    if (packed) graphblas.vector_unpack(prepared->y, &y_data, &y_bytes, &iso, NULL);
    graphblas.vector_unpack(prepared->x, &x_data, &x_bytes, &iso, NULL);
    return code == SUCCESS && y_data == y && x_data == x;
}

/* One product with vectors of its own, which shows that the library leaves arrays where they are. */
static enum status try_product(const struct storage *storage, const struct prepared *prepared,
                               struct error *error)
{
    void *x = memory_zeroed((size_t)storage->cols, value_size(prepared->single), error);
    void *y = memory_zeroed((size_t)storage->rows, value_size(prepared->single), error);
    bool memory = x && y, right = memory && add_product(storage, prepared, x, y);
    if (right || !memory) {
        free(x);
        free(y);
        return memory ? STATUS_OK : STATUS_MEMORY;
    }
    /* The library may hold the arrays still, and they are left to it. */
    return error_set(error, STATUS_UNAVAILABLE,
                     "GraphBLAS does not multiply in place here: it fails at GrB_mxv");
}

static enum status make(const struct library_csr *csr, struct launch *launch, struct error *error)
{
    struct prepared *prepared = memory_zeroed(1, sizeof *prepared, error);
    launch->state = prepared;
    if (!prepared) return STATUS_MEMORY;
    prepared->single = csr->single;
    enum status status = fill(csr, launch->limit, prepared, error);
    return status == STATUS_OK ? try_product(launch->storage, prepared, error) : status;
}

static bool multiply(const struct launch *launch)
{
    if (!launch->product.accumulate) library_clear(launch);
    return add_product(launch->storage, launch->state, launch->x, launch->y);
}

static void release(struct launch *launch)
{
    struct prepared *prepared = launch->state;
    graphblas.matrix_free(&prepared->a);
    graphblas.vector_free(&prepared->x);
    graphblas.vector_free(&prepared->y);
    free(prepared);
    launch->state = NULL;
}

const struct library library_graphblas = {
    .place.title = "SuiteSparse:GraphBLAS",
    .place.variable = "SPARSIGHT_GRAPHBLAS",
    .place.files = files,
    .place.folders = folders,
    .place.install = "to install it: apt-get install libgraphblas-dev",
    .wanted = wanted,
    .symbols = &graphblas,
    .found = &found,
    .kernel = &kernel_graphblas_csr,
    .start = start,
    .take_threads = take_threads,
    .make = make,
    .multiply = multiply,
};

const struct kernel kernel_graphblas_csr = {
    .name = "csr",
    .backend = &backend_graphblas,
    .format = &format_csr,
    .summary = "GrB_mxv with plus and times, in place on full vectors",
    .source = "Davis, ACM Transactions on Mathematical Software 45, 2019",
    .wins = "It is for programs that hold their matrices in GraphBLAS anyway.",
    .parameters = library_parameters,
    .prepare_cost = 40,
    .prepare = library_prepare,
    .run = library_run,
    .release = release,
    .like = &kernel_cpu_csr_balanced,
};
