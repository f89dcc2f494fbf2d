#include "matrix/files/npz/zip_write.h"

#include <stdbool.h>
#include <string.h>

#include "matrix/files/arrays/put.h"

#define HEAD_BYTES 128

/* Versions of the format that a reader must know: plain members, and zip64. */
enum { VERSION_PLAIN = 20, VERSION_64 = 45 };

/* The first of January 1980, the beginning of the format's time, so that the same matrix gives the same file.
 */
#define DATE 0x21

#define SYSTEM_UNIX 3
#define PERMISSIONS (0100644u << 16)

static bool is_large(uint64_t number)
{
    return number >= UINT32_MAX;
}

static uint32_t short_of(uint64_t number)
{
    return is_large(number) ? UINT32_MAX : (uint32_t)number;
}

/* What the member's own header and its entry in the directory have in common: from the version that is needed
 * to the length of the name. */
static unsigned char *put_common(unsigned char *at, const struct zip_written *member, bool large)
{
    at = put_little(at, large ? VERSION_64 : VERSION_PLAIN, 2);
    at = put_little(at, 0, 2); /* flags */
    at = put_little(at, 0, 2); /* stored as it is */
    at = put_little(at, 0, 2); /* time */
    at = put_little(at, DATE, 2);
    at = put_little(at, member->crc, 4);
    at = put_little(at, short_of(member->size), 4);
    at = put_little(at, short_of(member->size), 4);
    return put_little(at, strlen(member->name), 2);
}

static unsigned char *put_name(unsigned char *at, const char *name)
{
    size_t length = strlen(name);
    memcpy(at, name, length);
    return at + length;
}

/* The zip64 field: the sizes, unpacked and packed, and the place, if they are large. Both sizes are the same.
 */
static unsigned char *put_zip64(unsigned char *at, uint64_t size, uint64_t offset)
{
    int bytes = (is_large(size) ? 16 : 0) + (is_large(offset) ? 8 : 0);
    if (!bytes) return at;
    at = put_little(at, 1, 2);
    at = put_little(at, (uint64_t)bytes, 2);
    for (int k = 0; k < 2 && is_large(size); k++)
        at = put_little(at, size, 8);
    return is_large(offset) ? put_little(at, offset, 8) : at;
}

static enum status write_out(struct zip_writer *zip, const unsigned char *head, const unsigned char *end,
                             struct error *error)
{
    zip->position += (uint64_t)(end - head);
    return put_bytes(zip->file, head, (size_t)(end - head), error);
}

enum status zip_writer_begin(struct zip_writer *zip, const char *name, uint64_t size, uint32_t crc,
                             struct error *error)
{
    unsigned char head[HEAD_BYTES], *at = head;
    struct zip_written *member = &zip->members[zip->count++];
    *member = (struct zip_written){.crc = crc, .size = size, .offset = zip->position};
    snprintf(member->name, sizeof member->name, "%s", name);
    at = put_little(at, 0x04034b50, 4);
    at = put_common(at, member, is_large(size));
    at = put_little(at, is_large(size) ? 20 : 0, 2);
    at = put_name(at, member->name);
    at = put_zip64(at, size, 0);
    enum status status = write_out(zip, head, at, error);
    zip->position += size;
    return status;
}

static enum status write_entry(struct zip_writer *zip, const struct zip_written *member, struct error *error)
{
    unsigned char head[HEAD_BYTES], extra[32], *at = head;
    bool large = is_large(member->size) || is_large(member->offset);
    size_t length = (size_t)(put_zip64(extra, member->size, member->offset) - extra);
    at = put_little(at, 0x02014b50, 4);
    at = put_little(at, SYSTEM_UNIX << 8 | (large ? VERSION_64 : VERSION_PLAIN), 2);
    at = put_common(at, member, large);
    at = put_little(at, length, 2);
    at = put_little(at, 0, 2); /* length of a comment */
    at = put_little(at, 0, 2); /* disk */
    at = put_little(at, 0, 2); /* it is no text */
    at = put_little(at, PERMISSIONS, 4);
    at = put_little(at, short_of(member->offset), 4);
    at = put_name(at, member->name);
    memcpy(at, extra, length);
    return write_out(zip, head, at + length, error);
}

/* The record of zip64 that says where the directory is, and behind it where the record is. */
static unsigned char *put_end64(unsigned char *at, const struct zip_writer *zip, uint64_t offset,
                                uint64_t bytes)
{
    at = put_little(at, 0x06064b50, 4);
    at = put_little(at, 44, 8); /* what follows of the record */
    at = put_little(at, SYSTEM_UNIX << 8 | VERSION_64, 2);
    at = put_little(at, VERSION_64, 2);
    at = put_little(at, 0, 8); /* disks */
    at = put_little(at, (uint64_t)zip->count, 8);
    at = put_little(at, (uint64_t)zip->count, 8);
    at = put_little(at, bytes, 8);
    at = put_little(at, offset, 8);
    at = put_little(at, 0x07064b50, 4);
    at = put_little(at, 0, 4);
    at = put_little(at, offset + bytes, 8);
    return put_little(at, 1, 4); /* disks */
}

enum status zip_writer_end(struct zip_writer *zip, struct error *error)
{
    unsigned char head[HEAD_BYTES], *at = head;
    uint64_t offset = zip->position;
    enum status status = STATUS_OK;
    for (int k = 0; k < zip->count && status == STATUS_OK; k++)
        status = write_entry(zip, &zip->members[k], error);
    uint64_t bytes = zip->position - offset;
    if (is_large(offset)) at = put_end64(at, zip, offset, bytes);
    at = put_little(at, 0x06054b50, 4);
    at = put_little(at, 0, 4); /* disks */
    at = put_little(at, (uint64_t)zip->count, 2);
    at = put_little(at, (uint64_t)zip->count, 2);
    at = put_little(at, bytes, 4);
    at = put_little(at, short_of(offset), 4);
    at = put_little(at, 0, 2); /* length of a comment */
    return status == STATUS_OK ? write_out(zip, head, at, error) : status;
}
