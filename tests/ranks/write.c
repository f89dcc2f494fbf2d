/* ranks/write, run by any number of ranks: the files that ranks write together are those of one process, byte
 * for byte, and nothing is left of a file that could not be written. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "ranks/tests.h"
#include "ranks/write.h"
#include "support/cmocka.h"
#include "support/files.h"

static struct ranks ranks;

static const char *const formats[] = {"mtx", "petsc"};
#define FORMATS ((int)(sizeof formats / sizeof *formats))
static const char comment[] = "a comment\nof two lines";

static void meet(void)
{
    struct error error = {0};
    ranks_agree(&ranks, STATUS_OK, &error);
}

/* Fail on rank 0 if the file has other bytes than one process writes. */
static void check_bytes(const char *name, const struct matrix *whole, const struct reader *writer)
{
    struct error error = {0};
    char *wanted = NULL;
    size_t size = 0;
    if (ranks.rank != 0) return;
    FILE *memory = open_memstream(&wanted, &size), *file = fopen("written", "rb");
    assert_int_equal(writer->write(memory, whole, comment, NULL, &error), STATUS_OK);
    fclose(memory);
    assert_non_null(file);
    char *bytes = malloc(size + 1);
    const size_t count = fread(bytes, 1, size + 1, file);
    fclose(file);
    if (count != size || memcmp(bytes, wanted, size) != 0)
        fail_msg("%s as %s: %zu bytes, should be %zu", name, writer->name, count, size);
    free(bytes);
    free(wanted);
}

static void compare(const char *name, const struct matrix *whole)
{
    for (int f = 0; f < FORMATS; f++) {
        struct error error = {0};
        struct share share;
        const struct reader *writer = reader_find(formats[f], &error);
        assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
        const enum status status = share_write(&ranks, &share, writer, comment, "written", &error);
        if (status != STATUS_OK) fail_msg("%s as %s: %s", name, writer->name, error.message);
        check_bytes(name, whole, writer);
        share_free(&share);
        meet();
    }
}

/* Several blocks a rank, rectangles, rows without entries, one row, fewer rows than ranks. */
static void test_generated(void **state)
{
    static const char *const names[] = {"gen:random,m=4000,mean=8", "gen:random,m=200,n=300,mean=1,spread=1",
                                        "gen:random,m=1,n=50,mean=8", "gen:random,m=3,n=4,mean=2"};
    const struct load_options options = {0};
    struct error error = {0};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct matrix whole;
        assert_int_equal(matrix_load(names[k], &options, NULL, &whole, &error), STATUS_OK);
        threads_set(k % 2 ? 1 : 2);
        compare(names[k], &whole);
        matrix_free(&whole);
    }
    threads_set(1);
}

/* All fields and symmetries. Summed entries, or large integers, of one rank change the field that all ranks
 * write; an entry on the diagonal of a skew-symmetric matrix changes the symmetry. */
static void test_files(void **state)
{
    static const struct {
        const char *text;
        bool skew; /* state that the matrix is skew-symmetric, in spite of its diagonal */
    } files[] = {
        {"%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n",
         false},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n5 5 4\n2 1 3\n3 1 -1\n5 4 2\n5 1 1\n", false},
        {"%%MatrixMarket matrix coordinate real general\n4 4 3\n4 3 5\n3 4 -5\n4 4 0\n", true},
        {"%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 2 0\n2 1 1 -1\n3 2 0 4\n", false},
        {"%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 1 1\n1 1 2\n2 3 5\n3 3 -5\n", false},
        {"%%MatrixMarket matrix coordinate integer general\n4 4 4\n1 1 1\n2 2 2\n3 3 3\n4 4 1e20\n", false},
        {"%%MatrixMarket matrix coordinate pattern general\n4 4 5\n1 1\n2 2\n3 3\n4 4\n4 4\n", false},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n1 1\n2 1\n3 2\n4 4\n", false},
        {"%%MatrixMarket matrix coordinate real general\n3 3 0\n", false}};
    const struct load_options options = {.lenient = true};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct matrix whole;
        struct error error = {0};
        if (ranks.rank == 0) files_write("small.mtx", files[k].text, strlen(files[k].text));
        meet();
        assert_int_equal(matrix_load("small.mtx", &options, NULL, &whole, &error), STATUS_OK);
        if (files[k].skew) whole.symmetry = SYMMETRY_SKEW;
        compare(files[k].text, &whole);
        matrix_free(&whole);
    }
}

/* Return the number of files here whose names begin like this, hidden ones too. */
static int count_files(const char *name)
{
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strncmp(entry->d_name + (entry->d_name[0] == '.'), name, strlen(name)) == 0;
    closedir(folder);
    return count;
}

/* Only regular files are written, without compression, in formats of which each rank can write a part. */
static void test_refusals(void **state)
{
    const struct load_options options = {0};
    struct matrix whole;
    struct share share;
    struct error error = {0};
    assert_int_equal(matrix_load("gen:laplace2d,n=5", &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
    static const struct {
        const char *path, *format, *says;
        enum status status;
    } cases[] = {
        {"/dev/null", "mtx", "is not a regular file", STATUS_UNAVAILABLE},
        {"absent/a.mtx", "mtx", "cannot write: No such file", STATUS_IO},
        {"refused.mtx.gz", "mtx", "do not write compressed files together", STATUS_UNAVAILABLE},
        {"refused.tar", "mtx", "do not write compressed files together", STATUS_UNAVAILABLE},
        {"refused.mtx", "rb", "but not Rutherford-Boeing or Harwell-Boeing files", STATUS_UNAVAILABLE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        error_clear(&error);
        const struct reader *writer = reader_find(cases[k].format, &error);
        if (!writer) continue;
        assert_int_equal(share_write(&ranks, &share, writer, NULL, cases[k].path, &error), cases[k].status);
        if (!strstr(error.message, cases[k].says))
            fail_msg("\"%s\" is not in \"%s\"", cases[k].says, error.message);
    }
    assert_int_equal(count_files("refused"), 0);
    share_free(&share);
    matrix_free(&whole);
    meet();
}

/* A rank whose files may have at most 1 KiB ends the file of all; the old file stays. */
static void test_failing_writes(void **state)
{
    const struct load_options options = {0};
    struct matrix whole;
    struct error error = {0};
    assert_int_equal(matrix_load("gen:laplace2d,n=40", &options, NULL, &whole, &error), STATUS_OK);
    for (int victim = 0; victim<ranks.count; victim += ranks.count> 2 ? ranks.count - 1 : 1)
        for (int f = 0; f < FORMATS; f++) {
            struct rlimit before, low;
            struct share share;
            if (ranks.rank == 0) files_write("old.mtx", "old\n", 4);
            meet();
            error_clear(&error);
            const struct reader *writer = reader_find(formats[f], &error);
            assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
            assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
            low = before;
            low.rlim_cur = 1024;
            if (ranks.rank == victim) assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
            const enum status status = share_write(&ranks, &share, writer, NULL, "old.mtx", &error);
            if (ranks.rank == victim) assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
            assert_int_equal(status, STATUS_IO);
            assert_non_null(strstr(error.message, "cannot be written: File too large"));
            meet();
            assert_int_equal(count_files("old"), 1);
            char text[8] = "";
            FILE *file = fopen("old.mtx", "r");
            assert_int_equal(fread(text, 1, sizeof text - 1, file), 4);
            fclose(file);
            assert_string_equal(text, "old\n");
            share_free(&share);
            meet();
        }
    matrix_free(&whole);
}

/* Let allocation k of one rank fail. Returns whether it did; then all ranks say so, none waits for another,
 * and there is no file. */
static bool fail_once(const struct matrix *whole, const struct reader *writer, int victim, int k)
{
    struct error error = {0};
    struct share share;
    assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
    if (ranks.rank == victim) memory_fail_after(k);
    const enum status status = share_write(&ranks, &share, writer, NULL, "failing.mtx", &error);
    int64_t failed = memory_failures();
    memory_fail_after(-1);
    ranks_max(&ranks, &failed, 1);
    assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
    assert_int_equal(error.status, status);
    assert_int_equal(count_files("failing"), !failed);
    share_free(&share);
    meet();
    if (!failed && ranks.rank == 0) unlink("failing.mtx");
    meet();
    return failed;
}

static void test_failing_allocations(void **state)
{
    const struct load_options options = {0};
    struct matrix whole;
    struct error error = {0};
    assert_int_equal(matrix_load("gen:laplace2d,n=5", &options, NULL, &whole, &error), STATUS_OK);
    for (int f = 0; f < FORMATS; f++)
        for (int victim = 0; victim<ranks.count; victim += ranks.count> 2 ? ranks.count - 1 : 1) {
            int k = 0;
            while (fail_once(&whole, reader_find(formats[f], &error), victim, k))
                k++;
            assert_true(k >= 2);
        }
    matrix_free(&whole);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generated), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_failing_writes),
                                       cmocka_unit_test(test_failing_allocations)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* the ranks share the processors */
    signal(SIGXFSZ, SIG_IGN);
    return ranks_run_tests(&ranks, "ranks/write", tests, sizeof tests / sizeof *tests);
}
