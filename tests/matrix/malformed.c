/* matrix/market: every malformed file is refused with the place and the remedy, plain and compressed, with
 * one thread and with two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "support/files.h"
#include "support/market.h"
#include "support/support.h"

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
    {"\xef\xbb\xbf" REAL "1 1 1\n1 1 5\n", 0,
     "1:1: the banner does not begin with %%MatrixMarket; --lenient goes by the words that follow", NULL, ""},
    {"\n" REAL "1 1 1\n1 1 5\n", 0, "1:1: a blank line where the banner is expected; --lenient overlooks it",
     NULL, ""},
    {" " REAL "1 1 1\n1 1 5\n", 0, "1:1: blanks before the banner; --lenient overlooks them", NULL, ""},
    {"%%MatrixMarket\n1 1 1\n", 0, "1:15: the banner is not complete; it reads " FORM, NULL, NULL},
    {"%%MatrixMarket tensor coordinate real general\n", 0,
     "1:16: 'tensor' in the banner where its object is expected: matrix, vector", NULL, NULL},
    {"%% MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 5\n", 0,
     "1:1: the banner does not begin with %%MatrixMarket; --lenient goes by the words that follow", NULL, ""},
    {"%%MatrxMarket matrix coordinate real symmetric\n2 2 1\n2 1 5\n", 0,
     "1:1: the banner does not begin with %%MatrixMarket; --lenient goes by the words that follow", NULL, ""},
    {"MatrixMarket matrix coordinate real symmetric\n%\n2 2 1\n2 1 5\n", 0,
     "1:1: the banner does not begin with %%MatrixMarket; --lenient goes by the words that follow", NULL, ""},
    {"%%Matrix Market matrix coordinate real symmetric\n2 2 1\n2 1 5\n", 0,
     "1:1: the banner does not begin with %%MatrixMarket; --lenient goes by the words that follow", NULL, ""},
    {"%%MatrxMarket matrix coordinate real symetric\n2 2 1\n2 1 5\n", 0,
     "1:1: not a Matrix Market file: it must begin with " FORM, NULL,
     "1:38: 'symetric' in the banner where its symmetry is expected: general, symmetric, skew-symmetric, "
     "hermitian"},
    {"%%MatrixMarketmatrix coordinate real symmetric\n2 2 1\n2 1 5\n", 0,
     "1:1: not a Matrix Market file: it must begin with " FORM, NULL,
     "1:22: 'coordinate' in the banner where its object is expected: matrix, vector"},
    {"%%MatrixMarkt of something\n2 2 1\n2 1 5\n", 0,
     "1:1: not a Matrix Market file: it must begin with " FORM, NULL, ""},
    {"%%MatrixMarket vector coordinate real symmetric\n", 0,
     "1:39: a vector has no symmetry; its banner ends in general", NULL, NULL},
    {"%%MatrixMarket vector coordinate real general\n", 0,
     "2:1: the file ends before the size line (rows, entries)", NULL, NULL},
    {"%%MatrixMarket vector coordinate real general\n5 1 1\n1 1\n", 0,
     "2:5: '1' after the sizes; a vector's file has rows and entries there", NULL, NULL},
    {"%%MatrixMarket vector coordinate real general\n5\n1 1\n", 0,
     "2:2: the size line ends where the number of entries is expected", NULL, NULL},
    {"%%MatrixMarket vector array real general\n1 1\n1\n", 0,
     "2:3: '1' after the sizes; a vector's file has rows there", NULL, ""},
    {"%%MatrixMarket vector coordinate real general\n5 1\n6 1\n", 0,
     "3:1: row index 6 lies outside the matrix; the size line says at most 5", NULL, NULL},
    {"%%MatrixMarket vector coordinate real general\n5 2\n1 1\n", 0, "2:3: " SHORT("2", "4", "4"),
     "4:1: " FEW("1", "2"), NULL},
    {"%%MatrixMarket matrix sparse real general\n", 0,
     "1:23: 'sparse' in the banner where its format is expected: coordinate, array", NULL, NULL},
    {"%%MatrixMarket matrix coordinate quaternion general\n", 0,
     "1:34: 'quaternion' in the banner where its field is expected: real, double, integer, "
     "unsigned-integer, complex, pattern",
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
    {SKEW "2 3 1\n2 1 1\n", 0, "2:3: a symmetric, skew-symmetric or hermitian matrix must be square", NULL,
     NULL},
    {HERMITIAN "3 2 1\n2 1 1 0\n", 0, "2:3: a symmetric, skew-symmetric or hermitian matrix must be square",
     NULL, NULL},
    {REAL "1 9 2\n1 1 1\n", 0, "2:5: " SHORT("2", "6", "6"), "4:1: " FEW("1", "2"), NULL},
    {REAL "9 9 1000000\n1 1 1\n", 0, "2:5: " SHORT("1000000", "6", "6"), "4:1: " FEW("1", "1000000"), NULL},
    {REAL "2 2 2\n1 1 1.000000\n", 0, "4:1: " FEW("1", "2"), NULL, NULL},
    {REAL "2 2 2\n1 1 1.000000", 0, "3:13: " FEW("1", "2"), NULL, NULL},
    {REAL "2 2 1\n1 1 1\n\n%\n2 2 1\n", 0, "6:1: more entries than the 1 that the size line promises", NULL,
     NULL},
    {REAL "2 2 0\n1 1 1\n", 0, "3:1: more entries than the 0 that the size line promises", NULL, NULL},
    {REAL "2 2 1\n0 1 1\n", 0,
     "3:1: row index 0; indices start at 1; --base=0 reads a file that counts from 0", NULL, NULL},
    {REAL "2 2 1\n1 0 1\n", 0,
     "3:3: column index 0; indices start at 1; --base=0 reads a file that counts from 0", NULL, NULL},
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
    {"%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 2 0 -1\n", 0,
     "3:5: the diagonal of a skew-symmetric matrix is 0, but this entry on it is not", NULL, NULL},
    {HERMITIAN "2 2 1\n2 2 5 -1e-300\n", 0,
     "3:7: the diagonal of a hermitian matrix is real, but this entry on it has an imaginary part", NULL,
     NULL},
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

/* With --base=0 index 0 is the first, and the number of rows or columns is outside. */
static void indices_may_count_from_0(void **state)
{
    static const struct {
        const char *text, *error;
    } faults[] = {
        {REAL "3 2 1\n3 0 1\n",
         "zero.mtx:3:1: row index 3 lies outside the matrix; the size line says 3, which is "
         "at most 2 counted from 0"},
        {REAL "3 2 1\n2 2 1\n",
         "zero.mtx:3:3: column index 2 lies outside the matrix; the size line says 2, which "
         "is at most 1 counted from 0"},
        {REAL "3 2 1\n99999999999999999999 0 1\n",
         "zero.mtx:3:1: row index 99999999999999999999 lies outside the matrix; the size line says 3, which "
         "is at most 2 counted from 0"},
        {REAL "3 2 1\n-1 0 1\n", "zero.mtx:3:1: row index -1 is negative; indices start at 0"},
        {REAL "3 2 1\n0000000000000003 0 1\n", "zero.mtx:3:1: row index 0000000000000003 lies outside the "
                                               "matrix; the size line says 3, which is at most "
                                               "2 counted from 0"},
        {PATTERN "3 2 1\n1   \n", "zero.mtx:3:5: the line ends where column index (an integer) is expected"},
        {PATTERN "3 2 1\nx 1\n", "zero.mtx:3:1: 'x' where row index (an integer) is expected"},
        {"%%MatrixMarket vector coordinate pattern general\n3 1\n3\n",
         "zero.mtx:3:1: row index 3 lies outside the matrix; the size line says 3, which is at most 2 "
         "counted "
         "from 0"},
    };
    const struct load_options options = {.from_zero = true};
    struct matrix matrix;
    char text[2048];
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct error error = {0};
        files_write("zero.mtx", faults[k].text, strlen(faults[k].text));
        assert_int_equal(read_file("zero.mtx", &options, NULL, &matrix, &error), STATUS_INPUT);
        assert_string_equal(error_text(&error, text, sizeof text), faults[k].error);
    }
}

static size_t as_much_again(int64_t rows, int64_t cols, int64_t nnz, int complex)
{
    (void)cols;
    return csr_bytes(rows, nnz, complex);
}

/* What is needed beside a matrix counts before anything is read, plain and packed, and says what to do. */
static void what_is_needed_beside_counts_as_memory(void **state)
{
    (void)state;
    static const char text[] = REAL "100000000 5 1\n1 1 1\n";
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {.limit = (size_t)1600000000, .beside = as_much_again};
    files_write("big.mtx", text, sizeof text - 1);
    files_pack("big.mtx.gz", text, sizeof text - 1, PACKED_GZIP);
    for (int packed = 0; packed < 2; packed++) {
        error_clear(&error);
        assert_int_equal(read_file(packed ? "big.mtx.gz" : "big.mtx", &options, NULL, &matrix, &error),
                         STATUS_LIMIT);
        assert_int_equal(error.line, 2);
        assert_string_equal(error.message,
                            "the matrix and its analysis need 1.49 GiB of memory, more than the "
                            "limit of 1.49 GiB; --limit=BYTES sets it");
    }
}

/* Of a packed file the entries are kept until they are placed: 16 bytes each beside the 12 of the matrix. */
static void packed_entries_count_as_memory(void **state)
{
    (void)state;
    static const char text[] = REAL "10 10 1000000\n1 1 1\n";
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {.limit = 27000000};
    files_pack("packed.mtx.gz", text, sizeof text - 1, PACKED_GZIP);
    assert_int_equal(read_file("packed.mtx.gz", &options, NULL, &matrix, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "the matrix needs 26.7 MiB of memory"));
    options.limit = 29000000;
    error_clear(&error);
    assert_int_equal(read_file("packed.mtx.gz", &options, NULL, &matrix, &error), STATUS_INPUT);
}

/* Texts of 256 KiB are read one after another, by threads that take turns, and the first two both have a
 * fault shortly before their ends: whichever is found first, that of the first text is told. */
static void of_two_texts_the_first_fault_is_told(void **state)
{
    enum { LINES = 90000, FIRST = 42000, SECOND = 87000 };
    static char text[6 * LINES + 200];
    (void)state;
    size_t size = (size_t)snprintf(text, sizeof text, "%s10 10 %d\n", REAL, LINES);
    uint64_t seed = 1;
    for (int k = 1; k <= LINES; k++) { /* at random, since a file that is packed too well has one thread */
        int row = 1 + (int)support_random(&seed, 9), value = (int)support_random(&seed, 10);
        int col = k == FIRST || k == SECOND ? 0 : 1 + (int)support_random(&seed, 9);
        size += (size_t)snprintf(text + size, sizeof text - size, "%d %d %d\n", row, col, value);
    }
    files_pack("two.mtx.gz", text, size, PACKED_GZIP);
    threads_set(2);
    for (int round = 0; round < 300; round++) {
        static const struct load_options options;
        struct error error = {0};
        struct matrix matrix;
        assert_int_equal(read_file("two.mtx.gz", &options, NULL, &matrix, &error), STATUS_INPUT);
        assert_int_equal(error.line, 2 + FIRST);
    }
    threads_set(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_named_with_its_place),
        cmocka_unit_test(sizes_beyond_memory_are_refused),
        cmocka_unit_test(indices_may_count_from_0),
        cmocka_unit_test(what_is_needed_beside_counts_as_memory),
        cmocka_unit_test(packed_entries_count_as_memory),
        cmocka_unit_test(of_two_texts_the_first_fault_is_told),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
