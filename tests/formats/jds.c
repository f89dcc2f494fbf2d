/* formats/jds: the book's figures, and the effect of each parameter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/array.h"
#include "formats/jds.h"
#include "matrix/histogram.h"
#include "support/stored.h"
#include "support/support.h"

/* The 4th edition's diagonals, of the matrix of figure 10.1. */
static void the_book_s_diagonals(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage jds = stored("jds", &a);
    assert_int_equal(jds.count, 4);
    stored_expect(&jds, "perm", "2 0 3 1");
    stored_expect(&jds, "iter_ptr", "0 3 6 7");
    stored_expect(&jds, "col", "1 0 0 2 2 3 3");
    stored_expect(&jds, "val", "2 3 1 4 1 1 1");
    storage_free(&jds);
    csr_free(&a);
}

/* Figures 10.15 and 10.16: sections of rows of equal length, row by row and transposed. */
static void the_book_s_sections(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage rows = stored("jds:sections=equal,inside=csr", &a);
    struct storage columns = stored("jds:sections=equal", &a);
    const struct storage *both[] = {&rows, &columns};
    for (int k = 0; k < 2; k++) {
        stored_expect(both[k], "perm", "2 0 3 1");
        stored_expect(both[k], "section_row", "0 1 3 4");
        stored_expect(both[k], "section_ptr", "0 3 7 7");
        stored_expect(both[k], "val", "2 4 1 3 1 1 1");
    }
    stored_expect(&rows, "col", "1 2 3 0 2 0 3");
    stored_expect(&rows, "row_ptr", "0 3 5 7");
    stored_expect(&columns, "col", "1 2 3 0 0 2 3");
    assert_int_equal(columns.count, 5);
    storage_free(&rows);
    storage_free(&columns);
    csr_free(&a);
}

/* Its longest row by entries, the others in diagonals or sections. */
static void longest_rows_go_to_coo(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage plain = stored("jds:longest=2", &a);
    struct storage sections = stored("jds:sections=equal,longest=2", &a);
    const struct storage *both[] = {&plain, &sections};
    for (int k = 0; k < 2; k++) {
        stored_expect(both[k], "perm", "0 3 1");
        stored_expect(both[k], "col", "0 0 2 3");
        stored_expect(both[k], "val", "3 1 1 1");
        stored_expect(both[k], "coo_row", "2 2 2");
        stored_expect(both[k], "coo_col", "1 2 3");
        stored_expect(both[k], "coo_val", "2 4 1");
    }
    stored_expect(&plain, "iter_ptr", "0 2 4");
    stored_expect(&sections, "section_row", "0 2 3");
    stored_expect(&sections, "section_ptr", "0 4 4");
    storage_free(&plain);
    storage_free(&sections);
    csr_free(&a);
}

/* Rows of these lengths, in columns 0, 1, ..., of values 1, 2, ... */
static struct csr rows_of(const int *lengths, int rows)
{
    double *dense = test_calloc((size_t)rows * 8, sizeof *dense);
    int value = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < lengths[i]; j++)
            dense[i * 8 + j] = ++value;
    struct csr a = support_dense(rows, 8, dense);
    test_free(dense);
    return a;
}

/* The cuts that follow from the histogram of row lengths alone, which is all that a conversion on a GPU has,
 * are the same. */
static void expect_cut(const struct storage *jds, const char *section_row, const char *section_ptr)
{
    static const struct length_count histogram[] = {{0, 2}, {1, 2}, {4, 3}, {5, 1}, {8, 2}};
    int64_t longest = jds->number[JDS_LONGEST], bins = 0;
    struct jds_cut cut;
    while (bins < 5 && histogram[bins].length <= longest)
        bins++;
    /* Run twice: the second time, the allocated memory is not zero. */
    assert_int_equal(jds_cut(jds, histogram, bins, &cut, NULL), STATUS_OK);
    memset(cut.row, 0x5a, ((size_t)cut.sections + 1) * sizeof *cut.row);
    memset(cut.ptr, 0x5a, ((size_t)cut.sections + 1) * sizeof *cut.ptr);
    jds_cut_free(&cut);
    assert_int_equal(jds_cut(jds, histogram, bins, &cut, NULL), STATUS_OK);
    for (int64_t s = 0; s <= cut.sections; s++) {
        char *end;
        assert_int_equal(strtol(section_row, &end, 10), cut.row[s]);
        section_row = end;
        assert_int_equal(strtol(section_ptr, &end, 10), cut.ptr[s]);
        section_ptr = end;
    }
    assert_string_equal(section_row, "");
    assert_string_equal(section_ptr, "");
    jds_cut_free(&cut);
}

static void expect_sections(const struct csr *a, const char *format, const char *section_row,
                            const char *section_ptr)
{
    struct storage jds = stored(format, a);
    stored_expect(&jds, "section_row", section_row);
    stored_expect(&jds, "section_ptr", section_ptr);
    expect_cut(&jds, section_row, section_ptr);
    storage_free(&jds);
}

/* Sorted lengths 8 8 5 4 4 4 1 1 0 0, cut by hand. */
static void rules_cut_where_they_say(void **state)
{
    static const int lengths[] = {4, 0, 8, 1, 4, 5, 8, 0, 4, 1};
    struct csr a = rows_of(lengths, 10);
    expect_sections(&a, "jds:sections=equal", "0 2 3 6 8 10", "0 16 21 33 35 35");
    expect_sections(&a, "jds:sections=equal,height=2", "0 2 4 6 8 10", "0 16 26 34 36 36");
    expect_sections(&a, "jds:sections=equal,height=3", "0 3 6 8 10", "0 24 36 38 38");
    expect_sections(&a, "jds:sections=equal,height=9", "0 8 10", "0 64 64");
    expect_sections(&a, "jds:sections=equal,height=3,inside=csr", "0 3 6 8 10", "0 21 33 35 35");
    expect_sections(&a, "jds:sections=share", "0 6 8 10", "0 48 50 50");
    expect_sections(&a, "jds:sections=share,share=0.625", "0 3 6 8 10", "0 24 36 38 38");
    expect_sections(&a, "jds:sections=share,share=0.626", "0 2 6 8 10", "0 16 36 38 38");
    expect_sections(&a, "jds:sections=share,share=0", "0 8 10", "0 64 64");
    expect_sections(&a, "jds:sections=share,share=0.5,height=7", "0 7 8 10", "0 56 57 57");
    expect_sections(&a, "jds:sections=equal,longest=4", "0 3 5 7", "0 12 14 14");
    csr_free(&a);
}

static void expect_extent(struct extent extent, int64_t first, int64_t end)
{
    assert_int_equal(extent.first, first);
    assert_int_equal(extent.end, end);
}

static struct spot spot_of(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return storage_spot(storage, a, (struct place){i, j}, csr_find(a, i, j));
}

static void expect_place(struct place place, int64_t row, int64_t col)
{
    assert_int_equal(place.row, row);
    assert_int_equal(place.col, col);
}

static void touches(const struct storage *storage, const struct csr *a, int64_t i, int64_t j, int q,
                    int64_t first, int64_t end)
{
    struct spot spot = spot_of(storage, a, i, j);
    expect_extent(storage->format->touch(storage, q, &spot), first, end);
}

/* By hand, on the book's matrix: sorted rows 2 0 3 1 of 3, 2, 2, 0 entries. */
static void offsets_lead_to_entries(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage jds = stored("jds", &a);
    touches(&jds, &a, 2, 3, JDS_PERM, 0, 1);
    touches(&jds, &a, 2, 3, JDS_ITER_PTR, 2, 4); /* the third of its row */
    touches(&jds, &a, 3, 0, JDS_PERM, 2, 3);
    touches(&jds, &a, 3, 0, JDS_ITER_PTR, 0, 2);
    touches(&jds, &a, 1, 2, JDS_PERM, 3, 4);
    touches(&jds, &a, 1, 2, JDS_ITER_PTR, 0, 2); /* the first diagonal ends above the empty row */
    touches(&jds, &a, 0, 1, JDS_ITER_PTR, 2, 4); /* the third one ends above row 0, of 2 entries */
    touches(&jds, &a, 2, 0, JDS_ITER_PTR, 3, 4); /* the longest row is full: no further diagonal */
    expect_place(jds.format->leads(&jds, JDS_PERM, 3), 1, -1);
    expect_place(jds.format->leads(&jds, JDS_ITER_PTR, 1), 2, 2);
    expect_place(jds.format->leads(&jds, JDS_ITER_PTR, 3), -1, -1);
    storage_free(&jds);

    jds = stored("jds:sections=equal", &a);
    touches(&jds, &a, 3, 3, JDS_SECTION_ROW, 1, 3);
    touches(&jds, &a, 3, 3, JDS_SECTION_PTR, 1, 3);
    touches(&jds, &a, 1, 0, JDS_PERM, 3, 4);
    touches(&jds, &a, 1, 0, JDS_SECTION_PTR, 2, 4);
    expect_place(jds.format->leads(&jds, JDS_SECTION_ROW, 1), 0, -1);
    expect_place(jds.format->leads(&jds, JDS_SECTION_PTR, 1), 0, 0);
    expect_place(jds.format->leads(&jds, JDS_SECTION_PTR, 2), 1, -1);
    expect_place(jds.format->leads(&jds, JDS_SECTION_PTR, 3), -1, -1);
    storage_free(&jds);

    jds = stored("jds:sections=equal,inside=csr,longest=2", &a);
    touches(&jds, &a, 0, 2, JDS_ROW_PTR, 0, 2);
    touches(&jds, &a, 1, 2, JDS_ROW_PTR, 0, 0); /* an empty row is in no launch */
    touches(&jds, &a, 2, 1, JDS_PERM, 0, 0);    /* in the COO part */
    touches(&jds, &a, 2, 0, JDS_PERM, 0, 0);
    expect_place(jds.format->leads(&jds, JDS_ROW_PTR, 1), 3, 0);
    storage_free(&jds);
    csr_free(&a);
}

static void expect_rules(const struct storage *jds, int q, const char *rules)
{
    for (int64_t e = 1; e < jds->array[q].length; e++)
        assert_int_equal(jds->format->rule(jds, q, e), rules[e] == '#'   ? RULE_MAJOR
                                                       : rules[e] == '|' ? RULE_MINOR
                                                                         : RULE_NONE);
}

static void rules_are_drawn(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage jds = stored("jds", &a);
    expect_rules(&jds, JDS_PERM, "....");
    expect_rules(&jds, JDS_ITER_PTR, "....");
    expect_rules(&jds, (int)jds.number[JDS_COLUMNS], "...|..|");
    expect_rules(&jds, (int)jds.number[JDS_COLUMNS] + 1, "...|..|");
    storage_free(&jds);
    jds = stored("jds:sections=equal", &a);
    expect_rules(&jds, JDS_PERM, ".#.#");
    expect_rules(&jds, JDS_SECTION_ROW, "....");
    expect_rules(&jds, JDS_SECTION_PTR, "....");
    expect_rules(&jds, (int)jds.number[JDS_COLUMNS], ".||#.|.");
    storage_free(&jds);
    jds = stored("jds:sections=equal,inside=csr", &a);
    expect_rules(&jds, JDS_ROW_PTR, ".#.#");
    expect_rules(&jds, (int)jds.number[JDS_COLUMNS], "...#.|.");
    storage_free(&jds);
    jds = stored("jds:longest=1", &a);
    expect_rules(&jds, (int)jds.number[JDS_COLUMNS] + 2, "..|..|.");
    storage_free(&jds);
    csr_free(&a);
}

static void expect_picture(const struct storage *jds, int64_t lines, int64_t wide, const int64_t *label,
                           const int64_t *cell)
{
    struct shape shape = jds->format->shape(jds);
    assert_int_equal(shape.lines, lines);
    assert_int_equal(shape.wide, wide);
    for (int64_t line = 0; line < lines; line++) {
        assert_int_equal(jds->format->label(jds, line), label[line]);
        for (int64_t c = 0; c < wide; c++)
            assert_int_equal(jds->format->cell(jds, line, c), cell[line * wide + c]);
    }
}

static void sorted_rows_are_drawn(void **state)
{
    static const int64_t label[] = {2, 0, 3, 1}, without[] = {0, 3, 1};
    static const int64_t plain[] = {0, 3, 6, 1, 4, -1, 2, 5, -1, -1, -1, -1};
    static const int64_t padded[] = {0, 3, 6, 1, 4, 7, 2, 5, 8, -1, -1, -1};
    static const int64_t by_rows[] = {0, 1, 2, 3, -1, -1};
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage jds = stored("jds", &a);
    expect_picture(&jds, 4, 3, label, plain);
    storage_free(&jds);
    jds = stored("jds:sections=equal,height=3", &a);
    expect_picture(&jds, 4, 3, label, padded);
    expect_place(jds.format->place(&jds, 0, 7), 0, 2); /* padding of row 0 */
    expect_place(jds.format->place(&jds, 0, 8), 3, 3);
    storage_free(&jds);
    jds = stored("jds:sections=equal,inside=csr,longest=2", &a);
    expect_picture(&jds, 3, 2, without, by_rows);
    int64_t line, c;
    struct spot apart = spot_of(&jds, &a, 2, 1), none = spot_of(&jds, &a, 3, 1);
    assert_int_equal(apart.part, 1);
    jds.format->find(&jds, &apart, &line, &c);
    assert_true(line == -1 && c == -1);
    jds.format->find(&jds, &none, &line, &c);
    assert_true(line == 1 && c == -1);
    storage_free(&jds);
    csr_free(&a);
}

/* n rows of 2 entries and one of n: sections of equal length need no padding, those of 32 rows do. */
static void sizes_have_closed_forms(void **state)
{
    const int64_t n = 3000, nnz = 3 * n - 2;
    struct csr a = stored_matrix("arrow.mtx.gz");
    struct storage jds = stored("jds", &a);
    struct format_size size = storage_size(&jds);
    assert_int_equal(size.slots, nnz);
    assert_int_equal(size.integers, n + n + 1 + nnz);
    assert_int_equal(size.bytes, (n + n + 1 + nnz) * 4 + nnz * 8);
    storage_free(&jds);
    jds = stored("jds:sections=equal", &a);
    assert_int_equal(storage_size(&jds).padding, 0);
    assert_int_equal(storage_size(&jds).integers, n + 3 + 3 + nnz);
    storage_free(&jds);
    jds = stored("jds:sections=equal,height=32", &a);
    assert_int_equal(storage_size(&jds).slots, 32 * n + (n - 32) * 2);
    storage_free(&jds);
    jds = stored("jds:sections=equal,longest=2", &a);
    size = storage_size(&jds);
    assert_int_equal(size.slots, nnz);
    assert_int_equal(jds.slots[1], n);
    assert_int_equal(size.integers, (n - 1) + 2 + 2 + (nnz - n) + 2 * n);
    storage_free(&jds);
    csr_free(&a);
}

static void nothing_is_stored_too(void **state)
{
    struct csr none = support_dense(0, 0, NULL), wide = support_dense(0, 5, NULL);
    struct csr high = support_dense(3, 0, NULL), empty = rows_of((const int[]){0, 0, 0}, 3);
    struct csr *without[] = {&none, &wide}, *with[] = {&high, &empty};
    for (int k = 0; k < 2; k++) {
        struct storage plain = stored("jds", without[k]), cut = stored("jds:sections=share", without[k]);
        stored_expect(&plain, "perm", "");
        stored_expect(&plain, "iter_ptr", "0");
        stored_expect(&cut, "section_row", "0");
        stored_expect(&cut, "section_ptr", "0");
        storage_free(&plain);
        storage_free(&cut);
        plain = stored("jds", with[k]), cut = stored("jds:sections=equal,inside=csr", with[k]);
        stored_expect(&plain, "perm", "0 1 2");
        stored_expect(&plain, "iter_ptr", "0");
        stored_expect(&cut, "section_row", "0 3");
        stored_expect(&cut, "section_ptr", "0 0");
        stored_expect(&cut, "row_ptr", "0");
        storage_free(&plain);
        storage_free(&cut);
    }
    csr_free(&none);
    csr_free(&wide);
    csr_free(&high);
    csr_free(&empty);
}

/* An entry of value 0 beside padding of value 0. */
static void zeros_are_kept(void **state)
{
    static const int lengths[] = {2, 1};
    struct csr a = rows_of(lengths, 2), back;
    a.val[1] = a.val[2] = 0;
    struct storage jds = stored("jds:sections=equal,height=2", &a);
    stored_expect(&jds, "val", "1 0 0 *");
    stored_expect(&jds, "col", "0 0 1 0");
    assert_int_equal(storage_unpack(&jds, NULL, &back, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&back), 3);
    csr_free(&back);
    storage_free(&jds);
    csr_free(&a);
}

static void expect_usage(const struct csr *a, const char *format, const char *words)
{
    const struct storing options = {0};
    const char *message;
    assert_int_equal(stored_status(format, &options, a, &message), STATUS_USAGE);
    if (!strstr(message, words)) fail_msg("%s, not %s", message, words);
}

static void parameters_agree(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    expect_usage(&a, "jds:height=4", "height says nothing with sections=none; add sections=equal or");
    expect_usage(&a, "jds:inside=csr", "inside says nothing with sections=none");
    expect_usage(&a, "jds:share=0.3", "share says nothing with sections=none; add sections=share");
    expect_usage(&a, "jds:sections=equal,share=0.3",
                 "share says nothing with sections=equal; add sections=share");
    struct storage jds = stored("jds:sections=none,height=1,share=0.5,inside=ell", &a);
    storage_free(&jds);
    csr_free(&a);
}

static void refused(const struct storage *storage, const char *message)
{
    struct error error = {0};
    assert_int_equal(storage_validate(storage, &error), STATUS_INPUT);
    if (!strstr(error.message, message)) fail_msg("%s, not %s", error.message, message);
}

static int32_t *integers(const struct storage *storage, const char *name)
{
    return stored_array(storage, name)->data;
}

static void faults_are_named(void **state)
{
    struct csr a = stored_matrix("pmpp.mtx");
    struct storage jds = stored("jds", &a);
    int32_t *perm = integers(&jds, "perm"), *iter_ptr = integers(&jds, "iter_ptr"),
            *col = integers(&jds, "col");
    perm[1] = 4, refused(&jds, "perm[1] = 4 lies out of range");
    perm[1] = 2, refused(&jds, "perm[1] = 2 occurs twice");
    perm[1] = 0, iter_ptr[1] = 4, refused(&jds, "iter_ptr[1] = 4 makes the diagonal longer");
    iter_ptr[1] = 2, refused(&jds, "iter_ptr[2] = 6 makes the diagonal longer");
    iter_ptr[1] = 3, iter_ptr[2] = 7, refused(&jds, "iter_ptr[2] = 7 makes the diagonal longer");
    iter_ptr[1] = 6, iter_ptr[2] = 6, refused(&jds, "iter_ptr[1] = 6 makes the diagonal longer");
    iter_ptr[1] = 3, col[6] = -1, refused(&jds, "col[6] = -1 lies out of range");
    storage_free(&jds);

    jds = stored("jds:sections=equal,height=3", &a);
    int32_t *row = integers(&jds, "section_row"), *ptr = integers(&jds, "section_ptr");
    row[1] = 2, refused(&jds, "section_ptr[1] = 9 makes no rectangle");
    row[1] = 0, refused(&jds, "section_row[1] = 0 leaves the section empty");
    row[1] = 3, row[2] = 3, refused(&jds, "section_row[2] = 3 is not the end");
    row[2] = 4, ptr[1] = 10, refused(&jds, "section_ptr[2] = 9 is less than the one before");
    storage_free(&jds);

    jds = stored("jds:sections=equal,inside=csr,longest=2", &a);
    row = integers(&jds, "row_ptr"), ptr = integers(&jds, "section_ptr");
    row[1] = 5, refused(&jds, "row_ptr[2] = 4 is less than the one before");
    row[1] = 2, ptr[1] = 3, refused(&jds, "section_ptr[1] = 3 is not where its first row begins");
    ptr[1] = 4, integers(&jds, "coo_row")[1] = 1, refused(&jds, "coo_row[1] = 1 is less than the one before");
    storage_free(&jds);
    csr_free(&a);
}

/* One section of 66001 rows, 40000 slots wide: its pointers do not fit into 32 bits, and then all offsets
 * have 64. */
static void offsets_are_of_one_size(void **state)
{
    enum { LONG = 40000, SHORT = 66000 };
    struct csr a = {.rows = SHORT + 1, .cols = LONG};
    a.row_ptr = calloc(SHORT + 2, sizeof *a.row_ptr);
    a.col = calloc(LONG + SHORT, sizeof *a.col);
    a.val = calloc(LONG + SHORT, sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 1; i <= a.rows; i++)
        a.row_ptr[i] = LONG + i - 1;
    for (int32_t j = 0; j < LONG; j++)
        a.col[j] = j;
    const struct storing options = {.precision = PRECISION_F64};
    struct storage jds;
    assert_int_equal(
        storing_plan(&format_jds, "sections=equal,height=100000", &options, &a, NULL, &jds, NULL), STATUS_OK);
    assert_int_equal(jds.slots[0], (int64_t)(SHORT + 1) * LONG);
    assert_int_equal(jds.array[JDS_SECTION_ROW].element, ELEMENT_I64);
    assert_int_equal(jds.array[JDS_SECTION_PTR].element, ELEMENT_I64);
    storage_free(&jds);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 5);
    stored_sweep("jds", &a);
    stored_sweep("jds:longest=10", &a);
    stored_sweep("jds:sections=equal,height=4", &a);
    stored_sweep("jds:sections=share,inside=csr,longest=10", &a);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_book_s_diagonals),      cmocka_unit_test(the_book_s_sections),
        cmocka_unit_test(longest_rows_go_to_coo),    cmocka_unit_test(rules_cut_where_they_say),
        cmocka_unit_test(offsets_lead_to_entries),   cmocka_unit_test(rules_are_drawn),
        cmocka_unit_test(sorted_rows_are_drawn),     cmocka_unit_test(sizes_have_closed_forms),
        cmocka_unit_test(nothing_is_stored_too),     cmocka_unit_test(zeros_are_kept),
        cmocka_unit_test(parameters_agree),          cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail), cmocka_unit_test(offsets_are_of_one_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
