/* Parsing the entry lines of a Matrix Market text. A fast parser reads lines in the form that programs write.
 * A careful parser reads all other lines; it has the whole grammar and reports faults. Only files/market uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MARKET_PARSE_H
#define SPARSIGHT_MATRIX_FILES_MARKET_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/build.h"
#include "matrix/matrix.h"
#include "matrix/mmio/grammar.h"

/* This number of bytes after a text for the parser must be readable. */
#define MARKET_PADDING 80

/* The header of a file, and options of reading. */
struct market_shape {
    bool coordinate; /* false for an array file */
    bool vector;     /* the file holds a vector: a matrix of one column, whose entries have no column index */
    bool from_zero;  /* the indices of the file count from 0 */
    enum field field;
    enum symmetry symmetry;
    int64_t rows, cols;
    int64_t entries; /* number of entry lines that the header states */
    bool lenient;
};

/* A fault in a text, and its position. */
struct market_fault {
    const char *at; /* NULL: no fault */
    char message[480];
};

/* `lines` blank lines or comments precede entry number `ordinal` of the text. */
struct market_skip {
    int32_t ordinal;
    int32_t lines;
};

/* Numbers that no double represents. */
enum market_changes {
    CHANGE_INFINITE, /* too large */
    CHANGE_ZERO,     /* too small */
    CHANGE_ROUNDED,  /* an integer of an integer file, with more digits than a double has */
    MARKET_CHANGES
};

/* The numbers of a text that one of these changes has affected: their `count`, and the first of them. */
struct market_change {
    int64_t count;
    int64_t ordinal; /* its entry, counted from 0 */
    double value;    /* the double that was read */
    char word[40];   /* the text of the number, from market_word */
};

/* A text of whole lines that is being parsed. */
struct market_parser {
    const struct market_shape *shape;
    const char *next; /* the first byte of the next line */
    const char *end;  /* the byte after the last line's '\n' */
    const char *last; /* the first byte of the last entry's line */
    bool values;      /* false if rows and columns are enough; always true for array files */
    bool columns;     /* columns are always parsed; false: without values and symmetry they are left out */
    int64_t i, j;     /* in array files, the position of the next entry */
    int64_t count;    /* entries that were parsed */
    int64_t entry;    /* the number of the entry that the careful parser is reading */
    bool findings;    /* one of the next members has changed since the start */
    struct market_change changes[MARKET_CHANGES];
    bool non_integers;         /* an integer file has values that are not integers */
    bool pattern_values;       /* a pattern file has values; found only if lenient */
    struct market_skip *skips; /* NULL: they are not recorded */
    int64_t skips_count;
    struct market_fault fault;
};

/* The output arrays of entries: imaginary is used only for complex files. */
struct market_entries {
    int32_t *row, *col;
    double *val, *imaginary;
};

/* Find the position of value number `ordinal` of an array file, which is stored column by column. Unless the
 * matrix is general, the file has only the lower triangle, without the diagonal if it is skew-symmetric
 * (NISTIR 5935). */
void market_place(const struct market_shape *shape, int64_t ordinal, int64_t *i, int64_t *j);

/* Advance (*i, *j) to the next position in the order of market_place. */
void market_next_place(const struct market_shape *shape, int64_t *i, int64_t *j);

/* Parse up to `capacity` entries, or until the text ends or has a fault. Returns the number of parsed
 * entries. */
int market_parse(struct market_parser *parser, const struct market_entries *out, int capacity);

/* Return the number of lines of the text that are neither blank nor comments. */
int64_t market_count_entries(const char *text, const char *end);

/* Return the number of line ends of the text. */
int64_t market_count_lines(const char *text, const char *end);

/* Copy a word of the file, up to the next blank or line end, for a message: a long word is cut, and
 * unprintable bytes become '?'. Returns out. */
char *market_word(const char *text, char *out, size_t size);

#endif
