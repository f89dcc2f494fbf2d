/* Fuzz targets of numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/text.h"
#include "fuzz/targets.h"
#include "matrix/files/boeing/boeing.h"
#include "matrix/files/decimal.h"
#include "matrix/files/decimal_write.h"
#include "matrix/files/npz/npy.h"

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A number is read as the C library reads it, whose exponents have no d, to the same bits. */
int fuzz_decimal(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    double value = 0, fast = 0;
    int64_t integer = 0;
    char *text = input_rest(&input), *plain, *end;
    text = realloc(text, size + 2 * DECIMAL_PADDING);
    if (!text) abort();
    memset(text + size, 0, 2 * DECIMAL_PADDING);
    plain = strdup(text);
    const char *read = decimal_double(text, &value), *inlined = decimal_value(text, &fast);
    if (read != inlined || (read && bits_of(value) != bits_of(fast)))
        fuzz_wrong("%s: two readers differ", text);
    size_t sign = plain[0] == '-' || plain[0] == '+';
    bool hexadecimal = plain[sign] == '0' && (plain[sign + 1] == 'x' || plain[sign + 1] == 'X');
    char *letter = hexadecimal ? NULL : strpbrk(plain, "dD");
    if (letter && read && letter - plain < read - text) *letter = 'e';
    double expected = strtod(plain, &end);
    bool blank = strchr(" \t\n\v\f\r", text[0]) && text[0];
    if (!blank && read &&
        (end - plain != read - text || (value == value && bits_of(value) != bits_of(expected))))
        fuzz_wrong("%s is %a, not %a", text, expected, value);
    if (!blank && !read && end != plain) fuzz_wrong("%s is a number, %a", text, expected);
    const char *behind = decimal_integer(text, &integer);
    if (behind && (behind <= text || (behind[-1] < '0' || behind[-1] > '9')))
        fuzz_wrong("%s: no end of digits", text);
    free(plain);
    free(text);
    return read != NULL;
}

/* A number is written so that the C library reads the same bits, and in as few bytes as format_exact takes.
 */
int fuzz_decimal_bits(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    for (int k = 0; k < 8 && input.left; k++) {
        uint64_t bits = input_number(&input, 8);
        double value;
        char text[DECIMAL_BYTES + 1], exact[32];
        memcpy(&value, &bits, sizeof value);
        char *end = decimal_write(text, value);
        if (end - text > DECIMAL_BYTES) fuzz_wrong("%a takes %d bytes", value, (int)(end - text));
        *end = 0;
        double again = strtod(text, NULL);
        if (value == value ? bits_of(again) != bits : again == again)
            fuzz_wrong("%a is written as %s", value, text);
        format_exact(exact, sizeof exact, value);
        if (strcmp(exact, text) != 0) fuzz_wrong("%a is written as %s, and as %s", value, text, exact);
        end = decimal_write_integer(text, (int64_t)bits);
        *end = 0;
        if (strtoll(text, NULL, 10) != (int64_t)bits)
            fuzz_wrong("%lld is written as %s", (long long)bits, text);
    }
    return size > 0;
}

/* A format, and behind a line end a line that it is of. */
int fuzz_fortran(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct line_format format;
    char *text = input_text(&input, '\n');
    size_t length = input.left;
    char *line = input_rest(&input);
    line = realloc(line, length + DECIMAL_PADDING);
    if (!line) abort();
    memset(line + length, 0, DECIMAL_PADDING);
    const char *fault = format_read(text, text + strlen(text), &format), *end = line + length;
    for (int k = 0; !fault && k < format.count; k++) {
        const struct field_place *field = &format.fields[k];
        int64_t integer;
        int32_t index;
        double real, fast;
        if (field->start < 0 || field->width < 1)
            fuzz_wrong("field %d: %d, %d", k, field->start, field->width);
        bool read = field_real(field, line, end, &real) == NULL;
        if (field_real_fast(field, line, end, &fast) &&
            (!read || (fast == fast && bits_of(fast) != bits_of(real))))
            fuzz_wrong("field %d: %a, and %a", k, fast, real);
        bool whole = field_integer(field, line, end, &integer) == NULL;
        if (field_index_fast(field, line, end, 1000000, &index) && (!whole || index != (int32_t)integer))
            fuzz_wrong("field %d: %d, and %lld", k, (int)index, (long long)integer);
        field_is_split(field, line, end);
        field_has_two(field, line, end);
    }
    line_words(line, end);
    free(text);
    free(line);
    return fault == NULL;
}

int fuzz_npy(const uint8_t *data, size_t size)
{
    struct npy npy;
    if (npy_read((const char *)data, (int64_t)size, &npy)) return 0;
    if (npy.bytes < 0 || npy.bytes > (int64_t)size || npy.dimensions > NPY_DIMENSIONS || npy.count < 0)
        fuzz_wrong("a header of %lld bytes, %d dimensions", (long long)npy.bytes, npy.dimensions);
    return 1;
}

/* Bytes become letters and bytes again; letters that are read are those that are written. */
int fuzz_letters(const uint8_t *data, size_t size)
{
    size_t used = 0;
    char *letters = malloc(size / 3 * 4 + 5);
    unsigned char *bytes = malloc(size + 4);
    struct text text = {0};
    if (!letters || !bytes) abort();
    size_t count = base64_encode(data, size, letters);
    if (!base64_decode(letters, count, bytes, &used) || used != size || (size && memcmp(bytes, data, size)))
        fuzz_wrong("%zu bytes become %zu", size, used);
    bool read = base64_decode((const char *)data, size, bytes, &used);
    if (read && used > size / 4 * 3) fuzz_wrong("%zu letters are %zu bytes", size, used);
    text_append_bytes(&text, (const char *)data, size);
    if (text.data) text_visible(text.data);
    for (const char *at = text.data; at && *at; at++)
        if ((unsigned char)*at < 32 || *at == 127) fuzz_wrong("byte %d is visible", *at);
    text_free(&text);
    free(letters);
    free(bytes);
    return read;
}
