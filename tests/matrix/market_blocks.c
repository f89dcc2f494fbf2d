/* Matrix Market files of several blocks, which are parsed at the same time: their entries, their faults and
 * their end. */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/container.h"
#include "support/chance.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/market.h"

/* A text of about a megabyte with comments, long comments and blank lines. Entry number k, from 0, is in row
 * k, in a random column, with the value k + 0.1. `instead` replaces entry `fault`; returns its line. */
static char *make_long(int64_t entries, int64_t fault, const char *instead, size_t *size, int64_t *line)
{
    char *text = memory_array(4 << 20, 1, NULL);
    size_t used =
        (size_t)sprintf(text, "%s%" PRId64 " %" PRId64 " %" PRId64 "\n", REAL, entries, entries, entries);
    int64_t number = 3;
    uint64_t seed = CHANCE_SEED;
    for (int64_t k = 0; k < entries; k++) {
        if (chance_next(&seed) % 50 == 0) {
            used += (size_t)sprintf(text + used, "%% comment\n\n");
            number += 2;
        }
        if (k == entries / 2) { /* longer than a block and than a line may be */
            text[used++] = '%';
            memset(text + used, 'x', 700000);
            used += 700000;
            text[used++] = '\n';
            number++;
        }
        if (k == fault) {
            *line = number;
            used += (size_t)sprintf(text + used, "%s", instead);
        } else
            used += (size_t)sprintf(text + used, "%" PRId64 " %d %.1f\n", k + 1,
                                    (int)(chance_next(&seed) % (uint64_t)entries) + 1, (double)k + 0.1);
        number++;
    }
    *size = used;
    return text;
}

#define LONG_ENTRIES 60000

static void long_files_are_read_block_by_block(void **state)
{
    size_t size;
    int64_t line;
    char *text = make_long(LONG_ENTRIES, -1, NULL, &size, &line), value[32];
    struct load_options options = {0};
    files_write("long.mtx", text, size);
    files_pack("long.mtx.gz", text, size, PACKED_GZIP);
    for (int k = 0; k < 4; k++) {
        struct matrix matrix;
        threads_set(1 + k % 2);
        struct error error = {0};
        if (read_file(k < 2 ? "long.mtx" : "long.mtx.gz", &options, NULL, &matrix, &error))
            fail_msg("line %d: %s", (int)error.line, error.message);
        assert_int_equal(csr_nnz(&matrix.csr), LONG_ENTRIES);
        for (int64_t i = 0; i < LONG_ENTRIES; i++) {
            snprintf(value, sizeof value, "%.1f", (double)i + 0.1);
            assert_int_equal(matrix.csr.row_ptr[i], i);
            assert_true(matrix.csr.val[i] == strtod(value, NULL));
        }
        matrix_free(&matrix);
    }
    free(text);
}

/* Lines of 32 bytes, so that one begins with each block of any power of two. */
static void lines_that_begin_with_a_block_are_read(void **state)
{
    enum { LINE = 32, ENTRIES = 40000 };
    char *text = memory_array(128 + LINE * ENTRIES, 1, NULL);
    size_t used = (size_t)sprintf(text, "%s%d 1 %d\n", REAL, ENTRIES, ENTRIES);
    struct load_options options = {0};
    for (int k = 0; k < ENTRIES; k++)
        used += (size_t)sprintf(text + used, "%-13d 1 %-15d\n", k + 1, k);
    files_write("aligned.mtx", text, used);
    free(text);
    for (int threads = 1; threads <= 2; threads++) {
        struct matrix matrix;
        struct error error = {0};
        threads_set(threads);
        if (read_file("aligned.mtx", &options, NULL, &matrix, &error)) fail_msg("%s", error.message);
        assert_int_equal(csr_nnz(&matrix.csr), ENTRIES);
        for (int64_t k = 0; k < ENTRIES; k++)
            assert_true(matrix.csr.val[k] == (double)k);
        matrix_free(&matrix);
    }
}

/* Below the diagonal, column by column: entry (i, j) is i + j / 1000. */
static void long_skew_arrays_are_read_block_by_block(void **state)
{
    enum { SIDE = 400 };
    char *text = memory_array(1 << 20, 1, NULL);
    size_t used =
        (size_t)sprintf(text, "%%%%MatrixMarket matrix array real skew-symmetric\n%d %d\n", SIDE, SIDE);
    struct load_options options = {0};
    for (int j = 0; j < SIDE; j++)
        for (int i = j + 1; i < SIDE; i++)
            used += (size_t)sprintf(text + used, "%d.%03d\n", i, j);
    files_write("skew.mtx", text, used);
    files_pack("skew.mtx.gz", text, used, PACKED_GZIP);
    free(text);
    for (int k = 0; k < 4; k++) {
        struct matrix matrix;
        threads_set(1 + k % 2);
        assert_int_equal(read_file(k < 2 ? "skew.mtx" : "skew.mtx.gz", &options, NULL, &matrix, NULL),
                         STATUS_OK);
        assert_int_equal(csr_nnz(&matrix.csr), SIDE * (SIDE - 1));
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                int64_t e = csr_find(&matrix.csr, i, j);
                assert_int_equal(e >= 0, i != j);
                if (i == j) continue;
                double below = (1000 * fmax(i, j) + fmin(i, j)) / 1000;
                assert_true(matrix.csr.val[e] == (i > j ? below : -below));
            }
        matrix_free(&matrix);
    }
}

/* In a packed text of several blocks every line is wrong; whichever block comes through first. */
static void the_first_fault_is_that_of_the_first_block(void **state)
{
    enum { LINES = 200000 };
    char *text = memory_array(128 + 10 * LINES, 1, NULL);
    size_t used = (size_t)sprintf(text, "%s%d 1 %d\n", REAL, LINES, LINES);
    struct load_options options = {0};
    for (int k = 0; k < LINES; k++)
        used += (size_t)sprintf(text + used, "1 1 %s\n", k < 1000 ? "5" : "fault");
    files_pack("faults.mtx.gz", text, used, PACKED_GZIP);
    free(text);
    threads_set(4);
    for (int k = 0; k < 40; k++) {
        struct error error = {0};
        struct matrix matrix;
        assert_int_equal(read_file("faults.mtx.gz", &options, NULL, &matrix, &error), STATUS_INPUT);
        assert_int_equal(error.line, 1003);
    }
    threads_set(0);
}

static void faults_deep_in_a_file_have_their_line(void **state)
{
    static const int64_t at[] = {0, 9999, 29999, 30000, 45000, 59999};
    struct load_options options = {0};
    for (int k = 0; k < 6; k++) {
        size_t size;
        int64_t line = 0;
        char *text = make_long(LONG_ENTRIES, at[k], k % 2 ? "1 1 fault\n" : "1 70000 1\n", &size, &line);
        files_write("deep.mtx", text, size);
        files_pack("deep.mtx.gz", text, size, PACKED_GZIP);
        for (int how = 0; how < 4; how++) {
            struct error error = {0};
            struct matrix matrix;
            threads_set(1 + how % 2);
            assert_int_equal(read_file(how < 2 ? "deep.mtx" : "deep.mtx.gz", &options, NULL, &matrix, &error),
                             STATUS_INPUT);
            assert_int_equal(error.line, line);
            assert_int_equal(error.column, k % 2 ? 5 : 3);
        }
        free(text);
    }
}

static void lines_that_never_end_are_refused(void **state)
{
    size_t header = sizeof REAL - 1, size = header + 900000;
    char *text = memory_array(size, 1, NULL);
    struct load_options options = {0};
    memcpy(text, REAL, header);
    memset(text + header, ' ', 900000);
    memcpy(text + header, "2 2 2\n1 1 1\n2 2 ", 16);
    files_write("endless.mtx", text, size);
    files_pack("endless.mtx.gz", text, size, PACKED_GZIP);
    for (int k = 0; k < 2; k++) {
        struct error error = {0};
        struct matrix matrix;
        assert_int_equal(read_file(k ? "endless.mtx.gz" : "endless.mtx", &options, NULL, &matrix, &error),
                         STATUS_INPUT);
        assert_int_equal(error.line, 4);
        assert_string_equal(error.message, "the line is longer than 65536 bytes; this is not an entry");
    }
    free(text);
}

static void a_cancelled_reading_stops(void **state)
{
    size_t size;
    int64_t line;
    char *text = make_long(LONG_ENTRIES, -1, NULL, &size, &line);
    struct load_options options = {0};
    files_write("long.mtx", text, size);
    files_pack("long.mtx.gz", text, size, PACKED_GZIP);
    free(text);
    for (int k = 0; k < 2; k++) {
        struct progress progress = {0};
        struct matrix matrix;
        progress_cancel(&progress);
        assert_int_equal(read_file(k ? "long.mtx.gz" : "long.mtx", &options, &progress, &matrix, NULL),
                         STATUS_CANCELLED);
    }
}

static void failing_allocations_are_reported(void **state)
{
    static const char *const texts[] = {SYMMETRIC "3 3 3\n1 1 4\n3 1 5\n2 3 6\n", ARRAY "2 2\n1\n2\n3\n4\n",
                                        "3 3 3\n1 1 4\n3 1 5\n2 3 6\n", SYMMETRIC "2 2 2\n2 1 5\n1 2 5\n"};
    struct load_options options = {.lenient = true};
    threads_set(2);
    for (int t = 0; t < 8; t++) {
        const char *path = t % 2 ? "sweep.mtx.gz" : "sweep.mtx", *text = texts[t / 2];
        if (t % 2)
            files_pack(path, text, strlen(text), PACKED_GZIP);
        else
            files_write(path, text, strlen(text));
        for (long k = 0;; k++) {
            struct error error = {0};
            struct matrix matrix;
            memory_fail_after(k);
            enum status status = read_file(path, &options, NULL, &matrix, &error);
            long failures = memory_failures();
            memory_fail_after(-1);
            matrix_free(&matrix);
            if (!failures) break;
            /* A lack of memory for a message does no harm. */
            if (status && status != STATUS_MEMORY)
                fail_msg("text %d, allocation %ld: %s", t, k, error.message);
        }
    }
}

static bool same(const struct csr *a, const struct csr *b)
{
    size_t nnz = (size_t)csr_nnz(a);
    return a->rows == b->rows && a->cols == b->cols && csr_nnz(a) == csr_nnz(b) &&
           !memcmp(a->row_ptr, b->row_ptr, (size_t)(a->rows + 1) * sizeof *a->row_ptr) &&
           !memcmp(a->col, b->col, nnz * sizeof *a->col) && !memcmp(a->val, b->val, nnz * sizeof *a->val) &&
           (!a->imaginary || !memcmp(a->imaginary, b->imaginary, nnz * sizeof *a->imaginary));
}

/* Unpack a Matrix Market text to a plain file. Returns false for files of other formats. */
static bool unpack(const char *path, const char *plain)
{
    static const char banner[] = "%%MatrixMarket";
    static char bytes[1 << 16];
    struct container *container;
    ssize_t count;
    assert_int_equal(container_open(path, &container, NULL), STATUS_OK);
    count = container_read(container, bytes, sizeof banner - 1, NULL);
    assert_int_equal(count, sizeof banner - 1);
    if (memcmp(bytes, banner, (size_t)count)) {
        container_close(container);
        return false;
    }
    FILE *file = fopen(plain, "w");
    fwrite(bytes, 1, (size_t)count, file);
    while ((count = container_read(container, bytes, sizeof bytes, NULL)) > 0)
        fwrite(bytes, 1, (size_t)count, file);
    fclose(file);
    container_close(container);
    assert_int_equal(count, 0);
    return true;
}

static void real_matrices_are_the_same_streamed_and_in_place(void **state)
{
    char pattern[4200];
    glob_t found;
    struct load_options options = {0};
    if (!files_matrices()) skip();
    snprintf(pattern, sizeof pattern, "%s/*.gz", files_matrices());
    if (glob(pattern, 0, NULL, &found)) skip();
    for (size_t k = 0; k < found.gl_pathc; k++) {
        struct matrix first, second;
        if (!unpack(found.gl_pathv[k], "unpacked.mtx")) continue;
        threads_set(1);
        assert_int_equal(read_file("unpacked.mtx", &options, NULL, &first, NULL), STATUS_OK);
        threads_set(2);
        assert_int_equal(read_file(found.gl_pathv[k], &options, NULL, &second, NULL), STATUS_OK);
        if (!same(&first.csr, &second.csr)) fail_msg("%s differs", found.gl_pathv[k]);
        matrix_free(&first);
        matrix_free(&second);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_files_are_read_block_by_block),
        cmocka_unit_test(long_skew_arrays_are_read_block_by_block),
        cmocka_unit_test(the_first_fault_is_that_of_the_first_block),
        cmocka_unit_test(lines_that_begin_with_a_block_are_read),
        cmocka_unit_test(faults_deep_in_a_file_have_their_line),
        cmocka_unit_test(lines_that_never_end_are_refused),
        cmocka_unit_test(a_cancelled_reading_stops),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(real_matrices_are_the_same_streamed_and_in_place),
    };
    return cmocka_run_group_tests_name("market_blocks", tests, files_begin, files_end);
}
