#include "fuzz/repair.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

size_t repair_nothing(uint8_t *data, size_t size, size_t room)
{
    return size;
}

static void put(uint8_t *at, uint32_t number, int bytes)
{
    for (int k = 0; k < bytes; k++)
        at[k] = (uint8_t)(number >> 8 * k);
}

static uint32_t get(const uint8_t *at, int bytes)
{
    uint32_t number = 0;
    for (int k = 0; k < bytes; k++)
        number |= (uint32_t)at[k] << 8 * k;
    return number;
}

/* --- zip --- */

#define LOCAL 30 /* bytes before the name in front of a member, */
#define ENTRY 46 /* in the directory, */
#define END 22   /* and of the end of the directory */
#define MEMBERS 16

/* Return where the next member, or else the directory or the end, begins behind `from`. */
static size_t next_mark(const uint8_t *data, size_t size, size_t from)
{
    for (size_t k = from; k + 4 <= size; k++)
        if (data[k] == 'P' && data[k + 1] == 'K' &&
            ((data[k + 2] == 3 && data[k + 3] == 4) || (data[k + 2] == 1 && data[k + 3] == 2)))
            return k;
    return size;
}

/* The size that a stored member's array has, which a deflated one tells when it is inflated. */
static uint32_t unpacked(const uint8_t *bytes, size_t size, bool deflated, uint32_t *crc)
{
    static uint8_t out[1 << 16];
    z_stream stream = {0};
    if (!deflated) {
        *crc = (uint32_t)crc32(0, bytes, (uInt)size);
        return (uint32_t)size;
    }
    stream.next_in = (uint8_t *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = sizeof out;
    if (inflateInit2(&stream, -15) == Z_OK) inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    *crc = (uint32_t)crc32(0, out, (uInt)stream.total_out);
    return (uint32_t)stream.total_out;
}

size_t repair_npz(uint8_t *data, size_t size, size_t room)
{
    size_t from[MEMBERS], used = 0, at = next_mark(data, size, 0), first = at;
    int count = 0;
    while (count < MEMBERS && at + LOCAL <= size && data[at + 2] == 3) {
        size_t next = next_mark(data, size, at + LOCAL),
               behind = at + LOCAL + get(data + at + 26, 2) + get(data + at + 28, 2);
        uint32_t crc;
        if (behind > next) return size;
        data[at + 6] &= 0xf6; /* neither encrypted nor followed by its sizes */
        if (data[at + 8]) put(data + at + 8, 8, 2);
        uint32_t bytes = unpacked(data + behind, next - behind, data[at + 8] == 8, &crc);
        put(data + at + 14, crc, 4);
        put(data + at + 18, (uint32_t)(next - behind), 4);
        put(data + at + 22, bytes, 4);
        from[count++] = at;
        used = next;
        at = next;
    }
    size_t directory = used;
    for (int k = 0; k < count; k++) {
        const uint8_t *local = data + from[k];
        size_t name = get(local + 26, 2);
        if (used + ENTRY + name + END > room) return size;
        uint8_t *entry = data + used;
        memmove(entry + ENTRY, local + LOCAL, name);
        memcpy(entry, "PK\1\2\x14\0", 6);
        memcpy(entry + 6, local + 4, 24);
        put(entry + 28, (uint32_t)name, 2);
        memset(entry + 30, 0, 12);
        put(entry + 42, (uint32_t)(from[k] - first), 4);
        used += ENTRY + name;
    }
    if (!count || used + END > room) return size;
    memset(data + used, 0, END);
    memcpy(data + used, "PK\5\6", 4);
    put(data + used + 8, (uint32_t)count, 2);
    put(data + used + 10, (uint32_t)count, 2);
    put(data + used + 12, (uint32_t)(used - directory), 4);
    put(data + used + 16, (uint32_t)directory, 4);
    memmove(data, data + first, used + END - first);
    put(data + used - first + 16, (uint32_t)(directory - first), 4);
    return used + END - first;
}

/* --- the others --- */

/* Elements follow each other from byte 128 on: a type and a length of 4 bytes each, and the length is padded
 * to 8 bytes but of compressed elements. The first element that reaches beyond the end is made to end there.
 */
size_t repair_mat(uint8_t *data, size_t size, size_t room)
{
    size_t at = 128;
    while (at + 8 <= size && size - at - 8 >= get(data + at + 4, 4))
        at += 8 + get(data + at + 4, 4);
    if (at + 8 <= size) put(data + at + 4, (uint32_t)(size - at - 8), 4);
    return size;
}

static uint32_t big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_big(uint8_t *at, uint32_t number)
{
    for (int k = 0; k < 4; k++)
        at[k] = (uint8_t)(number >> (24 - 8 * k));
}

/* class, rows, columns, entries, the length of each row, a column and a double of each entry, all with the
 * highest byte first. */
size_t repair_petsc(uint8_t *data, size_t size, size_t room)
{
    if (size < 16) return size;
    uint32_t rows = big(data + 4), entries = 0;
    if (rows > (size - 16) / 4) put_big(data + 4, rows = rows % (uint32_t)((size - 16) / 4 + 1));
    for (uint32_t k = 0; k < rows; k++)
        entries += big(data + 16 + 4 * k);
    put_big(data + 12, entries);
    size_t wanted = 16 + 4 * (size_t)rows + 12 * (size_t)entries;
    if (wanted > room) return size;
    if (wanted > size) memset(data + size, 0, wanted - size);
    return wanted;
}

/* Return where the line behind this one begins. */
static const char *next_line(const char *at, const char *end)
{
    const char *found = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return found ? found + 1 : end;
}

/* Line 2 has the number of all lines behind the head, and of each of the three lists: the first two keep
 * their share, and the third gets the rest. */
size_t repair_boeing(uint8_t *data, size_t size, size_t room)
{
    const char *text = (const char *)data, *end = text + size;
    char counts[128];
    long lines = -4, total, pointers, indices;
    for (const char *at = text; at < end; at = next_line(at, end))
        lines++;
    const char *second = next_line(text, end), *third = next_line(second, end);
    size_t length = (size_t)(third - second);
    if (lines < 1 || length == 0 || length >= sizeof counts) return size;
    memcpy(counts, second, length);
    counts[length] = 0;
    if (sscanf(counts, "%ld %ld %ld", &total, &pointers, &indices) != 3) return size;
    if (pointers < 1 || pointers > lines) pointers = 1;
    if (indices < 0 || indices > lines - pointers) indices = lines - pointers;
    int written = snprintf(counts, sizeof counts, "%14ld%14ld%14ld%14ld\n", lines, pointers, indices,
                           lines - pointers - indices);
    size_t used = (size_t)written, behind = (size_t)(end - third), offset = (size_t)(second - text);
    if (offset + used + behind > room) return size;
    memmove(data + offset + used, data + offset + length, behind);
    memcpy(data + offset, counts, used);
    return offset + used + behind;
}
