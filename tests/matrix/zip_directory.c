/* matrix/files/npz/zip: archives made here byte by byte by the format's description: every member is found
 * with its bytes, wherever the directory is, and no archive that is cut or changed passes for a whole one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "matrix/files/container.h"
#include "matrix/files/npz/zip.h"
#include "support/chance.h"
#include "support/files.h"
#include "support/unit.h"

enum { MOST = 1 << 16, NAME = 100 };

struct made {
    const char *name;
    const void *bytes;
    size_t size;
    bool deflated, wide; /* wide: its numbers are in a zip64 field */
    int padding;         /* bytes of an extra field in its own header alone */
};

static unsigned char file[MOST];
static size_t length;

static void put(uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++, value >>= 8)
        file[length++] = (unsigned char)value;
}

static void put_bytes(const void *bytes, size_t size)
{
    memcpy(file + length, bytes, size);
    length += size;
}

/* Raw deflate; returns the number of bytes. */
static size_t deflated(const struct made *made, unsigned char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)made->bytes;
    z.avail_in = (unsigned)made->size;
    z.next_out = out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const size_t size = room - z.avail_out;
    deflateEnd(&z);
    return size;
}

/* Write the archive with a comment of this many bytes; with `end64` the directory's place is in its zip64
 * record. */
static void make(const struct made *members, int count, int comment, bool end64)
{
    static unsigned char packed[MOST];
    size_t offsets[80], sizes[80];
    uint32_t sums[80];
    length = 0;
    for (int k = 0; k < count; k++) {
        const struct made *made = &members[k];
        sizes[k] = made->deflated ? deflated(made, packed, sizeof packed) : made->size;
        sums[k] = (uint32_t)crc32(0, made->bytes, (unsigned)made->size);
        offsets[k] = length;
        put_bytes("PK\x03\x04", 4);
        put(20, 2), put(0, 2), put(made->deflated ? 8 : 0, 2), put(0, 4);
        put(sums[k], 4), put(sizes[k], 4), put(made->size, 4);
        put(strlen(made->name), 2), put((uint64_t)made->padding, 2);
        put_bytes(made->name, strlen(made->name));
        for (int p = 0; p < made->padding; p++)
            put('x', 1);
        put_bytes(made->deflated ? packed : made->bytes, sizes[k]);
    }
    const size_t directory = length;
    for (int k = 0; k < count; k++) {
        const struct made *made = &members[k];
        put_bytes("PK\x01\x02", 4);
        put(20, 2), put(20, 2), put(0, 2), put(made->deflated ? 8 : 0, 2), put(0, 4), put(sums[k], 4);
        put(made->wide ? UINT32_MAX : sizes[k], 4), put(made->wide ? UINT32_MAX : made->size, 4);
        put(strlen(made->name), 2), put(made->wide ? 5 + 28 : 0, 2),
            put((uint64_t)k, 2); /* a comment of k bytes */
        put(0, 2), put(0, 2), put(0, 4), put(made->wide ? UINT32_MAX : offsets[k], 4);
        put_bytes(made->name, strlen(made->name));
        if (made->wide) { /* another field comes before that of zip64 */
            put(0x7777, 2), put(1, 2), put('y', 1);
            put(1, 2), put(24, 2), put(made->size, 8), put(sizes[k], 8), put(offsets[k], 8);
        }
        for (int p = 0; p < k; p++)
            put('c', 1);
    }
    const size_t bytes = length - directory;
    if (end64) {
        const size_t record = length;
        put_bytes("PK\x06\x06", 4);
        put(44, 8), put(45, 2), put(45, 2), put(0, 4), put(0, 4), put((uint64_t)count, 8),
            put((uint64_t)count, 8);
        put(bytes, 8), put(directory, 8);
        put_bytes("PK\x06\x07", 4);
        put(0, 4), put(record, 8), put(1, 4);
    }
    put_bytes("PK\x05\x06", 4);
    put(0, 2), put(0, 2), put((uint64_t)(end64 ? UINT16_MAX : count), 2),
        put((uint64_t)(end64 ? UINT16_MAX : count), 2);
    put(end64 ? UINT32_MAX : bytes, 4), put(end64 ? UINT32_MAX : directory, 4), put((uint64_t)comment, 2);
    for (int k = 0; k < comment; k++)
        put('z', 1);
}

static enum status open_made(size_t bytes, struct container **container, struct zip *zip, struct error *error)
{
    FILE *out = fopen("made.npz", "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file, 1, bytes, out), bytes);
    assert_int_equal(fclose(out), 0);
    *error = (struct error){0};
    *container = NULL;
    const enum status status = container_open("made.npz", container, error);
    if (status != STATUS_OK) return status; /* with another beginning it is no file of NumPy's */
    assert_true(container_is_plain(*container));
    return zip_open(*container, zip, error);
}

static unsigned char data[3][2000];

/* Random bytes, repeated ones, and some in which the signature of the directory's end stands. */
static const struct made *members_made(int *count)
{
    static const struct made members[] = {
        {"data.npy", data[0], 1999, false, false, 7},
        {"indices.npy", data[1], 2000, true, false, 0},
        {"folder/a name of more than sixty-four bytes, of which the end is cut.npy", data[2], 1500, false,
         false, 3},
        {"indptr.npy", data[0], 800, true, true, 0},
        {"empty.npy", data[0], 0, false, false, 0},
        {"shape.npy", data[2], 40, false, true, 11}};
    uint64_t chance = CHANCE_SEED;
    for (int k = 0; k < 2000; k++) {
        data[0][k] = (unsigned char)chance_next(&chance);
        data[1][k] = (unsigned char)(k / 100);
        data[2][k] = (unsigned char)"PK\x05\x06zz"[k % 6];
    }
    *count = (int)(sizeof members / sizeof *members);
    return members;
}

TEST_BETWEEN(files_begin, files_end, members_have_their_bytes)
{
    int count;
    const struct made *members = members_made(&count);
    for (int round = 0; round < 12; round++) {
        static unsigned char out[2000];
        struct container *container;
        struct zip zip;
        struct error error;
        const int used = 1 + round % count;
        make(members, used, round % 3 * 31, round >= 6);
        if (open_made(length, &container, &zip, &error) != STATUS_OK)
            fail_msg("%d: %s", round, error.message);
        assert_int_equal(zip.count, used);
        for (int k = 0; k < used; k++) {
            char name[NAME];
            snprintf(name, sizeof name, "%.63s", members[k].name);
            const struct zip_member *member = zip_find(&zip, name);
            assert_ptr_equal(member, &zip.members[k]);
            assert_int_equal(member->size, members[k].size);
            assert_int_equal(member->deflated, members[k].deflated);
            for (size_t some = members[k].size;; some = some / 2 + 1) {
                memset(out, 0, sizeof out);
                assert_int_equal(zip_read(container, member, out, (int64_t)some, &error), STATUS_OK);
                assert_memory_equal(out, members[k].bytes, some);
                if (some < 3) break;
            }
        }
        assert_null(zip_find(&zip, "none.npy"));
        container_close(container);
    }
}

/* Each byte that is changed is either seen at once, or by the checksum of its member, or is of no meaning. */
TEST_BETWEEN(files_begin, files_end, no_changed_archive_gives_other_bytes)
{
    int count;
    const struct made *members = members_made(&count);
    make(members, 2, 0, false);
    const size_t whole = length;
    int refused = 0, wrong = 0;
    for (size_t at = 0; at < whole; at += at < 60 || at > whole - 200 ? 1 : 97) {
        static unsigned char out[MOST];
        struct container *container;
        struct zip zip;
        struct error error;
        file[at] ^= 0x55;
        const enum status status = open_made(whole, &container, &zip, &error);
        assert_true(status == STATUS_OK || status == STATUS_INPUT);
        refused += status != STATUS_OK;
        for (int k = 0; k < 2 && status == STATUS_OK; k++) {
            const struct zip_member *member = zip_find(&zip, members[k].name);
            if (!member || member->size > MOST) continue;
            const enum status read = zip_read(container, member, out, member->size, &error);
            assert_true(read == STATUS_OK || read == STATUS_INPUT);
            wrong += read != STATUS_OK;
            if (read == STATUS_OK) {
                assert_int_equal(member->size, members[k].size);
                assert_memory_equal(out, members[k].bytes, members[k].size);
            }
        }
        file[at] ^= 0x55;
        container_close(container);
    }
    assert_true(refused > 20 && wrong > 10);
}

/* An archive that is cut anywhere lacks its directory. */
TEST_BETWEEN(files_begin, files_end, cut_archives_are_refused)
{
    static const unsigned char one[] = "abc";
    static const struct made members[] = {{"a.npy", one, 3, false, false, 0},
                                          {"b.npy", one, 2, true, false, 0}};
    for (int end64 = 0; end64 < 2; end64++) {
        make(members, 2, 0, end64);
        const size_t whole = length;
        for (size_t bytes = 1; bytes < whole; bytes++) {
            struct container *container;
            struct zip zip;
            struct error error;
            assert_int_equal(open_made(bytes, &container, &zip, &error), STATUS_INPUT);
            assert_true(error.message[0]);
            container_close(container);
        }
    }
}

TEST_BETWEEN(files_begin, files_end, as_many_members_as_there_is_room_for)
{
    static char names[80][16];
    static struct made members[80];
    struct container *container;
    struct zip zip;
    struct error error;
    for (int k = 0; k < 80; k++) {
        snprintf(names[k], sizeof names[k], "m%d.npy", k);
        members[k] = (struct made){names[k], names[k], 4, false, false, 0};
    }
    for (int count = 62; count < 67; count++) {
        make(members, count, 0, false);
        assert_int_equal(open_made(length, &container, &zip, &error), STATUS_OK);
        assert_int_equal(zip.count, count < ZIP_MEMBERS_MAX ? count : ZIP_MEMBERS_MAX);
        for (int k = 0; k < zip.count; k++)
            assert_string_equal(zip.members[k].name, names[k]);
        container_close(container);
    }
}
