/* formats/sell: an example by hand, any chunks and windows against plain loops, and sizes in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/sell.h"
#include "support/stored.h"
#include "support/support.h"

/* Rows of 1, 3, 0, 2 and 2 entries, numbered as they come. */
static struct csr five_rows(void)
{
    static const double dense[] = {0, 1, 0,      0, /**/ 2, 0, 3,      4, /**/ 0, 0,
                                   0, 0, /**/ 0, 5, 0,      6, /**/ 7, 8, 0,      0};
    return support_dense(5, 4, dense);
}

/* Chunks of two rows, worked out by hand; * is padding. */
static void by_hand(void **state)
{
    struct csr a = five_rows();
    struct storage sell = stored("sell:c=2", &a);
    assert_int_equal(sell.count, 3);
    stored_expect(&sell, "chunk_ptr", "0 6 10 14");
    stored_expect(&sell, "val", "1 2 * 3 * 4 * 5 * 6 7 * 8 *");
    stored_expect(&sell, "col", "1 0 1 2 1 3 0 1 0 3 0 0 1 0");
    storage_free(&sell);

    sell = stored("sell:c=2,sigma=4", &a); /* rows 1 3 0 2, then 4 */
    stored_expect(&sell, "perm", "1 3 0 2 4");
    stored_expect(&sell, "chunk_ptr", "0 6 8 12");
    stored_expect(&sell, "val", "2 5 3 6 4 * 1 * 7 * 8 *");
    stored_expect(&sell, "col", "0 1 2 3 3 3 1 0 0 0 1 0");
    storage_free(&sell);

    sell = stored("sell:c=2,sigma=100", &a); /* all rows: 1 3 4 0 2 */
    stored_expect(&sell, "perm", "1 3 4 0 2");
    stored_expect(&sell, "chunk_ptr", "0 6 10 10");
    stored_expect(&sell, "val", "2 5 3 6 4 * 7 1 8 *");
    stored_expect(&sell, "col", "0 1 2 3 3 3 0 1 1 1");
    storage_free(&sell);

    sell = stored("sell:c=8", &a); /* more than there are rows */
    stored_expect(&sell, "chunk_ptr", "0 24");
    stored_expect(&sell, "val", "1 2 * 5 7 * * * * 3 * 6 8 * * * * 4 * * * * * *");
    stored_expect(&sell, "col", "1 0 0 1 0 0 0 0 1 2 0 3 1 0 0 0 1 3 0 3 1 0 0 0");
    storage_free(&sell);

    sell = stored("sell:c=1", &a); /* CSR */
    stored_expect(&sell, "chunk_ptr", "0 1 4 4 6 8");
    stored_expect(&sell, "val", "1 2 3 4 5 6 7 8");
    storage_free(&sell);
    csr_free(&a);
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return i < a->rows ? a->row_ptr[i + 1] - a->row_ptr[i] : 0;
}

/* Each row moves in front of the shorter rows of its window. Lines from a->rows on have no row. */
static int64_t *sort_plainly(const struct csr *a, int64_t sigma, int64_t lines)
{
    int64_t *row = test_calloc((size_t)lines + 1, sizeof *row);
    for (int64_t i = 0; i < lines; i++) {
        int64_t r = i;
        for (; i < a->rows && r > i / sigma * sigma && length_of(a, row[r - 1]) < length_of(a, i); r--)
            row[r] = row[r - 1];
        row[r] = i;
    }
    return row;
}

static void same_slot(const struct storage *sell, const struct csr *a, int64_t e, int64_t i, int64_t d)
{
    const struct array *col = &sell->array[SELL_COL], *val = &sell->array[SELL_VAL];
    bool padding = d >= length_of(a, i);
    int64_t last = length_of(a, i) ? a->row_ptr[i + 1] - 1 : -1, k = padding ? last : a->row_ptr[i] + d;
    double imaginary, real = array_value(val, e, &imaginary);
    assert_int_equal(array_integer(col, e), k < 0 ? 0 : a->col[k]);
    assert_true(real == (padding ? 0 : a->val[k]));
    assert_true(imaginary == (padding || !a->imaginary ? 0 : a->imaginary[k]));
    struct place place = sell->format->place(sell, 0, e);
    assert_int_equal(place.row, i < a->rows ? i : -1);
}

static void check_sell(const struct csr *a, int64_t c, int64_t sigma, const struct storing *options)
{
    char format[80];
    snprintf(format, sizeof format, "sell:c=%d,sigma=%d", (int)c, (int)sigma);
    struct storage sell = stored_with(format, options, a);
    int64_t chunks = (a->rows + c - 1) / c, e = 0;
    int64_t *row = sort_plainly(a, sigma, chunks * c);
    assert_int_equal(sell.array[SELL_CHUNK_PTR].length, chunks + 1);
    for (int64_t i = 0; i < chunks; i++) {
        int64_t wide = 0;
        assert_int_equal(array_integer(&sell.array[SELL_CHUNK_PTR], i), e);
        for (int64_t r = i * c; r < (i + 1) * c; r++)
            if (length_of(a, row[r]) > wide) wide = length_of(a, row[r]);
        assert_true(e + wide * c <= sell.slots[0]);
        for (int64_t d = 0; d < wide; d++)
            for (int64_t r = i * c; r < (i + 1) * c; r++)
                same_slot(&sell, a, e++, row[r], d);
    }
    assert_int_equal(sell.slots[0], e);
    assert_int_equal(sell.count, sigma > 1 ? 4 : 3);
    for (int64_t r = 0; sigma > 1 && r < a->rows; r++)
        assert_int_equal(array_integer(&sell.array[SELL_PERM], r), row[r]);
    test_free(row);
    storage_free(&sell);
}

static void plain_loops_say_the_same(void **state)
{
    static const int64_t c[] = {1, 2, 5, 32, 64, 65, 200, 1024}, sigma[] = {1, 2, 10, 64, 100, 1000000};
    for (int complex = 0; complex < 2; complex++) {
        struct csr a = support_matrix(230, 90, 0.1, true, complex, 21);
        for (size_t k = 0; k < sizeof c / sizeof *c; k++)
            for (size_t s = 0; s < sizeof sigma / sizeof *sigma; s++) {
                struct storing options = {.precision = s % 2 ? PRECISION_F32 : PRECISION_F64,
                                          .wide = s % 3 == 0};
                check_sell(&a, c[k], sigma[s], &options);
            }
        csr_free(&a);
    }
}

/* Most rows are empty, so that planning passes over most chunks and windows. */
static void empty_rows_are_passed_over(void **state)
{
    static const int64_t c[] = {1, 4, 7, 24, 32, 100}, sigma[] = {1, 3, 16, 50, 64, 1000, 5000};
    static const double densities[] = {0.0005, 0.004, 0.03};
    const struct storing options = {0};
    for (size_t d = 0; d < sizeof densities / sizeof *densities; d++) {
        struct csr a = support_matrix(3000, 5, densities[d], false, false, 23);
        for (size_t k = 0; k < sizeof c / sizeof *c; k++)
            for (size_t s = 0; s < sizeof sigma / sizeof *sigma; s++)
                check_sell(&a, c[k], sigma[s], &options);
        csr_free(&a);
    }
}

/* Rows wider than the tiles of a transposition. */
static void wide_rows_too(void **state)
{
    const struct storing options = {0};
    struct csr a = support_matrix(100, 7000, 0.01, true, false, 22);
    check_sell(&a, 32, 1, &options);
    check_sell(&a, 1, 4, &options);
    check_sell(&a, 100, 100, &options);
    csr_free(&a);
}

/* The first row of an arrow is full, all others have two entries: n c + (ceil(n / c) - 1) 2 c slots. */
static void arrows_have_a_closed_form(void **state)
{
    const int64_t n = 3000, nnz = 3 * n - 2;
    static const int64_t c[] = {1, 2, 32, 1000, 1024};
    struct csr a = stored_matrix("arrow.mtx.gz");
    for (size_t k = 0; k < sizeof c / sizeof *c; k++)
        for (int sigma = 1; sigma <= 3001; sigma += 1500) {
            char format[80];
            snprintf(format, sizeof format, "sell:c=%d,sigma=%d", (int)c[k], sigma);
            struct storage sell = stored(format, &a);
            int64_t chunks = (n + c[k] - 1) / c[k], slots = n * c[k] + (chunks - 1) * 2 * c[k];
            struct format_size size = storage_size(&sell);
            assert_int_equal(size.slots, slots);
            assert_true(size.padding_ratio == (double)slots / (double)nnz);
            assert_int_equal(size.integers, slots + chunks + 1 + (sigma > 1 ? n : 0));
            storage_free(&sell);
        }
    csr_free(&a);
}

/* A permutation has no padding but in the last chunk: 2000 = 62 x 32 + 16 rows. */
static void sizes_are_known_before(void **state)
{
    const struct storing options = {0};
    struct csr a = stored_matrix("permutation.mtx.gz");
    struct storage plan, sell = stored("sell", &a);
    assert_int_equal(storing_plan(&format_sell, "", &options, &a, NULL, &plan, NULL), STATUS_OK);
    struct format_size before = storage_size(&plan), after = storage_size(&sell);
    assert_int_equal(before.slots, 63 * 32);
    assert_int_equal(before.padding, 16);
    assert_int_equal(before.bytes, 64 * 4 + 63 * 32 * 12);
    assert_memory_equal(&before, &after, sizeof before);
    storage_free(&plan);
    storage_free(&sell);
    csr_free(&a);
}

static void expect_extent(struct extent extent, int64_t first, int64_t end)
{
    assert_int_equal(extent.first, first);
    assert_int_equal(extent.end, end);
}

static void expect_place(struct place place, int64_t row, int64_t col)
{
    assert_int_equal(place.row, row);
    assert_int_equal(place.col, col);
}

/* Sorted rows 1 3 0 2 4: by hand. */
static void offsets_lead_to_entries(void **state)
{
    static const struct {
        int64_t row, col, perm, chunk, line, c;
    } cases[] = {{1, 3, 0, 0, 0, 2},  {3, 3, 1, 0, 1, 1}, {0, 1, 2, 1, 2, 0}, {0, 0, 2, 1, 2, -1},
                 {2, 1, 3, 1, 3, -1}, {4, 1, 4, 2, 4, 1}, {4, 3, 4, 2, 4, -1}};
    struct csr a = five_rows();
    struct storage sell = stored("sell:c=2,sigma=4", &a);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t line, c, j = cases[k].col, i = cases[k].row;
        struct spot spot = storage_spot(&sell, &a, (struct place){i, j}, csr_find(&a, i, j));
        expect_extent(sell.format->touch(&sell, SELL_PERM, &spot), cases[k].perm, cases[k].perm + 1);
        expect_extent(sell.format->touch(&sell, SELL_CHUNK_PTR, &spot), cases[k].chunk, cases[k].chunk + 2);
        sell.format->find(&sell, &spot, &line, &c);
        assert_int_equal(line, cases[k].line);
        assert_int_equal(c, cases[k].c);
        assert_int_equal(sell.format->label(&sell, line), i);
    }
    expect_place(sell.format->leads(&sell, SELL_PERM, 1), 3, -1);
    expect_place(sell.format->leads(&sell, SELL_CHUNK_PTR, 1), 0, 1);
    expect_place(sell.format->leads(&sell, SELL_CHUNK_PTR, 3), -1, -1);
    expect_place(sell.format->place(&sell, 0, 5), 3, 3);  /* padding of row 3 */
    expect_place(sell.format->place(&sell, 0, 7), 2, 0);  /* of the empty row */
    expect_place(sell.format->place(&sell, 0, 9), -1, 0); /* of no row */
    storage_free(&sell);

    sell = stored("sell:c=2,sigma=100", &a); /* the last chunk has no slots */
    expect_place(sell.format->leads(&sell, SELL_CHUNK_PTR, 2), 2, -1);
    storage_free(&sell);
    csr_free(&a);
}

static void expect_rules(const struct storage *sell, int q, const char *rules)
{
    for (int64_t e = 1; e < sell->array[q].length; e++)
        assert_int_equal(sell->format->rule(sell, q, e), rules[e] == '#'   ? RULE_MAJOR
                                                         : rules[e] == '|' ? RULE_MINOR
                                                                           : RULE_NONE);
}

static void chunks_are_drawn(void **state)
{
    static const int64_t cells[] = {0, 2,  4,  1, 3,  5,  6, -1, -1, /**/
                                    7, -1, -1, 8, 10, -1, 9, 11, -1};
    static const int64_t labels[] = {1, 3, 0, 2, 4, -1};
    struct csr a = five_rows();
    struct storage sell = stored("sell:c=2,sigma=4", &a);
    struct shape shape = sell.format->shape(&sell);
    assert_int_equal(shape.lines, 6);
    assert_int_equal(shape.wide, 3);
    for (int64_t line = 0; line < 6; line++) {
        assert_int_equal(sell.format->label(&sell, line), labels[line]);
        for (int64_t c = 0; c < 3; c++)
            assert_int_equal(sell.format->cell(&sell, line, c), cells[3 * line + c]);
    }
    expect_rules(&sell, SELL_PERM, "..#.#");
    expect_rules(&sell, SELL_CHUNK_PTR, "....");
    expect_rules(&sell, SELL_COL, "..|.|.#.#.|.");
    expect_rules(&sell, SELL_VAL, "..|.|.#.#.|.");
    storage_free(&sell);
    csr_free(&a);
}

static void nothing_is_stored_too(void **state)
{
    static const double zeros[9] = {0};
    static const char *const requests[] = {"sell:c=2", "sell:c=2,sigma=2"};
    struct csr none = support_dense(0, 0, NULL), wide = support_dense(0, 5, NULL);
    struct csr high = support_dense(3, 0, NULL), empty = support_dense(3, 3, zeros);
    struct csr *matrices[] = {&none, &wide, &high, &empty};
    for (int m = 0; m < 4; m++)
        for (int f = 0; f < 2; f++) {
            struct storage sell = stored(requests[f], matrices[m]);
            stored_expect(&sell, "chunk_ptr", m < 2 ? "0" : "0 0 0");
            stored_expect(&sell, "val", "");
            if (f) stored_expect(&sell, "perm", m < 2 ? "" : "0 1 2");
            assert_true(isnan(storage_size(&sell).padding_ratio));
            storage_free(&sell);
        }
    for (int m = 0; m < 4; m++)
        csr_free(matrices[m]);
}

/* Entries of value 0 beside padding of value 0, and one that single precision makes 0. */
static void zeros_are_kept(void **state)
{
    const struct storing single = {.precision = PRECISION_F32};
    struct csr a = five_rows(), back;
    a.val[0] = a.val[5] = 0;
    a.val[2] = 1e-60;
    struct storage sell = stored_with("sell:c=2,sigma=4", &single, &a);
    stored_expect(&sell, "val", "2 5 0 0 4 * 0 * 7 * 8 *");
    assert_int_equal(storage_unpack(&sell, NULL, &back, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&back), 8);
    for (int k = 0; k < 8; k++)
        assert_int_equal(back.col[k], a.col[k]);
    csr_free(&back);
    storage_free(&sell);
    csr_free(&a);
}

static void refused(const struct storage *storage, const char *message)
{
    struct error error = {0};
    assert_int_equal(storage_validate(storage, &error), STATUS_INPUT);
    if (!strstr(error.message, message)) fail_msg("%s, not %s", error.message, message);
}

static void faults_are_named(void **state)
{
    struct csr a = five_rows();
    struct storage sell = stored("sell:c=2,sigma=4", &a);
    int32_t *chunk_ptr = sell.array[SELL_CHUNK_PTR].data, *perm = sell.array[SELL_PERM].data;
    int32_t *col = sell.array[SELL_COL].data;
    chunk_ptr[1] = 7, refused(&sell, "chunk_ptr[1] = 7 is no multiple of c");
    chunk_ptr[1] = 10, refused(&sell, "chunk_ptr[2] = 8 is less than the one before");
    chunk_ptr[1] = 6, chunk_ptr[3] = 14, refused(&sell, "chunk_ptr[3] = 14 is not the end");
    chunk_ptr[3] = 12, perm[0] = 5, refused(&sell, "perm[0] = 5 lies out of range");
    perm[0] = 4, refused(&sell, "perm[4] = 4 occurs twice");
    perm[0] = 1, col[11] = 4, refused(&sell, "col[11] = 4 lies out of range");
    storage_free(&sell);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = five_rows();
    stored_sweep("sell:c=2", &a);
    stored_sweep("sell:c=2,sigma=4", &a);
    csr_free(&a);
}

/* Planning sorts about two million rows at a time, up to the end of a window and of a chunk. Here 16 rows at
 * the end of one window and 16 at the beginning of the next have an entry each, for any sigma. */
static void large_matrices_are_cut_between_windows(void **state)
{
    static const int64_t sigma[] = {1000, 1024, 3000, 700001};
    for (size_t s = 0; s < sizeof sigma / sizeof *sigma; s++) {
        const int64_t edge = (((int64_t)1 << 21) / sigma[s] + 1) * sigma[s], rows = edge + 5000;
        struct csr a = {.rows = rows, .cols = 1};
        a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
        a.col = memory_zeroed(32, sizeof *a.col, NULL);
        a.val = memory_zeroed(32, sizeof *a.val, NULL);
        for (int64_t i = 0; i < rows; i++)
            a.row_ptr[i + 1] = a.row_ptr[i] + (i >= edge - 16 && i < edge + 16);
        char text[40];
        snprintf(text, sizeof text, "c=8,sigma=%lld", (long long)sigma[s]);
        struct format_choice choice;
        struct storage plan;
        struct error error = {0};
        assert_int_equal(format_choice_read(&format_sell, text, PRECISION_F64, &choice, &error), STATUS_OK);
        assert_int_equal(format_plan(&choice, &(struct format_options){0}, &a, NULL, &plan, &error),
                         STATUS_OK);
        /* Sorting moves the 16 rows to the beginning of their window, where they lie in two or three
         * chunks. */
        int64_t chunks = 0;
        for (int64_t window = edge - sigma[s]; window <= edge; window += sigma[s])
            chunks += (window + 15) / 8 - window / 8 + 1;
        assert_int_equal(plan.slots[0], 8 * chunks);
        storage_free(&plan);
        csr_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(plain_loops_say_the_same),
        cmocka_unit_test(empty_rows_are_passed_over),
        cmocka_unit_test(wide_rows_too),
        cmocka_unit_test(arrows_have_a_closed_form),
        cmocka_unit_test(sizes_are_known_before),
        cmocka_unit_test(large_matrices_are_cut_between_windows),
        cmocka_unit_test(offsets_lead_to_entries),
        cmocka_unit_test(chunks_are_drawn),
        cmocka_unit_test(nothing_is_stored_too),
        cmocka_unit_test(zeros_are_kept),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
