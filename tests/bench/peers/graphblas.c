/* SuiteSparse:GraphBLAS: y = 0, then y += A x in place, with all vectors full (Davis, ACM TOMS 45, 2019). */
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "bench/peers/peers.h"
#include "formats/array.h"
#include "formats/csr.h"

/* Last: it makes `complex` a macro. */
#include <GraphBLAS.h>

struct product {
    GrB_Matrix a;
    GrB_Vector x, y;
};

static enum status failed(GrB_Info info, const char *what, struct error *error)
{
    return error_set(error, info == GrB_OUT_OF_MEMORY ? STATUS_MEMORY : STATUS_UNAVAILABLE,
                     "GraphBLAS: %s fails with %d", what, (int)info);
}

static size_t value_size(const struct storage *storage)
{
    return storage->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
}

/* The arrays of CSR as GraphBLAS has them: offsets and columns of 64 bits. */
struct arrays {
    GrB_Index *row_ptr, *col;
    void *val;
};

static enum status copy_arrays(const struct storage *storage, struct arrays *arrays, struct error *error)
{
    const struct array *from = storage->array;
    const int32_t *col = from[CSR_COL].data;
    size_t value = value_size(storage), nnz = (size_t)storage->nnz;
    arrays->row_ptr = memory_array((size_t)storage->rows + 1, sizeof *arrays->row_ptr, error);
    arrays->col = memory_array(nnz, sizeof *arrays->col, error);
    arrays->val = memory_array(nnz, value, error);
    if (!arrays->row_ptr || !arrays->col || !arrays->val) return STATUS_MEMORY;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i <= storage->rows; i++)
        arrays->row_ptr[i] = (GrB_Index)array_integer(&from[CSR_ROW_PTR], i);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < storage->nnz; k++) {
        arrays->col[k] = (GrB_Index)col[k];
        memcpy((char *)arrays->val + (size_t)k * value, (const char *)from[CSR_VAL].data + (size_t)k * value,
               value);
    }
    return STATUS_OK;
}

/* Make product->a from the storage; it takes over the arrays. */
static enum status make_matrix(const struct storage *storage, struct product *product, struct error *error)
{
    struct arrays arrays = {0};
    GrB_Type type = storage->precision == PRECISION_F32 ? GrB_FP32 : GrB_FP64;
    GrB_Index rows = (GrB_Index)storage->rows, cols = (GrB_Index)storage->cols, nnz = (GrB_Index)storage->nnz;
    enum status status = copy_arrays(storage, &arrays, error);
    GrB_Info info = GrB_SUCCESS;
    if (status == STATUS_OK) {
        info = GrB_Matrix_new(&product->a, type, rows, cols);
        if (info == GrB_SUCCESS) info = GrB_Vector_new(&product->x, type, cols);
        if (info == GrB_SUCCESS) info = GrB_Vector_new(&product->y, type, rows);
        if (info == GrB_SUCCESS)
            info = GxB_Matrix_pack_CSR(product->a, &arrays.row_ptr, &arrays.col, &arrays.val,
                                       (rows + 1) * sizeof(GrB_Index), nnz * sizeof(GrB_Index),
                                       nnz * value_size(storage), false, false, NULL);
        if (info == GrB_SUCCESS) info = GrB_Matrix_wait(product->a, GrB_MATERIALIZE);
        if (info != GrB_SUCCESS) status = failed(info, "making the matrix", error);
    }
    free(arrays.row_ptr);
    free(arrays.col);
    free(arrays.val);
    return status;
}

static void clear(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    float *single = launch->y;
    double *full = launch->y;
#pragma omp parallel for schedule(static) num_threads(launch->threads)
    for (int64_t i = 0; i < storage->rows; i++)
        if (storage->precision == PRECISION_F32)
            single[i] = 0;
        else
            full[i] = 0;
}

/* y += A x; the library holds both arrays meanwhile, and copies nothing. True if y is where it was. */
static bool add_product(const struct storage *storage, struct product *product, const void *x, void *y)
{
    bool f32 = storage->precision == PRECISION_F32, iso;
    void *x_data = (void *)x, *y_data = y;
    GrB_Index x_bytes = (GrB_Index)storage->cols * value_size(storage);
    GrB_Index y_bytes = (GrB_Index)storage->rows * value_size(storage);
    GrB_Info info = GxB_Vector_pack_Full(product->x, &x_data, x_bytes, false, NULL);
    if (info == GrB_SUCCESS) info = GxB_Vector_pack_Full(product->y, &y_data, y_bytes, false, NULL);
    if (info == GrB_SUCCESS)
        info = GrB_mxv(product->y, NULL, f32 ? GrB_PLUS_FP32 : GrB_PLUS_FP64,
                       f32 ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64, product->a,
                       product->x, NULL);
    if (info == GrB_SUCCESS) info = GrB_Vector_wait(product->y, GrB_MATERIALIZE);
    GxB_Vector_unpack_Full(product->y, &y_data, &y_bytes, &iso, NULL);
    GxB_Vector_unpack_Full(product->x, &x_data, &x_bytes, &iso, NULL);
    return info == GrB_SUCCESS && y_data == y && x_data == x;
}

/* One product with vectors of its own, which shows that the library leaves arrays where they are. */
static enum status try_product(const struct launch *launch, struct product *product, struct error *error)
{
    const struct storage *storage = launch->storage;
    void *x = memory_zeroed((size_t)storage->cols, value_size(storage), error);
    void *y = memory_zeroed((size_t)storage->rows, value_size(storage), error);
    if (x && y && add_product(storage, product, x, y)) {
        free(x);
        free(y);
        return STATUS_OK;
    }
    return error_set(error, STATUS_UNAVAILABLE, "GraphBLAS does not multiply in place here");
}

static enum status prepare(struct launch *launch, struct error *error)
{
    struct peer *peer = (struct peer *)launch->kernel;
    double start = clock_seconds();
    struct product *product = memory_zeroed(1, sizeof *product, error);
    launch->state = product;
    if (!product) return STATUS_MEMORY;
    GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, launch->threads);
    enum status status = make_matrix(launch->storage, product, error);
    peer->prepare_seconds = clock_seconds() - start;
    return status == STATUS_OK ? try_product(launch, product, error) : status;
}

static void run(const struct launch *launch)
{
    if (!launch->product.accumulate) clear(launch);
    add_product(launch->storage, launch->state, launch->x, launch->y);
}

static void release(struct launch *launch)
{
    struct product *product = launch->state;
    GrB_Matrix_free(&product->a);
    GrB_Vector_free(&product->x);
    GrB_Vector_free(&product->y);
    free(product);
    launch->state = NULL;
}

static const struct parameter none[] = {{0}};

enum status peer_graphblas_begin(struct peer *peer, struct error *error)
{
    *peer = (struct peer){.kernel = {
                              .name = "graphblas",
                              .backend = &backend_cpu,
                              .format = &format_csr,
                              .summary = "GrB_mxv with PLUS_TIMES, in place on full vectors",
                              .source = "Davis, ACM TOMS 45, 2019",
                              .parameters = none,
                              .prepare = prepare,
                              .run = run,
                              .release = release,
                          }};
    GrB_Info info = GrB_init(GrB_NONBLOCKING);
    return info == GrB_SUCCESS ? STATUS_OK : failed(info, "starting", error);
}

void peer_graphblas_end(void)
{
    GrB_finalize();
}
