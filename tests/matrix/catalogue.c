/* matrix/files/catalogue: the contents of a folder or an archive, from names and headers alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/catalogue.h"
#include "matrix/files/container.h"
#include "support/cmocka.h"
#include "support/files.h"

#define LINE "%%MatrixMarket matrix "
static const char real[] = LINE "coordinate real general\n% words\n3 4 2\n1 1 2.5\n3 4 1\n";
static const char symmetric[] = LINE "coordinate pattern symmetric\n5 5 1\n2 1\n";
static const char dense[] = LINE "array complex hermitian\n3 3\n1 0\n0 1\n0 2\n1 0\n0 3\n1 0\n";
static const char damaged[] = LINE "coordinate real general\n3 x 2\n";
static const char huge[] = LINE "coordinate real general\n2147483647 2147483647 0\n";

static const struct load_options options;

static void list(struct catalogue *catalogue, const char *path)
{
    struct error error = {0};
    assert_int_equal(catalogue_start(catalogue, &error), STATUS_OK);
    if (catalogue_list(catalogue, path, &options, NULL, &error)) fail_msg("%s: %s", path, error.message);
}

/* Return the item of this name; NULL if there is none. */
static struct catalogue_item *item_of(const struct catalogue *catalogue, const char *name)
{
    for (int64_t k = 0; k < catalogue->count; k++)
        if (strcmp(catalogue->items[k]->name, name) == 0) return catalogue->items[k];
    return NULL;
}

static struct catalogue_item *peeked(const struct catalogue *catalogue, const char *name)
{
    struct catalogue_item *item = item_of(catalogue, name);
    if (!item) fail_msg("no %s", name);
    assert_int_equal(catalogue_peek(item, &options, NULL, NULL), STATUS_OK);
    return item;
}

static void expect_sizes(const struct catalogue_item *item, int64_t rows, int64_t cols, int64_t entries)
{
    if (catalogue_state(item) != CATALOGUE_READ) fail_msg("%s: %s", item->name, item->reason);
    assert_int_equal(item->kind, CATALOGUE_MATRIX);
    assert_int_equal(item->rows, rows);
    assert_int_equal(item->cols, cols);
    assert_int_equal(item->entries, entries);
}

static void expect_refused(const struct catalogue_item *item, const char *words)
{
    assert_int_equal(catalogue_state(item), CATALOGUE_REFUSED);
    if (!strstr(item->reason, words)) fail_msg("'%s' does not say '%s'", item->reason, words);
    assert_null(strstr(item->reason, item->path)); /* the line shows the name already */
}

/* A folder with every kind of item. */
static void make_folder(void)
{
    static const struct member two[] = {{"x/a.mtx", real}, {"x/c.mtx", symmetric}, {NULL, NULL}};
    static const struct member one[] = {{"one/one_b.mtx", dense}, {"one/one.mtx", real}, {NULL, NULL}};
    static const struct member none[] = {{"x/a.txt", "a"}, {NULL, NULL}};
    mkdir("f", 0755);
    mkdir("f/folder", 0755);
    mkdir("f/empty", 0755);
    files_put("f/folder/a.mtx", real);
    files_put("f/folder/words.txt", "words");
    files_put("f/with blank.mtx", real);
    files_put("f/B.mtx", symmetric);
    files_put("f/a.mtx", dense);
    files_put("f/damaged.mtx", damaged);
    files_put("f/huge.mtx", huge);
    files_put("f/nothing.mtx", "");
    files_put("f/words.txt", "words");
    files_put("f/.hidden.mtx", real);
    files_put("f/unnamed", real);
    files_pack("f/z.mtx.xz", real, strlen(real), PACKED_XZ);
    files_pack("f/unnamed packed", symmetric, strlen(symmetric), PACKED_GZIP);
    files_pack("f/words.gz", "words", 5, PACKED_GZIP);
    files_archive("f/two.zip", two, PACKED_NOT);
    files_archive("f/one.tar.gz", one, PACKED_GZIP);
    files_archive("f/none.tar", none, PACKED_NOT);
    files_archive("f/renamed", two, PACKED_GZIP);
    (void)!symlink("nowhere", "f/lost.mtx");
    (void)!mkfifo("f/pipe.mtx", 0644);
}

static void a_folder_is_listed_by_names_and_contents(void **state)
{
    static const char *const names[] = {"a.mtx",       "B.mtx",          "damaged.mtx",    "empty/",
                                        "folder/",     "huge.mtx",       "lost.mtx",       "none.tar",
                                        "nothing.mtx", "one.tar.gz",     "renamed",        "two.zip",
                                        "unnamed",     "unnamed packed", "with blank.mtx", "z.mtx.xz"};
    struct catalogue catalogue;
    list(&catalogue, "f");
    assert_int_equal(catalogue.count, sizeof names / sizeof *names);
    for (int64_t k = 0; k < catalogue.count; k++) {
        const struct catalogue_item *item = catalogue.items[k];
        struct stat status;
        assert_string_equal(item->name, names[k]);
        assert_int_equal(strncmp(item->path, "f/", 2), 0);
        bool folder = item->name[strlen(item->name) - 1] == '/';
        assert_int_equal(item->kind, folder ? CATALOGUE_FOLDER : CATALOGUE_MATRIX);
        if (stat(item->path, &status)) continue;
        assert_int_equal(catalogue_state(item), CATALOGUE_WAITING);
        assert_int_equal(item->bytes, folder ? -1 : (int64_t)status.st_size);
    }
    catalogue_free(&catalogue);
}

static void headers_are_read(void **state)
{
    struct catalogue catalogue;
    list(&catalogue, "f/");
    const struct catalogue_item *item = peeked(&catalogue, "a.mtx");
    assert_string_equal(item->path, "f/a.mtx");
    expect_sizes(item, 3, 3, 6);
    assert_int_equal(item->field, FIELD_COMPLEX);
    assert_int_equal(item->symmetry, SYMMETRY_HERMITIAN);
    assert_false(item->coordinate);
    item = peeked(&catalogue, "B.mtx");
    expect_sizes(item, 5, 5, 1);
    assert_int_equal(item->field, FIELD_PATTERN);
    assert_int_equal(item->symmetry, SYMMETRY_SYMMETRIC);
    assert_true(item->coordinate && !item->packed);
    assert_true(item->outlined);
    item = peeked(&catalogue, "z.mtx.xz");
    expect_sizes(item, 3, 4, 2);
    assert_true(item->packed);
    expect_sizes(peeked(&catalogue, "with blank.mtx"), 3, 4, 2);
    expect_sizes(peeked(&catalogue, "unnamed"), 3, 4, 2);
    expect_sizes(peeked(&catalogue, "unnamed packed"), 5, 5, 1);
    expect_sizes(peeked(&catalogue, "one.tar.gz"), 3, 4, 2);               /* and not its right-hand side */
    expect_sizes(peeked(&catalogue, "huge.mtx"), INT32_MAX, INT32_MAX, 0); /* more than memory holds */
    catalogue_free(&catalogue);
}

static void other_files_have_a_reason(void **state)
{
    struct catalogue catalogue;
    list(&catalogue, "f");
    expect_refused(peeked(&catalogue, "damaged.mtx"), "line 2: 'x' where the number of columns is expected");
    expect_refused(peeked(&catalogue, "nothing.mtx"), "the file is empty");
    expect_refused(peeked(&catalogue, "none.tar"), "no member of the archive has the ending of a matrix");
    expect_refused(peeked(&catalogue, "lost.mtx"), "No such file or directory");
    struct catalogue_item *item = item_of(&catalogue, "a.mtx");
    if (geteuid() != 0) {
        chmod("f/a.mtx", 0);
        expect_refused(peeked(&catalogue, "a.mtx"), "Permission denied");
        chmod("f/a.mtx", 0644);
    } else {
        assert_int_equal(rename("f/a.mtx", "f/a.away"), 0); /* the file disappears after listing */
        expect_refused(peeked(&catalogue, "a.mtx"), "No such file or directory");
        assert_int_equal(rename("f/a.away", "f/a.mtx"), 0);
    }
    assert_int_equal(catalogue_peek(item, &options, NULL, NULL), STATUS_OK); /* nothing changes */
    assert_int_equal(catalogue_state(item), CATALOGUE_REFUSED);
    static const char *const archives[] = {"two.zip", "renamed"};
    for (size_t k = 0; k < sizeof archives / sizeof *archives; k++) {
        const struct catalogue_item *archive = peeked(&catalogue, archives[k]);
        assert_int_equal(archive->kind, CATALOGUE_ARCHIVE);
        assert_int_equal(archive->entries, 2);
        assert_false(archive->more);
    }
    assert_int_equal(peeked(&catalogue, "folder/")->entries, 1);
    assert_int_equal(peeked(&catalogue, "empty/")->entries, 0);
    catalogue_free(&catalogue);
}

/* The number of an archive's matrices is that of its members that end in .mtx, and each allocation of
 * counting them may fail. */
static void the_matrices_of_an_archive_are_counted(void **state)
{
    static const struct member five[] = {
        {"a.mtx", real},      {"words.txt", "words"}, {"b.MTX", real},      {"c/d.mtx", damaged},
        {"c/d_b.mtx", dense}, {"e.mtx.txt", real},    {"f.mtx", symmetric}, {NULL, NULL}};
    static const char *const paths[] = {"five.tar", "five.zip", "five.tgz"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        files_archive(paths[k], five, k == 2 ? PACKED_GZIP : PACKED_NOT);
        int refused = 0;
        for (long fail = 0, failures = 1; failures > 0; fail++) {
            struct catalogue_item item = {.path = (char *)(uintptr_t)paths[k]};
            memory_fail_after(fail);
            enum status status = catalogue_peek(&item, &options, NULL, NULL);
            failures = memory_failures();
            memory_fail_after(-1);
            if (failures == 0) assert_int_equal(status, STATUS_OK);
            if (status == STATUS_OK) { /* the list of members for a message may lack memory */
                assert_int_equal(item.kind, CATALOGUE_ARCHIVE);
                assert_int_equal(item.entries, 5);
            } else {
                refused++;
                assert_int_equal(status, STATUS_MEMORY);
                assert_int_equal(catalogue_state(&item), CATALOGUE_WAITING);
            }
        }
        assert_true(refused > 5);
    }
}

/* All members' headers are read in one go; a damaged one does not end the list. */
static void members_are_listed_with_their_headers(void **state)
{
    static const struct member members[] = {{"x/real one.mtx", real},       {"readme.txt", "words"},
                                            {"damaged.mtx", damaged},       {"y/dense.mtx", dense},
                                            {"y/symmetric.mtx", symmetric}, {NULL, NULL}};
    static const char *const paths[] = {"m.tar", "m.tar.zst", "m.zip"};
    for (int k = 0; k < 3; k++) {
        struct catalogue catalogue;
        struct container *container;
        files_archive(paths[k], members, k == 1 ? PACKED_ZSTD : PACKED_NOT);
        list(&catalogue, paths[k]);
        assert_int_equal(catalogue.count, 4);
        expect_sizes(item_of(&catalogue, "x/real one.mtx"), 3, 4, 2);
        expect_sizes(item_of(&catalogue, "y/dense.mtx"), 3, 3, 6);
        expect_sizes(item_of(&catalogue, "y/symmetric.mtx"), 5, 5, 1);
        expect_refused(item_of(&catalogue, "damaged.mtx"), "line 2: 'x'");
        const struct catalogue_item *item = item_of(&catalogue, "y/symmetric.mtx");
        assert_int_equal(item->bytes, strlen(symmetric));
        assert_true(item->packed);
        assert_int_equal(container_open(item->path, &container, NULL), STATUS_OK);
        assert_string_equal(container_name(container), "symmetric");
        container_close(container);
        catalogue_free(&catalogue);
    }
}

/* The members before the damage are listed. */
static void an_archive_that_is_cut_short_says_so(void **state)
{
    static const struct member members[] = {{"a.mtx", real}, {"b.mtx", real}, {"c.mtx", real}, {NULL, NULL}};
    struct catalogue catalogue;
    struct error error = {0};
    files_archive("cut.tar", members, PACKED_NOT);
    assert_int_equal(truncate("cut.tar", 1024 + 512 + 30), 0); /* within the text of b.mtx */
    assert_int_equal(catalogue_start(&catalogue, NULL), STATUS_OK);
    assert_int_equal(catalogue_list(&catalogue, "cut.tar", &options, NULL, &error), STATUS_INPUT);
    assert_non_null(strstr(error.message, "damaged or truncated"));
    assert_int_equal(catalogue.count, 2);
    expect_sizes(item_of(&catalogue, "a.mtx"), 3, 4, 2);
    assert_int_equal(catalogue_state(item_of(&catalogue, "b.mtx")), CATALOGUE_REFUSED);
    catalogue_free(&catalogue);
    files_pack("one.mtx.gz", real, strlen(real), PACKED_GZIP);
    error_clear(&error);
    assert_int_equal(catalogue_start(&catalogue, NULL), STATUS_OK);
    assert_int_equal(catalogue_list(&catalogue, "one.mtx.gz", &options, NULL, &error), STATUS_INPUT);
    assert_non_null(strstr(error.message, "is no archive"));
    catalogue_free(&catalogue);
    error_clear(&error);
    assert_int_equal(catalogue_start(&catalogue, NULL), STATUS_OK);
    assert_int_equal(catalogue_list(&catalogue, "nowhere", &options, NULL, &error), STATUS_IO);
    assert_int_equal(catalogue.count, 0);
    catalogue_free(&catalogue);
}

/* The matrix follows more bytes than the catalogue inspects. These bytes are incompressible. */
static void a_large_archive_is_not_looked_through(void **state)
{
    struct catalogue catalogue;
    size_t size = (size_t)CATALOGUE_LOOK_BYTES + (1 << 20);
    char *noise = memory_array(size + 1, 1, NULL);
    uint64_t seed = 1;
    for (size_t k = 0; k < size; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        noise[k] = (char)(1 + seed % 255 * (seed >> 40) % 255);
    }
    noise[size] = 0;
    const struct member members[] = {{"noise", noise}, {"other.mtx", real}, {NULL, NULL}};
    mkdir("l", 0755);
    files_archive("l/large.tar.gz", members, PACKED_GZIP);
    files_archive("l/plain.tar", members, PACKED_NOT);
    free(noise);
    list(&catalogue, "l");
    assert_true(item_of(&catalogue, "large.tar.gz")->bytes > CATALOGUE_LOOK_BYTES);
    assert_int_equal(catalogue_state(peeked(&catalogue, "large.tar.gz")), CATALOGUE_LARGE);
    expect_sizes(peeked(&catalogue, "plain.tar"), 3, 4, 2); /* members that are not packed are skipped */
    catalogue_free(&catalogue);
}

static void thousands_of_files_are_listed(void **state)
{
    enum { FILES = 3000 };
    struct catalogue catalogue;
    struct catalogue_item *items[FILES];
    mkdir("many", 0755);
    for (int k = 0; k < FILES; k++) {
        char path[64], text[128];
        snprintf(path, sizeof path, "many/m%d.mtx", k);
        snprintf(text, sizeof text, "%scoordinate real general\n%d %d 0\n", LINE, k + 1, 2 * k);
        files_put(path, text);
    }
    list(&catalogue, "many");
    assert_int_equal(catalogue_take(&catalogue, 0, items, FILES), FILES);
    assert_int_equal(catalogue_take(&catalogue, FILES - 7, items, FILES), 7);
    assert_int_equal(catalogue_take(&catalogue, FILES, items, FILES), 0);
    for (int k = 0; k < FILES; k++) {
        char name[64];
        snprintf(name, sizeof name, "m%d.mtx", k);
        if (k % 50 == 0) expect_sizes(peeked(&catalogue, name), k + 1, 2 * k, 0);
    }
    catalogue_free(&catalogue);
}

static void it_can_be_cancelled(void **state)
{
    struct progress progress = {0};
    struct catalogue catalogue;
    list(&catalogue, "f");
    progress_cancel(&progress);
    struct catalogue_item *item = item_of(&catalogue, "one.tar.gz");
    assert_int_equal(catalogue_peek(item, &options, &progress, NULL), STATUS_CANCELLED);
    assert_int_equal(catalogue_state(item), CATALOGUE_WAITING);
    expect_sizes(peeked(&catalogue, "one.tar.gz"), 3, 4, 2);
    catalogue_free(&catalogue);
    static const char *const paths[] = {"f", "m.tar.zst"};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(catalogue_start(&catalogue, NULL), STATUS_OK);
        assert_int_equal(catalogue_list(&catalogue, paths[k], &options, &progress, NULL), STATUS_CANCELLED);
        catalogue_free(&catalogue);
    }
}

/* Each allocation fails in turn. */
static void no_memory_is_an_error(void **state)
{
    static const char *const paths[] = {"f", "m.zip"};
    for (int p = 0; p < 2; p++)
        for (long k = 0;; k++) {
            struct catalogue catalogue;
            struct error error = {0};
            memory_fail_after(-1);
            assert_int_equal(catalogue_start(&catalogue, NULL), STATUS_OK);
            memory_fail_after(k);
            enum status status = catalogue_list(&catalogue, paths[p], &options, NULL, &error);
            for (int64_t i = 0; i < catalogue.count && status == STATUS_OK; i++)
                status = catalogue_peek(catalogue.items[i], &options, NULL, &error);
            bool failed = memory_failures() > 0;
            memory_fail_after(-1);
            catalogue_free(&catalogue);
            /* A file whose name says nothing is left out if there is no memory to look into it. */
            if (status != STATUS_OK) assert_int_equal(status, STATUS_MEMORY);
            if (!failed) break;
        }
}

static int begin(void **state)
{
    int failed = files_begin(state);
    if (!failed) make_folder();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_listed_by_names_and_contents),
        cmocka_unit_test(the_matrices_of_an_archive_are_counted),
        cmocka_unit_test(headers_are_read),
        cmocka_unit_test(other_files_have_a_reason),
        cmocka_unit_test(members_are_listed_with_their_headers),
        cmocka_unit_test(an_archive_that_is_cut_short_says_so),
        cmocka_unit_test(a_large_archive_is_not_looked_through),
        cmocka_unit_test(thousands_of_files_are_listed),
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, begin, files_end);
}
