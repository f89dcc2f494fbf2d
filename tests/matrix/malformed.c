/* matrix/market: every malformed file is refused with the position and the remedy, plain and compressed, with
 * one thread and with two; and so is a damaged file of MATLAB. */
#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/malformed.h"
#include "support/market.h"
#include "support/support.h"

static void expect(const char *path, const struct malformed *c, bool lenient, const char *expected)
{
    char text[2048], wanted[2048];
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {.lenient = lenient};
    enum status status = read_file(path, &options, NULL, &matrix, &error);
    if (!*expected) {
        if (status)
            fail_msg("case %d, lenient: %s", (int)(c - market_malformed),
                     error_text(&error, text, sizeof text));
        assert_true(matrix.notes.length > 0);
        matrix_free(&matrix);
        return;
    }
    snprintf(wanted, sizeof wanted, "%s:%s", path, expected);
    if (!status) fail_msg("case %d is read, but should fail: %s", (int)(c - market_malformed), wanted);
    if (strcmp(error_text(&error, text, sizeof text), wanted))
        fail_msg("case %d%s:\n is     %s\n should %s", (int)(c - market_malformed),
                 lenient ? ", lenient" : "", text, wanted);
    /* The same without a struct for the error. */
    assert_int_equal(read_file(path, &options, NULL, &matrix, NULL), status);
}

static void every_fault_is_named_with_its_place(void **state)
{
    for (size_t k = 0; k < market_malformed_count; k++) {
        const struct malformed *c = &market_malformed[k];
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

/* With --base=0 indices begin at 0, so that the number of rows, or of columns, is outside. */
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
        {PATTERN "3 2 1\n!~\x7f\x1f 1\n", "zero.mtx:3:1: '!~?"
                                          "?' where row index (an integer) is expected"},
        {PATTERN "3 2 1\nx 1\n", "zero.mtx:3:1: 'x' where row index (an integer) is expected"},
        {"%%MatrixMarket vector coordinate pattern general\n3 1\n3\n",
         "zero.mtx:3:1: row index 3 lies outside the matrix; the size line says 3, which is at most 2 "
         "counted "
         "from 0"},
    };
    const struct load_options options = {.from_zero = true};
    struct matrix matrix;
    char text[2048];
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct error error = {0};
        files_write("zero.mtx", faults[k].text, strlen(faults[k].text));
        assert_int_equal(read_file("zero.mtx", &options, NULL, &matrix, &error), STATUS_INPUT);
        assert_string_equal(error_text(&error, text, sizeof text), faults[k].error);
        assert_non_null(
            strstr(faults[k].error, error.message)); /* the message itself has no control characters */
    }
}

static size_t as_much_again(int64_t rows, int64_t cols, int64_t nnz, int complex)
{
    return csr_bytes(rows, nnz, complex);
}

/* Memory beside the matrix counts before anything is read, plain and packed, and the message names the
 * remedy. */
static void further_memory_counts(void **state)
{
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

/* Entries of a packed file are kept until they are placed: 16 bytes each, beside the 12 of the matrix. */
static void packed_entries_count_as_memory(void **state)
{
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

/* Threads read blocks of 256 KiB in turn. The first two blocks both have a fault near their end. Whichever is
 * found first, the fault of the first block is reported. */
static void of_two_texts_the_first_fault_is_told(void **state)
{
    enum { LINES = 90000, FIRST = 42000, SECOND = 87000 };
    static char text[6 * LINES + 200];
    size_t size = (size_t)snprintf(text, sizeof text, "%s10 10 %d\n", REAL, LINES);
    uint64_t seed = 1;
    for (int k = 1; k <= LINES; k++) { /* random, since one thread reads a file that is packed well */
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

/* A MATLAB file of version 5 with a struct S that ends before the names of its fields, and a sparse matrix A
 * behind it. */
static void a_struct_without_names_is_damaged(void **state)
{
    static const uint32_t words[] = {
        14,          48,  6, 8,
        2,           0,         /* an array of 48 bytes: its class is struct, */
        5,           8,   1, 1, /* its size 1 x 1, */
        1 | 1 << 16, 'S',       /* its name S, and */
        5 | 4 << 16, 32,        /* names of fields have 32 bytes */
        14,          80,  6, 8,
        5,           1,         /* an array of 80 bytes: its class is sparse, with room for an entry, */
        5,           8,   1, 1, /* its size 1 x 1, */
        1 | 1 << 16, 'A',       /* its name A, */
        5 | 4 << 16, 0,         /* the row index 0, */
        5,           8,   0, 1, /* the column pointers 0 and 1, */
        9,           8,   0, 0x3ff00000}; /* and the value 1 */
    char bytes[128 + sizeof words] = "MATLAB 5.0 MAT-file";
    struct error error = {0};
    struct matrix matrix;
    const struct load_options options = {0};
    bytes[124] = 0, bytes[125] = 1, bytes[126] = 'I', bytes[127] = 'M';
    memcpy(bytes + 128, words, sizeof words);
    files_write("struct.mat", bytes, sizeof bytes);
    assert_int_equal(matrix_load("struct.mat:A", &options, NULL, &matrix, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&matrix.csr), 1);
    matrix_free(&matrix);
    assert_int_equal(matrix_load("struct.mat", &options, NULL, &matrix, &error), STATUS_INPUT);
    assert_non_null(strstr(error.message, "damaged or cut short at byte 185"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_named_with_its_place),
        cmocka_unit_test(sizes_beyond_memory_are_refused),
        cmocka_unit_test(indices_may_count_from_0),
        cmocka_unit_test(further_memory_counts),
        cmocka_unit_test(packed_entries_count_as_memory),
        cmocka_unit_test(of_two_texts_the_first_fault_is_told),
        cmocka_unit_test(a_struct_without_names_is_damaged),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
