/* The words of lines of graphs and tables. Only files/graph uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_GRAPH_WORDS_H
#define SPARSIGHT_MATRIX_FILES_GRAPH_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/files/decimal.h"
#include "matrix/files/reader.h"

#define SEPARATOR_BITS (1ULL << ' ' | 1ULL << '\t' | 1ULL << ',' | 1ULL << ';' | 1ULL << '\r')

static inline bool is_separator(char c)
{
    return (unsigned char)c < 64 && (SEPARATOR_BITS >> c & 1);
}

/* True if the first byte of a line's first word begins a comment. All code that reads lines uses this. */
static inline bool is_comment(char first)
{
    return first == '#' || first == '%';
}

/* Return the first byte from `text` on that is not a separator, at the latest the '\n' of the line; and the
 * end of the word that begins there. */
static inline const char *word_begin(const char *text)
{
    while (is_separator(*text))
        text++;
    return text;
}

static inline const char *word_end(const char *text)
{
    while (*text && *text != '\n' && !is_separator(*text))
        text++;
    return text;
}

/* Read digits up to the end of a word; DECIMAL_PADDING bytes from the first digit on must be readable.
 * Returns the end, or NULL if the word has other characters; a number that is too large becomes INT64_MAX. */
static inline const char *word_index(const char *text, int64_t *value)
{
    const char *begin = text;
    unsigned some;
    int64_t number = (int64_t)decimal_eight(text, &some);
    text += some;
    for (; some == 8 && (unsigned)(*text - '0') < 10; text++)
        number = number < INT64_MAX / 10 - 1 ? number * 10 + (*text - '0') : INT64_MAX;
    *value = number;
    return text > begin && (!*text || *text == '\n' || is_separator(*text)) ? text : NULL;
}

/* Return the number of words that begin between `text`, the start of a line, and `end`. All bytes up to the
 * blank count as separators. A control character in a word is found later, when the word is read as a
 * number. */
int64_t words_count(const char *text, const char *end);

/* The layout of the beginning of a text, from its whole lines. */
struct look {
    bool binary;       /* some bytes do not occur in texts */
    bool hashes;       /* comments that begin with '#' */
    bool snap, konect; /* comments in the form of these collections */
    bool header;       /* the first line has words that are not numbers */
    bool says_rows;    /* and they are row and column, or similar */
    bool says_edges;   /* or source and target, or similar */
    bool indices;      /* all lines except the header begin with two integers, followed by numbers or
                          attributes */
    bool commas;       /* all lines have a comma or a semicolon after the first word */
    bool numbered;     /* each line begins with its number or name, for which the header has no title */
    bool braces;       /* attributes in braces follow the indices, as networkx writes them */
    int64_t lines;     /* lines with data, without the header */
    int columns;       /* words of each line, without its number; 0 if they differ */
    int titles;        /* words of the header */
    bool untitled;     /* the first title is empty */
};

struct look look_at(const struct beginning *sample);

#endif
