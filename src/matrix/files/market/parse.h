/* Parsing the entry lines of a Matrix Market text. A fast parser reads lines as programs write them. A
 * careful parser reads all other lines; it knows the whole grammar and reports faults. Only files/market uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_PARSE_H
#define SPARSIGHT_MATRIX_FILES_MARKET_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/build.h"
#include "matrix/matrix.h"
#include "matrix/mmio/grammar.h"

/* This number of bytes behind a text for the parser must be readable. */
#define MARKET_PADDING 80

/* The header of a file, and options of reading. */
struct market_shape {
    bool coordinate; /* false for an array file */
    bool vector;     /* the file holds a vector: a matrix of one column, whose entries have no column index */
    bool from_zero;  /* the indices of the file count from 0 */
    enum field field;
    enum symmetry symmetry;
    int64_t rows, cols;
    int64_t entries; /* how many entry lines the header promises */
    bool lenient;
};

/* A fault in a text, and its position. */
struct market_fault {
    const char *at; /* NULL as long as nothing is wrong */
    char message[480];
};

/* Before entry number `ordinal` of the text there are `lines` blank lines or comments. */
struct market_skip {
    int32_t ordinal;
    int32_t lines;
};

/* Numbers that no double represents. */
enum market_changes {
    CHANGE_INFINITE, /* too large */
    CHANGE_ZERO,     /* too small */
    CHANGE_ROUNDED,  /* an integer of an integer file, of more digits than a double has */
    MARKET_CHANGES
};

/* The numbers of a text with which that has happened; all but `count` is of the first of them. */
struct market_change {
    int64_t count;
    int64_t ordinal; /* its entry, counted from 0 */
    double value;    /* the double that was read */
    char word[40];   /* the text of the number, from market_word */
};

/* A text of whole lines that is being parsed. */
struct market_parser {
    const struct market_shape *shape;
    const char *next; /* where the next line begins */
    const char *end;  /* behind the last line's '\n' */
    const char *last; /* where the line of the last entry begins */
    bool values;      /* false if rows and columns are enough; always true for array files */
    bool columns;     /* columns are wanted in any case: without values they are left out if general */
    int64_t i, j;     /* in array files, the position of the next entry */
    int64_t count;    /* entries that were parsed */
    int64_t entry;    /* the number of the entry that the careful parser is reading */
    bool findings;    /* one of the following is not as it was at the beginning */
    struct market_change changes[MARKET_CHANGES];
    bool non_integers;         /* an integer file has values that are not integers */
    bool pattern_values;       /* a pattern file has values; found only if lenient */
    struct market_skip *skips; /* NULL if they are not wanted */
    int64_t skips_count;
    struct market_fault fault;
};

/* The output arrays of entries: imaginary is used only for complex files. */
struct market_entries {
    int32_t *row, *col;
    double *val, *imaginary;
};

/* Find the position of value number `ordinal` of an array file, which has them column by column; of
 * symmetric kinds the lower triangle only, and of skew-symmetric ones without the diagonal (NISTIR 5935). */
void market_place(const struct market_shape *shape, int64_t ordinal, int64_t *i, int64_t *j);

/* Move (*i, *j) on to the next position in the order of market_place. */
void market_next_place(const struct market_shape *shape, int64_t *i, int64_t *j);

/* Parse up to `capacity` entries, or until the text ends or has a fault. Returns how many were parsed. */
int market_parse(struct market_parser *parser, const struct market_entries *out, int capacity);

/* Return how many lines of the text are neither blank nor comments. */
int64_t market_count_entries(const char *text, const char *end);

/* Return how many line ends the text has. */
int64_t market_count_lines(const char *text, const char *end);

/* Copy a word of the file, up to the next blank or line end, for a message: a long word is cut, and
 * unprintable bytes become '?'. Returns out. */
char *market_word(const char *text, char *out, size_t size);

#endif
