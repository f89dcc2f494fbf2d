/* For loops only: vectors of elements of x from arbitrary positions. They are loaded by the processor's
 * gather instruction, or by loads of single elements. Between processors the ratio of the two varies by a
 * factor of two in either direction, so that each variant of the loops that has vectors is compiled both
 * ways: SINGLE_LOADS is defined where elements are loaded singly. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_GATHER_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_GATHER_H

#include "kernels/cpu/loops/simd.h"

#ifdef SIMD

#    ifdef SINGLE_LOADS

/* Two columns, which one load brings. */
INLINE uint64_t two_columns(const int32_t *col)
{
    uint64_t two;
    memcpy(&two, col, sizeof two);
    return two;
}

/* Elements x[col[0]] and x[col[1]] of doubles, and the first four of floats: a block of 16 bytes. */
INLINE __m128d load_block(const real *x, const int32_t *col)
{
    uint64_t a = two_columns(col);
    if (!SINGLE) {
        const double *from = (const double *)x;
        return _mm_loadh_pd(_mm_load_sd(from + (uint32_t)a), from + (a >> 32));
    }
    const float *from = (const float *)x;
    uint64_t b = two_columns(col + 2);
    return (__m128d)_mm_setr_ps(from[(uint32_t)a], from[a >> 32], from[(uint32_t)b], from[b >> 32]);
}

/* The same with columns of 16 bits. */
INLINE __m128d load_narrow_block(const real *x, const uint16_t *col)
{
    if (!SINGLE) {
        const double *from = (const double *)x;
        return _mm_loadh_pd(_mm_load_sd(from + col[0]), from + col[1]);
    }
    const float *from = (const float *)x;
    return (__m128d)_mm_setr_ps(from[col[0]], from[col[1]], from[col[2]], from[col[3]]);
}

/* The same with columns of 8 bits. */
INLINE __m128d load_bytes_block(const real *x, const uint8_t *col)
{
    if (!SINGLE) {
        const double *from = (const double *)x;
        return _mm_loadh_pd(_mm_load_sd(from + col[0]), from + col[1]);
    }
    const float *from = (const float *)x;
    return (__m128d)_mm_setr_ps(from[col[0]], from[col[1]], from[col[2]], from[col[3]]);
}

/* The vector of this number of blocks. */
#        define BLOCKS (SIMD_BYTES / 16)
INLINE simd simd_of_blocks(const __m128d block[BLOCKS])
{
    __m256d lower = _mm256_insertf128_pd(_mm256_castpd128_pd256(block[0]), block[1], 1);
#        if SIMD_BYTES == 64
    __m256d upper = _mm256_insertf128_pd(_mm256_castpd128_pd256(block[2]), block[3], 1);
    return (simd)_mm512_insertf64x4(_mm512_castpd256_pd512(lower), upper, 1);
#        else
    return (simd)lower;
#        endif
}

/* Element e is x[col[e]], e < SIMD. */
INLINE simd simd_gather(const real *x, const int32_t *col)
{
    __m128d block[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        block[b] = load_block(x, col + b * (SIMD / BLOCKS));
    return simd_of_blocks(block);
}

/* The same with columns of 16 bits. */
INLINE simd simd_gather_narrow(const real *x, const uint16_t *col)
{
    __m128d block[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        block[b] = load_narrow_block(x, col + b * (SIMD / BLOCKS));
    return simd_of_blocks(block);
}

/* The same with columns of 8 bits. */
INLINE simd simd_gather_bytes(const real *x, const uint8_t *col)
{
    __m128d block[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        block[b] = load_bytes_block(x, col + b * (SIMD / BLOCKS));
    return simd_of_blocks(block);
}

#    elif SIMD_BYTES == 64

/* Elements x[j[e]]; of doubles the first eight of j. A masked gather keeps the other elements of its
 * register, so it depends on the previous value there. Here that is zero, which is available at once. The
 * compiler would drop the zero if it knew that the mask is full, so the mask is hidden from it. */
INLINE simd gather_at(const real *x, __m512i j)
{
    __mmask16 all = 0xffff;
    __asm__("" : "+Yk"(all));
    if (SINGLE) return (simd)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), all, j, x, 4);
    return (simd)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), (__mmask8)all, _mm512_castsi512_si256(j), x,
                                          8);
}

INLINE simd simd_gather(const real *x, const int32_t *col)
{
    if (SINGLE) return gather_at(x, _mm512_loadu_si512(col));
    return gather_at(x, _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)col)));
}

INLINE simd simd_gather_narrow(const real *x, const uint16_t *col)
{
    if (SINGLE) return gather_at(x, _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)col)));
    __m256i j = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)col));
    return gather_at(x, _mm512_castsi256_si512(j));
}

INLINE simd simd_gather_bytes(const real *x, const uint8_t *col)
{
    if (SINGLE) return gather_at(x, _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)col)));
    __m256i j = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)col));
    return gather_at(x, _mm512_castsi256_si512(j));
}

#    else

INLINE simd simd_gather(const real *x, const int32_t *col)
{
    if (SINGLE) return (simd)_mm256_i32gather_ps((const void *)x, _mm256_loadu_si256((const void *)col), 4);
    return (simd)_mm256_i32gather_pd((const void *)x, _mm_loadu_si128((const void *)col), 8);
}

INLINE simd simd_gather_narrow(const real *x, const uint16_t *col)
{
    if (SINGLE)
        return (simd)_mm256_i32gather_ps((const void *)x,
                                         _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)col)), 4);
    return (simd)_mm256_i32gather_pd((const void *)x, _mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)col)),
                                     8);
}

INLINE simd simd_gather_bytes(const real *x, const uint8_t *col)
{
    if (SINGLE)
        return (simd)_mm256_i32gather_ps((const void *)x,
                                         _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)col)), 4);
    int32_t four; /* gcc has _mm_loadu_si32 from version 11 on */
    memcpy(&four, col, sizeof four);
    return (simd)_mm256_i32gather_pd((const void *)x, _mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)), 8);
}

#    endif
#endif
#endif
