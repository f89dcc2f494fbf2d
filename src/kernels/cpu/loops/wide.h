/* For loops only: vectors of `scalar`, as wide as the registers of any variant, for loops over contiguous
 * elements. Every variant has them, unlike the vectors with gathers (simd.h). A vector of complex numbers has
 * real and imaginary parts alternating. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_WIDE_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_WIDE_H

#include <string.h>

#include "kernels/cpu/loops/real.h"

#if defined(__AVX512F__)
#    define WIDE_BYTES 64
#elif defined(__AVX2__)
#    define WIDE_BYTES 32
#else
#    define WIDE_BYTES 16
#endif
#if defined(__AVX2__)
#    include <immintrin.h>
#endif

#define WIDE ((int64_t)(WIDE_BYTES / sizeof(scalar)))
#define WIDE_INLINE static inline __attribute__((always_inline))

typedef scalar wide __attribute__((vector_size(WIDE_BYTES)));

WIDE_INLINE wide wide_load(const scalar *from)
{
    wide v;
    memcpy(&v, from, sizeof v);
    return v;
}

WIDE_INLINE void wide_store(scalar *to, wide v)
{
    memcpy(to, &v, sizeof v);
}

/* Return a vector all of whose elements are a; and one in which the elements of each pair are
 * swapped. */
#if WIDE_BYTES == 64
WIDE_INLINE wide wide_all(scalar a)
{
    return sizeof(scalar) == 4 ? (wide)_mm512_set1_ps((float)a) : (wide)_mm512_set1_pd((double)a);
}

WIDE_INLINE wide wide_swapped(wide v)
{
    if (sizeof(scalar) == 4) return (wide)_mm512_permute_ps((__m512)v, 0xb1);
    return (wide)_mm512_permute_pd((__m512d)v, 0x55);
}
#elif WIDE_BYTES == 32
WIDE_INLINE wide wide_all(scalar a)
{
    return sizeof(scalar) == 4 ? (wide)_mm256_set1_ps((float)a) : (wide)_mm256_set1_pd((double)a);
}

WIDE_INLINE wide wide_swapped(wide v)
{
    if (sizeof(scalar) == 4) return (wide)_mm256_permute_ps((__m256)v, 0xb1);
    return (wide)_mm256_permute_pd((__m256d)v, 5);
}
#else
WIDE_INLINE wide wide_all(scalar a)
{
    wide v = {0};
    for (int64_t e = 0; e < WIDE; e++)
        v[e] = a;
    return v;
}

WIDE_INLINE wide wide_swapped(wide v)
{
    wide out = {0};
    for (int64_t e = 0; e < WIDE; e++)
        out[e] = v[e ^ 1];
    return out;
}
#endif

/* Load, and store, the first `count` elements, 1 <= count <= WIDE. The other elements are loaded as 0 and not
 * accessed in memory, which may not exist. */
#if WIDE_BYTES == 64
WIDE_INLINE wide wide_load_some(const scalar *from, int64_t count)
{
    unsigned mask = (1U << count) - 1;
    if (sizeof(scalar) == 4) return (wide)_mm512_maskz_loadu_ps((__mmask16)mask, from);
    return (wide)_mm512_maskz_loadu_pd((__mmask8)mask, from);
}

WIDE_INLINE void wide_store_some(scalar *to, wide v, int64_t count)
{
    unsigned mask = (1U << count) - 1;
    if (sizeof(scalar) == 4)
        _mm512_mask_storeu_ps(to, (__mmask16)mask, (__m512)v);
    else
        _mm512_mask_storeu_pd(to, (__mmask8)mask, (__m512d)v);
}
#elif WIDE_BYTES == 32
/* The mask of the lanes below `count` for AVX2: all their bits are set. */
WIDE_INLINE __m256i wide_mask(int64_t count)
{
    if (sizeof(scalar) == 4)
        return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}

WIDE_INLINE wide wide_load_some(const scalar *from, int64_t count)
{
    if (sizeof(scalar) == 4)
        return (wide)_mm256_maskload_ps((const float *)(const void *)from, wide_mask(count));
    return (wide)_mm256_maskload_pd((const double *)(const void *)from, wide_mask(count));
}

WIDE_INLINE void wide_store_some(scalar *to, wide v, int64_t count)
{
    if (sizeof(scalar) == 4)
        _mm256_maskstore_ps((float *)(void *)to, wide_mask(count), (__m256)v);
    else
        _mm256_maskstore_pd((double *)(void *)to, wide_mask(count), (__m256d)v);
}
#else
WIDE_INLINE wide wide_load_some(const scalar *from, int64_t count)
{
    wide v = {0};
    for (int64_t e = 0; e < WIDE; e++)
        if (e < count) v[e] = from[e];
    return v;
}

WIDE_INLINE void wide_store_some(scalar *to, wide v, int64_t count)
{
    for (int64_t e = 0; e < WIDE; e++)
        if (e < count) to[e] = v[e];
}
#endif

/* Store v at `to`, a multiple of WIDE_BYTES, without reading the line into the caches first. */
WIDE_INLINE void wide_stream(scalar *to, wide v)
{
#if WIDE_BYTES == 64
    _mm512_stream_pd((void *)to, (__m512d)v);
#elif WIDE_BYTES == 32
    _mm256_stream_pd((double *)(void *)to, (__m256d)v);
#else
    wide_store(to, v);
#endif
}

/* Make stores that bypass the caches visible before any later store. */
WIDE_INLINE void wide_stream_end(void)
{
#if WIDE_BYTES > 16
    _mm_sfence();
#endif
}

/* Return i times the complex elements: -im re for re im. */
WIDE_INLINE wide wide_turned(wide v)
{
    static const scalar signs[16] = {-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
    return wide_swapped(v) * wide_load(signs);
}

#endif
