/* For loops only: converting vectors between column-major and row-major order, and copying, adding and
 * clearing rows of Y (kernels/cpu/spmm.h). */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SPMM_MOVES_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SPMM_MOVES_H

#include "kernels/cpu/loops/sums.h"
#include "kernels/cpu/loops/wide.h"
#include "kernels/cpu/spmm.h"

/* Transpose a rectangle: to[a to_step + b] becomes, or is increased by, from[b from_step + a], for a < high
 * and b < broad. Squares of it are transposed in registers. */
WIDE_INLINE void spmm_turn(const real *from, int64_t from_step, real *restrict to, int64_t to_step,
                           int64_t high, int64_t broad, bool add)
{
    int64_t square_high = 0, square_broad = 0;
#ifdef SIMD
    square_broad = broad / SIMD * SIMD;
    square_high = square_broad ? high / SIMD * SIMD : 0;
    for (int64_t a = 0; a < square_high; a += SIMD)
        for (int64_t b = 0; b < square_broad; b += SIMD) {
            simd v[SIMD_BYTES / sizeof(real)], turned[SIMD_BYTES / sizeof(real)];
            for (int64_t k = 0; k < SIMD; k++)
                v[k] = simd_load(from + (b + k) * from_step + a);
            simd_transpose(v, turned);
            for (int64_t k = 0; k < SIMD; k++) {
                real *line = to + (a + k) * to_step + b;
                simd_store(line, add ? simd_load(line) + turned[k] : turned[k]);
            }
        }
#endif
    for (int64_t a = 0; a < high; a++)
        for (int64_t b = a < square_high ? square_broad : 0; b < broad; b++) {
            real *one = to + a * to_step + b;
            *one = add ? *one + from[b * from_step + a] : from[b * from_step + a];
        }
}

/* The squares of spmm_turn need as many vectors as a register has elements: eight of 32 bits are too few with
 * AVX-512. */
#if defined SIMD && SIMD_BYTES == 64
#    define FEW_EIGHT (sizeof(real) == 4)
#else
#    define FEW_EIGHT false
#endif

/* Interleave 2, 4 or 8 vectors, or, if `back`, separate them again: `count` elements of each vector, the
 * vectors `size` elements apart. `columns` and `back` are constants. */
WIDE_INLINE void spmm_few(const real *from, real *restrict to, int64_t size, int64_t count, int64_t columns,
                          bool back, bool add)
{
    for (int64_t i = 0; i < count; i++)
#pragma GCC unroll 8
        for (int64_t c = 0; c < columns; c++) {
            real *one = back ? to + c * size + i : to + i * columns + c;
            real element = back ? from[i * columns + c] : from[c * size + i];
            *one = add ? *one + element : element;
        }
}

/* Convert `size` long vectors from column-major to row-major order: row i of Y, i < count, becomes row
 * perm[i], or i if perm is NULL, of X. */
static void spmm_pack(const struct spmm_part *part, int64_t size, const int32_t *perm, int64_t count)
{
    const real *x = part->x;
    real *y = part->y;
    const int64_t columns = part->columns;
    if (!perm && columns == 2)
        spmm_few(x, y, size, count, 2, false, false);
    else if (!perm && columns == 4)
        spmm_few(x, y, size, count, 4, false, false);
    else if (!perm && columns == 8 && FEW_EIGHT)
        spmm_few(x, y, size, count, 8, false, false);
    else if (!perm)
        spmm_turn(x, size, y, columns, count, columns, false);
    for (int64_t i = 0; i < count && perm; i++)
        spmm_turn(x + perm[i], size, y + i * columns, columns, 1, columns, false);
}

/* Do the reverse, and add to the existing elements if part->add. */
static void spmm_unpack(const struct spmm_part *part, int64_t size, const int32_t *perm, int64_t count)
{
    const real *x = part->x;
    real *y = part->y;
    const int64_t columns = part->columns;
    if (!perm && columns == 2)
        spmm_few(x, y, size, count, 2, true, part->add);
    else if (!perm && columns == 4)
        spmm_few(x, y, size, count, 4, true, part->add);
    else if (!perm)
        spmm_turn(x, columns, y, size, columns, count, part->add);
    for (int64_t i = 0; i < count && perm; i++)
        spmm_turn(x + i * columns, columns, y + perm[i], size, columns, 1, part->add);
}

/* Set, or add, `count` rows of Y to rows of X, both with contiguous columns. */
static void spmm_copy(const struct spmm_part *part, int64_t count)
{
    const real *x = part->x;
    real *restrict y = part->y;
    for (int64_t i = 0; i < count; i++, x += part->x_step, y += part->y_step)
        if (part->add)
            for (int64_t c = 0; c < part->columns; c++)
                y[c] += x[c];
        else
            for (int64_t c = 0; c < part->columns; c++)
                y[c] = x[c];
}

/* Set `count` rows of Y to 0. */
static void spmm_clear(const struct spmm_part *part, int64_t count)
{
    real *y = part->y;
    for (int64_t i = 0; i < count; i++, y += part->y_step)
        for (int64_t c = 0; c < part->columns; c++)
            y[c] = 0;
}

#endif
