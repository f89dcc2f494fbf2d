#include "fuzz/mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

uint64_t mutate_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dULL;
}

/* A number below `count`, 0 if that is 0. */
static size_t below(uint64_t *state, size_t count)
{
    return count ? (size_t)((mutate_random(state) >> 16) % count) : 0;
}

/* Numbers and words that programs stumble over. */
static const char *const words[] = {
    "0",        "-1",         "1e999",      "-0",         "nan",
    "inf",      "2147483647", "2147483648", "4294967296", "9223372036854775807",
    "1e-400",   "%",          "#",          "\n",         "\r\n",
    " ",        "\t",         ",",          ":",          "=",
    "*",        "\"",         "{}",         "[",          "null",
    "1.5d3",    "(",          ")",          "99999(",     "\xff",
    "\xc2\x9b", "\x1b[",      "1 1 1\n",
};

/* Replace `cut` bytes at `at` by bytes. */
static size_t splice(uint8_t *out, size_t size, size_t room, size_t at, size_t cut, const void *bytes,
                     size_t count)
{
    if (cut > size - at) cut = size - at;
    if (count > room - (size - cut)) count = room - (size - cut);
    memmove(out + at + count, out + at + cut, size - at - cut);
    if (count) memcpy(out + at, bytes, count);
    return size - cut + count;
}

/* Change the decimal number at or behind a position. */
static size_t change_number(uint8_t *out, size_t size, size_t room, uint64_t *state)
{
    char number[32];
    size_t at = below(state, size), end;
    while (at < size && (out[at] < '0' || out[at] > '9'))
        at++;
    for (end = at; end < size && out[end] >= '0' && out[end] <= '9';)
        end++;
    if (at == end) return size;
    static const long long around[] = {0, 1, 2, 7, 255, 65536, 2147483647, 2147483648, 4294967297};
    long long value = around[below(state, sizeof around / sizeof *around)] + (long long)below(state, 3) - 1;
    snprintf(number, sizeof number, "%lld", value);
    return splice(out, size, room, at, end - at, number, strlen(number));
}

static size_t change_once(const struct corpus *corpus, uint8_t *out, size_t size, size_t room,
                          uint64_t *state)
{
    size_t at = below(state, size + 1), length = 1 + below(state, below(state, 4) ? 4 : 64);
    uint8_t byte = (uint8_t)mutate_random(state), copied[64];
    if (size == 0) return splice(out, size, room, 0, 0, &byte, 1);
    switch (below(state, 10)) {
    case 0:
        out[at % size] ^= (uint8_t)(1 << byte % 8);
        return size;
    case 1:
        out[at % size] = byte;
        return size;
    case 2:
        out[at % size] = byte & 1 ? 0 : 0xff;
        return size;
    case 3:
        return splice(out, size, room, at, length, NULL, 0);
    case 4:
        return splice(out, size, room, at, 0, &byte, 1);
    case 5:
        return below(state, 4) ? size : at;
    case 6: {
        const char *word = words[below(state, sizeof words / sizeof *words)];
        return splice(out, size, room, at, below(state, 2) ? strlen(word) : 0, word, strlen(word));
    }
    case 7: {
        size_t from = below(state, size);
        if (length > size - from) length = size - from;
        memcpy(copied, out + from, length);
        return splice(out, size, room, at, below(state, 2) ? length : 0, copied, length);
    }
    case 8: {
        const struct seed *other = &corpus->seeds[below(state, (size_t)corpus->count)];
        size_t from = below(state, other->size), count = below(state, other->size - from + 1);
        return splice(out, size, room, at, below(state, 2) ? count : 0, other->bytes + from, count);
    }
    default:
        return change_number(out, size, room, state);
    }
}

size_t mutate(const struct corpus *corpus, uint64_t *state, uint8_t *out, size_t room)
{
    const struct seed *seed = &corpus->seeds[below(state, (size_t)corpus->count)];
    size_t size = seed->size < room ? seed->size : room;
    memcpy(out, seed->bytes, size);
    for (size_t changes = 1 + below(state, 4); changes > 0; changes--)
        size = change_once(corpus, out, size, room, state);
    return size;
}
