/* matrix/files: compressed files are written in pieces of any size, by any number of threads, to the same
 * bytes, and zlib and libarchive unpack them; a failure of writing is an error. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/compress.h"
#include "matrix/files/container.h"
#include "support/cmocka.h"
#include "support/files.h"

#define TEXT_MAX ((size_t)3 << 20)

static char *text;

static int begin(void **state)
{
    uint32_t word = 1;
    text = malloc(TEXT_MAX);
    if (!text) return -1;
    /* A third repeats itself over long distances, a third are digits, and a third is noise. */
    for (size_t k = 0; k < TEXT_MAX; k++) {
        word = word * 1664525 + 1013904223;
        char letter = (char)('a' + (word >> 24) % 26), digit = (char)('0' + (word >> 24) % 10);
        if (k < TEXT_MAX / 3)
            text[k] = k >= 30000 ? text[k - 30000] : letter;
        else
            text[k] = k < 2 * TEXT_MAX / 3 ? digit : (char)(word >> 24);
    }
    return files_begin(state);
}

static int end(void **state)
{
    free(text);
    return files_end(state);
}

/* Compress `size` bytes, in pieces of up to `piece`, as the ending of `name` says. */
static enum status squeeze(const char *name, FILE *into, size_t size, size_t piece, struct error *error)
{
    struct compressor compressor;
    enum status status = compressor_open(&compressor, into, name, error);
    if (status != STATUS_OK) return status;
    bool good = true;
    for (size_t k = 0; k < size && good; k += piece) {
        size_t some = size - k < piece ? size - k : piece;
        good = fwrite(text + k, 1, some, compressor.file) == some;
    }
    return compressor_close(&compressor, error);
}

static char *squeezed(const char *name, size_t size, size_t piece, size_t *length)
{
    char *bytes = NULL;
    struct error error = {0};
    FILE *file = open_memstream(&bytes, length);
    if (squeeze(name, file, size, piece, &error)) fail_msg("%s: %s", name, error.message);
    fclose(file);
    return bytes;
}

/* Inflate with zlib, whose stream has to end where the bytes do. */
static void expect_member(const char *bytes, size_t length, size_t size)
{
    z_stream z = {0};
    unsigned char *out = malloc(size + 1);
    assert_int_equal(inflateInit2(&z, 31), Z_OK);
    z.next_in = (unsigned char *)bytes;
    z.avail_in = (uInt)length;
    z.next_out = out;
    z.avail_out = (uInt)size + 1;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, size);
    assert_memory_equal(out, text, size);
    inflateEnd(&z);
    free(out);
}

static void gzip_is_one_member_whatever_the_threads(void **state)
{
    static const size_t sizes[] = {0,      1,      7,      32767,  32768,   131071,
                                   131072, 131073, 262144, 163840, 1000003, TEXT_MAX};
    static const size_t pieces[] = {TEXT_MAX, 131072, 4099};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t first, length;
        threads_set(1);
        char *one = squeezed("a.mtx.gz", sizes[k], pieces[0], &first);
        expect_member(one, first, sizes[k]);
        for (size_t p = 0; p < 3; p++) {
            threads_set(2 + 3 * (int)p);
            char *several = squeezed("a.mtx.gz", sizes[k], pieces[p], &length);
            assert_int_equal(length, first);
            assert_memory_equal(one, several, length);
            free(several);
        }
        free(one);
    }
    threads_set(0);
}

/* Blocks without a common dictionary would not find repetitions over their ends, of which this text
 * consists. */
static void blocks_know_what_was_before_them(void **state)
{
    size_t length;
    free(squeezed("a.gz", TEXT_MAX / 3, 10000, &length));
    assert_true(length < 30000 + TEXT_MAX / 3 / 100);
}

static void every_kind_unpacks_to_what_was_packed(void **state)
{
    static const char *const names[] = {"a.gz", "a.bz2", "a.xz", "a.zst", "a.mtx"};
    char *back = malloc(TEXT_MAX + 1);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t size = 0; size <= 1000000; size += 1000000) {
            struct container *container;
            size_t length, there = 0;
            ssize_t count = 1;
            char *bytes = squeezed(names[k], size, 9999, &length);
            files_write(names[k], bytes, length);
            free(bytes);
            if (size == 0) continue; /* a text that is empty is no file of numbers */
            assert_int_equal(container_open(names[k], &container, NULL), STATUS_OK);
            while (count > 0 && there <= TEXT_MAX - 65536) {
                count = container_read(container, back + there, 65536, NULL);
                there += count > 0 ? (size_t)count : 0;
            }
            container_close(container);
            assert_int_equal(there, size);
            assert_memory_equal(back, text, size);
        }
    free(back);
}

static void zstd_has_the_same_bytes_whatever_the_threads(void **state)
{
    size_t first, length;
    threads_set(1);
    char *one = squeezed("a.zst", TEXT_MAX, 65536, &first);
    threads_set(3);
    char *several = squeezed("a.zst", TEXT_MAX, 65536, &length);
    threads_set(0);
    assert_int_equal(length, first);
    assert_memory_equal(one, several, length);
    free(one);
    free(several);
}

static void failed_writing_is_an_error(void **state)
{
    static const char *const names[] = {"a.gz", "a.zst"};
    for (size_t k = 0; k < 2; k++)
        for (size_t size = 10; size <= TEXT_MAX; size = size < TEXT_MAX ? TEXT_MAX : TEXT_MAX + 1) {
            struct error error = {0};
            FILE *file = fopen("/dev/full", "w");
            if (!file) skip();
            setvbuf(file, NULL, _IONBF, 0);
            assert_int_equal(squeeze(names[k], file, size, 4096, &error), STATUS_IO);
            assert_non_null(strstr(error.message, strerror(ENOSPC)));
            fclose(file);
        }
}

static void failing_allocations_are_errors(void **state)
{
    threads_set(3);
    long fail = 0;
    for (;; fail++) {
        char *bytes = NULL;
        size_t length;
        struct error error = {0};
        FILE *file = open_memstream(&bytes, &length);
        memory_fail_after(fail);
        enum status status = squeeze("a.gz", file, 500000, 10000, &error);
        long failures = memory_failures();
        memory_fail_after(-1);
        fclose(file);
        if (status == STATUS_OK) expect_member(bytes, length, 500000);
        free(bytes);
        if (!failures) break;
        assert_int_equal(status, STATUS_MEMORY);
    }
    threads_set(0);
    assert_true(fail >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_is_one_member_whatever_the_threads),
        cmocka_unit_test(blocks_know_what_was_before_them),
        cmocka_unit_test(every_kind_unpacks_to_what_was_packed),
        cmocka_unit_test(zstd_has_the_same_bytes_whatever_the_threads),
        cmocka_unit_test(failed_writing_is_an_error),
        cmocka_unit_test(failing_allocations_are_errors),
    };
    return cmocka_run_group_tests_name("compress", tests, begin, end);
}
