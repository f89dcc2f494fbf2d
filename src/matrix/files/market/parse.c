#include "matrix/files/market/parse.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "matrix/files/decimal.h"
#include "matrix/files/lines/newline.h"

#define INLINE static inline __attribute__((always_inline))

/* The wanted part of a line: its row, or row and column, or these and a value of the field. */
enum wanted { WANTED_ROWS, WANTED_PLACES, WANTED_PATTERN, WANTED_REAL, WANTED_INTEGER, WANTED_COMPLEX };

enum line { LINE_ENTRY, LINE_SKIPPED, LINE_FAULT };

/* The entry that a line gives. */
struct entry {
    uint64_t i, j; /* from 1 */
    double val, imaginary;
};

/* --- messages --- */

char *market_word(const char *text, char *out, size_t size)
{
    size_t length = 0;
    while (length + 1 < size && text[length] != '\n' && !mm_is_blank(text[length])) {
        unsigned char c = (unsigned char)text[length];
        out[length++] = c < 0x20 || c > 0x7e ? '?' : (char)c;
    }
    if (length + 1 == size && size > 4) memcpy(out + size - 4, "...", 3);
    out[length] = 0;
    return out;
}

static enum line fault(struct market_parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum line fault(struct market_parser *p, const char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    p->fault.at = at;
    vsnprintf(p->fault.message, sizeof p->fault.message, format, arguments);
    va_end(arguments);
    return LINE_FAULT;
}

/* Note the fault that the text at `at` is unexpected. */
static enum line unexpected(struct market_parser *p, const char *at, const char *expected)
{
    char word[40];
    if (*at == '\n') return fault(p, at, "the line ends where %s is expected", expected);
    if (*at == 0) return fault(p, at, "a NUL byte where %s is expected; this is not a text file", expected);
    return fault(p, at, "'%s' where %s is expected", market_word(at, word, sizeof word), expected);
}

/* --- the careful parser --- */

static const char *skip_blanks(const char *text)
{
    while (mm_is_blank(*text))
        text++;
    return text;
}

static bool ends_word(const char *text)
{
    return *text == '\n' || mm_is_blank(*text);
}

/* Read a row or column index, and the blanks before it, as it is counted from 1. Returns false if there is a
 * fault, which is noted. */
static bool careful_index(struct market_parser *p, const char **text, const char *what, int64_t max,
                          uint64_t *index)
{
    char word[40];
    int64_t value;
    const char *at = skip_blanks(*text), *end = decimal_integer(at, &value);
    if (!end || !ends_word(end)) {
        char expected[48];
        snprintf(expected, sizeof expected, "%s (an integer)", what);
        unexpected(p, at, expected);
        return false;
    }
    market_word(at, word, sizeof word);
    int first = p->shape->from_zero ? 0 : 1;
    int64_t last = max - 1 + first;
    if (value == 0 && first == 1)
        fault(p, at, "%s 0; indices start at 1; --base=0 reads a file that counts from 0", what);
    else if (value < first)
        fault(p, at, "%s %s is negative; indices start at %d", what, word, first);
    else if (value > last && first == 0)
        fault(p, at,
              "%s %s lies outside the matrix; the size line says %" PRId64 ", which is at most %" PRId64
              " counted from 0",
              what, word, max, max - 1);
    else if (value > last)
        fault(p, at, "%s %s lies outside the matrix; the size line says at most %" PRId64, what, word, max);
    if (value < first || value > last) return false;
    *text = end;
    *index = (uint64_t)(value - first + 1);
    return true;
}

static bool is_integer(const char *text, const char *end)
{
    if (*text == '-' || *text == '+') text++;
    while (text < end && (unsigned char)(*text - '0') < 10)
        text++;
    return text == end;
}

/* Return true if a number is written with a digit other than 0 before its exponent, so that it is not 0. */
static bool has_digits(const char *text, const char *end)
{
    if (*text == '-' || *text == '+') text++;
    bool hexadecimal = (text[1] | 0x20) == 'x';
    for (; text < end; text++) {
        int c = *text | 0x20;
        if (hexadecimal ? c == 'p' : c == 'e' || c == 'd') return false;
        if ((c >= '1' && c <= '9') || (c >= 'a' && c <= 'f')) return true;
    }
    return false;
}

/* Maximum digits of an integer that is certainly an exact double. */
#define EXACT_DIGITS 15

/* Return true if an integer is the value of this double, which is finite. */
static bool is_exact(const char *text, const char *end, double value)
{
    char digits[DBL_MAX_10_EXP + 2];
    if (*text == '-' || *text == '+') text++;
    while (text + 1 < end && *text == '0')
        text++;
    if (end - text <= EXACT_DIGITS) return true;
    int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    return length == end - text && memcmp(digits, text, (size_t)length) == 0;
}

/* Note a number that double precision changes: one that overflows, becomes 0, or is an inexact integer. */
static void note_change(struct market_parser *p, const char *text, const char *end, double value)
{
    enum market_changes kind = MARKET_CHANGES;
    const char *first = text + (*text == '-' || *text == '+');
    if (isinf(value) && (*first | 0x20) != 'i')
        kind = CHANGE_INFINITE;
    else if (value == 0 && has_digits(text, end))
        kind = CHANGE_ZERO;
    else if (p->shape->field == FIELD_INTEGER && is_integer(text, end) && !is_exact(text, end, value))
        kind = CHANGE_ROUNDED;
    if (kind == MARKET_CHANGES) return;
    struct market_change *change = &p->changes[kind];
    p->findings = true;
    if (change->count++) return;
    change->ordinal = p->entry;
    change->value = value;
    market_word(text, change->word, sizeof change->word);
}

/* Read a number and the blanks before it. Returns false if there is a fault, which is noted. */
static bool careful_number(struct market_parser *p, const char **text, const char *what, double *value)
{
    char word[40];
    const char *at = skip_blanks(*text);
    const char *end = *at == '\n' ? NULL : decimal_double(at, value);
    if (!end || !ends_word(end)) {
        unexpected(p, at, what);
        return false;
    }
    if (p->shape->field == FIELD_INTEGER && !is_integer(at, end)) {
        p->findings = p->non_integers = true;
        if (!p->shape->lenient) {
            fault(p, at,
                  "'%s' is not an integer, which the banner promises; --lenient reads the file as real",
                  market_word(at, word, sizeof word));
            return false;
        }
    }
    note_change(p, at, end, *value);
    *text = end;
    return true;
}

static bool careful_values(struct market_parser *p, const char **text, struct entry *entry)
{
    switch (p->shape->field) {
    case FIELD_COMPLEX:
        return careful_number(p, text, "the real part (a number)", &entry->val) &&
               careful_number(p, text, "the imaginary part (a number)", &entry->imaginary);
    case FIELD_REAL:
    case FIELD_INTEGER:
        return careful_number(p, text, "a value (a number)", &entry->val);
    case FIELD_PATTERN:
        break;
    }
    return true;
}

/* For lenient reading of pattern files whose entries have values: skip up to two numbers. Their positions are
 * certain anyway. */
static const char *skip_pattern_values(struct market_parser *p, const char *text)
{
    double unused;
    for (int k = 0; k < 2; k++) {
        const char *at = skip_blanks(text), *end = *at == '\n' ? NULL : decimal_double(at, &unused);
        if (!end || !ends_word(end)) break;
        p->findings = p->pattern_values = true;
        text = end;
    }
    return text;
}

static enum line careful_end(struct market_parser *p, const char *text)
{
    char word[40];
    double number;
    text = skip_blanks(text);
    if (*text == '\n') return LINE_ENTRY;
    if (*text == 0) return fault(p, text, "a NUL byte after the entry; this is not a text file");
    market_word(text, word, sizeof word);
    if (p->shape->field == FIELD_PATTERN && decimal_double(text, &number))
        return fault(p, text,
                     "'%s' after the indices, but the banner says pattern; --lenient ignores such values",
                     word);
    return fault(p, text, "'%s' after the entry; a line holds one entry and nothing else", word);
}

/* Refuse an entry on the diagonal that the symmetry forbids. `values` is the position of its numbers. */
static enum line check_diagonal(struct market_parser *p, const char *values, const struct entry *entry)
{
    if (p->shape->symmetry == SYMMETRY_SKEW && (entry->val != 0 || entry->imaginary != 0))
        return fault(p, skip_blanks(values),
                     "the diagonal of a skew-symmetric matrix is 0, but this entry on it is not");
    if (p->shape->symmetry == SYMMETRY_HERMITIAN && entry->imaginary != 0) {
        double unused;
        return fault(
            p, skip_blanks(decimal_double(skip_blanks(values), &unused)),
            "the diagonal of a hermitian matrix is real, but this entry on it has an imaginary part");
    }
    return LINE_ENTRY;
}

/* Read one line by the whole grammar. */
static __attribute__((noinline)) enum line careful_line(struct market_parser *p, const char *line,
                                                        const char **next, struct entry *entry)
{
    const char *text = skip_blanks(line);
    *next = (const char *)memchr(text, '\n', (size_t)(p->end - text)) + 1;
    *entry = (struct entry){0};
    if (*text == '\n' || *text == '%') return LINE_SKIPPED;
    if (p->shape->coordinate) {
        if (!careful_index(p, &text, "row index", p->shape->rows, &entry->i)) return LINE_FAULT;
        entry->j = 1;
        if (!p->shape->vector && !careful_index(p, &text, "column index", p->shape->cols, &entry->j))
            return LINE_FAULT;
        if (!p->values) return LINE_ENTRY;
    } else {
        entry->i = (uint64_t)p->i + 1;
        entry->j = (uint64_t)p->j + 1;
    }
    const char *values = text;
    if (!careful_values(p, &text, entry)) return LINE_FAULT;
    if (p->shape->field == FIELD_PATTERN && p->shape->lenient) text = skip_pattern_values(p, text);
    enum line end = careful_end(p, text);
    if (end == LINE_ENTRY && entry->i == entry->j) return check_diagonal(p, values, entry);
    return end;
}

static void note_skip(struct market_parser *p, int64_t ordinal)
{
    if (!p->skips) return;
    struct market_skip *last = p->skips_count ? &p->skips[p->skips_count - 1] : NULL;
    if (last && last->ordinal == ordinal)
        last->lines++;
    else
        p->skips[p->skips_count++] = (struct market_skip){(int32_t)ordinal, 1};
}

/* --- the fast parser; unusual lines are left to the careful one --- */

/* Read an index of up to 15 digits. Returns 0 if there are none, and an impossible index if there are
 * more. */
#define NO_INDEX ((uint64_t)1 << 62)

INLINE uint64_t fast_index(const char **text)
{
    unsigned digits, more;
    uint64_t value = decimal_eight(*text, &digits);
    *text += digits;
    if (__builtin_expect(digits == 8, 0)) {
        uint64_t rest = decimal_eight(*text, &more);
        *text += more;
        value = more < 8 ? value * decimal_tens[more] + rest : NO_INDEX;
    }
    return value;
}

/* Read up to 15 digits, which a '-' may precede: their double is exact. Returns NULL if it is anything else.
 */
INLINE const char *fast_integer(const char *text, double *value)
{
    bool negative = *text == '-';
    unsigned digits, more = 0;
    text += negative;
    uint64_t magnitude = decimal_eight(text, &digits);
    text += digits;
    if (digits == 0) return NULL;
    if (digits == 8) {
        uint64_t rest = decimal_eight(text, &more);
        text += more;
        if (more == 8) return NULL;
        magnitude = magnitude * decimal_tens[more] + rest;
    }
    *value = negative ? -(double)magnitude : (double)magnitude;
    return text;
}

/* Read a number. Returns NULL if it is not one, or may be out of range: infinity, and a 0 that is not written
 * as 0, are left to the careful parser. */
INLINE const char *fast_real(const char *text, double *value)
{
    const char *end = decimal_value(text, value);
    if (!end) return NULL;
    if (__builtin_expect(!(fabs(*value) <= DBL_MAX) || *value == 0, 0) &&
        (*value != 0 || has_digits(text, end)))
        return NULL;
    return end;
}

/* Read the values of a line that ends at `newline`. Returns false for unusual lines. */
INLINE bool fast_values(const char *text, const char *newline, enum wanted wanted, struct entry *entry)
{
    if (wanted != WANTED_PATTERN) {
        while (mm_is_blank(*text))
            text++;
        text = wanted == WANTED_INTEGER ? fast_integer(text, &entry->val) : fast_real(text, &entry->val);
        if (!text) return false;
    }
    if (wanted == WANTED_COMPLEX) {
        if (!mm_is_blank(*text)) return false;
        while (mm_is_blank(*text))
            text++;
        text = fast_real(text, &entry->imaginary);
        if (!text) return false;
    }
    while (__builtin_expect(mm_is_blank(*text), 0))
        text++;
    return text == newline;
}

/* Read a coordinate line that ends at `newline`. Returns false if it is for the careful parser, which one on
 * the diagonal is if the symmetry may forbid it. An index is checked by one comparison: from 1 to n, since 0
 * - 1 is larger than any n. One that counts from 0 is first increased by 1. If an index is missing, the
 *   character in its position is not a blank, which is checked after a row index in any case. */
INLINE bool fast_coordinate(const struct market_shape *shape, const char *text, const char *newline,
                            enum wanted wanted, struct entry *entry)
{
    while (__builtin_expect(mm_is_blank(*text), 0))
        text++;
    entry->i = fast_index(&text) + shape->from_zero;
    if (entry->i - 1 >= (uint64_t)shape->rows || !mm_is_blank(*text)) return false;
    entry->j = 1;
    if (wanted == WANTED_ROWS) return true;
    do
        text++;
    while (__builtin_expect(mm_is_blank(*text), 0));
    const char *start = text;
    entry->j = fast_index(&text) + shape->from_zero;
    if (entry->j - 1 >= (uint64_t)shape->cols || text == start) return false;
    if (wanted == WANTED_PLACES) return mm_is_blank(*text) || text == newline;
    if (wanted != WANTED_PATTERN && !mm_is_blank(*text)) return false;
    if (__builtin_expect(entry->i == entry->j, 0) && shape->symmetry >= SYMMETRY_SKEW) return false;
    return fast_values(text, newline, wanted, entry);
}

INLINE void put(const struct market_entries *out, int k, enum wanted wanted, const struct entry *entry)
{
    out->row[k] = (int32_t)(entry->i - 1);
    out->col[k] = (int32_t)(entry->j - 1);
    if (wanted <= WANTED_PLACES) return;
    out->val[k] = wanted == WANTED_PATTERN ? 1 : entry->val;
    if (wanted == WANTED_COMPLEX) out->imaginary[k] = entry->imaginary;
}

/* The same as market_parse for one kind of file, with constant `fast`, `coordinate` and `wanted`: the
 * compiler makes a loop for each. Unless `fast`, the careful parser reads all lines. */
INLINE int parse_lines(struct market_parser *p, const struct market_entries *out, int capacity, bool fast,
                       bool coordinate, enum wanted wanted)
{
    const struct market_shape shape = *p->shape;
    const char *line = p->next, *end = p->end;
    int count = 0;
    while (count < capacity && line < end) {
        struct entry entry;
        /* The line's end is searched first. The processor can then begin the next line before it finishes
         * this one, since the next line's beginning does not depend on this one's numbers. */
        const char *newline = newline_find(line), *next = newline + 1;
        bool good = !fast        ? false
                    : coordinate ? fast_coordinate(&shape, line, newline, wanted, &entry)
                                 : fast_values(line, newline, wanted, &entry);
        if (!coordinate) {
            entry.i = (uint64_t)p->i + 1;
            entry.j = (uint64_t)p->j + 1;
            good = good && (entry.i != entry.j || shape.symmetry < SYMMETRY_SKEW);
        }
        if (__builtin_expect(!good, 0)) {
            p->entry = p->count + count;
            enum line kind = careful_line(p, line, &next, &entry);
            if (kind == LINE_FAULT) break;
            if (kind == LINE_SKIPPED) {
                note_skip(p, p->count + count);
                line = next;
                continue;
            }
        }
        put(out, count++, wanted, &entry);
        if (!coordinate) market_next_place(&shape, &p->i, &p->j);
        p->last = line;
        line = next;
    }
    p->next = line;
    p->count += count;
    return count;
}

int market_parse(struct market_parser *p, const struct market_entries *out, int capacity)
{
    static const enum wanted wanted[] = {[FIELD_REAL] = WANTED_REAL,
                                         [FIELD_INTEGER] = WANTED_INTEGER,
                                         [FIELD_COMPLEX] = WANTED_COMPLEX,
                                         [FIELD_PATTERN] = WANTED_PATTERN};
    bool coordinate = p->shape->coordinate;
    if (coordinate && p->shape->vector)
        return parse_lines(p, out, capacity, false, true, p->values ? wanted[p->shape->field] : WANTED_ROWS);
    if (coordinate && !p->values)
        return p->shape->symmetry == SYMMETRY_GENERAL && !p->columns
                   ? parse_lines(p, out, capacity, true, true, WANTED_ROWS)
                   : parse_lines(p, out, capacity, true, true, WANTED_PLACES);
    switch (p->shape->field) {
    case FIELD_PATTERN:
        return parse_lines(p, out, capacity, true, true, WANTED_PATTERN);
    case FIELD_REAL:
        return coordinate ? parse_lines(p, out, capacity, true, true, WANTED_REAL)
                          : parse_lines(p, out, capacity, true, false, WANTED_REAL);
    case FIELD_INTEGER:
        return coordinate ? parse_lines(p, out, capacity, true, true, WANTED_INTEGER)
                          : parse_lines(p, out, capacity, true, false, WANTED_INTEGER);
    case FIELD_COMPLEX:
        return coordinate ? parse_lines(p, out, capacity, true, true, WANTED_COMPLEX)
                          : parse_lines(p, out, capacity, true, false, WANTED_COMPLEX);
    }
    return 0;
}

/* --- positions of array files, lines --- */

/* Return the number of values of an array file before column j. Column c has `rows` of them, in the lower
 * triangle rows - c, and without the diagonal rows - 1 - c; the sum over c < j is j longest - j (j - 1) /
 * 2. */
static int64_t entries_before(const struct market_shape *shape, int64_t j)
{
    if (shape->symmetry == SYMMETRY_GENERAL) return j * shape->rows;
    int64_t longest = shape->symmetry == SYMMETRY_SKEW ? shape->rows - 1 : shape->rows;
    return j * longest - j * (j - 1) / 2;
}

void market_place(const struct market_shape *shape, int64_t ordinal, int64_t *i, int64_t *j)
{
    int64_t low = 1, high = shape->cols; /* entries_before(low - 1) <= ordinal < entries_before(high) */
    BISECT(low, high, entries_before(shape, middle) <= ordinal);
    *j = low - 1;
    int64_t first = shape->symmetry == SYMMETRY_GENERAL ? 0 : *j + (shape->symmetry == SYMMETRY_SKEW);
    *i = first + ordinal - entries_before(shape, *j);
}

void market_next_place(const struct market_shape *shape, int64_t *i, int64_t *j)
{
    if (++*i < shape->rows) return;
    ++*j;
    *i = shape->symmetry == SYMMETRY_GENERAL ? 0 : *j + (shape->symmetry == SYMMETRY_SKEW);
}

int64_t market_count_entries(const char *text, const char *end)
{
    int64_t count = 0;
    while (text < end) {
        while (mm_is_blank(*text))
            text++;
        count += *text != '\n' && *text != '%';
        text = newline_find(text) + 1;
    }
    return count;
}

int64_t market_count_lines(const char *text, const char *end)
{
    int64_t count = 0;
    for (; text < end; text++)
        count += *text == '\n';
    return count;
}
