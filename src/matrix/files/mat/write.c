#include "matrix/files/mat/write.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "matrix/files/arrays/part.h"
#include "matrix/files/mat/elements.h"
#include "matrix/files/mat/variables.h"

#define HEADER_TEXT 116
#define NAME_MAX_BYTES 63 /* of a variable */
#define FIELD_BYTES 32    /* of the name of a field, with its terminating 0 */
#define HEAD_BYTES 256
#define LIMIT INT64_C(0x7fffffff)

enum { MI_INT8 = 1, MI_UINT8 = 2, MI_DOUBLE = 9 };
enum { CLASS_STRUCT = 2, CLASS_CHAR = 4, CLASS_SPARSE = 5 };
enum { FLAG_LOGICAL = 2, FLAG_COMPLEX = 8 };

/* Elements begin at multiples of eight bytes. */
static int64_t padded(int64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static unsigned char *put_tag(unsigned char *at, uint32_t type, int64_t bytes)
{
    at = put_little(at, type, 4);
    return put_little(at, (uint64_t)bytes, 4);
}

static unsigned char *put_text(unsigned char *at, const char *text)
{
    size_t length = strlen(text);
    at = put_tag(at, MI_INT8, (int64_t)length);
    memset(at, 0, (size_t)padded((int64_t)length));
    memcpy(at, text, length);
    return at + padded((int64_t)length);
}

/* Put the head of an array: class, flags, size and name. */
static unsigned char *put_head(unsigned char *at, uint32_t class, uint32_t flags, int64_t room, int64_t rows,
                               int64_t cols, const char *name)
{
    at = put_tag(at, MI_UINT32, 8);
    at = put_little(at, flags << 8 | class, 4);
    at = put_little(at, (uint64_t)room, 4);
    at = put_tag(at, MI_INT32, 8);
    at = put_little(at, (uint64_t)rows, 4);
    at = put_little(at, (uint64_t)cols, 4);
    return put_text(at, name);
}

/* --- texts --- */

/* The size of a text as MATLAB counts it: in units of UTF-16, of which characters of four bytes in UTF-8 have
 * two.
 */
static int64_t units_of(const char *text)
{
    int64_t units = 0;
    for (; *text; text++)
        units += !words_continues(*text) + ((unsigned char)*text >= 0xf0);
    return units;
}

/* The bytes of an array of characters, without its own tag. */
static int64_t text_size(const char *text)
{
    return 16 + 16 + 8 + 8 + padded((int64_t)strlen(text));
}

static enum status write_text(FILE *file, const char *text, struct error *error)
{
    unsigned char bytes[HEAD_BYTES + ABOUT_TEXT] = {0}, *at = bytes;
    int64_t units = units_of(text), length = (int64_t)strlen(text);
    at = put_tag(at, MI_MATRIX, text_size(text));
    at = put_head(at, CLASS_CHAR, 0, 0, units ? 1 : 0, units, "");
    at = put_tag(at, MI_UTF8, length);
    memcpy(at, text, (size_t)length);
    at += padded(length);
    return put_bytes(file, bytes, (size_t)(at - bytes), error);
}

/* Write the struct of the texts that are not empty, if there are any. */
static enum status write_about(FILE *file, const struct about *about, struct error *error)
{
    unsigned char head[HEAD_BYTES + 16 * FIELD_BYTES] = {0}, *at = head + 8;
    const char *name, *text;
    int fields = 0;
    int64_t bytes = 0;
    for (int k = 0; (text = about_text(about, k, &name)); k++)
        if (*text) {
            bytes += 8 + text_size(text);
            fields++;
        }
    if (!fields) return STATUS_OK;
    at = put_head(at, CLASS_STRUCT, 0, 0, 1, 1, MAT_ABOUT);
    at = put_little(at, 4 << 16 | MI_INT32, 4); /* an element of four bytes, in short */
    at = put_little(at, FIELD_BYTES, 4);
    at = put_tag(at, MI_INT8, (int64_t)fields * FIELD_BYTES);
    for (int k = 0; (text = about_text(about, k, &name)); k++)
        if (*text) {
            snprintf((char *)at, FIELD_BYTES, "%s", strcmp(name, "editor") == 0 ? "ed" : name);
            at += FIELD_BYTES;
        }
    put_tag(head, MI_MATRIX, at - head - 8 + bytes);
    enum status status = put_bytes(file, head, (size_t)(at - head), error);
    for (int k = 0; (text = about_text(about, k, &name)) && status == STATUS_OK; k++)
        if (*text) status = write_text(file, text, error);
    return status;
}

/* --- the matrix --- */

/* The name of the variable: the last part of its name in the source file, if valid. */
static const char *name_of(const struct matrix *matrix)
{
    const char *name = matrix->variable ? matrix->variable : "", *dot = strrchr(name, '.');
    if (dot) name = dot + 1;
    bool good =
        isalpha((unsigned char)*name) && strlen(name) <= NAME_MAX_BYTES && strcmp(name, MAT_ABOUT) != 0;
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    return good ? name : "A";
}

static enum status write_element(FILE *file, uint32_t type, const struct put *array,
                                 struct progress *progress, struct error *error)
{
    static const unsigned char zeros[8];
    unsigned char tag[8];
    int64_t bytes = put_size(array);
    put_tag(tag, type, bytes);
    enum status status = put_bytes(file, tag, sizeof tag, error);
    if (status == STATUS_OK) status = put_array(file, array, progress, error);
    return status == STATUS_OK ? put_bytes(file, zeros, (size_t)(padded(bytes) - bytes), error) : status;
}

/* The bytes of the variable, without its own tag; the pointers, the row indices and the values have a tag
 * each. */
static int64_t variable_size(int64_t lines, int64_t count, enum field field, const char *name)
{
    int64_t values = field == FIELD_COMPLEX ? 2 : 1, width = field == FIELD_PATTERN ? 1 : 8;
    return 16 + 16 + 8 + padded((int64_t)strlen(name)) + 8 + padded(4 * (lines + 1)) + 8 + padded(4 * count) +
           values * (8 + padded(width * count));
}

/* Refuse a matrix that is too large, before transposing it. A pattern with summed entries may get values. */
static enum status check_size(const struct matrix *matrix, const char *name, struct error *error)
{
    enum field field = matrix->duplicates && matrix->field == FIELD_PATTERN ? FIELD_REAL : matrix->field;
    int64_t bytes = variable_size(matrix->csr.cols, csr_nnz(&matrix->csr), field, name);
    if (bytes <= LIMIT) return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "the matrix would take %" PRId64
                     " bytes in MATLAB's version 5, which has at most %" PRId64
                     "; write it as npz, rb, bsp or petsc",
                     bytes, LIMIT);
}

static enum status write_variable(FILE *file, const struct part *part, const char *name,
                                  struct progress *progress, struct error *error)
{
    unsigned char head[HEAD_BYTES], *at = head;
    bool complex = part->field == FIELD_COMPLEX, logical = part->field == FIELD_PATTERN;
    int64_t bytes = variable_size(part->lines, part->count, part->field, name);
    const struct put places = part_array(part, PART_PLACES, NUMBER_I32);
    const struct put pointers = part_array(part, PART_POINTERS, NUMBER_I32);
    const struct put values = part_array(part, PART_VALUES, logical ? NUMBER_BOOL : NUMBER_F64);
    const struct put imaginary = part_array(part, PART_IMAGINARY, NUMBER_F64);
    progress_phase(progress, "writing",
                   put_size(&places) + put_size(&pointers) + put_size(&values) * (complex ? 2 : 1));
    at = put_tag(at, MI_MATRIX, bytes);
    at = put_head(at, CLASS_SPARSE,
                  complex   ? FLAG_COMPLEX
                  : logical ? FLAG_LOGICAL
                            : 0,
                  part->count, part->a->cols, part->lines, name);
    enum status status = put_bytes(file, head, (size_t)(at - head), error);
    if (status == STATUS_OK) status = write_element(file, MI_INT32, &places, progress, error);
    if (status == STATUS_OK) status = write_element(file, MI_INT32, &pointers, progress, error);
    if (status == STATUS_OK)
        status = write_element(file, logical ? MI_UINT8 : MI_DOUBLE, &values, progress, error);
    if (status == STATUS_OK && complex) status = write_element(file, MI_DOUBLE, &imaginary, progress, error);
    return status;
}

enum status mat_write(FILE *file, const struct matrix *matrix, const char *comment, struct progress *progress,
                      struct error *error)
{
    unsigned char header[HEADER_TEXT + 12] = {0};
    char text[HEADER_TEXT + 1];
    struct part part = {0};
    const char *name = name_of(matrix);
    enum status status = check_size(matrix, name, error);
    if (status == STATUS_OK) status = part_open(&part, matrix, true, false, progress, error);
    if (status != STATUS_OK) return status;
    snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, %s", comment ? comment : "sparsight");
    memset(header, ' ', HEADER_TEXT);
    memcpy(header, text, strlen(text));
    put_little(put_little(header + HEADER_TEXT + 8, 0x0100, 2), 'I' | 'M' << 8, 2);
    status = put_bytes(file, header, sizeof header, error);
    if (status == STATUS_OK) status = write_variable(file, &part, name, progress, error);
    if (status == STATUS_OK) status = write_about(file, &matrix->about, error);
    part_free(&part);
    return status;
}
