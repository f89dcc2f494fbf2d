/* formats/csr and formats/coo: the book's examples, and any order of the entries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/array.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "support/stored.h"
#include "support/support.h"

/* PMPP, figure 10.2. */
static void the_book_s_csr(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage csr = stored("csr", &a);
    stored_expect(&csr, "row_ptr", "0 2 2 5 7");
    stored_expect(&csr, "col", "0 2 1 2 3 0 3");
    stored_expect(&csr, "val", "3 1 2 4 1 1 1");
    storage_free(&csr);
    csr_free(&a);
}

/* PMPP, figure 10.11. */
static void the_book_s_coo(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage coo = stored("coo", &a);
    stored_expect(&coo, "row", "0 0 2 2 2 3 3");
    stored_expect(&coo, "col", "0 2 1 2 3 0 3");
    stored_expect(&coo, "val", "3 1 2 4 1 1 1");
    for (int e = 1; e < 7; e++)
        for (int q = 0; q < 3; q++)
            assert_int_equal(coo.format->rule(&coo, q, e), e == 2 || e == 5 ? RULE_MINOR : RULE_NONE);
    assert_null(coo.format->shape);
    storage_free(&coo);
    csr_free(&a);
}

/* PMPP, exercise 3 of chapter 10: its matrix in CSR and COO. */
static void the_book_s_exercise(void **state)
{
    static const double dense[] = {1, 0, 7, 0, 0, 0, 8, 0, 0, 4, 3, 0, 2, 0, 0, 1};
    struct csr a = support_dense(4, 4, dense);
    struct storage csr = stored("csr", &a), coo = stored("coo", &a);
    stored_expect(&csr, "row_ptr", "0 2 3 5 7");
    stored_expect(&coo, "row", "0 0 1 2 2 3 3");
    for (int k = 0; k < 2; k++) {
        stored_expect(k ? &csr : &coo, "col", "0 2 2 1 2 0 3");
        stored_expect(k ? &csr : &coo, "val", "1 7 8 4 3 2 1");
    }
    storage_free(&csr);
    storage_free(&coo);
    csr_free(&a);
}

/* Offsets counted from 1, as others print them: one more than ours. Nine entries end in 10. */
static void offsets_from_one(void **state)
{
    static const double nine[] = {11, 12, 0, 0, 0,  0,  22, 23, 0, 0, 0, 0, 33,
                                  0,  0,  0, 0, 43, 44, 0,  51, 0, 0, 0, 55};
    struct csr a = support_dense(5, 5, nine), b = stored_matrix("course.mtx");
    struct storage offsets = stored("csr", &a), course = stored("csr", &b);
    static const int64_t last = 10, irp[] = {1, 3, 5, 6, 8};
    assert_int_equal(array_integer(&offsets.array[CSR_ROW_PTR], 5) + 1, last);
    for (int i = 0; i < 5; i++)
        assert_int_equal(array_integer(&course.array[CSR_ROW_PTR], i) + 1, irp[i]);
    stored_expect(&offsets, "row_ptr", "0 2 4 5 7 9");
    stored_expect(&course, "col", "0 1 1 2 2 2 3");
    storage_free(&offsets);
    storage_free(&course);
    csr_free(&a);
    csr_free(&b);
}

/* Every entry of the matrix is met exactly once, where locate says. */
static void check_order(const char *format, const struct csr *a, int64_t *moved)
{
    struct storage coo = stored(format, a);
    int64_t nnz = csr_nnz(a);
    const int32_t *row = coo.array[COO_ROW].data, *col = coo.array[COO_COL].data;
    const double *val = coo.array[COO_VAL].data;
    uint8_t *seen = test_calloc((size_t)nnz + 1, 1);
    *moved = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int part = -1;
            int64_t e = coo.format->locate(&coo, a, i, k, &part);
            assert_int_equal(part, 0);
            assert_in_range(e, 0, nnz - 1);
            assert_int_equal(seen[e]++, 0);
            assert_int_equal(row[e], i);
            assert_int_equal(col[e], a->col[k]);
            assert_true(val[e] == a->val[k]);
            *moved += e != k;
        }
    for (int64_t e = 1; e < nnz && *moved; e++)
        assert_int_equal(coo.format->rule(&coo, COO_VAL, e), RULE_NONE);
    test_free(seen);
    storage_free(&coo);
}

/* PMPP, figure 10.12: the triples of figure 10.11 in another order. */
static void any_order_holds_the_same_triples(void **state)
{
    static const char *const matrices[] = {"pmpp.mtx", "powerlaw.mtx.gz", "arrow.mtx.gz",
                                           "permutation.mtx.gz"};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        struct csr a = stored_matrix(matrices[k]);
        int64_t moved;
        check_order("coo", &a, &moved);
        assert_int_equal(moved, 0);
        check_order("coo:order=random", &a, &moved);
        assert_true(moved > csr_nnz(&a) / 2);
        csr_free(&a);
    }
}

static void the_seed_decides_the_order(void **state)
{
    struct csr a = stored_matrix("banded.mtx.gz");
    struct storage one = stored("coo:order=random", &a), same = stored("coo:order=random,seed=1", &a),
                   other = stored("coo:order=random,seed=2", &a);
    size_t bytes = (size_t)csr_nnz(&a) * sizeof(int32_t);
    assert_memory_equal(one.array[COO_COL].data, same.array[COO_COL].data, bytes);
    assert_memory_not_equal(one.array[COO_COL].data, other.array[COO_COL].data, bytes);
    storage_free(&one);
    storage_free(&same);
    storage_free(&other);
    csr_free(&a);
}

static void faults_are_named(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage coo = stored("coo", &a), mixed = stored("coo:order=random", &a);
    int32_t *row = coo.array[COO_ROW].data, *col = coo.array[COO_COL].data;
    row[2] = 4, stored_refused(&coo, "row[2] = 4 lies out of range");
    row[2] = -1, stored_refused(&coo, "row[2] = -1 lies out of range");
    row[2] = 2, row[5] = 1, stored_refused(&coo, "row[5] = 1 is less than the one before");
    row[5] = 3, col[6] = 4, stored_refused(&coo, "col[6] = 4 lies out of range");
    col[6] = 0, stored_refused(&coo, "col[6] = 0 is not beyond the one before");
    ((int32_t *)mixed.array[COO_COL].data)[0] = -1, stored_refused(&mixed, "col[0] = -1 lies out of range");
    storage_free(&coo);
    storage_free(&mixed);
    csr_free(&a);
}

/* The values are the same with 64-bit and 32-bit offsets. */
static void wide_offsets_hold_the_same(void **state)
{
    const struct storing wide = {.wide = true};
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage csr = stored_with("csr", &wide, &a), coo = stored_with("coo", &wide, &a);
    assert_int_equal(csr.array[CSR_ROW_PTR].element, ELEMENT_I64);
    assert_int_equal(csr.array[CSR_COL].element, ELEMENT_I32);
    assert_int_equal(coo.array[COO_ROW].element, ELEMENT_I32);
    stored_expect(&csr, "row_ptr", "0 2 2 5 7");
    stored_expect(&coo, "row", "0 0 2 2 2 3 3");
    storage_free(&csr);
    storage_free(&coo);
    csr_free(&a);
}

/* 0.1 in single precision is 0.100000001490116..., and complex values are pairs. */
static void values_are_rounded_and_paired(void **state)
{
    const struct storing single = {.precision = PRECISION_F32};
    int64_t row_ptr[] = {0, 2};
    int32_t col[] = {0, 1};
    double val[] = {0.1, -2}, imaginary[] = {0, 0.5};
    struct csr a = {.rows = 1, .cols = 2, .row_ptr = row_ptr, .col = col, .val = val, .imaginary = imaginary};
    struct storage c32 = stored_with("coo", &single, &a), c64 = stored("coo", &a);
    const float *pairs = c32.array[COO_VAL].data;
    const double *wide = c64.array[COO_VAL].data;
    assert_int_equal(c32.array[COO_VAL].element, ELEMENT_C32);
    assert_true(pairs[0] == 0x1.99999ap-4f && pairs[1] == 0 && pairs[2] == -2 && pairs[3] == 0.5f);
    assert_true(wide[0] == 0.1 && wide[1] == 0 && wide[2] == -2 && wide[3] == 0.5);
    storage_free(&c32);
    storage_free(&c64);
    a.imaginary = NULL;
    struct storage f32 = stored_with("csr", &single, &a);
    assert_true(((const float *)f32.array[CSR_VAL].data)[0] == 0x1.99999ap-4f);
    stored_expect(&f32, "val", "0.1 -2");
    storage_free(&f32);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    stored_sweep("csr", &a);
    stored_sweep("coo", &a);
    stored_sweep("coo:order=random,seed=3", &a);
    csr_free(&a);
}

/* A storage with two entries at one position is refused, whether or not it is checked first. */
static void a_place_that_is_stored_twice_is_refused(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx"), back;
    struct storage coo = stored("coo", &a);
    struct error error = {0};
    int32_t *row = coo.array[COO_ROW].data, *col = coo.array[COO_COL].data;
    row[1] = row[0];
    col[1] = col[0];
    assert_int_equal(storage_unpack(&coo, NULL, &back, &error), STATUS_INPUT);
    assert_string_equal(error.message, "coo: a position of the matrix is stored twice");
    assert_null(back.row_ptr);
    storage_free(&coo);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_book_s_csr),
        cmocka_unit_test(the_book_s_coo),
        cmocka_unit_test(the_book_s_exercise),
        cmocka_unit_test(offsets_from_one),
        cmocka_unit_test(any_order_holds_the_same_triples),
        cmocka_unit_test(the_seed_decides_the_order),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(wide_offsets_hold_the_same),
        cmocka_unit_test(values_are_rounded_and_paired),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_place_that_is_stored_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
