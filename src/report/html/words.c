/* Words in HTML: escaped, and nothing but characters. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "report/html/html.h"

/* Decode the UTF-8 character at `bytes`, which end with a 0. Returns how many bytes it has; 0 if there is
 * none (RFC 3629). */
static int decode(const unsigned char *bytes, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = bytes[0] < 0x80   ? 1
                 : bytes[0] < 0xc0 ? 0
                 : bytes[0] < 0xe0 ? 2
                 : bytes[0] < 0xf0 ? 3
                 : bytes[0] < 0xf8 ? 4
                                   : 0;
    if (length == 0) return 0;
    *character = length == 1 ? bytes[0] : bytes[0] & (0x7fU >> length);
    for (int k = 1; k < length; k++) {
        if ((bytes[k] & 0xc0) != 0x80) return 0;
        *character = *character << 6 | (bytes[k] & 0x3f);
    }
    return *character < least[length] ? 0 : length;
}

/* True of what HTML calls control characters, surrogates and noncharacters. */
static bool is_none(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff ||
           (c >= 0xfdd0 && c < 0xfdf0) || (c & 0xfffe) == 0xfffe;
}

void html_words(struct text *text, const char *words)
{
    for (const unsigned char *at = (const unsigned char *)words; *at;) {
        uint32_t character = 0;
        int length = decode(at, &character);
        if (length == 0 || is_none(character))
            text_append_bytes(text, "?", 1);
        else if (character == '&')
            text_append_bytes(text, "&amp;", 5);
        else if (character == '<')
            text_append_bytes(text, "&lt;", 4);
        else if (character == '>')
            text_append_bytes(text, "&gt;", 4);
        else if (character == '"')
            text_append_bytes(text, "&quot;", 6);
        else
            text_append_bytes(text, (const char *)at, (size_t)length);
        at += length ? length : 1;
    }
}

void html_words_most(struct text *text, const char *words, size_t most)
{
    struct text part = {0};
    size_t length = strlen(words);
    text_append_bytes(&part, words, length < most ? length : most);
    if (part.failed)
        text->failed = true;
    else
        html_words(text, part.data);
    if (length > most) text_append(text, " ...");
    text_free(&part);
}
