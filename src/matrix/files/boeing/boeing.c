/* Harwell-Boeing and Rutherford-Boeing files of assembled matrices: columns one after the other, in lines of
 * fixed width. The formats are Duff, Grimes and Lewis, "Users' Guide for the Harwell-Boeing Sparse Matrix
 * Collection", 1992, and "The Rutherford-Boeing Sparse Matrix Collection", RAL-TR-97-031, 1997. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/files/boeing/boeing.h"
#include "matrix/files/decimal.h"
#include "matrix/files/lines/lines.h"
#include "matrix/files/reader.h"

#define HEADER_LINES 5

/* Columns of the header, from 0: the beginnings of the key after the title, and of the formats. */
#define KEY_COLUMN 72
static const int format_columns[] = {0, 16, 32, 52};

struct boeing {
    struct container *container;
    const char *line[HEADER_LINES + 1]; /* of the header, and the beginning of the next */
    int64_t header_bytes;
    bool rutherford; /* or else Harwell-Boeing */
    bool sides;      /* right-hand sides follow the matrix */
    char type[4];    /* in capitals */
    enum field field;
    enum symmetry symmetry;
    int64_t rows, cols, entries;
    int64_t cards[SECTIONS]; /* number of lines of each section by the header */
    struct numbers numbers;
    struct about about;
};

static enum status wrong_at(const struct boeing *b, int line, const char *at, const char *message,
                            struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(b->container), line + 1, at - b->line[line] + 1, "%s",
                    message);
}

static const char *line_end(const char *line)
{
    const char *end = line;
    while (*end && *end != '\n')
        end++;
    return end;
}

/* Read a whole number of the header. Returns NULL if there is none. */
static const char *header_number(const char *text, int64_t *value)
{
    while (*text == ' ' || *text == '\t')
        text++;
    if (!isdigit((unsigned char)*text) && *text != '-') return NULL;
    return decimal_integer(text, value);
}

/* Find the lines of the header in the first bytes of the text. Returns their number. */
static int find_lines(const char *bytes, const char *lines[HEADER_LINES + 1])
{
    int count = 0;
    const char *at = bytes;
    while (count < HEADER_LINES && *at) {
        lines[count++] = at;
        at = line_end(at);
        if (*at == '\n') at++;
    }
    lines[count] = at;
    return count;
}

/* True if a line begins with the three letters of a matrix type, and numbers behind them. */
static bool is_type_line(const char *line)
{
    int64_t unused;
    char c[4];
    for (int k = 0; k < 3; k++) {
        if (!isalpha((unsigned char)line[k])) return false;
        c[k] = (char)toupper((unsigned char)line[k]);
    }
    return strchr("RCPIQ", c[0]) && strchr("SUHZR", c[1]) && strchr("AE", c[2]) && line[3] == ' ' &&
           header_number(line + 3, &unused);
}

static enum likeness sniff(const struct beginning *sample)
{
    const char *lines[HEADER_LINES + 1];
    int64_t unused;
    if (memchr(sample->bytes, 0, sample->count < 400 ? sample->count : 400)) return LIKENESS_NONE;
    if (find_lines(sample->bytes, lines) < 4 || !is_type_line(lines[2])) return LIKENESS_NONE;
    const char *format = lines[3] + strspn(lines[3], " ");
    return header_number(lines[1], &unused) && *format == '(' ? LIKENESS_CERTAIN : LIKENESS_NONE;
}

/* Line 2: the lines of all, of pointers, of indices, of values and, in Harwell-Boeing files, of right-hand
 * sides.
 */
static enum status read_cards(struct boeing *b, struct error *error)
{
    int64_t all, sides = 0;
    const char *at = header_number(b->line[1], &all);
    for (int s = 0; s < SECTIONS && at; s++)
        at = header_number(at, &b->cards[s]);
    if (!at)
        return wrong_at(
            b, 1, b->line[1],
            "four or five whole numbers are expected: the number of lines in all and in each part", error);
    b->rutherford = !header_number(at, &sides);
    b->sides = sides > 0;
    return STATUS_OK;
}

static enum status read_type(struct boeing *b, struct error *error)
{
    static const char letters[] = "RCPIQ";
    static const enum field fields[] = {FIELD_REAL, FIELD_COMPLEX, FIELD_PATTERN, FIELD_INTEGER,
                                        FIELD_PATTERN};
    const char *at = b->line[2];
    if (!is_type_line(at))
        return wrong_at(b, 2, at,
                        "three letters for the kind of the matrix, as RUA, and four numbers are expected",
                        error);
    for (int k = 0; k < 3; k++)
        b->type[k] = (char)toupper((unsigned char)at[k]);
    if (islower((unsigned char)at[0])) b->rutherford = true;
    if (b->type[2] == 'E')
        return wrong_at(
            b, 2, at + 2,
            "the file lists finite elements, which are not read; assemble the matrix first (letter A)",
            error);
    b->field = fields[strchr(letters, b->type[0]) - letters];
    b->symmetry = b->type[1] == 'S'   ? SYMMETRY_SYMMETRIC
                  : b->type[1] == 'H' ? SYMMETRY_HERMITIAN
                  : b->type[1] == 'Z' ? SYMMETRY_SKEW
                                      : SYMMETRY_GENERAL;
    at = header_number(at + 3, &b->rows);
    if (at) at = header_number(at, &b->cols);
    if (at) at = header_number(at, &b->entries);
    if (!at || b->rows < 0 || b->cols < 0 || b->entries < 0 || b->entries > INT64_MAX / 4)
        return wrong_at(b, 2, b->line[2] + 3, "the numbers of rows, columns and entries are expected", error);
    if (b->rows > INT32_MAX || b->cols > INT32_MAX)
        return error_at(error, STATUS_LIMIT, container_path(b->container), 3, 4,
                        "%" PRId64 " rows x %" PRId64
                        " columns: rows and columns are held in 32 bits, at most %d of each",
                        b->rows, b->cols, INT32_MAX);
    if (b->symmetry == SYMMETRY_HERMITIAN && b->field == FIELD_REAL) b->symmetry = SYMMETRY_SYMMETRIC;
    if (b->symmetry != SYMMETRY_GENERAL && b->rows != b->cols)
        return wrong_at(b, 2, b->line[2] + 1, "a matrix that is not square cannot be symmetric", error);
    return STATUS_OK;
}

/* Line 4: the formats, in fixed columns; or one after the other, as some programs write them. */
static enum status read_formats(struct boeing *b, struct error *error)
{
    const char *line = b->line[3], *end = line_end(line), *next = line;
    int sections = b->field == FIELD_PATTERN ? VALUES : SECTIONS;
    for (int s = 0; s < sections; s++) {
        char message[128];
        const char *at = line + format_columns[s];
        bool in_column =
            at < end && at[strspn(at, " ")] == '(' && (at == line || at[-1] == ' ' || at[-1] == ')');
        if (!in_column) at = next;
        at += strspn(at, " ");
        const char *wrong = at < end ? format_read(at, end, &b->numbers.formats[s]) : "is missing";
        if (!wrong && s < VALUES && !b->numbers.formats[s].integers) wrong = "is not one of whole numbers";
        snprintf(message, sizeof message, "the format of a %s %s, as (10I8) or (4E20.12)", numbers_names[s],
                 wrong ? wrong : "");
        if (wrong) return wrong_at(b, 3, at < end ? at : end, message, error);
        int depth = 0;
        for (next = at; next < end && (*next != ')' || depth > 1); next++)
            depth += (*next == '(') - (*next == ')');
        next++;
        if (next > end) next = end;
    }
    return STATUS_OK;
}

/* Compare the numbers of lines computed from the formats with those of the header. */
static enum status check_cards(struct boeing *b, const struct load_options *options, struct matrix *matrix,
                               struct error *error)
{
    b->numbers.counts[POINTERS] = b->cols + 1;
    b->numbers.counts[INDICES] = b->entries;
    b->numbers.counts[VALUES] = b->field == FIELD_PATTERN   ? 0
                                : b->field == FIELD_COMPLEX ? 2 * b->entries
                                                            : b->entries;
    for (int s = 0; s < SECTIONS; s++) {
        char message[160];
        int64_t wide = b->numbers.counts[s] ? b->numbers.formats[s].count : 1;
        b->numbers.wanted[s] = (b->numbers.counts[s] + wide - 1) / wide;
        if (b->numbers.wanted[s] == b->cards[s] || (s == VALUES && !b->numbers.counts[s])) continue;
        snprintf(message, sizeof message,
                 "says that there are %" PRId64 " lines of %s%s, but %" PRId64 " numbers take %" PRId64,
                 b->cards[s], numbers_names[s], s == INDICES ? "es" : "s", b->numbers.counts[s],
                 b->numbers.wanted[s]);
        if (!options->lenient) return wrong_at(b, 1, b->line[1], message, error);
        if (matrix) text_append(&matrix->notes, "line 2: %s\n", message);
    }
    return STATUS_OK;
}

/* Keep the title and the key. */
static void take_title(struct boeing *b)
{
    char comment[KEY_COLUMN + 16];
    const char *end = line_end(b->line[0]);
    int length = (int)(end - b->line[0] < KEY_COLUMN ? end - b->line[0] : KEY_COLUMN);
    while (length > 0 && isspace((unsigned char)b->line[0][length - 1]))
        length--;
    if (length == 0) return;
    snprintf(comment, sizeof comment, "%% title: %.*s", length, b->line[0]);
    about_add(&b->about, comment, strlen(comment));
}

static enum status read_header(struct boeing *b, struct container *container,
                               const struct load_options *options, struct matrix *matrix, struct error *error)
{
    const char *bytes;
    struct error mine = {0};
    *b = (struct boeing){.container = container};
    ssize_t count = container_peek(container, &bytes, &mine);
    if (count < 0) {
        if (error) *error = mine;
        return mine.status;
    }
    int lines = find_lines(bytes, b->line);
    if (lines < 4)
        return error_at(error, STATUS_INPUT, container_path(container), lines + 1, 0,
                        "the file ends within the header, which has four lines; it is cut short");
    enum status status = read_cards(b, error);
    if (status == STATUS_OK) status = read_type(b, error);
    if (status == STATUS_OK) status = read_formats(b, error);
    if (status == STATUS_OK) status = check_cards(b, options, matrix, error);
    if (status != STATUS_OK) return status;
    take_title(b);
    /* Some Rutherford-Boeing files have Harwell-Boeing's line on right-hand sides, too. */
    int header = lines > 4 && (b->sides || strchr("FMfm", *b->line[4])) ? 5 : 4;
    b->header_bytes = b->line[header] - bytes;
    b->line[0] = NULL; /* the bytes belong to the container, and become invalid when it is unpacked */
    b->sides = header == 5;
    return STATUS_OK;
}

/* Check the size of the arrays against the limit and the file's size: a number takes at least one byte. */
static enum status check_size(const struct boeing *b, const struct load_options *options, struct error *error)
{
    size_t bytes = ((size_t)b->cols + 1) * sizeof *b->numbers.pointers;
    size_add(bytes, (size_t)b->entries * sizeof *b->numbers.indices, &bytes);
    if (b->numbers.kept)
        size_add(bytes, (size_t)b->numbers.counts[VALUES] * sizeof *b->numbers.values, &bytes);
    int64_t size = container_size(b->container);
    if (b->entries > size || b->cols > size)
        return error_at(error, STATUS_INPUT, container_path(b->container), 3, 4,
                        "%" PRId64 " columns and %" PRId64 " entries cannot stand in a file of %" PRId64
                        " bytes; it is cut short or the numbers are wrong",
                        b->cols, b->entries, size);
    struct source source = {
        .rows = b->rows, .cols = b->cols, .complex = b->field == FIELD_COMPLEX, SOURCE_OPTIONS(options)};
    enum status status = matrix_check(&source, b->entries, bytes, error);
    if (status != STATUS_OK || !source_streams(&source)) return status;
    return memory_check(bytes, options->limit, "the arrays of the file, which are kept while they are read,",
                        error);
}

static enum status build(struct boeing *b, const struct load_options *options, struct progress *progress,
                         struct matrix *matrix, struct error *error)
{
    bool complex = b->field == FIELD_COMPLEX;
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const struct arrays_text text = {.blocks = b->numbers.blocks,
                                     .firsts = b->numbers.firsts,
                                     .read = numbers_values,
                                     .self = &b->numbers};
    const struct arrays arrays = {
        .arrangement = ARRANGED_COLUMNS,
        .rows = b->rows,
        .cols = b->cols,
        .field = b->field,
        .symmetry = b->symmetry,
        .base = 1,
        .pointers = {.name = "the list of column pointers",
                     .memory = b->numbers.pointers,
                     .type = NUMBER_I64,
                     .big = big,
                     .count = b->numbers.counts[POINTERS]},
        .row = {.name = "the list of row indices",
                .memory = b->numbers.indices,
                .type = NUMBER_I32,
                .big = big,
                .count = b->entries},
        .value = {.name = "the list of values",
                  .memory = b->numbers.values,
                  .type = complex ? NUMBER_C128 : NUMBER_F64,
                  .big = big,
                  .count = b->field == FIELD_PATTERN ? 0 : b->entries},
        .text = b->numbers.kept ? NULL : &text,
        .path = container_path(b->container),
    };
    return arrays_build(&arrays, options, progress, matrix, error);
}

static enum status read_boeing(struct container *container, const struct load_options *options,
                               struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct boeing *b = memory_zeroed(1, sizeof *b, error);
    if (!b) return STATUS_MEMORY;
    enum status status = decimal_start(error);
    if (status == STATUS_OK) status = read_header(b, container, options, matrix, error);
    if (status == STATUS_OK) status = container_unpack(container, options->limit, progress, error);
    b->numbers.rows = b->rows;
    b->numbers.kept = b->field == FIELD_COMPLEX || b->field == FIELD_PATTERN;
    if (status == STATUS_OK) status = check_size(b, options, error);
    if (status == STATUS_OK)
        status = numbers_parse(&b->numbers, container, b->header_bytes, b->sides ? 6 : 5, progress, error);
    if (status == STATUS_OK) status = build(b, options, progress, matrix, error);
    if (status == STATUS_OK) {
        matrix->about = b->about;
        matrix->format = b->rutherford ? "Rutherford-Boeing" : "Harwell-Boeing";
        if (atomic_load(&b->numbers.words))
            text_append(
                &matrix->notes,
                "numbers are not in the columns of their format; they were read as separated by blanks\n");
        if (b->sides) text_append(&matrix->notes, "right-hand sides of the file are not read\n");
    }
    numbers_free(&b->numbers);
    free(b);
    return status;
}

static enum status look(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error)
{
    struct boeing *b = memory_zeroed(1, sizeof *b, error);
    if (!b) return STATUS_MEMORY;
    enum status status = read_header(b, container, options, NULL, error);
    outline->field = b->field;
    outline->symmetry = b->symmetry;
    outline->rows = b->rows;
    outline->cols = b->cols;
    outline->entries = b->entries;
    free(b);
    return status;
}

const struct reader reader_boeing = {
    .name = "rb",
    .title = "Rutherford-Boeing or Harwell-Boeing",
    .endings = (const char *const[]){".rb", ".hb", ".rua", ".rsa", ".rra", ".rza", ".cua", ".csa", ".cha",
                                     ".cra", ".cza", ".pua", ".psa", ".pra", NULL},
    .sniff = sniff,
    .read = read_boeing,
    .look = look,
    .write = boeing_write,
};
