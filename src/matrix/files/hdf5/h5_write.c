#include "matrix/files/hdf5/h5_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define SUPERBLOCK_BYTES 48
#define UNDEFINED UINT64_MAX /* an undefined address */
#define DATASET_BYTES 256    /* upper bound of the bytes of a dataset's header */
#define GROUP_BYTES 1024     /* upper bound of the bytes of the group's header without its attribute */

/* Messages of an object's header. */
enum {
    MESSAGE_SPACE = 1,
    MESSAGE_LINK_INFO = 2,
    MESSAGE_TYPE = 3,
    MESSAGE_FILL = 5,
    MESSAGE_LINK = 6,
    MESSAGE_LAYOUT = 8,
    MESSAGE_GROUP_INFO = 10,
    MESSAGE_ATTRIBUTE = 12
};

/* --- checksums --- */

static uint32_t rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

static void mix(uint32_t word[3])
{
    static const int bits[6] = {4, 6, 8, 16, 19, 4};
    for (int k = 0; k < 6; k++) {
        uint32_t *to = &word[k % 3], *other = &word[(k + 2) % 3];
        *to = (*to - *other) ^ rotate(*other, bits[k]);
        *other += word[(k + 1) % 3];
    }
}

static void finish(uint32_t word[3])
{
    static const int bits[7] = {14, 11, 25, 16, 4, 14, 24};
    for (int k = 0; k < 7; k++) {
        uint32_t *to = &word[(k + 2) % 3], other = word[(k + 1) % 3];
        *to = (*to ^ other) - rotate(other, bits[k]);
    }
}

/* The checksum of metadata: Jenkins' lookup3 of bytes, from 0 (burtleburtle.net/bob/c/lookup3.c). Words of
 * three times four bytes are mixed in, the last of which may be incomplete. */
static uint32_t checksum(const unsigned char *bytes, size_t count)
{
    uint32_t word[3];
    word[0] = word[1] = word[2] = 0xdeadbeef + (uint32_t)count;
    if (count == 0) return word[2];
    for (;;) {
        size_t some = count < 12 ? count : 12;
        for (size_t b = 0; b < some; b++)
            word[b / 4] += (uint32_t)bytes[b] << 8 * (b % 4);
        bytes += some;
        count -= some;
        if (count == 0) break;
        mix(word);
    }
    finish(word);
    return word[2];
}

static unsigned char *put_checksum(const unsigned char *from, unsigned char *at)
{
    return put_little(at, checksum(from, (size_t)(at - from)), 4);
}

/* --- headers of objects --- */

/* Begin a message; end_message inserts its length. */
static unsigned char *begin_message(unsigned char *at, int type)
{
    at = put_little(at, (uint64_t)type, 1);
    return put_little(at, 0, 3);
}

static unsigned char *end_message(unsigned char *body, unsigned char *at)
{
    put_little(body - 3, (uint64_t)(at - body), 2);
    return at;
}

/* Begin the header of an object, in version 2; end_object inserts its length. */
static unsigned char *begin_object(unsigned char *at)
{
    memcpy(at, "OHDR\x02\x02", 6);
    return put_little(at + 6, 0, 4);
}

static unsigned char *end_object(unsigned char *object, unsigned char *at)
{
    put_little(object + 6, (uint64_t)(at - object - 10), 4);
    return put_checksum(object, at);
}

/* Doubles of IEEE 754: 52 bits of fraction, 11 of exponent, the sign in bit 63; or integers. */
static unsigned char *put_type(unsigned char *at, enum number type)
{
    size_t bytes = number_bytes(number_is_complex(type) ? NUMBER_F64 : type);
    bool integer = number_is_integer(type), sign = type == NUMBER_I32 || type == NUMBER_I64;
    at = put_little(at, integer ? 0x10 : 0x11, 1);
    at = put_little(at, integer ? (sign ? 8 : 0) : 0x3f20, 3);
    at = put_little(at, bytes, 4);
    at = put_little(at, 0, 2);
    at = put_little(at, 8 * bytes, 2);
    if (integer) return at;
    at = put_little(at, 52, 1);
    at = put_little(at, 11, 1);
    at = put_little(at, 0, 1);
    at = put_little(at, 52, 1);
    return put_little(at, 1023, 4);
}

/* Texts of this number of bytes in UTF-8, padded with zeros. */
static unsigned char *put_text_type(unsigned char *at, size_t bytes)
{
    at = put_little(at, 0x13, 1);
    at = put_little(at, 0x11, 3);
    return put_little(at, bytes, 4);
}

static int64_t elements_of(const struct put *array)
{
    return number_is_complex(array->type) ? 2 * array->count : array->count;
}

/* Write the header of a dataset. Its elements begin at byte `place`. */
static unsigned char *put_dataset(unsigned char *at, const struct put *array, uint64_t place)
{
    unsigned char *object = at, *body;
    at = begin_object(at);
    body = at = begin_message(at, MESSAGE_SPACE);
    memcpy(at, "\x02\x01\x00\x01", 4); /* version, one dimension, without a maximum, simple */
    at = end_message(body, put_little(at + 4, (uint64_t)elements_of(array), 8));
    body = at = begin_message(at, MESSAGE_TYPE);
    at = end_message(body, put_type(at, array->type));
    body = at = begin_message(at, MESSAGE_FILL);
    at = put_little(at, 3, 1);
    at = end_message(body, put_little(at, 0x0a, 1)); /* allocated late, filled if a value is set; none is */
    body = at = begin_message(at, MESSAGE_LAYOUT);
    at = put_little(at, 3, 1);
    at = put_little(at, 1, 1); /* contiguous */
    at = put_little(at, array->count ? place : UNDEFINED, 8);
    at = end_message(body, put_little(at, (uint64_t)put_size(array), 8));
    return end_object(object, at);
}

static unsigned char *put_link(unsigned char *at, const char *name, uint64_t place)
{
    size_t length = strlen(name);
    unsigned char *body = at = begin_message(at, MESSAGE_LINK);
    at = put_little(at, 1, 1);
    at = put_little(at, 0, 1);
    at = put_little(at, length, 1);
    memcpy(at, name, length);
    return end_message(body, put_little(at + length, place, 8));
}

static unsigned char *put_attribute(unsigned char *at, const char *name, const char *text)
{
    size_t wide = strlen(name) + 1, length = strlen(text);
    unsigned char *body = at = begin_message(at, MESSAGE_ATTRIBUTE);
    at = put_little(at, 3, 2);
    at = put_little(at, wide, 2);
    at = put_little(at, 8, 2); /* bytes of the type */
    at = put_little(at, 4, 2); /* and of the space */
    at = put_little(at, 1, 1); /* the name is in UTF-8 */
    memcpy(at, name, wide);
    at = put_text_type(at + wide, length ? length : 1);
    memcpy(at, "\x02\x00\x00\x00", 4); /* version, one element */
    memcpy(at + 4, text, length ? length : 1);
    return end_message(body, at + 4 + (length ? length : 1));
}

/* --- the file --- */

struct places {
    uint64_t header[H5_WRITTEN_MAX], data[H5_WRITTEN_MAX], end;
};

/* Write all of the file except the elements. Lengths do not depend on addresses. */
static unsigned char *put_file(unsigned char *bytes, const struct h5_written *datasets, int count,
                               const char *attribute, const char *text, const struct places *places,
                               uint64_t headers[H5_WRITTEN_MAX])
{
    unsigned char *at = bytes, *body;
    memcpy(at, "\x89HDF\r\n\x1a\n\x02\x08\x08\x00", 12); /* version 2; offsets and lengths of 8 bytes */
    at = put_little(at + 12, 0, 8);
    at = put_little(at, UNDEFINED, 8);
    at = put_little(at, places->end, 8);
    at = put_little(at, SUPERBLOCK_BYTES, 8); /* where the group is */
    at = put_checksum(bytes, at);
    unsigned char *group = at;
    at = begin_object(at);
    body = at = begin_message(at, MESSAGE_LINK_INFO);
    at = put_little(at, 0, 2);
    at = put_little(at, UNDEFINED, 8);
    at = end_message(body, put_little(at, UNDEFINED, 8));
    body = at = begin_message(at, MESSAGE_GROUP_INFO);
    at = end_message(body, put_little(at, 0, 2));
    for (int k = 0; k < count; k++)
        at = put_link(at, datasets[k].name, places->header[k]);
    at = end_object(group, put_attribute(at, attribute, text));
    for (int k = 0; k < count; k++) {
        headers[k] = (uint64_t)(at - bytes);
        at = put_dataset(at, &datasets[k].array, places->data[k]);
    }
    while ((at - bytes) % 8)
        *at++ = 0;
    return at;
}

enum status h5_write(FILE *file, const struct h5_written *datasets, int count, const char *attribute,
                     const char *text, struct progress *progress, struct error *error)
{
    static const unsigned char zeros[8];
    struct places places = {0};
    uint64_t headers[H5_WRITTEN_MAX];
    size_t room = GROUP_BYTES + strlen(attribute) + strlen(text) + (size_t)count * DATASET_BYTES;
    unsigned char *bytes = memory_zeroed(room, 1, error);
    if (!bytes) return STATUS_MEMORY;
    /* Once to compute the addresses, and once to write them. */
    size_t length = (size_t)(put_file(bytes, datasets, count, attribute, text, &places, headers) - bytes);
    memcpy(places.header, headers, sizeof headers);
    places.end = length;
    for (int k = 0; k < count; k++) {
        places.data[k] = places.end;
        places.end += ((uint64_t)put_size(&datasets[k].array) + 7) / 8 * 8;
    }
    put_file(bytes, datasets, count, attribute, text, &places, headers);
    enum status status = put_bytes(file, bytes, length, error);
    free(bytes);
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        size_t rest = (size_t)put_size(&datasets[k].array) % 8;
        status = put_array(file, &datasets[k].array, progress, error);
        if (status == STATUS_OK && rest) status = put_bytes(file, zeros, 8 - rest, error);
    }
    return status;
}
