#include "matrix/files/npz/zip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

#define END_BYTES 22 /* the record at the end of the archive, without its comment */
#define COMMENT_MAX 65535
#define LOCATOR_BYTES 20 /* before it, where the zip64 record is */
#define END64_BYTES 56
#define ENTRY_BYTES 46 /* of the directory, without names */
#define LOCAL_BYTES 30 /* before each member, without its name */
#define DIRECTORY_MAX ((int64_t)16 << 20)
#define INPUT_BYTES ((size_t)64 << 10)

static uint64_t number_at(const unsigned char *bytes, int width)
{
    uint64_t value = 0;
    for (int b = width - 1; b >= 0; b--)
        value = value << 8 | bytes[b];
    return value;
}

static enum status damaged(const struct container *container, const char *what, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(container), 0, 0,
                    "damaged or cut short (%s); fetch or make the file again", what);
}

/* Read bytes that must be there. */
static enum status read_at(const struct container *container, int64_t offset, void *out, size_t size,
                           struct error *error)
{
    if (offset < 0 || offset > container_size(container))
        return damaged(container, "its directory points outside of it", error);
    ssize_t count = container_pread(container, out, size, offset, error);
    if (count < 0) return STATUS_IO;
    return (size_t)count == size ? STATUS_OK
                                 : damaged(container, "its directory points outside of it", error);
}

/* The position of the directory. */
struct directory {
    uint64_t offset, bytes, entries;
};

/* Read the zip64 record that the locator before `end` points to. */
static enum status read_end64(const struct container *container, int64_t end, struct directory *directory,
                              struct error *error)
{
    unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
    enum status status = read_at(container, end - LOCATOR_BYTES, locator, sizeof locator, error);
    if (status != STATUS_OK) return status;
    if (memcmp(locator, "PK\x06\x07", 4) != 0)
        return damaged(container, "its zip64 record is missing", error);
    uint64_t offset = number_at(locator + 8, 8);
    if (offset > INT64_MAX) return damaged(container, "its zip64 record is elsewhere", error);
    status = read_at(container, (int64_t)offset, record, sizeof record, error);
    if (status != STATUS_OK) return status;
    if (memcmp(record, "PK\x06\x06", 4) != 0) return damaged(container, "its zip64 record is missing", error);
    directory->entries = number_at(record + 32, 8);
    directory->bytes = number_at(record + 40, 8);
    directory->offset = number_at(record + 48, 8);
    return STATUS_OK;
}

static enum status find_directory(const struct container *container, struct directory *directory,
                                  struct error *error)
{
    int64_t size = container_size(container), most = END_BYTES + COMMENT_MAX,
            from = size > most ? size - most : 0;
    unsigned char *tail = memory_array((size_t)(size - from) + 1, 1, error), *end = NULL;
    if (!tail) return STATUS_MEMORY;
    enum status status = read_at(container, from, tail, (size_t)(size - from), error);
    for (unsigned char *at = tail + (size - from) - END_BYTES; at >= tail && !end && status == STATUS_OK;
         at--)
        if (memcmp(at, "PK\x05\x06", 4) == 0) end = at;
    if (status == STATUS_OK && !end)
        status = damaged(container, "the directory at its end is missing", error);
    if (status == STATUS_OK) {
        directory->entries = number_at(end + 10, 2);
        directory->bytes = number_at(end + 12, 4);
        directory->offset = number_at(end + 16, 4);
        if (directory->entries == UINT16_MAX || directory->bytes == UINT32_MAX ||
            directory->offset == UINT32_MAX)
            status = read_end64(container, from + (end - tail), directory, error);
    }
    free(tail);
    if (status != STATUS_OK) return status;
    if (directory->bytes > (uint64_t)DIRECTORY_MAX || directory->offset > (uint64_t)size ||
        directory->bytes > (uint64_t)size - directory->offset)
        return damaged(container, "its directory points outside of it", error);
    return STATUS_OK;
}

/* Take sizes and offset too large for 32 bits from the zip64 extra field. */
static void take_zip64(const unsigned char *extra, size_t length, uint64_t *size, uint64_t *packed,
                       uint64_t *offset)
{
    uint64_t *const wanted[] = {size, packed, offset};
    for (size_t at = 0; at + 4 <= length;) {
        size_t field = number_at(extra + at + 2, 2), next = at + 4;
        if (field > length - next) return;
        for (int k = 0; k < 3 && number_at(extra + at, 2) == 1; k++) {
            if (*wanted[k] != UINT32_MAX || next + 8 > at + 4 + field) continue;
            *wanted[k] = number_at(extra + next, 8);
            next += 8;
        }
        at += 4 + field;
    }
}

/* A member's own header gives the offset of its bytes, since the length of its extra fields differs from that
 * in the directory. */
static enum status find_bytes(const struct container *container, struct zip_member *member,
                              struct error *error)
{
    unsigned char local[LOCAL_BYTES];
    enum status status = read_at(container, member->offset, local, sizeof local, error);
    if (status != STATUS_OK) return status;
    if (memcmp(local, "PK\x03\x04", 4) != 0)
        return damaged(container, "a member is missing at its offset", error);
    member->offset += LOCAL_BYTES + (int64_t)number_at(local + 26, 2) + (int64_t)number_at(local + 28, 2);
    if (member->offset > container_size(container) ||
        member->packed > container_size(container) - member->offset)
        return damaged(container, "a member reaches beyond its end", error);
    return STATUS_OK;
}

/* Read an entry of the directory. *bytes becomes its length. */
static enum status read_entry(const struct container *container, const unsigned char *entry, size_t left,
                              struct zip_member *member, size_t *bytes, struct error *error)
{
    if (left < ENTRY_BYTES || memcmp(entry, "PK\x01\x02", 4) != 0)
        return damaged(container, "its directory is invalid", error);
    size_t name = number_at(entry + 28, 2), extra = number_at(entry + 30, 2);
    *bytes = ENTRY_BYTES + name + extra + number_at(entry + 32, 2);
    if (*bytes > left) return damaged(container, "its directory is cut short", error);
    uint64_t method = number_at(entry + 10, 2), packed = number_at(entry + 20, 4);
    uint64_t size = number_at(entry + 24, 4), offset = number_at(entry + 42, 4);
    take_zip64(entry + ENTRY_BYTES + name, extra, &size, &packed, &offset);
    snprintf(member->name, sizeof member->name, "%.*s", (int)name, (const char *)entry + ENTRY_BYTES);
    if ((method != 0 && method != 8) || (entry[8] & 1))
        return error_at(error, STATUS_INPUT, container_path(container), 0, 0,
                        "%s is packed by a method that is not read; save the file again with SciPy",
                        member->name);
    uint64_t file = (uint64_t)container_size(container);
    if (packed > file || offset > file || size > INT64_MAX || (method == 0 && packed != size))
        return damaged(container, "a member reaches beyond its end", error);
    member->deflated = method == 8;
    member->crc = (uint32_t)number_at(entry + 16, 4);
    member->offset = (int64_t)offset;
    member->packed = (int64_t)packed;
    member->size = (int64_t)size;
    return find_bytes(container, member, error);
}

enum status zip_open(const struct container *container, struct zip *zip, struct error *error)
{
    struct directory directory = {0};
    zip->count = 0;
    enum status status = find_directory(container, &directory, error);
    if (status != STATUS_OK) return status;
    unsigned char *bytes = memory_array((size_t)directory.bytes + 1, 1, error);
    if (!bytes) return STATUS_MEMORY;
    status = read_at(container, (int64_t)directory.offset, bytes, (size_t)directory.bytes, error);
    size_t at = 0, taken = 0;
    for (uint64_t k = 0; k < directory.entries && zip->count < ZIP_MEMBERS_MAX && status == STATUS_OK; k++) {
        status = read_entry(container, bytes + at, (size_t)directory.bytes - at, &zip->members[zip->count],
                            &taken, error);
        if (status == STATUS_OK) zip->count++;
        at += taken;
    }
    free(bytes);
    return status;
}

const struct zip_member *zip_find(const struct zip *zip, const char *name)
{
    for (int k = 0; k < zip->count; k++)
        if (strcmp(zip->members[k].name, name) == 0) return &zip->members[k];
    return NULL;
}

/* Inflate into `out` until it is full or the member ends. *done becomes the number of bytes. */
static enum status inflate_into(const struct container *container, const struct zip_member *member,
                                z_stream *z, unsigned char *input, unsigned char *out, int64_t size,
                                int64_t *done, struct error *error)
{
    int64_t taken = 0;
    int code = Z_OK;
    while (*done < size && code != Z_STREAM_END) {
        if (z->avail_in == 0) {
            int64_t left = member->packed - taken;
            size_t some = left < (int64_t)INPUT_BYTES ? (size_t)left : INPUT_BYTES;
            if (some == 0) break;
            enum status status = read_at(container, member->offset + taken, input, some, error);
            if (status != STATUS_OK) return status;
            taken += (int64_t)some;
            z->next_in = input;
            z->avail_in = (uInt)some;
        }
        int64_t room = size - *done < (int64_t)1 << 30 ? size - *done : (int64_t)1 << 30;
        z->next_out = out + *done;
        z->avail_out = (uInt)room;
        code = inflate(z, Z_NO_FLUSH);
        *done += room - (int64_t)z->avail_out;
        if (code == Z_MEM_ERROR) return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) break;
    }
    return STATUS_OK;
}

enum status zip_read(const struct container *container, const struct zip_member *member, void *out,
                     int64_t size, struct error *error)
{
    int64_t done = 0;
    enum status status;
    if (!member->deflated) {
        status = read_at(container, member->offset, out, (size_t)size, error);
        done = size;
    } else {
        z_stream z = {0};
        if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
            return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
        unsigned char *input = memory_array(INPUT_BYTES, 1, error);
        if (!input) {
            inflateEnd(&z);
            return STATUS_MEMORY;
        }
        status = inflate_into(container, member, &z, input, out, size, &done, error);
        inflateEnd(&z);
        free(input);
    }
    if (status != STATUS_OK) return status;
    if (done < size) return damaged(container, "a member is shorter than it should be", error);
    if (size < member->size) return STATUS_OK;
    uint32_t crc = 0;
    for (int64_t at = 0, some; at < size; at += some) {
        some = size - at < (int64_t)1 << 30 ? size - at : (int64_t)1 << 30;
        crc = (uint32_t)crc32(crc, (unsigned char *)out + at, (uInt)some);
    }
    return crc == member->crc ? STATUS_OK : damaged(container, "a checksum is wrong", error);
}
