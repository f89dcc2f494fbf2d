/* The device code of triangular solves (plan.h). All bits of an unknown x are set: this is a NaN that no
 * arithmetic produces. Threads wait for x itself. In Liu, Li, Hogg, Duff and Vinter, Euro-Par 2016, they wait
 * for a counter of the row; in Su, Zhang, Cai and others, ICPP 2020, each thread solves a row. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/trisolve/solve.h"
}

/* Number of terms that a thread loads at once. */
#define TERMS 4
/* A thread gives up after WAITS_MAX reads of the same x. After each WAITS_LOOK + 1 reads it checks whether
 * another thread has given up. */
#define WAITS_MAX (1 << 21)
#define WAITS_LOOK 1023

/* The data that the kernels read and write. */
struct arrays {
    const struct triplan_slice *slice;
    const int32_t *row;
    const double *inverse, *diagonal;
    const int32_t *fresh_col;
    const double *fresh_val;
    const int32_t *old_ptr, *old_col;
    const double *old_val;
    const struct triplan_segment *segments;
    const uint16_t *start, *level, *own_col;
    const double *own_val;
    const int64_t *level_slice;
    const double *b, *old;
    double *x;     /* of the matrix; NULL in the first half of SymGS, */
    double *right; /* which writes this instead */
    double *known; /* x of this solve by place, */
    double *next;  /* and that of the next solve */
    int64_t *arrived;
    int *failed;
    unsigned sleep;
};

__device__ __forceinline__ double load_x(const double *x)
{
    double value;
    asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(value) : "l"(x) : "memory");
    return value;
}

__device__ __forceinline__ void store_x(double *x, double value)
{
    asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" : : "l"(x), "d"(value) : "memory");
}

__device__ __forceinline__ bool is_unknown(double value)
{
    return __double_as_longlong(value) == -1;
}

__device__ __forceinline__ double unknown()
{
    return __longlong_as_double(-1);
}

__device__ __forceinline__ double not_a_number()
{
    return __longlong_as_double(0x7ff8000000000000);
}

__device__ __forceinline__ bool is_any_unknown(const double (&x)[TERMS])
{
    bool any = false;
#pragma unroll
    for (int k = 0; k < TERMS; k++)
        any |= is_unknown(x[k]);
    return any;
}

/* Store an x that other threads may be waiting for. */
__device__ __forceinline__ void publish(double *x, double value)
{
    store_x(x, is_unknown(value) ? not_a_number() : value);
}

/* Return whether the thread must stop waiting. */
__device__ __noinline__ bool gives_up(int *failed, int waits)
{
    if (waits >= WAITS_MAX) atomicExch(failed, 1);
    return *reinterpret_cast<volatile int *>(failed) != 0;
}

/* The sums of a row's terms: with new x, and with old x. */
struct sums {
    double fresh, old;
};

/* Add a slice's terms with new x, which threads wait for. */
template <bool BOTH>
__device__ __forceinline__ void add_fresh(const arrays &a, const triplan_slice &slice, int lane, sums &sum)
{
    const int32_t end = slice.end;
    for (int32_t step = slice.begin; step < end; step += TERMS) {
        int32_t col[TERMS];
        double val[TERMS], x[TERMS];
        const int64_t at = static_cast<int64_t>(step) * WARP + lane;
#pragma unroll
        for (int k = 0; k < TERMS; k++) {
            col[k] = step + k < end ? __ldcs(&a.fresh_col[at + k * WARP]) : 0;
            val[k] = step + k < end ? __ldcs(&a.fresh_val[at + k * WARP]) : 0;
        }
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            x[k] = load_x(&a.known[BOTH && col[k] < 0 ? ~col[k] : col[k]]);
        for (int waits = 0; is_any_unknown(x); waits++) {
            if (a.sleep) __nanosleep(a.sleep);
                /* Request all loads again before the first value is checked. */
#pragma unroll
            for (int k = 0; k < TERMS; k++)
                if (is_unknown(x[k])) x[k] = load_x(&a.known[BOTH && col[k] < 0 ? ~col[k] : col[k]]);
            if ((waits & WAITS_LOOK) == WAITS_LOOK && gives_up(a.failed, waits)) break;
        }
#pragma unroll
        for (int k = 0; k < TERMS; k++) {
            const double term = val[k] * x[k];
            if (BOTH && col[k] < 0)
                sum.old += term;
            else
                sum.fresh += term;
        }
    }
}

/* Add a slice's terms with old x, which need no waiting. */
__device__ __forceinline__ void add_old(const arrays &a, int64_t slice, int lane, sums &sum)
{
    const int32_t end = a.old_ptr[slice + 1];
    for (int32_t step = a.old_ptr[slice]; step < end; step += TERMS) {
        int32_t col[TERMS];
        double val[TERMS], x[TERMS];
        const int64_t at = static_cast<int64_t>(step) * WARP + lane;
#pragma unroll
        for (int k = 0; k < TERMS; k++) {
            col[k] = step + k < end ? __ldcs(&a.old_col[at + k * WARP]) : -1;
            val[k] = step + k < end ? __ldcs(&a.old_val[at + k * WARP]) : 0;
        }
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            x[k] = col[k] >= 0 ? a.old[col[k]] : 0;
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            sum.old += val[k] * x[k];
    }
}

__device__ __forceinline__ triplan_slice load_slice(const arrays &a, int64_t slice)
{
    const int4 bits = __ldcs(reinterpret_cast<const int4 *>(&a.slice[slice]));
    return triplan_slice{bits.x, bits.y, bits.z, bits.w};
}

/* Return the sums of a slice's rows, each in the row's first thread. */
template <bool BOTH>
__device__ __forceinline__ sums sums_of(const arrays &a, int64_t number, const triplan_slice &slice, int lane)
{
    sums sum = {0, 0};
    if (BOTH) add_old(a, number, lane, sum);
    add_fresh<BOTH>(a, slice, lane, sum);
    __syncwarp();
    for (int distance = (1 << slice.shift) / 2; distance > 0; distance /= 2) {
        sum.fresh += __shfl_down_sync(WHOLE_WARP, sum.fresh, distance);
        if (BOTH) sum.old += __shfl_down_sync(WHOLE_WARP, sum.old, distance);
    }
    return sum;
}

/* Solve the rows of a slice. */
template <bool BOTH>
__device__ __forceinline__ void solve_slice(const arrays &a, int64_t number, const triplan_slice &slice,
                                            int lane)
{
    const int32_t place = slice.place + (lane >> slice.shift);
    double right = 0, inverse = 0, diagonal = 0;
    int32_t row = TRIPLAN_PADDING;
    if ((lane & ((1 << slice.shift) - 1)) == 0) {
        row = __ldcs(&a.row[place]);
        inverse = __ldcs(&a.inverse[place]);
        if (BOTH) diagonal = __ldcs(&a.diagonal[place]);
        if (row >= 0) right = a.b[row];
        if (row != TRIPLAN_PADDING) store_x(&a.next[place], unknown());
    }
    const sums sum = sums_of<BOTH>(a, number, slice, lane);
    if (row == TRIPLAN_PADDING) return;
    const double x = ((BOTH ? right - sum.old : right) - sum.fresh) * inverse;
    publish(&a.known[place], x);
    if (row >= 0 && BOTH)
        a.right[row] = sum.old + diagonal * x;
    else if (row >= 0)
        a.x[row] = x;
}

/* Solve slices, one after the other per warp. The next slice is loaded before the warp waits in this one. */
template <bool BOTH> __device__ __forceinline__ void solve_slices(const arrays &a, int64_t first, int64_t end)
{
    const int lane = threadIdx.x % WARP;
    const int64_t warps = static_cast<int64_t>(gridDim.x) * blockDim.x / WARP;
    int64_t number = first + thread_of_grid() / WARP;
    if (number >= end) return;
    triplan_slice slice = load_slice(a, number);
    for (; number < end; number += warps) {
        const triplan_slice next = number + warps < end ? load_slice(a, number + warps) : slice;
        solve_slice<BOTH>(a, number, slice, lane);
        slice = next;
    }
}

/* Solve a wide phase. */
template <bool BOTH> __global__ void solve_wide(arrays a, int64_t first, int64_t end)
{
    solve_slices<BOTH>(a, first, end);
}

/* Wait until `count` blocks have arrived. */
__device__ inline void await_blocks(const arrays &a, int64_t count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(reinterpret_cast<unsigned long long *>(a.arrived), 1ULL);
        for (int waits = 0;; waits++) {
            int64_t arrived;
            asm volatile("ld.acquire.gpu.global.s64 %0, [%1];" : "=l"(arrived) : "l"(a.arrived) : "memory");
            if (arrived >= count || ((waits & WAITS_LOOK) == WAITS_LOOK && gives_up(a.failed, waits))) break;
        }
    }
    __syncthreads();
}

/* The same with a barrier after each level. `before` is the number of arrivals in earlier phases. */
template <bool BOTH>
__global__ void solve_levels(arrays a, int64_t first_level, int64_t end_level, int64_t before)
{
    for (int64_t level = first_level; level < end_level; level++) {
        solve_slices<BOTH>(a, a.level_slice[level], a.level_slice[level + 1]);
        if (level + 1 < end_level) await_blocks(a, before + (level + 1 - first_level) * gridDim.x);
    }
}

/* A segment's arrays in shared memory. Its own values are divided by the diagonal. */
struct shared_segment {
    double *x, *val;
    uint16_t *col, *start, *level;
};

__device__ inline shared_segment place_segment(const triplan_segment &segment)
{
    shared_segment s;
    s.x = shared_memory<double>();
    s.val = s.x + segment.rows;
    s.col = reinterpret_cast<uint16_t *>(s.val + segment.entries);
    s.start = s.col + segment.entries;
    s.level = s.start + segment.rows + 1;
    return s;
}

__device__ inline void load_segment(const arrays &a, const triplan_segment &segment, const shared_segment &s)
{
    const int step = blockDim.x;
    for (int k = threadIdx.x; k <= segment.rows; k += step)
        s.start[k] = __ldcs(&a.start[segment.first_start + k]);
    for (int k = threadIdx.x; k <= segment.levels; k += step)
        s.level[k] = __ldcs(&a.level[segment.first_level + k]);
#pragma unroll 4
    for (int k = threadIdx.x; k < segment.entries; k += step) {
        s.val[k] = __ldcs(&a.own_val[segment.first_entry + k]);
        s.col[k] = __ldcs(&a.own_col[segment.first_entry + k]);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < segment.rows; k += step) {
        const double inverse = a.inverse[segment.place + k];
        store_x(&a.next[segment.place + k], unknown());
        for (int e = s.start[k]; e < s.start[k + 1]; e++)
            s.val[e] *= inverse;
    }
}

/* For each row of a segment, subtract the terms with x of earlier rows from the right side, and divide by the
 * diagonal. */
template <bool BOTH>
__device__ inline void begin_segment(const arrays &a, const triplan_segment &segment, const shared_segment &s)
{
    const int lane = threadIdx.x % WARP;
    for (int k = threadIdx.x / WARP; k < segment.slices; k += blockDim.x / WARP) {
        const int64_t number = segment.slice + k;
        const triplan_slice slice = load_slice(a, number);
        const int32_t place = slice.place + (lane >> slice.shift);
        const int local = place - segment.place;
        const bool leads = (lane & ((1 << slice.shift) - 1)) == 0 && local < segment.rows;
        double right = 0, inverse = 0;
        int32_t row = TRIPLAN_PADDING;
        if (leads) {
            row = __ldcs(&a.row[place]);
            inverse = a.inverse[place];
            if (row >= 0) right = a.b[row];
        }
        const sums sum = sums_of<BOTH>(a, number, slice, lane);
        if (leads) s.x[local] = ((BOTH ? right - sum.old : right) - sum.fresh) * inverse;
        if (BOTH && row >= 0) a.right[row] = sum.old;
    }
}

/* Wait for the other threads that solve this segment. */
__device__ __forceinline__ void await_threads(int threads)
{
    if (threads == WARP)
        __syncwarp();
    else
        asm volatile("bar.sync 1, %0;" : : "r"(threads) : "memory");
}

/* A row's data that do not depend on other x. They are loaded one level ahead, without branches, which would
 * wait for the loads. */
struct row_head {
    bool mine, first, second; /* the row exists, and so do this thread's first and second term */
    int row, k, end, col, other_col;
    double val, other_val, right;
};

__device__ __forceinline__ row_head load_head(const shared_segment &s, int row, int end_row, int part,
                                              int lanes)
{
    row_head h;
    h.mine = row < end_row;
    h.row = h.mine ? row : 0;
    h.k = s.start[h.row] + part;
    h.end = h.mine ? s.start[h.row + 1] : 0;
    h.right = h.mine ? s.x[h.row] : 0;
    h.first = h.k < h.end;
    h.second = h.k + lanes < h.end;
    h.col = h.first ? s.col[h.k] : 0;
    h.val = h.first ? s.val[h.k] : 0;
    h.other_col = h.second ? s.col[h.k + lanes] : 0;
    h.other_val = h.second ? s.val[h.k + lanes] : 0;
    return h;
}

__device__ __forceinline__ void solve_row(const arrays &a, const shared_segment &s, int32_t place, int part,
                                          int lanes, const row_head &h)
{
    const double x0 = h.first ? s.x[h.col] : 0, x1 = h.second ? s.x[h.other_col] : 0;
    double sum = h.val * x0 + h.other_val * x1;
    for (int k = h.k + 2 * lanes; k < h.end; k += lanes)
        sum += s.val[k] * s.x[s.col[k]];
    if (lanes > 1) {
        __syncwarp();
        for (int distance = lanes / 2; distance > 0; distance /= 2)
            sum += __shfl_down_sync(WHOLE_WARP, sum, distance);
    }
    if (h.mine && part == 0) {
        const double x = h.right - sum;
        s.x[h.row] = x;
        publish(&a.known[place + h.row], x);
    }
}

/* Solve the levels of a segment. */
__device__ inline void solve_segment(const arrays &a, const triplan_segment &segment, const shared_segment &s)
{
    const int lanes = 1 << segment.shift, part = threadIdx.x & (lanes - 1);
    const int group = threadIdx.x >> segment.shift, groups = segment.threads >> segment.shift;
    int first = 0, end = s.level[1], after = segment.levels > 1 ? s.level[2] : end;
    row_head head = load_head(s, group, end, part, lanes);
    for (int level = 0; level < segment.levels; level++) {
        const int after_that = s.level[level + 3 <= segment.levels ? level + 3 : segment.levels];
        const row_head next = load_head(s, end + group, after, part, lanes);
        solve_row(a, s, segment.place, part, lanes, head);
        for (int base = first + groups; base < end; base += groups)
            solve_row(a, s, segment.place, part, lanes, load_head(s, base + group, end, part, lanes));
        first = end;
        end = after;
        after = after_that;
        head = next;
        await_threads(segment.threads);
    }
}

/* Solve a narrow phase: each block takes segments in turn. */
template <bool BOTH> __global__ void solve_narrow(arrays a, int64_t first, int64_t end)
{
    for (int64_t g = first + blockIdx.x; g < end; g += gridDim.x) {
        const triplan_segment segment = a.segments[g];
        const shared_segment s = place_segment(segment);
        load_segment(a, segment, s);
        begin_segment<BOTH>(a, segment, s);
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < segment.threads) solve_segment(a, segment, s);
        __syncthreads();
        for (int k = threadIdx.x; k < segment.rows; k += blockDim.x) {
            const int32_t row = a.row[segment.place + k];
            if (row < 0) continue;
            if (BOTH)
                a.right[row] += a.diagonal[segment.place + k] * s.x[k];
            else
                a.x[row] = s.x[k];
        }
        __syncthreads();
    }
}

static constexpr void (*wide_kernels[2])(arrays, int64_t, int64_t) = {solve_wide<false>, solve_wide<true>};
static constexpr void (*level_kernels[2])(arrays, int64_t, int64_t, int64_t) = {solve_levels<false>,
                                                                                solve_levels<true>};
static constexpr void (*narrow_kernels[2])(arrays, int64_t, int64_t) = {solve_narrow<false>,
                                                                        solve_narrow<true>};

static cuda_context *context_of(const cuda_solve *solve)
{
    return static_cast<cuda_context *>(solve->device->state);
}

static void note(const cuda_solve *solve, const char *what, cudaError_t error)
{
    cuda_context *context = context_of(solve);
    if (error == cudaSuccess || context->error != cudaSuccess) return;
    context->error = error;
    context->failed = what;
}

/* Enqueue blocks that all run at the same time, as is necessary because they wait for each other. */
template <class... Parameters, class... Arguments>
static void enqueue_together(const cuda_solve *solve, int64_t blocks, int threads, size_t shared,
                             const char *name, void (*kernel)(Parameters...), Arguments... arguments)
{
    if (blocks == 0) return;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = shared;
    config.stream = context_of(solve)->stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    note(solve, name, cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

static arrays arrays_of(const cuda_solve *solve, const cuda_half *half, const double *b, const double *old,
                        double *x)
{
    const triplan &plan = half->plan;
    arrays a = {};
    a.slice = plan.slice;
    a.row = plan.row;
    a.inverse = plan.inverse;
    a.diagonal = plan.diagonal;
    a.fresh_col = plan.fresh.col;
    a.fresh_val = plan.fresh.val;
    a.old_ptr = plan.old.ptr;
    a.old_col = plan.old.col;
    a.old_val = plan.old.val;
    a.segments = plan.segments;
    a.start = plan.start;
    a.level = plan.level;
    a.own_col = plan.own_col;
    a.own_val = plan.own_val;
    a.level_slice = plan.level_slice;
    a.b = b;
    a.old = old;
    a.x = x;
    a.right = solve->right;
    a.known = half->x[half->half];
    a.next = half->x[1 - half->half];
    a.arrived = half->arrived;
    a.failed = solve->failed;
    a.sleep = solve->sleep;
    return a;
}

static int64_t fewer(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Enqueue all phases of a solve. */
static void run_half(const cuda_solve *solve, cuda_half *half, const double *b, const double *old, double *x)
{
    const arrays a = arrays_of(solve, half, b, old, x);
    const int both = old != nullptr;
    int64_t arrived = 0;
    if (solve->barriers)
        note(solve, "clearing a counter",
             cudaMemsetAsync(a.arrived, 0, sizeof *a.arrived, context_of(solve)->stream));
    for (int64_t k = 0; k < half->plan.phase_count; k++) {
        const triplan_phase &phase = half->phases[k];
        const int64_t warps = solve->threads / WARP;
        const int64_t wide = fewer(half->wide_blocks, (phase.end - phase.first + warps - 1) / warps);
        if (phase.narrow)
            enqueue_together(solve, fewer(half->narrow_blocks, phase.end - phase.first), half->plan.threads,
                             half->plan.shared, "solve_narrow", narrow_kernels[both], a, phase.first,
                             phase.end);
        else if (solve->barriers)
            enqueue_together(solve, wide, solve->threads, 0, "solve_levels", level_kernels[both], a,
                             phase.first_level, phase.end_level, arrived);
        else
            enqueue_together(solve, wide, solve->threads, 0, "solve_wide", wide_kernels[both], a, phase.first,
                             phase.end);
        if (!phase.narrow && solve->barriers && phase.end_level > phase.first_level)
            arrived += wide * (phase.end_level - phase.first_level - 1);
    }
    half->half = 1 - half->half;
}

void cuda_solve_run(void *state, const double *b, double *x)
{
    auto *solve = static_cast<cuda_solve *>(state);
    if (solve->operation == TRISOLVE_LOWER) {
        run_half(solve, &solve->half[TRIANGLE_LOWER], b, nullptr, x);
    } else if (solve->operation == TRISOLVE_UPPER) {
        run_half(solve, &solve->half[TRIANGLE_UPPER], b, nullptr, x);
    } else {
        run_half(solve, &solve->half[TRIANGLE_LOWER], b, x, x);
        run_half(solve, &solve->half[TRIANGLE_UPPER], solve->right, nullptr, x);
    }
}

/* Find the number of blocks of a kernel that run at the same time on the GPU. */
template <class Kernel>
static cudaError_t resident(const cuda_solve *solve, Kernel kernel, int threads, size_t shared, int *blocks)
{
    int each = 0;
    cudaError_t code = cudaSuccess;
    if (shared > SHARED_PLAIN)
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared));
    if (code == cudaSuccess)
        code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
    *blocks = each * context_of(solve)->multiprocessors;
    return code;
}

/* Return the maximum number of blocks of wide phases. It is small if levels have few rows, because waiting
 * threads delay others. */
static int64_t blocks_ahead(const cuda_solve *solve, const cuda_half *half)
{
    int64_t slices = 0, levels = 0;
    for (int64_t k = 0; k < half->plan.phase_count; k++) {
        const triplan_phase &phase = half->phases[k];
        slices += phase.narrow ? 0 : phase.end - phase.first;
        levels += phase.narrow ? 0 : phase.end_level - phase.first_level;
    }
    if (levels == 0 || solve->ahead == 0) return INT32_MAX;
    const int64_t warps = solve->threads / WARP;
    return (slices * solve->ahead / levels + warps - 1) / warps + 1;
}

static cudaError_t fit_half(const cuda_solve *solve, cuda_half *half, int both)
{
    cudaError_t code = solve->barriers
                           ? resident(solve, level_kernels[both], solve->threads, 0, &half->wide_blocks)
                           : resident(solve, wide_kernels[both], solve->threads, 0, &half->wide_blocks);
    if (code == cudaSuccess && half->plan.segment_count)
        code = resident(solve, narrow_kernels[both], half->plan.threads, half->plan.shared,
                        &half->narrow_blocks);
    half->narrow_blocks = static_cast<int>(fewer(half->narrow_blocks, solve->queue));
    half->wide_blocks = static_cast<int>(fewer(half->wide_blocks, blocks_ahead(solve, half)));
    return code;
}

enum status cuda_solve_fit(struct cuda_solve *solve, struct error *error)
{
    cudaError_t code = cudaSuccess;
    for (int t = 0; t < TRIANGLES && code == cudaSuccess; t++) {
        cuda_half *half = &solve->half[t];
        if (half->plan.places == 0) continue;
        code = fit_half(solve, half, solve->operation == TRISOLVE_SYMGS && t == TRIANGLE_LOWER);
        if (code == cudaSuccess &&
            (half->wide_blocks < 1 || (half->plan.segment_count && half->narrow_blocks < 1)))
            return error_set(error, STATUS_UNAVAILABLE, "a block needs more than a multiprocessor has");
    }
    if (code == cudaSuccess) return STATUS_OK;
    cudaGetLastError();
    return error_set(error, STATUS_UNAVAILABLE, "finding the blocks of a launch: %s",
                     cudaGetErrorString(code));
}

size_t cuda_solve_shared(const struct device *device)
{
    return device->facts.shared ? device->facts.shared : SHARED_PLAIN;
}
