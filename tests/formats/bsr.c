/* formats/bsr: blocks against SciPy's, and the size that takes the fewest bytes by brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "support/stored.h"
#include "support/support.h"

static const double wide[] = {1, 0, 0, 2, 0, 0, 3, 0, 4, 0, 0, 5, 0, 0, 0, 0, 6, 0, 0, 7, 0};
static const double tall[] = {1, 0, 0, 0, 4, 0, 0, 0, 6, 2, 0, 0, 0, 5, 0, 0, 0, 7, 3, 0, 0};

enum { STRIPS, WIDE, TALL };

/* The result of scipy.sparse tobsr, with zeros appended until the size divides rows and columns; its zeros
 * are written as *. Trailing ones are left out here. */
static const struct {
    int matrix;
    int size;
    const char *row_ptr, *col, *val;
} cases[] = {
    {STRIPS, 2, "0 3 5 7", "0 1 2 0 1 0 2", "1 * * 3 * 2 4 * * * 5 * * * 7 * 6 * 8 9 * 10 * * 11"},
    {STRIPS, 3, "0 2 4", "0 1 0 1", "1 * * * 3 4 * * 6 2 * * * 5 * * * * 7 * 8 * 10 * * * * 9 * * * 11"},
    {STRIPS, 4, "0 2 4", "0 1 0 1",
     "1 * * 2 * 3 4 * * * 6 * 7 * 8 9 * * * * 5 * * * * * * * * * * * * 10 * * * * * * * * * * * * * * 11"},
    {STRIPS, 5, "0 1", "0", "1 * * 2 * * 3 4 * 5 * * 6 * * 7 * 8 9 * * 10 * * 11"},
    {STRIPS, 6, "0 1", "0", "1 * * 2 * * * 3 4 * 5 * * * 6 * * * 7 * 8 9 * * * 10 * * 11"},
    {STRIPS, 7, "0 1", "0", "1 * * 2 * * * * 3 4 * 5 * * * * 6 * * * * 7 * 8 9 * * * * 10 * * 11"},
    {STRIPS, 8, "0 1", "0", "1 * * 2 * * * * * 3 4 * 5 * * * * * 6 * * * * * 7 * 8 9 * * * * * 10 * * 11"},
    {WIDE, 2, "0 4 6", "0 1 2 3 1 2", "1 * * 4 * 2 * * * * 5 * 3 * * * 6 * * * * 7"},
    {WIDE, 3, "0 3", "0 1 2", "1 * * * 4 * * * 6 2 * * * 5 * * * 7 3"},
    {WIDE, 4, "0 2", "0 1", "1 * * 2 * 4 * * * * 6 * * * * * * * 3 * 5 * * * * 7"},
    {WIDE, 6, "0 2", "0 1", "1 * * 2 * * * 4 * * 5 * * * 6 * * 7 * * * * * * * * * * * * * * * * * * 3"},
    {TALL, 2, "0 1 3 5 6", "0 0 1 0 1 0", "1 * * 4 * * 2 * 6 * * * * 5 * * * * 7 * 3"},
    {TALL, 3, "0 1 2 3", "0 0 0", "1 * * * 4 * * * 6 2 * * * 5 * * * 7 3"},
    {TALL, 4, "0 1 2", "0 0", "1 * * * * 4 * * * * 6 * 2 * * * * 5 * * * * 7 * 3"},
};

static struct csr matrix_of(int matrix)
{
    if (matrix == STRIPS) return stored_matrix("tests/support/strips.mtx");
    return matrix == WIDE ? support_dense(3, 7, wide) : support_dense(7, 3, tall);
}

/* The text with a * for each element that is left out of `slots`. */
static void complete(char *text, size_t size, const char *val, int64_t slots)
{
    int64_t given = 1;
    for (const char *at = val; *at; at++)
        given += *at == ' ';
    size_t length = (size_t)snprintf(text, size, "%s", val);
    for (; given < slots; given++)
        length += (size_t)snprintf(text + length, size - length, " *");
}

static void blocks_equal_those_of_scipy(void **state)
{
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct csr a = matrix_of(cases[n].matrix);
        char format[20], val[600];
        int64_t area = cases[n].size * cases[n].size;
        snprintf(format, sizeof format, "bsr:size=%d", cases[n].size);
        struct storage bsr = stored(format, &a);
        int64_t blocks = stored_array(&bsr, "col")->length;
        complete(val, sizeof val, cases[n].val, blocks * area);
        stored_expect(&bsr, "row_ptr", cases[n].row_ptr);
        stored_expect(&bsr, "col", cases[n].col);
        stored_expect(&bsr, "val", val);
        struct format_size size = storage_size(&bsr);
        int64_t pointers = stored_array(&bsr, "row_ptr")->length;
        assert_int_equal(size.slots, blocks * area);
        assert_int_equal(size.integers, pointers + blocks);
        assert_int_equal(size.bytes, 4 * (pointers + blocks) + 8 * blocks * area);
        storage_free(&bsr);
        csr_free(&a);
    }
}

/* Blocks with an entry, marked one by one. */
static int64_t blocks_with_entries(const struct csr *a, int64_t size)
{
    int64_t across = (a->cols + size - 1) / size, down = (a->rows + size - 1) / size, blocks = 0;
    unsigned char *marks = calloc((size_t)(across * down + 1), 1);
    assert_non_null(marks);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            unsigned char *mark = &marks[i / size * across + a->col[k] / size];
            blocks += !*mark;
            *mark = 1;
        }
    free(marks);
    return blocks;
}

static void expect_smallest(const struct csr *a, const struct storing *options, int value)
{
    int64_t best = INT64_MAX, chosen = 0, offset = options->wide ? 8 : 4;
    struct storage bsr = stored_with("bsr", options, a);
    for (int64_t size = 2; size <= 8; size++) {
        int64_t blocks = blocks_with_entries(a, size);
        int64_t bytes = ((a->rows + size - 1) / size + 1) * offset + blocks * (4 + size * size * value);
        if (bytes < best) best = bytes, chosen = size;
    }
    assert_int_equal(bsr.number[BSR_SIZE], chosen);
    assert_int_equal(storage_size(&bsr).bytes, best);
    storage_free(&bsr);
}

/* The chosen size takes the fewest bytes, for any number of threads. Planning abandons hopeless sizes at
 * moments that depend on the threads. */
static void the_size_takes_the_fewest_bytes(void **state)
{
    static const char *const names[] = {"blocks.mtx.gz",
                                        "stencil27.mtx.gz",
                                        "powerlaw.mtx.gz",
                                        "demo.mtx.gz",
                                        "gen:blocks,n=3000,size=5",
                                        "banded.mtx.gz",
                                        "pmpp.mtx",
                                        "gen:blocks,n=16000,size=7",
                                        "gen:blocks,size=8,mean=2",
                                        "gen:random,m=300,n=9000,mean=2"};
    static const struct storing ways[] = {
        {0}, {.precision = PRECISION_F32}, {.wide = true}, {.precision = PRECISION_F32, .wide = true}};
    int64_t sizes = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct csr a = stored_matrix(names[n]);
        struct storage bsr = stored("bsr", &a);
        sizes |= (int64_t)1 << bsr.number[BSR_SIZE];
        storage_free(&bsr);
        for (int way = 0; way < 4; way++) {
            threads_set(1 + way % 3);
            expect_smallest(&a, &ways[way], way % 2 ? 4 : 8);
        }
        csr_free(&a);
    }
    threads_set(0);
    assert_true(sizes & 1 << 2 && sizes & 1 << 5 && sizes & 1 << 7 && sizes & 1 << 8);
}

/* The chosen size is in the name, and can be requested. */
static void the_size_is_told(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    char name[CHOICE_NAME];
    struct storage bsr = stored("bsr", &a);
    assert_string_equal(storage_name(&bsr, name, sizeof name), "bsr:size=4");
    storage_free(&bsr);
    csr_free(&a);
}

/* The questions of the screen, for the wide matrix in blocks of 2: four blocks above two, the last row and
 * column beyond the matrix. */
static void blocks_are_ruled_off(void **state)
{
    struct csr a = support_dense(3, 7, wide);
    struct storage bsr = stored("bsr:size=2", &a);
    const struct format *format = bsr.format;
    for (int64_t e = 1; e < 24; e++)
        assert_int_equal(format->rule(&bsr, BSR_VAL, e), e == 16      ? RULE_MAJOR
                                                         : e % 4 == 0 ? RULE_MINOR
                                                                      : RULE_NONE);
    for (int64_t k = 1; k < 6; k++)
        assert_int_equal(format->rule(&bsr, BSR_COL, k), k == 4 ? RULE_MAJOR : RULE_NONE);
    assert_int_equal(format->rule(&bsr, BSR_ROW_PTR, 1), RULE_NONE);
    struct shape shape = format->shape(&bsr);
    assert_true(shape.lines == 4 && shape.wide == 8);
    int64_t line, c;
    struct spot spot = storage_spot(&bsr, &a, (struct place){1, 4}, 4); /* the 5, in the third block */
    assert_int_equal(spot.slot, 10);
    format->find(&bsr, &spot, &line, &c);
    assert_true(line == 1 && c == 4 && format->cell(&bsr, 1, 4) == 10);
    assert_true(format->touch(&bsr, BSR_ROW_PTR, &spot).first == 0);
    assert_true(format->touch(&bsr, BSR_ROW_PTR, &spot).end == 2);
    assert_true(format->touch(&bsr, BSR_COL, &spot).first == 2 &&
                format->touch(&bsr, BSR_COL, &spot).end == 3);
    assert_int_equal(format->cell(&bsr, 2, 3), 21);
    assert_int_equal(format->cell(&bsr, 2, 4), -1);
    struct place place = format->leads(&bsr, BSR_COL, 5);
    assert_true(place.row == 2 && place.col == 4);
    assert_int_equal(format->leads(&bsr, BSR_ROW_PTR, 1).row, 2);
    assert_int_equal(format->leads(&bsr, BSR_ROW_PTR, 2).row, -1);
    /* No entry: within a block, and where there is none. */
    spot = storage_spot(&bsr, &a, (struct place){0, 1}, -1);
    assert_true(format->touch(&bsr, BSR_COL, &spot).first == 0 &&
                format->touch(&bsr, BSR_COL, &spot).end == 1);
    spot = storage_spot(&bsr, &a, (struct place){2, 0}, -1);
    assert_int_equal(format->touch(&bsr, BSR_COL, &spot).end, 0);
    /* Column 7 and row 3 lie outside the matrix. */
    assert_true(format->place(&bsr, 0, 13).row == -1 && format->place(&bsr, 0, 13).col == -1);
    assert_true(format->place(&bsr, 0, 18).row == -1);
    assert_true(format->place(&bsr, 0, 14).row == 1 && format->place(&bsr, 0, 14).col == 6);
    storage_free(&bsr);
    csr_free(&a);
}

static void empty_matrices_have_no_blocks(void **state)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 9}, {9, 0}, {40, 30}};
    for (int n = 0; n < 4; n++)
        for (int given = 0; given < 2; given++) {
            struct csr a = support_matrix(sizes[n][0], sizes[n][1], 0, false, false, 1);
            struct storage bsr = stored(given ? "bsr:size=3" : "bsr", &a);
            /* Nothing but pointers counts then: 9 rows have the fewest from size 5 on, 40 with size 8. */
            int64_t size = given ? 3 : a.rows == 9 ? 5 : a.rows == 40 ? 8 : 2;
            assert_int_equal(bsr.number[BSR_SIZE], size);
            const struct array *row_ptr = stored_array(&bsr, "row_ptr");
            assert_int_equal(row_ptr->length, (a.rows + size - 1) / size + 1);
            for (int64_t r = 0; r < row_ptr->length; r++)
                assert_int_equal(array_integer(row_ptr, r), 0);
            assert_int_equal(storage_slots(&bsr), 0);
            storage_free(&bsr);
            csr_free(&a);
        }
}

/* Values of every kind, zeros among them, in every size. */
static void values_of_every_kind_come_back(void **state)
{
    threads_set(3);
    for (int way = 0; way < 7 * 8; way++) {
        struct csr a = support_matrix(90 + way, 100 - way, 0.1, true, way & 1, 8), back;
        const struct storing options = {.precision = way & 2 ? PRECISION_F32 : PRECISION_F64,
                                        .wide = way & 4};
        char format[20];
        snprintf(format, sizeof format, "bsr:size=%d", 2 + way / 8);
        struct storage bsr = stored_with(format, &options, &a);
        assert_int_equal(stored_array(&bsr, "row_ptr")->element, way & 4 ? ELEMENT_I64 : ELEMENT_I32);
        assert_int_equal(storage_unpack(&bsr, NULL, &back, NULL), STATUS_OK);
        assert_memory_equal(back.row_ptr, a.row_ptr, (size_t)(a.rows + 1) * sizeof *a.row_ptr);
        assert_memory_equal(back.col, a.col, (size_t)csr_nnz(&a) * sizeof *a.col);
        for (int64_t k = 0; k < csr_nnz(&a); k++)
            assert_true(back.val[k] == a.val[k] && (!a.imaginary || back.imaginary[k] == a.imaginary[k]));
        csr_free(&back);
        storage_free(&bsr);
        csr_free(&a);
    }
    threads_set(0);
}

static void expect_fault(const struct storage *bsr, const char *expected)
{
    struct error error = {0};
    assert_int_equal(storage_validate(bsr, &error), STATUS_INPUT);
    if (!strstr(error.message, expected)) fail_msg("'%s' lacks '%s'", error.message, expected);
}

static void damage_is_named(void **state)
{
    struct csr a = stored_matrix("tests/support/strips.mtx");
    struct storage bsr = stored("bsr:size=2", &a);
    int32_t *col = bsr.array[BSR_COL].data, *row_ptr = bsr.array[BSR_ROW_PTR].data;
    col[6] = 3, expect_fault(&bsr, "col[6] = 3 lies out of range"), col[6] = 2;
    col[0] = -1, expect_fault(&bsr, "col[0] = -1 lies out of range"), col[0] = 0;
    col[1] = 2, expect_fault(&bsr, "col[2] = 2 is not more"), col[1] = 1;
    col[4] = 0, expect_fault(&bsr, "col[4] = 0 is not more"), col[4] = 1;
    row_ptr[1] = 6, expect_fault(&bsr, "row_ptr[2] = 5"), row_ptr[1] = 3;
    row_ptr[3] = 8, expect_fault(&bsr, "row_ptr[3] = 8 is not the end"), row_ptr[3] = 7;
    assert_int_equal(storage_validate(&bsr, NULL), STATUS_OK);
    storage_free(&bsr);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = support_matrix(70, 50, 0.2, true, false, 8);
    stored_sweep("bsr", &a);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_equal_those_of_scipy),
        cmocka_unit_test(the_size_takes_the_fewest_bytes),
        cmocka_unit_test(the_size_is_told),
        cmocka_unit_test(blocks_are_ruled_off),
        cmocka_unit_test(empty_matrices_have_no_blocks),
        cmocka_unit_test(values_of_every_kind_come_back),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
