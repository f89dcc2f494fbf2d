/* y = A x for JDS, by a thread for each sorted row r, whose sum goes to y[perm[r]]. */
#include "kernels/cuda/coo_part.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/jds.h"
}

/* Each thread moves from diagonal to diagonal, as long as they reach its sorted row r: slot iter_ptr[d] + r
 * is entry d of the row (PMPP, 4th edition, notes of chapter 14). Neighbouring threads read neighbouring
 * slots. */
template <class real, class offset>
__global__ void jds_diagonals(int64_t sorted, int64_t diagonals, const int32_t *__restrict__ perm,
                              const offset *__restrict__ iter_ptr, const int32_t *__restrict__ col,
                              const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                              bool accumulate)
{
    int64_t r = thread_of_grid();
    if (r >= sorted) return;
    real sum = 0;
#pragma unroll 1
    for (int64_t d = 0; d < diagonals && iter_ptr[d] + r < iter_ptr[d + 1]; d++) {
        int64_t k = iter_ptr[d] + r;
        sum += val[k] * x[col[k]];
    }
    put(y, perm[r], sum, accumulate);
}

/* Multiply a section that is stored as ELL. col, val and perm begin where the section does. With width 0 this
 * sets empty rows to 0. */
template <class real>
__global__ void jds_section_ell(int64_t height, int64_t wide, const int32_t *__restrict__ perm,
                                const int32_t *__restrict__ col, const real *__restrict__ val,
                                const real *__restrict__ x, real *__restrict__ y, bool accumulate)
{
    int64_t t = thread_of_grid();
    if (t >= height) return;
    real sum = 0;
#pragma unroll 1
    for (int64_t d = 0; d < wide; d++)
        sum += val[d * height + t] * x[col[d * height + t]];
    put(y, perm[t], sum, accumulate);
}

/* Multiply a section whose rows are stored as CSR. perm and row_ptr begin where the section does. */
template <class real, class offset>
__global__ void jds_section_csr(int64_t height, const int32_t *__restrict__ perm,
                                const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                                const real *__restrict__ val, const real *__restrict__ x,
                                real *__restrict__ y, bool accumulate)
{
    int64_t t = thread_of_grid();
    if (t >= height) return;
    real sum = 0;
    offset end = row_ptr[t + 1];
#pragma unroll 1
    for (offset k = row_ptr[t]; k < end; k++)
        sum += val[k] * x[col[k]];
    put(y, perm[t], sum, accumulate);
}

template <class real>
__global__ void clear_rows(int64_t count, const int32_t *__restrict__ row, real *__restrict__ y)
{
    int64_t t = thread_of_grid();
    if (t < count) y[row[t]] = 0;
}

static int columns_of(const struct launch *launch)
{
    return static_cast<int>(launch->storage->number[JDS_COLUMNS]);
}

/* Set the rows of the COO part to 0, unless the launch accumulates, and add its entries. None of these rows
 * is a sorted row. */
template <class real> static void enqueue_apart(const struct launch *launch)
{
    int64_t apart = launch->storage->number[JDS_APART];
    if (apart == 0) return;
    if (launch->state)
        enqueue(launch, jds_grid(launch, apart), "clear_rows", clear_rows<real>, apart,
                static_cast<const int32_t *>(launch->state), y_of<real>(launch));
    enqueue_coo_part<real>(launch, columns_of(launch) + 2, jds_grid(launch, launch->storage->slots[1]));
}

void cuda_jds(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        const struct storage *storage = launch->storage;
        int64_t sorted = storage->array[JDS_PERM].length;
        enqueue(launch, jds_grid(launch, sorted), "jds_diagonals", jds_diagonals<real, offset>, sorted,
                storage->number[JDS_LONGEST], array_of<int32_t>(launch, JDS_PERM),
                array_of<offset>(launch, JDS_ITER_PTR), array_of<int32_t>(launch, columns_of(launch)),
                array_of<real>(launch, columns_of(launch) + 1), x_of<real>(launch), y_of<real>(launch),
                launch->product.accumulate);
        enqueue_apart<real>(launch);
    });
}

template <class real, class offset>
static void enqueue_section(const struct launch *launch, const struct jds_piece &piece)
{
    const struct grid grid = jds_grid(launch, piece.height);
    const int32_t *perm = array_of<int32_t>(launch, JDS_PERM) + piece.first;
    const int32_t *col = array_of<int32_t>(launch, columns_of(launch));
    const real *val = array_of<real>(launch, columns_of(launch) + 1);
    const real *x = x_of<real>(launch);
    real *y = y_of<real>(launch);
    if (piece.csr)
        enqueue(launch, grid, "jds_section_csr", jds_section_csr<real, offset>, piece.height, perm,
                array_of<offset>(launch, JDS_ROW_PTR) + piece.first, col, val, x, y,
                launch->product.accumulate);
    else
        enqueue(launch, grid, "jds_section_ell", jds_section_ell<real>, piece.height, piece.wide, perm,
                col + piece.slot, val + piece.slot, x, y, launch->product.accumulate);
}

void cuda_jds_sections(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        for (int64_t s = 0; s < launch->storage->number[JDS_SECTIONS]; s++)
            enqueue_section<real, offset>(launch, jds_piece(launch->storage, s));
        enqueue_apart<real>(launch);
    });
}
