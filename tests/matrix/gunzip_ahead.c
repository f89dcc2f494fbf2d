/* matrix/files/gunzip_ahead.c: BGZF files and files of several plain members, whole and damaged in every way,
 * give the same text and the same error with several threads as with one, which unpacks member by member.
 * Whole files give their text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/threads.h"
#include "matrix/files/gunzip.h"
#include "matrix/files/gunzip_ahead.h"
#include "support/files.h"
#include "support/support.h"
#include "support/unit.h"

enum { MEMBERS = 60, CHUNK = 20000, ROOM = 4 << 20 };

struct bytes {
    unsigned char *data;
    size_t count;
};

/* A file in memory that is read in pieces of a size. */
struct reading {
    struct bytes file;
    size_t at, piece;
    bool fails; /* at its end */
};

static ssize_t next(void *context, const void **bytes)
{
    struct reading *reading = context;
    size_t left = reading->file.count - reading->at, some = left < reading->piece ? left : reading->piece;
    if (some == 0 && reading->fails) return -1;
    *bytes = reading->file.data + reading->at;
    reading->at += some;
    return (ssize_t)some;
}

static void append(struct bytes *bytes, const void *data, size_t count)
{
    assert_true(bytes->count + count <= ROOM);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
}

/* Append a member of gzip with this text; `sized` ones have their size in the header. */
static void append_member(struct bytes *file, const char *text, size_t count, bool sized)
{
    static unsigned char packed[2 * CHUNK];
    unsigned char header[18] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 'B', 'C', 2, 0};
    files_pack("member.gz", text, count, PACKED_GZIP);
    FILE *read = fopen("member.gz", "rb");
    size_t size = fread(packed, 1, sizeof packed, read);
    fclose(read);
    assert_int_equal(packed[3], 0);
    if (!sized) {
        append(file, packed, size);
        return;
    }
    header[16] = (unsigned char)((size + 7) % 256);
    header[17] = (unsigned char)((size + 7) / 256);
    append(file, header, sizeof header);
    append(file, packed + 10, size - 10);
}

static struct bytes file, text;

static int make(void **state)
{
    if (files_begin(state) != 0) return -1;
    uint64_t seed = 1;
    file.data = malloc(ROOM);
    text.data = malloc(ROOM);
    for (int k = 0; k < MEMBERS; k++) {
        char chunk[CHUNK];
        for (int c = 0; c < CHUNK; c++)
            chunk[c] = (char)('0' + support_random(&seed, 12));
        size_t count = k % 7 == 3 ? 0 : k % 5 ? CHUNK : 100;
        append_member(&file, chunk, count, true);
        append(&text, chunk, count);
    }
    return 0;
}

static int end(void **state)
{
    free(file.data);
    free(text.data);
    return files_end(state);
}

/* What a file gives. */
struct given {
    struct bytes text;
    struct error error;
    bool failed;
};

static struct given give(const struct bytes *from, int threads, size_t piece, bool fails)
{
    struct given given = {.text.data = malloc(ROOM)};
    struct reading reading = {*from, 0, piece, fails};
    const void *bytes;
    ssize_t count;
    threads_set(threads);
    struct gunzip *gunzip = gunzip_open(next, &reading, NULL);
    assert_non_null(gunzip);
    while ((count = gunzip_next(gunzip, &bytes, &given.error)) > 0)
        append(&given.text, bytes, (size_t)count);
    given.failed = count < 0;
    gunzip_close(gunzip);
    threads_set(0);
    return given;
}

static void assert_same(const struct bytes *from, size_t piece, bool fails, const char *what)
{
    struct given one = give(from, 1, piece, fails), several = give(from, 4, piece, fails);
    /* The text of a damaged member before the error depends on the pieces in which it is unpacked. */
    size_t least = one.text.count < several.text.count ? one.text.count : several.text.count;
    bool alike = one.failed ? one.text.count + several.text.count < 2 * least + 1000
                            : one.text.count == several.text.count;
    if (!alike || one.failed != several.failed || one.error.status != several.error.status ||
        strcmp(one.error.message, several.error.message) != 0)
        fail_msg("%s: %zu bytes and '%s', but %zu and '%s'", what, one.text.count, one.error.message,
                 several.text.count, several.error.message);
    assert_memory_equal(one.text.data, several.text.data, least);
    free(one.text.data);
    free(several.text.data);
}

TEST(whole_files_give_their_text)
{
    static const size_t pieces[] = {1, 17, 4096, ROOM};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        struct given given = give(&file, 4, pieces[p], false);
        assert_false(given.failed);
        assert_int_equal(given.text.count, text.count);
        assert_memory_equal(given.text.data, text.data, text.count);
        free(given.text.data);
        assert_same(&file, pieces[p], false, "whole");
        assert_same(&file, pieces[p], true, "a source that fails");
    }
}

static struct bytes copy_of(size_t count)
{
    struct bytes copy = {malloc(ROOM), 0};
    append(&copy, file.data, count);
    return copy;
}

TEST(files_that_are_cut_fail_alike)
{
    uint64_t seed = 2;
    for (int k = 0; k < 60; k++) {
        size_t count = k < 30 ? (size_t)k : support_random(&seed, (uint32_t)file.count);
        struct bytes cut = {file.data, count};
        assert_same(&cut, 5000, false, "cut");
    }
}

TEST(changed_bytes_are_noticed_alike)
{
    uint64_t seed = 3;
    for (int k = 0; k < 120; k++) {
        struct bytes changed = copy_of(file.count);
        size_t at = k < 28 ? (size_t)k : support_random(&seed, (uint32_t)file.count);
        changed.data[at] ^= (unsigned char)(1 + support_random(&seed, 255));
        assert_same(&changed, 30000, false, "changed");
        free(changed.data);
    }
}

/* Members without a size, or other bytes, follow the members with a size; or both kinds alternate. */
TEST(other_members_follow)
{
    for (int k = 0; k < 3; k++) {
        struct bytes longer = copy_of(file.count);
        if (k == 1) append(&longer, "no member", 9);
        for (int m = 0; m < 9 && k != 1; m++)
            append_member(&longer, "some more text", 14, k == 2 && m % 4 == 0);
        assert_same(&longer, 1000, false, "followed");
        struct given given = give(&longer, 4, 1000, false);
        assert_int_equal(given.text.count, text.count + (k == 1 ? 0 : 126));
        free(given.text.data);
        free(longer.data);
    }
}

TEST(a_file_is_read_again_from_any_point)
{
    struct reading reading = {file, 0, 777, false};
    struct bytes again = {malloc(ROOM), 0};
    const void *bytes;
    ssize_t count;
    threads_set(4);
    struct gunzip *gunzip = gunzip_open(next, &reading, NULL);
    for (int k = 0; k < 5; k++) {
        for (int t = 0; t < 9 * k; t++)
            assert_true(gunzip_next(gunzip, &bytes, NULL) > 0);
        reading.at = 0;
        gunzip_restart(gunzip);
    }
    while ((count = gunzip_next(gunzip, &bytes, NULL)) > 0)
        append(&again, bytes, (size_t)count);
    assert_int_equal(again.count, text.count);
    assert_memory_equal(again.data, text.data, text.count);
    gunzip_close(gunzip);
    threads_set(0);
    free(again.data);
}

/* A file of plain members with the same texts, as `cat a.gz b.gz` makes it. */
static struct bytes plain_file(void)
{
    struct bytes plain = {malloc(ROOM), 0};
    size_t at = 0;
    for (int k = 0; k < MEMBERS; k++) {
        const size_t count = k % 7 == 3 ? 0 : k % 5 ? CHUNK : 100;
        append_member(&plain, (const char *)text.data + at, count, false);
        at += count;
    }
    return plain;
}

/* A member of one stored block, whose text looks like the header of another member. */
static void append_deceiving(struct bytes *to)
{
    static const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 40, 0, 215, 255};
    unsigned char inside[40] = {0}, end_bytes[8] = {0};
    memcpy(inside + 9, header, 10);
    const uint32_t sum = (uint32_t)crc32(0, inside, sizeof inside);
    for (int k = 0; k < 4; k++)
        end_bytes[k] = (unsigned char)(sum >> 8 * k);
    end_bytes[4] = sizeof inside;
    append(to, header, sizeof header);
    append(to, inside, sizeof inside);
    append(to, end_bytes, sizeof end_bytes);
}

/* Return the bytes of text that are unpacked ahead. */
static size_t count_ahead(const struct bytes *from, size_t piece)
{
    struct reading reading = {*from, 0, piece, false};
    struct ahead *ahead;
    const void *bytes;
    size_t all = 0;
    bool some = false;
    threads_set(4);
    assert_int_equal(ahead_open(next, &reading, &ahead, NULL), STATUS_OK);
    assert_non_null(ahead);
    for (ssize_t count; (count = ahead_text(ahead, &bytes, &some)) > 0; all += (size_t)count)
        assert_memory_equal(bytes, text.data + all, (size_t)count);
    ahead_close(ahead);
    threads_set(0);
    return all;
}

TEST(plain_members_are_unpacked_ahead)
{
    static const size_t pieces[] = {1, 17, 4096, ROOM};
    struct bytes plain = plain_file(), alone = {malloc(ROOM), 0};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        assert_int_equal(count_ahead(&plain, pieces[p]), text.count);
        assert_same(&plain, pieces[p], false, "plain");
        assert_same(&plain, pieces[p], true, "a source that fails");
    }
    append_member(&alone, (const char *)text.data, 100, false);
    assert_int_equal(count_ahead(&alone, 4096), 0);
    assert_same(&alone, 4096, false, "alone");
    free(plain.data);
    free(alone.data);
}

TEST(plain_members_that_are_damaged_fail_alike)
{
    struct bytes plain = plain_file();
    uint64_t seed = 5;
    for (int k = 0; k < 180; k++) {
        struct bytes changed = {malloc(ROOM), 0};
        const size_t at = k < 28 ? (size_t)k : support_random(&seed, (uint32_t)plain.count);
        append(&changed, plain.data, k % 3 == 2 ? at : plain.count);
        if (k % 3 != 2) changed.data[at] ^= (unsigned char)(1 + support_random(&seed, 255));
        assert_same(&changed, 30000, false, "damaged");
        free(changed.data);
    }
    append(&plain, "no member", 9);
    assert_same(&plain, 4096, false, "followed by other bytes");
    append_member(&plain, "more", 4, false);
    assert_same(&plain, 4096, false, "bytes between members");
    free(plain.data);
}

/* The wrong border costs nothing but time, wherever it is. */
TEST(a_text_that_looks_like_a_header_is_no_border)
{
    for (int before = 0; before < 3; before++) {
        struct bytes deceiving = {malloc(ROOM), 0};
        for (int k = 0; k < before; k++)
            append_member(&deceiving, (const char *)text.data, 100, k == 1);
        append_deceiving(&deceiving);
        for (int k = 0; k < 4; k++)
            append_member(&deceiving, (const char *)text.data, 300, false);
        assert_same(&deceiving, 1000, false, "deceiving");
        struct given given = give(&deceiving, 4, 1000, false);
        assert_false(given.failed);
        assert_int_equal(given.text.count, before * 100 + 40 + 1200);
        free(given.text.data);
        free(deceiving.data);
    }
}

/* Members of some MiB, whose buffers are used again. */
TEST(large_members_are_unpacked_ahead)
{
    enum { LARGE = 3 << 20, COUNT = 12 };
    struct bytes large = {malloc(ROOM), 0};
    char *lines = malloc(LARGE);
    for (int k = 0; k < COUNT; k++) {
        unsigned char *packed = malloc(LARGE);
        z_stream z = {0};
        memset(lines, 'a' + k, LARGE - (size_t)k * 1000);
        assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        z.next_in = (unsigned char *)lines;
        z.avail_in = LARGE - (uInt)k * 1000;
        z.next_out = packed;
        z.avail_out = LARGE;
        assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
        append(&large, packed, z.total_out);
        deflateEnd(&z);
        free(packed);
    }
    for (int threads = 1; threads < 5; threads += 3) {
        struct reading reading = {large, 0, 10000, false};
        const void *bytes;
        int64_t counts[COUNT] = {0};
        ssize_t count;
        threads_set(threads);
        struct gunzip *gunzip = gunzip_open(next, &reading, NULL);
        assert_non_null(gunzip);
        while ((count = gunzip_next(gunzip, &bytes, NULL)) > 0)
            for (ssize_t c = 0; c < count; c++)
                counts[((const char *)bytes)[c] - 'a']++;
        assert_int_equal(count, 0);
        for (int k = 0; k < COUNT; k++)
            assert_int_equal(counts[k], LARGE - k * 1000);
        gunzip_close(gunzip);
    }
    threads_set(0);
    free(lines);
    free(large.data);
}

/* A member that states more text than it may have, or less than it has, is left to the reader. */
TEST(lengths_that_are_wrong_are_noticed_alike)
{
    struct bytes plain = plain_file();
    static const uint32_t stated[] = {0, 1, CHUNK - 1, CHUNK + 1, 1 << 20, 65 << 20, UINT32_MAX};
    size_t end_of_second = 0;
    for (size_t at = 18, seen = 0; at + 10 < plain.count && seen < 2; at++)
        if (memcmp(plain.data + at, "\x1f\x8b\x08", 3) == 0) {
            end_of_second = at;
            seen++;
        }
    for (size_t k = 0; k < sizeof stated / sizeof *stated; k++) {
        for (int b = 0; b < 4; b++)
            plain.data[end_of_second - 4 + (size_t)b] = (unsigned char)(stated[k] >> 8 * b);
        assert_same(&plain, 5000, false, "another length");
    }
    free(plain.data);
}

TESTS_BETWEEN(make, end);
