/* Triangular solves by cuSPARSE. */
#include <cmath>

#include "kernels/cuda/cusparse.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/trisolve/spsv.h"
}

using namespace cusparse_api;

#define THREADS 256

/* A matrix in cuSPARSE's form, with the vectors of its solves or products, and the library's buffer. */
struct described {
    cusparse_matrix a;
    cusparse_vector x, y;
    void *solve; /* NULL for a matrix that multiplies */
    void *buffer;
};

struct spsv_library {
    described triangle[TRIANGLES], above;
};

static const double one = 1, zero = 0;

static cuda_context *context_of(const struct spsv *spsv)
{
    return static_cast<cuda_context *>(spsv->device->state);
}

/* Make the descriptors of a matrix and its vectors. A descriptor needs an address, so all have that of
 * `vector` until a run sets others. */
static int describe(const struct spsv *spsv, const spsv_csr *csr, double *vector, described *d)
{
    const cusparse_functions &api = context_of(spsv)->cusparse->api;
    int code = api.create_csr(&d->a, spsv->rows, spsv->rows, csr->entries, csr->row_ptr, csr->col, csr->val,
                              INDEX_32, INDEX_32, BASE_ZERO, CUDA_R_64F);
    if (code == SUCCESS) code = api.create_vector(&d->x, spsv->rows, vector, CUDA_R_64F);
    if (code == SUCCESS) code = api.create_vector(&d->y, spsv->rows, vector, CUDA_R_64F);
    return code;
}

static enum status make_buffer(struct spsv *spsv, size_t bytes, described *d, struct error *error)
{
    struct error reason = {};
    d->buffer = device_array(spsv->device, bytes, 1, "cuSPARSE's buffer", &reason);
    return d->buffer ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

/* Let cuSPARSE analyse a triangle. */
static enum status analyse(struct spsv *spsv, enum triangle t, double *vector, struct error *error)
{
    const struct cusparse *cusparse = context_of(spsv)->cusparse;
    const cusparse_functions &api = cusparse->api;
    described *d = &spsv->library->triangle[t];
    int fill = t == TRIANGLE_LOWER ? FILL_LOWER : FILL_UPPER, diagonal = DIAGONAL_ANY;
    size_t bytes = 0;
    int code = describe(spsv, &spsv->triangle[t], vector, d);
    if (code == SUCCESS) code = api.set_attribute(d->a, FILL_MODE, &fill, sizeof fill);
    if (code == SUCCESS) code = api.set_attribute(d->a, DIAGONAL_TYPE, &diagonal, sizeof diagonal);
    if (code == SUCCESS) code = api.create_solve(&d->solve);
    if (code == SUCCESS)
        code = api.solve_buffer_size(cusparse->handle, NON_TRANSPOSE, &one, d->a, d->x, d->y, CUDA_R_64F,
                                     SOLVE, d->solve, &bytes);
    enum status status = cusparse_outcome(cusparse, "cusparseSpSV_bufferSize", code, error);
    if (status == STATUS_OK) status = make_buffer(spsv, bytes, d, error);
    if (status != STATUS_OK) return status;
    code = api.solve_analysis(cusparse->handle, NON_TRANSPOSE, &one, d->a, d->x, d->y, CUDA_R_64F, SOLVE,
                              d->solve, d->buffer);
    return cusparse_outcome(cusparse, "cusparseSpSV_analysis", code, error);
}

/* Let cuSPARSE prepare the product U x0. */
static enum status prepare_product(struct spsv *spsv, double *vector, struct error *error)
{
    const struct cusparse *cusparse = context_of(spsv)->cusparse;
    const cusparse_functions &api = cusparse->api;
    described *d = &spsv->library->above;
    size_t bytes = 0;
    int code = describe(spsv, &spsv->above, vector, d);
    if (code == SUCCESS)
        code = api.buffer_size(cusparse->handle, NON_TRANSPOSE, &one, d->a, d->x, &zero, d->y, CUDA_R_64F,
                               CSR_1, &bytes);
    enum status status = cusparse_outcome(cusparse, "cusparseSpMV_bufferSize", code, error);
    if (status == STATUS_OK) status = make_buffer(spsv, bytes, d, error);
    if (status != STATUS_OK || !api.preprocess) return status;
    code = api.preprocess(cusparse->handle, NON_TRANSPOSE, &one, d->a, d->x, &zero, d->y, CUDA_R_64F, CSR_1,
                          d->buffer);
    return cusparse_outcome(cusparse, "cusparseSpMV_preprocess", code, error);
}

enum status spsv_describe(struct spsv *spsv, struct error *error)
{
    spsv->library = static_cast<spsv_library *>(calloc(1, sizeof(spsv_library)));
    if (!spsv->library)
        return error_set(error, STATUS_MEMORY, "out of memory: no room for cuSPARSE's matrices");
    if (spsv->device->type != backend_cuda.devices)
        return error_set(error, STATUS_UNAVAILABLE, "cuSPARSE runs on NVIDIA's GPUs only");
    enum status status = open_cusparse(context_of(spsv), error);
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++)
        if (spsv->triangle[t].row_ptr)
            status = analyse(spsv, static_cast<enum triangle>(t), spsv->triangle[t].val, error);
    if (status == STATUS_OK && spsv->above.row_ptr) status = prepare_product(spsv, spsv->product, error);
    if (status != STATUS_OK) return status;
    cudaError_t code = cudaStreamSynchronize(context_of(spsv)->stream);
    if (code == cudaSuccess) return STATUS_OK;
    cudaGetLastError();
    return error_set(error, STATUS_UNAVAILABLE, "cusparseSpSV_analysis: %s", cudaGetErrorString(code));
}

static void forget(struct spsv *spsv, described *d)
{
    const cusparse_functions &api = context_of(spsv)->cusparse->api;
    if (d->solve) api.destroy_solve(d->solve);
    if (d->x) api.destroy_vector(d->x);
    if (d->y) api.destroy_vector(d->y);
    if (d->a) api.destroy_matrix(d->a);
    device_release(spsv->device, d->buffer);
}

void spsv_forget(struct spsv *spsv)
{
    if (!spsv->library) return;
    if (spsv->device->type == backend_cuda.devices && context_of(spsv)->cusparse) {
        forget(spsv, &spsv->library->triangle[TRIANGLE_LOWER]);
        forget(spsv, &spsv->library->triangle[TRIANGLE_UPPER]);
        forget(spsv, &spsv->library->above);
    }
    free(spsv->library);
    spsv->library = nullptr;
}

/* right = b - product */
__global__ void subtract(const double *__restrict__ b, const double *__restrict__ product,
                         double *__restrict__ right, int64_t rows)
{
    const int64_t i = thread_of_grid();
    if (i < rows) right[i] = b[i] - product[i];
}

/* right = product + D x1 */
__global__ void combine(const double *__restrict__ product, const double *__restrict__ diagonal,
                        const double *__restrict__ middle, double *__restrict__ right, int64_t rows)
{
    const int64_t i = thread_of_grid();
    if (i < rows) right[i] = product[i] + diagonal[i] * middle[i];
}

static int solve(const struct spsv *spsv, enum triangle t, const double *b, double *x)
{
    const struct cusparse *cusparse = context_of(spsv)->cusparse;
    const cusparse_functions &api = cusparse->api;
    const described *d = &spsv->library->triangle[t];
    int code = api.set_values(d->x, const_cast<double *>(b));
    if (code == SUCCESS) code = api.set_values(d->y, x);
    if (code != SUCCESS) return code;
    return api.solve(cusparse->handle, NON_TRANSPOSE, &one, d->a, d->x, d->y, CUDA_R_64F, SOLVE, d->solve);
}

static int multiply(const struct spsv *spsv, const double *x, double *y)
{
    const struct cusparse *cusparse = context_of(spsv)->cusparse;
    const cusparse_functions &api = cusparse->api;
    const described *d = &spsv->library->above;
    int code = api.set_values(d->x, const_cast<double *>(x));
    if (code == SUCCESS) code = api.set_values(d->y, y);
    if (code != SUCCESS) return code;
    return api.multiply(cusparse->handle, NON_TRANSPOSE, &one, d->a, d->x, &zero, d->y, CUDA_R_64F, CSR_1,
                        d->buffer);
}

/* Like our own kernel, this does not multiply L x1, since b - L x1 = U x0 + D x1. */
static int step(const struct spsv *spsv, const double *b, double *x)
{
    const unsigned blocks = static_cast<unsigned>((spsv->rows + THREADS - 1) / THREADS);
    cudaStream_t stream = context_of(spsv)->stream;
    int code = multiply(spsv, x, spsv->product);
    subtract<<<blocks, THREADS, 0, stream>>>(b, spsv->product, spsv->right, spsv->rows);
    if (code == SUCCESS) code = solve(spsv, TRIANGLE_LOWER, spsv->right, spsv->middle);
    combine<<<blocks, THREADS, 0, stream>>>(spsv->product, spsv->diagonal, spsv->middle, spsv->right,
                                            spsv->rows);
    return code == SUCCESS ? solve(spsv, TRIANGLE_UPPER, spsv->right, x) : code;
}

void spsv_run(void *state, const double *b, double *x)
{
    auto *spsv = static_cast<struct spsv *>(state);
    int code;
    if (spsv->operation == TRISOLVE_SYMGS)
        code = step(spsv, b, x);
    else
        code = solve(spsv, spsv->operation == TRISOLVE_LOWER ? TRIANGLE_LOWER : TRIANGLE_UPPER, b, x);
    if (code != SUCCESS || cudaPeekAtLastError() != cudaSuccess) spsv->failed = true;
}
