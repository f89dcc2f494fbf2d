#include "matrix/files/boeing/boeing.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "matrix/files/decimal.h"

/* Maximum characters of a number, more than any double needs. */
#define FIELD_CHARACTERS 200

/* Maximum of numbers and columns in formats. */
#define NUMBER_MAX 1000

/* Maximum passes over groups: groups without numbers would make a short text endless. */
#define GROUPS_MAX 4096

/* A format that is being read. */
struct scan {
    const char *text, *end;
    struct line_format *format;
    int column, scale, depth, groups;
};

static void skip_blanks(struct scan *scan)
{
    while (scan->text < scan->end && (*scan->text == ' ' || *scan->text == ','))
        scan->text++;
}

/* Read digits. Returns -1 if there are none, and NUMBER_MAX + 1 for larger ones. */
static int read_number(struct scan *scan)
{
    int value = -1;
    while (scan->text < scan->end && isdigit((unsigned char)*scan->text)) {
        value = (value < 0 ? 0 : value) * 10 + (*scan->text++ - '0');
        if (value > NUMBER_MAX) value = NUMBER_MAX + 1;
    }
    return value;
}

static char peek(const struct scan *scan)
{
    return scan->text < scan->end ? (char)toupper((unsigned char)*scan->text) : 0;
}

/* Read Iw, Ew.d and the like, `repeat` times. */
static const char *read_descriptor(struct scan *scan, int repeat)
{
    char kind = peek(scan);
    if (!kind || !strchr("IEDFG", kind)) return "is not a format of numbers";
    scan->text++;
    if (kind == 'E' && (peek(scan) == 'S' || peek(scan) == 'N'))
        scan->text++; /* these differ only when they are written */
    int width = read_number(scan), decimals = 0;
    if (peek(scan) == '.') {
        scan->text++;
        decimals = read_number(scan);
        if (peek(scan) == 'E') { /* the digits of the exponent, which matter only for writing */
            scan->text++;
            read_number(scan);
        }
    }
    if (width <= 0 || width > NUMBER_MAX || decimals < 0 || decimals > NUMBER_MAX) return "has no widths";
    for (int k = 0; k < repeat; k++) {
        if (scan->format->count == FORMAT_FIELDS || scan->column + width > SHRT_MAX) return "is too long";
        scan->format->fields[scan->format->count++] = (struct field_place){
            (short)scan->column, (short)width, (short)(kind == 'I' ? 0 : decimals), (short)scan->scale};
        scan->column += width;
    }
    scan->format->integers = scan->format->integers && kind == 'I';
    return NULL;
}

/* Read the items between parentheses, of which the first has been read. */
static const char *read_items(struct scan *scan)
{
    const char *wrong = NULL;
    if (++scan->depth > 4 || ++scan->groups > GROUPS_MAX) return "has too many parentheses";
    for (skip_blanks(scan); peek(scan) != ')'; skip_blanks(scan)) {
        bool negative = peek(scan) == '-';
        if (negative || peek(scan) == '+') scan->text++;
        int repeat = read_number(scan);
        if (repeat > NUMBER_MAX || (negative && peek(scan) != 'P')) return "has numbers that are too large";
        if (repeat == 0 && peek(scan) != 'P') return "repeats something 0 times";
        if (peek(scan) == 'P') {
            if (repeat < 0) return "is not a format of numbers";
            scan->scale = negative ? -repeat : repeat;
            scan->text++;
        } else if (peek(scan) == 'X') {
            scan->column += repeat < 0 ? 1 : repeat;
            if (scan->column > SHRT_MAX) return "is too long";
            scan->text++;
        } else if (peek(scan) == '(') {
            const char *inner = ++scan->text;
            for (int k = 0; k < (repeat < 0 ? 1 : repeat) && !wrong; k++) {
                scan->text = inner;
                wrong = read_items(scan);
            }
        } else
            wrong = read_descriptor(scan, repeat < 0 ? 1 : repeat);
        if (wrong) return wrong;
        if (scan->text >= scan->end) return "has no end";
    }
    scan->text++;
    scan->depth--;
    return NULL;
}

const char *format_read(const char *text, const char *end, struct line_format *format)
{
    struct scan scan = {.text = text, .end = end, .format = format};
    *format = (struct line_format){.integers = true};
    skip_blanks(&scan);
    if (peek(&scan) != '(') return "does not begin with a parenthesis";
    scan.text++;
    const char *wrong = read_items(&scan);
    return wrong ? wrong : format->count ? NULL : "has no numbers";
}

bool field_index_fast(const struct field_place *field, const char *line, const char *end, uint64_t most,
                      int32_t *index)
{
    const char *text = line + field->start, *stop = text + field->width;
    if (stop > end || field->width > 16) return false;
    while (text < stop && *text == ' ')
        text++;
    uint64_t number = 0;
    for (; text < stop; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (digit > 9) return false;
        number = number * 10 + digit;
    }
    *index = (int32_t)number;
    return number - 1 < most;
}

const char *field_integer(const struct field_place *field, const char *line, const char *end, int64_t *value)
{
    const char *text = line + field->start, *stop = text + field->width;
    bool negative = false, digits = false;
    int64_t number = 0;
    if (stop > end) stop = end;
    while (text < stop && *text == ' ')
        text++;
    if (text < stop && (*text == '-' || *text == '+')) negative = *text++ == '-';
    for (; text < stop; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (digit > 9) {
            if (*text == ' ' || *text == '\r' || *text == '\t') continue;
            return "is no whole number";
        }
        digits = true;
        if (number > (INT64_MAX - 9) / 10) return "is too large";
        number = number * 10 + digit;
    }
    if (!digits) return "is missing";
    *value = negative ? -number : number;
    return NULL;
}

/* Read a number with all that Fortran allows. */
static const char *careful_real(const struct field_place *field, const char *text, const char *stop,
                                double *value)
{
    char number[FIELD_CHARACTERS + 48 + DECIMAL_PADDING];
    int length = 0;
    bool point = false, digits = false, exponent = false;
    int64_t power = 0;
    memset(number, 0, sizeof number);
    for (; text < stop; text++) {
        char c = *text;
        if (c == ' ' || c == '\r' || c == '\t') continue;
        if (length == FIELD_CHARACTERS) return "is too long";
        if (isdigit((unsigned char)c))
            digits = true;
        else if (c == '.' && !point)
            point = true;
        else if (digits && (c == '+' || c == '-' || strchr("EDed", c))) {
            exponent = true;
            break;
        } else if (length > 0 || (c != '+' && c != '-')) {
            /* Not a number of digits: inf and nan are left to strtod, with their sign. */
            int sign = length;
            if (digits || point) return "is no number";
            for (const char *from = text; from < stop && length < 16; from++)
                if (!strchr(" \r\t", *from)) number[length++] = *from;
            number[length] = 0;
            const char *end = isalpha((unsigned char)number[sign]) ? decimal_double(number, value) : NULL;
            return end && !*end ? NULL : "is no number";
        }
        number[length++] = c;
    }
    if (!digits) return length ? "is no number" : "is missing";
    if (exponent) {
        char tail[24];
        int count = 0;
        if (strchr("EDed", *text)) text++;
        for (; text < stop && count < 20; text++)
            if (!strchr(" \r\t", *text)) tail[count++] = *text;
        memset(tail + count, 0, sizeof tail - (size_t)count);
        const char *end = decimal_integer(tail, &power);
        if (!end || *end) return "has no exponent";
        if (power > 100000) power = 100000;
        if (power < -100000) power = -100000;
    } else
        power = -field->scale;
    if (!point) power -= field->decimals;
    snprintf(number + length, 32, "e%d", (int)power);
    return decimal_double(number, value) ? NULL : "is no number";
}

bool field_is_split(const struct field_place *field, const char *line, const char *end)
{
    const char *text = line + field->start, *stop = text + field->width;
    if (stop > end) stop = end;
    while (stop > text && strchr(" \t\r", stop[-1]))
        stop--;
    while (text < stop && strchr(" \t", *text))
        text++;
    for (; text < stop; text++)
        if (*text == ' ' || *text == '\t') return true;
    return false;
}

bool field_has_two(const struct field_place *field, const char *line, const char *end)
{
    const char *text = line + field->start, *stop = text + field->width;
    bool digit = false, blank = false;
    if (stop > end) stop = end;
    for (; text < stop; text++) {
        bool is_blank = strchr(" \t\r", *text) != NULL;
        if (!is_blank && digit && blank && isdigit((unsigned char)*text)) return true;
        if (!is_blank) digit = isdigit((unsigned char)*text);
        blank = is_blank;
    }
    return false;
}

int line_words(const char *line, const char *end)
{
    int count = 0;
    bool inside = false;
    for (; line < end; line++) {
        bool blank = strchr(" \t\r", *line) != NULL;
        count += !blank && !inside;
        inside = !blank;
    }
    return count;
}

/* True if the number has a point, mostly before or after the first digit. */
static inline bool has_point(const char *text, const char *stop)
{
    const char *digit = text + (*text == '-');
    return *digit == '.' || digit[1] == '.' || memchr(text, '.', (size_t)(stop - text));
}

bool field_real_fast(const struct field_place *field, const char *line, const char *end, double *value)
{
    const char *text = line + field->start, *stop = text + field->width;
    if (stop > end) stop = end;
    while (text < stop && *text == ' ')
        text++;
    /* The number must be terminated, and written as in C. */
    if (text >= stop || (*stop != ' ' && *stop != '-' && *stop != '\n' && *stop != '\r')) return false;
    if (!has_point(text, stop)) return false;
    if (field->scale != 0 && !memchr(text, 'E', (size_t)(stop - text)) &&
        !memchr(text, 'D', (size_t)(stop - text)))
        return false;
    const char *after = decimal_value(text, value);
    while (after && after < stop && (*after == ' ' || *after == '\r'))
        after++;
    return after == stop;
}

const char *field_real(const struct field_place *field, const char *line, const char *end, double *value)
{
    const char *text = line + field->start, *stop = text + field->width;
    if (stop > end) stop = end;
    if (text >= stop) return "is missing";
    return field_real_fast(field, line, end, value) ? NULL : careful_real(field, text, stop, value);
}
