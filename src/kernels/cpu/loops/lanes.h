/* For loops only: vectors of `real`, as wide as this variant's registers, where gathers exist (AVX2,
 * AVX-512). LANES is not defined elsewhere. They are added and multiplied with + and *, which become fused.
 */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_LANES_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_LANES_H

#include <string.h>

#include "kernels/cpu/loops/real.h"

#if defined(__AVX512F__)
#    define LANES_BYTES 64
#elif defined(__AVX2__)
#    define LANES_BYTES 32
#endif

#ifdef LANES_BYTES
#    include <immintrin.h>

#    define LANES ((int64_t)(LANES_BYTES / sizeof(real)))
#    define SINGLE (sizeof(real) == sizeof(float))
#    define INLINE static inline __attribute__((always_inline))

/* Casts between vectors of one size keep the bits. */
typedef real lanes __attribute__((vector_size(LANES_BYTES)));

INLINE lanes lanes_load(const real *from)
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void lanes_store(real *to, lanes v)
{
    memcpy(to, &v, sizeof v);
}

#    if LANES_BYTES == 64

/* x[col[0]], x[col[1]], ... A gather puts lanes into what its register held before, and waits for that: here
 * for zeros. The compiler leaves these out if it knows that all lanes are wanted, so it is not told. */
INLINE lanes lanes_gather(const real *x, const int32_t *col)
{
    __mmask16 all = 0xffff;
    __asm__("" : "+Yk"(all));
    if (SINGLE)
        return (lanes)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), all, _mm512_loadu_si512(col), x, 4);
    return (lanes)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), (__mmask8)all,
                                           _mm256_loadu_si256((const __m256i *)col), x, 8);
}

/* The sum of val[e] x[col[e]] over e < count in lane e, 0 <= count <= LANES; nothing beyond is touched. */
INLINE lanes lanes_tail(const real *val, const real *x, const int32_t *col, int64_t count)
{
    __mmask16 mask = (__mmask16)((1u << count) - 1);
    if (SINGLE) {
        __m512i j = _mm512_maskz_loadu_epi32(mask, col);
        return (lanes)_mm512_maskz_loadu_ps(mask, val) *
               (lanes)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, j, x, 4);
    }
    __m256i j = _mm256_maskz_loadu_epi32((__mmask8)mask, col);
    return (lanes)_mm512_maskz_loadu_pd((__mmask8)mask, val) *
           (lanes)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), (__mmask8)mask, j, x, 8);
}

/* `size` elements again and again, size being 4 or 8, a constant. */
INLINE lanes lanes_repeat(const real *from, int64_t size)
{
    if (size == LANES) return lanes_load(from);
    if (size == LANES / 2)
        return (lanes)_mm512_broadcast_f64x4(_mm256_loadu_pd((const double *)(const void *)from));
    return (lanes)_mm512_broadcast_f32x4(_mm_loadu_ps((const float *)(const void *)from));
}

/* Half as many lanes: gathers take as long as they have lanes, wanted or not. */
#        define HALVES 1
typedef real half_lanes __attribute__((vector_size(LANES_BYTES / 2)));

/* lanes_tail of half as many, 0 <= count <= LANES / 2. */
INLINE half_lanes lanes_half_tail(const real *val, const real *x, const int32_t *col, int64_t count)
{
    __mmask8 mask = (__mmask8)((1u << count) - 1);
    if (SINGLE) {
        __m256i j = _mm256_maskz_loadu_epi32(mask, col);
        return (half_lanes)_mm256_maskz_loadu_ps(mask, val) *
               (half_lanes)_mm256_mmask_i32gather_ps(_mm256_setzero_ps(), mask, j, x, 4);
    }
    __m128i j = _mm_maskz_loadu_epi32(mask, col);
    return (half_lanes)_mm256_maskz_loadu_pd(mask, val) *
           (half_lanes)_mm256_mmask_i32gather_pd(_mm256_setzero_pd(), mask, j, x, 8);
}

INLINE lanes lanes_of_halves(half_lanes lower, half_lanes upper)
{
    return (lanes)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)lower), (__m256d)upper, 1);
}

/* As lanes_tail, but 0 for columns below 0, which nothing is read for. */
INLINE lanes lanes_valid(const real *val, const real *x, const int32_t *col, int64_t count)
{
    __mmask16 mask = (__mmask16)((1u << count) - 1);
    if (SINGLE) {
        __m512i j = _mm512_maskz_loadu_epi32(mask, col);
        __mmask16 valid = _mm512_mask_cmpge_epi32_mask(mask, j, _mm512_setzero_si512());
        return (lanes)_mm512_maskz_loadu_ps(mask, val) *
               (lanes)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, j, x, 4);
    }
    __m256i j = _mm256_maskz_loadu_epi32((__mmask8)mask, col);
    __mmask8 valid = _mm256_mask_cmpge_epi32_mask((__mmask8)mask, j, _mm256_setzero_si256());
    return (lanes)_mm512_maskz_loadu_pd((__mmask8)mask, val) *
           (lanes)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), valid, j, x, 8);
}

INLINE real lanes_sum(lanes v)
{
    return SINGLE ? (real)_mm512_reduce_add_ps((__m512)v) : (real)_mm512_reduce_add_pd((__m512d)v);
}

/* Store at a multiple of LANES_BYTES, around the caches. */
INLINE void lanes_stream(real *to, lanes v)
{
    _mm512_stream_pd((double *)(void *)to, (__m512d)v);
}

/* The lower and the upper elements of each 16 bytes of u and v, u's and v's in turn; for pairs of singles as
 * for doubles. */
INLINE lanes lanes_lower(lanes u, lanes v)
{
    return (lanes)_mm512_unpacklo_pd((__m512d)u, (__m512d)v);
}

INLINE lanes lanes_upper(lanes u, lanes v)
{
    return (lanes)_mm512_unpackhi_pd((__m512d)u, (__m512d)v);
}

/* The same for singles. */
INLINE lanes lanes_lower_single(lanes u, lanes v)
{
    return (lanes)_mm512_unpacklo_ps((__m512)u, (__m512)v);
}

INLINE lanes lanes_upper_single(lanes u, lanes v)
{
    return (lanes)_mm512_unpackhi_ps((__m512)u, (__m512)v);
}

/* Quarters of 16 bytes 0+1 and 2+3 of u, then of v. */
INLINE lanes lanes_halve(lanes u, lanes v)
{
    return (lanes)_mm512_shuffle_f64x2((__m512d)u, (__m512d)v, 0x88) +
           (lanes)_mm512_shuffle_f64x2((__m512d)u, (__m512d)v, 0xdd);
}

/* Element q: the sum of all quarters of v[q], q counting quarters. */
INLINE lanes lanes_fold(const lanes *v)
{
    return lanes_halve(lanes_halve(v[0], v[1]), lanes_halve(v[2], v[3]));
}

#    else

INLINE lanes lanes_repeat(const real *from, int64_t size)
{
    if (size == LANES) return lanes_load(from);
    return (lanes)_mm256_broadcast_ps((const __m128 *)(const void *)from);
}

INLINE lanes lanes_gather(const real *x, const int32_t *col)
{
    if (SINGLE) return (lanes)_mm256_i32gather_ps((const void *)x, _mm256_loadu_si256((const void *)col), 4);
    return (lanes)_mm256_i32gather_pd((const void *)x, _mm_loadu_si128((const void *)col), 8);
}

INLINE lanes lanes_tail(const real *val, const real *x, const int32_t *col, int64_t count)
{
    if (SINGLE) {
        __m256i mask =
            _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256i j = _mm256_maskload_epi32(col, mask);
        return (lanes)_mm256_maskload_ps((const float *)val, mask) *
               (lanes)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)x, j, (__m256)mask, 4);
    }
    __m128i half = _mm_cmpgt_epi32(_mm_set1_epi32((int)count), _mm_setr_epi32(0, 1, 2, 3));
    __m256i mask = _mm256_cvtepi32_epi64(half);
    __m128i j = _mm_maskload_epi32(col, half);
    return (lanes)_mm256_maskload_pd((const double *)val, mask) *
           (lanes)_mm256_mask_i32gather_pd(_mm256_setzero_pd(), (const double *)x, j, (__m256d)mask, 8);
}

INLINE lanes lanes_valid(const real *val, const real *x, const int32_t *col, int64_t count)
{
    if (SINGLE) {
        __m256i mask =
            _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256i j = _mm256_maskload_epi32(col, mask);
        __m256i valid = _mm256_andnot_si256(_mm256_srai_epi32(j, 31), mask);
        return (lanes)_mm256_maskload_ps((const float *)val, mask) *
               (lanes)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)x, j, (__m256)valid, 4);
    }
    __m128i half = _mm_cmpgt_epi32(_mm_set1_epi32((int)count), _mm_setr_epi32(0, 1, 2, 3));
    __m256i mask = _mm256_cvtepi32_epi64(half);
    __m128i j = _mm_maskload_epi32(col, half);
    __m256i valid = _mm256_cvtepi32_epi64(_mm_andnot_si128(_mm_srai_epi32(j, 31), half));
    return (lanes)_mm256_maskload_pd((const double *)val, mask) *
           (lanes)_mm256_mask_i32gather_pd(_mm256_setzero_pd(), (const double *)x, j, (__m256d)valid, 8);
}

INLINE real lanes_sum(lanes v)
{
    if (SINGLE) {
        __m128 half = _mm_add_ps(_mm256_castps256_ps128((__m256)v), _mm256_extractf128_ps((__m256)v, 1));
        half = _mm_add_ps(half, _mm_movehl_ps(half, half));
        return (real)_mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
    }
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128((__m256d)v), _mm256_extractf128_pd((__m256d)v, 1));
    return (real)_mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

INLINE void lanes_stream(real *to, lanes v)
{
    _mm256_stream_pd((double *)(void *)to, (__m256d)v);
}

INLINE lanes lanes_lower(lanes u, lanes v)
{
    return (lanes)_mm256_unpacklo_pd((__m256d)u, (__m256d)v);
}

INLINE lanes lanes_upper(lanes u, lanes v)
{
    return (lanes)_mm256_unpackhi_pd((__m256d)u, (__m256d)v);
}

INLINE lanes lanes_lower_single(lanes u, lanes v)
{
    return (lanes)_mm256_unpacklo_ps((__m256)u, (__m256)v);
}

INLINE lanes lanes_upper_single(lanes u, lanes v)
{
    return (lanes)_mm256_unpackhi_ps((__m256)u, (__m256)v);
}

INLINE lanes lanes_fold(const lanes *v)
{
    return (lanes)_mm256_permute2f128_pd((__m256d)v[0], (__m256d)v[1], 0x20) +
           (lanes)_mm256_permute2f128_pd((__m256d)v[0], (__m256d)v[1], 0x31);
}

#    endif

/* Sums of as many vectors as 16 bytes have elements, each 16 bytes by themselves: element e of a quarter is
 * the sum of that quarter of v[e]. */
INLINE lanes lanes_quarters(const lanes *v)
{
    if (!SINGLE) return lanes_lower(v[0], v[1]) + lanes_upper(v[0], v[1]);
    lanes p = lanes_lower_single(v[0], v[1]) + lanes_upper_single(v[0], v[1]);
    lanes q = lanes_lower_single(v[2], v[3]) + lanes_upper_single(v[2], v[3]);
    return lanes_lower(p, q) + lanes_upper(p, q);
}

/* Element e: the sum of v[e], e < LANES. Each addition serves two sums, so that this costs about as much as
 * three lanes_sum of 8 elements. */
INLINE lanes lanes_sums(const lanes *v)
{
    lanes q[LANES_BYTES / 16];
    for (size_t b = 0; b < LANES_BYTES / 16; b++)
        q[b] = lanes_quarters(v + b * (16 / sizeof(real)));
    return lanes_fold(q);
}

#    ifdef HALVES

/* Element e: the sum of v[e], e < LANES. */
INLINE lanes lanes_half_sums(const half_lanes *v)
{
    const int r = 16 / sizeof(real);
    lanes q[2];
    for (int g = 0; g < 2; g++) {
        lanes pair[16 / sizeof(real)];
        for (int e = 0; e < r; e++)
            pair[e] = lanes_of_halves(v[2 * g * r + e], v[(2 * g + 1) * r + e]);
        q[g] = lanes_quarters(pair);
    }
    return lanes_halve(q[0], q[1]);
}

#    endif
#endif
#endif
