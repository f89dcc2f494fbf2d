/* The distinct values, and each value's index, compared with a loop over all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/unique.h"
#include "support/kernels.h"
#include "support/support.h"

static uint64_t bits_at(const struct array *array, int64_t e)
{
    const size_t size = element_size(array->element);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array->data + (size_t)e * size, size);
    return bits;
}

/* Every index leads to the bits of its value; these ascend, and each of them occurs. */
static void expect_told(const struct array *array, int count)
{
    struct unique unique;
    bool seen[UNIQUE_MAX] = {false};
    assert_int_equal(unique_make(array, 0, &unique, NULL), STATUS_OK);
    assert_int_equal(unique.count, count);
    const struct array table = {.element = array->element, .data = unique.value, .length = count};
    for (int k = 1; k < count; k++)
        assert_true(bits_at(&table, k - 1) < bits_at(&table, k));
    for (int64_t e = 0; e < array->length; e++) {
        assert_true(unique.index[e] < count);
        assert_true(bits_at(&table, unique.index[e]) == bits_at(array, e));
        seen[unique.index[e]] = true;
    }
    for (int k = 0; k < count; k++)
        assert_true(seen[k]);
    unique_free(&unique);
}

static void expect_many(const struct array *array)
{
    struct unique unique;
    assert_int_equal(unique_make(array, 0, &unique, NULL), STATUS_OK);
    assert_int_equal(unique.count, -1);
    assert_null(unique.value);
    assert_null(unique.index);
}

static void values_are_told_by_their_bits(void **state)
{
    double some[] = {1, -0.0, 0.0, NAN, 1, -NAN, INFINITY, 5e-324, 0.0, 1};
    float single[] = {1, 1.0F + 0x1p-23F, -1, 1, -0.0F, 0};
    uint64_t all_ones = ~(uint64_t)0;
    memcpy(&some[6], &all_ones, sizeof all_ones);
    expect_told(&(struct array){.element = ELEMENT_F64, .data = some, .length = 10}, 7);
    expect_told(&(struct array){.element = ELEMENT_F32, .data = single, .length = 6}, 5);
    expect_told(&(struct array){.element = ELEMENT_F64, .data = some, .length = 1}, 1);
}

/* Values with different bits have separate entries in the table, also if they appear late and in the parts of
 * several threads. */
static void a_byte_tells_256_apart(void **state)
{
    enum { LENGTH = 400000 };
    double *value = malloc(LENGTH * sizeof *value);
    assert_non_null(value);
    for (int threads = 1; threads <= 3; threads++) {
        threads_set(threads);
        for (int shift = 0; shift <= 56; shift += 7) {
            for (int e = 0; e < LENGTH; e++) {
                uint64_t bits = (uint64_t)(e < 200000 ? e % 16 : e * 7 % 256) << shift;
                memcpy(&value[e], &bits, sizeof bits);
            }
            expect_told(&(struct array){.element = ELEMENT_F64, .data = value, .length = LENGTH}, 256);
            value[LENGTH - 1] = 3.25;
            expect_many(&(struct array){.element = ELEMENT_F64, .data = value, .length = LENGTH});
        }
    }
    threads_set(0);
    free(value);
}

static void nothing_is_told_of_what_is_not_there(void **state)
{
    struct unique unique;
    double value[4] = {1, 2, 3, 4};
    const struct array none[] = {{.element = ELEMENT_F64, .length = 4},
                                 {.element = ELEMENT_F64, .data = value},
                                 {.element = ELEMENT_C64, .data = value, .length = 2}};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(unique_make(&none[k], 0, &unique, NULL), STATUS_OK);
        assert_int_equal(unique.count, 0);
        assert_null(unique.index);
    }
    const struct array four = {.element = ELEMENT_F64, .data = value, .length = 4};
    struct error error = {0};
    assert_int_equal(unique_make(&four, 3, &unique, &error), STATUS_LIMIT);
    assert_null(unique.index);
    assert_int_equal(unique_make(&four, 4, &unique, NULL), STATUS_OK);
    unique_free(&unique);
}

/* Values that differ in double precision can be equal in single precision. */
static void a_matrix_has_few_values_or_many(void **state)
{
    struct csr a = support_rows(300, support_few);
    const int64_t nnz = a.row_ptr[a.rows];
    assert_true(nnz > 0);
    for (int64_t k = 0; k < nnz; k++)
        a.val[k] = 1;
    assert_true(unique_few(&a, false));
    csr_free(&a);
    a = support_rows(300, support_lengths[0]);
    assert_true(a.row_ptr[a.rows] > 1000);
    for (int64_t k = 0; k < a.row_ptr[a.rows]; k++)
        a.val[k] = 1 + (double)k * 0x1p-50;
    assert_false(unique_few(&a, false));
    assert_true(unique_few(&a, true));
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    double value[4] = {1, 2, 2, 1};
    const struct array four = {.element = ELEMENT_F64, .data = value, .length = 4};
    int failed = 0;
    for (int n = 0; n < 10; n++) {
        struct unique unique;
        struct error error = {0};
        memory_fail_after(n);
        enum status status = unique_make(&four, 0, &unique, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            unique_free(&unique);
            break;
        }
        assert_int_equal(status, STATUS_MEMORY);
        assert_null(unique.index);
        failed++;
    }
    assert_int_equal(failed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_told_by_their_bits),
        cmocka_unit_test(a_byte_tells_256_apart),
        cmocka_unit_test(nothing_is_told_of_what_is_not_there),
        cmocka_unit_test(a_matrix_has_few_values_or_many),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
