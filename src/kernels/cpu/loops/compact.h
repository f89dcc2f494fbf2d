/* Loops over the rows of CSR whose columns are encoded in fewer bytes (kernels/cpu/csr_compact.h). A unit is
 * a stretch of rows. In a stretch of diagonals (SHIFTED) row r has its entry c in column col[c] + r, so that
 * SIMD rows need x in order. Their values are loaded along the rows and transposed in registers:
 *
 *     along rows                      turned             x in order
 *     row 0   a0 b0 c0 d0             a0 a1 a2 a3   *    x[col[0] ...]
 *     row 1   a1 b1 c1 d1     -->     b0 b1 b2 b3   *    x[col[1] ...]     the sum over all lines is
 *     row 2   a2 b2 c2 d2             c0 c1 c2 c3   *    x[col[2] ...]     y of rows 0, 1, 2, 3
 *     row 3   a3 b3 c3 d3             d0 d1 d2 d3   *    x[col[3] ...]
 *
 * Only the columns and offsets of the stretch's first row are read, and vectors of x are loaded
 * contiguously. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_COMPACT_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_COMPACT_H

#include "kernels/cpu/csr_compact.h"
#include "kernels/cpu/loops/csr.h"

#ifdef SIMD

/* A buffer of sums of consecutive rows. Since stretches begin at any row, sums are collected here and written
 * to y in whole aligned vectors, bypassing the caches if that pays. */
#    define STAGE_ROWS 64
struct stage {
    real *y; /* the element that sum[0] belongs to */
    bool add, stream;
    int64_t count;
    real sum[STAGE_ROWS + 2 * SIMD_BYTES / sizeof(real)];
};

INLINE void stage_leave(struct stage *stage, int64_t first, int64_t end)
{
    for (int64_t r = first; r < end; r++)
        stage->y[r] = stage->add ? stage->y[r] + stage->sum[r] : stage->sum[r];
}

/* Write the whole vectors of sums to y; the last call also writes the rest. */
static void stage_flush(struct stage *stage, bool last)
{
    int64_t past = (int64_t)((uintptr_t)stage->y % SIMD_BYTES / sizeof(real));
    int64_t r = min((SIMD - past) % SIMD, stage->count);
    stage_leave(stage, 0, r);
    for (; r + SIMD <= stage->count; r += SIMD) {
        simd v = simd_load(stage->sum + r);
        if (stage->stream)
            simd_stream(stage->y + r, v);
        else
            simd_store(stage->y + r, stage->add ? simd_load(stage->y + r) + v : v);
    }
    if (last) {
        stage_leave(stage, r, stage->count);
        r = stage->count;
    }
    simd_store(stage->sum, simd_load(stage->sum + r));
    stage->y += r;
    stage->count -= r;
}

/* Add the sums of `rows` rows, at most SIMD. */
INLINE void stage_put(struct stage *stage, simd sums, int64_t rows)
{
    simd_store(stage->sum + stage->count, sums);
    stage->count += rows;
    if (stage->count >= STAGE_ROWS) stage_flush(stage, false);
}

/* The same sum as csr_sum, of a row of a NARROW stretch: col[k] counts from x. */
static double narrow_sum(const real *val, const uint16_t *col, const real *x, int64_t count, bool large)
{
    simd s = {0}, t = {0};
    int64_t k = 0;
    for (; k + 2 * SIMD <= count; k += 2 * SIMD) {
        if (large) ahead_pair(val + k, col + k, sizeof *col);
        s += simd_load(val + k) * simd_gather_narrow(x, col + k);
        t += simd_load(val + k + SIMD) * simd_gather_narrow(x, col + k + SIMD);
    }
    real rest = 0;
    for (; k < count; k++)
        rest += val[k] * x[col[k]];
    return (double)(simd_sum(s + t) + rest);
}

/* The counterpart of make_products for the entries of a NARROW stretch. Columns after its last entry are 0,
 * and thus valid elements of x. */
INLINE void narrow_products(const real *val, const uint16_t *col, const real *x, int64_t count, int64_t there,
                            bool large, real *product)
{
    int64_t k = 0;
    for (; k < count && k + 2 * SIMD <= there; k += 2 * SIMD) {
        if (large) ahead_pair(val + k, col + k, sizeof *col);
        simd_store(product + k, simd_load(val + k) * simd_gather_narrow(x, col + k));
        simd_store(product + k + SIMD, simd_load(val + k + SIMD) * simd_gather_narrow(x, col + k + SIMD));
    }
    for (; k < count; k++)
        product[k] = val[k] * x[col[k]];
}

/* Multiply a stretch that is FULL or NARROW, of a matrix with `all` rows. */
INLINE void compact_any(struct csr_arrays a, const struct compact *compact, const void *row_ptr, bool wide,
                        int64_t all, const struct compact_stretch *stretch, real *product,
                        struct stage *stage)
{
    const int64_t first = stretch->entry, end = stretch[1].entry, rows = stretch[1].row - stretch->row;
    const bool narrow = stretch->kind == COMPACT_NARROW;
    const uint16_t *col = compact->narrow + stretch->narrow;
    const real *x = a.x + stretch->base;
    if (end - first > PRODUCTS) {
        for (int64_t i = stretch->row; i < stretch[1].row; i++) {
            int64_t from = offset_at(row_ptr, wide, i), to = offset_at(row_ptr, wide, i + 1);
            double sum = narrow ? narrow_sum(a.val + from, col + from - first, x, to - from, a.large)
                                : csr_sum(a, from, to);
            stage_put(stage, (simd){(real)sum}, 1);
        }
        return;
    }
    if (!narrow) {
        if (a.scattered) ahead_x(a.x, a.col, first, end, a.count);
        make_products(a.val, a.col, a.x, first, end, a.count, a.large, product);
    } else {
        narrow_products(a.val + first, col, x, end - first, a.count - first, a.large, product);
    }
    int64_t r = 0;
    for (; r + SIMD <= rows; r += SIMD)
        stage_put(stage, sum_products(product, row_ptr, wide, first, INT64_MAX, stretch->row + r), SIMD);
    if (r < rows && stretch->row + r + SIMD <= all) {
        stage_put(stage, sum_products(product, row_ptr, wide, first, end, stretch->row + r), rows - r);
        r = rows;
    }
    for (; r < rows; r++) {
        real sum = 0;
        for (int64_t k = offset_at(row_ptr, wide, stretch->row + r);
             k < offset_at(row_ptr, wide, stretch->row + r + 1); k++)
            sum += product[k - first];
        stage_put(stage, (simd){sum}, 1);
    }
}

/* Add to sums[0 .. 1] the products of columns c .. c + width-1, width <= SIMD, of SIMD rows of a SHIFTED
 * stretch: val points to column c of the first of them, whose rows are `length` apart, and x to the element
 * of column 0 for the first of them. `width` is a constant if it is SIMD; else `mask` has as many lanes. */
INLINE void shifted_tile(const real *val, int64_t length, const int32_t *col, const real *x, int64_t width,
                         simd_mask mask, bool large, simd *sums)
{
    enum { LANES = SIMD_BYTES / sizeof(real) };
    simd rows[LANES], turned[LANES];
#    pragma GCC unroll 16
    for (int r = 0; r < LANES; r++) {
        if (large) ahead_row(val + r * length);
        rows[r] = width < SIMD ? simd_masked(val + r * length, mask) : simd_load(val + r * length);
    }
    simd_transpose(rows, turned);
#    pragma GCC unroll 16
    for (int c = 0; c < LANES; c++)
        if (c < width) sums[c % 2] += turned[c] * simd_load(x + col[c]);
}

INLINE void compact_shifted(struct csr_arrays a, const struct compact_stretch *stretch, struct stage *stage)
{
    const int64_t rows = stretch[1].row - stretch->row, length = (stretch[1].entry - stretch->entry) / rows;
    const int32_t *col = a.col + stretch->entry;
    const real *val = a.val + stretch->entry, *x = a.x;
    const simd_mask rest = simd_first(length % SIMD);
    if (length == 1) {
        for (int64_t r = 0; r < rows; r += SIMD) {
            if (a.large) ahead_row(val + r);
            stage_put(stage, simd_load(val + r) * simd_load(x + col[0] + r), SIMD);
        }
        return;
    }
    for (int64_t r = 0; r < rows; r += SIMD, val += SIMD * length, x += SIMD) {
        simd sums[2] = {{0}};
        int64_t c = 0;
        for (; c + SIMD <= length; c += SIMD)
            shifted_tile(val + c, length, col + c, x, SIMD, rest, a.large, sums);
        if (c < length) shifted_tile(val + c, length, col + c, x, length - c, rest, a.large, sums);
        stage_put(stage, sums[0] + sums[1], SIMD);
    }
}

/* Prefetch distance in stretches of the first columns and offsets that a stretch reads from CSR, since these
 * do not follow the previous reads. */
#    define STRETCHES_AHEAD 4

INLINE void compact_ahead(struct csr_arrays a, const void *row_ptr, bool wide,
                          const struct compact_stretch *stretch)
{
    const int64_t size = wide ? sizeof(int64_t) : sizeof(int32_t);
    if (!a.large) return;
    __builtin_prefetch((const void *)((uintptr_t)row_ptr + (uintptr_t)(stretch->row * size)), 0, 3);
    __builtin_prefetch((const void *)((uintptr_t)(a.col + stretch->entry)), 0, 3);
    __builtin_prefetch((const void *)((uintptr_t)(a.col + stretch->entry) + 64), 0, 3);
}

INLINE void compact_wide(const struct launch *launch, int64_t first, int64_t end, bool wide)
{
    const struct compact *compact = launch->state;
    const struct compact_stretch *stretch = compact->stretch;
    const struct csr_arrays a = csr_arrays(launch, compact->scattered);
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real product[PRODUCTS_ROOM];
    struct stage stage;
    stage.y = (real *)launch->y + stretch[first].row;
    stage.add = launch->product.accumulate;
    stage.stream = streams(launch);
    stage.count = 0;
    for (int64_t s = first; s < end; s++) {
        compact_ahead(a, row_ptr, wide, &stretch[min(s + STRETCHES_AHEAD, compact->counts.stretches)]);
        if (stretch[s].kind == COMPACT_SHIFTED)
            compact_shifted(a, &stretch[s], &stage);
        else
            compact_any(a, compact, row_ptr, wide, launch->storage->rows, &stretch[s], product, &stage);
    }
    stage_flush(&stage, true);
    stream_end(launch);
}

#else

static inline __attribute__((always_inline)) void compact_wide(const struct launch *launch, int64_t first,
                                                               int64_t end, bool wide)
{
    const struct compact *compact = launch->state;
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    const int32_t *col = launch->storage->array[CSR_COL].data;
    const real *val = launch->storage->array[CSR_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t s = first; s < end; s++) {
        const struct compact_stretch *stretch = &compact->stretch[s];
        for (int64_t i = stretch->row; i < stretch[1].row; i++) {
            int64_t from = offset_at(row_ptr, wide, i), to = offset_at(row_ptr, wide, i + 1);
            real sum = 0;
            if (stretch->kind == COMPACT_SHIFTED)
                for (int64_t k = from; k < to; k++)
                    sum += val[k] * x[col[stretch->entry + k - from] + i - stretch->row];
            else if (stretch->kind == COMPACT_NARROW)
                for (int64_t k = from; k < to; k++)
                    sum += val[k] * x[stretch->base + compact->narrow[stretch->narrow + k - stretch->entry]];
            else
                for (int64_t k = from; k < to; k++)
                    sum += val[k] * x[col[k]];
            y[i] = launch->product.accumulate ? y[i] + sum : sum;
        }
    }
}

#endif

static void csr_compact(const struct launch *launch, int64_t first, int64_t end)
{
    if (first == end) return;
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        compact_wide(launch, first, end, true);
    else
        compact_wide(launch, first, end, false);
}

#endif
