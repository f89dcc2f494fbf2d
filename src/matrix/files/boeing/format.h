/* Fortran's formats of one line, as Harwell-Boeing files name them: which columns each number stands in. Only
 * files/boeing uses this. Input follows the standard (ISO/IEC 1539-1, 13.7): blanks do not count, a number
 * without a point has it before its last d digits, and one without an exponent is divided by 10^k under kP.
 */
#ifndef SPARSIGHT_MATRIX_FILES_BOEING_FORMAT_H
#define SPARSIGHT_MATRIX_FILES_BOEING_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

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
 * Returns NULL, or what is wrong with it. */
const char *format_read(const char *text, const char *end, struct line_format *format);

/* Read the number that stands in a field of the line, which ends before `end`. Returns NULL or what is wrong;
 * field_index_fast, of an index from 1 to `most`, and field_real_fast read numbers as most programs write
 * them, and returns false for others. The first DECIMAL_PADDING bytes behind the line's end must be readable.
 */
bool field_index_fast(const struct field_place *field, const char *line, const char *end, uint64_t most,
                      int32_t *index);
const char *field_integer(const struct field_place *field, const char *line, const char *end, int64_t *value);
bool field_real_fast(const struct field_place *field, const char *line, const char *end, double *value);
const char *field_real(const struct field_place *field, const char *line, const char *end, double *value);

/* True if something other than blanks stands on both sides of a blank in the field: so it is if numbers are
 * not in the columns that the format names, and in old files where blanks stand for a plus sign. */
bool field_is_split(const struct field_place *field, const char *line, const char *end);

/* True if a digit stands on both sides of blanks in the field, as where it has the end of one number and the
 * beginning of the next. Fortran would read both as one. */
bool field_has_two(const struct field_place *field, const char *line, const char *end);

/* Return how many words, which blanks separate, there are before `end`. */
int line_words(const char *line, const char *end);

#endif
