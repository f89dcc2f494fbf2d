/* formats/csc: worked examples, the transpose's CSR, and the memory if most columns are empty. Linked so that
 * allocations are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/threads.h"
#include "formats/array.h"
#include "formats/csc.h"
#include "support/allocations.h"
#include "support/stored.h"
#include "support/support.h"

/* The matrix of PMPP, figure 10.1, whose columns are read off the figure. */
static void the_book_s_matrix(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage csc = stored("csc", &a);
    stored_expect(&csc, "col_ptr", "0 2 3 5 7");
    stored_expect(&csc, "row", "0 3 2 0 2 2 3");
    stored_expect(&csc, "val", "3 1 2 1 4 1 1");
    storage_free(&csc);
    csr_free(&a);
}

/* Row 5 is empty; columns of 2, 1, 1, 2, 2 and 3 entries. */
static void columns_of_several_lengths(void **state)
{
    struct csr a = stored_matrix("hpcg6.mtx");
    struct storage csc = stored("csc", &a);
    stored_expect(&csc, "col_ptr", "0 2 3 4 6 8 11");
    stored_expect(&csc, "row", "0 2 1 4 0 3 2 4 0 1 4");
    stored_expect(&csc, "val", "10 30 20 70 70 50 40 60 40 10 10");
    storage_free(&csc);
    csr_free(&a);
}

/* Duff, Grimes and Lewis, Users' Guide for the Harwell-Boeing Sparse Matrix Collection (1992): the matrix and
 * its columns, which are counted from 1 there. */
static void the_guide_s_example(void **state)
{
    static const double dense[] = {1, -3, 0, -1, 0, 0,  0, -2, 0, 3,  2, 0, 0,
                                   0, 0,  0, 4,  0, -4, 0, 5,  0, -5, 0, 6};
    static const int64_t col_ptr[] = {1, 4, 6, 8, 10, 12}, row[] = {1, 3, 5, 1, 4, 2, 5, 1, 4, 2, 5};
    struct csr a = support_dense(5, 5, dense);
    struct storage csc = stored("csc", &a);
    for (int j = 0; j <= 5; j++)
        assert_int_equal(array_integer(stored_array(&csc, "col_ptr"), j) + 1, col_ptr[j]);
    for (int e = 0; e < 11; e++)
        assert_int_equal(array_integer(stored_array(&csc, "row"), e) + 1, row[e]);
    stored_expect(&csc, "val", "1 2 5 -3 4 -2 -5 -1 -4 3 6");
    storage_free(&csc);
    csr_free(&a);
}

/* 11 slots of 12 bytes and 7 pointers of 4, or of 8 where they are to be wide. */
static void sizes_are_those_of_the_arrays(void **state)
{
    const struct storing wide = {.wide = true}, single = {.precision = PRECISION_F32};
    struct csr a = stored_matrix("hpcg6.mtx");
    struct storage csc = stored("csc", &a), far = stored_with("csc", &wide, &a),
                   half = stored_with("csc", &single, &a);
    struct format_size size = storage_size(&csc);
    assert_int_equal(size.bytes, 11 * 12 + 7 * 4);
    assert_int_equal(size.integers, 18);
    assert_int_equal(size.slots, 11);
    assert_int_equal(size.padding, 0);
    assert_true(size.padding_ratio == 1);
    assert_int_equal(storage_size(&far).bytes, 11 * 12 + 7 * 8);
    assert_int_equal(storage_size(&half).bytes, 11 * 8 + 7 * 4);
    stored_expect(&far, "col_ptr", "0 2 3 4 6 8 11");
    storage_free(&csc);
    storage_free(&far);
    storage_free(&half);
    csr_free(&a);
}

/* Columns 0 and 2 of 4 have entries; the picture has a line for each of them. */
static void columns_are_lines(void **state)
{
    static const double dense[] = {1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0};
    static const struct place first[] = {{0, 0}, {-1, 1}, {1, 2}, {-1, 3}, {-1, -1}};
    static const int64_t cells[][3] = {{0, 1, 2}, {-1, -1, -1}, {3, 4, -1}, {-1, -1, -1}};
    struct csr a = support_dense(3, 4, dense);
    struct storage csc = stored("csc", &a);
    const struct format *format = csc.format;
    stored_expect(&csc, "col_ptr", "0 3 3 5 5");
    struct shape shape = format->shape(&csc);
    assert_true(shape.line == LINE_COLUMN && shape.lines == 4 && shape.wide == 3);
    for (int j = 0; j <= 4; j++) {
        struct place place = format->leads(&csc, CSC_COL_PTR, j);
        assert_true(place.row == first[j].row && place.col == first[j].col);
    }
    for (int line = 0; line < 4; line++) {
        assert_int_equal(format->label(&csc, line), line);
        for (int c = 0; c < 3; c++)
            assert_int_equal(format->cell(&csc, line, c), cells[line][c]);
    }
    for (int e = 1; e < 5; e++) {
        assert_int_equal(format->rule(&csc, CSC_ROW, e), e == 3 ? RULE_MINOR : RULE_NONE);
        assert_int_equal(format->rule(&csc, CSC_COL_PTR, e), RULE_NONE);
    }
    /* (2, 2) is the second of column 2, in slot 4; nothing is at (0, 2). */
    int64_t line, c;
    struct spot spot = storage_spot(&csc, &a, (struct place){2, 2}, 4), none = spot;
    assert_int_equal(spot.slot, 4);
    format->find(&csc, &spot, &line, &c);
    assert_true(line == 2 && c == 1);
    struct extent extent = format->touch(&csc, CSC_COL_PTR, &spot);
    assert_true(extent.first == 2 && extent.end == 4);
    none.place.row = 0;
    none.slot = -1;
    format->find(&csc, &none, &line, &c);
    assert_true(line == 2 && c == -1);
    storage_free(&csc);
    csr_free(&a);
}

/* An entry that the arrays lack has no slot. */
static void missing_entries_have_no_slot(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage csc = stored("csc", &a);
    int part = -1;
    assert_int_equal(csc.format->locate(&csc, &a, 3, 6, &part), 6);
    ((int32_t *)csc.array[CSC_ROW].data)[5] = 0;
    ((int32_t *)csc.array[CSC_ROW].data)[6] = 1;
    assert_int_equal(storage_validate(&csc, NULL), STATUS_OK);
    assert_int_equal(csc.format->locate(&csc, &a, 3, 6, &part), -1);
    assert_int_equal(csc.format->locate(&csc, &a, 2, 4, &part), -1);
    storage_free(&csc);
    csr_free(&a);
}

/* The CSC of a matrix by plain loops: entries of column 0 from the first row to the last, and so on. */
static void expect_columns(const struct csr *a, const struct storage *csc)
{
    const int32_t *row = csc->array[CSC_ROW].data;
    const double *val = csc->array[CSC_VAL].data;
    int64_t *next = test_calloc((size_t)a->cols + 1, sizeof *next);
    for (int64_t k = 0; k < csr_nnz(a); k++)
        next[a->col[k] + 1]++;
    for (int64_t j = 0; j < a->cols; j++)
        next[j + 1] += next[j];
    for (int64_t j = 0; j <= a->cols; j++)
        assert_int_equal(array_integer(&csc->array[CSC_COL_PTR], j), next[j]);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t e = next[a->col[k]]++;
            assert_int_equal(row[e], i);
            assert_true(val[e] == a->val[k]);
        }
    test_free(next);
}

/* With any number of threads: 60,000 entries in 2,000 columns, or in 500,000, most of which are empty. */
static void threads_change_nothing(void **state)
{
    static const int threads[] = {1, 2, 3, 7, 16};
    static const char *const matrices[] = {"gen:random,m=6000,n=2000,mean=10",
                                           "gen:powerlaw,scale=12,edge=16",
                                           "gen:random,m=6000,n=500000,mean=10", "arrow.mtx.gz"};
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++) {
        struct csr a = stored_matrix(matrices[m]);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            threads_set(threads[t]);
            struct storage csc = stored("csc", &a);
            expect_columns(&a, &csc);
            storage_free(&csc);
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* The plan states the memory for the counts of several stripes. Filling with more threads uses no more
 * memory. */
static void threads_that_come_later_take_no_more(void **state)
{
    struct csr a = stored_matrix("gen:random,m=6000,n=2000,mean=10");
    struct storage few, many;
    const struct storing options = {0};
    threads_set(2);
    assert_int_equal(storing_plan(&format_csc, "", &options, &a, NULL, &few, NULL), STATUS_OK);
    assert_int_equal(few.scratch, 2 * 2000 * sizeof(uint32_t));
    threads_set(8);
    assert_int_equal(storing_plan(&format_csc, "", &options, &a, NULL, &many, NULL), STATUS_OK);
    assert_int_equal(many.scratch, 8 * 2000 * sizeof(uint32_t));
    struct storage whole = stored("csc", &a);
    for (int q = 0; q < few.count; q++)
        few.array[q].data = whole.array[q].data;
    allocations_begin();
    assert_int_equal(few.format->fill(&few, &a, NULL, NULL), STATUS_OK);
    assert_true(allocations_now().peak <= (long long)few.scratch + 8192);
    expect_columns(&a, &few);
    for (int q = 0; q < few.count; q++)
        few.array[q].data = NULL;
    storage_free(&whole);
    storage_free(&few);
    storage_free(&many);
    csr_free(&a);
    threads_set(0);
}

/* 10,000 entries in 2^31 - 1 columns: 8 GiB of pointers, and 16 bytes an entry beside the arrays. */
static void empty_columns_take_no_scratch(void **state)
{
    enum { ROWS = 100, EACH = 100 };
    int64_t row_ptr[ROWS + 1];
    static int32_t col[ROWS * EACH];
    static double val[ROWS * EACH];
    const struct storing options = {.limit = (size_t)9 << 30}, little = {.limit = (size_t)1 << 20};
    struct storage csc;
    struct error error = {0};
    for (int i = 0; i <= ROWS; i++)
        row_ptr[i] = i * EACH;
    for (int k = 0; k < ROWS * EACH; k++)
        col[k] = k % EACH * 21474836 + k % 3;
    struct csr a = {.rows = ROWS, .cols = INT32_MAX, .row_ptr = row_ptr, .col = col, .val = val};
    assert_int_equal(storing_plan(&format_csc, "", &options, &a, NULL, &csc, NULL), STATUS_OK);
    struct format_size size = storage_size(&csc);
    assert_int_equal(size.bytes, ((size_t)1 << 33) + 10000 * 12);
    assert_true(size.peak - size.bytes <= 10000 * 16);
    /* Every third of the rows has its entry in one of the 300 columns that have some. */
    assert_int_equal(csc.number[CSC_LONGEST], 34);
    assert_int_equal(storage_check(&csc, options.limit, &error), STATUS_OK);
    storage_free(&csc);
    assert_int_equal(storing_convert(&format_csc, "", &little, &a, NULL, &csc, &error), STATUS_LIMIT);
    storage_free(&csc);
}

static void faults_are_named(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage csc = stored("csc", &a);
    int32_t *col_ptr = csc.array[CSC_COL_PTR].data, *row = csc.array[CSC_ROW].data;
    col_ptr[0] = 1, stored_refused(&csc, "col_ptr[0] = 1 is not 0");
    col_ptr[0] = 0, col_ptr[2] = 1, stored_refused(&csc, "col_ptr[2] = 1 is less than the one before");
    col_ptr[2] = 3, col_ptr[4] = 8, stored_refused(&csc, "col_ptr[4] = 8 is not the end");
    col_ptr[4] = 7, row[2] = 4, stored_refused(&csc, "row[2] = 4 lies out of range");
    row[2] = -1, stored_refused(&csc, "row[2] = -1 lies out of range");
    row[2] = 2, row[1] = 0, stored_refused(&csc, "row[1] = 0 is not beyond the one before");
    row[1] = 3, row[6] = 1, stored_refused(&csc, "row[6] = 1 is not beyond the one before");
    storage_free(&csc);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx"), large = stored_matrix("gen:random,m=3000,n=1000,mean=10");
    stored_sweep("csc", &a);
    threads_set(3);
    stored_sweep("csc", &large);
    threads_set(0);
    csr_free(&a);
    csr_free(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_book_s_matrix),
        cmocka_unit_test(columns_of_several_lengths),
        cmocka_unit_test(the_guide_s_example),
        cmocka_unit_test(sizes_are_those_of_the_arrays),
        cmocka_unit_test(columns_are_lines),
        cmocka_unit_test(missing_entries_have_no_slot),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(threads_that_come_later_take_no_more),
        cmocka_unit_test(empty_columns_take_no_scratch),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
