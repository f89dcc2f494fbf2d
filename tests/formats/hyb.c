/* formats/hyb: the book's example, the positions of entries, and the three rules for k. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/ell.h"
#include "formats/hyb.h"
#include "matrix/histogram.h"
#include "support/stored.h"
#include "support/support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* PMPP, figure 10.13: ELL of two entries a row, and the one left over in COO. */
static void the_book_s_hybrid(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage hyb = stored("hyb:k=2", &a), rows = stored("hyb:k=2,layout=rows,pad=sentinel", &a);
    stored_expect(&hyb, "ell_val", "3 * 2 1  1 * 4 1");
    stored_expect(&hyb, "ell_col", "0 * 1 0  2 * 2 3");
    stored_expect(&hyb, "coo_row", "2");
    stored_expect(&hyb, "coo_col", "3");
    stored_expect(&hyb, "coo_val", "1");
    stored_expect(&rows, "ell_val", "3 1  * *  2 4  1 1");
    stored_expect(&rows, "ell_col", "0 2  -1 -1  1 2  0 3");
    stored_expect(&rows, "coo_col", "3");
    storage_free(&hyb);
    storage_free(&rows);
    csr_free(&a);
}

/* With k = 0 all is COO; with the longest row, or more, ELL. */
static void k_from_end_to_end(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage none = stored("hyb:k=0", &a), one = stored("hyb:k=1", &a), all = stored("hyb:k=3", &a),
                   more = stored("hyb:k=2147483647", &a), ell = stored("ell", &a);
    stored_expect(&none, "ell_val", "");
    stored_expect(&none, "coo_row", "0 0 2 2 2 3 3");
    stored_expect(&none, "coo_col", "0 2 1 2 3 0 3");
    stored_expect(&none, "coo_val", "3 1 2 4 1 1 1");
    stored_expect(&one, "ell_val", "3 * 2 1");
    stored_expect(&one, "ell_col", "0 0 1 0");
    stored_expect(&one, "coo_row", "0 2 2 3");
    stored_expect(&one, "coo_col", "2 2 3 3");
    stored_expect(&one, "coo_val", "1 4 1 1");
    assert_int_equal(all.slots[1], 0);
    assert_int_equal(more.slots[1], 0);
    assert_int_equal(more.number[HYB_WIDTH], 3);
    assert_int_equal(all.slots[0], 12);
    assert_int_equal(more.slots[0], 12);
    for (int q = ELL_COL; q <= ELL_VAL; q++) {
        size_t bytes = 12 * (q == ELL_COL ? sizeof(int32_t) : sizeof(double));
        assert_memory_equal(all.array[q].data, ell.array[q].data, bytes);
        assert_memory_equal(more.array[q].data, ell.array[q].data, bytes);
    }
    storage_free(&none);
    storage_free(&one);
    storage_free(&all);
    storage_free(&more);
    storage_free(&ell);
    csr_free(&a);
}

/* Entry c of a row is in ELL at position c, or in COO after the entries of earlier rows. All conversions
 * between entries and slots agree. */
static void entries_are_where_they_belong(void **state)
{
    static const char *const names[] = {"hyb:k=0", "hyb:k=3", "hyb:k=3,layout=rows",
                                        "hyb:rule=share,share=0.6"};
    struct csr a = support_matrix(90, 70, 0.1, true, false, 11);
    for (size_t n = 0; n < COUNT(names); n++) {
        struct storage hyb = stored(names[n], &a);
        const struct format *format = hyb.format;
        int64_t width = hyb.number[HYB_WIDTH], rest = 0;
        for (int64_t i = 0; i < a.rows; i++)
            for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
                struct spot spot = storage_spot(&hyb, &a, (struct place){i, a.col[k]}, k);
                int64_t c = k - a.row_ptr[i], line, position;
                struct place place = format->place(&hyb, spot.part, spot.slot);
                assert_int_equal(place.row, i);
                assert_int_equal(place.col, a.col[k]);
                format->find(&hyb, &spot, &line, &position);
                assert_int_equal(line, i);
                assert_int_equal(spot.part, c >= width);
                assert_int_equal(position, c < width ? c : -1);
                if (c < width) {
                    assert_int_equal(format->cell(&hyb, i, c), spot.slot);
                    assert_true(((const double *)hyb.array[HYB_ELL_VAL].data)[spot.slot] == a.val[k]);
                    continue;
                }
                assert_int_equal(spot.slot, rest);
                assert_true(((const double *)hyb.array[HYB_VAL].data)[rest] == a.val[k]);
                if (rest)
                    assert_int_equal(format->rule(&hyb, HYB_VAL, rest), c == width ? RULE_MINOR : RULE_NONE);
                rest++;
            }
        assert_int_equal(rest, hyb.slots[1]);
        assert_int_equal(hyb.slots[0], a.rows * width);
        storage_free(&hyb);
    }
    csr_free(&a);
}

static void check_name(const char *format, const struct csr *a, const char *expected)
{
    struct storage hyb = stored(format, a);
    char name[CHOICE_NAME];
    assert_string_equal(storage_name(&hyb, name, sizeof name), expected);
    storage_free(&hyb);
}

/* Rows of 2, 0, 3, 2 entries. With values of 8 bytes a slot takes 12 bytes and an entry of COO 16: 112 bytes
 * for k = 0, 48 + 64 for 1, 96 + 16 for 2, and 144 for 3. The least of the tied k is chosen. With values of 4
 * bytes: 84, 32 + 48, 64 + 12 and 96. */
static void bytes_by_hand(void **state)
{
    const struct storing single = {.precision = PRECISION_F32};
    struct csr a = stored_matrix("pmpp.mtx");
    check_name("hyb", &a, "hyb:k=0");
    struct storage hyb = stored_with("hyb", &single, &a);
    assert_int_equal(hyb.number[HYB_WIDTH], 2);
    storage_free(&hyb);
    check_name("hyb:rule=third", &a, "hyb:k=0,rule=third"); /* fewer than 4096 rows */
    check_name("hyb:rule=share", &a, "hyb:k=3,rule=share"); /* 6 of 7 entries are too few */
    check_name("hyb:rule=share,share=0.85", &a, "hyb:k=2,rule=share,share=0.85");
    check_name("hyb:k=1,rule=third", &a, "hyb:k=1,rule=third"); /* the rule does not decide */
    csr_free(&a);
}

/* No k takes fewer bytes than the default, by the sizes of the storages. */
static void no_k_takes_fewer_bytes(void **state)
{
    static const char *const matrices[] = {"demo.mtx.gz", "powerlaw.mtx.gz", "banded.mtx.gz", "random.mtx.gz",
                                           "gen:random,m=300,n=200,mean=8,spread=2"};
    for (size_t s = 0; s < COUNT(matrices); s++)
        for (int single = 0; single < 2; single++) {
            const struct storing options = {.precision = single ? PRECISION_F32 : PRECISION_F64};
            struct csr a = stored_matrix(matrices[s]);
            struct storage hyb, other;
            size_t fewest = SIZE_MAX;
            int64_t best = -1, longest = 0;
            for (int64_t i = 0; i < a.rows; i++)
                if (a.row_ptr[i + 1] - a.row_ptr[i] > longest) longest = a.row_ptr[i + 1] - a.row_ptr[i];
            for (int64_t k = 0; k <= longest; k++) {
                char parameters[32];
                snprintf(parameters, sizeof parameters, "k=%lld", (long long)k);
                assert_int_equal(storing_plan(&format_hyb, parameters, &options, &a, NULL, &other, NULL),
                                 STATUS_OK);
                if (storage_size(&other).bytes < fewest) {
                    fewest = storage_size(&other).bytes;
                    best = k;
                }
                storage_free(&other);
            }
            assert_int_equal(storing_plan(&format_hyb, "", &options, &a, NULL, &hyb, NULL), STATUS_OK);
            assert_int_equal(hyb.number[HYB_WIDTH], best);
            assert_true(hyb.values.number[HYB_K] == (double)best);
            assert_int_equal(storage_size(&hyb).bytes, fewest);
            storage_free(&hyb);
            csr_free(&a);
        }
}

/* Random row lengths, and the questions on them answered by plain loops over all rows. */
struct rows {
    int64_t count, longest;
    int64_t length[20000];
};

static int64_t kept(const struct rows *rows, int64_t k)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < rows->count; i++)
        sum += rows->length[i] < k ? rows->length[i] : k;
    return sum;
}

static int64_t reaching(const struct rows *rows, int64_t k)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < rows->count; i++)
        sum += rows->length[i] >= k;
    return sum;
}

static int64_t fewest_bytes(const struct rows *rows, int64_t value)
{
    int64_t nnz = kept(rows, rows->longest), best = 0, fewest = INT64_MAX;
    for (int64_t k = 0; k <= rows->longest + 1; k++) {
        int64_t bytes = rows->count * k * (4 + value) + (nnz - kept(rows, k)) * (8 + value);
        if (bytes < fewest) best = k, fewest = bytes;
    }
    return best;
}

static int64_t last_of_a_third(const struct rows *rows)
{
    int64_t best = 0;
    for (int64_t k = 1; k <= rows->longest; k++)
        if (reaching(rows, k) >= 4096 && 3 * reaching(rows, k) >= rows->count) best = k;
    return best;
}

static int64_t first_with_share(const struct rows *rows, double share)
{
    int64_t k = 0, nnz = kept(rows, rows->longest);
    while ((double)kept(rows, k) < share * (double)nnz)
        k++;
    return k;
}

static struct rows *random_rows(uint64_t *state, int64_t count, uint32_t spread)
{
    struct rows *rows = test_calloc(1, sizeof *rows);
    rows->count = count;
    for (int64_t i = 0; i < count; i++) {
        rows->length[i] = support_random(state, support_random(state, spread) + 1);
        if (support_random(state, 1000) == 0) rows->length[i] *= 3;
        if (rows->length[i] > rows->longest) rows->longest = rows->length[i];
    }
    return rows;
}

static void check_choices(const struct rows *rows)
{
    static const double shares[] = {0, 0.1, 0.5, 0.75, 0.9, 0.99, 1};
    struct length_count *histogram = test_calloc((size_t)rows->longest + 1, sizeof *histogram);
    int64_t bins = 0;
    for (int64_t length = 0; length <= rows->longest && rows->count; length++) {
        int64_t count = reaching(rows, length) - reaching(rows, length + 1);
        if (count) histogram[bins++] = (struct length_count){length, count};
    }
    for (int value = 4; value <= 16; value *= 2)
        assert_int_equal(hyb_choose(histogram, bins, HYB_BYTES, 0, (size_t)value), fewest_bytes(rows, value));
    assert_int_equal(hyb_choose(histogram, bins, HYB_THIRD, 0, 8), last_of_a_third(rows));
    for (size_t s = 0; s < COUNT(shares); s++)
        assert_int_equal(hyb_choose(histogram, bins, HYB_ENTRIES, shares[s], 8),
                         first_with_share(rows, shares[s]));
    test_free(histogram);
}

static void rules_choose_as_plain_loops_do(void **state)
{
    static const struct {
        int64_t count;
        uint32_t spread;
    } cases[] = {{0, 1},     {1, 40},     {2, 9},     {7, 3},      {100, 30},   {999, 60},
                 {4095, 20}, {4096, 20},  {4097, 20}, {12288, 12}, {12300, 40}, {20000, 5},
                 {20000, 2}, {20000, 70}, {500, 2},   {3000, 300}};
    uint64_t seed = 5;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct rows *rows = random_rows(&seed, cases[c].count, cases[c].spread);
        check_choices(rows);
        test_free(rows);
    }
}

/* 12288 rows, a third of which is 4096: exactly this number of rows has 7 entries or more, but too few have
 * more than 7. */
static void a_third_of_the_rows(void **state)
{
    struct length_count histogram[] = {{2, 8192}, {7, 4000}, {50, 96}};
    assert_int_equal(hyb_choose(histogram, 3, HYB_THIRD, 0, 8), 7);
    histogram[1].count--; /* 4095 of 12287 rows */
    assert_int_equal(hyb_choose(histogram, 3, HYB_THIRD, 0, 8), 2);
    histogram[1].count = 4000, histogram[0].count++; /* 4096 of 12289 */
    assert_int_equal(hyb_choose(histogram, 3, HYB_THIRD, 0, 8), 2);
    histogram[0].count = 10; /* most rows, but for 4 too few */
    histogram[1].count = 3996;
    assert_int_equal(hyb_choose(histogram, 3, HYB_THIRD, 0, 8), 2);
    histogram[0].count = 3;
    assert_int_equal(hyb_choose(histogram, 3, HYB_THIRD, 0, 8), 0);
}

static void faults_are_named(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage hyb = stored("hyb:k=1", &a);
    int32_t *ell_col = hyb.array[HYB_ELL_COL].data, *row = hyb.array[HYB_ROW].data,
            *col = hyb.array[HYB_COL].data;
    ell_col[3] = 4, stored_refused(&hyb, "ell_col[3] = 4 lies out of range");
    ell_col[3] = 0, ell_col[1] = 1, stored_refused(&hyb, "ell_col[1] = 1 is not what padding has here");
    ell_col[1] = 0, row[3] = 4, stored_refused(&hyb, "coo_row[3] = 4 lies out of range");
    row[3] = 1, stored_refused(&hyb, "coo_row[3] = 1 is less than the one before");
    row[3] = 3, row[0] = 1,
    stored_refused(&hyb, "coo_row[0] = 1 is a row that ELL has not the first entries of");
    row[0] = 0, col[0] = 0,
    stored_refused(&hyb, "coo_row[0] = 0 is a row that ELL has not the first entries of");
    col[0] = 2, col[2] = 4, stored_refused(&hyb, "coo_col[2] = 4 lies out of range");
    storage_free(&hyb);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    a.val[0] = 0; /* kept */
    stored_sweep("hyb", &a);
    stored_sweep("hyb:k=1,layout=rows", &a);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_book_s_hybrid),
        cmocka_unit_test(k_from_end_to_end),
        cmocka_unit_test(entries_are_where_they_belong),
        cmocka_unit_test(bytes_by_hand),
        cmocka_unit_test(no_k_takes_fewer_bytes),
        cmocka_unit_test(rules_choose_as_plain_loops_do),
        cmocka_unit_test(a_third_of_the_rows),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
