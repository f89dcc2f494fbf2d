#include "drawing/deflate.h"

#include <string.h>

#define LENGTH_MIN 3       /* of what is repeated */
#define LENGTH_MAX 258     /* the same */
#define DISTANCE_MAX 32768 /* from which it is repeated */
#define ROW_MIN 4          /* a shorter repetition of the row above takes as many bits as its bytes do */
#define BLOCK 4096         /* so many bytes are collected before they are appended */
#define END_OF_BLOCK 256

/* Bits are packed into bytes from the lowest on (RFC 1951, section 3.1.1). */
struct bits {
    struct text *out;
    uint64_t held; /* bits that are not in `bytes` yet, */
    int count;     /* and how many they are */
    size_t used;
    char bytes[BLOCK + 8];
};

/* Move so many whole bytes to `bytes`. */
static inline void flush(struct bits *bits, int count)
{
    for (int k = 0; k < count; k++)
        bits->bytes[bits->used + (size_t)k] = (char)(bits->held >> 8 * k & 255);
    bits->used += (size_t)count;
    bits->held >>= 8 * count;
    bits->count -= 8 * count;
    if (bits->used < BLOCK) return;
    text_append_bytes(bits->out, bits->bytes, bits->used);
    bits->used = 0;
}

/* Put at most 16 bits. */
static inline void put(struct bits *bits, uint32_t value, int count)
{
    bits->held |= (uint64_t)value << bits->count;
    bits->count += count;
    if (bits->count >= 32) flush(bits, 4);
}

static uint32_t reversed(uint32_t value, int count)
{
    uint32_t result = 0;
    for (int k = 0; k < count; k++, value >>= 1)
        result = result << 1 | (value & 1);
    return result;
}

/* The code of a symbol, ready to be put: codes begin with their highest bit. */
struct code {
    uint16_t code;
    uint8_t length;
};

/* The fixed codes of literals and lengths (section 3.2.6). */
static void make_codes(struct code codes[288])
{
    for (uint32_t s = 0; s < 288; s++) {
        int length = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
        uint32_t code = s < 144 ? 0x30 + s : s < 256 ? 0x190 + s - 144 : s < 280 ? s - 256 : 0xc0 + s - 280;
        codes[s] = (struct code){(uint16_t)reversed(code, length), (uint8_t)length};
    }
}

/* Lengths and distances come in groups, whose size is a power of two: the symbol names the group, and `extra`
 * bits after it the member (section 3.2.5). */
struct group {
    uint16_t symbol;
    uint8_t extra;
    uint16_t member;
};

static struct group group_of_length(size_t length)
{
    uint32_t rest = (uint32_t)length - LENGTH_MIN;
    if (length == LENGTH_MAX) return (struct group){285, 0, 0};
    int extra = 0;
    while (rest >> extra >= 8)
        extra++;
    uint32_t symbol = 257 + 4 * (uint32_t)extra + (rest >> extra);
    return (struct group){(uint16_t)symbol, (uint8_t)extra, (uint16_t)(rest & ((1u << extra) - 1))};
}

static struct group group_of_distance(size_t distance)
{
    uint32_t rest = (uint32_t)distance - 1;
    int extra = 0;
    while (rest >> extra >= 4)
        extra++;
    uint32_t symbol = 2 * (uint32_t)extra + (rest >> extra);
    return (struct group){(uint16_t)symbol, (uint8_t)extra, (uint16_t)(rest & ((1u << extra) - 1))};
}

/* How many of at most `most` bytes repeat those that are `distance` before them. */
static inline size_t repeated(const uint8_t *bytes, size_t distance, size_t most)
{
    const uint8_t *before = bytes - distance;
    size_t k = 0;
    for (; k + 8 <= most; k += 8) {
        uint64_t a, b;
        memcpy(&a, bytes + k, 8);
        memcpy(&b, before + k, 8);
        if (a != b) break;
    }
    while (k < most && bytes[k] == before[k])
        k++;
    return k;
}

static void put_repetition(struct bits *bits, const struct code *codes, size_t length, size_t distance)
{
    struct group a = group_of_length(length), b = group_of_distance(distance);
    put(bits, codes[a.symbol].code, codes[a.symbol].length);
    put(bits, a.member, a.extra);
    put(bits, reversed(b.symbol, 5), 5);
    put(bits, b.member, b.extra);
}

/* Adler's checksum (RFC 1950, section 9). So many bytes can be summed up before 32 bits overflow. */
#define ADLER_RUN 5552

static uint32_t checksum(const uint8_t *bytes, size_t count)
{
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < count;) {
        size_t end = count - k > ADLER_RUN ? k + ADLER_RUN : count;
        for (; k < end; k++) {
            a += bytes[k];
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

void deflate_write(const uint8_t *bytes, size_t count, size_t row, struct text *out)
{
    struct bits bits = {.out = out};
    struct code codes[288];
    bool above = row > 0 && row <= DISTANCE_MAX;
    make_codes(codes);
    put(&bits, 0x0178, 16); /* deflate with a window of 32 KiB, made fast */
    put(&bits, 3, 3);       /* the last block, with the fixed codes */
    for (size_t k = 0; k < count;) {
        size_t most = count - k < LENGTH_MAX ? count - k : LENGTH_MAX;
        size_t same = k > 0 && bytes[k] == bytes[k - 1] ? repeated(bytes + k, 1, most) : 0;
        bool like_above = above && k >= row && same < most && bytes[k] == bytes[k - row];
        size_t rows = like_above ? repeated(bytes + k, row, most) : 0;
        if (rows >= ROW_MIN && rows > same) {
            put_repetition(&bits, codes, rows, row);
            k += rows;
        } else if (same >= LENGTH_MIN) {
            put_repetition(&bits, codes, same, 1);
            k += same;
        } else {
            put(&bits, codes[bytes[k]].code, codes[bytes[k]].length);
            k++;
        }
    }
    put(&bits, codes[END_OF_BLOCK].code, codes[END_OF_BLOCK].length);
    if (bits.count % 8) put(&bits, 0, 8 - bits.count % 8);
    uint32_t sum = checksum(bytes, count);
    for (int shift = 24; shift >= 0; shift -= 8)
        put(&bits, sum >> shift & 255, 8);
    flush(&bits, bits.count / 8);
    text_append_bytes(out, bits.bytes, bits.used);
}
