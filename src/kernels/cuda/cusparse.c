#include "kernels/cuda/cusparse.h"

#include "formats/bsr.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "formats/fill.h"
#include "formats/sell.h"
#include "kernels/gpu/device.h"

/* The own kernels that model those of the library. They are replayed with full values and 32-bit columns,
 * which the library reads, and do not begin early. */
extern const struct kernel kernel_cuda_csr_segmented, kernel_cuda_coo_segmented, kernel_cuda_sell;

static const struct parameter none[] = {{0}};

/* cuSPARSE's descriptors take offsets and columns of one width only. Other widths are not passed to the
 * library, since it prints a message on failure. */
static enum status takes_offsets(const struct storage *storage, struct error *error)
{
    if (!storage->wide) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "cuSPARSE takes 64-bit offsets beside 64-bit columns only, and these have 32 bits");
}

static enum status takes_coo(const struct storage *storage, struct error *error)
{
    if (storage_parameter(storage, COO_ORDER) == COO_BY_ROW) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "cuSPARSE wants the entries in the order of rows: leave out order=random");
}

/* cuSPARSE has no permutation of rows: with sorted rows it would compute y in the sorted order. */
static enum status takes_sell(const struct storage *storage, struct error *error)
{
    if (storage_parameter(storage, SELL_SIGMA) > 1)
        return error_set(error, STATUS_UNAVAILABLE,
                         "cuSPARSE knows no rows that were sorted: leave out sigma, or take sigma=1");
    return takes_offsets(storage, error);
}

/* cuSPARSE would read x and write y beyond their ends if the last blocks reached beyond the matrix. */
static enum status takes_bsr(const struct storage *storage, struct error *error)
{
    int64_t size = storage->number[BSR_SIZE];
    if (storage->rows % size || storage->cols % size)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "cuSPARSE takes whole blocks only: %lld rows and %lld columns are no multiples of size=%lld",
            (long long)storage->rows, (long long)storage->cols, (long long)size);
    return takes_offsets(storage, error);
}

/* The algorithm with the same bits each time does not transpose, and prints a message if called so. */
static enum status prepare_csr_2(struct launch *launch, struct error *error)
{
    if (launch->product.transposed && launch->product.columns > 1)
        return error_set(error, STATUS_UNAVAILABLE,
                         "CUSPARSE_SPMM_CSR_ALG3 does not multiply with the transposed matrix");
    return cusparse_prepare(launch, CUSPARSE_CSR_2, error);
}

/* Only SpMVOp takes 64-bit offsets with 32-bit columns. Callers with an open device may prepare without
 * checking for SpMVOp. */
static enum status prepare_csr_op(struct launch *launch, enum cusparse_way way, struct error *error)
{
    const bool here = launch->device && launch->device->type == backend_cuda.devices;
    const char *reason = here ? cusparse_op_unavailable() : NULL;
    if (reason) return error_set(error, STATUS_UNAVAILABLE, "%s", reason);
    return cusparse_prepare(launch, way, error);
}

#define PREPARE(name, with, way)                                                  \
    static enum status prepare_##name(struct launch *launch, struct error *error) \
    {                                                                             \
        return with(launch, way, error);                                          \
    }
PREPARE(csr_1, cusparse_prepare, CUSPARSE_CSR_1)
PREPARE(csr_op_1, prepare_csr_op, CUSPARSE_CSR_OP_1)
PREPARE(csr_op_2, prepare_csr_op, CUSPARSE_CSR_OP_2)
PREPARE(coo_1, cusparse_prepare, CUSPARSE_COO_1)
PREPARE(coo_2, cusparse_prepare, CUSPARSE_COO_2)
PREPARE(sell, cusparse_prepare, CUSPARSE_SELL)
PREPARE(bsr, cusparse_prepare, CUSPARSE_BSR)

/* Each block loads the elements of x that belong to its columns once. All blocks lie within the matrix
 * (prepare_bsr), so that none loads fewer. */
static void traffic_of_blocks(const struct launch *launch, struct traffic *traffic)
{
    traffic->x_loads = launch->storage->number[BSR_BLOCKS] * launch->storage->number[BSR_SIZE];
}

/* The members that all descriptors share, and those of kernels that compute all products. */
#define CUSPARSE_KERNEL                                                                                 \
    .source = "NVIDIA cuSPARSE", .parameters = none, .needs = NEEDS_CUSPARSE, .run = cusparse_multiply, \
    .release = cusparse_release
#define ALL_PRODUCTS                                                            \
    .transposes = true, .columns_max = 64, .unavailable = cusparse_unavailable, \
    .product_way = PRODUCT_WAY_LIBRARY

const struct kernel kernel_cusparse_csr_alg1 = {
    .name = "csr-alg1",
    .backend = &backend_cusparse,
    .format = &format_csr,
    .summary =
        "cusparseSpMV, CUSPARSE_SPMV_CSR_ALG1; several vectors: SPMM_CSR_ALG2 by rows, ALG1 by columns",
    CUSPARSE_KERNEL,
    ALL_PRODUCTS,
    .wins = "It is the library's default, for comparison.",
    .unordered = UNORDERED_ALL,
    .complex = true,
    .takes = takes_offsets,
    .prepare = prepare_csr_1,
    .like = &kernel_cuda_csr_segmented,
    .like_parameters = "block=512,entries=4,early=0",
    .like_registers = 40,
    .like_shared = 29696,
    .pace = {.turn = 0.522, .request = 0.211, .shared = 0.347, .start = 3.16, .overlap = 0.696},
};

const struct kernel kernel_cusparse_csr_alg2 = {
    .name = "csr-alg2",
    .backend = &backend_cusparse,
    .format = &format_csr,
    .summary =
        "cusparseSpMV, CUSPARSE_SPMV_CSR_ALG2, deterministic; several vectors: SPMM_CSR_ALG3, which is not",
    CUSPARSE_KERNEL,
    ALL_PRODUCTS,
    .wins = "It is deterministic for a single vector, and slower than csr-alg1.",
    .unordered =
        UNORDERED_COLUMNS | UNORDERED_TRANSPOSED, /* SPMM_CSR_ALG3 of cuSPARSE 12.6 differs on an H200 */
    .complex = true,
    .takes = takes_offsets,
    .prepare = prepare_csr_2,
    .like = &kernel_cuda_csr_segmented,
    .like_parameters = "block=256,entries=4,early=0",
    .like_registers = 56,
    .like_shared = 18432,
    .pace = {.turn = 0.671, .request = 0.431, .shared = 0.61, .start = 5.15, .overlap = 0.726},
};

/* Neither kernel of SpMVOp is forecast, since the data of its plan, and thus its reads, are unknown. Its
 * preparation is assumed to read all of CSR once, the minimum; it was not measured. */
const struct kernel kernel_cusparse_csr_op1 = {
    .name = "csr-op1",
    .backend = &backend_cusparse,
    .format = &format_csr,
    .summary = "cusparseSpMVOp, CUSPARSE_SPMVOP_ALG1: a plan for the matrix, experimental",
    CUSPARSE_KERNEL,
    .wins = "Among cuSPARSE's algorithms it suits f32 matrices in L2 with many entries per row.",
    .order_unknown = true,
    .real_only = "SpMVOp knows no complex numbers",
    .prepare_cost = 1,
    .unavailable = cusparse_op_unavailable,
    .prepare = prepare_csr_op_1,
};

const struct kernel kernel_cusparse_csr_op2 = {
    .name = "csr-op2",
    .backend = &backend_cusparse,
    .format = &format_csr,
    .summary = "cusparseSpMVOp, CUSPARSE_SPMVOP_ALG2: a plan for the matrix, experimental",
    CUSPARSE_KERNEL,
    .wins = "Among cuSPARSE's algorithms it suits f32 matrices in L2 with many entries per row, and "
            "R-MAT matrices beyond L2.",
    .order_unknown = true,
    .real_only = "SpMVOp knows no complex numbers",
    .prepare_cost = 1,
    .unavailable = cusparse_op_unavailable,
    .prepare = prepare_csr_op_2,
};

const struct kernel kernel_cusparse_coo_alg1 = {
    .name = "coo-alg1",
    .backend = &backend_cusparse,
    .format = &format_coo,
    .summary =
        "cusparseSpMV, CUSPARSE_SPMV_COO_ALG1; several vectors: SPMM_COO_ALG4 by rows, ALG1 by columns",
    CUSPARSE_KERNEL,
    ALL_PRODUCTS,
    .wins = "It is the library's kernel for rows of very different length. Where caches hold the matrix, it "
            "or cuSPARSE's sell is the fastest of the library.",
    .unordered = UNORDERED_ALL,
    .complex = true,
    .takes = takes_coo,
    .prepare = prepare_coo_1,
    .like = &kernel_cuda_coo_segmented,
    .like_parameters = "block=512,steps=4",
    .like_registers = 40,
    .like_shared = 17408,
    .pace = {.turn = 0.654, .request = 0.0701, .start = 2.39, .overlap = 1.06},
};

const struct kernel kernel_cusparse_coo_alg2 = {
    .name = "coo-alg2",
    .backend = &backend_cusparse,
    .format = &format_coo,
    .summary = "cusparseSpMV, CUSPARSE_SPMV_COO_ALG2, deterministic; several vectors: SPMM_COO_ALG2",
    CUSPARSE_KERNEL,
    ALL_PRODUCTS,
    .wins = "It is deterministic, and nearly always slower than coo-alg1.",
    .unordered = UNORDERED_TRANSPOSED,
    .complex = true,
    .takes = takes_coo,
    .prepare = prepare_coo_2,
    .like = &kernel_cuda_coo_segmented,
    .like_parameters = "block=512,steps=4",
    .like_registers = 48,
    .like_shared = 17408,
    .pace = {.turn = 1.59, .request = 0.358, .start = 4.34, .overlap = 0.789},
};

static const struct tuning_line tuning_sell[] = {
    {"c", "1 2 4 8 16 32 64 128 256"}, {"sigma", "1 32 128 512 2048 8192 32768 131072", TUNING_ROWS}, {NULL}};

const struct kernel kernel_cusparse_sell = {
    .name = "sell",
    .backend = &backend_cusparse,
    .format = &format_sell,
    .summary = "cusparseSpMV, CUSPARSE_SPMV_SELL_ALG1, on unsorted rows",
    CUSPARSE_KERNEL,
    .wins = "It is the library's kernel for grids and rows of similar length. Rows are not sorted, so that a "
            "few long ones cause much padding.",
    .complex = true,
    .format_defaults = "c=32,sigma=1",
    .unavailable = cusparse_sell_unavailable,
    .takes = takes_sell,
    .prepare = prepare_sell,
    .like = &kernel_cuda_sell,
    .like_parameters = "block=256,columns=32,values=full,early=0",
    .like_registers = 52,
    .like_shared = 1024,
    .pace = {.turn = 0.323, .request = 0.131, .start = 0.825, .overlap = 1.23},
    .tuning = tuning_sell,
};

/* No own GPU kernel reads BSR, so traces/cusparse_bsr.c models the library's. */
static const struct kernel block_rows = {
    .name = "a model (lanes share a row)",
    .backend = &backend_cuda,
    .format = &format_bsr,
    .summary = "lanes that share a block row go through its blocks",
    .source = "",
    .wins = "",
    .parameters = none,
    .complex = true,
    .trace = &trace_block_rows,
    .traffic = traffic_of_blocks,
};

static const struct tuning_line tuning_bsr[] = {{"size", "2 3 4 5 6 7 8"}, {NULL}};

const struct kernel kernel_cusparse_bsr = {
    .name = "bsr",
    .backend = &backend_cusparse,
    .format = &format_bsr,
    .summary = "cusparseSpMV, CUSPARSE_SPMV_BSR_ALG1; bsrmv if the library lacks that algorithm",
    CUSPARSE_KERNEL,
    .wins = "It suits dense blocks that are full.",
    .complex = true,
    .unavailable = cusparse_bsr_unavailable,
    .takes = takes_bsr,
    .prepare = prepare_bsr,
    .traffic = traffic_of_blocks,
    .like = &block_rows,
    .pace = {.turn = 8.48, .request = 1.17, .start = 0.107, .overlap = 0.467},
    .tuning = tuning_bsr,
};
