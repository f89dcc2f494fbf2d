/* matrix/market: what files say, and what is wrong with those that say nothing sensible. */
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
#include "files.h"
#include "matrix/container.h"
#include "matrix/market.h"

#define REAL "%%MatrixMarket matrix coordinate real general\n"
#define INTEGER "%%MatrixMarket matrix coordinate integer general\n"
#define PATTERN "%%MatrixMarket matrix coordinate pattern general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW "%%MatrixMarket matrix coordinate real skew-symmetric\n"
#define HERMITIAN "%%MatrixMarket matrix coordinate complex hermitian\n"
#define COMPLEX "%%MatrixMarket matrix coordinate complex general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

static enum status read_file(const char *path, const struct load_options *options, struct progress *progress,
                             struct matrix *matrix, struct error *error)
{
    struct container *container;
    *matrix = (struct matrix){0};
    enum status status = container_open(path, &container, error);
    if (status) return status;
    status = market_read(container, options, progress, matrix, error);
    if (status) assert_null(matrix->csr.row_ptr);
    container_close(container);
    return status;
}

/* --- malformed files --- */

struct malformed {
    const char *text;
    size_t size;         /* 0: up to the NUL */
    const char *error;   /* LINE:COLUMN: message */
    const char *stream;  /* the same where compression hides the file's size; NULL: as above */
    const char *lenient; /* with --lenient; NULL: as above; "" means that it is read */
};

#define FORM "%%MatrixMarket matrix coordinate|array real|integer|complex|pattern SYMMETRY"
#define SHORT(n, bytes, each)                                                        \
    n " entries cannot stand in the " bytes " bytes after this line (at least " each \
      " bytes each); the file is cut short or the number wrong"
#define FEW(n, of)                         \
    "the file ends after " n " of the " of \
    " entries that the size line promises; it is cut short or the number wrong"

static const struct malformed cases[] = {
    {"", 0, "1:1: the file is empty", NULL, NULL},
    {"\n\n", 0, "1:1: a blank line where the banner is expected; --lenient overlooks it", NULL,
     "3:1: no banner: the file has no text but blank lines"},
    {"hello\n1 1 1\n", 0, "1:1: not a Matrix Market file: it must begin with " FORM, NULL, NULL},
    {"\x7f"
     "ELF\0\1\2\3",
     8, "1:1: not a Matrix Market file: it must begin with " FORM, NULL, NULL},
    {"%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n", 0,
     "1:1: the banner begins with one % instead of two; --lenient overlooks it", NULL, ""},
    {"1 1 1\n1 1 5\n", 0,
     "1:1: no banner (" FORM "); --lenient reads the file without, if its size line comes first", NULL, ""},
    {"1 1 2\n% abcdefgh", 0,
     "1:1: no banner (" FORM "); --lenient reads the file without, if its size line comes first", NULL,
     "2:11: " FEW("0", "2")},
    {"1 1 2\n% abcdefgh\n", 0,
     "1:1: no banner (" FORM "); --lenient reads the file without, if its size line comes first", NULL,
     "3:1: " FEW("0", "2")},
    {REAL "1 1 2", 0, "2:5: " SHORT("2", "0", "6"), "2:6: " FEW("0", "2"), NULL},
    {"\n" REAL "1 1 1\n1 1 5\n", 0, "1:1: a blank line where the banner is expected; --lenient overlooks it",
     NULL, ""},
    {" " REAL "1 1 1\n1 1 5\n", 0, "1:1: blanks before the banner; --lenient overlooks them", NULL, ""},
    {"%%MatrixMarket\n1 1 1\n", 0, "1:15: the banner is not complete; it reads " FORM, NULL, NULL},
    {"%%MatrixMarket vector coordinate real general\n", 0,
     "1:16: 'vector' in the banner where 'matrix' is expected", NULL, NULL},
    {"%%MatrixMarket matrix sparse real general\n", 0,
     "1:23: 'sparse' in the banner where its format is expected: coordinate, array", NULL, NULL},
    {"%%MatrixMarket matrix coordinate quaternion general\n", 0,
     "1:34: 'quaternion' in the banner where its field is expected: real, double, integer, complex, pattern",
     NULL, NULL},
    {"%%MatrixMarket matrix coordinate real diagonal\n", 0,
     "1:39: 'diagonal' in the banner where its symmetry is expected: general, symmetric, skew-symmetric, "
     "hermitian",
     NULL, NULL},
    {"%%MatrixMarket matrix coordinate real\n1 1 1\n1 1 5\n", 0,
     "1:38: the banner ends where its symmetry is expected: general, symmetric, skew-symmetric, hermitian",
     NULL, ""},
    {"%%MatrixMarket matrix array pattern general\n1 1\n", 0,
     "1:29: an array file cannot be a pattern: it gives values and no places", NULL, NULL},
    {"%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n", 0,
     "1:39: only a complex matrix can be hermitian; a real one is symmetric", NULL, NULL},
    {"%%MatrixMarket matrix coordinate pattern hermitian\n", 0,
     "1:42: only a complex matrix can be hermitian; a real one is symmetric", NULL, NULL},
    {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n", 0,
     "1:42: a pattern cannot be skew-symmetric: it has no values to change the sign of", NULL, NULL},
    {REAL "% only comments\n\n", 0, "4:1: the file ends before the size line (rows, columns, entries)", NULL,
     NULL},
    {REAL "2 2\n", 0, "2:4: the size line ends where the number of entries is expected", NULL, NULL},
    {REAL "2 x 1\n", 0, "2:3: 'x' where the number of columns is expected", NULL, NULL},
    {REAL "2.0 2 1\n", 0, "2:1: '2.0' where the number of rows is expected", NULL, NULL},
    {REAL "-2 2 1\n", 0, "2:1: -2 rows; a size cannot be negative", NULL, NULL},
    {REAL "2147483648 2 0\n", 0, "2:1: 2147483648 rows; at most 2147483647 can be held (32-bit indices)",
     NULL, NULL},
    {REAL "2 99999999999999999999 0\n", 0,
     "2:3: 99999999999999999999 columns; at most 2147483647 can be held (32-bit indices)", NULL, NULL},
    {REAL "2 2 99999999999999999999\n1 1 1\n", 0, "2:5: 99999999999999999999 entries; no file holds so many",
     NULL, NULL},
    {REAL "2 2 1 7\n1 1 1\n", 0,
     "2:7: '7' after the sizes; a coordinate file has rows, columns and entries there", NULL, NULL},
    {ARRAY "2 1 2\n1\n2\n", 0, "2:5: '2' after the sizes; an array file has rows and columns there", NULL,
     ""},
    {REAL "0 1 1\n1 1 1\n", 0, "2:5: entries in a matrix without rows or columns", NULL, NULL},
    {SYMMETRIC "2 3 1\n1 1 1\n", 0, "2:3: a symmetric, skew-symmetric or hermitian matrix must be square",
     NULL, NULL},
    {REAL "9 9 1000000\n1 1 1\n", 0, "2:5: " SHORT("1000000", "6", "6"), "4:1: " FEW("1", "1000000"), NULL},
    {REAL "2 2 2\n1 1 1.000000\n", 0, "4:1: " FEW("1", "2"), NULL, NULL},
    {REAL "2 2 2\n1 1 1.000000", 0, "3:13: " FEW("1", "2"), NULL, NULL},
    {REAL "2 2 1\n1 1 1\n\n%\n2 2 1\n", 0, "6:1: more entries than the 1 that the size line promises", NULL,
     NULL},
    {REAL "2 2 0\n1 1 1\n", 0, "3:1: more entries than the 0 that the size line promises", NULL, NULL},
    {REAL "2 2 1\n0 1 1\n", 0,
     "3:1: row index 0; indices start at 1, so a file that counts from 0 must be renumbered", NULL, NULL},
    {REAL "2 2 1\n1 0 1\n", 0,
     "3:3: column index 0; indices start at 1, so a file that counts from 0 must be renumbered", NULL, NULL},
    {REAL "2 2 1\n  -1 1 1\n", 0, "3:3: row index -1 is negative; indices start at 1", NULL, NULL},
    {REAL "2 2 1\n3 1 1\n", 0, "3:1: row index 3 lies outside the matrix; the size line says at most 2", NULL,
     NULL},
    {REAL "2 2 1\n1\t3 1\n", 0, "3:3: column index 3 lies outside the matrix; the size line says at most 2",
     NULL, NULL},
    {REAL "2 2 1\n18446744073709551617 1 1\n", 0,
     "3:1: row index 18446744073709551617 lies outside the matrix; the size line says at most 2", NULL, NULL},
    {REAL "2 2 1\none 1 1\n", 0, "3:1: 'one' where row index (an integer) is expected", NULL, NULL},
    {REAL "2 2 1\n1 1.5 1\n", 0, "3:3: '1.5' where column index (an integer) is expected", NULL, NULL},
    {REAL "2 2 1\n1     \n", 0, "3:7: the line ends where column index (an integer) is expected", NULL, NULL},
    {REAL "2 2 1\n1 1   \n", 0, "3:7: the line ends where a value (a number) is expected", NULL, NULL},
    {REAL "2 2 1\n1 1 1,5\n", 0, "3:5: '1,5' where a value (a number) is expected", NULL, NULL},
    {REAL "2 2 1\n1 1 1 2\n", 0, "3:7: '2' after the entry; a line holds one entry and nothing else", NULL,
     NULL},
    {REAL "2 2 1\n1 1 1 % why\n", 0, "3:7: '%' after the entry; a line holds one entry and nothing else",
     NULL, NULL},
    {REAL "2 2 1\n1 1 \0 1\n", sizeof REAL - 1 + 13,
     "3:5: a NUL byte where a value (a number) is expected; this is not a text file", NULL, NULL},
    {REAL "2 2 1\n1 1 1 \0\n", sizeof REAL - 1 + 14,
     "3:7: a NUL byte after the entry; this is not a text file", NULL, NULL},
    {REAL "2 2 1\n\x01\x02\xff \x80 1\n", 0, "3:1: '?\?\?' where row index (an integer) is expected", NULL,
     NULL},
    {INTEGER "2 2 1\n1 1 1.5\n", 0,
     "3:5: '1.5' is not an integer, which the banner promises; --lenient reads the file as real", NULL, ""},
    {INTEGER "2 2 1\n1 1 inf\n", 0,
     "3:5: 'inf' is not an integer, which the banner promises; --lenient reads the file as real", NULL, ""},
    {INTEGER "2 2 1\n1 1 one\n", 0, "3:5: 'one' where a value (a number) is expected", NULL, NULL},
    {PATTERN "2 2 1\n1 1 1\n", 0,
     "3:5: '1' after the indices, but the banner says pattern; --lenient ignores such values", NULL, ""},
    {PATTERN "2 2 1\n1 1 x\n", 0, "3:5: 'x' after the entry; a line holds one entry and nothing else", NULL,
     NULL},
    {COMPLEX "2 2 1\n1 1 1.0000\n", 0, "3:11: the line ends where the imaginary part (a number) is expected",
     NULL, NULL},
    {COMPLEX "2 2 1\n1 1 1 2 3\n", 0, "3:9: '3' after the entry; a line holds one entry and nothing else",
     NULL, NULL},
    {SYMMETRIC "2 2 2\n2 1 5\n1 2 5\n", 0,
     "4:1: entry (1, 2) is the mirror image of line 3: a symmetric file gives one of the two; --lenient "
     "accepts "
     "both if they agree",
     NULL, ""},
    {SKEW "2 2 1\n2 2 5\n", 0,
     "3:5: the diagonal of a skew-symmetric matrix is 0, but this entry on it is not", NULL, NULL},
    {HERMITIAN "2 2 1\n2 2 5 1\n", 0,
     "3:7: the diagonal of a hermitian matrix is real, but this entry on it has an imaginary part", NULL,
     NULL},
    {"%%MatrixMarket matrix array complex hermitian\n1 1\n5 1\n", 0,
     "3:3: the diagonal of a hermitian matrix is real, but this entry on it has an imaginary part", NULL,
     NULL},
    {ARRAY "2 2\n1\n2\n3\n%\n", 0, "7:1: " FEW("3", "4"), NULL, NULL},
    {ARRAY "2 1\n1\n2\n3\n", 0, "5:1: more entries than the 2 that the size line promises", NULL, NULL},
    {ARRAY "2 1\n1 2\n3\n", 0, "3:3: '2' after the entry; a line holds one entry and nothing else", NULL,
     NULL},
    {REAL "3 3 3\n1 1 bad\n9 9 1\n1 1 1\n", 0, "3:5: 'bad' where a value (a number) is expected", NULL, NULL},
};

static void expect(const char *path, const struct malformed *c, bool lenient, const char *expected)
{
    char text[2048], wanted[2048];
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {.lenient = lenient};
    enum status status = read_file(path, &options, NULL, &matrix, &error);
    if (!*expected) {
        if (status) fail_msg("case %d, lenient: %s", (int)(c - cases), error_text(&error, text, sizeof text));
        assert_true(matrix.notes.length > 0);
        matrix_free(&matrix);
        return;
    }
    snprintf(wanted, sizeof wanted, "%s:%s", path, expected);
    if (!status) fail_msg("case %d is read, but should fail: %s", (int)(c - cases), wanted);
    if (strcmp(error_text(&error, text, sizeof text), wanted))
        fail_msg("case %d%s:\n is     %s\n should %s", (int)(c - cases), lenient ? ", lenient" : "", text,
                 wanted);
}

static void every_fault_is_named_with_its_place(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct malformed *c = &cases[k];
        size_t size = c->size ? c->size : strlen(c->text);
        const char *stream = c->stream ? c->stream : c->error;
        files_write("bad.mtx", c->text, size);
        files_pack("bad.mtx.gz", c->text, size, PACKED_GZIP);
        for (int threads = 1; threads <= 2; threads++) {
            threads_set(threads);
            expect("bad.mtx", c, false, c->error);
            expect("bad.mtx", c, true, c->lenient ? c->lenient : c->error);
            expect("bad.mtx.gz", c, false, stream);
            expect("bad.mtx.gz", c, true, c->lenient ? c->lenient : stream);
        }
    }
}

static void sizes_beyond_memory_are_refused(void **state)
{
    (void)state;
    static const char text[] = REAL "2000000000 5 1\n1 1 1\n";
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {.limit = 1 << 20};
    files_write("big.mtx", text, sizeof text - 1);
    assert_int_equal(read_file("big.mtx", &options, NULL, &matrix, &error), STATUS_LIMIT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 14);
    assert_non_null(
        strstr(error.message, "the matrix needs 14.9 GiB of memory, more than the limit of 1.00 MiB"));
}

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
        cmocka_unit_test(every_fault_is_named_with_its_place),
        cmocka_unit_test(sizes_beyond_memory_are_refused),
        cmocka_unit_test(every_kind_of_file_is_read),
        cmocka_unit_test(long_files_are_read_block_by_block),
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
