/* PETSc's binary files of matrices (MatView and MatLoad): big-endian, a number that says that it is a matrix,
 * rows, columns and entries, the lengths of the rows, the columns of the entries, and their values. Indices
 * have 32 or 64 bits, values are real or complex and have 4, 8 or 16 bytes, as PETSc was configured. The
 * file's length determines these types, except for two pairs of kinds with equal lengths:
 *
 *     8 bytes a value     real double (taken), complex single
 *     16 bytes a value    complex double (taken), real quadruple (refused)
 *
 * The user may name the kind. The .info file that PETSc writes beside has sizes of blocks alone, not the
 * kind. The format is that of PETSc's manual page of MatLoad. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/files/arrays/part.h"
#include "matrix/files/reader.h"

#define MATRIX_CLASS 1211216
#define LOOKED_AT 512 /* number of values examined to determine their kind */
#define DENSE (-1)    /* replaces the number of entries */

/* The kinds of numbers of a file, in the order of the trials. Single-precision complex numbers are read only
 * on request, since double-precision real ones have the same size. */
static const struct kind {
    int index; /* bytes of an index */
    enum number value;
    const char *name;
} kinds[] = {{4, NUMBER_F64, "real"},           {4, NUMBER_C128, "complex"},      {8, NUMBER_F64, "real"},
             {8, NUMBER_C128, "complex"},       {4, NUMBER_F32, "single"},        {8, NUMBER_F32, "single"},
             {4, NUMBER_C64, "single-complex"}, {8, NUMBER_C64, "single-complex"}};

static const struct reader_kind names[] = {{"real", "of real numbers of double precision"},
                                           {"complex", "of complex numbers of double precision"},
                                           {"single", "of real numbers of single precision"},
                                           {"single-complex", "of complex numbers of single precision"},
                                           {NULL, NULL}};

struct petsc {
    struct container *container;
    const struct kind *kind;
    int64_t rows, cols, entries; /* entries is DENSE in a dense matrix */
    int64_t header;              /* bytes before the lengths of the rows */
    int64_t *pointers;
    const char *doubt; /* another possible kind of the values; NULL if none */
};

static int64_t number_at(const unsigned char *bytes, int width)
{
    uint64_t value = 0;
    for (int b = 0; b < width; b++)
        value = value << 8 | bytes[b];
    return width == 4 ? (int32_t)value : (int64_t)value;
}

/* Read the header with indices of this number of bytes. Returns false if it is not one. */
static bool read_header(struct petsc *p, const unsigned char *bytes, size_t count, int width)
{
    size_t wide = (size_t)width;
    if (count < 4 * wide || number_at(bytes, width) != MATRIX_CLASS) return false;
    p->rows = number_at(bytes + wide, width);
    p->cols = number_at(bytes + 2 * wide, width);
    p->entries = number_at(bytes + 3 * wide, width);
    p->header = 4 * width;
    return p->rows >= 0 && p->cols >= 0 && p->entries >= DENSE;
}

/* The bytes of the file for these sizes of indices and values if nothing follows the matrix; -1 on
 * overflow. */
static int64_t length_of(const struct petsc *p, int index, int64_t value_bytes)
{
    int64_t entries = p->entries, lines = 0, indices = 0, values, all;
    if (entries == DENSE) {
        if (__builtin_mul_overflow(p->rows, p->cols, &entries)) return -1;
    } else if (__builtin_mul_overflow(p->rows, (int64_t)index, &lines) ||
               __builtin_mul_overflow(entries, (int64_t)index, &indices))
        return -1;
    if (__builtin_mul_overflow(entries, value_bytes, &values) ||
        __builtin_add_overflow(lines, indices, &all) || __builtin_add_overflow(all, values, &all) ||
        __builtin_add_overflow(all, p->header, &all))
        return -1;
    return all;
}

static enum status wrong(const struct petsc *p, struct error *error, const char *what)
{
    return error_at(error, STATUS_INPUT, container_path(p->container), 0, 0, "%s", what);
}

/* Find the kind of file: its length fits one, or another object of PETSc follows the matrix. */
static enum status find_length(struct petsc *p, const unsigned char *bytes, size_t count, int64_t size,
                               const char *name, struct error *error)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !p->kind; k++) {
        unsigned char next[8];
        int width = kinds[k].index;
        if (name && strcmp(kinds[k].name, name) != 0) continue;
        if (!read_header(p, bytes, count, width)) continue;
        int64_t length = length_of(p, width, (int64_t)number_bytes(kinds[k].value));
        if (length == size) p->kind = &kinds[k];
        if (length < 0 || length > size - width) continue;
        ssize_t got = container_pread(p->container, (char *)next, (size_t)width, length, error);
        if (got < 0) return STATUS_IO;
        /* The classes of vectors, matrices, index sets and the like. */
        int64_t class = got == width ? number_at(next, width) : 0;
        if (class >= 1211211 && class <= 1211250) p->kind = &kinds[k];
    }
    return STATUS_OK;
}

static enum status quadruple(const struct petsc *p, const char *field, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(p->container), 0, 0,
                    "has %s values of quadruple precision (__float128), which are not read; write it with a "
                    "PETSc of double precision%s",
                    field,
                    strcmp(field, "real") == 0 ? ", or give --from=petsc:complex if they are complex doubles"
                                               : "");
}

/* Counts of properties of pairs of numbers. */
struct likeness_of_pairs {
    int seen;     /* pairs whose second number is not 0 */
    int alike;    /* of these, pairs whose ratio is within 2^-range and 2^range */
    int near_one; /* of these, pairs whose first number is within 2^-64 and 2^64 */
    int real;     /* pairs whose second number only is 0 */
    int close;    /* of these, pairs whose first number is within 2^-4 and 2^5 */
};

static enum status look_at_pairs(const struct petsc *p, enum number type, int range,
                                 struct likeness_of_pairs *found, struct error *error)
{
    bool dense = p->entries == DENSE;
    int64_t wide = p->kind->index, entries = dense ? p->rows * p->cols : p->entries, rounded = 0;
    struct view pairs = {.name = "the list of values",
                         .container = p->container,
                         .type = type,
                         .big = true,
                         .offset = dense ? p->header : p->header + (p->rows + p->entries) * wide,
                         .count = entries};
    int64_t step = entries / LOOKED_AT + 1;
    *found = (struct likeness_of_pairs){0};
    for (int64_t k = 0; k < entries; k += step) {
        double real, imaginary;
        enum status status = view_reals(&pairs, k, 1, &real, &imaginary, &rounded, error);
        if (status != STATUS_OK) return status;
        found->real += imaginary == 0 && real != 0;
        found->close += imaginary == 0 && fabs(real) >= 0x1p-4 && fabs(real) < 0x1p5;
        if (imaginary == 0) continue;
        double ratio = fabs(imaginary / (real != 0 ? real : 1));
        found->seen++;
        found->alike += ratio > ldexp(1, -range) && ratio < ldexp(1, range);
        found->near_one += fabs(real) > ldexp(1, -64) && fabs(real) < ldexp(1, 64);
    }
    return STATUS_OK;
}

/* Eight-byte numbers may be single-precision complex. Their last four bytes are then a number of about the
 * size of the first four, or 0. In a double these are arbitrary bits, but constants such as 0.3 repeat them,
 * so that this is no proof: doubles are read, with a note. Likewise, pairs of doubles may be
 * quadruple-precision numbers. Their last eight bytes end the mantissa: arbitrary bits, or four bytes and
 * zeros if converted from a double, which seldom make a double of the size of the first. Their first eight
 * bytes begin with a 15-bit exponent, and make doubles near 1 for all numbers from 2^-1000 to 2^1000.
 * Integers in quadruple precision have zeros in the last eight bytes, like complex numbers without imaginary
 * parts: these are read as complex, with a note if all are near 1. */
static enum status look_closer(struct petsc *p, struct error *error)
{
    struct likeness_of_pairs found;
    enum status status = STATUS_OK;
    if (p->kind->value == NUMBER_F64) {
        status = look_at_pairs(p, NUMBER_C64, 40, &found, error);
        if (status == STATUS_OK && found.seen >= 8 && found.alike >= found.seen - found.seen / 16)
            p->doubt = "values are read as real doubles, though they look like complex numbers of single "
                       "precision; --from=petsc:single-complex reads those";
    } else if (p->kind->value == NUMBER_C128) {
        status = look_at_pairs(p, NUMBER_C128, 120, &found, error);
        if (status == STATUS_OK && found.seen >= 4 && found.alike < found.seen / 2 &&
            found.near_one == found.seen)
            return quadruple(p, "real", error);
        if (status == STATUS_OK && found.seen == 0 && found.real > 0 && found.close == found.real)
            p->doubt = "values are read as complex doubles whose imaginary parts are 0; real numbers of "
                       "quadruple precision, which are not read, may look the same; --from=petsc:complex "
                       "confirms that they are complex";
    }
    return status;
}

/* Find the kind, which is `name` if that is not NULL. */
static enum status find_kind(struct petsc *p, const char *name, struct error *error)
{
    unsigned char bytes[32];
    int64_t size = container_size(p->container);
    struct error mine = {0};
    ssize_t count = container_pread(p->container, (char *)bytes, sizeof bytes, 0, error);
    if (count < 0) return STATUS_IO;
    enum status status = find_length(p, bytes, (size_t)count, size, name, &mine);
    if (status != STATUS_OK) {
        if (error) *error = mine;
        return status;
    }
    if (p->kind) return name ? STATUS_OK : look_closer(p, error);
    if (!read_header(p, bytes, (size_t)count, 4) && !read_header(p, bytes, (size_t)count, 8))
        return wrong(
            p, error,
            "is not a PETSc matrix: it must begin with 1211216, big-endian, rows, columns and entries");
    for (int width = 4; width <= 8; width += 4)
        if (read_header(p, bytes, (size_t)count, width) && length_of(p, width, 32) == size)
            return quadruple(p, "complex", error);
    return error_at(error, STATUS_INPUT, container_path(p->container), 0, 0,
                    "%" PRId64 " rows and %" PRId64 " entries do not make a file of %" PRId64
                    " bytes with any kind of indices and %svalues; it is cut short or damaged%s",
                    p->rows, p->entries, size, name ? "such " : "",
                    name ? ", or its kind is not that of --from" : "");
}

/* Turn the lengths of the rows into pointers. */
static enum status load_pointers(struct petsc *p, const struct load_options *options, struct error *error)
{
    const struct view lengths = {.name = "the list of row lengths",
                                 .container = p->container,
                                 .offset = p->header,
                                 .type = p->kind->index == 4 ? NUMBER_I32 : NUMBER_I64,
                                 .big = true,
                                 .count = p->rows};
    struct source source = {.rows = p->rows,
                            .cols = p->cols,
                            .complex = number_is_complex(p->kind->value),
                            SOURCE_OPTIONS(options)};
    enum status status = view_check(&lengths, error);
    if (status == STATUS_OK)
        status = matrix_check(&source, p->entries, ((size_t)p->rows + 1) * sizeof *p->pointers, error);
    if (status != STATUS_OK) return status;
    p->pointers = memory_array((size_t)p->rows + 1, sizeof *p->pointers, error);
    if (!p->pointers) return STATUS_MEMORY;
    p->pointers[0] = 0;
    status = view_integers(&lengths, 0, p->rows, p->pointers + 1, error);
    for (int64_t i = 0; i < p->rows && status == STATUS_OK; i++) {
        if (p->pointers[i + 1] < 0 || p->pointers[i + 1] > p->entries - p->pointers[i])
            return error_at(error, STATUS_INPUT, container_path(p->container), 0, 0,
                            "row %" PRId64 " has %" PRId64 " entries, more than there are left of %" PRId64,
                            i + 1, p->pointers[i + 1], p->entries);
        p->pointers[i + 1] += p->pointers[i];
    }
    return status;
}

static enum status build(struct petsc *p, const struct load_options *options, struct progress *progress,
                         struct matrix *matrix, struct error *error)
{
    bool dense = p->entries == DENSE;
    int64_t wide = p->kind->index, indices = p->header + p->rows * wide;
    struct arrays arrays = {
        .arrangement = dense ? ARRANGED_DENSE_ROWS : ARRANGED_ROWS,
        .rows = p->rows,
        .cols = p->cols,
        .field = number_is_complex(p->kind->value) ? FIELD_COMPLEX : FIELD_REAL,
        .pointers = {.name = "the list of row lengths",
                     .memory = p->pointers,
                     .type = NUMBER_I64,
                     .big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
                     .count = p->rows + 1},
        .col = {.name = "the list of columns",
                .container = p->container,
                .offset = indices,
                .type = wide == 4 ? NUMBER_I32 : NUMBER_I64,
                .big = true,
                .count = p->entries},
        .value = {.name = "the list of values",
                  .container = p->container,
                  .offset = dense ? p->header : indices + p->entries * wide,
                  .type = p->kind->value,
                  .big = true,
                  .count = dense ? p->rows * p->cols : p->entries},
        .path = container_path(p->container),
    };
    if (dense) arrays.pointers = arrays.col = (struct view){0};
    return arrays_build(&arrays, options, progress, matrix, error);
}

static enum status read_petsc(struct container *container, const struct load_options *options,
                              struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct petsc p = {.container = container};
    enum status status = container_unpack(container, options->limit, progress, error);
    if (status == STATUS_OK) status = find_kind(&p, options->kind, error);
    if (status == STATUS_OK && p.rows <= INT32_MAX && p.entries != DENSE)
        status = load_pointers(&p, options, error);
    if (status == STATUS_OK) status = build(&p, options, progress, matrix, error);
    if (status == STATUS_OK && p.doubt) text_append(&matrix->notes, "%s\n", p.doubt);
    free(p.pointers);
    return status;
}

static enum status look(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error)
{
    struct petsc p = {.container = container};
    enum status status = container_unpack(container, options->limit, NULL, error);
    if (status == STATUS_OK) status = find_kind(&p, options->kind, error);
    if (status != STATUS_OK) return status;
    outline->field = number_is_complex(p.kind->value) ? FIELD_COMPLEX : FIELD_REAL;
    outline->rows = p.rows;
    outline->cols = p.cols;
    outline->entries = p.entries == DENSE ? p.rows * p.cols : p.entries;
    outline->coordinate = p.entries != DENSE;
    return STATUS_OK;
}

/* --- writing --- */

/* The head of a file, and the arrays of a matrix, or of some of its rows. */
enum { HEAD, LENGTHS, COLUMNS, VALUES, ARRAYS };

struct contents {
    int64_t head[4];
    int32_t short_head[4];
    struct put arrays[ARRAYS];
};

/* The sizes are those of the whole matrix. *contents must not be moved afterwards. */
static void fill_contents(const struct part *part, int64_t rows, int64_t cols, int64_t nnz,
                          struct contents *contents)
{
    /* Indices have 32 bits while they suffice for the number of entries, too. */
    const enum number index = nnz > INT32_MAX ? NUMBER_I64 : NUMBER_I32;
    const int64_t head[] = {MATRIX_CLASS, rows, cols, nnz};
    for (int k = 0; k < 4; k++)
        contents->short_head[k] = (int32_t)(contents->head[k] = head[k]);
    contents->arrays[HEAD] =
        (struct put){.type = index,
                     .count = 4,
                     .memory = index == NUMBER_I64 ? (const void *)contents->head : contents->short_head};
    contents->arrays[LENGTHS] = part_array(part, PART_LENGTHS, index);
    contents->arrays[COLUMNS] = part_array(part, PART_PLACES, index);
    contents->arrays[VALUES] =
        part_array(part, PART_VALUES, part->field == FIELD_COMPLEX ? NUMBER_C128 : NUMBER_F64);
    for (int k = 0; k < ARRAYS; k++)
        contents->arrays[k].big = true;
}

static enum status write_part(FILE *file, const struct part *part, struct progress *progress,
                              struct error *error)
{
    struct contents contents;
    int64_t bytes = 0;
    enum status status = STATUS_OK;
    fill_contents(part, part->lines, part->a->cols, part->count, &contents);
    for (int k = 0; k < ARRAYS; k++)
        bytes += put_size(&contents.arrays[k]);
    progress_phase(progress, "writing", bytes);
    for (int k = 0; k < ARRAYS && status == STATUS_OK; k++)
        status = put_array(file, &contents.arrays[k], progress, error);
    return status;
}

/* Write the arrays of some rows, each at its offset. */
static enum status write_arrays(const struct rows_file *file, const struct part *part, struct error *error)
{
    const int64_t counts[ARRAYS] = {4, file->rows, file->nnz, file->nnz};
    const int64_t firsts[ARRAYS] = {0, file->first_row, file->before, file->before};
    struct contents contents;
    int64_t offset = 0;
    enum status status = STATUS_OK;
    fill_contents(part, file->rows, file->cols, file->nnz, &contents);
    for (int k = 0; k < ARRAYS && status == STATUS_OK; k++) {
        const int64_t wide = (int64_t)number_bytes(contents.arrays[k].type);
        if (k != HEAD || file->part == 0)
            status = put_array_at(file, offset + firsts[k] * wide, &contents.arrays[k], error);
        offset += counts[k] * wide;
    }
    return status;
}

static enum status write_rows(const struct rows_file *file, struct error *error)
{
    struct part part;
    enum status status = part_open(&part, file->matrix, false, false, NULL, error);
    if (status == STATUS_OK) status = write_arrays(file, &part, error);
    part_free(&part);
    return file->agree(file->self, status, error);
}

static enum status write_petsc(FILE *file, const struct matrix *matrix, const char *comment,
                               struct progress *progress, struct error *error)
{
    struct part part;
    enum status status = part_open(&part, matrix, false, false, progress, error);
    if (status == STATUS_OK) status = write_part(file, &part, progress, error);
    part_free(&part);
    return status;
}

static enum likeness sniff(const struct beginning *sample)
{
    struct petsc p = {0};
    const unsigned char *bytes = (const unsigned char *)sample->bytes;
    return read_header(&p, bytes, sample->count, 4) || read_header(&p, bytes, sample->count, 8)
               ? LIKENESS_CERTAIN
               : LIKENESS_NONE;
}

const struct reader reader_petsc = {
    .name = "petsc",
    .title = "PETSc binary",
    .endings = (const char *const[]){".petsc", NULL},
    .weak = (const char *const[]){".bin", ".dat", NULL},
    .kinds = names,
    .parts = true,
    .sniff = sniff,
    .read = read_petsc,
    .look = look,
    .write = write_petsc,
    .write_rows = write_rows,
};
