#include "base/words.h"

#include <stdlib.h>
#include <string.h>

int words_decode(const char *bytes, uint32_t *character)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    unsigned lead = byte[0], low = 0x80, high = 0xbf;
    int length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
    *character = length > 1 ? lead & (0x7fU >> length) : lead;
    for (int k = 1; k < length; k++) {
        if (byte[k] < low || byte[k] > high) return 0;
        *character = *character << 6 | (byte[k] & 0x3fU);
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

int words_encode(uint32_t c, char bytes[4])
{
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int k = length - 1; k > 0; k--, c >>= 6)
        bytes[k] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(lead[length] | c);
    return length;
}

void words_append_character(struct text *text, uint32_t character)
{
    char bytes[4];
    text_append_bytes(text, bytes, (size_t)words_encode(character, bytes));
}

bool words_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *words_next(const char *words)
{
    do
        words++;
    while (words_continues(*words));
    return words;
}

size_t words_cut(const char *words, size_t most)
{
    size_t length = strlen(words);
    if (length <= most) return length;
    while (most > 0 && words_continues(words[most]))
        most--;
    return most;
}

const char *words_end(const char *words, size_t most)
{
    size_t length = strlen(words);
    if (length > most) words += length - most;
    while (words_continues(*words))
        words++;
    return words;
}

bool words_control(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0), surrogate = c >= 0xd800 && c < 0xe000;
    bool separator = c == 0x2028 || c == 0x2029;
    bool direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    bool none = (c >= 0xfdd0 && c < 0xfdf0) || (c & 0xfffe) == 0xfffe || c > 0x10ffff;
    return control || surrogate || separator || direction || none;
}

/* Replace invisible characters in place, byte by byte; with `lines` keep line ends and tabs. */
static void replace(char *words, size_t length, bool lines)
{
    for (size_t k = 0; k < length;) {
        uint32_t character;
        int count = words_decode(words + k, &character);
        bool kept = count && (!words_control(character) || (lines && (words[k] == '\n' || words[k] == '\t')));
        if (count == 0) count = 1;
        if (!kept) memset(words + k, '?', (size_t)count);
        k += (size_t)count;
    }
}

char *text_visible(char *words)
{
    replace(words, strlen(words), false);
    return words;
}

void words_check_lines(char *lines, size_t length)
{
    replace(lines, length, true);
}

static void append_xml(struct text *text, const char *bytes, size_t length)
{
    const char *escaped = bytes[0] == '&'   ? "&amp;"
                          : bytes[0] == '<' ? "&lt;"
                          : bytes[0] == '>' ? "&gt;"
                          : bytes[0] == '"' ? "&quot;"
                                            : NULL;
    if (escaped)
        text_append_bytes(text, escaped, strlen(escaped));
    else
        text_append_bytes(text, bytes, length);
}

/* JSON keeps every character, and writes invisible ones by number: two numbers beyond 16 bits. */
static void append_json(struct text *text, const char *bytes, size_t length, uint32_t character)
{
    if (character == '\n' || character == '\t')
        text_append(text, character == '\n' ? "\\n" : "\\t");
    else if (words_control(character) && character > 0xffff)
        text_append(text, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (character >> 10)),
                    (unsigned)(0xdc00 + (character & 0x3ff)));
    else if (words_control(character))
        text_append(text, "\\u%04x", (unsigned)character);
    else if (character == '"' || character == '\\')
        text_append(text, "\\%c", (char)character);
    else
        text_append_bytes(text, bytes, length);
}

static void append_character(struct text *text, enum medium medium, const char *bytes, size_t length,
                             uint32_t character)
{
    if (medium == MEDIUM_JSON) {
        append_json(text, bytes, length, character);
    } else if (words_control(character)) {
        text_append_bytes(text, "?", 1);
    } else if (medium == MEDIUM_XML) {
        append_xml(text, bytes, length);
    } else {
        if (medium == MEDIUM_MARKDOWN && strchr("\\`*_{}[]<>#|~&$", bytes[0]))
            text_append_bytes(text, "\\", 1);
        if (medium == MEDIUM_CSV && bytes[0] == '"') text_append_bytes(text, "\"", 1);
        text_append_bytes(text, bytes, length);
    }
}

/* True for words that a spreadsheet would evaluate. */
static bool is_formula(const char *words)
{
    char *end;
    if (!words[0] || !words[1] || !strchr("=+-@", words[0])) return false;
    strtod(words, &end);
    return *end || !strchr("0123456789.", words[1]);
}

void words_append_most(struct text *text, enum medium medium, const char *words, size_t most)
{
    bool quoted = medium == MEDIUM_JSON || (medium == MEDIUM_CSV && words[strcspn(words, ",\"")]);
    if (quoted) text_append_bytes(text, "\"", 1);
    if (medium == MEDIUM_CSV && is_formula(words)) text_append_bytes(text, "'", 1);
    for (size_t k = 0; k < most && words[k];) {
        uint32_t character;
        size_t length = (size_t)words_decode(words + k, &character);
        if (length > most - k) break;
        if (length)
            append_character(text, medium, words + k, length, character);
        else
            text_append(text, medium == MEDIUM_JSON ? "\xef\xbf\xbd" : "?");
        k += length ? length : 1;
    }
    if (quoted) text_append_bytes(text, "\"", 1);
}

void words_append(struct text *text, enum medium medium, const char *words)
{
    words_append_most(text, medium, words, SIZE_MAX);
}
