/* The matrices that the source texts work by hand, in every format they print: element for element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/array.h"
#include "support/stored.h"
#include "support/support.h"

/* The arrays of one storage: their names and elements. */
struct printed {
    const char *format;
    const char *name[4], *text[4];
};

static void expect_printed(const struct csr *a, const struct printed *printed, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        struct storage storage = stored(printed[n].format, a);
        for (int q = 0; q < 4 && printed[n].name[q]; q++)
            stored_expect(&storage, printed[n].name[q], printed[n].text[q]);
        storage_free(&storage);
    }
}

/* The transpose, by a dense array. */
static struct csr transposed(const struct csr *a)
{
    double *dense = calloc((size_t)(a->rows * a->cols), sizeof *dense);
    assert_non_null(dense);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            dense[a->col[k] * a->rows + i] = a->val[k];
    struct csr t = support_dense(a->cols, a->rows, dense);
    free(dense);
    return t;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Koza, Matyka, Szkoda and Mirosław, SIAM J. Sci. Comput. 36, 2014: the matrix of eq. 2.1 in the formats of
 * section 2, and in theirs by the definition of section 3. Of RowInd the text prints one 3 too few. Sorted
 * strips are those of section 4; of entries in the same column the upper comes first here. Packed columns are
 * column x 16 + RowInStrip. */
static void koza_equation_2_1(void **state)
{
    static const struct printed printed[] = {
        {"coo",
         {"row", "col", "val"},
         {"0 0 1 1 2 2 3 3 3 4", "0 3 1 4 2 4 2 3 4 4", "1 2 3 4 5 6 7 8 9 10"}},
        {"csr", {"row_ptr", "col", "val"}, {"0 2 4 6 9 10", "0 3 1 4 2 4 2 3 4 4", "1 2 3 4 5 6 7 8 9 10"}},
        {"ell:layout=rows,pad=sentinel",
         {"col", "val"},
         {"0 3 -1  1 4 -1  2 4 -1  2 3 4  4 -1 -1", "1 2 0  3 4 0  5 6 0  7 8 9  10 0 0"}},
        {"cmrs:height=2",
         {"StripPtr", "RowInStrip", "ColInd", "Val"},
         {"0 4 9 10", "0 0 1 1 0 0 1 1 1 0", "0 3 1 4 2 4 2 3 4 4", "1 2 3 4 5 6 7 8 9 10"}},
        {"cmrs:height=2,sorted=1",
         {"StripPtr", "RowInStrip", "ColInd", "Val"},
         {"0 4 9 10", "0 1 0 1 0 1 1 0 1 0", "0 1 3 4 2 2 3 4 4 4", "1 3 2 4 5 7 8 6 9 10"}},
        {"cmrs:height=2,packed=1",
         {"StripPtr", "ColInd", "Val"},
         {"0 4 9 10", "0 48 17 65 32 64 33 49 65 64", "1 2 3 4 5 6 7 8 9 10"}},
        {"cmrs:height=2,packed=1,sorted=1",
         {"StripPtr", "ColInd", "Val"},
         {"0 4 9 10", "0 17 48 65 32 33 49 64 65 64", "1 3 2 4 5 7 8 6 9 10"}},
        {"cmrs:height=1",
         {"StripPtr", "RowInStrip", "ColInd", "Val"},
         {"0 2 4 6 9 10", "0 0 0 0 0 0 0 0 0 0", "0 3 1 4 2 4 2 3 4 4", "1 2 3 4 5 6 7 8 9 10"}},
    };
    struct csr a = stored_matrix("cmrs.mtx");
    expect_printed(&a, printed, COUNT(printed));
    csr_free(&a);
}

/* A Cranfield University report on CSR and ELLPACK: every row has maxnz = 2 entries. It prints irp as 0 2 4 6
 * 8 11, where the last has to be the number of entries, which is 10. */
static void the_cranfield_report_s_matrix(void **state)
{
    static const struct printed printed[] = {
        {"csr", {"row_ptr", "col", "val"}, {"0 2 4 6 8 10", "0 1 1 2 1 2 2 3 3 4", "3 4 5 1 1 2 2 3 1 6"}},
        {"ell:layout=rows", {"col", "val"}, {"0 1  1 2  1 2  2 3  3 4", "3 4  5 1  1 2  2 3  1 6"}},
        {"ell", {"col", "val"}, {"0 1 1 2 3  1 2 2 3 4", "3 5 1 2 1  4 1 2 3 6"}},
    };
    struct csr a = stored_matrix("cranfield.mtx");
    assert_int_equal(csr_nnz(&a), 10);
    expect_printed(&a, printed, COUNT(printed));
    csr_free(&a);
}

/* An article on storage formats for HPCG: its 5 x 5 matrix, whose last row is empty. */
static void the_hpcg_article_s_first_matrix(void **state)
{
    static const struct printed printed[] = {
        {"coo", {"row", "col", "val"}, {"0 1 2 2 3", "0 1 0 4 3", "10 20 30 40 50"}},
        {"csr", {"row_ptr", "col", "val"}, {"0 1 2 4 5 5", "0 1 0 4 3", "10 20 30 40 50"}},
    };
    struct csr a = stored_matrix("hpcg5.mtx");
    expect_printed(&a, printed, COUNT(printed));
    csr_free(&a);
}

/* Its 6 x 6 matrix. Its column-major format is the ELLPACK of the transpose by rows, which differs from the
 * ELLPACK of the matrix by columns. */
static void the_hpcg_article_s_second_matrix(void **state)
{
    static const struct printed printed[] = {
        {"csr",
         {"row_ptr", "col", "val"},
         {"0 3 5 7 8 11 11", "0 3 5 1 5 0 4 3 2 4 5", "10 70 40 20 10 30 40 50 70 60 10"}},
        {"ell:layout=rows,pad=sentinel",
         {"col", "val"},
         {"0 3 5  1 5 -1  0 4 -1  3 -1 -1  2 4 5  -1 -1 -1",
          "10 70 40  20 10 0  30 40 0  50 0 0  70 60 10  0 0 0"}},
        {"ell:pad=sentinel",
         {"col", "val"},
         {"0 1 0 3 2 -1  3 5 4 -1 4 -1  5 -1 -1 -1 5 -1",
          "10 20 30 50 70 0  70 10 40 0 60 0  40 0 0 0 10 0"}},
    };
    static const struct printed of_transpose[] = {
        {"ell:layout=rows,pad=sentinel",
         {"col", "val"},
         {"0 2 -1  1 -1 -1  4 -1 -1  0 3 -1  2 4 -1  0 1 4",
          "10 30 0  20 0 0  70 0 0  70 50 0  40 60 0  40 10 10"}},
    };
    struct csr a = stored_matrix("hpcg6.mtx"), t = transposed(&a);
    expect_printed(&a, printed, COUNT(printed));
    expect_printed(&t, of_transpose, COUNT(of_transpose));
    csr_free(&a);
    csr_free(&t);
}

static int64_t numbers(const char *format, const struct csr *a)
{
    struct storage storage = stored(format, a);
    struct format_size size = storage_size(&storage);
    storage_free(&storage);
    return size.integers + size.slots;
}

/* The same article counts the numbers that COO and CSR keep of a full 3 x 3 matrix, and of a 1024 x 1024 one
 * with a tenth of its positions filled: 105,291 entries, here 103 in each of the first 843 rows and 102 in
 * the others. */
static void the_hpcg_article_s_counts(void **state)
{
    static const double nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static double tenth[1024 * 1024];
    struct csr small = support_dense(3, 3, nine);
    struct storage csr = stored("csr", &small);
    stored_expect(&csr, "row_ptr", "0 3 6 9");
    stored_expect(&csr, "col", "0 1 2 0 1 2 0 1 2");
    stored_expect(&csr, "val", "1 2 3 4 5 6 7 8 9");
    assert_int_equal(numbers("coo", &small), 27);
    assert_int_equal(numbers("csr", &small), 22);
    for (int i = 0; i < 1024; i++)
        for (int j = 0; j < (i < 843 ? 103 : 102); j++)
            tenth[i * 1024 + (i + 7 * j) % 1024] = 1;
    struct csr large = support_dense(1024, 1024, tenth);
    assert_int_equal(csr_nnz(&large), 105291);
    assert_int_equal(numbers("coo", &large), 315873);
    assert_int_equal(numbers("csr", &large), 211607);
    storage_free(&csr);
    csr_free(&small);
    csr_free(&large);
}

/* It takes the longest row as the width, which is 27 for the benchmark's own operator. */
static void the_hpcg_operator_is_27_wide(void **state)
{
    struct csr a = stored_matrix("gen:stencil27,n=5");
    struct storage ell = stored("ell", &a);
    assert_int_equal(ell.slots[0], 27 * 125);
    assert_int_equal(csr_nnz(&a), 13 * 13 * 13);
    storage_free(&ell);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(koza_equation_2_1),
        cmocka_unit_test(the_cranfield_report_s_matrix),
        cmocka_unit_test(the_hpcg_article_s_first_matrix),
        cmocka_unit_test(the_hpcg_article_s_second_matrix),
        cmocka_unit_test(the_hpcg_article_s_counts),
        cmocka_unit_test(the_hpcg_operator_is_27_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
