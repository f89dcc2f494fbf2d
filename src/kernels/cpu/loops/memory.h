/* Loops over plain memory, with which its bandwidth is measured. Addresses are multiples of 64, and numbers
 * of bytes multiples of MEMORY_BLOCK. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_MEMORY_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_MEMORY_H

#include <string.h>

#include "kernels/cpu/loops/real.h"
#ifdef __x86_64__
#    include <immintrin.h>
#endif

/* A cache line, 64 bytes, in registers. It need not be aligned to the cache's lines: some arrays come from
 * malloc, which aligns to 16 bytes. */
typedef real memory_line __attribute__((vector_size(64), may_alias, aligned(sizeof(real))));

#ifdef __AVX512F__
/* Return the sum of all elements, so that every one has to be read. There are several sums: with one, each
 * addition would wait some cycles for the one before, and the loop would measure additions instead of
 * memory. */
static double memory_read(const void *from, int64_t bytes)
{
    const memory_line *line = from;
    memory_line a = {0}, b = {0}, c = {0}, d = {0};
    for (int64_t k = 0; k < bytes / 64; k += 4) {
        a += line[k];
        b += line[k + 1];
        c += line[k + 2];
        d += line[k + 3];
    }
    a += b + (c + d);
    double sum = 0;
    for (size_t e = 0; e < sizeof a / sizeof(real); e++)
        sum += (double)a[e];
    return sum;
}
#else
/* The content of a register. Compilers keep larger sums in memory, so that their loads and stores would be
 * measured: 22 GB/s instead of the bandwidth of the caches of an EPYC with AVX2. */
#    ifdef __AVX2__
#        define MEMORY_REGISTER 32
#    else
#        define MEMORY_REGISTER 16
#    endif
typedef real memory_part __attribute__((vector_size(MEMORY_REGISTER), may_alias, aligned(sizeof(real))));

/* The same in registers of this number of bytes, eight of which are a half or a whole MEMORY_BLOCK. */
static double memory_read(const void *from, int64_t bytes)
{
    const memory_part *part = from;
    memory_part a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    for (int64_t k = 0; k < bytes / MEMORY_REGISTER; k += 8) {
        a += part[k];
        b += part[k + 1];
        c += part[k + 2];
        d += part[k + 3];
        e += part[k + 4];
        f += part[k + 5];
        g += part[k + 6];
        h += part[k + 7];
    }
    a += b + (c + d) + ((e + f) + (g + h));
    double sum = 0;
    for (size_t n = 0; n < sizeof a / sizeof(real); n++)
        sum += (double)a[n];
    return sum;
}
#endif

/* Copy with stores that bypass the caches, if the processor has them: otherwise each written line would be
 * read first, and three bytes would move for each two counted. */
static void memory_copy(void *to, const void *from, int64_t bytes)
{
#if defined(__AVX512F__)
    const __m512i *source = from;
    __m512i *target = to;
    for (int64_t k = 0; k < bytes / 64; k++)
        _mm512_stream_si512(target + k, _mm512_load_si512(source + k));
    _mm_sfence();
#elif defined(__AVX2__)
    const __m256i *source = from;
    __m256i *target = to;
    for (int64_t k = 0; k < bytes / 32; k++)
        _mm256_stream_si256(target + k, _mm256_load_si256(source + k));
    _mm_sfence();
#elif defined(__x86_64__)
    const __m128i *source = from;
    __m128i *target = to;
    for (int64_t k = 0; k < bytes / 16; k++)
        _mm_stream_si128(target + k, _mm_load_si128(source + k));
    _mm_sfence();
#else
    memcpy(to, from, (size_t)bytes);
#endif
}

#endif
