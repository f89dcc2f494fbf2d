/* y = A x for DIA, by a thread for each row. On diagonal d, the lanes of the warp whose first row is r load
 * these elements of val and x, with o = offsets[d]:
 *
 *     val    d rows + r,  d rows + r + 1,  d rows + r + 2, ...
 *     x      r + o,       r + 1 + o,       r + 2 + o, ...
 *
 * and no lane loads a column (Bell and Garland, "Implementing sparse matrix-vector multiplication on
 * throughput-oriented processors", SC 2009, section 4.1). */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/dia.h"
}

/* The products of up to COUNT diagonals with the row of a thread. Offsets are counted from the row, so that
 * column = row + offset. Outside the matrix x is not read; as an unsigned number, a negative column exceeds
 * the number of columns. */
template <class real, int COUNT> struct dia_some {
    uint32_t column[COUNT];
    real value[COUNT];

    /* Request the values of the first `left` diagonals, at most COUNT, from these positions on. */
    __device__ __forceinline__ void load(int left, uint32_t row, int64_t rows, const int32_t *offsets,
                                         const real *val, once_policy policy)
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            column[k] = ~0u;
            value[k] = 0;
            if (k < left) {
                column[k] = row + static_cast<uint32_t>(__ldg(offsets + k));
                value[k] = once(val + k * rows, policy);
            }
        }
    }

    __device__ __forceinline__ void add(real *sum, uint32_t cols, const real *x) const
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            if (column[k] < cols) *sum += value[k] * element_of(x + column[k]);
    }
};

template <class real>
__global__ void dia(int64_t rows, uint32_t cols, int diagonals, const int32_t *__restrict__ offsets,
                    const real *__restrict__ val, const real *x, real *y, bool accumulate, bool stays)
{
    const int64_t i = thread_of_grid();
    let_next_begin();
    if (i >= rows) return;
    const once_policy policy = make_once_policy(stays);
    const uint32_t row = static_cast<uint32_t>(i);
    real sum = 0;
    val += i;
#pragma unroll 1
    for (; diagonals >= DIA_AHEAD; diagonals -= DIA_AHEAD, offsets += DIA_AHEAD, val += DIA_AHEAD * rows) {
        dia_some<real, DIA_AHEAD> some;
        some.load(DIA_AHEAD, row, rows, offsets, val, policy);
        await_previous_then(some.column[0]);
        some.add(&sum, cols, x);
    }
    dia_some<real, DIA_AHEAD - 1> rest;
    rest.load(diagonals, row, rows, offsets, val, policy);
    await_previous_then(rest.column[0]);
    rest.add(&sum, cols, x);
    put(y, i, sum, accumulate);
}

void cuda_dia(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        const struct storage *storage = launch->storage;
        enqueue_early(launch, dia_grid(launch), number_of(launch, DIA_KERNEL_EARLY) != 0, "dia", dia<real>,
                      storage->rows, static_cast<uint32_t>(storage->cols),
                      static_cast<int>(storage->number[DIA_DIAGONALS]),
                      array_of<int32_t>(launch, DIA_OFFSETS), array_of<real>(launch, DIA_VAL),
                      x_of<real>(launch), y_of<real>(launch), launch->product.accumulate,
                      matrix_stays(launch));
    });
}
