/* For loops only: vectors of complex numbers, with real and imaginary parts alternating as in memory. PAIRS
 * is the number in a vector; it is defined only in the loops of complex matrices with AVX2. AVX-512 also uses
 * vectors of 32 bytes: elements of x are loaded singly, so that longer vectors would only need more pieces.
 *
 *     u = re0 im0 | re1 im1          c64, PAIRS = 2; a bar stands between blocks of 16 bytes
 *     u = re0 im0 re1 im1 | ...      c32, PAIRS = 4 */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_PAIRS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_PAIRS_H

#include "kernels/cpu/loops/real.h"

#if defined(COMPLEX) && defined(__AVX2__)
#    include <immintrin.h>
#    include <string.h>

#    define PAIRS ((int64_t)(32 / sizeof(real)))
#    define SINGLE (sizeof(scalar) == sizeof(float))

/* Casts between this type and those of the intrinsics keep the bits. */
typedef scalar pairs __attribute__((vector_size(32)));

INLINE pairs pairs_load(const real *from)
{
    pairs v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void pairs_store(real *to, pairs v)
{
    memcpy(to, &v, sizeof v);
}

/* Store v at `to`, a multiple of 32 bytes, without reading the line into the caches first. */
INLINE void pairs_stream(real *to, pairs v)
{
    _mm256_stream_pd((double *)(void *)to, (__m256d)v);
}

/* Return one element, as a vector whose others are 0. */
INLINE pairs pairs_one(const real *from)
{
    const double *bits = (const double *)(const void *)from;
    return (pairs)_mm256_zextpd128_pd256(SINGLE ? _mm_load_sd(bits) : _mm_loadu_pd(bits));
}

/* Return two elements in the lower half of a vector whose upper half is 0; only for c32. */
INLINE pairs pairs_two(const real *first, const real *second)
{
    const double *low = (const double *)(const void *)first, *high = (const double *)(const void *)second;
    return (pairs)_mm256_zextpd128_pd256(_mm_loadh_pd(_mm_load_sd(low), high));
}

/* Return a vector whose element e is x[col[e]], e < PAIRS. */
INLINE pairs pairs_gather(const real *x, const int32_t *col)
{
    if (SINGLE)
        return (pairs)_mm256_insertf128_pd(
            (__m256d)pairs_two(x + col[0], x + col[1]),
            _mm256_castpd256_pd128((__m256d)pairs_two(x + col[2 % PAIRS], x + col[3 % PAIRS])), 1);
    return (pairs)_mm256_insertf128_pd((__m256d)pairs_one(x + col[0]),
                                       _mm_loadu_pd((const double *)(const void *)(x + col[1])), 1);
}

/* Return the real parts, each in both places of its pair, and the imaginary ones. */
INLINE pairs pairs_real(pairs v)
{
    return SINGLE ? (pairs)_mm256_moveldup_ps((__m256)v) : (pairs)_mm256_movedup_pd((__m256d)v);
}

INLINE pairs pairs_imaginary(pairs v)
{
    return SINGLE ? (pairs)_mm256_movehdup_ps((__m256)v) : (pairs)_mm256_permute_pd((__m256d)v, 0xf);
}

/* Exchange the parts of each pair. */
INLINE pairs pairs_swap(pairs v)
{
    return SINGLE ? (pairs)_mm256_permute_ps((__m256)v, 0xb1) : (pairs)_mm256_permute_pd((__m256d)v, 0x5);
}

/* Return u + i v. */
INLINE pairs pairs_join(pairs u, pairs v)
{
    if (SINGLE) return (pairs)_mm256_addsub_ps((__m256)u, (__m256)pairs_swap(v));
    return (pairs)_mm256_addsub_pd((__m256d)u, (__m256d)pairs_swap(v));
}

/* Return the sum of all elements. */
INLINE real pairs_total(pairs v)
{
    real sum[2];
    __m128d half = (__m128d)(SINGLE ? (__m128d)_mm_add_ps(_mm256_castps256_ps128((__m256)v),
                                                          _mm256_extractf128_ps((__m256)v, 1))
                                    : _mm_add_pd(_mm256_castpd256_pd128((__m256d)v),
                                                 _mm256_extractf128_pd((__m256d)v, 1)));
    if (SINGLE) half = (__m128d)_mm_add_ps((__m128)half, _mm_movehl_ps((__m128)half, (__m128)half));
    memcpy(sum, &half, sizeof half);
    return sum[0];
}

/* Sums of products v u = Re(v) u + i Im(v) u, whose two summands are summed separately to the end: a product
 * is then two fused operations, without exchanges within pairs. */
struct products {
    pairs real, imaginary;
};

INLINE void products_add(struct products *sum, pairs v, pairs u)
{
    sum->real += pairs_real(v) * u;
    sum->imaginary += pairs_imaginary(v) * u;
}

INLINE pairs products_join(const struct products *sum)
{
    return pairs_join(sum->real, sum->imaginary);
}

/* Return u + v w, without separate sums. */
INLINE pairs pairs_add_product(pairs u, pairs v, pairs w)
{
    return pairs_join(u + pairs_real(v) * w, pairs_imaginary(v) * w);
}

/* Add val[k] x[col[k]] of entries k = first .. end-1 to the sum. Two sums alternate, so that a fused
 * operation does not wait for the one before. */
INLINE void products_dot(struct products sum[2], const real *val, const int32_t *col, const real *x,
                         int64_t first, int64_t end)
{
    int64_t k = first;
    for (; k + 2 * PAIRS <= end; k += 2 * PAIRS) {
        products_add(&sum[0], pairs_load(val + k), pairs_gather(x, col + k));
        products_add(&sum[1], pairs_load(val + k + PAIRS), pairs_gather(x, col + k + PAIRS));
    }
    if (k + PAIRS <= end) {
        products_add(&sum[0], pairs_load(val + k), pairs_gather(x, col + k));
        k += PAIRS;
    }
    if (SINGLE && k + 2 <= end) {
        products_add(&sum[1], pairs_two(val + k, val + k + 1), pairs_two(x + col[k], x + col[k + 1]));
        k += 2;
    }
    if (k < end) products_add(&sum[0], pairs_one(val + k), pairs_one(x + col[k]));
}

INLINE real products_total(const struct products sum[2])
{
    struct products both = {sum[0].real + sum[1].real, sum[0].imaginary + sum[1].imaginary};
    return pairs_total(products_join(&both));
}

/* Return the sum of val[k] x[col[k]] over k < n. */
INLINE real pairs_dot(const real *val, const int32_t *col, const real *x, int64_t n)
{
    struct products sum[2] = {{{0}, {0}}, {{0}, {0}}};
    products_dot(sum, val, col, x, 0, n);
    return products_total(sum);
}

#endif
#endif
