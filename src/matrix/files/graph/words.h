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

/* True if a line is a comment, by the first byte of its first word. All code that reads lines uses this. */
static inline bool is_comment(char first)
{
    return first == '#' || first == '%';
}

/* Return the first byte from `text` on that is not a separator, '\n' at the end of the line at the latest;
 * and the end of the word that begins there. */
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

/* Read digits up to the end of a word; DECIMAL_PADDING bytes from its first on must be readable. Returns that
 * end, or NULL if there is anything else; a number that is too large becomes INT64_MAX. */
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
    bool binary;       /* there are bytes that no text has */
    bool hashes;       /* comments that begin with '#' */
    bool snap, konect; /* comments as those collections write them */
    bool header;       /* the first line has words that are no numbers */
    bool says_rows;    /* and they are row and column, or like them */
    bool says_edges;   /* or source and target, or like them */
    bool indices;  /* all lines but the header begin with two whole numbers, and have numbers behind them, or
                      attributes */
    bool commas;   /* all lines have a comma or a semicolon behind the first word */
    bool numbered; /* each line begins with its number or name, for which the header has no title */
    bool braces;   /* behind the indices there are attributes in braces, as networkx writes them */
    int64_t lines; /* lines with data, without the header */
    int columns;   /* words of each line, without its number; 0 if they differ */
    int titles;    /* words of the header */
    bool untitled; /* the first title is empty */
};

struct look look_at(const struct beginning *sample);

#endif
