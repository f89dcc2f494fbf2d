/* matrix/market: every kind of file is read, in blocks and in streams, and written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "matrix/files/container.h"
#include "matrix/files/market/market.h"
#include "support/files.h"
#include "support/market.h"

/* --- well-formed files --- */

struct wellformed {
    const char *text;
    enum field field;
    enum symmetry symmetry;
    int64_t rows, cols, stored;
    int64_t entries; /* of the matrix, row by row: row, column from 1, value, imaginary part */
    double expected[9][4];
};

static const struct wellformed good[] = {
    {REAL "2 3 3\n1 1 1.5\n2 3 -2\n1 2 1e3\n",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     2,
     3,
     3,
     3,
     {{1, 1, 1.5}, {1, 2, 1000}, {2, 3, -2}}},
    {"%%matrixmarket MATRIX Coordinate DOUBLE General\r\n% c\r\n\r\n  2\t3 1  \r\n%\r\n\r\n \t2  3\t 1D1 "
     "\t\r\n  % x\r\n",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     2,
     3,
     1,
     1,
     {{2, 3, 10}}},
    {REAL "1 4 4\n1 1 inf\n1 2 -Infinity\n1 3 0x1p4\n1 4 .5",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     1,
     4,
     4,
     4,
     {{1, 1, INFINITY}, {1, 2, -INFINITY}, {1, 3, 16}, {1, 4, .5}}},
    {INTEGER "2 2 3\n1 1 9007199254740993\n2 2 -7\n1 2 +3\n",
     FIELD_INTEGER,
     SYMMETRY_GENERAL,
     2,
     2,
     3,
     3,
     {{1, 1, 9007199254740992.0}, {1, 2, 3}, {2, 2, -7}}},
    {PATTERN "2 2 2\n2 1\n1 2\n", FIELD_PATTERN, SYMMETRY_GENERAL, 2, 2, 2, 2, {{1, 2, 1}, {2, 1, 1}}},
    {COMPLEX "1 1 1\n1 1 1.25 -2.5\n", FIELD_COMPLEX, SYMMETRY_GENERAL, 1, 1, 1, 1, {{1, 1, 1.25, -2.5}}},
    {SYMMETRIC "3 3 3\n1 1 4\n3 1 5\n2 3 6\n",
     FIELD_REAL,
     SYMMETRY_SYMMETRIC,
     3,
     3,
     3,
     5,
     {{1, 1, 4}, {1, 3, 5}, {2, 3, 6}, {3, 1, 5}, {3, 2, 6}}},
    {SKEW "2 2 2\n2 1 5\n1 1 0\n", FIELD_REAL, SYMMETRY_SKEW, 2, 2, 2, 3, {{1, 1, 0}, {1, 2, -5}, {2, 1, 5}}},
    {HERMITIAN "2 2 2\n2 1 5 3\n2 2 1 0\n",
     FIELD_COMPLEX,
     SYMMETRY_HERMITIAN,
     2,
     2,
     2,
     3,
     {{1, 2, 5, -3}, {2, 1, 5, 3}, {2, 2, 1, 0}}},
    {ARRAY "2 3\n1\n2\n3\n4\n5\n6\n",
     FIELD_REAL,
     SYMMETRY_GENERAL,
     2,
     3,
     6,
     6,
     {{1, 1, 1}, {1, 2, 3}, {1, 3, 5}, {2, 1, 2}, {2, 2, 4}, {2, 3, 6}}},
    {"%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
     FIELD_INTEGER,
     SYMMETRY_SYMMETRIC,
     3,
     3,
     6,
     9,
     {{1, 1, 1}, {1, 2, 2}, {1, 3, 3}, {2, 1, 2}, {2, 2, 4}, {2, 3, 5}, {3, 1, 3}, {3, 2, 5}, {3, 3, 6}}},
    {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n\n2\n% c\n3\n",
     FIELD_REAL,
     SYMMETRY_SKEW,
     3,
     3,
     3,
     6,
     {{1, 2, -1}, {1, 3, -2}, {2, 1, 1}, {2, 3, -3}, {3, 1, 2}, {3, 2, 3}}},
    {"%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n",
     FIELD_COMPLEX,
     SYMMETRY_HERMITIAN,
     2,
     2,
     3,
     4,
     {{1, 1, 1, 0}, {1, 2, 2, -3}, {2, 1, 2, 3}, {2, 2, 4, 0}}},
    {REAL "2 2 3\n1 2 1\n1 2 2\n1 1 0\n", FIELD_REAL, SYMMETRY_GENERAL, 2, 2, 3, 2, {{1, 1, 0}, {1, 2, 3}}},
    {REAL "3 4 0\n", FIELD_REAL, SYMMETRY_GENERAL, 3, 4, 0, 0, {{0}}},
    {REAL "0 0 0", FIELD_REAL, SYMMETRY_GENERAL, 0, 0, 0, 0, {{0}}},
};

static void check_good(const char *path, const struct wellformed *c)
{
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {0};
    if (read_file(path, &options, NULL, &matrix, &error))
        fail_msg("case %d: %s:%" PRId64 ":%" PRId64 ": %s", (int)(c - good), path, error.line, error.column,
                 error.message);
    const struct csr *a = &matrix.csr;
    assert_int_equal(csr_validate(a, NULL), STATUS_OK);
    assert_int_equal(matrix.field, c->field);
    assert_int_equal(matrix.symmetry, c->symmetry);
    assert_int_equal(matrix.stored, c->stored);
    assert_int_equal(matrix.coordinate, strstr(c->text, "array") == NULL);
    assert_int_equal(a->rows, c->rows);
    assert_int_equal(a->cols, c->cols);
    assert_int_equal(csr_nnz(a), c->entries);
    assert_int_equal(a->imaginary != NULL, c->field == FIELD_COMPLEX);
    for (int64_t k = 0; k < c->entries; k++) {
        int64_t i = (int64_t)c->expected[k][0] - 1;
        assert_true(k >= a->row_ptr[i] && k < a->row_ptr[i + 1]);
        assert_int_equal(a->col[k] + 1, c->expected[k][1]);
        assert_true(a->val[k] == c->expected[k][2]);
        if (a->imaginary) assert_true(a->imaginary[k] == c->expected[k][3]);
    }
    matrix_free(&matrix);
}

static void every_kind_of_file_is_read(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        files_write("good.mtx", good[k].text, strlen(good[k].text));
        files_pack("good.mtx.zst", good[k].text, strlen(good[k].text), PACKED_ZSTD);
        for (int threads = 1; threads <= 2; threads++) {
            threads_set(threads);
            check_good("good.mtx", &good[k]);
            check_good("good.mtx.zst", &good[k]);
        }
    }
}

static void zeros_keep_their_sign(void **state)
{
    (void)state;
    static const char *const texts[] = {REAL "1 4 4\n1 1 -0\n1 2 0\n1 3 -0.0e5\n1 4 +0\n",
                                        INTEGER "1 4 4\n1 1 -0\n1 2 0\n1 3 -00\n1 4 +0\n"};
    struct load_options options = {0};
    for (int k = 0; k < 2; k++) {
        struct matrix matrix;
        files_write("zeros.mtx", texts[k], strlen(texts[k]));
        assert_int_equal(read_file("zeros.mtx", &options, NULL, &matrix, NULL), STATUS_OK);
        for (int e = 0; e < 4; e++) {
            assert_true(matrix.csr.val[e] == 0);
            assert_int_equal(signbit(matrix.csr.val[e]) != 0, e % 2 == 0);
        }
        matrix_free(&matrix);
    }
}

/* What the file says, what becomes of it, and the notes. */
struct noted {
    const char *text;
    struct load_options options;
    int64_t rows, cols, nnz;
    int64_t i, j; /* the place of an entry, from 0 */
    double val;   /* and its value */
    const char *notes;
};

#define VECTOR(kind) "%%MatrixMarket vector " kind " general\n"
#define COUNTED "indices of the file count from 0; here they count from 1\n"

static const struct noted noted[] = {
    {VECTOR("coordinate real") "5 2\n1 7\n4 2.5\n", {0}, 5, 1, 2, 3, 0, 2.5, NULL},
    {VECTOR("coordinate real") "5 2\n1 -0.0e9\n4 0x0p3\n", {0}, 5, 1, 2, 3, 0, 0, NULL},
    {VECTOR("coordinate pattern") "5 2\n1\n4\n", {0}, 5, 1, 2, 3, 0, 1, NULL},
    {VECTOR("coordinate complex") "5 1\n4 3 -2\n", {0}, 5, 1, 1, 3, 0, 3, NULL},
    {VECTOR("coordinate integer") "5 1\n4 -3\n", {.from_zero = true}, 5, 1, 1, 4, 0, -3, COUNTED},
    {VECTOR("array real") "3\n1\n2\n3\n", {0}, 3, 1, 3, 2, 0, 3, NULL},
    {VECTOR("array unsigned-integer") "2\n1\n2\n", {.from_zero = true}, 2, 1, 2, 1, 0, 2, NULL},
    {"%%MatrixMarket matrix coordinate unsigned-integer symmetric\n3 3 1\n3 1 5\n",
     {0},
     3,
     3,
     2,
     0,
     2,
     5,
     NULL},
    {REAL "3 2 2\n0 0 1\n2 1 5\n", {.from_zero = true}, 3, 2, 2, 2, 1, 5, COUNTED},
    {PATTERN "3 2 2\n0 0\n2 1\n", {.from_zero = true}, 3, 2, 2, 0, 0, 1, COUNTED},
    {SYMMETRIC "3 3 2\n0 0 1\n2 0 5\n", {.from_zero = true}, 3, 3, 3, 0, 2, 5, COUNTED},
    {"%% MatrixMarket matrix coordinate real symmetric\n3 3 1\n3 1 5\n",
     {.lenient = true},
     3,
     3,
     2,
     0,
     2,
     5,
     "line 1: read as matrix coordinate real symmetric, though the banner begins with '%% MatrixMarket'\n"},
    {"\n%%MatrxMarkt matrix coordinate real skew-symmetric\n% 1 2 3\n\n3 3 1\n3 1 5\n",
     {.lenient = true},
     3,
     3,
     2,
     0,
     2,
     -5,
     "line 2: read as matrix coordinate real skew-symmetric, though the banner begins with '%%MatrxMarkt'\n"},
    {"%Matrix-Market vector array real general\n2\n1\n5\n",
     {.lenient = true},
     2,
     1,
     2,
     1,
     0,
     5,
     "line 1: read as vector array real general, though the banner begins with '%Matrix-Market'\n"},
    {"%%Matrx matrix coordinate real symmetric\n" REAL "3 3 1\n3 1 5\n",
     {.lenient = true},
     3,
     3,
     1,
     2,
     0,
     5,
     "line 2: the banner is not the first line\n"},
    {REAL "2 2 3\n1 1 1\n1 2 -1e400\n2 2 1.8e308\n",
     {0},
     2,
     2,
     3,
     0,
     1,
     -INFINITY,
     "2 values are beyond double precision, first on line 4: -1e400 became -inf\n"},
    {REAL "2 2 2\n1 1 inf\n1 2 1.7976931348623157e308\n", {0}, 2, 2, 2, 0, 0, INFINITY, NULL},
    {COMPLEX "2 2 2\n%\n1 1 0 0e-9\n1 2 3 0.00001e-320\n",
     {0},
     2,
     2,
     2,
     0,
     1,
     3,
     "1 value is too small for double precision, on line 5: 0.00001e-320 became 0\n"},
    {ARRAY "3 1\n0x0p0\n5e-324\n0x1p-2000\n",
     {0},
     3,
     1,
     3,
     2,
     0,
     0,
     "1 value is too small for double precision, on line 5: 0x1p-2000 became 0\n"},
    {INTEGER "2 2 4\n1 1 9007199254740992\n1 2 -9007199254740993\n2 1 18446744073709551615\n2 2 "
             "18446744073709551616\n",
     {0},
     2,
     2,
     4,
     1,
     0,
     18446744073709551616.0,
     "2 integers are not exact in double precision, first on line 4: -9007199254740993 became "
     "-9007199254740992\n"},
    {INTEGER "1 1 1\n1 1 000000000000000000000000000000123456\n", {0}, 1, 1, 1, 0, 0, 123456, NULL},
};

/* The notes are the same in place, packed, and with several threads. */
static void notes_say_what_is_not_as_the_file_says(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof noted / sizeof *noted; k++) {
        const struct noted *c = &noted[k];
        files_write("noted.mtx", c->text, strlen(c->text));
        files_pack("noted.mtx.gz", c->text, strlen(c->text), PACKED_GZIP);
        for (int run = 0; run < 4; run++) {
            char text[2048];
            struct error error = {0};
            struct matrix matrix;
            threads_set(1 + run / 2);
            if (read_file(run % 2 ? "noted.mtx.gz" : "noted.mtx", &c->options, NULL, &matrix, &error))
                fail_msg("case %zu: %s", k, error_text(&error, text, sizeof text));
            assert_int_equal(matrix.csr.rows, c->rows);
            assert_int_equal(matrix.csr.cols, c->cols);
            assert_int_equal(csr_nnz(&matrix.csr), c->nnz);
            int64_t entry = csr_find(&matrix.csr, c->i, c->j);
            assert_true(entry >= 0 && matrix.csr.val[entry] == c->val);
            if (c->notes)
                assert_string_equal(matrix.notes.data, c->notes);
            else
                assert_int_equal(matrix.notes.length, 0);
            matrix_free(&matrix);
        }
    }
}

/* Of many blocks the first place is that of the lowest line, and all are counted. */
static void numbers_of_many_blocks_are_counted(void **state)
{
    enum { LINES = 200000, FIRST = 150001 };
    struct text text = {0};
    (void)state;
    text_append(&text, "%s%d 1 %d\n", REAL, LINES, LINES);
    for (int k = 1; k <= LINES; k++)
        text_append(&text, "%d 1 %s\n", k, k >= FIRST && k % 2 ? "1e999" : "1.5");
    files_write("many.mtx", text.data, text.length);
    files_pack("many.mtx.gz", text.data, text.length, PACKED_GZIP);
    text_free(&text);
    for (int run = 0; run < 4; run++) {
        const struct load_options options = {0};
        struct matrix matrix;
        threads_set(1 + 2 * (run / 2));
        assert_int_equal(read_file(run % 2 ? "many.mtx.gz" : "many.mtx", &options, NULL, &matrix, NULL),
                         STATUS_OK);
        assert_string_equal(
            matrix.notes.data,
            "25000 values are beyond double precision, first on line 150003: 1e999 became inf\n");
        matrix_free(&matrix);
    }
}

static void the_rest_of_an_archive_is_noted(void **state)
{
    (void)state;
    static const struct member members[] = {
        {"m/m_b.mtx", "b"}, {"m/m.mtx", REAL "1 1 1\n1 1 5\n"}, {"m/readme", "words"}, {NULL, NULL}};
    struct load_options options = {0};
    struct matrix matrix;
    files_archive("m.tar", members, PACKED_NOT);
    assert_int_equal(matrix_load("m.tar", &options, NULL, &matrix, NULL), STATUS_OK);
    assert_string_equal(matrix.notes.data, "also in the archive: m/m_b.mtx, m/readme\n");
    matrix_free(&matrix);
}

/* --- files of several blocks --- */

static uint64_t seed = 88172645463325252u;

static uint64_t chance(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* A text of about a megabyte with comments, blank lines and long comments strewn in, one entry every other
 * place of the diagonal bands; entry number k is (k / 3, ...) with value k + 0.1. `fault` replaces the entry
 * of that number; its line is returned. */
static char *make_long(int64_t entries, int64_t fault, const char *instead, size_t *size, int64_t *line)
{
    char *text = memory_array(4 << 20, 1, NULL);
    size_t used =
        (size_t)sprintf(text, "%s%" PRId64 " %" PRId64 " %" PRId64 "\n", REAL, entries, entries, entries);
    int64_t number = 3;
    seed = 88172645463325252u;
    for (int64_t k = 0; k < entries; k++) {
        if (chance() % 50 == 0) {
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
                                    (int)(chance() % (uint64_t)entries) + 1, (double)k + 0.1);
        number++;
    }
    *size = used;
    return text;
}

#define LONG_ENTRIES 60000

static void long_files_are_read_block_by_block(void **state)
{
    (void)state;
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

/* Lines of 32 bytes, so that one begins with each block, whatever power of two its size is. */
static void lines_that_begin_with_a_block_are_read(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
            /* What is only for a message may fail without harm. */
            if (status && status != STATUS_MEMORY)
                fail_msg("text %d, allocation %ld: %s", t, k, error.message);
        }
    }
}

/* --- writing --- */

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    struct load_options options = {0};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        struct matrix first, second;
        struct error error = {0};
        files_write("good.mtx", good[k].text, strlen(good[k].text));
        assert_int_equal(read_file("good.mtx", &options, NULL, &first, NULL), STATUS_OK);
        FILE *file = fopen("written.mtx", "w");
        assert_non_null(file);
        assert_int_equal(market_write(file, &first.csr, first.field, first.symmetry, "one\ntwo", NULL, NULL),
                         STATUS_OK);
        fclose(file);
        if (first.symmetry == SYMMETRY_SKEW) { /* zeros on its diagonal are not written */
            csr_drop_zeros(&first.csr);
        }
        if (read_file("written.mtx", &options, NULL, &second, &error))
            fail_msg("case %zu: %s", k, error.message);
        int64_t nnz = csr_nnz(&first.csr);
        assert_int_equal(csr_nnz(&second.csr), nnz);
        assert_int_equal(second.field, first.field);
        assert_int_equal(second.symmetry, first.symmetry);
        assert_memory_equal(second.csr.row_ptr, first.csr.row_ptr,
                            (size_t)(first.csr.rows + 1) * sizeof(int64_t));
        if (nnz) assert_memory_equal(second.csr.col, first.csr.col, (size_t)nnz * sizeof(int32_t));
        if (nnz) assert_memory_equal(second.csr.val, first.csr.val, (size_t)nnz * sizeof(double));
        matrix_free(&first);
        matrix_free(&second);
    }
}

/* Several blocks of entries, with empty rows and one row that spans blocks, against one fprintf an entry. */
static void many_blocks_are_written_in_order(void **state)
{
    (void)state;
    static const double values[] = {1, -2.5, 1. / 3, 1e300, 0, -4e-9, 123456789};
    const int64_t rows = 300, nnz = 20000;
    struct csr a = {.rows = rows, .cols = nnz};
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)nnz, sizeof *a.col, NULL);
    a.val = memory_array((size_t)nnz, sizeof *a.val, NULL);
    for (int64_t i = 1; i <= rows; i++)
        a.row_ptr[i] = i < 50 ? 0 : i < 60 ? 10 * (i - 49) : i < 290 ? 15000 + i : nnz;
    for (int64_t k = 0; k < nnz; k++) {
        a.col[k] = (int32_t)k;
        a.val[k] = values[k % 7];
    }
    char *expected = NULL, *written = NULL;
    size_t expected_size, size;
    FILE *file = open_memstream(&expected, &expected_size);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n300 20000 20000\n");
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            char number[40];
            fprintf(file, "%d %d %s\n", (int)i + 1, (int)k + 1,
                    format_exact(number, sizeof number, a.val[k]));
        }
    fclose(file);
    for (int threads = 1; threads < 8; threads += 3) {
        struct progress progress = {0};
        threads_set(threads);
        file = open_memstream(&written, &size);
        assert_int_equal(market_write(file, &a, FIELD_REAL, SYMMETRY_GENERAL, NULL, &progress, NULL),
                         STATUS_OK);
        fclose(file);
        assert_int_equal(size, expected_size);
        assert_memory_equal(written, expected, size);
        assert_int_equal(progress.done, nnz);
        assert_int_equal(progress.total, nnz);
        free(written);
    }
    threads_set(0);
    free(expected);
    csr_free(&a);
}

static void writing_fails_and_is_cancelled(void **state)
{
    (void)state;
    struct matrix matrix;
    struct load_options options = {0};
    struct error error = {0};
    struct progress progress = {0};
    files_write("good.mtx", good[0].text, strlen(good[0].text));
    assert_int_equal(read_file("good.mtx", &options, NULL, &matrix, NULL), STATUS_OK);
    FILE *file = fopen("written.mtx", "w");
    progress_cancel(&progress);
    assert_int_equal(market_write(file, &matrix.csr, matrix.field, matrix.symmetry, NULL, &progress, &error),
                     STATUS_CANCELLED);
    error_clear(&error);
    memory_fail_after(0);
    assert_int_equal(market_write(file, &matrix.csr, matrix.field, matrix.symmetry, NULL, NULL, &error),
                     STATUS_MEMORY);
    memory_fail_after(-1);
    fclose(file);
    file = fopen("/dev/full", "w");
    if (file) {
        error_clear(&error);
        assert_int_equal(market_write(file, &matrix.csr, matrix.field, matrix.symmetry, NULL, NULL, &error),
                         STATUS_IO);
        assert_non_null(strstr(error.message, strerror(ENOSPC)));
        fclose(file);
    }
    matrix_free(&matrix);
}

/* --- real matrices --- */

static bool same(const struct csr *a, const struct csr *b)
{
    size_t nnz = (size_t)csr_nnz(a);
    return a->rows == b->rows && a->cols == b->cols && csr_nnz(a) == csr_nnz(b) &&
           !memcmp(a->row_ptr, b->row_ptr, (size_t)(a->rows + 1) * sizeof *a->row_ptr) &&
           !memcmp(a->col, b->col, nnz * sizeof *a->col) && !memcmp(a->val, b->val, nnz * sizeof *a->val) &&
           (!a->imaginary || !memcmp(a->imaginary, b->imaginary, nnz * sizeof *a->imaginary));
}

/* Unpack to a plain file. False if it cannot be (Rutherford-Boeing). */
static bool unpack(const char *path, const char *plain)
{
    static char bytes[1 << 16];
    struct container *container;
    ssize_t count;
    if (container_open(path, &container, NULL)) return false;
    FILE *file = fopen(plain, "w");
    while ((count = container_read(container, bytes, sizeof bytes, NULL)) > 0)
        fwrite(bytes, 1, (size_t)count, file);
    fclose(file);
    container_close(container);
    return count == 0;
}

static void real_matrices_are_the_same_streamed_and_in_place(void **state)
{
    (void)state;
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
        cmocka_unit_test(every_kind_of_file_is_read),
        cmocka_unit_test(long_files_are_read_block_by_block),
        cmocka_unit_test(notes_say_what_is_not_as_the_file_says),
        cmocka_unit_test(numbers_of_many_blocks_are_counted),
        cmocka_unit_test(zeros_keep_their_sign),
        cmocka_unit_test(the_rest_of_an_archive_is_noted),
        cmocka_unit_test(long_skew_arrays_are_read_block_by_block),
        cmocka_unit_test(the_first_fault_is_that_of_the_first_block),
        cmocka_unit_test(lines_that_begin_with_a_block_are_read),
        cmocka_unit_test(faults_deep_in_a_file_have_their_line),
        cmocka_unit_test(lines_that_never_end_are_refused),
        cmocka_unit_test(a_cancelled_reading_stops),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(many_blocks_are_written_in_order),
        cmocka_unit_test(writing_fails_and_is_cancelled),
        cmocka_unit_test(real_matrices_are_the_same_streamed_and_in_place),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
