/* Loops over the rows of CSR:
 *
 *     y[i] = sum over k = row_ptr[i] .. row_ptr[i+1]-1 of val[k] x[col[k]]
 *
 * Besides memory, the ends of rows cost time. If lengths vary, the processor cannot predict the end of the
 * loop over k, and each misprediction costs about as much as reading a short row. So blocks of rows are
 * multiplied entry by entry, and summed afterwards (products.h). */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_CSR_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_CSR_H

#include "formats/csr.h"
#include "kernels/cpu/loops/products.h"

/* The arrays that all loops over CSR read. */
struct csr_arrays {
    const int32_t *col;
    const real *val, *x;
    int64_t count;
    bool large;     /* the entries do not fit in a core's private caches and are prefetched */
    bool scattered; /* elements of x are prefetched, since they are far and their order is irregular */
};

static inline struct csr_arrays csr_arrays(const struct launch *launch, bool scattered)
{
    const struct array *array = launch->storage->array;
    return (struct csr_arrays){
        .col = array[CSR_COL].data,
        .val = array[CSR_VAL].data,
        .x = launch->x,
        .count = launch->storage->nnz,
        .large = ahead_pays(launch->storage->nnz),
        .scattered = scattered,
    };
}

/* This is the published loop: PMPP, figure 10.4 (sequential SpMV over CSR); that of the Cranfield report is
 * the same. `wide` says that offsets have 64 bits, and is a constant where this is inlined. */
static inline __attribute__((always_inline)) void csr_rows_plain(const struct launch *launch, int64_t first,
                                                                 int64_t end, bool wide)
{
    const struct array *array = launch->storage->array;
    const void *row_ptr = array[CSR_ROW_PTR].data;
    const int32_t *col = array[CSR_COL].data;
    const real *val = array[CSR_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t i = first; i < end; i++) {
        real sum = launch->product.accumulate ? y[i] : 0;
        for (int64_t k = offset_at(row_ptr, wide, i); k < offset_at(row_ptr, wide, i + 1); k++)
            sum += val[k] * x[col[k]];
        y[i] = sum;
    }
}

static void csr_plain(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        csr_rows_plain(launch, first, end, true);
    else
        csr_rows_plain(launch, first, end, false);
}

#if defined(SIMD) || defined(PAIRS)

/* Number of entries of a long row that are prefetched at a time, between sums: a core can have few
 * outstanding requests, and further ones would only wait. */
#    define CSR_BURST 64

/* Prefetch after entries first .. end-1, and the elements of x for them, if that pays. */
INLINE void csr_ahead(struct csr_arrays a, int64_t first, int64_t end)
{
    if (a.large) ahead(a.val, a.col, first, end);
    if (a.scattered) ahead_x(a.x, a.col, first, end, a.count);
}

#endif
#ifdef SIMD

/* Return the sum of val[k] x[col[k]] over entries k = first .. end-1, prefetched in bursts. */
static double csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    simd sum = {0};
    for (int64_t k = first; k < end; k += CSR_BURST) {
        int64_t stop = min(k + CSR_BURST, end);
        csr_ahead(a, k, stop);
        sum += dot_simd(a.val, a.col, a.x, k, stop);
    }
    return (double)simd_sum(sum);
}

/* Compute y[i] of a single row. */
INLINE void csr_row(const struct launch *launch, struct csr_arrays a, int64_t i, bool wide)
{
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y;
    real sum = (real)csr_sum(a, offset_at(row_ptr, wide, i), offset_at(row_ptr, wide, i + 1));
    y[i] = launch->product.accumulate ? y[i] + sum : sum;
}

/* Rows of a block in units of SIMD, unless they have too many entries. */
#    define CSR_GROUPS 4

/* Multiply rows first .. end-1: one by one up to the first whose y may be stored as an aligned vector, then
 * in blocks, then the rest. `wide` and `scattered` are constants. */
INLINE void csr_rows_wide(const struct launch *launch, int64_t first, int64_t end, bool wide, bool scattered)
{
    struct csr_arrays a = csr_arrays(launch, scattered);
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y, product[PRODUCTS_ROOM];
    bool stream = streams(launch);
    int64_t i = first;
    for (; i < end && (uintptr_t)(y + i) % SIMD_BYTES; i++)
        csr_row(launch, a, i, wide);
    while (i + SIMD <= end) {
        int64_t rows = CSR_GROUPS * SIMD, base = offset_at(row_ptr, wide, i);
        if (i + rows > end || offset_at(row_ptr, wide, i + rows) - base > PRODUCTS) rows = SIMD;
        int64_t entries = offset_at(row_ptr, wide, i + rows) - base;
        if (entries > ROWS_LONG * rows) {
            for (int64_t r = 0; r < rows; r++)
                csr_row(launch, a, i + r, wide);
            i += rows;
            continue;
        }
        if (scattered) ahead_x(a.x, a.col, base, base + entries, a.count);
        make_products(a.val, a.col, a.x, base, base + entries, a.count, a.large, product);
        for (int64_t stop = i + rows; i < stop; i += SIMD) {
            simd sum = sum_products(product, row_ptr, wide, base, INT64_MAX, i);
            if (stream)
                simd_stream(y + i, sum);
            else
                simd_store(y + i, launch->product.accumulate ? simd_load(y + i) + sum : sum);
        }
    }
    for (; i < end; i++)
        csr_row(launch, a, i, wide);
    stream_end(launch);
}

#elif defined(PAIRS)
#    include "kernels/cpu/loops/csr_complex.h"
#else

static loop_sum csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    real sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += a.val[k] * a.x[a.col[k]];
    return (loop_sum)sum;
}

#endif
#if defined(SIMD) || defined(PAIRS)

static void csr_any(const struct launch *launch, int64_t first, int64_t end, bool scattered)
{
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        csr_rows_wide(launch, first, end, true, scattered);
    else
        csr_rows_wide(launch, first, end, false, scattered);
}

static void csr(const struct launch *launch, int64_t first, int64_t end)
{
    csr_any(launch, first, end, false);
}

static void csr_scattered(const struct launch *launch, int64_t first, int64_t end)
{
    csr_any(launch, first, end, true);
}

#else

static void csr(const struct launch *launch, int64_t first, int64_t end)
{
    csr_plain(launch, first, end);
}

static void csr_scattered(const struct launch *launch, int64_t first, int64_t end)
{
    csr_plain(launch, first, end);
}

#endif

static loop_sum csr_entries(const struct launch *launch, int64_t first, int64_t end)
{
    return csr_sum(csr_arrays(launch, false), first, end);
}

#endif
