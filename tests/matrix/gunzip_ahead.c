/* matrix/files/gunzip_ahead.c: BGZF files, whole and damaged in every way, give the same text and the same
 * error with several threads as with one, which unpacks member by member. Whole files give their text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "matrix/files/gunzip.h"
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

TESTS_BETWEEN(make, end);
