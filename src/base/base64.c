#include "base/base64.h"

size_t base64_encode(const unsigned char *bytes, size_t n, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (; n >= 3; n -= 3, bytes += 3) {
        unsigned value = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | bytes[2];
        out[used++] = letters[value >> 18];
        out[used++] = letters[value >> 12 & 63];
        out[used++] = letters[value >> 6 & 63];
        out[used++] = letters[value & 63];
    }
    if (n) {
        unsigned value = (unsigned)bytes[0] << 16 | (n > 1 ? (unsigned)bytes[1] << 8 : 0);
        out[used++] = letters[value >> 18];
        out[used++] = letters[value >> 12 & 63];
        out[used++] = n > 1 ? letters[value >> 6 & 63] : '=';
        out[used++] = '=';
    }
    return used;
}

/* The value of a letter; -1 for other characters. */
static int value_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

bool base64_decode(const char *letters, size_t n, unsigned char *out, size_t *used)
{
    *used = 0;
    if (n % 4 != 0) return false;
    for (size_t k = 0; k < n; k += 4) {
        bool last = k + 4 == n;
        int missing = last && letters[k + 3] == '=' ? 1 + (letters[k + 2] == '=') : 0;
        unsigned value = 0;
        for (int i = 0; i < 4; i++) {
            int letter = i < 4 - missing ? value_of(letters[k + (size_t)i]) : 0;
            if (letter < 0) return false;
            value = value << 6 | (unsigned)letter;
        }
        for (int i = 0; i < 3 - missing; i++)
            out[(*used)++] = (unsigned char)(value >> (16 - 8 * i));
    }
    return true;
}

void base64_append(struct text *text, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    char letters[4096];
    const size_t most = sizeof letters / 4 * 3;
    while (n > 0) {
        size_t part = n < most ? n : most;
        text_append_bytes(text, letters, base64_encode(from, part, letters));
        from += part;
        n -= part;
    }
}
