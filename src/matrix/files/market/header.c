#include "matrix/files/market/header.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/mmio/grammar.h"

#define BANNER_FORM MatrixMarketBanner " matrix coordinate|array real|integer|complex|pattern SYMMETRY"

/* The type code's letter for the object of a file with a vector. */
#define VECTOR 'V'

/* A window on the text, from which lines are taken: buffer[start] .. buffer[end-1] has been read, but not
 * taken. */
struct window {
    struct container *container;
    struct market_header *header;
    struct error *error;
    char *buffer;
    size_t start, end;
    bool ended;
    int64_t number;   /* the number of the last line taken */
    const char *line; /* the line itself */
    size_t length;    /* its bytes without the line end */
};

static enum status fault(const struct window *w, const char *at, const char *message)
{
    return error_at(w->error, STATUS_INPUT, container_path(w->container), w->number, at - w->line + 1, "%s",
                    message);
}

/* Read more bytes. *grew is false if the text has ended. */
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

/* Drop bytes up to the next line end, which are the rest of a comment that is longer than the window. */
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

/* Take the next line, which '\n' follows in any case. At the end of the text w->line becomes NULL. */
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
    if (*mm_first_word(w->line) != '%')
        return fault(w, w->line, "the line is longer than 65536 bytes; this is not a Matrix Market file");
    w->length = 0; /* a comment of this length is dropped */
    enum status status = drop_line(w);
    w->line = "\n";
    return status;
}

/* --- the banner --- */

static const char field_letters[] = {
    [FIELD_REAL] = 'R', [FIELD_INTEGER] = 'I', [FIELD_COMPLEX] = 'C', [FIELD_PATTERN] = 'P'};
static const char symmetry_letters[] = {
    [SYMMETRY_GENERAL] = 'G', [SYMMETRY_SYMMETRIC] = 'S', [SYMMETRY_SKEW] = 'K', [SYMMETRY_HERMITIAN] = 'H'};

void market_typecode(bool coordinate, enum field field, enum symmetry symmetry, MM_typecode *matcode)
{
    mm_initialize_typecode(matcode);
    mm_set_matrix(matcode);
    (*matcode)[MM_FORMAT] = coordinate ? 'C' : 'A';
    (*matcode)[MM_FIELD] = field_letters[field];
    (*matcode)[MM_SYMMETRY] = symmetry_letters[symmetry];
}

enum field market_field(const MM_typecode matcode)
{
    for (size_t k = 0; k < sizeof field_letters; k++)
        if (field_letters[k] == matcode[MM_FIELD]) return (enum field)k;
    return FIELD_REAL;
}

enum symmetry market_symmetry(const MM_typecode matcode)
{
    for (size_t k = 0; k < sizeof symmetry_letters; k++)
        if (symmetry_letters[k] == matcode[MM_SYMMETRY]) return (enum symmetry)k;
    return SYMMETRY_GENERAL;
}

/* Return the fault that a word of the banner is missing or not known; its message lists the words that are.
 */
static enum status unknown_word(const struct window *w, const char *text, enum mm_property property)
{
    static const char *const whats[] = {
        [MM_OBJECT] = "object", [MM_FORMAT] = "format", [MM_FIELD] = "field", [MM_SYMMETRY] = "symmetry"};
    char word[40], message[256];
    size_t used = 0;
    if (*text == '\n' && property == MM_OBJECT)
        return fault(w, text, "the banner is incomplete; a whole one reads " BANNER_FORM);
    market_word(text, word, sizeof word);
    if (*text == '\n')
        used = (size_t)snprintf(message, sizeof message,
                                "the banner ends where its %s is expected:", whats[property]);
    else
        used = (size_t)snprintf(message, sizeof message, "'%s' in the banner where its %s is expected:", word,
                                whats[property]);
    for (const struct mm_word *known = mm_words(property); known->text; known++)
        used += (size_t)snprintf(message + used, sizeof message - used, "%s %s",
                                 known > mm_words(property) ? "," : "", known->text);
    return fault(w, text, message);
}

static enum status check_combination(const struct window *w, const struct mm_banner *banner)
{
    switch (mm_contradiction(banner->matcode)) {
    case MM_PATTERN_ARRAY:
        return fault(w, banner->word[MM_FIELD],
                     "an array file cannot be a pattern: it lists values and no positions");
    case MM_HERMITIAN_ELSEWHERE:
        return fault(w, banner->word[MM_SYMMETRY],
                     "only a complex matrix can be hermitian; a real one is symmetric");
    case MM_SKEW_PATTERN:
        return fault(w, banner->word[MM_SYMMETRY],
                     "a pattern cannot be skew-symmetric: it has no values to change the sign of");
    case MM_VECTOR_SYMMETRY:
        return fault(w, banner->word[MM_SYMMETRY],
                     "a vector has no symmetry; its banner must end in general");
    case MM_CONSISTENT:
        break;
    }
    return STATUS_OK;
}

/* In lenient reading a missing symmetry in the banner means general, the initial value of a type code. */
static enum status read_banner(struct window *w, const char *text)
{
    struct market_shape *shape = &w->header->shape;
    struct mm_banner banner;
    enum mm_property wrong = mm_parse_banner(text, &banner);
    if (wrong == MM_SYMMETRY && *banner.word[MM_SYMMETRY] == '\n' && shape->lenient)
        text_append(&w->header->notes, "line %" PRId64 ": the banner names no symmetry; read as general\n",
                    w->number);
    else if (wrong != MM_PROPERTIES)
        return unknown_word(w, banner.word[wrong], wrong);
    shape->vector = banner.matcode[MM_OBJECT] == VECTOR;
    shape->coordinate = mm_is_coordinate(banner.matcode);
    shape->field = market_field(banner.matcode);
    shape->symmetry = market_symmetry(banner.matcode);
    return check_combination(w, &banner);
}

/* The limits of sizes in a line that may be something else: none. */
static const int64_t any_size[MM_SIZES_MAX] = {INT64_MAX, INT64_MAX, INT64_MAX};

static bool looks_like_sizes(const char *text)
{
    struct mm_sizes sizes;
    for (int wanted = 2; wanted <= MM_SIZES_MAX; wanted++)
        if (mm_parse_sizes(text, wanted, any_size, &sizes) == MM_SIZES_READ && *sizes.more == '\n')
            return true;
    return false;
}

/* A banner whose first word is damaged is recognised by the words after it. */

#define DAMAGE_MAX 3

/* Return true if a word resembles MatrixMarket, without regard to case: at most DAMAGE_MAX letters were
 * changed, added or left out. cost[k] is the number of such changes between the letters of the word so far
 * and the first k letters of the name (Levenshtein). */
static bool resembles_name(const char *word)
{
    static const char name[] = "matrixmarket";
    enum { LENGTH = sizeof name - 1 };
    int cost[LENGTH + 1];
    ptrdiff_t length = mm_word_end(word) - word;
    if (length > LENGTH + DAMAGE_MAX) return false;
    for (int k = 0; k <= LENGTH; k++)
        cost[k] = k;
    for (ptrdiff_t c = 0; c < length; c++) {
        int before = cost[0]++;
        for (int k = 1; k <= LENGTH; k++) {
            int changed = before + (tolower((unsigned char)word[c]) != name[k - 1]);
            before = cost[k];
            int least = cost[k - 1] < cost[k] ? cost[k - 1] + 1 : cost[k] + 1;
            cost[k] = changed < least ? changed : least;
        }
    }
    return cost[LENGTH] <= DAMAGE_MAX;
}

static bool is_word_of(enum mm_property property, const char *text)
{
    for (const struct mm_word *known = mm_words(property); known->text; known++)
        if (mm_is_word(text, known->text)) return true;
    return false;
}

/* Return the position in a damaged banner from which mm_parse_banner finds its words, or NULL if the line is
 * not a banner. A line is one if a word like MatrixMarket is followed by at least one known word in its
 * position, or if an object, a format and a field follow each other anywhere. In the first line of a file a
 * format and a field suffice, so that the error names the words before them. */
static const char *find_damaged(const struct window *w, const char *line)
{
    struct mm_banner banner;
    const char *name = line;
    while (*name == '%' || mm_is_blank(*name))
        name++;
    if (resembles_name(name)) {
        mm_parse_banner(name, &banner);
        for (int k = MM_OBJECT; k <= MM_FIELD; k++)
            if (banner.matcode[k] != ' ') return name;
    }
    for (const char *text = line; *text != '\n'; text = mm_next_word(text)) {
        const char *format = mm_next_word(text);
        if (!is_word_of(MM_FORMAT, format) || !is_word_of(MM_FIELD, mm_next_word(format))) continue;
        if (w->number > 1 && !is_word_of(MM_OBJECT, text)) continue;
        return text > line ? text - 1 : line; /* the blank before the object counts as the word before it */
    }
    return NULL;
}

/* Write the beginning of a damaged banner, and the interpretation of its words, into the note. */
static void note_damage(const struct window *w, const char *line, const char *words, struct text *note)
{
    const struct market_shape *shape = &w->header->shape;
    char begin[40];
    size_t length = 0;
    const char *end = mm_next_word(words);
    while (end > line && mm_is_blank(end[-1]))
        end--;
    for (const char *c = line; c < end && length + 1 < sizeof begin; c++)
        begin[length++] = (char)(*c < 0x20 || *c > 0x7e ? '?' : *c);
    begin[length] = 0;
    text_append(note, "line %" PRId64 ": read as %s %s %s %s, though the banner begins with '%s'\n",
                w->number, shape->vector ? "vector" : MM_MTX_STR,
                shape->coordinate ? MM_COORDINATE_STR : MM_ARRAY_STR, field_name(shape->field),
                symmetry_name(shape->symmetry), begin);
}

static enum status no_banner(const struct window *w, const char *text)
{
    struct mm_banner banner;
    const char *words = w->header->shape.lenient ? NULL : find_damaged(w, text);
    if (words && mm_parse_banner(words, &banner) == MM_PROPERTIES)
        return fault(w, text,
                     "the banner does not begin with " MatrixMarketBanner
                     "; --lenient reads the words that follow");
    if (looks_like_sizes(text) && !w->header->shape.lenient)
        return fault(w, text,
                     "no banner (" BANNER_FORM
                     "); --lenient reads a file without one, if its size line comes first");
    return fault(w, text, "not a Matrix Market file: it must begin with " BANNER_FORM);
}

/* Read lines up to the banner; *text then points to it. For lenient reading *text may become NULL: there is
 * no banner, or a damaged one, and the line just read is the size line. A damaged banner determines the
 * shape, and *damage becomes a note on it. */
static enum status find_banner(struct window *w, const char **text, struct text *damage)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct text *notes = &w->header->notes;
    bool lenient = w->header->shape.lenient;
    for (;;) {
        enum status status = take(w);
        if (status) return status;
        if (!w->line) {
            w->line = w->buffer + w->start;
            return w->header->offset == 0 ? fault(w, w->line, "the file is empty")
                                          : fault(w, w->line, "no banner: the file has only blank lines");
        }
        const char *first = mm_first_word(w->line);
        if (lenient && w->number == 1 && w->length >= 3 && !memcmp(w->line, mark, 3)) {
            text_append(notes, "line 1: byte order mark before the banner\n");
            first = w->line + 3;
        }
        *text = first;
        if (mm_is_word(first, MatrixMarketBanner) && (lenient || first == w->line)) {
            if (mm_is_blank(*w->line))
                text_append(notes, "line %" PRId64 ": blanks before the banner\n", w->number);
            if (w->number > 1)
                text_append(notes, "line %" PRId64 ": the banner is not the first line\n", w->number);
            return STATUS_OK;
        }
        if (!lenient && mm_is_word(first, MatrixMarketBanner))
            return fault(w, w->line, "blanks before the banner; --lenient ignores them");
        if (mm_is_word(first, &MatrixMarketBanner[1])) {
            text_append(notes, "line %" PRId64 ": the banner begins with one %% instead of two\n", w->number);
            return lenient ? STATUS_OK
                           : fault(w, first,
                                   "the banner begins with one % instead of two; --lenient ignores that");
        }
        if (*first == '\n' && !lenient)
            return fault(w, w->line, "a blank line where the banner is expected; --lenient ignores it");
        const char *words = lenient && !damage->length ? find_damaged(w, first) : NULL;
        if (words) {
            if ((status = read_banner(w, words))) return status;
            note_damage(w, first, words, damage);
            if (damage->failed) return error_set(w->error, STATUS_MEMORY, "out of memory for the notes");
            continue;
        }
        if (lenient && (*first == '\n' || *first == '%')) continue;
        if (!damage->length && (!lenient || !looks_like_sizes(first))) return no_banner(w, first);
        *text = NULL;
        return STATUS_OK;
    }
}

/* --- the size line --- */

static enum status size_fault(const struct window *w, enum mm_size_fault found, const struct mm_sizes *sizes)
{
    static const char *const whats[MM_SIZES_MAX] = {"rows", "columns", "entries"};
    int place = sizes->count == 1 && w->header->shape.vector ? 2 : sizes->count;
    const char *text = sizes->word[sizes->count], *what = whats[place];
    char word[40], message[256];
    market_word(text, word, sizeof word);
    if (found == MM_SIZE_MISSING)
        snprintf(message, sizeof message, "the size line ends where the number of %s is expected", what);
    else if (found == MM_SIZE_NO_NUMBER)
        snprintf(message, sizeof message, "'%s' where the number of %s is expected", word, what);
    else if (found == MM_SIZE_NEGATIVE)
        snprintf(message, sizeof message, "%s %s; a size cannot be negative", word, what);
    else if (place < 2)
        snprintf(message, sizeof message, "%s %s; at most %" PRId32 " can be held (32-bit indices)", word,
                 what, INT32_MAX);
    else
        snprintf(message, sizeof message, "%s %s; no file holds that many", word, what);
    return fault(w, text, message);
}

/* Take lines up to the size line, past comments and blank lines. */
static enum status take_sizes(struct window *w, const char **text)
{
    do {
        enum status status = take(w);
        if (status) return status;
        if (!w->line) {
            w->line = w->buffer + w->start;
            return fault(w, w->line,
                         w->header->shape.vector
                             ? "the file ends before the size line (rows, entries)"
                             : "the file ends before the size line (rows, columns, entries)");
        }
        *text = mm_first_word(w->line);
        if (**text == '%') about_add(&w->header->about, w->line, w->length);
    } while (mm_says_nothing(*text));
    return STATUS_OK;
}

/* Return the bytes of the shortest line of an entry: indices, of which a vector's entry has one, and values,
 * of one digit each, and behind each a blank or the line end. */
static int64_t min_bytes(const struct market_shape *shape)
{
    int64_t values = shape->field == FIELD_PATTERN ? 0 : shape->field == FIELD_COMPLEX ? 4 : 2;
    return shape->coordinate ? (shape->vector ? 2 : 4) + values : values;
}

/* Refuse impossible or too large sizes before any allocation. */
static enum status check_sizes(const struct window *w, const char *text, const struct load_options *options)
{
    const struct market_shape *shape = &w->header->shape;
    bool plain = container_is_plain(w->container), complex = shape->field == FIELD_COMPLEX;
    char message[320];
    int64_t left = container_size(w->container) - w->header->offset;
    if (shape->entries && (!shape->rows || !shape->cols))
        return fault(w, text, "entries in a matrix without rows or columns");
    /* The last line needs no line end, so there is room for one byte more. */
    if (plain && shape->entries > (left + 1) / min_bytes(shape)) {
        snprintf(message, sizeof message,
                 "%" PRId64 " entries cannot stand in the %" PRId64
                 " bytes after this line (at least %" PRId64
                 " bytes each); the file is cut short or the number is wrong",
                 shape->entries, left, min_bytes(shape));
        return fault(w, text, message);
    }
    size_t stream = 0;
    bool held = !plain && !options->builder; /* else they are spilled */
    if (held) size_multiply((size_t)shape->entries, complex ? 24 : 16, &stream);
    const struct source source = {
        .rows = shape->rows, .cols = shape->cols, .complex = complex, SOURCE_OPTIONS(options)};
    struct error refused = {0};
    if (matrix_check(&source, shape->entries, stream, &refused) != STATUS_OK)
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

static enum status read_sizes(struct window *w, const char *text, const struct load_options *options)
{
    struct market_shape *shape = &w->header->shape;
    static const int64_t matrix_max[] = {INT32_MAX, INT32_MAX, INT64_MAX / 32};
    static const int64_t vector_max[] = {INT32_MAX, INT64_MAX / 32};
    struct mm_sizes sizes, third;
    int lines = shape->vector ? 1 : 2, wanted = shape->coordinate ? lines + 1 : lines;
    enum mm_size_fault found = mm_parse_sizes(text, wanted, shape->vector ? vector_max : matrix_max, &sizes);
    if (found) return size_fault(w, found, &sizes);
    shape->rows = sizes.value[0];
    shape->cols = shape->vector ? 1 : sizes.value[1];
    shape->entries = shape->coordinate ? sizes.value[lines] : array_entries(shape);
    if (shape->symmetry != SYMMETRY_GENERAL && shape->rows != shape->cols)
        return fault(w, sizes.word[1], "a symmetric, skew-symmetric or hermitian matrix must be square");
    const char *more = sizes.more;
    if (!shape->coordinate && shape->lenient && mm_parse_sizes(more, 1, any_size, &third) == MM_SIZES_READ &&
        third.value[0] == shape->entries) {
        text_append(&w->header->notes,
                    "line %" PRId64 ": the number of entries on the size line of an array file\n", w->number);
        more = third.more;
    }
    if (*more != '\n') {
        char word[40], message[160];
        snprintf(message, sizeof message, "'%s' after the sizes; %s has %s there",
                 market_word(more, word, sizeof word),
                 shape->vector       ? "a vector's file"
                 : shape->coordinate ? "a coordinate file"
                                     : "an array file",
                 shape->vector       ? (shape->coordinate ? "rows and entries" : "rows")
                 : shape->coordinate ? "rows, columns and entries"
                                     : "rows and columns");
        return fault(w, more, message);
    }
    return check_sizes(w, sizes.word[shape->coordinate ? lines : 0], options);
}

/* --- a file without a banner --- */

static int count_words(const char *text)
{
    int words = 0;
    for (; *text != '\n'; text = mm_next_word(text))
        words++;
    return words;
}

/* Determine the field from the number of words on the first entry's line, which is put back. */
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
        text = mm_first_word(w->line);
    } while (*text == '\n' || *text == '%');
    int words = count_words(text) - (shape->coordinate ? 2 : 0);
    shape->field = words == 2 ? FIELD_COMPLEX : shape->coordinate && words == 0 ? FIELD_PATTERN : FIELD_REAL;
    w->header->offset = before;
    w->start = (size_t)(w->line - w->buffer);
    w->number--;
    w->header->column = 1;
    text_append(&w->header->notes, "line %" PRId64 ": no banner; read as %s %s general\n", number,
                shape->coordinate ? MM_COORDINATE_STR : MM_ARRAY_STR, field_name(shape->field));
    return STATUS_OK;
}

/* Read a file whose first line is the size line. The sizes are checked for the field that takes the fewest
 * bytes, since the field follows from the first entry. */
static enum status read_without_banner(struct window *w, const struct load_options *options)
{
    struct market_shape *shape = &w->header->shape;
    const char *text = mm_first_word(w->line);
    shape->coordinate = count_words(text) == 3;
    shape->field = shape->coordinate ? FIELD_PATTERN : FIELD_REAL;
    shape->symmetry = SYMMETRY_GENERAL;
    enum status status = read_sizes(w, text, options);
    return status ? status : guess_field(w);
}

static enum status read_header(struct window *w, const struct load_options *options)
{
    const char *text = NULL;
    struct text damage = {0};
    enum status status = find_banner(w, &text, &damage);
    if (status == STATUS_OK && text) {
        status = read_banner(w, text);
        if (status == STATUS_OK) status = take_sizes(w, &text);
        if (status == STATUS_OK) status = read_sizes(w, text, options);
    } else if (status == STATUS_OK && damage.length) {
        text_append_bytes(&w->header->notes, damage.data, damage.length);
        status = read_sizes(w, mm_first_word(w->line), options);
    } else if (status == STATUS_OK) {
        status = read_without_banner(w, options);
    }
    text_free(&damage);
    return status;
}

enum status market_header_read(struct container *container, const struct load_options *options,
                               struct market_header *header, struct error *error)
{
    struct error own = {0};
    *header = (struct market_header){.shape = {.lenient = options->lenient, .from_zero = options->from_zero}};
    struct window w = {.container = container, .header = header, .error = error ? error : &own};
    w.buffer = header->rest = memory_array(MARKET_LINE_BYTES + MARKET_PADDING, 1, error);
    if (!w.buffer) return STATUS_MEMORY;
    memset(w.buffer, 0, MARKET_LINE_BYTES + MARKET_PADDING);
    enum status status = read_header(&w, options);
    if (!status && header->notes.failed)
        status = error_set(error, STATUS_MEMORY, "out of memory for the notes");
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
