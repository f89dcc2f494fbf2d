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
