/* The entry lines of a Matrix Market text: a fast parser for lines as programs write them, and behind it a
 * careful one that knows the whole grammar and says what is wrong. Only for matrix/market*.c. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_PARSE_H
#define SPARSIGHT_MATRIX_FILES_MARKET_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/build.h"
#include "matrix/matrix.h"
#include "matrix/mmio/grammar.h"

/* Bytes that must be readable after a text handed to the parser. */
#define MARKET_PADDING 80

/* What the header of a file says, and how it is to be read. */
struct market_shape {
    bool coordinate; /* false: array */
    enum field field;
    enum symmetry symmetry;
    int64_t rows, cols;
    int64_t entries; /* entry lines promised */
    bool lenient;
};

/* What is wrong; at is NULL while nothing is. */
struct market_fault {
    const char *at;
    char message[480];
};

/* Lines that are no entries, `lines` of them before entry `ordinal` of the text. */
struct market_skip {
    int32_t ordinal;
    int32_t lines;
};

/* A text of whole lines being parsed. */
struct market_parser {
    const struct market_shape *shape;
    const char *next;          /* start of the next line */
    const char *end;           /* after the last line's '\n' */
    const char *last;          /* start of the last entry's line */
    bool values;               /* false: rows and columns only, which array files do not have */
    int64_t i, j;              /* array files: place of the next entry */
    int64_t count;             /* entries parsed */
    bool non_integers;         /* lenient: found in an integer file */
    bool pattern_values;       /* lenient: found in a pattern file */
    struct market_skip *skips; /* NULL: not wanted */
    int64_t skips_count;
    struct market_fault fault;
};

struct market_entries {
    int32_t *row, *col;
    double *val, *imaginary; /* imaginary is written for complex files only, val not for pattern files */
};

/* Place number `ordinal` of an array file: column by column, of symmetric kinds the lower triangle only, of
 * skew-symmetric ones without the diagonal (NISTIR 5935). */
void market_place(const struct market_shape *shape, int64_t ordinal, int64_t *i, int64_t *j);

/* The place after (i, j) in that order. */
void market_next_place(const struct market_shape *shape, int64_t *i, int64_t *j);

/* Parse up to `capacity` entries, until the text ends or has a fault. Returns their number. */
int market_parse(struct market_parser *parser, const struct market_entries *out, int capacity);

/* Number of lines of the text that are neither blank nor comments. */
int64_t market_count_entries(const char *text, const char *end);

/* Number of line ends in the text. */
int64_t market_count_lines(const char *text, const char *end);

/* Copy a word of the file, up to the next blank or line end, for a message: cut short, unprintable bytes as
 * '?'. Returns out. */
char *market_word(const char *text, char *out, size_t size);

#endif
