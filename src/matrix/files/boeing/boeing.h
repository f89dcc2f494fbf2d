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

/* Fortran's formats of one line, as Harwell-Boeing files name them: the columns of each number. Only
 * files/boeing uses this. Input follows the standard (ISO/IEC 1539-1, 13.7): blanks do not count, a number
 * without a point has it before its last d digits, and one without an exponent is divided by 10^k under
 * kP. */

#define FORMAT_FIELDS 256

struct field_place {
    short start, width; /* bytes, the first of the line is 0 */
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

/* Read the number in a field of the line, which ends before `end`. Returns NULL or the fault as text;
 * field_index_fast, of an index from 1 to `most`, and field_real_fast read numbers as most programs write
 * them, and returns false for others. The first DECIMAL_PADDING bytes behind the line's end must be
 * readable. */
bool field_index_fast(const struct field_place *field, const char *line, const char *end, uint64_t most,
                      int32_t *index);
const char *field_integer(const struct field_place *field, const char *line, const char *end, int64_t *value);
bool field_real_fast(const struct field_place *field, const char *line, const char *end, double *value);
const char *field_real(const struct field_place *field, const char *line, const char *end, double *value);

/* True if the field has a blank between other characters. This is so if numbers are not in the columns of the
 * format, and in old files that write a blank for a plus sign. */
bool field_is_split(const struct field_place *field, const char *line, const char *end);

/* True if the field has blanks between digits, for instance if it holds the end of one number and the
 * beginning of the next. Fortran would read both as one. */
bool field_has_two(const struct field_place *field, const char *line, const char *end);

/* Return how many words, which blanks separate, there are before `end`. */
int line_words(const char *line, const char *end);

/* The three sections of numbers of a Harwell-Boeing file, in lines of fixed width. */

enum section { POINTERS, INDICES, VALUES, SECTIONS };

/* The name of a number of each section. */
extern const char *const numbers_names[SECTIONS];

/* Fill in the data of the header; numbers_parse makes the rest, which numbers_free frees. */
struct numbers {
    struct line_format formats[SECTIONS];
    int64_t counts[SECTIONS]; /* numbers of each section */
    int64_t wanted[SECTIONS]; /* lines that these take */
    int64_t rows;             /* indices are at most this */
    bool kept;                /* values are parsed with the rest; or else numbers_values parses them */
    int64_t *pointers;
    int32_t *indices;
    double *values;    /* NULL unless kept */
    int64_t blocks;    /* of values that are not kept */
    int64_t *firsts;   /* the number of the first value of each block; and how many there are */
    atomic_bool words; /* lines have numbers that are not in the columns that the format names */
    struct lines lines;
    int64_t first_block; /* of the text, in which values are */
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

/* Write a matrix by columns, of symmetric kinds the lower triangle, of skew-symmetric ones without the
 * diagonal. All numbers of a section have the same width, which is the least that the widest takes; reals
 * have as many digits as it takes for every one of them to read back as the same double. Whole numbers of
 * more than 18 digits make a matrix real. See `write` of struct reader. */
enum status boeing_write(FILE *file, const struct matrix *matrix, const char *comment,
                         struct progress *progress, struct error *error);

#endif
