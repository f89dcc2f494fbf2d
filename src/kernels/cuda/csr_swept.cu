/* y = A x for CSR, by blocks that sweep over the columns of bands of rows (sweeps.h). */
#include <type_traits>

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/csr_swept.h"
}

/* The kernels' arguments beside x and y. */
template <class real> struct swept_arguments {
    const uint32_t *places;
    const int32_t *bases;
    const real *values;
    const sweep_piece *pieces;
    const sweep_copy *copies;
    const sweep_join *joins;
    real *partials;
    int sums; /* sums of a block */
    bool accumulate, stays;
};

/* A thread on its way through the rounds of a piece, K of them at a time. Loads are in flight for two times K
 * rounds, since the address of x depends on the column:
 *
 *     rounds t ..          added to sums
 *     rounds t + K ..      values and x are under way, places have arrived
 *     rounds t + 2 K ..    places are under way
 *
 * All members are registers. */
template <class real, int K> struct swept_thread {
    const swept_arguments<real> &a;
    const real *__restrict__ x;
    const int warps, rounds;
    const int64_t group; /* the group of this thread's warp in the first round */
    const int lane;
    const once_policy policy;
    /* Data loaded for later rounds. */
    uint32_t place[K];
    int32_t base[K];
    uint32_t sum[K];
    real value[K], element[K];

    __device__ __forceinline__ swept_thread(const swept_arguments<real> &arguments, const real *vector,
                                            const sweep_piece &piece)
        : a(arguments), x(vector), warps(blockDim.x / WARP), rounds(piece.rounds),
          group(piece.group + threadIdx.x / WARP), lane(threadIdx.x % WARP),
          policy(make_once_policy(arguments.stays))
    {
    }

    /* Return the group that the warp takes in round t + j. */
    __device__ __forceinline__ int64_t group_of(int t, int j) const
    {
        return group + static_cast<int64_t>(t + j) * warps;
    }

    __device__ __forceinline__ void load_places(int t)
    {
#pragma unroll
        for (int j = 0; j < K; j++) {
            place[j] = SWEEP_NONE << 16;
            base[j] = 0;
            if (t + j < rounds) {
                place[j] = once_4(a.places + group_of(t, j) * WARP + lane, policy);
                base[j] = __ldg(a.bases + group_of(t, j));
            }
        }
    }

    /* Load the rest for the rounds from t on, whose slots have arrived. */
    __device__ __forceinline__ void load_entries(int t)
    {
#pragma unroll
        for (int j = 0; j < K; j++) {
            sum[j] = place[j] >> 16;
            value[j] = element[j] = 0;
            if (sum[j] != SWEEP_NONE) {
                value[j] = once(a.values + group_of(t, j) * WARP + lane, policy);
                element[j] = again(x + base[j] + (place[j] & 0xffff));
            }
        }
    }

    /* No two threads have the same sum in a round, so that none waits for another within it. */
    __device__ __forceinline__ void go(real *sums)
    {
        load_places(0);
        load_entries(0);
        load_places(K);
#pragma unroll 1
        for (int t = 0; t < rounds; t += K) {
            real product[K];
            uint32_t to[K];
#pragma unroll
            for (int j = 0; j < K; j++) {
                product[j] = value[j] * element[j];
                to[j] = sum[j];
            }
            load_entries(t + K);
            load_places(t + 2 * K);
#pragma unroll
            for (int j = 0; j < K; j++) {
                __syncthreads();
                if (to[j] != SWEEP_NONE) sums[to[j]] += product[j];
            }
        }
    }
};

/* Add the copies to the sums of their rows, one warp for each row. */
template <class real>
__device__ __forceinline__ void add_copies(const swept_arguments<real> &a, const sweep_piece &piece,
                                           real *sums)
{
    const int warps = blockDim.x / WARP, lane = threadIdx.x % WARP;
#pragma unroll 1
    for (int c = threadIdx.x / WARP; c < piece.copied; c += warps) {
        const int4 copy = __ldg(reinterpret_cast<const int4 *>(a.copies + piece.copies + c));
        real sum = 0;
#pragma unroll 1
        for (int k = lane; k < copy.z; k += WARP)
            sum += sums[copy.y + k];
        sum = sum_over<WARP>(sum);
        if (lane == 0) sums[copy.x] += sum;
    }
}

/* Each piece has a block. */
template <int K, class real>
__global__ void __launch_bounds__(1024, 1)
    csr_swept(const swept_arguments<real> a, const real *__restrict__ x, real *__restrict__ y)
{
    real *sums = shared_memory<real>();
    sweep_piece piece;
    {
        const int4 *from = reinterpret_cast<const int4 *>(a.pieces + blockIdx.x);
        const int4 half[2] = {__ldg(from), __ldg(from + 1)};
        memcpy(&piece, half, sizeof piece);
    }
#pragma unroll 1
    for (int s = threadIdx.x; s < a.sums; s += blockDim.x)
        sums[s] = 0;
    swept_thread<real, K>(a, x, piece).go(sums);
    __syncthreads();
    if (piece.copied > 0) {
        add_copies(a, piece, sums);
        __syncthreads();
    }
#pragma unroll 1
    for (int r = threadIdx.x; r < piece.rows; r += blockDim.x) {
        if (piece.partials >= 0)
            a.partials[piece.partials + r] = sums[sweep_sum(r)];
        else
            put(y, piece.row + r, sums[sweep_sum(r)], a.accumulate);
    }
}

/* A thread for each row of a join. */
template <class real> __global__ void csr_swept_join(const swept_arguments<real> a, real *__restrict__ y)
{
    /* Its halves are row, rows, partials and stride, and pieces. */
    const int4 *from = reinterpret_cast<const int4 *>(a.joins + blockIdx.x);
    const int4 half = __ldg(from);
    if (static_cast<int>(threadIdx.x) >= half.y) return;
    const int pieces = __ldg(from + 1).x;
    real sum = 0;
#pragma unroll 1
    for (int k = 0; k < pieces; k++)
        sum += a.partials[half.z + threadIdx.x + static_cast<int64_t>(k) * half.w];
    put(y, half.x + threadIdx.x, sum, a.accumulate);
}

template <class Use> static void by_values(const struct launch *launch, Use use)
{
    by_precision(launch, [use](auto value) {
        using real = decltype(value);
        use(value, csr_swept<(std::is_floating_point<real>::value ? 4 : 2), real>);
    });
}

enum status cuda_csr_swept_allow(const struct launch *launch, struct error *error)
{
    cudaError_t code = cudaSuccess;
    by_values(launch, [launch, &code](auto value, auto kernel) {
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(launch->device->facts.shared));
    });
    if (code == cudaSuccess) return STATUS_OK;
    cudaGetLastError();
    return error_set(error, STATUS_UNAVAILABLE, "more shared memory for csr-swept: %s (%s)",
                     cudaGetErrorString(code), cudaGetErrorName(code));
}

void cuda_csr_swept(const struct launch *launch)
{
    by_values(launch, [launch](auto value, auto kernel) {
        using real = decltype(value);
        const auto *swept = static_cast<const struct swept *>(launch->state);
        const sweeps &tables = swept->sweeps;
        const swept_arguments<real> arguments = {tables.places,
                                                 tables.bases,
                                                 static_cast<const real *>(tables.values),
                                                 tables.pieces,
                                                 tables.copies,
                                                 tables.joins,
                                                 static_cast<real *>(swept->partials),
                                                 tables.sums,
                                                 launch->product.accumulate,
                                                 matrix_stays(launch)};
        enqueue(launch, swept_grid(launch), "csr_swept", kernel, arguments, x_of<real>(launch),
                y_of<real>(launch));
        enqueue(launch, swept_join_grid(launch), "csr_swept_join", csr_swept_join<real>, arguments,
                y_of<real>(launch));
    });
}
