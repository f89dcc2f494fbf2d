/* y = A x by cuSPARSE, which is looked for when it is first wanted. The part of its interface that is used
 * here is declared here too, so that neither its headers nor the library are needed to build or to start the
 * program. */
#include "kernels/cuda/launch.cuh"

#include <dlfcn.h>
#include <library_types.h>

#if __has_include(<cusparse.h>)
#    include <cusparse.h>
#endif

extern "C" {
#include "formats/bsr.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "formats/sell.h"
#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cusparse.h"
}

/* The interface of cuSPARSE, version 12 */

namespace
{

#define VERSION_MIN 12

enum { SUCCESS = 0, ALLOC_FAILED = 2, NOT_SUPPORTED = 10 };
enum { NON_TRANSPOSE = 0, BASE_ZERO = 0, BY_ROWS = 0, ROW_MAJOR = 2, INDEX_32 = 2 };
enum { COO_1 = 1, CSR_1 = 2, CSR_2 = 3, COO_2 = 4, SELL_1 = 5, BSR_1 = 6 };

#if defined(CUSPARSE_VERSION) && CUSPARSE_VERSION >= 12603
static_assert(static_cast<int>(SUCCESS) == CUSPARSE_STATUS_SUCCESS &&
                  static_cast<int>(ALLOC_FAILED) == CUSPARSE_STATUS_ALLOC_FAILED &&
                  static_cast<int>(NOT_SUPPORTED) == CUSPARSE_STATUS_NOT_SUPPORTED &&
                  static_cast<int>(NON_TRANSPOSE) == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                  static_cast<int>(BASE_ZERO) == CUSPARSE_INDEX_BASE_ZERO &&
                  static_cast<int>(BY_ROWS) == CUSPARSE_DIRECTION_ROW &&
                  static_cast<int>(ROW_MAJOR) == CUSPARSE_ORDER_ROW &&
                  static_cast<int>(INDEX_32) == CUSPARSE_INDEX_32I &&
                  static_cast<int>(COO_1) == CUSPARSE_SPMV_COO_ALG1 &&
                  static_cast<int>(CSR_1) == CUSPARSE_SPMV_CSR_ALG1 &&
                  static_cast<int>(CSR_2) == CUSPARSE_SPMV_CSR_ALG2 &&
                  static_cast<int>(COO_2) == CUSPARSE_SPMV_COO_ALG2 &&
                  static_cast<int>(SELL_1) == CUSPARSE_SPMV_SELL_ALG1 &&
                  static_cast<int>(BSR_1) == CUSPARSE_SPMV_BSR_ALG1,
              "the numbers of cuSPARSE's own header");
#endif

using context = void *;
using matrix = void *;
using vector = void *;

/* The types of cuSPARSE's functions. cusparseSpMV and cusparseSpMV_preprocess have the type `product`;
 * cusparseSpMV_bufferSize is the `question`, and cusparseSbsrmv and its sisters are `blocks`. All of them
 * compute, or prepare, y = alpha A x + beta y. */
using product = int(context, int operation, const void *alpha, matrix a, vector x, const void *beta, vector y,
                    cudaDataType compute, int algorithm, void *buffer);
using question = int(context, int operation, const void *alpha, matrix a, vector x, const void *beta,
                     vector y, cudaDataType compute, int algorithm, size_t *bytes);
template <class real>
using blocks = int(context, int direction, int operation, int rows, int columns, int count, const real *alpha,
                   void *description, const real *val, const int *row_ptr, const int *col, int size,
                   const real *x, const real *beta, real *y);

struct functions {
    int (*get_property)(int what, int *value);
    const char *(*error_string)(int status);
    const char *(*error_name)(int status);
    int (*create)(context *);
    int (*destroy)(context);
    int (*set_stream)(context, cudaStream_t);
    int (*create_vector)(vector *, int64_t size, void *values, cudaDataType);
    int (*destroy_vector)(vector);
    int (*set_values)(vector, void *values);
    int (*create_csr)(matrix *, int64_t rows, int64_t columns, int64_t entries, void *row_ptr, void *col,
                      void *val, int offset, int index, int base, cudaDataType);
    int (*create_coo)(matrix *, int64_t rows, int64_t columns, int64_t entries, void *row, void *col,
                      void *val, int index, int base, cudaDataType);
    int (*destroy_matrix)(matrix);
    question *buffer_size;
    product *multiply;
    /* The first releases of version 12 lack these functions. */
    product *preprocess;
    int (*create_sell)(matrix *, int64_t rows, int64_t columns, int64_t entries, int64_t slots, int64_t c,
                       void *chunk_ptr, void *col, void *val, int offset, int index, int base, cudaDataType);
    int (*create_bsr)(matrix *, int64_t rows, int64_t columns, int64_t count, int64_t high, int64_t wide,
                      void *row_ptr, void *col, void *val, int offset, int index, int base, cudaDataType,
                      int order);
    /* Later releases may lack these functions. */
    int (*create_description)(void **);
    int (*destroy_description)(void *);
    blocks<float> *blocks_single;
    blocks<double> *blocks_double;
    blocks<pair<float>> *blocks_single_complex;
    blocks<pair<double>> *blocks_double_complex;
};

/* Finding the library */

template <class function> bool find(void *file, const char *name, function *&found)
{
    found = reinterpret_cast<function *>(dlsym(file, name));
    return found != nullptr;
}

void find_optional(void *file, functions &api)
{
    find(file, "cusparseSpMV_preprocess", api.preprocess);
    find(file, "cusparseCreateSlicedEll", api.create_sell);
    find(file, "cusparseCreateBsr", api.create_bsr);
    find(file, "cusparseCreateMatDescr", api.create_description);
    find(file, "cusparseDestroyMatDescr", api.destroy_description);
    find(file, "cusparseSbsrmv", api.blocks_single);
    find(file, "cusparseDbsrmv", api.blocks_double);
    find(file, "cusparseCbsrmv", api.blocks_single_complex);
    find(file, "cusparseZbsrmv", api.blocks_double_complex);
}

/* Find all functions in the library file. Returns why it cannot be used; NULL if it can. */
const char *find_functions(void *file, functions &api)
{
    int version = 0;
    if (!find(file, "cusparseGetProperty", api.get_property) ||
        api.get_property(MAJOR_VERSION, &version) != SUCCESS || version < VERSION_MIN)
        return "cuSPARSE is too old: version 12 is needed, which comes with CUDA 12";
    bool all =
        find(file, "cusparseGetErrorString", api.error_string) &&
        find(file, "cusparseGetErrorName", api.error_name) && find(file, "cusparseCreate", api.create) &&
        find(file, "cusparseDestroy", api.destroy) && find(file, "cusparseSetStream", api.set_stream) &&
        find(file, "cusparseCreateDnVec", api.create_vector) &&
        find(file, "cusparseDestroyDnVec", api.destroy_vector) &&
        find(file, "cusparseDnVecSetValues", api.set_values) &&
        find(file, "cusparseCreateCsr", api.create_csr) && find(file, "cusparseCreateCoo", api.create_coo) &&
        find(file, "cusparseDestroySpMat", api.destroy_matrix) &&
        find(file, "cusparseSpMV_bufferSize", api.buffer_size) && find(file, "cusparseSpMV", api.multiply);
    find_optional(file, api);
    return all ? nullptr : "cuSPARSE lacks functions that version 12 has: the library is not whole";
}

/* Load the library and find its functions. Returns why that failed; NULL if it did not. Once loaded the
 * library stays in memory (RTLD_NODELETE), so that loading it again costs nothing. */
const char *open_library(functions &api)
{
    static const char *const files[] = {
        "libcusparse.so.12",
        "libcusparse.so",
        "/usr/local/cuda/lib64/libcusparse.so.12",
        "/usr/local/cuda/lib64/libcusparse.so",
        "/usr/local/cuda/lib/libcusparse.so.12",
    };
    const char *reason =
        "cuSPARSE is not found: libcusparse.so.12 is neither in a folder of LD_LIBRARY_PATH, "
        "nor among the system's libraries, nor in /usr/local/cuda/lib64";
    for (const char *name : files) {
        void *file = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!file) continue;
        reason = find_functions(file, api);
        dlclose(file);
        if (!reason) break;
    }
    return reason;
}

} // namespace

const char *cusparse_unavailable(void)
{
    functions api = {};
    return open_library(api);
}

const char *cusparse_sell_unavailable(void)
{
    functions api = {};
    const char *reason = open_library(api);
    if (reason || api.create_sell) return reason;
    return "this cuSPARSE has no sliced ELL: a later one of version 12 has";
}

const char *cusparse_bsr_unavailable(void)
{
    functions api = {};
    const char *reason = open_library(api);
    if (reason || api.create_bsr || (api.blocks_double && api.create_description)) return reason;
    return "this cuSPARSE has no BSR";
}

/* What an open device keeps of cuSPARSE. */
struct cusparse {
    functions api;
    context handle;
};

/* Fail with cuSPARSE's own words, unless `code` is success. */
static enum status outcome(const struct cusparse *cusparse, const char *what, int code, struct error *error)
{
    if (code == SUCCESS) return STATUS_OK;
    return error_set(error, code == ALLOC_FAILED ? STATUS_MEMORY : STATUS_UNAVAILABLE, "%s: %s (%s)", what,
                     cusparse->api.error_string(code), cusparse->api.error_name(code));
}

/* Make the device's handle of cuSPARSE when it is first wanted. */
static enum status open_cusparse(cuda_context *context, struct error *error)
{
    if (context->cusparse) return STATUS_OK;
    auto *cusparse = static_cast<struct cusparse *>(calloc(1, sizeof(struct cusparse)));
    if (!cusparse) return error_set(error, STATUS_MEMORY, "out of memory: no room for cuSPARSE's handle");
    const char *reason = open_library(cusparse->api);
    enum status status =
        reason ? error_set(error, STATUS_UNAVAILABLE, "%s", reason)
               : outcome(cusparse, "cusparseCreate", cusparse->api.create(&cusparse->handle), error);
    if (status == STATUS_OK) {
        context->cusparse = cusparse;
        return outcome(cusparse, "cusparseSetStream",
                       cusparse->api.set_stream(cusparse->handle, context->stream), error);
    }
    free(cusparse);
    return status;
}

void close_cusparse(cuda_context *context)
{
    if (context->cusparse) context->cusparse->api.destroy(context->cusparse->handle);
    free(context->cusparse);
    context->cusparse = nullptr;
}

/* A matrix made ready: cuSPARSE's descriptors, and its buffer in the device's memory. */
struct described {
    const struct cusparse *cusparse;
    matrix a;
    vector x, y;
    void *buffer;
    int algorithm;
    cudaDataType type;
    void *description; /* the descriptor that bsrmv takes; NULL if cusparseSpMV multiplies */
};

/* Return alpha or beta of y = alpha A x + beta y, which is 1 or 0. cuSPARSE reads them in the host's memory,
 * as numbers of the type that the matrix has. */
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

static const char *describe(const struct launch *launch, enum cusparse_way way, described *d, int *code)
{
    const functions &api = d->cusparse->api;
    const struct storage *s = launch->storage;
    int64_t size = way == CUSPARSE_BSR ? s->number[BSR_SIZE] : 1;
    switch (way) {
    case CUSPARSE_COO_1:
    case CUSPARSE_COO_2:
        d->algorithm = way == CUSPARSE_COO_1 ? COO_1 : COO_2;
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
        d->algorithm = way == CUSPARSE_CSR_1 ? CSR_1 : CSR_2;
        *code = api.create_csr(&d->a, s->rows, s->cols, s->nnz, array_data(launch, CSR_ROW_PTR),
                               array_data(launch, CSR_COL), array_data(launch, CSR_VAL), INDEX_32, INDEX_32,
                               BASE_ZERO, d->type);
        return "cusparseCreateCsr";
    }
}

/* Make the descriptors of x and y. A descriptor needs an address, but the vectors' addresses come with each
 * product only. Until then the descriptors have the address of the matrix's values, which cuSPARSE does not
 * read through them. */
static int describe_vectors(const struct launch *launch, described *d)
{
    const functions &api = d->cusparse->api;
    void *values = storage_values(launch->resident, 0)->data;
    int code = api.create_vector(&d->x, launch->storage->cols, values, d->type);
    return code == SUCCESS ? api.create_vector(&d->y, launch->storage->rows, values, d->type) : code;
}

/* Let cuSPARSE analyse the matrix, as its manual advises for a matrix that is used more than once. */
static int preprocess(const struct launch *launch, const described *d)
{
    if (!d->cusparse->api.preprocess) return SUCCESS;
    return d->cusparse->api.preprocess(d->cusparse->handle, NON_TRANSPOSE, factor(launch, true), d->a, d->x,
                                       factor(launch, launch->product.accumulate), d->y, d->type,
                                       d->algorithm, d->buffer);
}

/* Make the descriptors and ask how large the buffer must be. Returns the name of the last function of
 * cuSPARSE that was called, for messages; *code is what that function returned. */
static const char *ask(const struct launch *launch, enum cusparse_way way, described *d, size_t *bytes,
                       int *code)
{
    const char *what = describe(launch, way, d, code);
    if (*code != SUCCESS) return what;
    *code = describe_vectors(launch, d);
    if (*code != SUCCESS) return "cusparseCreateDnVec";
    *code = d->cusparse->api.buffer_size(d->cusparse->handle, NON_TRANSPOSE, factor(launch, true), d->a, d->x,
                                         factor(launch, launch->product.accumulate), d->y, d->type,
                                         d->algorithm, bytes);
    return "cusparseSpMV_bufferSize";
}

/* Make the descriptor for bsrmv, which multiplies where cusparseSpMV has no algorithm for BSR. Returns false
 * if the library lacks bsrmv too. */
static bool fall_back(enum cusparse_way way, described *d)
{
    const functions &api = d->cusparse->api;
    return way == CUSPARSE_BSR && api.blocks_single && api.blocks_double && api.blocks_single_complex &&
           api.blocks_double_complex && api.create_description && api.destroy_description &&
           api.create_description(&d->description) == SUCCESS;
}

/* Wait for the device: the time belongs to preparing, and so does an error that comes to light only now. */
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

static enum status prepare_described(struct launch *launch, enum cusparse_way way, described *d,
                                     struct error *error)
{
    size_t bytes = 0;
    int code = SUCCESS;
    const char *what = ask(launch, way, d, &bytes, &code);
    if (code == NOT_SUPPORTED && fall_back(way, d)) return STATUS_OK;
    enum status status = outcome(d->cusparse, what, code, error);
    if (status != STATUS_OK) return status;
    d->buffer = device_array(launch->device, bytes, 1, "the buffer of cuSPARSE", error);
    if (!d->buffer) return error ? error->status : STATUS_MEMORY;
    status = outcome(d->cusparse, "cusparseSpMV_preprocess", preprocess(launch, d), error);
    return status == STATUS_OK ? wait_for(launch->device, "cusparseSpMV_preprocess", error) : status;
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
    bool single = launch->storage->precision == PRECISION_F32;
    d->type = launch->storage->complex ? (single ? CUDA_C_32F : CUDA_C_64F)
              : single                 ? CUDA_R_32F
                                       : CUDA_R_64F;
    status = prepare_described(launch, way, d, &reason);
    return status == STATUS_OK ? status : error_set(error, status, "%s", reason.message);
}

template <class real>
static int multiply_blocks(const struct launch *launch, const described *d, blocks<real> *multiply)
{
    const struct storage *s = launch->storage;
    int64_t size = s->number[BSR_SIZE];
    return multiply(d->cusparse->handle, BY_ROWS, NON_TRANSPOSE, static_cast<int>(s->rows / size),
                    static_cast<int>(s->cols / size), static_cast<int>(s->number[BSR_BLOCKS]),
                    static_cast<const real *>(factor(launch, true)), d->description,
                    array_of<real>(launch, BSR_VAL), array_of<int>(launch, BSR_ROW_PTR),
                    array_of<int>(launch, BSR_COL), static_cast<int>(size), x_of<real>(launch),
                    static_cast<const real *>(factor(launch, launch->product.accumulate)),
                    y_of<real>(launch));
}

static int multiply(const struct launch *launch, const described *d)
{
    const functions &api = d->cusparse->api;
    if (d->description && launch->storage->cols == 0) { /* bsrmv would return without writing y */
        clear_y(launch);
        return SUCCESS;
    }
    if (d->description && d->type == CUDA_R_32F) return multiply_blocks<float>(launch, d, api.blocks_single);
    if (d->description && d->type == CUDA_C_32F)
        return multiply_blocks<pair<float>>(launch, d, api.blocks_single_complex);
    if (d->description && d->type == CUDA_C_64F)
        return multiply_blocks<pair<double>>(launch, d, api.blocks_double_complex);
    if (d->description) return multiply_blocks<double>(launch, d, api.blocks_double);
    int code = api.set_values(d->x, const_cast<void *>(launch->x));
    if (code == SUCCESS) code = api.set_values(d->y, launch->y);
    if (code != SUCCESS) return code;
    return api.multiply(d->cusparse->handle, NON_TRANSPOSE, factor(launch, true), d->a, d->x,
                        factor(launch, launch->product.accumulate), d->y, d->type, d->algorithm, d->buffer);
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
    const functions &api = d->cusparse->api;
    if (d->x) api.destroy_vector(d->x);
    if (d->y) api.destroy_vector(d->y);
    if (d->a) api.destroy_matrix(d->a);
    if (d->description) api.destroy_description(d->description);
    device_release(launch->device, d->buffer);
    free(d);
    launch->state = nullptr;
}
