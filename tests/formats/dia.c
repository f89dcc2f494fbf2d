/* formats/dia: diagonals aligned by rows, against SciPy's and closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/dia.h"
#include "support/stored.h"
#include "support/support.h"

/* scipy.sparse.dia_matrix of these, with data[d, i + offset] moved to [d, i] and offsets sorted. */
static const double wide[] = {1, 0, 0, 2, 0, 0, 3, 0, 4, 0, 0, 5, 0, 0, 0, 0, 6, 0, 0, 7, 0};
static const double tall[] = {1, 0, 0, 0, 4, 0, 0, 0, 6, 2, 0, 0, 0, 5, 0, 0, 0, 7, 3, 0, 0};

static void expect_dia(struct csr a, const char *offsets, const char *val)
{
    struct storage dia = stored("dia", &a);
    stored_expect(&dia, "offsets", offsets);
    stored_expect(&dia, "val", val);
    struct format_size size = storage_size(&dia);
    int64_t diagonals = stored_array(&dia, "offsets")->length;
    assert_int_equal(size.slots, diagonals * a.rows);
    assert_int_equal(size.integers, diagonals);
    assert_int_equal(size.bytes, diagonals * (4 + 8 * a.rows));
    storage_free(&dia);
    csr_free(&a);
}

static void diagonals_equal_those_of_scipy(void **state)
{
    expect_dia(stored_matrix("tests/support/strips.mtx"), "-3 -1 0 1 3",
               "* * * 7 10  * * * 8 *  1 3 6 9 11  * 4 * * *  2 5 * * *");
    expect_dia(support_dense(3, 7, wide), "0 3 6", "1 4 6  2 5 7  3 * *");
    expect_dia(support_dense(7, 3, tall), "-6 -3 0", "* * * * * * 3  * * * 2 5 7 *  1 4 6 * * * *");
}

/* Value d of diagonals -1, 0, 1 of an m x n matrix where it has them: 2 on the main one, -1 beside it. */
static void tridiagonal_matrices(void **state)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 2}, {50, 50}, {20, 60}, {60, 20}, {700, 700}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        int64_t rows = sizes[n][0], cols = sizes[n][1];
        double *dense = calloc((size_t)(rows * cols), sizeof *dense);
        assert_non_null(dense);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = i - 1; j <= i + 1; j++)
                if (j >= 0 && j < cols) dense[i * cols + j] = i == j ? 2 : -1;
        struct csr a = support_dense(rows, cols, dense);
        struct storage dia = stored("dia", &a);
        int64_t min = rows > 1 ? -1 : 0, max = cols > 1 ? 1 : 0, diagonals = max - min + 1;
        assert_int_equal(dia.number[DIA_DIAGONALS], diagonals);
        const double *val = dia.array[DIA_VAL].data;
        for (int64_t d = 0; d < diagonals; d++) {
            assert_int_equal(array_integer(&dia.array[DIA_OFFSETS], d), min + d);
            for (int64_t i = 0; i < rows; i++) {
                int64_t j = i + min + d;
                double expected = j < 0 || j >= cols ? 0 : j == i ? 2 : -1;
                assert_true(val[d * rows + i] == expected);
                struct place place = dia.format->place(&dia, 0, d * rows + i);
                bool inside = j >= 0 && j < cols;
                assert_true(place.row == (inside ? i : -1) && place.col == (inside ? j : -1));
            }
        }
        storage_free(&dia);
        csr_free(&a);
        free(dense);
    }
}

/* A full matrix has all m + n - 1 diagonals. One column or row: as many as entries. */
static void full_matrices_have_all_diagonals(void **state)
{
    static const int64_t sizes[][2] = {{1, 40}, {40, 1}, {13, 29}, {29, 13}, {300, 280}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        int64_t rows = sizes[n][0], cols = sizes[n][1];
        double *dense = malloc((size_t)(rows * cols) * sizeof *dense);
        assert_non_null(dense);
        for (int64_t k = 0; k < rows * cols; k++)
            dense[k] = (double)k + 1;
        struct csr a = support_dense(rows, cols, dense);
        struct storage dia = stored("dia", &a);
        assert_int_equal(dia.number[DIA_DIAGONALS], rows + cols - 1);
        assert_int_equal(storage_slots(&dia), (rows + cols - 1) * rows);
        const double *val = dia.array[DIA_VAL].data;
        for (int64_t d = 0; d < rows + cols - 1; d++)
            for (int64_t i = 0; i < rows; i++) {
                int64_t j = i + d - (rows - 1);
                assert_true(val[d * rows + i] == (j >= 0 && j < cols ? dense[i * cols + j] : 0));
            }
        storage_free(&dia);
        csr_free(&a);
        free(dense);
    }
}

/* The questions of the screen, for the wide matrix above, whose diagonals are 1 4 6, 2 5 7 and 3 with two
 * positions beyond the matrix. */
static void diagonals_are_ruled_off(void **state)
{
    struct csr a = support_dense(3, 7, wide);
    struct storage dia = stored("dia", &a);
    const struct format *format = dia.format;
    for (int64_t e = 1; e < 9; e++)
        assert_int_equal(format->rule(&dia, DIA_VAL, e), e % 3 ? RULE_NONE : RULE_MINOR);
    assert_int_equal(format->rule(&dia, DIA_OFFSETS, 1), RULE_NONE);
    struct shape shape = format->shape(&dia);
    assert_true(shape.lines == 3 && shape.wide == 3);
    int64_t line, c;
    struct spot spot = storage_spot(&dia, &a, (struct place){1, 4}, 4); /* the 5 */
    assert_int_equal(spot.slot, 4);
    format->find(&dia, &spot, &line, &c);
    assert_true(line == 1 && c == 1 && format->cell(&dia, 1, 1) == 4);
    assert_int_equal(format->label(&dia, 1), 3);
    assert_true(format->touch(&dia, DIA_OFFSETS, &spot).first == 1);
    assert_true(format->leads(&dia, DIA_OFFSETS, 2).row == 0 && format->leads(&dia, DIA_OFFSETS, 2).col == 6);
    /* No entry, on a diagonal that is stored, then on one that is not. */
    spot = storage_spot(&dia, &a, (struct place){0, 1}, -1);
    assert_true(format->touch(&dia, DIA_OFFSETS, &spot).end == 0);
    format->find(&dia, &spot, &line, &c);
    assert_true(line == -1 && c == -1);
    spot = storage_spot(&dia, &a, (struct place){2, 5}, -1);
    assert_true(format->touch(&dia, DIA_OFFSETS, &spot).end == 2);
    format->find(&dia, &spot, &line, &c);
    assert_true(line == 1 && c == -1);
    storage_free(&dia);
    csr_free(&a);

    a = support_dense(7, 3, tall);
    dia = stored("dia", &a);
    assert_true(format->leads(&dia, DIA_OFFSETS, 0).row == 6 && format->leads(&dia, DIA_OFFSETS, 0).col == 0);
    assert_int_equal(format->label(&dia, 0), -6);
    storage_free(&dia);
    csr_free(&a);
}

static void empty_matrices_have_no_diagonals(void **state)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 9}, {9, 0}, {40, 30}};
    for (int n = 0; n < 4; n++)
        expect_dia(support_matrix(sizes[n][0], sizes[n][1], 0, false, false, 1), "", "");
}

/* A zero that is an entry, and one that is not, on the same diagonal. */
static void zeros_that_are_entries_stay(void **state)
{
    int64_t row_ptr[] = {0, 1, 2, 2, 3};
    int32_t col[] = {0, 1, 3};
    double val[] = {5, 0, 7};
    struct csr a = {.rows = 4, .cols = 4, .row_ptr = row_ptr, .col = col, .val = val}, back;
    struct storage dia = stored("dia", &a);
    stored_expect(&dia, "val", "5 0 * 7");
    assert_false(storage_padding(&dia, 0, 1));
    assert_int_equal(storage_unpack(&dia, NULL, &back, NULL), STATUS_OK);
    assert_memory_equal(back.row_ptr, row_ptr, sizeof row_ptr);
    assert_memory_equal(back.val, val, sizeof val);
    csr_free(&back);
    storage_free(&dia);
}

/* Values of every kind, and more rows than are filled together. */
static void other_values_and_many_rows(void **state)
{
    threads_set(3);
    for (int way = 0; way < 4; way++) {
        struct csr a = support_matrix(900, 60, 0.04, false, way & 1, 5), back;
        const struct storing options = {.precision = way & 2 ? PRECISION_F32 : PRECISION_F64, .wide = true};
        struct storage dia = stored_with("dia", &options, &a);
        assert_int_equal(storage_unpack(&dia, NULL, &back, NULL), STATUS_OK);
        assert_int_equal(csr_nnz(&back), csr_nnz(&a));
        assert_memory_equal(back.col, a.col, (size_t)csr_nnz(&a) * sizeof *a.col);
        for (int64_t k = 0; k < csr_nnz(&a); k++)
            assert_true(back.val[k] == a.val[k] && (!a.imaginary || back.imaginary[k] == a.imaginary[k]));
        csr_free(&back);
        storage_free(&dia);
        csr_free(&a);
    }
    threads_set(0);
}

/* An anti-diagonal has as many diagonals as rows, and is refused before anything is allocated. */
static void too_many_diagonals_are_refused(void **state)
{
    const int64_t n = 300000;
    const struct storing options = {.limit = (size_t)1 << 30};
    struct csr a = {.rows = n, .cols = n};
    const char *message;
    a.row_ptr = malloc((size_t)(n + 1) * sizeof *a.row_ptr);
    a.col = malloc((size_t)n * sizeof *a.col);
    a.val = calloc((size_t)n, sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i <= n; i++)
        a.row_ptr[i] = i;
    for (int64_t i = 0; i < n; i++)
        a.col[i] = (int32_t)(n - 1 - i);
    assert_int_equal(stored_status("dia", &options, &a, &message), STATUS_LIMIT);
    assert_non_null(strstr(message, "padding factor being 3e+05"));
    csr_free(&a);
}

static void expect_fault(const struct storage *dia, const char *expected)
{
    struct error error = {0};
    assert_int_equal(storage_validate(dia, &error), STATUS_INPUT);
    if (!strstr(error.message, expected)) fail_msg("'%s' lacks '%s'", error.message, expected);
}

static void damage_is_named(void **state)
{
    struct csr a = support_dense(3, 7, wide);
    struct storage dia = stored("dia", &a);
    int32_t *offsets = dia.array[DIA_OFFSETS].data;
    offsets[0] = -3, expect_fault(&dia, "offsets[0] = -3 lies out of range"), offsets[0] = 0;
    offsets[2] = 7, expect_fault(&dia, "offsets[2] = 7 lies out of range"), offsets[2] = 6;
    offsets[1] = 6, expect_fault(&dia, "offsets[2] = 6 is not more"), offsets[1] = 3;
    assert_int_equal(storage_validate(&dia, NULL), STATUS_OK);
    storage_free(&dia);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = support_matrix(70, 50, 0.2, true, false, 8);
    stored_sweep("dia", &a);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonals_equal_those_of_scipy),
        cmocka_unit_test(tridiagonal_matrices),
        cmocka_unit_test(full_matrices_have_all_diagonals),
        cmocka_unit_test(diagonals_are_ruled_off),
        cmocka_unit_test(empty_matrices_have_no_diagonals),
        cmocka_unit_test(zeros_that_are_entries_stay),
        cmocka_unit_test(other_values_and_many_rows),
        cmocka_unit_test(too_many_diagonals_are_refused),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
