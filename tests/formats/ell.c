/* formats/ell: the examples of its sources, element for element, and the number of stored numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/array.h"
#include "formats/ell.h"
#include "support/formats.h"
#include "support/stored.h"
#include "support/support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* PMPP, figures 10.8 to 10.10: the padded rows, and their transposition. */
static void the_book_s_ell(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage ell = stored("ell", &a), rows = stored("ell:layout=rows", &a);
    stored_expect(&rows, "val", "3 1 *  * * *  2 4 1  1 1 *");
    stored_expect(&rows, "col", "0 2 *  * * *  1 2 3  0 3 *");
    stored_expect(&ell, "val", "3 * 2 1  1 * 4 1  * * 1 *");
    stored_expect(&ell, "col", "0 * 1 0  2 * 2 3  * * 3 *");
    assert_int_equal(ell.number[ELL_WIDTH], 3);
    storage_free(&ell);
    storage_free(&rows);
    csr_free(&a);
}

/* Padding is +0, with the column of the row's last entry or 0, or -1. */
static void padding_has_its_column(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage ell = stored("ell", &a), rows = stored("ell:layout=rows", &a),
                   sentinel = stored("ell:pad=sentinel", &a);
    stored_expect(&rows, "col", "0 2 2  0 0 0  1 2 3  0 3 3");
    stored_expect(&ell, "col", "0 0 1 0  2 0 2 3  2 0 3 3");
    stored_expect(&sentinel, "col", "0 -1 1 0  2 -1 2 3  -1 -1 3 -1");
    stored_expect(&sentinel, "val", "3 0 2 1  1 0 4 1  0 0 1 0"); /* not -0 */
    storage_free(&ell);
    storage_free(&rows);
    storage_free(&sentinel);
    csr_free(&a);
}

/* PMPP, exercise 3 of chapter 10. */
static void the_book_s_exercise(void **state)
{
    static const double dense[] = {1, 0, 7, 0, 0, 0, 8, 0, 0, 4, 3, 0, 2, 0, 0, 1};
    struct csr a = support_dense(4, 4, dense);
    struct storage ell = stored("ell", &a), rows = stored("ell:layout=rows", &a);
    stored_expect(&rows, "val", "1 7  8 *  4 3  2 1");
    stored_expect(&rows, "col", "0 2  2 *  1 2  0 3");
    stored_expect(&ell, "val", "1 8 4 2  7 * 3 1");
    stored_expect(&ell, "col", "0 2 1 0  2 * 2 3");
    storage_free(&ell);
    storage_free(&rows);
    csr_free(&a);
}

/* Columns counted from 1 and values as a course project's README has them: padding repeats the column. */
static void the_course_s_example(void **state)
{
    static const int32_t ja[] = {1, 2, 2, 3, 3, 3, 3, 4};
    struct csr a = stored_matrix("course.mtx");
    struct storage ell = stored("ell:layout=rows", &a);
    for (size_t e = 0; e < COUNT(ja); e++)
        assert_int_equal(((const int32_t *)ell.array[ELL_COL].data)[e] + 1, ja[e]);
    stored_expect(&ell, "val", "11 12  22 23  33 0  43 44");
    stored_expect(&ell, "val", "11 12  22 23  33 *  43 44");
    storage_free(&ell);
    csr_free(&a);
}

/* Rows of 2, 0, 3, 1, 2 entries. */
static const double padded5[] = {1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 5, 0, 0, 0, 6, 0, 0, 7, 0, 0, 8};

/* Rows of 2, 1, 4, 0, 3, 1 entries, columns of 1, 4, 2, 1, 2, 1: the matrix and its transpose are padded
 * alike but filled differently. */
static const double padded6[] = {1, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0,  0, 0, 4,  5, 6, 0, 7,
                                 0, 0, 0, 0, 0, 0, 0, 8, 9, 0, 10, 0, 0, 11, 0, 0, 0, 0};

/* By hand. */
static void sentinels_by_rows(void **state)
{
    struct csr five = support_dense(5, 5, padded5), six = support_dense(6, 6, padded6);
    struct storage a = stored("ell:layout=rows,pad=sentinel", &five),
                   b = stored("ell:layout=rows,pad=sentinel", &six);
    stored_expect(&a, "col", "0 2 -1  -1 -1 -1  0 1 4  3 -1 -1  1 4 -1");
    stored_expect(&a, "val", "1 2 *  * * *  3 4 5  6 * *  7 8 *");
    stored_expect(&b, "col", "0 4 -1 -1  1 -1 -1 -1  1 2 3 5  -1 -1 -1 -1  1 2 4 -1  1 -1 -1 -1");
    stored_expect(&b, "val", "1 2 * *  3 * * *  4 5 6 7  * * * *  8 9 10 *  11 * * *");
    storage_free(&a);
    storage_free(&b);
    csr_free(&five);
    csr_free(&six);
}

/* The transposed layout transposes the padded rows. Padding the columns of the matrix, which is ELL of the
 * transposed matrix, gives other arrays, though of the same length here. */
static void transposed_is_not_of_the_transpose(void **state)
{
    static const double columns[] = {1, 0, 0, 0, 0, 0, 0, 3, 4, 0, 8,  11, 0, 0, 5, 0, 9, 0,
                                     0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 10, 0,  0, 0, 7, 0, 0, 0};
    struct csr a = support_dense(6, 6, padded6), t = support_dense(6, 6, columns);
    struct storage ell = stored("ell:pad=sentinel", &a), other = stored("ell:layout=rows,pad=sentinel", &t);
    stored_expect(&ell, "val", "1 3 4 * 8 11  2 * 5 * 9 *  * * 6 * 10 *  * * 7 * * *");
    stored_expect(&ell, "col", "0 1 1 -1 1 1  4 -1 2 -1 2 -1  -1 -1 3 -1 4 -1  -1 -1 5 -1 -1 -1");
    stored_expect(&other, "val", "1 * * *  3 4 8 11  5 9 * *  6 * * *  2 10 * *  7 * * *");
    stored_expect(&other, "col", "0 -1 -1 -1  1 2 4 5  2 4 -1 -1  2 -1 -1 -1  0 4 -1 -1  2 -1 -1 -1");
    assert_int_equal(other.slots[0], ell.slots[0]);
    storage_free(&ell);
    storage_free(&other);
    csr_free(&a);
    csr_free(&t);
}

/* Slot c m + i of one is slot i K + c of the other, for any matrix: also beyond a tile, and if threads share
 * the work. */
static void transposed_is_the_transposition(void **state)
{
    static const char *const matrices[] = {"hpcg5.mtx", "demo.mtx.gz", "random.mtx.gz", "arrow.mtx.gz",
                                           "gen:powerlaw,scale=11,edge=60"};
    for (size_t s = 0; s < COUNT(matrices); s++) {
        struct csr a = stored_matrix(matrices[s]);
        struct storage rows = stored("ell:layout=rows", &a), ell = stored("ell", &a);
        int64_t m = a.rows, width = ell.number[ELL_WIDTH], entries = 0;
        const int32_t *left = rows.array[ELL_COL].data, *right = ell.array[ELL_COL].data;
        const double *x = rows.array[ELL_VAL].data, *y = ell.array[ELL_VAL].data;
        for (int64_t i = 0; i < m; i++)
            for (int64_t c = 0; c < width; c++) {
                int64_t k = a.row_ptr[i] + c;
                bool entry = k < a.row_ptr[i + 1];
                if (left[i * width + c] != right[c * m + i] || x[i * width + c] != y[c * m + i] ||
                    (entry && (left[i * width + c] != a.col[k] || x[i * width + c] != a.val[k])))
                    fail_msg("%s: row %lld, position %lld", matrices[s], (long long)i, (long long)c);
                entries += entry;
            }
        assert_int_equal(entries, csr_nnz(&a));
        storage_free(&rows);
        storage_free(&ell);
        csr_free(&a);
    }
}

/* The stored numbers of a format: integers and values. */
static int64_t numbers(const char *format, const struct csr *a)
{
    struct storage storage = stored(format, a);
    struct format_size size = storage_size(&storage);
    storage_free(&storage);
    return size.integers + size.slots;
}

/* PMPP, exercise 4 of chapter 10: 3z, 2z + m + 1 and 2mk numbers, k being the longest row. */
static void integers_in_m_z_and_k(void **state)
{
    static const struct {
        const char *name;
        int64_t m, z, k;
    } cases[] = {
        {"gen:laplace2d,n=20", 400, 1920, 5},
        {"gen:stencil27,n=7", 343, 6859, 27},
        {"gen:arrow,n=300", 300, 898, 300},
        {"gen:dense,m=30,n=40", 30, 1200, 40},
        {"gen:banded,n=200,lower=2,upper=4", 200, 1387, 7},
        {"gen:permutation,n=77", 77, 77, 1},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct csr a = stored_matrix(cases[c].name);
        int64_t m = cases[c].m, z = cases[c].z, k = cases[c].k;
        assert_int_equal(numbers("coo", &a), 3 * z);
        assert_int_equal(numbers("csr", &a), 2 * z + m + 1);
        assert_int_equal(numbers("ell", &a), 2 * m * k);
        assert_int_equal(numbers("ell:layout=rows,pad=sentinel", &a), 2 * m * k);
        csr_free(&a);
    }
}

/* An article on HPCG counts 3 nnz and 2 nnz + 1025 numbers for a matrix of 1024 rows: see also sources.c. */
static void numbers_of_a_1024_x_1024_matrix(void **state)
{
    struct csr a = stored_matrix("gen:laplace2d,n=32");
    assert_int_equal(a.rows, 1024);
    assert_int_equal(csr_nnz(&a), 4992);
    assert_int_equal(numbers("coo", &a), 3 * 4992);
    assert_int_equal(numbers("csr", &a), 2 * 4992 + 1025);
    csr_free(&a);
}

/* A matrix whose rows have the lengths given, by turns; entries in the first columns, 1, 2, 3, ... */
static struct csr of_lengths(int64_t rows, int64_t cols, int64_t (*length)(int64_t i))
{
    struct csr a = support_matrix(rows, cols, 0, false, false, 1);
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + length(i);
    int64_t nnz = a.row_ptr[rows];
    free(a.col);
    free(a.val);
    a.col = malloc((size_t)nnz * sizeof *a.col);
    a.val = malloc((size_t)nnz * sizeof *a.val);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            a.col[k] = (int32_t)(k - a.row_ptr[i]);
            a.val[k] = (double)(k + 1);
        }
    return a;
}

/* 200 + 809 * 10 + 190 * 9 = 10000 entries. */
static int64_t one_long_row(int64_t i)
{
    return i == 500 ? 200 : i < 190 ? 9 : 10;
}

/* PMPP, section 10.3: of 1000 x 1000 positions 1% hold an entry, 10 a row on average, but one row has 200.
 * ELL then takes 40% of the bytes of the dense matrix, and some 20 times those of CSR. */
static void one_long_row_pads_all(void **state)
{
    struct csr a = of_lengths(1000, 1000, one_long_row);
    struct storage ell = stored("ell", &a);
    struct format_size size = storage_size(&ell);
    assert_int_equal(csr_nnz(&a), 10000);
    assert_int_equal(size.slots, 200000);
    assert_int_equal(size.integers, 200000);
    assert_int_equal(size.padding, 190000);
    assert_true(size.padding_ratio == 20);
    assert_true((double)(size.slots + size.integers) / 1e6 == 0.4);
    assert_int_equal(numbers("csr", &a), 2 * 10000 + 1001);
    assert_int_equal((size.slots + size.integers + 10500) / 21001, 19); /* 19.05, rounded */
    storage_free(&ell);
    csr_free(&a);
}

/* A matrix as in the last test but far larger is refused, with its size and padding, before it is made: 4e10
 * slots of 12 bytes, and a bit each. */
static void large_storages_are_refused(void **state)
{
    const struct storing limited = {.limit = (size_t)1 << 30};
    const char *message;
    struct csr a = stored_matrix("gen:arrow,n=200000");
    assert_int_equal(stored_status("ell", &limited, &a, &message), STATUS_LIMIT);
    assert_string_equal(message,
                        "ell would take 452 GiB, its padding factor being 6.667e+04; the limit is 1.00 GiB: "
                        "--limit=BYTES sets it");
    csr_free(&a);
}

/* The picture is the padded rectangle; a rule stands where a row begins, or a column. */
static void the_picture_is_the_rectangle(void **state)
{
    struct csr a = support_dense(6, 6, padded6);
    for (int transposed = 0; transposed < 2; transposed++) {
        struct storage ell = stored(transposed ? "ell" : "ell:layout=rows", &a);
        const struct format *format = ell.format;
        struct shape shape = format->shape(&ell);
        assert_int_equal(shape.line, LINE_ROW);
        assert_int_equal(shape.lines, 6);
        assert_int_equal(shape.wide, 4);
        for (int64_t i = 0; i < 6; i++)
            for (int64_t c = 0; c < 4; c++) {
                int64_t e = transposed ? 6 * c + i : 4 * i + c, k = a.row_ptr[i] + c, line, position;
                bool entry = k < a.row_ptr[i + 1], begins = transposed ? i == 0 : c == 0;
                struct place place = format->place(&ell, 0, e);
                assert_int_equal(format->cell(&ell, i, c), e);
                assert_int_equal(format->label(&ell, i), i);
                assert_int_equal(place.row, i);
                assert_int_equal(storage_padding(&ell, 0, e), !entry);
                if (e) assert_int_equal(format->rule(&ell, ELL_VAL, e), begins ? RULE_MINOR : RULE_NONE);
                if (!entry) continue;
                struct spot spot = storage_spot(&ell, &a, place, k);
                assert_int_equal(spot.slot, e);
                format->find(&ell, &spot, &line, &position);
                assert_int_equal(line, i);
                assert_int_equal(position, c);
            }
        struct spot empty = storage_spot(&ell, &a, (struct place){3, 2}, -1);
        int64_t line, position;
        format->find(&ell, &empty, &line, &position);
        assert_int_equal(line, 3);
        assert_int_equal(position, -1);
        storage_free(&ell);
    }
    csr_free(&a);
}

/* Entries that are 0, or become 0 in single precision, are distinguished from padding. */
static void zeros_are_kept(void **state)
{
    int64_t row_ptr[] = {0, 3, 3, 4, 5};
    int32_t col[] = {0, 2, 3, 1, 0};
    double val[] = {1, 0, 1e-50, -0.0, 2};
    struct csr a = {.rows = 4, .cols = 4, .row_ptr = row_ptr, .col = col, .val = val};
    static const char *const names[] = {"ell",     "ell:layout=rows", "ell:pad=sentinel",
                                        "hyb:k=2", "hyb:k=0",         "hyb:k=3,pad=sentinel"};
    for (size_t n = 0; n < COUNT(names); n++)
        for (int single = 0; single < 2; single++) {
            const struct storing options = {.precision = single ? PRECISION_F32 : PRECISION_F64};
            struct storage storage = stored_with(names[n], &options, &a);
            struct csr back;
            int64_t padding = 0;
            for (int64_t e = 0; e < storage.slots[0]; e++)
                padding += storage_padding(&storage, 0, e);
            assert_int_equal(padding, storage_size(&storage).padding);
            assert_int_equal(storage_unpack(&storage, NULL, &back, NULL), STATUS_OK);
            const char *difference = csr_difference(&a, &back, options.precision);
            if (difference) fail_msg("%s: %s", names[n], difference);
            csr_free(&back);
            storage_free(&storage);
        }
}

/* 64-bit offsets change nothing where there are no offsets. */
static void wide_offsets_hold_the_same(void **state)
{
    const struct storing wide = {.wide = true};
    struct csr a = stored_matrix("random.mtx.gz");
    static const char *const names[] = {"ell", "hyb"};
    for (size_t n = 0; n < COUNT(names); n++) {
        struct storage one = stored(names[n], &a), other = stored_with(names[n], &wide, &a);
        const char *difference = storage_difference(&one, &other);
        if (difference) fail_msg("%s: %s", names[n], difference);
        storage_free(&one);
        storage_free(&other);
    }
    csr_free(&a);
}

/* Without rows, without columns, without entries, and a single row. */
static void degenerate_matrices(void **state)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {5, 5}, {1, 1}};
    static const double row[] = {0, 4, 0, 5, 6};
    static const char *const names[] = {
        "coo", "ell", "ell:layout=rows,pad=sentinel", "hyb", "hyb:k=3", "hyb:rule=third", "hyb:rule=share"};
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t n = 0; n < COUNT(names); n++) {
            struct csr a = support_matrix(sizes[s][0], sizes[s][1], 0, false, false, 1);
            struct storage storage = stored(names[n], &a);
            assert_int_equal(storage_slots(&storage), 0);
            if (storage.format->shape) assert_int_equal(storage.format->shape(&storage).wide, 0);
            storage_free(&storage);
            csr_free(&a);
        }
    struct csr a = support_dense(1, 5, row);
    struct storage ell = stored("ell", &a);
    stored_expect(&ell, "col", "1 3 4");
    stored_expect(&ell, "val", "4 5 6");
    storage_free(&ell);
    csr_free(&a);
}

static void faults_are_named(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage ell = stored("ell:layout=rows", &a), sentinel = stored("ell:layout=rows,pad=sentinel", &a);
    int32_t *col = ell.array[ELL_COL].data, *marked = sentinel.array[ELL_COL].data;
    double *val = ell.array[ELL_VAL].data;
    col[6] = 4, stored_refused(&ell, "col[6] = 4 lies out of range");
    col[6] = -1, stored_refused(&ell, "col[6] = -1 lies out of range");
    col[6] = 1, col[1] = 0, stored_refused(&ell, "col[1] = 0 is not beyond the one before");
    col[1] = 2, col[11] = 0, stored_refused(&ell, "col[11] = 0 is not what padding has here");
    col[11] = 3, col[3] = 1, stored_refused(&ell, "col[3] = 1 is not what padding has here");
    col[3] = 0, val[0] = 0, val[2] = 9, stored_refused(&ell, "val[1] = 1 comes after padding");
    marked[3] = 0, stored_refused(&sentinel, "col[3] = 0 is not what padding has here");
    marked[3] = -1, marked[0] = -1, stored_refused(&sentinel, "col[0] = -1 lies out of range");
    storage_free(&ell);
    storage_free(&sentinel);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    a.val[0] = 0; /* kept */
    stored_sweep("ell", &a);
    stored_sweep("ell:layout=rows,pad=sentinel", &a);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_book_s_ell),
        cmocka_unit_test(padding_has_its_column),
        cmocka_unit_test(the_book_s_exercise),
        cmocka_unit_test(the_course_s_example),
        cmocka_unit_test(sentinels_by_rows),
        cmocka_unit_test(transposed_is_not_of_the_transpose),
        cmocka_unit_test(transposed_is_the_transposition),
        cmocka_unit_test(integers_in_m_z_and_k),
        cmocka_unit_test(numbers_of_a_1024_x_1024_matrix),
        cmocka_unit_test(one_long_row_pads_all),
        cmocka_unit_test(large_storages_are_refused),
        cmocka_unit_test(the_picture_is_the_rectangle),
        cmocka_unit_test(zeros_are_kept),
        cmocka_unit_test(wide_offsets_hold_the_same),
        cmocka_unit_test(degenerate_matrices),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
