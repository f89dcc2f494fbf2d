/* y = A x for HYB: ELL and COO in two launches, in one launch, or COO on the host. */
#include <cmath>

#include "kernels/cuda/coo_part.cuh"
#include "kernels/cuda/ell.cuh"
#include "kernels/cuda/launch.cuh"

extern "C" {
#include "base/memory.h"
#include "kernels/cuda/hyb.h"
}

/* Multiply the ELL part, by a thread for each row. */
template <bool MASKED, class real>
__global__ void hyb_ell(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                        const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                        bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<MASKED>(i, rows, width, col, val, x), accumulate);
}

template <bool MASKED, class real> static void enqueue_ell(const struct launch *launch)
{
    enqueue(launch, hyb_rows_grid(launch), "hyb_ell", hyb_ell<MASKED, real>, launch->storage->rows,
            launch->storage->number[HYB_WIDTH], array_of<int32_t>(launch, HYB_ELL_COL),
            array_of<real>(launch, HYB_ELL_VAL), x_of<real>(launch), y_of<real>(launch),
            launch->product.accumulate);
}

template <class real> static void enqueue_rows(const struct launch *launch)
{
    if (hyb_masked(launch))
        enqueue_ell<true, real>(launch);
    else
        enqueue_ell<false, real>(launch);
}

void cuda_hyb(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue_rows<real>(launch);
        enqueue_coo_part<real>(launch, HYB_ROW, hyb_rest_grid(launch));
    });
}

/* ELL and COO in one launch */

/* Add entries first .. first + 31 of COO, up to `end`, to the sums of the block's rows, the first of which is
 * row `base`. Rows ascend, so if the first and the last of the entries have the same row, all have it; the
 * warp then adds them up itself, and adds to the row's sum once. */
template <class real>
__device__ inline void add_entries(int64_t first, int64_t end, int64_t base, const int32_t *__restrict__ row,
                                   const int32_t *__restrict__ col, const real *__restrict__ val,
                                   const real *__restrict__ x, real *sums)
{
    int lane = threadIdx.x % WARP;
    int last = end - first < WARP ? static_cast<int>(end - first) - 1 : WARP - 1;
    int64_t e = first + lane;
    int place = 0;
    real product = 0;
    if (lane <= last) {
        place = static_cast<int>(row[e] - base);
        product = val[e] * x[col[e]];
    }
    bool one_row = __shfl_sync(WHOLE_WARP, place, 0) == __shfl_sync(WHOLE_WARP, place, last);
    if (one_row) product = sum_over<WARP>(product);
    if (one_row ? lane == 0 : lane <= last) atomicAdd(&sums[place], product);
}

/* A block has a row for each thread. It sums their slots of ELL, and then processes their entries of COO,
 * which are begin[block] .. begin[block + 1] - 1, each warp 32 at a time. */
template <bool MASKED, class real>
__global__ void hyb_fused(int64_t rows, int64_t width, const int32_t *__restrict__ ell_col,
                          const real *__restrict__ ell_val, const int64_t *__restrict__ begin,
                          const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                          const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                          bool accumulate)
{
    real *sums = shared_memory<real>();
    int64_t i = thread_of_grid();
    sums[threadIdx.x] = i < rows ? ell_row_sum<MASKED>(i, rows, width, ell_col, ell_val, x) : 0;
    __syncthreads();
    int64_t end = begin[blockIdx.x + 1];
    for (int64_t e = begin[blockIdx.x] + threadIdx.x / WARP * WARP; e < end; e += blockDim.x)
        add_entries(e, end, static_cast<int64_t>(blockIdx.x) * blockDim.x, row, col, val, x, sums);
    __syncthreads();
    if (i < rows) put(y, i, sums[threadIdx.x], accumulate);
}

template <bool MASKED, class real> static void enqueue_fused(const struct launch *launch)
{
    enqueue(launch, hyb_fused_grid(launch), "hyb_fused", hyb_fused<MASKED, real>, launch->storage->rows,
            launch->storage->number[HYB_WIDTH], array_of<int32_t>(launch, HYB_ELL_COL),
            array_of<real>(launch, HYB_ELL_VAL), static_cast<const int64_t *>(launch->state),
            array_of<int32_t>(launch, HYB_ROW), array_of<int32_t>(launch, HYB_COL),
            array_of<real>(launch, HYB_VAL), x_of<real>(launch), y_of<real>(launch),
            launch->product.accumulate);
}

void cuda_hyb_fused(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        if (hyb_masked(launch))
            enqueue_fused<true, real>(launch);
        else
            enqueue_fused<false, real>(launch);
    });
}

/* COO on the host */

enum { FETCH_BEGIN, FETCH_END, BRING_BEGIN, BRING_END, EVENTS };

struct hyb_host {
    void *y; /* page-locked memory, to which the GPU copies without the processor */
    cudaEvent_t event[EVENTS];
};

static size_t y_bytes(const struct storage *storage)
{
    return static_cast<size_t>(storage->rows) * value_size(storage);
}

enum status cuda_hyb_host_make(struct launch *launch, struct error *error)
{
    size_t bytes = y_bytes(launch->storage);
    auto *host = static_cast<hyb_host *>(memory_zeroed(1, sizeof(hyb_host), error));
    if (!host) return STATUS_MEMORY;
    launch->state = host;
    cudaError_t code = cudaMallocHost(&host->y, bytes ? bytes : 1);
    for (int k = 0; k < EVENTS && code == cudaSuccess; k++)
        code = cudaEventCreate(&host->event[k]);
    if (code == cudaSuccess) return STATUS_OK;
    cudaGetLastError();
    return error_set(error, code == cudaErrorMemoryAllocation ? STATUS_MEMORY : STATUS_UNAVAILABLE,
                     "y on the host: %s (%s)", cudaGetErrorString(code), cudaGetErrorName(code));
}

void cuda_hyb_host_free(struct launch *launch)
{
    auto *host = static_cast<hyb_host *>(launch->state);
    for (int k = 0; k < EVENTS; k++)
        if (host->event[k]) cudaEventDestroy(host->event[k]);
    if (host->y) cudaFreeHost(host->y);
    cudaGetLastError();
    free(host);
    launch->state = nullptr;
}

/* Compute y += A x for the entries of COO, one after the other, as in PMPP. */
template <class real> static void add_rest(const struct launch *launch, real *y)
{
    const struct storage *storage = launch->storage;
    auto *row = static_cast<const int32_t *>(storage->array[HYB_ROW].data);
    auto *col = static_cast<const int32_t *>(storage->array[HYB_COL].data);
    auto *val = static_cast<const real *>(storage->array[HYB_VAL].data);
    auto *x = static_cast<const real *>(launch->host_x);
    for (int64_t e = 0; e < storage->slots[1]; e++)
        y[row[e]] += val[e] * x[col[e]];
}

static void copy_y(const struct launch *launch, const char *name, void *to, const void *from,
                   enum cudaMemcpyKind kind, const cudaEvent_t event[2])
{
    cudaStream_t stream = context_of(launch)->stream;
    cudaError_t code = cudaEventRecord(event[0], stream);
    if (code == cudaSuccess) code = cudaMemcpyAsync(to, from, y_bytes(launch->storage), kind, stream);
    if (code == cudaSuccess) code = cudaEventRecord(event[1], stream);
    note_error(launch, name, code);
}

/* If there are no entries of COO, y is not copied to the host. */
void cuda_hyb_host(const struct launch *launch)
{
    auto *host = static_cast<hyb_host *>(launch->state);
    cuda_context *context = context_of(launch);
    by_precision(launch, [launch](auto value) { enqueue_rows<decltype(value)>(launch); });
    if (launch->storage->slots[1] == 0) return;
    copy_y(launch, "copying y to the host", host->y, launch->y, cudaMemcpyDeviceToHost,
           &host->event[FETCH_BEGIN]);
    note_error(launch, "waiting for y", cudaStreamSynchronize(context->stream));
    if (context->error != cudaSuccess) return;
    by_precision(launch,
                 [launch, host](auto value) { add_rest(launch, static_cast<decltype(value) *>(host->y)); });
    copy_y(launch, "copying y to the GPU", launch->y, host->y, cudaMemcpyHostToDevice,
           &host->event[BRING_BEGIN]);
}

double cuda_hyb_host_transfer(const struct launch *launch)
{
    auto *host = static_cast<const hyb_host *>(launch->state);
    float fetch = 0, bring = 0;
    if (launch->storage->slots[1] == 0) return 0;
    cudaError_t code = cudaEventElapsedTime(&fetch, host->event[FETCH_BEGIN], host->event[FETCH_END]);
    if (code == cudaSuccess)
        code = cudaEventElapsedTime(&bring, host->event[BRING_BEGIN], host->event[BRING_END]);
    if (code == cudaSuccess) return 1e-3 * (static_cast<double>(fetch) + static_cast<double>(bring));
    cudaGetLastError();
    return NAN;
}
