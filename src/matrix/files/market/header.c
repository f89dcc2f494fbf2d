#include "matrix/files/market/header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "matrix/files/decimal.h"

#define BANNER "%%MatrixMarket"
#define BANNER_FORM "%%MatrixMarket matrix coordinate|array real|integer|complex|pattern SYMMETRY"

/* A window that lines are taken from; buffer[start..end) has been read but not been taken. */
struct window {
    struct container *container;
    struct market_header *header;
    struct error *error;
    char *buffer;
    size_t start, end;
    bool ended;
    int64_t number; /* of the line last taken */
    const char *line;
    size_t length; /* without the line end */
};

static enum status fault(const struct window *w, const char *at, const char *message)
{
    return error_at(w->error, STATUS_INPUT, container_path(w->container), w->number, at - w->line + 1, "%s",
                    message);
}

/* Read more behind what is there. *grew false: the text has ended. */
static enum status fill(struct window *w, bool *grew)
{
    if (w->start) {
        memmove(w->buffer, w->buffer + w->start, w->end - w->start);
        w->end -= w->start;
        w->start = 0;
    }
    ssize_t count =
        w->ended ? 0 : container_read(w->container, w->buffer + w->end, MARKET_LINE_BYTES - w->end, w->error);
    if (count < 0) return w->error ? w->error->status : STATUS_IO;
    w->ended = count == 0;
    w->end += (size_t)count;
    *grew = count > 0;
    return STATUS_OK;
}

/* Drop bytes up to the next line end: the tail of a comment longer than the window. */
static enum status drop_line(struct window *w)
{
    enum status status = STATUS_OK;
    bool more = true;
    while (!status && more) {
        char *newline = memchr(w->buffer + w->start, '\n', w->end - w->start);
        size_t used = newline ? (size_t)(newline + 1 - w->buffer) - w->start : w->end - w->start;
        w->header->offset += (int64_t)used;
        w->start += used;
        if (newline) return STATUS_OK;
        status = fill(w, &more);
    }
    return status;
}

/* Take the next line; w->line is NULL at the end of the text. The line is followed by '\n'. */
static enum status take(struct window *w)
{
    bool grew = true;
    char *newline;
    while (!(newline = memchr(w->buffer + w->start, '\n', w->end - w->start)) && grew &&
           w->end - w->start < MARKET_LINE_BYTES) {
        enum status status = fill(w, &grew);
        if (status) return status;
    }
    w->line = w->buffer + w->start;
    w->length = newline ? (size_t)(newline - w->line) : w->end - w->start;
    w->number++;
    if (!newline && !w->length) {
        w->line = NULL;
        return STATUS_OK;
    }
    w->header->column = newline ? 1 : (int64_t)w->length + 1;
    w->header->offset += (int64_t)w->length + (newline != NULL);
    w->start += w->length + (newline != NULL);
    if (newline || grew == false) {
        if (!newline) w->buffer[w->end] = '\n';
        return STATUS_OK;
    }
    const char *first = w->line;
    while (market_is_blank(*first))
        first++;
    if (*first != '%')
        return fault(w, w->line, "the line is longer than 65536 bytes; this is not a Matrix Market file");
    w->length = 0; /* nobody reads what a comment says */
    enum status status = drop_line(w);
    w->line = "\n";
    return status;
}

static const char *first_word(const struct window *w)
{
    const char *text = w->line;
    while (market_is_blank(*text))
        text++;
    return text;
}

static const char *word_end(const char *text)
{
    while (*text != '\n' && !market_is_blank(*text))
        text++;
    return text;
}

static const char *next_word(const char *text)
{
    text = word_end(text);
    while (market_is_blank(*text))
        text++;
    return text;
}

static bool is_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(word_end(text) - text) == length && strncasecmp(text, word, length) == 0;
}

/* --- the banner --- */

struct choice {
    const char *word;
    int value;
};

static const struct choice formats[] = {{"coordinate", 1}, {"array", 0}, {NULL, 0}};
static const struct choice fields[] = {{"real", FIELD_REAL},       {"double", FIELD_REAL},
                                       {"integer", FIELD_INTEGER}, {"complex", FIELD_COMPLEX},
                                       {"pattern", FIELD_PATTERN}, {NULL, 0}};
static const struct choice symmetries[] = {{"general", SYMMETRY_GENERAL},
                                           {"symmetric", SYMMETRY_SYMMETRIC},
                                           {"skew-symmetric", SYMMETRY_SKEW},
                                           {"hermitian", SYMMETRY_HERMITIAN},
                                           {NULL, 0}};

/* Look the word up; if it is not in the table, a fault that lists what is. */
static enum status choose(const struct window *w, const char *text, const struct choice *choices,
                          const char *what, int *value)
{
    char word[40], message[256];
    size_t used = 0;
    for (const struct choice *c = choices; c->word; c++)
        if (is_word(text, c->word)) {
            *value = c->value;
            return STATUS_OK;
        }
    if (*text == '\n')
        used = (size_t)snprintf(message, sizeof message, "the banner ends where its %s is expected:", what);
    else
        used = (size_t)snprintf(message, sizeof message, "'%s' in the banner where its %s is expected:",
                                market_word(text, word, sizeof word), what);
    for (const struct choice *c = choices; c->word; c++)
        used +=
            (size_t)snprintf(message + used, sizeof message - used, "%s %s", c > choices ? "," : "", c->word);
    return fault(w, text, message);
}

static enum status check_combination(const struct window *w, const char *field, const char *symmetry)
{
    const struct market_shape *shape = &w->header->shape;
    if (shape->field == FIELD_PATTERN && !shape->coordinate)
        return fault(w, field, "an array file cannot be a pattern: it gives values and no places");
    if (shape->symmetry == SYMMETRY_HERMITIAN && shape->field != FIELD_COMPLEX)
        return fault(w, symmetry, "only a complex matrix can be hermitian; a real one is symmetric");
    if (shape->symmetry == SYMMETRY_SKEW && shape->field == FIELD_PATTERN)
        return fault(w, symmetry,
                     "a pattern cannot be skew-symmetric: it has no values to change the sign of");
    return STATUS_OK;
}

static enum status read_banner(struct window *w, const char *text)
{
    struct market_shape *shape = &w->header->shape;
    int coordinate = 0, field = 0, symmetry = SYMMETRY_GENERAL;
    char word[40], message[128];
    const char *object = next_word(text), *format = next_word(object), *kind = next_word(format),
               *form = next_word(kind);
    if (!is_word(object, "matrix")) {
        snprintf(message, sizeof message, "'%s' in the banner where 'matrix' is expected",
                 market_word(object, word, sizeof word));
        return fault(w, object,
                     *object == '\n' ? "the banner is not complete; it reads " BANNER_FORM : message);
    }
    enum status status = choose(w, format, formats, "format", &coordinate);
    if (!status) status = choose(w, kind, fields, "field", &field);
    if (!status && *form == '\n' && shape->lenient)
        text_append(&w->header->notes, "line %" PRId64 ": the banner names no symmetry; read as general\n",
                    w->number);
    else if (!status)
        status = choose(w, form, symmetries, "symmetry", &symmetry);
    shape->coordinate = coordinate;
    shape->field = (enum field)field;
    shape->symmetry = (enum symmetry)symmetry;
    return status ? status : check_combination(w, kind, form);
}

static bool looks_like_sizes(const char *text)
{
    int numbers = 0;
    for (; *text != '\n'; text = next_word(text), numbers++) {
        int64_t value;
        const char *end = decimal_integer(text, &value);
        if (!end || end != word_end(text) || value < 0) return false;
    }
    return numbers == 2 || numbers == 3;
}

static enum status no_banner(const struct window *w, const char *text)
{
    if (looks_like_sizes(text) && !w->header->shape.lenient)
        return fault(w, text,
                     "no banner (" BANNER_FORM
                     "); --lenient reads the file without, if its size line comes first");
    return fault(w, text, "not a Matrix Market file: it must begin with " BANNER_FORM);
}

/* Take lines up to the banner. *text NULL: there is none, but the line taken is a size line (lenient). */
static enum status find_banner(struct window *w, const char **text)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct text *notes = &w->header->notes;
    bool lenient = w->header->shape.lenient;
    for (;;) {
        enum status status = take(w);
        if (status) return status;
        if (!w->line) {
            w->line = w->buffer + w->start;
            return w->header->offset == 0
                       ? fault(w, w->line, "the file is empty")
                       : fault(w, w->line, "no banner: the file has no text but blank lines");
        }
        const char *first = first_word(w);
        if (lenient && w->number == 1 && w->length >= 3 && !memcmp(w->line, mark, 3)) {
            text_append(notes, "line 1: byte order mark before the banner\n");
            first = w->line + 3;
        }
        *text = first;
        if (is_word(first, BANNER) && (lenient || first == w->line)) {
            if (market_is_blank(*w->line))
                text_append(notes, "line %" PRId64 ": blanks before the banner\n", w->number);
            if (w->number > 1)
                text_append(notes, "line %" PRId64 ": the banner is not the first line\n", w->number);
            return STATUS_OK;
        }
        if (!lenient && is_word(first, BANNER))
            return fault(w, w->line, "blanks before the banner; --lenient overlooks them");
        if (is_word(first, &BANNER[1])) {
            text_append(notes, "line %" PRId64 ": the banner begins with one %% instead of two\n", w->number);
            return lenient ? STATUS_OK
                           : fault(w, first,
                                   "the banner begins with one % instead of two; --lenient overlooks it");
        }
        if (*first == '\n' && !lenient)
            return fault(w, w->line, "a blank line where the banner is expected; --lenient overlooks it");
        if (lenient && (*first == '\n' || *first == '%')) continue;
        if (!lenient || !looks_like_sizes(first)) return no_banner(w, first);
        *text = NULL;
        return STATUS_OK;
    }
}

/* --- the size line --- */

/* Read a size. Clamped sizes are larger than anything allowed. */
static enum status read_size(const struct window *w, const char *text, const char *what, int64_t max,
                             int64_t *value)
{
    char word[40], message[256];
    const char *end = decimal_integer(text, value);
    market_word(text, word, sizeof word);
    if (*text == '\n')
        snprintf(message, sizeof message, "the size line ends where the number of %s is expected", what);
    else if (!end || end != word_end(text))
        snprintf(message, sizeof message, "'%s' where the number of %s is expected", word, what);
    else if (*value < 0)
        snprintf(message, sizeof message, "%s %s; a size cannot be negative", word, what);
    else if (*value > max && max == INT32_MAX)
        snprintf(message, sizeof message, "%s %s; at most %" PRId32 " can be held (32-bit indices)", word,
                 what, INT32_MAX);
    else if (*value > max)
        snprintf(message, sizeof message, "%s %s; no file holds so many", word, what);
    else
        return STATUS_OK;
    return fault(w, text, message);
}

/* Take the line of sizes, past comments and blank lines. */
static enum status take_sizes(struct window *w, const char **text)
{
    do {
        enum status status = take(w);
        if (status) return status;
        if (!w->line) {
            w->line = w->buffer + w->start;
            return fault(w, w->line, "the file ends before the size line (rows, columns, entries)");
        }
        *text = first_word(w);
    } while (**text == '\n' || **text == '%');
    return STATUS_OK;
}

/* The least a line can have: two indices of a digit, a value of one, blanks between, a line end. */
static int64_t min_bytes(const struct market_shape *shape)
{
    int64_t values = shape->field == FIELD_PATTERN ? 0 : shape->field == FIELD_COMPLEX ? 4 : 2;
    return shape->coordinate ? 4 + values : values;
}

/* Refuse what cannot be, before anything is allocated for it. */
static enum status check_sizes(const struct window *w, const char *text, size_t limit)
{
    const struct market_shape *shape = &w->header->shape;
    bool plain = container_is_plain(w->container), complex = shape->field == FIELD_COMPLEX;
    char message[320];
    int64_t left = container_size(w->container) - w->header->offset;
    if (shape->entries && (!shape->rows || !shape->cols))
        return fault(w, text, "entries in a matrix without rows or columns");
    /* The last line needs no end, hence the 1. */
    if (plain && shape->entries > (left + 1) / min_bytes(shape)) {
        snprintf(message, sizeof message,
                 "%" PRId64 " entries cannot stand in the %" PRId64
                 " bytes after this line (at least %" PRId64
                 " bytes each); the file is cut short or the number wrong",
                 shape->entries, left, min_bytes(shape));
        return fault(w, text, message);
    }
    size_t csr = csr_bytes(shape->rows, shape->entries, complex), stream = 0, all;
    if (!plain) size_multiply((size_t)shape->entries, complex ? 24 : 16, &stream);
    size_add(csr, stream, &all);
    struct error refused = {0};
    if (memory_check(all, limit, "the matrix", &refused) != STATUS_OK)
        return error_at(w->error, STATUS_LIMIT, container_path(w->container), w->number, text - w->line + 1,
                        "%s", refused.message);
    return STATUS_OK;
}

static int64_t array_entries(const struct market_shape *shape)
{
    int64_t n = shape->rows;
    switch (shape->symmetry) {
    case SYMMETRY_SYMMETRIC:
    case SYMMETRY_HERMITIAN:
        return n * (n + 1) / 2;
    case SYMMETRY_SKEW:
        return n * (n - 1) / 2;
    case SYMMETRY_GENERAL:
        break;
    }
    return n * shape->cols;
}

static enum status read_sizes(struct window *w, const char *text, size_t limit)
{
    struct market_shape *shape = &w->header->shape;
    const char *rows = text, *cols = next_word(rows), *entries = next_word(cols), *more = entries;
    enum status status = read_size(w, rows, "rows", INT32_MAX, &shape->rows);
    if (!status) status = read_size(w, cols, "columns", INT32_MAX, &shape->cols);
    if (!status && shape->coordinate) {
        status = read_size(w, entries, "entries", INT64_MAX / 32, &shape->entries);
        more = next_word(entries);
    } else if (!status)
        shape->entries = array_entries(shape);
    if (status) return status;
    if (shape->symmetry != SYMMETRY_GENERAL && shape->rows != shape->cols)
        return fault(w, cols, "a symmetric, skew-symmetric or hermitian matrix must be square");
    int64_t third;
    if (!shape->coordinate && shape->lenient && *more != '\n' &&
        decimal_integer(more, &third) == word_end(more) && third == shape->entries) {
        text_append(&w->header->notes,
                    "line %" PRId64 ": the number of entries on the size line of an array file\n", w->number);
        more = next_word(more);
    }
    if (*more != '\n') {
        char word[40], message[160];
        snprintf(message, sizeof message, "'%s' after the sizes; %s file has %s",
                 market_word(more, word, sizeof word), shape->coordinate ? "a coordinate" : "an array",
                 shape->coordinate ? "rows, columns and entries there" : "rows and columns there");
        return fault(w, more, message);
    }
    return check_sizes(w, shape->coordinate ? entries : rows, limit);
}

/* --- a file without a banner --- */

static int count_words(const char *text)
{
    int words = 0;
    for (; *text != '\n'; text = next_word(text))
        words++;
    return words;
}

/* Judge the field from the first entry's line, which is put back. */
static enum status guess_field(struct window *w)
{
    struct market_shape *shape = &w->header->shape;
    const char *text;
    int64_t number = w->number, before;
    do {
        before = w->header->offset;
        enum status status = take(w);
        if (status) return status;
        if (!w->line) {
            w->number--;
            return STATUS_OK;
        }
        text = first_word(w);
    } while (*text == '\n' || *text == '%');
    int words = count_words(text) - (shape->coordinate ? 2 : 0);
    shape->field = words == 2 ? FIELD_COMPLEX : shape->coordinate && words == 0 ? FIELD_PATTERN : FIELD_REAL;
    w->header->offset = before;
    w->start = (size_t)(w->line - w->buffer);
    w->number--;
    w->header->column = 1;
    text_append(&w->header->notes, "line %" PRId64 ": no banner; read as %s %s general\n", number,
                shape->coordinate ? "coordinate" : "array", field_name(shape->field));
    return STATUS_OK;
}

/* The size line is the first; its sizes are checked for the field that takes least. */
static enum status read_without_banner(struct window *w, size_t limit)
{
    struct market_shape *shape = &w->header->shape;
    const char *text = first_word(w);
    shape->coordinate = count_words(text) == 3;
    shape->field = shape->coordinate ? FIELD_PATTERN : FIELD_REAL;
    shape->symmetry = SYMMETRY_GENERAL;
    enum status status = read_sizes(w, text, limit);
    return status ? status : guess_field(w);
}

static enum status read_header(struct window *w, size_t limit)
{
    const char *text = NULL;
    enum status status = find_banner(w, &text);
    if (status) return status;
    if (!text) return read_without_banner(w, limit);
    status = read_banner(w, text);
    if (!status) status = take_sizes(w, &text);
    return status ? status : read_sizes(w, text, limit);
}

enum status market_header_read(struct container *container, bool lenient, size_t limit,
                               struct market_header *header, struct error *error)
{
    struct error own = {0};
    *header = (struct market_header){.shape = {.lenient = lenient}};
    struct window w = {.container = container, .header = header, .error = error ? error : &own};
    w.buffer = header->rest = memory_array(MARKET_LINE_BYTES + MARKET_PADDING, 1, error);
    if (!w.buffer) return STATUS_MEMORY;
    memset(w.buffer, 0, MARKET_LINE_BYTES + MARKET_PADDING);
    enum status status = read_header(&w, limit);
    if (!status && header->notes.failed)
        status = error_set(error, STATUS_MEMORY, "out of memory: no room for the notes");
    header->line = w.number + (header->column == 1);
    header->rest_bytes = w.end - w.start;
    memmove(header->rest, header->rest + w.start, header->rest_bytes);
    if (status) market_header_free(header);
    return status;
}

void market_header_free(struct market_header *header)
{
    free(header->rest);
    text_free(&header->notes);
    header->rest = NULL;
}
