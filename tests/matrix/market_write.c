/* Matrix Market files are written, and read again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "matrix/files/market/market.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/market.h"
#include "support/support.h"

static void written_files_read_back(void **state)
{
    struct load_options options = {0};
    for (size_t k = 0; k < market_good_count; k++) {
        struct matrix first, second;
        struct error error = {0};
        files_write("good.mtx", market_good[k].text, strlen(market_good[k].text));
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

/* Each line of a comment is one of the file, behind its banner. */
static void a_comment_has_a_sign_before_each_line(void **state)
{
    static const struct {
        const char *comment, *lines;
    } cases[] = {{NULL, ""},
                 {"", ""},
                 {"one", "% one\n"},
                 {"one\n", "% one\n"},
                 {"one\n\n% two", "% one\n% \n% % two\n"}};
    struct csr a = support_matrix(2, 3, 0, false, false, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *written = NULL, expected[200];
        size_t size;
        FILE *file = open_memstream(&written, &size);
        assert_int_equal(market_write(file, &a, FIELD_REAL, SYMMETRY_GENERAL, cases[k].comment, NULL, NULL),
                         STATUS_OK);
        fclose(file);
        snprintf(expected, sizeof expected, "%%%%MatrixMarket matrix coordinate real general\n%s2 3 0\n",
                 cases[k].lines);
        assert_string_equal(written, expected);
        free(written);
    }
    csr_free(&a);
}

static void writing_fails_and_is_cancelled(void **state)
{
    struct matrix matrix;
    struct load_options options = {0};
    struct error error = {0};
    struct progress progress = {0};
    files_write("good.mtx", market_good[0].text, strlen(market_good[0].text));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_files_read_back),
        cmocka_unit_test(many_blocks_are_written_in_order),
        cmocka_unit_test(a_comment_has_a_sign_before_each_line),
        cmocka_unit_test(writing_fails_and_is_cancelled),
    };
    return cmocka_run_group_tests_name("market_write", tests, files_begin, files_end);
}
