/* matrix/files/mat/inflated.c: any part of a compressed text is read as it is, by several threads, from
 * points near to each other and far apart; and damage is found when the text is opened. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/mat/inflated.h"
#include "support/support.h"
#include "support/unit.h"

enum { SIZE = 300000, ROOM = 400000 };

static unsigned char text[SIZE], packed[ROOM];

/* Compress a text whose first half repeats more than its second. Returns the packed bytes. */
static int64_t pack(int level, int strategy)
{
    uint64_t seed = 11;
    z_stream z = {0};
    for (int k = 0; k < SIZE; k++)
        text[k] = (unsigned char)support_random(&seed, k < SIZE / 2 ? 3 : 200);
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 15, 5, strategy), Z_OK);
    z.next_in = text;
    z.avail_in = SIZE;
    z.next_out = packed;
    z.avail_out = ROOM;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const int64_t bytes = (int64_t)z.total_out;
    deflateEnd(&z);
    return bytes;
}

static enum status open_text(int64_t bytes, int64_t spacing, struct inflated **inflated, struct error *error)
{
    const struct span file = {.memory = (const char *)packed, .end = bytes, .path = "file"};
    const struct element element = {MI_COMPRESSED, 0, bytes, bytes};
    return inflated_open(&file, &element, SIZE, spacing, inflated, error);
}

static void assert_reads(struct inflated *inflated, uint64_t seed)
{
    static unsigned char parts[8][SIZE];
    int wrong = 0;
#pragma omp parallel for num_threads(4) schedule(dynamic) reduction(+ : wrong)
    for (int k = 0; k < 60; k++) {
        unsigned char *part = parts[omp_get_thread_num()];
        uint64_t state = seed + (uint64_t)k;
        const int64_t at = support_random(&state, SIZE);
        const size_t count =
            k == 0 ? 0 : support_random(&state, (uint32_t)(k % 5 ? 3000 : SIZE - at)) % (size_t)(SIZE - at);
        wrong += inflated_read(inflated, at, part, count, NULL) != STATUS_OK;
        wrong += memcmp(part, text + at, count) != 0;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(inflated_read(inflated, 0, parts[0], SIZE, NULL), STATUS_OK);
    assert_memory_equal(parts[0], text, SIZE);
}

TEST(parts_are_read)
{
    static const int64_t spacings[] = {1, 5000, 40000, 1 << 20, 0};
    for (int level = 0; level < 10; level += 3)
        for (size_t s = 0; s < sizeof spacings / sizeof *spacings; s++) {
            struct inflated *inflated;
            const int64_t bytes = pack(level, s % 2 ? Z_FIXED : Z_DEFAULT_STRATEGY);
            assert_int_equal(open_text(bytes, spacings[s], &inflated, NULL), STATUS_OK);
            assert_non_null(inflated);
            assert_reads(inflated, s);
            inflated_close(inflated);
        }
}

/* Open a damaged text: the outcome is that of inflating it into memory, and so is the text. Returns true if
 * it fails. */
static bool fails_alike(int64_t bytes)
{
    static unsigned char kept[SIZE], read[SIZE];
    const struct span file = {.memory = (const char *)packed, .end = bytes, .path = "file"};
    const struct element element = {MI_COMPRESSED, 0, bytes, bytes};
    struct error error = {0}, expected = {0};
    struct inflated *inflated = NULL;
    int64_t done = 0;
    const enum status status = open_text(bytes, 5000, &inflated, &error);
    enum status memory = element_inflate(&file, &element, kept, SIZE, &done, &expected);
    if (memory == STATUS_OK && done < SIZE) memory = STATUS_INPUT; /* as the caller tells */
    assert_int_equal(status, memory);
    if (expected.message[0]) assert_string_equal(error.message, expected.message);
    if (status == STATUS_OK) {
        assert_int_equal(inflated_read(inflated, 0, read, SIZE, NULL), STATUS_OK);
        assert_memory_equal(read, kept, SIZE);
    }
    inflated_close(inflated);
    return status != STATUS_OK;
}

TEST(damage_is_found_at_once)
{
    uint64_t seed = 5;
    int failed = 0;
    for (int k = 0; k < 150; k++) {
        const int64_t bytes = pack(6, Z_DEFAULT_STRATEGY);
        const int64_t at = k < 12   ? k
                           : k < 24 ? bytes - 1 - (k - 12)
                                    : support_random(&seed, (uint32_t)bytes);
        packed[at] ^= (unsigned char)(1 + support_random(&seed, 255));
        failed += fails_alike(bytes);
    }
    assert_true(failed > 100); /* others make the text longer, which is allowed */
    const int64_t bytes = pack(6, Z_DEFAULT_STRATEGY);
    for (int64_t cut = 0; cut < bytes - 4; cut += 1 + bytes / 40)
        assert_true(fails_alike(cut));
}

TEST(lack_of_memory_is_told)
{
    const int64_t bytes = pack(6, Z_DEFAULT_STRATEGY);
    enum status status = STATUS_MEMORY;
    for (int k = 0; status != STATUS_OK && k < 100; k++) {
        struct inflated *inflated = NULL;
        memory_fail_after(k);
        status = open_text(bytes, 50000, &inflated, NULL);
        memory_fail_after(-1);
        assert_true(status == STATUS_OK || status == STATUS_MEMORY);
        if (inflated) {
            unsigned char byte;
            memory_fail_after(0);
            assert_int_equal(inflated_read(inflated, 9, &byte, 1, NULL), STATUS_MEMORY);
            memory_fail_after(-1);
            assert_int_equal(inflated_read(inflated, 9, &byte, 1, NULL), STATUS_OK);
            assert_int_equal(byte, text[9]);
        }
        inflated_close(inflated);
    }
    assert_int_equal(status, STATUS_OK);
}
