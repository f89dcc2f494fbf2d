/* For loops only: sums of rows of any lengths, in two steps. First the products val[k] x[col[k]] of a block
 * of rows are computed in whole vectors, regardless of rows, and kept in the first-level cache. Then SIMD
 * rows at a time are summed from there. No branch depends on the length of a single row, no unneeded element
 * of x is loaded, and the masked loads of short rows read neighbouring products instead of scattered
 * elements:
 *
 *     products    a a a b b b b b | b c d d d d e f | ...
 *     row i       a a a . . . . .  -->  s0
 *     row i+1     b b b b b b . .  -->  s1      one store of SIMD sums
 *     row i+2     c . . . . . . .  -->  s2      (.: masked)
 *     ...
 */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_PRODUCTS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_PRODUCTS_H

#include "kernels/cpu/loops/sums.h"

#ifdef SIMD

/* Maximum number of entries of a block: 8 KiB of products in double precision. */
#    define PRODUCTS 1024

/* Room for the products of a block. The last stored vector may extend beyond them, and the inactive lanes of
 * a masked load may be as far beyond them as the longest row of a block. */
#    define PRODUCTS_ROOM (2 * PRODUCTS + 64)

/* Mean number of entries above which rows are summed one by one, without the buffer: the end of a row then
 * costs little. */
#    define ROWS_LONG 128

/* Let product[k - first] be val[k] x[col[k]] for k = first .. end-1, which belong to an array of `count`
 * entries. Existing entries after `end` may be multiplied as well. If `large`, values and columns are
 * prefetched. */
INLINE void make_products(const real *val, const int32_t *col, const real *x, int64_t first, int64_t end,
                          int64_t count, bool large, real *product)
{
    int64_t k = first;
    for (; k < end && k + 2 * SIMD <= count; k += 2 * SIMD, product += 2 * SIMD) {
        if (large) ahead_pair(val + k, col + k, sizeof *col);
        simd_store(product, products(val + k, col + k, x));
        simd_store(product + SIMD, products(val + k + SIMD, col + k + SIMD, x));
    }
    for (; k < end; k += SIMD, product += SIMD)
        simd_store(product, simd_tail(val + k, x, col + k, min(SIMD, end - k)));
}

/* Return the sums of rows i .. i+SIMD-1 out of the products of entries base .. end-1; entries from `end` on
 * do not count. The longest row decides the number of vectors added for each row. It is constant over long
 * stretches of most matrices, and therefore predicted. */
INLINE simd sum_products(const real *product, const void *row_ptr, bool wide, int64_t base, int64_t end,
                         int64_t i)
{
    enum { LANES = SIMD_BYTES / sizeof(real) };
    int32_t from[LANES], count[LANES], longest = 0;
    simd_mask mask[LANES];
    simd sum[LANES];
    for (int r = 0; r < LANES; r++) {
        int64_t first = min(offset_at(row_ptr, wide, i + r), end);
        from[r] = (int32_t)(first - base);
        count[r] = (int32_t)(min(offset_at(row_ptr, wide, i + r + 1), end) - first);
    }
    for (int r = 0; r < LANES; r++)
        longest = count[r] > longest ? count[r] : longest;
    simd_masks(count, 0, mask);
#    ifdef HALVES
    if (longest <= SIMD / 2) {
        half_simd half[LANES];
#        pragma GCC unroll 16
        for (int r = 0; r < LANES; r++)
            half[r] = simd_half_masked(product + from[r], mask[r]);
        return simd_half_sums(half);
    }
#    endif
#    pragma GCC unroll 16
    for (int r = 0; r < LANES; r++)
        sum[r] = simd_masked(product + from[r], mask[r]);
    for (int64_t passed = SIMD; passed < longest; passed += SIMD) {
        simd_masks(count, passed, mask);
#    pragma GCC unroll 16
        for (int r = 0; r < LANES; r++)
            sum[r] += simd_masked(product + passed + from[r], mask[r]);
    }
    return simd_sums(sum);
}

#endif
#endif
