/* For loops only: vectors of `real`, as wide as this variant's registers. SIMD is the number of their
 * elements; it is defined where gathers exist (AVX2, AVX-512) and nowhere else. Vectors are added and
 * multiplied with + and *, of which the compiler makes fused operations.
 *
 * The functions that move elements between vectors work within blocks of 16 bytes, like the instructions: a
 * register of AVX2 has two blocks, one of AVX-512 four, and a block has two doubles or four floats. In the
 * pictures a bar stands between blocks. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SIMD_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SIMD_H

#include <string.h>

#include "kernels/cpu/loops/real.h"

#if defined(COMPLEX)
/* Complex numbers have vectors of their own: kernels/cpu/loops/pairs.h. */
#elif defined(__AVX512F__)
#    define SIMD_BYTES 64
#elif defined(__AVX2__)
#    define SIMD_BYTES 32
#endif

#ifdef SIMD_BYTES
#    include <immintrin.h>

#    define SIMD ((int64_t)(SIMD_BYTES / sizeof(real)))
#    define SINGLE (sizeof(real) == sizeof(float))

/* Casts between this type and those of the intrinsics keep the bits. */
typedef real simd __attribute__((vector_size(SIMD_BYTES)));

INLINE simd simd_load(const real *from)
{
    simd v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void simd_store(real *to, simd v)
{
    memcpy(to, &v, sizeof v);
}

#    if SIMD_BYTES == 64

/* Return a vector whose element e is val[e] x[col[e]] for e < count, and 0 from there on; 0 <= count <= SIMD.
 * Nothing after the first `count` elements of val and col is accessed, since there may be no memory. */
INLINE simd simd_tail(const real *val, const real *x, const int32_t *col, int64_t count)
{
    __mmask16 mask = (__mmask16)((1u << count) - 1);
    if (SINGLE) {
        __m512i j = _mm512_maskz_loadu_epi32(mask, col);
        return (simd)_mm512_maskz_loadu_ps(mask, val) *
               (simd)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, j, x, 4);
    }
    __m256i j = _mm256_maskz_loadu_epi32((__mmask8)mask, col);
    return (simd)_mm512_maskz_loadu_pd((__mmask8)mask, val) *
           (simd)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), (__mmask8)mask, j, x, 8);
}

/* Element e is from[e mod size]. `size` is a constant: 4 or 8, and no more than SIMD. */
INLINE simd simd_repeat(const real *from, int64_t size)
{
    if (size == SIMD) return simd_load(from);
    if (size == SIMD / 2)
        return (simd)_mm512_broadcast_f64x4(_mm256_loadu_pd((const double *)(const void *)from));
    return (simd)_mm512_broadcast_f32x4(_mm_loadu_ps((const float *)(const void *)from));
}

/* Vectors of half the length, for short rows: a gather takes time for each element of its register, even for
 * masked ones. */
#        define HALVES 1
typedef real half_simd __attribute__((vector_size(SIMD_BYTES / 2)));

/* The active lanes of a vector, one bit each. */
typedef uint16_t simd_mask;

/* Let mask[r] have the first count[r] - passed lanes, none if that is negative and all if it is SIMD or more;
 * r < SIMD. The masks of all rows are made at once, since one by one they would take as long as the sums. */
INLINE void simd_masks(const int32_t *count, int64_t passed, simd_mask *mask)
{
    if (SINGLE) {
        __m512i n = _mm512_sub_epi32(_mm512_loadu_si512(count), _mm512_set1_epi32((int)passed));
        __m512i one = _mm512_set1_epi32(1);
        n = _mm512_max_epi32(n, _mm512_setzero_si512());
        n = _mm512_sub_epi32(_mm512_sllv_epi32(one, n), one);
        _mm256_storeu_si256((__m256i *)mask, _mm512_cvtepi32_epi16(n));
        return;
    }
    __m256i n = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)count), _mm256_set1_epi32((int)passed));
    __m256i one = _mm256_set1_epi32(1);
    n = _mm256_max_epi32(n, _mm256_setzero_si256());
    n = _mm256_sub_epi32(_mm256_sllv_epi32(one, n), one);
    _mm_storeu_si128((__m128i *)mask, _mm256_cvtepi32_epi16(n));
}

/* Return the mask of the first `count` lanes, count <= SIMD. */
INLINE simd_mask simd_first(int64_t count)
{
    return (simd_mask)((1u << count) - 1);
}

/* Return a vector whose element e is from[e] for the lanes of the mask, and 0 elsewhere; nothing else is
 * accessed. simd_half_masked has the lower half of the lanes. */
INLINE simd simd_masked(const real *from, simd_mask mask)
{
    if (SINGLE) return (simd)_mm512_maskz_loadu_ps(mask, from);
    return (simd)_mm512_maskz_loadu_pd((__mmask8)mask, from);
}

INLINE half_simd simd_half_masked(const real *from, simd_mask mask)
{
    if (SINGLE) return (half_simd)_mm256_maskz_loadu_ps((__mmask8)mask, from);
    return (half_simd)_mm256_maskz_loadu_pd((__mmask8)mask, from);
}

/* Return a vector whose element e is from[e] if bit `first` + e is set; otherwise it is 0, and from[e] is not
 * read. Bit b is bits[b / 8] >> b % 8 & 1. `first` is a multiple of SIMD. */
INLINE simd simd_where(const real *from, const uint8_t *bits, int64_t first)
{
    if (SINGLE) {
        uint16_t mask;
        memcpy(&mask, bits + first / 8, sizeof mask);
        return (simd)_mm512_maskz_loadu_ps((__mmask16)mask, from);
    }
    return (simd)_mm512_maskz_loadu_pd((__mmask8)bits[first / 8], from);
}

INLINE simd simd_of_halves(half_simd lower, half_simd upper)
{
    return (simd)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)lower), (__m256d)upper, 1);
}

/* A table of values in registers, `SIMD_FEW` at most. */
#        define SIMD_FEW (2 * SIMD)
typedef struct {
    simd lower, upper;
} simd_table;

/* Element e is table[index[e]], index[e] < SIMD_FEW. */
INLINE simd simd_pick(simd_table table, const uint8_t *index)
{
    if (SINGLE) {
        const __m512i e = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)index));
        return (simd)_mm512_permutex2var_ps((__m512)table.lower, e, (__m512)table.upper);
    }
    const __m512i e = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)index));
    return (simd)_mm512_permutex2var_pd((__m512d)table.lower, e, (__m512d)table.upper);
}

/* Return the same as simd_tail, but element e is 0 also where col[e] < 0, and x is not read there. */
INLINE simd simd_valid(const real *val, const real *x, const int32_t *col, int64_t count)
{
    __mmask16 mask = (__mmask16)((1u << count) - 1);
    if (SINGLE) {
        __m512i j = _mm512_maskz_loadu_epi32(mask, col);
        __mmask16 valid = _mm512_mask_cmpge_epi32_mask(mask, j, _mm512_setzero_si512());
        return (simd)_mm512_maskz_loadu_ps(mask, val) *
               (simd)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, j, x, 4);
    }
    __m256i j = _mm256_maskz_loadu_epi32((__mmask8)mask, col);
    __mmask8 valid = _mm256_mask_cmpge_epi32_mask((__mmask8)mask, j, _mm256_setzero_si256());
    return (simd)_mm512_maskz_loadu_pd((__mmask8)mask, val) *
           (simd)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), valid, j, x, 8);
}

/* Return the sum of all elements. */
INLINE real simd_sum(simd v)
{
    return SINGLE ? (real)_mm512_reduce_add_ps((__m512)v) : (real)_mm512_reduce_add_pd((__m512d)v);
}

/* Store v at `to`, a multiple of SIMD_BYTES, without reading the line into the caches first. */
INLINE void simd_stream(real *to, simd v)
{
    _mm512_stream_pd((double *)(void *)to, (__m512d)v);
}

/* Return the lower halves of the blocks of u and v, and the upper ones:
 *
 *     u = u0 u1 | u2 u3 | ...     simd_lower = u0 v0 | u2 v2 | ...
 *     v = v0 v1 | v2 v3 | ...     simd_upper = u1 v1 | u3 v3 | ...
 *
 * where each letter is a double, or two adjacent floats. */
INLINE simd simd_lower(simd u, simd v)
{
    return (simd)_mm512_unpacklo_pd((__m512d)u, (__m512d)v);
}

INLINE simd simd_upper(simd u, simd v)
{
    return (simd)_mm512_unpackhi_pd((__m512d)u, (__m512d)v);
}

/* Return for floats, which alternate, what simd_lower and simd_upper do for doubles:
 *
 *     u = u0 u1 u2 u3 | ...     simd_lower_single = u0 v0 u1 v1 | ...
 *     v = v0 v1 v2 v3 | ...     simd_upper_single = u2 v2 u3 v3 | ... */
INLINE simd simd_lower_single(simd u, simd v)
{
    return (simd)_mm512_unpacklo_ps((__m512)u, (__m512)v);
}

INLINE simd simd_upper_single(simd u, simd v)
{
    return (simd)_mm512_unpackhi_ps((__m512)u, (__m512)v);
}

/* Sums of neighbouring blocks, where U0 .. U3 are the blocks of u and V0 .. V3 those of v:
 * U0 + U1 | U2 + U3 | V0 + V1 | V2 + V3. */
INLINE simd simd_halve(simd u, simd v)
{
    return (simd)_mm512_shuffle_f64x2((__m512d)u, (__m512d)v, 0x88) +
           (simd)_mm512_shuffle_f64x2((__m512d)u, (__m512d)v, 0xdd);
}

/* Let block g of out[b * apart] be block b of v[g * apart], g, b < 4: the transpose of a square of blocks. */
INLINE void simd_swap_blocks(const simd *v, int64_t apart, simd *out)
{
    __m512d u[4], p[4];
    for (int g = 0; g < 4; g++)
        u[g] = (__m512d)v[g * apart];
    for (int g = 0; g < 4; g += 2) {
        p[g] = _mm512_shuffle_f64x2(u[g], u[g + 1], 0x88);
        p[g + 1] = _mm512_shuffle_f64x2(u[g], u[g + 1], 0xdd);
    }
    for (int b = 0; b < 2; b++) {
        out[b * apart] = (simd)_mm512_shuffle_f64x2(p[b], p[b + 2], 0x88);
        out[(b + 2) * apart] = (simd)_mm512_shuffle_f64x2(p[b], p[b + 2], 0xdd);
    }
}

/* Block b is the sum of all blocks of v[b]; v has as many vectors as a vector has blocks. */
INLINE simd simd_fold(const simd *v)
{
    return simd_halve(simd_halve(v[0], v[1]), simd_halve(v[2], v[3]));
}

#    else

INLINE simd simd_repeat(const real *from, int64_t size)
{
    if (size == SIMD) return simd_load(from);
    return (simd)_mm256_broadcast_ps((const __m128 *)(const void *)from);
}

INLINE simd simd_tail(const real *val, const real *x, const int32_t *col, int64_t count)
{
    if (SINGLE) {
        __m256i mask =
            _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256i j = _mm256_maskload_epi32(col, mask);
        return (simd)_mm256_maskload_ps((const float *)val, mask) *
               (simd)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)x, j, (__m256)mask, 4);
    }
    __m128i half = _mm_cmpgt_epi32(_mm_set1_epi32((int)count), _mm_setr_epi32(0, 1, 2, 3));
    __m256i mask = _mm256_cvtepi32_epi64(half);
    __m128i j = _mm_maskload_epi32(col, half);
    return (simd)_mm256_maskload_pd((const double *)val, mask) *
           (simd)_mm256_mask_i32gather_pd(_mm256_setzero_pd(), (const double *)x, j, (__m256d)mask, 8);
}

INLINE simd simd_valid(const real *val, const real *x, const int32_t *col, int64_t count)
{
    if (SINGLE) {
        __m256i mask =
            _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256i j = _mm256_maskload_epi32(col, mask);
        __m256i valid = _mm256_andnot_si256(_mm256_srai_epi32(j, 31), mask);
        return (simd)_mm256_maskload_ps((const float *)val, mask) *
               (simd)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)x, j, (__m256)valid, 4);
    }
    __m128i half = _mm_cmpgt_epi32(_mm_set1_epi32((int)count), _mm_setr_epi32(0, 1, 2, 3));
    __m256i mask = _mm256_cvtepi32_epi64(half);
    __m128i j = _mm_maskload_epi32(col, half);
    __m256i valid = _mm256_cvtepi32_epi64(_mm_andnot_si128(_mm_srai_epi32(j, 31), half));
    return (simd)_mm256_maskload_pd((const double *)val, mask) *
           (simd)_mm256_mask_i32gather_pd(_mm256_setzero_pd(), (const double *)x, j, (__m256d)valid, 8);
}

/* The active lanes of a vector: their number, from the first on. */
typedef int32_t simd_mask;

INLINE void simd_masks(const int32_t *count, int64_t passed, simd_mask *mask)
{
    for (int r = 0; r < SIMD; r++)
        mask[r] = count[r] - (int32_t)passed;
}

INLINE simd_mask simd_first(int64_t count)
{
    return (simd_mask)count;
}

INLINE simd simd_masked(const real *from, simd_mask mask)
{
    if (SINGLE) {
        __m256i lanes =
            _mm256_cmpgt_epi32(_mm256_set1_epi32(mask), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        return (simd)_mm256_maskload_ps((const float *)from, lanes);
    }
    __m256i lanes = _mm256_cmpgt_epi64(_mm256_set1_epi64x(mask), _mm256_setr_epi64x(0, 1, 2, 3));
    return (simd)_mm256_maskload_pd((const double *)from, lanes);
}

INLINE simd simd_where(const real *from, const uint8_t *bits, int64_t first)
{
    if (SINGLE) {
        const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        const __m256i lanes = _mm256_and_si256(_mm256_set1_epi32(bits[first / 8]), bit);
        return (simd)_mm256_maskload_ps((const float *)from, _mm256_cmpeq_epi32(lanes, bit));
    }
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i lanes = _mm256_and_si256(_mm256_set1_epi64x(bits[first / 8] >> first % 8), bit);
    return (simd)_mm256_maskload_pd((const double *)from, _mm256_cmpeq_epi64(lanes, bit));
}

#        define SIMD_FEW SIMD
typedef struct {
    simd lower;
} simd_table;

/* Doubles move as two halves: element i is halves 2i and 2i + 1. */
INLINE simd simd_pick(simd_table table, const uint8_t *index)
{
    if (SINGLE)
        return (simd)_mm256_permutevar8x32_ps((__m256)table.lower,
                                              _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)index)));
    int32_t four; /* gcc has _mm_loadu_si32 from version 11 on */
    memcpy(&four, index, sizeof four);
    const __m256i e = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four));
    const __m256i halves =
        _mm256_add_epi64(_mm256_add_epi64(_mm256_slli_epi64(e, 1), _mm256_slli_epi64(e, 33)),
                         _mm256_set1_epi64x(INT64_C(1) << 32));
    return (simd)_mm256_permutevar8x32_ps((__m256)table.lower, halves);
}

INLINE real simd_sum(simd v)
{
    if (SINGLE) {
        __m128 half = _mm_add_ps(_mm256_castps256_ps128((__m256)v), _mm256_extractf128_ps((__m256)v, 1));
        half = _mm_add_ps(half, _mm_movehl_ps(half, half));
        return (real)_mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
    }
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128((__m256d)v), _mm256_extractf128_pd((__m256d)v, 1));
    return (real)_mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

INLINE void simd_stream(real *to, simd v)
{
    _mm256_stream_pd((double *)(void *)to, (__m256d)v);
}

INLINE simd simd_lower(simd u, simd v)
{
    return (simd)_mm256_unpacklo_pd((__m256d)u, (__m256d)v);
}

INLINE simd simd_upper(simd u, simd v)
{
    return (simd)_mm256_unpackhi_pd((__m256d)u, (__m256d)v);
}

INLINE simd simd_lower_single(simd u, simd v)
{
    return (simd)_mm256_unpacklo_ps((__m256)u, (__m256)v);
}

INLINE simd simd_upper_single(simd u, simd v)
{
    return (simd)_mm256_unpackhi_ps((__m256)u, (__m256)v);
}

INLINE void simd_swap_blocks(const simd *v, int64_t apart, simd *out)
{
    __m256d lower = (__m256d)v[0], upper = (__m256d)v[apart];
    out[0] = (simd)_mm256_permute2f128_pd(lower, upper, 0x20);
    out[apart] = (simd)_mm256_permute2f128_pd(lower, upper, 0x31);
}

INLINE simd simd_fold(const simd *v)
{
    return (simd)_mm256_permute2f128_pd((__m256d)v[0], (__m256d)v[1], 0x20) +
           (simd)_mm256_permute2f128_pd((__m256d)v[0], (__m256d)v[1], 0x31);
}

#    endif

/* The table of the first `count` values at `from`, count <= SIMD_FEW; no more are read. */
INLINE simd_table simd_table_of(const real *from, int64_t count)
{
    real all[2 * SIMD_BYTES / sizeof(real)] = {0};
    simd_table table;
    memcpy(all, from, (size_t)count * sizeof *from);
    memcpy(&table, all, sizeof table);
    return table;
}

/* Element e of each block is the sum of that block of v[e]; v has as many vectors as a block has elements.
 * With two doubles a block, v[0] = a and v[1] = b, one addition does it:
 *
 *     a0 b0 | a2 b2 | ...
 *   + a1 b1 | a3 b3 | ...
 *
 * With four floats it takes two steps, p of a = v[0] and b = v[1], q of c = v[2] and d = v[3]:
 *
 *     p = a0+a2 b0+b2 a1+a3 b1+b3 | ...       a0+a2 b0+b2 c0+c2 d0+d2 | ...
 *     q = c0+c2 d0+d2 c1+c3 d1+d3 | ...     + a1+a3 b1+b3 c1+c3 d1+d3 | ... */
INLINE simd simd_quarters(const simd *v)
{
    if (!SINGLE) return simd_lower(v[0], v[1]) + simd_upper(v[0], v[1]);
    simd p = simd_lower_single(v[0], v[1]) + simd_upper_single(v[0], v[1]);
    simd q = simd_lower_single(v[2], v[3]) + simd_upper_single(v[2], v[3]);
    return simd_lower(p, q) + simd_upper(p, q);
}

/* Element e is the sum of all elements of v[e], e < SIMD: the transpose of a square, summed along its
 * columns. First the blocks of r = 16 / sizeof(real) vectors at a time become q[b], whose element e in each
 * block belongs to v[b r + e]; then simd_fold adds up the blocks of each q[b] and puts them beside each
 * other. Every addition serves several sums at once, so that all SIMD sums cost about as much as three
 * calls of simd_sum where SIMD is 8. */
INLINE simd simd_sums(const simd *v)
{
    simd q[SIMD_BYTES / 16];
    for (size_t b = 0; b < SIMD_BYTES / 16; b++)
        q[b] = simd_quarters(v + b * (16 / sizeof(real)));
    return simd_fold(q);
}

/* Let element r of out[e] be element e of v[r], r, e < SIMD: the transpose of a square. First the squares
 * within blocks are transposed, r = 16 / sizeof(real) vectors at a time, then the squares of blocks. With
 * four floats a block, of a = v[0] .. d = v[3]:
 *
 *     p = a0 b0 a1 b1 | ...   q = a2 b2 a3 b3 | ...      a0 b0 c0 d0 | ...    a1 b1 c1 d1 | ...
 *     s = c0 d0 c1 d1 | ...   t = c2 d2 c3 d3 | ...      a2 b2 c2 d2 | ...    a3 b3 c3 d3 | ... */
INLINE void simd_transpose(const simd *v, simd *out)
{
    const int r = 16 / sizeof(real);
    simd inner[SIMD_BYTES / sizeof(real)];
    for (int g = 0; g < SIMD; g += r) {
        if (!SINGLE) {
            inner[g] = simd_lower(v[g], v[g + 1]);
            inner[g + 1] = simd_upper(v[g], v[g + 1]);
            continue;
        }
        simd p = simd_lower_single(v[g], v[g + 1]), q = simd_upper_single(v[g], v[g + 1]);
        simd s = simd_lower_single(v[g + 2], v[g + 3]), t = simd_upper_single(v[g + 2], v[g + 3]);
        inner[g] = simd_lower(p, s);
        inner[g + 1] = simd_upper(p, s);
        inner[g + 2] = simd_lower(q, t);
        inner[g + 3] = simd_upper(q, t);
    }
    for (int e = 0; e < r; e++)
        simd_swap_blocks(inner + e, r, out + e);
}

#    ifdef HALVES

/* The same as simd_sums for SIMD vectors of half the length. Two vectors that are r = 16 / sizeof(real) apart
 * make a whole one, so that blocks 0 and 1 of q[g] belong to v[2 g r + e], and blocks 2 and 3 to v[(2 g + 1)
 * r + e]; simd_halve adds these in pairs. */
INLINE simd simd_half_sums(const half_simd *v)
{
    const int r = 16 / sizeof(real);
    simd q[2];
    for (int g = 0; g < 2; g++) {
        simd pair[16 / sizeof(real)];
        for (int e = 0; e < r; e++)
            pair[e] = simd_of_halves(v[2 * g * r + e], v[(2 * g + 1) * r + e]);
        q[g] = simd_quarters(pair);
    }
    return simd_halve(q[0], q[1]);
}

#    endif
#endif
#endif
