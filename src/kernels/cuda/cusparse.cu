/* Products by cuSPARSE: y = A x and y = A^T x by cusparseSpMV, those of several vectors by cusparseSpMM, and
 * y = A x by a plan of cusparseSpMVOp. */
#include "kernels/cuda/cusparse.cuh"

extern "C" {
#include "formats/bsr.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "formats/sell.h"
#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cusparse.h"
}

using namespace cusparse_api;

/* A prepared matrix: cuSPARSE's descriptors, and its buffer in the device's memory. */
struct described {
    const struct cusparse *cusparse;
    cusparse_matrix a;
    cusparse_vector x, y;
    void *buffer;
    int operation; /* whether A is transposed, in cuSPARSE's constants */
    int algorithm;
    bool several; /* there are several vectors, so cusparseSpMM multiplies */
    cudaDataType type;
    void *description;                    /* the descriptor for bsrmv; NULL if cusparseSpMV multiplies */
    cusparse_operation operation_of_plan; /* the operation of SpMVOp for the matrix, */
    cusparse_plan plan;                   /* and its plan; NULL if cusparseSpMV multiplies */
};

/* Return alpha or beta of y = alpha A x + beta y, which is 1 or 0. cuSPARSE reads them in the host's memory,
 * as numbers of the matrix's type. */
static const void *factor(const struct launch *launch, bool one)
{
    static const float single_factors[] = {0, 1};
    static const double double_factors[] = {0, 1};
    static const float single_pairs[][2] = {{0, 0}, {1, 0}};
    static const double double_pairs[][2] = {{0, 0}, {1, 0}};
    if (launch->storage->complex && launch->storage->precision == PRECISION_F32) return single_pairs[one];
    if (launch->storage->complex) return double_pairs[one];
    if (launch->storage->precision == PRECISION_F32) return &single_factors[one];
    return &double_factors[one];
}

static void *array_data(const struct launch *launch, int q)
{
    return launch->resident->array[q].data;
}

/* For several vectors, each algorithm has its counterpart in cusparseSpMM: the first the one that NVIDIA's
 * manual recommends for the layout of the vectors, the second the one documented to give the same bits each
 * time. */
static int algorithm_for_vectors(const struct launch *launch, enum cusparse_way way)
{
    if (way == CUSPARSE_COO_1) return launch->product.by_rows ? MM_COO_4 : MM_COO_1;
    if (way == CUSPARSE_COO_2) return MM_COO_2;
    if (way == CUSPARSE_CSR_1) return launch->product.by_rows ? MM_CSR_2 : MM_CSR_1;
    return MM_CSR_3;
}

static bool is_op(enum cusparse_way way)
{
    return way == CUSPARSE_CSR_OP_1 || way == CUSPARSE_CSR_OP_2;
}

static int algorithm_for_csr(const struct launch *launch, enum cusparse_way way)
{
    if (launch->product.columns > 1) return algorithm_for_vectors(launch, way);
    if (is_op(way)) return way == CUSPARSE_CSR_OP_1 ? OP_1 : OP_2;
    return way == CUSPARSE_CSR_1 ? CSR_1 : CSR_2;
}

static const char *describe(const struct launch *launch, enum cusparse_way way, described *d, int *code)
{
    const cusparse_functions &api = d->cusparse->api;
    const struct storage *s = launch->storage;
    int64_t size = way == CUSPARSE_BSR ? s->number[BSR_SIZE] : 1;
    switch (way) {
    case CUSPARSE_COO_1:
    case CUSPARSE_COO_2:
        d->algorithm = d->several              ? algorithm_for_vectors(launch, way)
                       : way == CUSPARSE_COO_1 ? COO_1
                                               : COO_2;
        *code = api.create_coo(&d->a, s->rows, s->cols, s->nnz, array_data(launch, COO_ROW),
                               array_data(launch, COO_COL), array_data(launch, COO_VAL), INDEX_32, BASE_ZERO,
                               d->type);
        return "cusparseCreateCoo";
    case CUSPARSE_SELL:
        d->algorithm = SELL_1;
        *code = api.create_sell(&d->a, s->rows, s->cols, s->nnz, s->slots[0],
                                static_cast<int64_t>(s->values.number[SELL_C]),
                                array_data(launch, SELL_CHUNK_PTR), array_data(launch, SELL_COL),
                                array_data(launch, SELL_VAL), INDEX_32, INDEX_32, BASE_ZERO, d->type);
        return "cusparseCreateSlicedEll";
    case CUSPARSE_BSR:
        d->algorithm = BSR_1;
        *code = api.create_bsr ? api.create_bsr(&d->a, s->rows / size, s->cols / size, s->number[BSR_BLOCKS],
                                                size, size, array_data(launch, BSR_ROW_PTR),
                                                array_data(launch, BSR_COL), array_data(launch, BSR_VAL),
                                                INDEX_32, INDEX_32, BASE_ZERO, d->type, ROW_MAJOR)
                               : static_cast<int>(NOT_SUPPORTED);
        return "cusparseCreateBsr";
    default:
        d->algorithm = algorithm_for_csr(launch, way);
        *code = api.create_csr(&d->a, s->rows, s->cols, s->nnz, array_data(launch, CSR_ROW_PTR),
                               array_data(launch, CSR_COL), array_data(launch, CSR_VAL),
                               s->wide ? INDEX_64 : INDEX_32, INDEX_32, BASE_ZERO, d->type);
        return "cusparseCreateCsr";
    }
}

/* Make the descriptor of X or Y, whose vectors have `size` elements. A descriptor needs an address, but the
 * vectors' addresses come with each product only. Until then the descriptors have the address of the matrix's
 * values, which cuSPARSE does not read through them. */
static int describe_vector(const struct launch *launch, const described *d, int64_t size,
                           cusparse_vector *out)
{
    const cusparse_functions &api = d->cusparse->api;
    void *values = storage_values(launch->resident, 0)->data;
    const struct product product = launch->product;
    if (!d->several) return api.create_vector(out, size, values, d->type);
    int64_t leading = product.by_rows ? product.columns : size > 0 ? size : 1;
    return api.create_vectors(out, size, product.columns, leading, values, d->type,
                              product.by_rows ? ROW_MAJOR : COLUMN_MAJOR);
}

static int describe_vectors(const struct launch *launch, described *d)
{
    const struct storage *s = launch->storage;
    int code = describe_vector(launch, d, product_x_size(launch->product, s->rows, s->cols), &d->x);
    if (code != SUCCESS) return code;
    return describe_vector(launch, d, product_y_size(launch->product, s->rows, s->cols), &d->y);
}

/* Let cuSPARSE analyse the matrix, as its manual recommends for repeated products. */
static int preprocess(const struct launch *launch, const described *d)
{
    const cusparse_functions &api = d->cusparse->api;
    const void *alpha = factor(launch, true), *beta = factor(launch, launch->product.accumulate);
    if (d->several && api.preprocess_vectors)
        return api.preprocess_vectors(d->cusparse->handle, d->operation, NON_TRANSPOSE, alpha, d->a, d->x,
                                      beta, d->y, d->type, d->algorithm, d->buffer);
    if (d->several || !api.preprocess) return SUCCESS;
    return api.preprocess(d->cusparse->handle, d->operation, alpha, d->a, d->x, beta, d->y, d->type,
                          d->algorithm, d->buffer);
}

/* Make the descriptors and ask how large the buffer must be. Returns the name of the last function of
 * cuSPARSE that was called, for messages; *code is what that function returned. */
static const char *ask(const struct launch *launch, enum cusparse_way way, described *d, size_t *bytes,
                       int *code)
{
    const cusparse_functions &api = d->cusparse->api;
    const void *alpha = factor(launch, true), *beta = factor(launch, launch->product.accumulate);
    const char *what = describe(launch, way, d, code);
    if (*code != SUCCESS) return what;
    *code = describe_vectors(launch, d);
    if (*code != SUCCESS) return d->several ? "cusparseCreateDnMat" : "cusparseCreateDnVec";
    if (d->several) {
        *code = api.products_buffer_size(d->cusparse->handle, d->operation, NON_TRANSPOSE, alpha, d->a, d->x,
                                         beta, d->y, d->type, d->algorithm, bytes);
        return "cusparseSpMM_bufferSize";
    }
    if (is_op(way)) {
        *code = api.op_buffer_size(d->cusparse->handle, d->operation, d->a, d->x, d->y, d->y, d->type,
                                   d->algorithm, bytes);
        return "cusparseSpMVOp_bufferSize";
    }
    *code = api.buffer_size(d->cusparse->handle, d->operation, alpha, d->a, d->x, beta, d->y, d->type,
                            d->algorithm, bytes);
    return "cusparseSpMV_bufferSize";
}

/* Make the descriptor for bsrmv, which multiplies where cusparseSpMV has no algorithm for BSR. Returns false
 * if the library lacks bsrmv too. */
static bool fall_back(enum cusparse_way way, described *d)
{
    const cusparse_functions &api = d->cusparse->api;
    return way == CUSPARSE_BSR && api.blocks_single && api.blocks_double && api.blocks_single_complex &&
           api.blocks_double_complex && api.create_description && api.destroy_description &&
           api.create_description(&d->description) == SUCCESS;
}

/* Wait for the device: the time belongs to preparing, and so does an error that appears only now. */
static enum status wait_for(struct device *device, const char *what, struct error *error)
{
    struct error reason = {};
    cudaError_t code = cudaStreamSynchronize(static_cast<cuda_context *>(device->state)->stream);
    if (code == cudaSuccess) return STATUS_OK;
    error_set(&reason, STATUS_UNAVAILABLE, "%s: %s (%s)", what, cudaGetErrorString(code),
              cudaGetErrorName(code));
    device_lose(device, &reason);
    return error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

/* Make SpMVOp's operation and its plan, for which it may compile. An error then names a missing compiler. */
static enum status make_plan(struct launch *launch, described *d, struct error *error)
{
    const cusparse_functions &api = d->cusparse->api;
    struct error reason = {};
    const char *what = "cusparseSpMVOp_createDescr", *missing = nullptr;
    int code = api.op_create(d->cusparse->handle, &d->operation_of_plan, d->operation, d->a, d->x, d->y, d->y,
                             d->type, d->algorithm, d->buffer);
    if (code == SUCCESS) {
        what = "cusparseSpMVOp_createPlan";
        code = api.op_plan(d->cusparse->handle, d->operation_of_plan, &d->plan, nullptr, 0);
        if (code != SUCCESS) missing = cusparse_compiler_missing(cusparse_look());
    }
    enum status status = cusparse_outcome(d->cusparse, what, code, &reason);
    if (status == STATUS_OK) return wait_for(launch->device, what, error);
    return error_set(error, status, "%s%s%s", reason.message, missing ? "; " : "", missing ? missing : "");
}

static enum status prepare_described(struct launch *launch, enum cusparse_way way, described *d,
                                     struct error *error)
{
    size_t bytes = 0;
    int code = SUCCESS;
    const char *what = ask(launch, way, d, &bytes, &code);
    if (code == NOT_SUPPORTED && fall_back(way, d)) return STATUS_OK;
    enum status status = cusparse_outcome(d->cusparse, what, code, error);
    if (status != STATUS_OK) return status;
    d->buffer = device_array(launch->device, bytes, 1, "the buffer of cuSPARSE", error);
    if (!d->buffer) return error ? error->status : STATUS_MEMORY;
    if (is_op(way)) return make_plan(launch, d, error);
    what = d->several ? "cusparseSpMM_preprocess" : "cusparseSpMV_preprocess";
    status = cusparse_outcome(d->cusparse, what, preprocess(launch, d), error);
    return status == STATUS_OK ? wait_for(launch->device, what, error) : status;
}

enum status cusparse_prepare(struct launch *launch, enum cusparse_way way, struct error *error)
{
    if (launch->device->type != &device_type_cuda)
        return error_set(error, STATUS_UNAVAILABLE, "cuSPARSE runs on NVIDIA's GPUs only");
    struct error reason = {};
    enum status status = open_cusparse(context_of(launch), error);
    if (status != STATUS_OK) return status;
    auto *d = static_cast<described *>(calloc(1, sizeof(described)));
    if (!d) return error_set(error, STATUS_MEMORY, "out of memory: no room for cuSPARSE's descriptors");
    launch->state = d;
    d->cusparse = context_of(launch)->cusparse;
    d->several = launch->product.columns > 1;
    d->operation = launch->product.transposed ? TRANSPOSE : NON_TRANSPOSE;
    bool single = launch->storage->precision == PRECISION_F32;
    d->type = launch->storage->complex ? (single ? CUDA_C_32F : CUDA_C_64F)
              : single                 ? CUDA_R_32F
                                       : CUDA_R_64F;
    status = prepare_described(launch, way, d, &reason);
    return status == STATUS_OK ? status : error_set(error, status, "%s", reason.message);
}

static cusparse_blocks *blocks_for(const described *d)
{
    const cusparse_functions &api = d->cusparse->api;
    return d->type == CUDA_R_32F   ? api.blocks_single
           : d->type == CUDA_C_32F ? api.blocks_single_complex
           : d->type == CUDA_C_64F ? api.blocks_double_complex
                                   : api.blocks_double;
}

static int multiply_blocks(const struct launch *launch, const described *d)
{
    const struct storage *s = launch->storage;
    int64_t size = s->number[BSR_SIZE];
    return blocks_for(d)(d->cusparse->handle, BY_ROWS, NON_TRANSPOSE, static_cast<int>(s->rows / size),
                         static_cast<int>(s->cols / size), static_cast<int>(s->number[BSR_BLOCKS]),
                         factor(launch, true), d->description, array_data(launch, BSR_VAL),
                         array_of<int>(launch, BSR_ROW_PTR), array_of<int>(launch, BSR_COL),
                         static_cast<int>(size), launch->x, factor(launch, launch->product.accumulate),
                         launch->y);
}

static int multiply(const struct launch *launch, const described *d)
{
    const cusparse_functions &api = d->cusparse->api;
    if (d->description && launch->storage->cols == 0) { /* bsrmv would return without writing y */
        clear_y(launch);
        return SUCCESS;
    }
    if (d->description) return multiply_blocks(launch, d);
    const void *alpha = factor(launch, true), *beta = factor(launch, launch->product.accumulate);
    auto *set_values = d->several ? api.set_values_of_vectors : api.set_values;
    int code = set_values(d->x, const_cast<void *>(launch->x));
    if (code == SUCCESS) code = set_values(d->y, launch->y);
    if (code != SUCCESS) return code;
    if (d->plan) return api.op_multiply(d->cusparse->handle, d->plan, alpha, beta, d->x, d->y, d->y);
    if (d->several)
        return api.multiply_vectors(d->cusparse->handle, d->operation, NON_TRANSPOSE, alpha, d->a, d->x, beta,
                                    d->y, d->type, d->algorithm, d->buffer);
    return api.multiply(d->cusparse->handle, d->operation, alpha, d->a, d->x, beta, d->y, d->type,
                        d->algorithm, d->buffer);
}

void cusparse_multiply(const struct launch *launch)
{
    const auto *d = static_cast<const described *>(launch->state);
    int code = multiply(launch, d);
    if (code != SUCCESS) note_error(launch, d->cusparse->api.error_string(code), cudaErrorUnknown);
}

void cusparse_release(struct launch *launch)
{
    auto *d = static_cast<described *>(launch->state);
    const cusparse_functions &api = d->cusparse->api;
    auto *destroy = d->several ? api.destroy_vectors : api.destroy_vector;
    if (d->plan) api.op_destroy_plan(d->plan);
    if (d->operation_of_plan) api.op_destroy(d->operation_of_plan);
    if (d->x) destroy(d->x);
    if (d->y) destroy(d->y);
    if (d->a) api.destroy_matrix(d->a);
    if (d->description) api.destroy_description(d->description);
    device_release(launch->device, d->buffer);
    free(d);
    launch->state = nullptr;
}
