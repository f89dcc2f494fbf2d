/* matrix/container: the text inside any named file. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/compress.h"
#include "matrix/files/container.h"
#include "matrix/files/members.h"
#include "matrix/matrix.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/support.h"

static const char text[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n";

/* Open and read all. The result is freed by the caller; NULL with *error on failure. */
static char *read_all(const char *path, size_t *size, struct error *error)
{
    struct container *container;
    char *all = memory_zeroed(1 << 20, 1, NULL);
    *size = 0;
    if (container_open(path, &container, error)) {
        assert_null(container);
        free(all);
        return NULL;
    }
    ssize_t count;
    while ((count = container_read(container, all + *size, 1000, error)) > 0)
        *size += (size_t)count;
    container_close(container);
    if (count == 0) return all;
    free(all);
    return NULL;
}

static void expect_text(const char *path, const char *expected)
{
    size_t size;
    struct error error = {0};
    char *all = read_all(path, &size, &error);
    if (!all) fail_msg("%s: %s", path, error.message);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(all, expected, size);
    free(all);
}

static void expect_error(const char *path, enum status status, const char *words)
{
    size_t size;
    struct error error = {0};
    char line[2048];
    char *all = read_all(path, &size, &error);
    if (all) fail_msg("%s was read", path);
    assert_int_equal(error.status, status);
    if (!strstr(error_text(&error, line, sizeof line), words))
        fail_msg("'%s' does not say '%s'", line, words);
}

static void every_compression_gives_the_text(void **state)
{
    static const char *const paths[] = {"a.mtx", "a.mtx.gz", "a.mtx.bz2", "a.mtx.xz", "a.mtx.zst"};
    for (int k = 0; k < 5; k++) {
        if (k == PACKED_NOT)
            files_write(paths[k], text, sizeof text - 1);
        else
            files_pack(paths[k], text, sizeof text - 1, (enum packing)k);
        expect_text(paths[k], text);
        struct container *container;
        assert_int_equal(container_open(paths[k], &container, NULL), STATUS_OK);
        assert_string_equal(container_name(container), "a");
        assert_string_equal(container_path(container), paths[k]);
        assert_int_equal(container_is_plain(container), k == PACKED_NOT);
        container_close(container);
    }
}

static void a_plain_file_is_read_at_any_position(void **state)
{
    struct container *container;
    char part[16] = {0};
    files_write("plain.mtx", text, sizeof text - 1);
    assert_int_equal(container_open("plain.mtx", &container, NULL), STATUS_OK);
    assert_int_equal(container_size(container), sizeof text - 1);
    assert_int_equal(container_pread(container, part, 12, 2, NULL), 12);
    assert_string_equal(part, "MatrixMarket");
    assert_int_equal(container_pread(container, part, 12, sizeof text - 5, NULL), 4);
    assert_false(container_changed(container));
    files_write("plain.mtx", text, 20);
    assert_true(container_changed(container));
    container_close(container);
}

/* A plain file is its only member, without a name; so is a packed one. */
static void a_file_is_one_member(void **state)
{
    files_write("member.mtx", text, sizeof text - 1);
    files_pack("member.mtx.gz", text, sizeof text - 1, PACKED_GZIP);
    for (int packed = 0; packed < 2; packed++) {
        struct container *container;
        const char *member;
        int64_t bytes;
        assert_int_equal(container_walk(packed ? "member.mtx.gz" : "member.mtx", NULL, &container, NULL),
                         STATUS_OK);
        assert_int_equal(container_next(container, &member, &bytes, NULL), STATUS_OK);
        assert_string_equal(member, "");
        assert_int_equal(bytes, packed ? -1 : (int64_t)sizeof text - 1);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(container_next(container, &member, &bytes, NULL), STATUS_OK);
            assert_null(member);
            assert_int_equal(bytes, -1);
        }
        container_close(container);
    }
}

/* As long as before, and changed within the same second. */
static void a_change_shows_in_the_time_alone(void **state)
{
    const struct timespec before[2] = {{1000000000, 0}, {1000000000, 0}};
    const struct timespec after[2] = {{1000000000, 1}, {1000000000, 1}};
    struct container *container;
    files_write("timed.mtx", text, sizeof text - 1);
    assert_int_equal(utimensat(AT_FDCWD, "timed.mtx", before, 0), 0);
    assert_int_equal(container_open("timed.mtx", &container, NULL), STATUS_OK);
    assert_false(container_changed(container));
    assert_int_equal(utimensat(AT_FDCWD, "timed.mtx", after, 0), 0);
    assert_true(container_changed(container));
    container_close(container);
}

/* More than read_all takes at once. */
static void a_plain_file_is_read_to_its_end(void **state)
{
    char *all = memory_array(5001, 1, NULL);
    for (int k = 0; k < 5000; k++)
        all[k] = (char)('a' + k % 23);
    all[5000] = 0;
    files_write("letters.mtx", all, 5000);
    expect_text("letters.mtx", all);
    free(all);
}

static void the_member_of_the_archives_name_is_chosen(void **state)
{
    static const struct member members[] = {{"cant/cant_b.mtx", "right-hand side"},
                                            {"cant/cant.mtx", "matrix"},
                                            {"cant/readme.txt", "words"},
                                            {NULL, NULL}};
    static const char *const paths[] = {"cant.tar", "cant.tar.gz", "cant.tar.xz", "cant.zip", "renamed.tgz"};
    for (int k = 0; k < 5; k++) {
        files_archive(paths[k], members, k == 1 || k == 4 ? PACKED_GZIP : k == 2 ? PACKED_XZ : PACKED_NOT);
        expect_text(paths[k], "matrix");
        struct container *container;
        char byte, named[64];
        assert_int_equal(container_open(paths[k], &container, NULL), STATUS_OK);
        assert_string_equal(container_name(container), "cant");
        while (container_read(container, &byte, 1, NULL) > 0)
            ;
        assert_string_equal(container_others(container), "cant/cant_b.mtx\ncant/readme.txt\n");
        container_close(container);
        snprintf(named, sizeof named, "%s:cant_b.mtx", paths[k]);
        expect_text(named, "right-hand side");
        snprintf(named, sizeof named, "%s:cant/cant_b.mtx", paths[k]);
        expect_text(named, "right-hand side");
    }
}

/* The archive's signature counts, not its ending. One member's name begins another's. */
static void an_archive_needs_no_ending(void **state)
{
    static const struct member members[] = {
        {"cant/cant.mt", "draft"}, {"cant/cant.mtx", "matrix"}, {NULL, NULL}};
    struct container *container;
    char byte;
    files_archive("cant.data", members, PACKED_NOT);
    expect_text("cant.data", "matrix");
    assert_int_equal(container_open("cant.data", &container, NULL), STATUS_OK);
    while (container_read(container, &byte, 1, NULL) > 0)
        ;
    assert_string_equal(container_others(container), "cant/cant.mt\n");
    container_close(container);
}

/* The members of a zip are those of the directory at its end: a removed member is still in the file before
 * it. */
static void a_zip_is_read_by_its_directory(void **state)
{
    static const struct member gone[] = {{"x/gone.mtx", "gone"}, {NULL, NULL}};
    static const struct member kept[] = {{"x/kept.mtx", "kept"}, {NULL, NULL}};
    char bytes[4096];
    size_t directory = 0, size;
    files_archive("gone.zip", gone, PACKED_NOT);
    files_archive("kept.zip", kept, PACKED_NOT);
    FILE *file = fopen("gone.zip", "r");
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    while (directory + 4 < size && memcmp(bytes + directory, "PK\1\2", 4) != 0)
        directory++;
    file = fopen("kept.zip", "r");
    size = directory + fread(bytes + directory, 1, sizeof bytes - directory, file);
    fclose(file);
    files_write("both.zip", bytes, size);
    expect_text("both.zip", "kept");
}

static void names_are_without_their_endings(void **state)
{
    static const struct {
        const char *base;
        size_t stem;
    } cases[] = {{"a", 1},          {"a.mtx", 1},        {"a.mtx.gz", 1}, {"a.tar.xz", 1},
                 {"A.MTX.GZ", 1},   {"a.mtx.gz.zip", 1}, {"a.b.mtx", 3},  {".mtx", 4},
                 {"mtx.gz.tar", 3}, {"a.gzip", 6}};
    static const struct member capitals[] = {{"X/A.MTX", "capitals"}, {NULL, NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(member_stem(cases[k].base), cases[k].stem);
    files_archive("capitals.tar", capitals, PACKED_NOT);
    expect_text("capitals.tar", "capitals");
}

static void the_only_matrix_that_is_no_companion_is_chosen(void **state)
{
    static const struct member members[] = {
        {"x/a_b.mtx", "b"}, {"x/a.mtx", "a"}, {"x/a_x.mtx", "x"}, {"notes", "n"}, {NULL, NULL}};
    static const struct member lonely[] = {{"only_b.mtx", "b"}, {NULL, NULL}};
    files_archive("first.tar.gz", members, PACKED_GZIP);
    expect_text("first.tar.gz", "a");
    files_archive("lonely.zip", lonely, PACKED_NOT);
    expect_text("lonely.zip", "b");
}

static void ambiguous_members_are_listed(void **state)
{
    static const struct member two[] = {{"x/a.mtx", "a"}, {"x/c.mtx", "c"}, {NULL, NULL}};
    static const struct member none[] = {{"x/a.pdf", "a"}, {"b", "b"}, {NULL, NULL}};
    static const struct member nothing[] = {{NULL, NULL}};
    files_archive("two.tar", two, PACKED_NOT);
    files_archive("none.tar", none, PACKED_NOT);
    files_archive("nothing.tar", nothing, PACKED_NOT);
    expect_error("two.tar", STATUS_SEVERAL,
                 "two.tar: several matrices in the archive; name one as ARCHIVE:MEMBER of: x/a.mtx, x/c.mtx");
    expect_error("none.tar", STATUS_INPUT,
                 "no member of the archive has the ending of a matrix (.mtx, .rb, .mat, ...); name one as "
                 "ARCHIVE:MEMBER of: "
                 "x/a.pdf, b");
    expect_error("two.tar:d.mtx", STATUS_INPUT,
                 "no member is called d.mtx; the archive holds: x/a.mtx, x/c.mtx");
    expect_error("nothing.tar", STATUS_INPUT, "nothing");
}

/* The file has no matrices by name. */
static void expect_unnamed(const char *path, const char *words)
{
    const struct load_options options = {0};
    struct matrix matrix;
    struct error error = {0};
    char message[sizeof error.path + sizeof error.message];
    assert_int_equal(matrix_load(path, &options, NULL, &matrix, &error), STATUS_INPUT);
    error_text(&error, message, sizeof message);
    if (!strstr(message, words)) fail_msg("'%s' does not say '%s'", message, words);
}

static void other_files_are_one_error(void **state)
{
    char *long_text = memory_array(200000, 1, NULL);
    for (int k = 0; k < 200000; k++)
        long_text[k] = (char)(k * 7919 % 251);
    files_pack("whole.gz", long_text, 200000, PACKED_GZIP);
    files_write("plain.mtx", text, sizeof text - 1);
    assert_int_equal(truncate("whole.gz", 600), 0);
    expect_error("whole.gz", STATUS_INPUT, "whole.gz: damaged or truncated");
    expect_error("absent.mtx", STATUS_IO, "absent.mtx: No such file or directory");
    expect_error("plain.mtx:", STATUS_IO, "plain.mtx:: No such file or directory");
    expect_error(".", STATUS_SEVERAL, ".: is a directory");
    expect_unnamed("plain.mtx:a.mtx", "plain.mtx: not an archive");
    files_pack("one.gz", text, sizeof text - 1, PACKED_GZIP);
    expect_unnamed("one.gz:a.mtx", "one.gz: not an archive");
    free(long_text);
}

static void empty_files_are_empty_texts(void **state)
{
    files_write("empty.mtx", "", 0);
    expect_text("empty.mtx", "");
    files_pack("empty.gz", "", 0, PACKED_GZIP);
    expect_text("empty.gz", "");
}

static void a_colon_in_a_file_name_is_no_member(void **state)
{
    files_write("a:b.mtx", text, sizeof text - 1);
    expect_text("a:b.mtx", text);
}

/* The ending of a name determines the compression, and an ending alone is no name. */
static void endings_say_what_is_compressed(void **state)
{
    static const struct {
        const char *path;
        bool packed;
    } cases[] = {{NULL, false}, {"a.mtx", false}, {".gz", false},
                 {"gz", false}, {"a.gz", true},   {"a.mtx.zst", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct compressor compressor;
        FILE *file = tmpfile();
        assert_non_null(file);
        assert_int_equal(compressor_open(&compressor, file, cases[k].path, NULL), STATUS_OK);
        assert_int_equal(compressor.archive || compressor.gzip, cases[k].packed);
        assert_int_equal(compressor.file == file, !cases[k].packed);
        assert_int_equal(compressor_close(&compressor, NULL), STATUS_OK);
        fclose(file);
    }
}

/* Replace standard input by `path`, or by a pipe of its bytes. */
static void standard_input_is(const char *path, int piped)
{
    static const struct member members[] = {{"p/q.txt", "no"}, {"p/p.mtx", "piped"}, {NULL, NULL}};
    char command[256];
    files_archive("piped.tar.gz", members, PACKED_GZIP);
    snprintf(command, sizeof command, piped ? "cat %s" : "true", path);
    FILE *source = piped ? popen(command, "r") : fopen(path, "r");
    int before = dup(STDIN_FILENO);
    assert_non_null(source);
    assert_true(before >= 0 && dup2(fileno(source), STDIN_FILENO) >= 0);
    expect_text("-", strstr(path, "piped") ? "piped" : text);
    dup2(before, STDIN_FILENO);
    close(before);
    if (piped)
        pclose(source);
    else
        fclose(source);
}

static void standard_input_is_read_packed_or_not(void **state)
{
    files_write("in.mtx", text, sizeof text - 1);
    files_pack("in.mtx.xz", text, sizeof text - 1, PACKED_XZ);
    for (int piped = 0; piped < 2; piped++) {
        standard_input_is("in.mtx", piped);
        standard_input_is("in.mtx.xz", piped);
        standard_input_is("piped.tar.gz", piped);
    }
}

/* Concatenated members of gzip are one text (RFC 1952, 2.2), and bytes behind them are ignored, as gzip does.
 * Of a file that ends early or whose checksum or size is wrong, no end is found. */
static void gzip_is_checked_to_its_end(void **state)
{
    enum { ONE = 3000, BOTH = 2 * ONE };
    char bytes[BOTH + 100] = {0}, whole[2 * sizeof text];
    size_t one, two;
    files_pack("one.gz", text, sizeof text - 1, PACKED_GZIP);
    FILE *file = fopen("one.gz", "r");
    one = fread(bytes, 1, ONE, file);
    fclose(file);
    assert_in_range(one, 30, ONE - 1);
    memcpy(bytes + one, bytes, one);
    two = 2 * one;
    snprintf(whole, sizeof whole, "%s%s", text, text);
    for (size_t behind = 0; behind <= 64; behind += 32) {
        files_write("two.gz", bytes, two + behind);
        expect_text("two.gz", whole);
    }
    for (size_t end = 3; end < two; end++) {
        if (end == one) continue; /* the first member is complete */
        files_write("short.gz", bytes, end);
        expect_error("short.gz", STATUS_INPUT, "damaged or truncated");
    }
    for (size_t at = two - 8; at < two; at++) { /* checksum and size */
        bytes[at] ^= 1;
        files_write("changed.gz", bytes, two);
        expect_error("changed.gz", STATUS_INPUT, "damaged or truncated");
        bytes[at] ^= 1;
    }
}

/* A stream is checked as a file is, from the bytes that were read to detect its kind and from later ones. */
static void gzip_in_a_stream_is_checked(void **state)
{
    enum { LONG = 1000000 };
    char *words = memory_array(LONG, 1, NULL), *bytes = memory_array(LONG, 1, NULL);
    uint64_t seed = 1;
    for (int k = 0; k < LONG; k++)
        words[k] = (char)('a' + support_random(&seed, 16));
    for (int damaged = 0; damaged < 2; damaged++)
        for (size_t length = 10; length <= LONG; length *= 100000) {
            files_pack("pipe.gz", words, length, PACKED_GZIP);
            FILE *file = fopen("pipe.gz", "r+");
            size_t size = fread(bytes, 1, LONG, file);
            bytes[size - 8] ^= (char)damaged;
            rewind(file);
            fwrite(bytes, 1, size, file);
            fclose(file);
            FILE *source = popen("cat pipe.gz", "r");
            int before = dup(STDIN_FILENO);
            assert_true(source && before >= 0 && dup2(fileno(source), STDIN_FILENO) >= 0);
            if (damaged)
                expect_error("-", STATUS_INPUT, "stdin: damaged or truncated");
            else {
                size_t found;
                char *all = read_all("-", &found, NULL);
                assert_non_null(all);
                assert_int_equal(found, length);
                assert_memory_equal(all, words, length);
                free(all);
            }
            dup2(before, STDIN_FILENO);
            close(before);
            pclose(source);
        }
    free(words);
    free(bytes);
}

/* Behind the members of an archive gzip's checksum is compared, too, whichever member is read. */
static void the_checksum_behind_an_archive_is_compared(void **state)
{
    static const struct member members[] = {{"x/a.mtx", text}, {"x/c.mtx", text}, {NULL, NULL}};
    char bytes[4096];
    files_archive("x.tar.gz", members, PACKED_GZIP);
    expect_text("x.tar.gz:a.mtx", text);
    expect_text("x.tar.gz:c.mtx", text);
    FILE *file = fopen("x.tar.gz", "r");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_in_range(size, 100, sizeof bytes - 1);
    bytes[size - 8] ^= 1;
    files_write("x.tar.gz", bytes, size);
    expect_error("x.tar.gz:a.mtx", STATUS_INPUT, "incorrect data check");
    expect_error("x.tar.gz:c.mtx", STATUS_INPUT, "incorrect data check");
}

/* If the beginning of a text is damaged, reading on fails as well. */
static void a_damaged_text_stays_so(void **state)
{
    static const struct member members[] = {{"a.mtx", text}, {NULL, NULL}};
    char bytes[4096];
    const char *head;
    struct container *container;
    files_archive("a.zip", members, PACKED_NOT);
    FILE *file = fopen("a.zip", "r");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t k = 0; k + 20 < size; k++) { /* the checksum behind the text, and in the directory */
        if (memcmp(bytes + k, "PK\7\10", 4) == 0) bytes[k + 4] ^= 1;
        if (memcmp(bytes + k, "PK\1\2", 4) == 0) bytes[k + 16] ^= 1;
    }
    files_write("a.zip", bytes, size);
    for (int piped = 0; piped < 2; piped++) {
        FILE *source = piped ? popen("cat a.zip", "r") : NULL;
        int before = dup(STDIN_FILENO);
        if (piped) assert_true(source && before >= 0 && dup2(fileno(source), STDIN_FILENO) >= 0);
        assert_int_equal(container_open(piped ? "-" : "a.zip", &container, NULL), STATUS_OK);
        for (int again = 0; again < 4; again++) {
            struct error error = {0};
            ssize_t count = again % 2 == 0 ? container_peek(container, &head, &error)
                                           : container_read(container, bytes, sizeof bytes, &error);
            assert_int_equal(count, -1);
            assert_int_equal(error.status, STATUS_INPUT);
            assert_non_null(strstr(error.message, "damaged or truncated"));
        }
        container_close(container);
        dup2(before, STDIN_FILENO);
        close(before);
        if (piped) pclose(source);
    }
}

/* Count the open files of this process; -1 if the system does not tell. */
static int count_open(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return -1;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Every way of opening, reading and leaving a file closes it in the end. */
static void no_file_stays_open(void **state)
{
    static const struct member members[] = {{"x/a.mtx", text}, {"x/c.mtx", text}, {NULL, NULL}};
    static const char *const paths[] = {"o.mtx", "o.mtx.gz",   "o.tar.gz",
                                        "o.zip", "absent.mtx", "o.tar.gz:a.mtx"};
    files_write("o.mtx", text, sizeof text - 1);
    files_pack("o.mtx.gz", text, sizeof text - 1, PACKED_GZIP);
    files_archive("o.tar.gz", members, PACKED_GZIP);
    files_archive("o.zip", members, PACKED_NOT);
    const int before = count_open();
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        for (int how = 0; how < 4; how++) {
            struct container *container = NULL;
            const char *member;
            char bytes[100];
            int64_t size;
            enum status status = how == 0 ? container_walk(paths[p], NULL, &container, NULL)
                                          : container_open(paths[p], &container, NULL);
            if (status == STATUS_OK && how == 0) container_next(container, &member, &size, NULL);
            if (status == STATUS_OK && how == 2) container_read(container, bytes, sizeof bytes, NULL);
            if (status == STATUS_OK && how == 3) container_unpack(container, 0, NULL, NULL);
            container_close(container);
            assert_int_equal(count_open(), before);
        }
}

/* Of a long text of gzip the memory is taken while it is unpacked, too. */
static void failing_allocations_are_reported(void **state)
{
    static const struct member members[] = {{"x/a.mtx", "a"}, {"x/a_b.mtx", "b"}, {NULL, NULL}};
    static const char *const paths[] = {"sweep.tar.gz", "long.gz"};
    char *words = memory_zeroed(400000, 1, NULL), bytes[5000];
    files_archive("sweep.tar.gz", members, PACKED_GZIP);
    files_pack("long.gz", words, 400000, PACKED_GZIP);
    free(words);
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        for (long k = 0;; k++) {
            struct error error = {0};
            struct container *container;
            memory_fail_after(k);
            enum status status = container_open(paths[p], &container, &error);
            while (!status) {
                ssize_t count = container_read(container, bytes, sizeof bytes, &error);
                if (count < 0) status = error.status;
                if (count <= 0) break;
            }
            long failures = memory_failures();
            memory_fail_after(-1);
            container_close(container);
            if (!failures) break;
            assert_int_equal(status, STATUS_MEMORY);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_gives_the_text),
        cmocka_unit_test(a_plain_file_is_read_at_any_position),
        cmocka_unit_test(a_file_is_one_member),
        cmocka_unit_test(a_change_shows_in_the_time_alone),
        cmocka_unit_test(a_plain_file_is_read_to_its_end),
        cmocka_unit_test(the_member_of_the_archives_name_is_chosen),
        cmocka_unit_test(an_archive_needs_no_ending),
        cmocka_unit_test(a_zip_is_read_by_its_directory),
        cmocka_unit_test(names_are_without_their_endings),
        cmocka_unit_test(the_only_matrix_that_is_no_companion_is_chosen),
        cmocka_unit_test(ambiguous_members_are_listed),
        cmocka_unit_test(other_files_are_one_error),
        cmocka_unit_test(empty_files_are_empty_texts),
        cmocka_unit_test(a_colon_in_a_file_name_is_no_member),
        cmocka_unit_test(endings_say_what_is_compressed),
        cmocka_unit_test(standard_input_is_read_packed_or_not),
        cmocka_unit_test(gzip_is_checked_to_its_end),
        cmocka_unit_test(gzip_in_a_stream_is_checked),
        cmocka_unit_test(the_checksum_behind_an_archive_is_compared),
        cmocka_unit_test(a_damaged_text_stays_so),
        cmocka_unit_test(no_file_stays_open),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
