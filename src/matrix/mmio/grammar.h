/* The header of a Matrix Market text: the words of its banner and the numbers of its size line. The program's
 * reader and writer and the functions of mmio.h all go by what is here. The format is Boisvert, Pozo and
 * Remington, NISTIR 5935 (1996). Like mmio.h this needs the C library alone.
 *
 * Lines end in '\n', which must be there. Words are told apart by blanks, and without regard to case. */
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

/* The first byte that is no blank, from `text` on. */
const char *mm_first_word(const char *text);

/* The end of the word at `text`, and the beginning of the next one, or the line's '\n'. */
const char *mm_word_end(const char *text);
const char *mm_next_word(const char *text);

/* The word at `text` is `word`. */
bool mm_is_word(const char *text, const char *word);

/* Nothing but blanks, or a comment. */
bool mm_says_nothing(const char *line);

/* The banner: five words, of which the first is MatrixMarketBanner. */

/* The others, as a type code has them. */
enum mm_part { MM_OBJECT, MM_FORMAT, MM_FIELD, MM_SYMMETRY, MM_PARTS };

/* A word of the banner, and what stands for it in a type code. */
struct mm_word {
    char letter;
    const char *text;
};

/* All words that a part may be, up to one whose text is NULL. Of those with the same letter the first is
 * written. */
const struct mm_word *mm_words(enum mm_part part);

/* The word for a letter; NULL if there is none. */
const char *mm_word_of(enum mm_part part, char letter);

struct mm_banner {
    MM_typecode matcode;        /* of the parts that were read */
    const char *word[MM_PARTS]; /* where their words begin; the line's '\n' if it has ended before */
};

/* Read the words after the one at `text`. Returns the first part that is missing or not known, or MM_PARTS.
 */
enum mm_part mm_parse_banner(const char *text, struct mm_banner *banner);

/* Why the parts of a type code do not go together. */
enum mm_contradiction {
    MM_CONSISTENT,
    MM_PATTERN_ARRAY,       /* an array gives values and no places */
    MM_HERMITIAN_ELSEWHERE, /* only complex matrices are hermitian */
    MM_SKEW_PATTERN,        /* a pattern has no values to change the sign of */
};

enum mm_contradiction mm_contradiction(const MM_typecode matcode);

/* The size line: rows, columns, and entries of a coordinate file. */

#define MM_SIZES_MOST 3

enum mm_size_fault {
    MM_SIZES_READ,
    MM_SIZE_MISSING, /* the line ends before */
    MM_SIZE_NO_NUMBER,
    MM_SIZE_NEGATIVE,
    MM_SIZE_TOO_LARGE,
};

struct mm_sizes {
    int64_t value[MM_SIZES_MOST];
    const char *word[MM_SIZES_MOST];
    int count;        /* sizes read; after a fault word[count] is the one that has it */
    const char *more; /* the word after them, or the line's '\n' */
};

/* Read `wanted` sizes, the first at `text`, of which number k is at most most[k]. Stops at the first fault.
 */
enum mm_size_fault mm_parse_sizes(const char *text, int wanted, const int64_t most[], struct mm_sizes *sizes);

/* Write a size line. MM_COULD_NOT_WRITE_FILE, or 0. */
int mm_write_sizes(FILE *f, const int64_t size[], int count);

#endif
