/* Parts of the reader of Harwell-Boeing and Rutherford-Boeing files. */
#ifndef SPARSIGHT_MATRIX_FILES_BOEING_BOEING_H
#define SPARSIGHT_MATRIX_FILES_BOEING_BOEING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/lines/lines.h"
#include "matrix/matrix.h"

/* Fortran's formats of one line, as Harwell-Boeing files state them: they give the columns of each number.
 * Only files/boeing uses this. Input follows the standard (ISO/IEC 1539-1, 13.7): blanks do not count, a
 * number without a point is divided by 10^d, and one without an exponent is divided by 10^k under kP. */

#define FORMAT_FIELDS 256

struct field_place {
    short start, width; /* in bytes; the first byte of the line is 0 */
    short decimals;     /* d of Fw.d */
    short scale;        /* k of kP */
};

struct line_format {
    struct field_place fields[FORMAT_FIELDS];
    int count;
    bool integers; /* all fields are Iw */
};

/* Read a format such as (10I8), (1P,4E20.12), (1P5D16.9), (3(1X,E25.17)), which ends at `end` at the latest.
 * Returns NULL, or the fault as text. */
const char *format_read(const char *text, const char *end, struct line_format *format);

/* Read the number in a field of the line, which ends before `end`. Returns NULL, or the fault as text.
 * field_index_fast, for an index from 1 to `most`, and field_real_fast read numbers in the form that most
 * programs write, and return false for other forms. DECIMAL_PADDING bytes after the line's end must be
 * readable. */
bool field_index_fast(const struct field_place *field, const char *line, const char *end, uint64_t most,
                      int32_t *index);
const char *field_integer(const struct field_place *field, const char *line, const char *end, int64_t *value);
bool field_real_fast(const struct field_place *field, const char *line, const char *end, double *value);
const char *field_real(const struct field_place *field, const char *line, const char *end, double *value);

/* True if the field has a blank between other characters: numbers are then not in the columns of the format,
 * or an old file has a blank for a plus sign. */
bool field_is_split(const struct field_place *field, const char *line, const char *end);

/* True if the field has blanks between digits, for instance if it holds the end of one number and the
 * beginning of the next. Fortran would read both as one. */
bool field_has_two(const struct field_place *field, const char *line, const char *end);

/* Return the number of words, separated by blanks, before `end`. */
int line_words(const char *line, const char *end);

/* The three sections of numbers of a Harwell-Boeing file, in lines of fixed width. */

enum section { POINTERS, INDICES, VALUES, SECTIONS };

/* The name of a number of each section. */
extern const char *const numbers_names[SECTIONS];

/* Fill in the data of the header; numbers_parse makes the rest, which numbers_free frees. */
struct numbers {
    struct line_format formats[SECTIONS];
    int64_t counts[SECTIONS]; /* numbers of each section */
    int64_t wanted[SECTIONS]; /* number of lines of each section */
    int64_t rows;             /* indices are at most this */
    bool kept;                /* values are parsed with the other sections; false: numbers_values parses
                                 them */
    int64_t *pointers;
    int32_t *indices;
    double *values;    /* NULL unless kept */
    int64_t blocks;    /* number of blocks of values that are not kept */
    int64_t *firsts;   /* the number of the first value of each block; and the number of values */
    atomic_bool words; /* some numbers are not in the columns that the format states */
    struct lines lines;
    int64_t first_block; /* the block of the text in which the values begin */
};

/* Parse the sections, which begin at byte `begin` of the container with line `first`, from 1. STATUS_INPUT
 * with the position in the file, STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status numbers_parse(struct numbers *numbers, const struct container *container, int64_t begin,
                          int64_t first, struct progress *progress, struct error *error);

/* Parse the values of a block: firsts[block + 1] - firsts[block] of them. Several threads may do so at once.
 */
enum status numbers_values(void *numbers, int64_t block, double *values, struct error *error);

void numbers_free(struct numbers *numbers);

/* Writing Rutherford-Boeing files. */

/* Write a matrix by columns, of a symmetric, skew-symmetric or Hermitian one the lower triangle, of a
 * skew-symmetric one without the diagonal. All numbers of a section have the width of the widest; all reals
 * have the number of digits with which each reads back as the same double. A matrix with integers of more
 * than 18 digits is written as real. See `write` of struct reader. */
enum status boeing_write(FILE *file, const struct matrix *matrix, const char *comment,
                         struct progress *progress, struct error *error);

#endif
