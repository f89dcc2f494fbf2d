/* The header of a Matrix Market text: the words of its banner and the numbers of its size line. The program's
 * reader and writer and the functions of mmio.h all use it. The format is Boisvert, Pozo and Remington,
 * NISTIR 5935 (1996). Like mmio.h this needs only the C library.
 *
 * Lines must end in '\n'. Blanks separate words, and case does not matter. */
#ifndef SPARSIGHT_MATRIX_MMIO_GRAMMAR_H
#define SPARSIGHT_MATRIX_MMIO_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "matrix/mmio/mmio.h"

/* Words */

static inline bool mm_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the first byte at or after `text` that is not a blank. */
const char *mm_first_word(const char *text);

/* These return the end of the word at `text`, and the beginning of the word after it. If no word comes after
 * it, that is the line's '\n'. */
const char *mm_word_end(const char *text);
const char *mm_next_word(const char *text);

/* Return true if the word at `text` is `word`, without regard to case. */
bool mm_is_word(const char *text, const char *word);

/* Return true if a line is a comment or blank. */
bool mm_says_nothing(const char *line);

/* The banner has five words, of which the first is MatrixMarketBanner. */

/* The properties that the other four words name, in the order of a type code. */
enum mm_property { MM_OBJECT, MM_FORMAT, MM_FIELD, MM_SYMMETRY, MM_PROPERTIES };

/* A word of the banner, and its letter in a type code. */
struct mm_word {
    char letter;
    const char *text;
};

/* Return all words that a property may have, up to one whose text is NULL. Several words may have the same
 * letter; the first of them is the one that is written. The object may be a vector, with the letter V, which
 * the functions of mmio.h do not read. */
const struct mm_word *mm_words(enum mm_property property);

/* Return the word of a letter, or NULL if there is none. */
const char *mm_word_of(enum mm_property property, char letter);

struct mm_banner {
    MM_typecode matcode;             /* has the letters of the properties that were read */
    const char *word[MM_PROPERTIES]; /* the first bytes of their words; the line's '\n' for missing words */
};

/* Read the four words after the word at `text`. Returns the first property whose word is missing or not
 * known; MM_PROPERTIES if there is none. */
enum mm_property mm_parse_banner(const char *text, struct mm_banner *banner);

/* Why the properties of a type code contradict each other. */
enum mm_contradiction {
    MM_CONSISTENT,          /* no contradiction */
    MM_PATTERN_ARRAY,       /* an array file consists of values, and a pattern has none */
    MM_HERMITIAN_ELSEWHERE, /* a hermitian matrix has to be complex */
    MM_SKEW_PATTERN,        /* mirror images have the opposite sign, and a pattern has no values */
    MM_VECTOR_SYMMETRY,     /* a vector has no mirror images */
};

enum mm_contradiction mm_contradiction(const MM_typecode matcode);

/* The size line has the numbers of rows and columns, and that of entries in a coordinate file. That of a
 * vector has no number of columns. */

#define MM_SIZES_MAX 3

enum mm_size_fault {
    MM_SIZES_READ,
    MM_SIZE_MISSING, /* the line has too few sizes */
    MM_SIZE_NO_NUMBER,
    MM_SIZE_NEGATIVE,
    MM_SIZE_TOO_LARGE,
};

struct mm_sizes {
    int64_t value[MM_SIZES_MAX];
    const char *word[MM_SIZES_MAX];
    int count;        /* number of sizes read; after a fault, word[count] is the faulty one */
    const char *more; /* the word after the sizes, or the line's '\n' */
};

/* Read `wanted` sizes, of which the first is at `text`, and size k is at most max[k]. Stops at the first
 * fault. */
enum mm_size_fault mm_parse_sizes(const char *text, int wanted, const int64_t max[], struct mm_sizes *sizes);

/* Write a size line. Returns 0, or MM_COULD_NOT_WRITE_FILE. */
int mm_write_sizes(FILE *f, const int64_t size[], int count);

#endif
