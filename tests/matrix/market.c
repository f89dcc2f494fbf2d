/* Matrix Market files: every kind of file is read, and deviations from its header are noted. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/market.h"

static void check_good(const char *path, const struct wellformed *c)
{
    struct error error = {0};
    struct matrix matrix;
    struct load_options options = {0};
    if (read_file(path, &options, NULL, &matrix, &error))
        fail_msg("case %d: %s:%" PRId64 ":%" PRId64 ": %s", (int)(c - market_good), path, error.line,
                 error.column, error.message);
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
    for (size_t k = 0; k < market_good_count; k++) {
        files_write("good.mtx", market_good[k].text, strlen(market_good[k].text));
        files_pack("good.mtx.zst", market_good[k].text, strlen(market_good[k].text), PACKED_ZSTD);
        for (int threads = 1; threads <= 2; threads++) {
            threads_set(threads);
            check_good("good.mtx", &market_good[k]);
            check_good("good.mtx.zst", &market_good[k]);
        }
    }
}

/* With any name of the file: its first bytes determine the compression. */
static void every_packing_is_read(void **state)
{
    for (enum packing packing = PACKED_NOT; packing < PACKINGS; packing++) {
        files_pack("packed", market_good[0].text, strlen(market_good[0].text), packing);
        check_good("packed", &market_good[0]);
    }
}

static void zeros_keep_their_sign(void **state)
{
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

/* The header, the matrix that is read, and the notes. */
struct noted {
    const char *text;
    struct load_options options;
    int64_t rows, cols, nnz;
    int64_t i, j; /* the position of an entry, from 0 */
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

/* The notes are the same for a plain and a packed file, and with several threads. */
static void notes_say_what_is_not_as_the_file_says(void **state)
{
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

/* Of many blocks the first position is that of the lowest line, and all are counted. */
static void numbers_of_many_blocks_are_counted(void **state)
{
    enum { LINES = 200000, FIRST = 150001 };
    struct text text = {0};
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
    static const struct member members[] = {
        {"m/m_b.mtx", "b"}, {"m/m.mtx", REAL "1 1 1\n1 1 5\n"}, {"m/readme", "words"}, {NULL, NULL}};
    struct load_options options = {0};
    struct matrix matrix;
    files_archive("m.tar", members, PACKED_NOT);
    assert_int_equal(matrix_load("m.tar", &options, NULL, &matrix, NULL), STATUS_OK);
    assert_string_equal(matrix.notes.data, "also in the archive: m/m_b.mtx, m/readme\n");
    matrix_free(&matrix);
}

/* Comments of any length before the sizes are dropped, and lines and columns of a fault are still right. */
static void long_comments_before_the_sizes_are_dropped(void **state)
{
    static const int lengths[] = {1, 65534, 65535, 65536, 65537, 65538, 131072, 131073, 300000};
    const struct load_options options = {0};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (int wrong = 0; wrong < 2; wrong++)
            for (int packed = 0; packed < 2; packed++) {
                struct text text = {0};
                struct matrix matrix = {0};
                struct error error = {0};
                text_append(&text, "%s%% first\n", REAL);
                for (int times = 0; times < 2; times++) {
                    text_append(&text, "%%");
                    for (int n = 1; n < lengths[k]; n++)
                        text_append_bytes(&text, "x", 1);
                    text_append(&text, times ? "\n%% last\n\n" : "\n");
                }
                text_append(&text, "2 3 2\n1 3 1.5\n2 %d -2.5\n", wrong ? 4 : 1);
                if (packed)
                    files_pack("comments.mtx", text.data, text.length, PACKED_GZIP);
                else
                    files_write("comments.mtx", text.data, text.length);
                text_free(&text);
                enum status status = read_file("comments.mtx", &options, NULL, &matrix, &error);
                if (status != (wrong ? STATUS_INPUT : STATUS_OK))
                    fail_msg("%d: %s", lengths[k], error.message);
                if (wrong) {
                    assert_int_equal(error.line, 9);
                    assert_int_equal(error.column, 3);
                    continue;
                }
                assert_int_equal(matrix.csr.rows, 2);
                assert_int_equal(matrix.csr.cols, 3);
                assert_int_equal(csr_nnz(&matrix.csr), 2);
                assert_true(matrix.csr.col[0] == 2 && matrix.csr.val[0] == 1.5);
                assert_true(matrix.csr.col[1] == 0 && matrix.csr.val[1] == -2.5);
                matrix_free(&matrix);
            }
}

/* A comment longer than a line may be, which ends with the text and not with a line. */
static void a_long_comment_may_end_the_text(void **state)
{
    const struct load_options options = {0};
    for (int packed = 0; packed < 2; packed++) {
        struct text text = {0};
        struct matrix matrix = {0};
        struct error error = {0};
        text_append(&text, "%s2 3 2\n1 3 1.5\n2 1 -2.5\n%%", REAL);
        for (int n = 0; n < 200000; n++)
            text_append_bytes(&text, "x", 1);
        if (packed)
            files_pack("comments.mtx", text.data, text.length, PACKED_GZIP);
        else
            files_write("comments.mtx", text.data, text.length);
        text_free(&text);
        if (read_file("comments.mtx", &options, NULL, &matrix, &error) != STATUS_OK)
            fail_msg("%s", error.message);
        assert_int_equal(csr_nnz(&matrix.csr), 2);
        matrix_free(&matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_file_is_read),
        cmocka_unit_test(notes_say_what_is_not_as_the_file_says),
        cmocka_unit_test(numbers_of_many_blocks_are_counted),
        cmocka_unit_test(long_comments_before_the_sizes_are_dropped),
        cmocka_unit_test(a_long_comment_may_end_the_text),
        cmocka_unit_test(every_packing_is_read),
        cmocka_unit_test(zeros_keep_their_sign),
        cmocka_unit_test(the_rest_of_an_archive_is_noted),
    };
    return cmocka_run_group_tests_name("market", tests, files_begin, files_end);
}
