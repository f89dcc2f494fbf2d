/* Finding the end of a line, by a function that is inlined into the caller's loop. */
#ifndef SPARSIGHT_MATRIX_FILES_LINES_NEWLINE_H
#define SPARSIGHT_MATRIX_FILES_LINES_NEWLINE_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#    include <emmintrin.h>
#endif

/* This number of bytes after the line end may be read. */
#define NEWLINE_PADDING 64

#ifdef __SSE2__
static inline __attribute__((always_inline)) uint64_t newlines_in_16(const char *text)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
}
#endif

/* Return the first '\n' from text on. There must be one. */
static inline __attribute__((always_inline)) const char *newline_find(const char *text)
{
#ifdef __SSE2__
    for (;; text += 64) {
        uint64_t found = newlines_in_16(text) | newlines_in_16(text + 16) << 16 |
                         newlines_in_16(text + 32) << 32 | newlines_in_16(text + 48) << 48;
        if (found) return text + __builtin_ctzll(found);
    }
#else
    return rawmemchr(text, '\n');
#endif
}

#endif
