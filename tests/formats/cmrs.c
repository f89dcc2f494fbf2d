/* formats/cmrs: a matrix by hand, packed columns, sorted strips, and the groups of modulo by brute force. */
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
#include "formats/cmrs.h"
#include "support/stored.h"
#include "support/support.h"

/* tests/support/strips.mtx, worked by hand. */

static void strips_by_rows(void **state)
{
    struct csr a = stored_matrix("tests/support/strips.mtx");
    struct storage cmrs = stored("cmrs:height=2", &a);
    stored_expect(&cmrs, "StripPtr", "0 5 9 11");
    stored_expect(&cmrs, "RowInStrip", "0 0 1 1 1 0 1 1 1 0 0");
    stored_expect(&cmrs, "ColInd", "0 3 1 2 4 2 0 2 3 1 4");
    stored_expect(&cmrs, "Val", "1 2 3 4 5 6 7 8 9 10 11");
    struct format_size size = storage_size(&cmrs);
    assert_int_equal(size.bytes, 4 * 4 + 11 * (1 + 4 + 8));
    assert_int_equal(size.integers, 4 + 11 + 11);
    assert_int_equal(size.padding, 0);
    storage_free(&cmrs);
    csr_free(&a);
}

static void strips_by_columns(void **state)
{
    struct csr a = stored_matrix("tests/support/strips.mtx");
    struct storage cmrs = stored("cmrs:height=2,sorted=1", &a);
    stored_expect(&cmrs, "StripPtr", "0 5 9 11");
    stored_expect(&cmrs, "RowInStrip", "0 1 1 0 1 1 0 1 1 0 0");
    stored_expect(&cmrs, "ColInd", "0 1 2 3 4 0 2 2 3 1 4");
    stored_expect(&cmrs, "Val", "1 3 4 2 5 7 6 8 9 10 11");
    storage_free(&cmrs);
    csr_free(&a);
}

static void expect_explained(const struct storage *storage, int q, int64_t e, const char *expected)
{
    struct text text = {0};
    storage->format->explain(storage, q, e, &text);
    assert_string_equal(text.data ? text.data : "", expected);
    text_free(&text);
}

/* Column times 16 plus row in strip. */
static void rows_packed_into_columns(void **state)
{
    struct csr a = stored_matrix("tests/support/strips.mtx");
    struct storage by_rows = stored("cmrs:height=2,packed=1", &a);
    struct storage by_columns = stored("cmrs:height=2,packed=1,sorted=1", &a);
    stored_expect(&by_rows, "ColInd", "0 48 17 33 65 32 1 33 49 16 64");
    stored_expect(&by_columns, "ColInd", "0 17 33 48 65 1 32 33 49 16 64");
    stored_expect(&by_columns, "Val", "1 3 4 2 5 7 6 8 9 10 11");
    assert_int_equal(by_rows.count, 3); /* no RowInStrip */
    assert_int_equal(storage_size(&by_rows).bytes, 4 * 4 + 11 * (4 + 8));
    assert_int_equal(storage_size(&by_rows).integers, 4 + 11);
    expect_explained(&by_rows, CMRS_COL_IND, 4, "column 4, row 1 of its strip: 0100|0001");
    expect_explained(&by_rows, CMRS_STRIP_PTR, 1, "");
    storage_free(&by_rows);
    by_rows = stored("cmrs:height=2", &a);
    expect_explained(&by_rows, CMRS_COL_IND, 4, "");
    storage_free(&by_rows);
    storage_free(&by_columns);
    csr_free(&a);
}

/* One strip of rows with 2, 3, 1, 3, 2 entries. With at most 1 entry of a row per group, it takes 3 groups.
 * Entries are dealt to groups in turn: row 0 to groups 0 and 1, row 1 to 2, 0 and 1, row 2 to 2, row 3 to 0,
 * 1 and 2, and row 4 to 0 and 1. */
static void groups_by_hand(void **state)
{
    static const char columns[] = "0 1 0 1 %s 3 2 2 4 %s 4 2 3 %s", rows[] = "0 1 3 4 %s 0 1 3 4 %s 1 2 3 %s";
    static const char padding[] = "* * * * * * * * * * * * * * * * * * * * * * * * * * * *", more[] = " *";
    char text[600], last[80];
    struct csr a = stored_matrix("tests/support/strips.mtx");
    struct storage cmrs = stored("cmrs:modulo=1", &a);
    snprintf(last, sizeof last, "%s%s", padding, more);
    stored_expect(&cmrs, "StripPtr", "0 96");
    snprintf(text, sizeof text, columns, padding, padding, last);
    stored_expect(&cmrs, "ColInd", text);
    snprintf(text, sizeof text, rows, padding, padding, last);
    stored_expect(&cmrs, "RowInStrip", text);
    snprintf(text, sizeof text, "1 3 7 10 %s 2 4 8 11 %s 5 6 9 %s", padding, padding, last);
    stored_expect(&cmrs, "Val", text);
    const struct array *row = stored_array(&cmrs, "RowInStrip"), *col = stored_array(&cmrs, "ColInd");
    for (int64_t e = 0; e < 96; e++) /* padding repeats the slot before it */
        if (storage_padding(&cmrs, 0, e)) {
            assert_int_equal(array_integer(row, e), array_integer(row, e - 1));
            assert_int_equal(array_integer(col, e), array_integer(col, e - 1));
        }
    assert_int_equal(storage_size(&cmrs).padding, 96 - 11);
    storage_free(&cmrs);
    csr_free(&a);
}

/* The positions of rules, and the picture of a strip on the screen. */
static void strips_are_ruled_off(void **state)
{
    static const struct {
        const char *format;
        const char *rules; /* rules before elements 1, 2, ...: = begins a strip, - a row */
    } cases[] = {
        {"cmrs:height=2", " -  =-  = "},
        {"cmrs:height=2,sorted=1", "    =   = "},
        {"cmrs:height=1", " =  ==  = "},
    };
    struct csr a = stored_matrix("tests/support/strips.mtx");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct storage cmrs = stored(cases[n].format, &a);
        for (int64_t e = 1; e < 11; e++) {
            char rule = cases[n].rules[e - 1];
            assert_int_equal(cmrs.format->rule(&cmrs, CMRS_VAL, e), rule == '='   ? RULE_MAJOR
                                                                    : rule == '-' ? RULE_MINOR
                                                                                  : RULE_NONE);
        }
        storage_free(&cmrs);
    }
    struct storage cmrs = stored("cmrs:modulo=1", &a);
    for (int64_t e = 1; e < 96; e++)
        assert_int_equal(cmrs.format->rule(&cmrs, CMRS_VAL, e), e % 32 ? RULE_NONE : RULE_MINOR);
    assert_int_equal(cmrs.format->rule(&cmrs, CMRS_STRIP_PTR, 1), RULE_NONE);
    storage_free(&cmrs);
    cmrs = stored("cmrs:height=2", &a);
    struct spot spot = storage_spot(&cmrs, &a, (struct place){3, 2}, 7);
    struct extent extent = cmrs.format->touch(&cmrs, CMRS_STRIP_PTR, &spot);
    assert_true(extent.first == 1 && extent.end == 3);
    int64_t line, c;
    cmrs.format->find(&cmrs, &spot, &line, &c);
    assert_true(line == 1 && c == 2 && cmrs.format->label(&cmrs, 1) == 1);
    assert_int_equal(cmrs.format->leads(&cmrs, CMRS_STRIP_PTR, 2).row, 4);
    assert_int_equal(cmrs.format->leads(&cmrs, CMRS_STRIP_PTR, 3).row, -1);
    struct shape shape = cmrs.format->shape(&cmrs);
    assert_true(shape.lines == 3 && shape.wide == 5);
    storage_free(&cmrs);
    csr_free(&a);
}

/* Random matrices */

/* The contents of a slot, packed or not. */
struct held {
    int64_t row, col;
    double val;
};

static struct held held_in(const struct storage *cmrs, int64_t s, int64_t e)
{
    int64_t height = cmrs->number[CMRS_HEIGHT], col = array_integer(&cmrs->array[CMRS_COL_IND], e), row;
    double imaginary;
    if (cmrs->count == 3) {
        row = col % 16;
        col /= 16;
    } else
        row = array_integer(&cmrs->array[CMRS_ROW_IN_STRIP], e);
    return (struct held){s * height + row, col, array_value(&cmrs->array[CMRS_VAL], e, &imaginary)};
}

static int by_row(const void *left, const void *right)
{
    const struct held *a = left, *b = right;
    if (a->row != b->row) return a->row < b->row ? -1 : 1;
    return (a->col > b->col) - (a->col < b->col);
}

static int by_column(const void *left, const void *right)
{
    const struct held *a = left, *b = right;
    if (a->col != b->col) return a->col < b->col ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* The entries of rows first .. end-1 in an order; *n of them. */
static struct held *entries_of(const struct csr *a, int64_t first, int64_t end,
                               int order(const void *, const void *), int64_t *n)
{
    struct held *entries = malloc((size_t)(a->row_ptr[end] - a->row_ptr[first] + 1) * sizeof *entries);
    assert_non_null(entries);
    *n = 0;
    for (int64_t i = first; i < end; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            entries[(*n)++] = (struct held){i, a->col[k], a->val[k]};
    qsort(entries, (size_t)*n, sizeof *entries, order);
    return entries;
}

static void expect_held(struct held a, struct held b)
{
    assert_int_equal(a.row, b.row);
    assert_int_equal(a.col, b.col);
    assert_true(a.val == b.val);
}

/* Strips of every height, the last of them cut off or not, against sorting them with qsort. */
static void strips_equal_sorted_entries(void **state)
{
    for (int64_t rows = 31; rows <= 129; rows += 49)
        for (int height = 1; height <= 16; height++)
            for (int way = 0; way < 4; way++) {
                struct csr a = support_matrix(rows, 70, 0.15, true, false, (uint64_t)rows);
                char format[60];
                snprintf(format, sizeof format, "cmrs:height=%d,sorted=%d,packed=%d", height, way % 2,
                         way / 2);
                struct storage cmrs = stored(format, &a);
                const struct array *strip_ptr = stored_array(&cmrs, "StripPtr");
                int64_t strips = (rows + height - 1) / height, e = 0;
                assert_int_equal(strip_ptr->length, strips + 1);
                for (int64_t s = 0; s < strips; s++) {
                    int64_t n, end = (s + 1) * height < rows ? (s + 1) * height : rows;
                    struct held *entries = entries_of(&a, s * height, end, way % 2 ? by_column : by_row, &n);
                    assert_int_equal(array_integer(strip_ptr, s), e);
                    for (int64_t k = 0; k < n; k++)
                        expect_held(held_in(&cmrs, s, e++), entries[k]);
                    free(entries);
                }
                assert_int_equal(array_integer(strip_ptr, strips), e);
                storage_free(&cmrs);
                csr_free(&a);
            }
}

/* Strips of one row are CSR. */
static void strips_of_one_row_are_csr(void **state)
{
    struct csr a = support_matrix(90, 60, 0.2, true, false, 4);
    for (int sorted = 0; sorted < 2; sorted++) {
        struct storage cmrs = stored(sorted ? "cmrs:height=1,sorted=1" : "cmrs:height=1", &a);
        struct storage csr = stored("csr", &a);
        for (int q = 0; q < 3; q++)
            assert_memory_equal(cmrs.array[q].data, csr.array[q].data,
                                (size_t)csr.array[q].length * element_size(csr.array[q].element));
        for (int64_t e = 0; e < csr_nnz(&a); e++)
            assert_int_equal(array_integer(stored_array(&cmrs, "RowInStrip"), e), 0);
        storage_free(&cmrs);
        storage_free(&csr);
    }
    csr_free(&a);
}

/* Modulo */

/* The least number of groups that can hold rows first .. end-1 with at most `modulo` entries of a row
 * each. */
static int64_t fewest_groups(const struct csr *a, int64_t first, int64_t end, int64_t modulo)
{
    for (int64_t groups = 0;; groups++) {
        bool enough = 32 * groups >= a->row_ptr[end] - a->row_ptr[first];
        for (int64_t i = first; i < end; i++)
            enough = enough && modulo * groups >= a->row_ptr[i + 1] - a->row_ptr[i];
        if (enough) return groups;
    }
}

/* A group has at most `modulo` entries of each row, which are adjacent. Then it has padding only, which
 * repeats the last entry. */
static void check_group(const struct storage *cmrs, int64_t s, int64_t first, int64_t modulo)
{
    int64_t entries[16] = {0}, runs[16] = {0}, before = -1;
    bool padded = false;
    for (int64_t e = first; e < first + 32; e++) {
        struct held held = held_in(cmrs, s, e);
        int64_t row = held.row - s * 16;
        bool padding = storage_padding(cmrs, 0, e);
        assert_true(row >= 0 && row < 16);
        if (padding) {
            struct held last = held_in(cmrs, s, e - 1);
            assert_true(e > first && held.val == 0 && held.row == last.row && held.col == last.col);
            padded = true;
            continue;
        }
        assert_false(padded);
        runs[row] += row != before;
        entries[row]++;
        before = row;
    }
    for (int r = 0; r < 16; r++)
        assert_true(entries[r] <= modulo && runs[r] <= 1);
}

/* The entries of a strip, each of them once. */
static void check_strip(const struct storage *cmrs, const struct csr *a, int64_t s, int64_t first,
                        int64_t end)
{
    int64_t n, found = 0, last = (s + 1) * 16 < a->rows ? (s + 1) * 16 : a->rows;
    struct held *entries = entries_of(a, s * 16, last, by_row, &n);
    struct held *stored = malloc((size_t)(end - first + 1) * sizeof *stored);
    assert_non_null(stored);
    for (int64_t e = first; e < end; e++)
        if (!storage_padding(cmrs, 0, e)) stored[found++] = held_in(cmrs, s, e);
    assert_int_equal(found, n);
    qsort(stored, (size_t)found, sizeof *stored, by_row);
    for (int64_t k = 0; k < n; k++)
        expect_held(stored[k], entries[k]);
    free(stored);
    free(entries);
}

static void check_modulo(const struct csr *a, int64_t modulo, bool packed)
{
    char format[60];
    snprintf(format, sizeof format, "cmrs:modulo=%d%s", (int)modulo, packed ? ",packed=1" : "");
    struct storage cmrs = stored(format, a);
    const struct array *strip_ptr = stored_array(&cmrs, "StripPtr");
    assert_int_equal(strip_ptr->length, (a->rows + 15) / 16 + 1);
    for (int64_t s = 0; s + 1 < strip_ptr->length; s++) {
        int64_t first = array_integer(strip_ptr, s), end = array_integer(strip_ptr, s + 1);
        int64_t last = (s + 1) * 16 < a->rows ? (s + 1) * 16 : a->rows;
        assert_int_equal(end - first, 32 * fewest_groups(a, s * 16, last, modulo));
        for (int64_t e = first; e < end; e += 32)
            check_group(&cmrs, s, e, modulo);
        check_strip(&cmrs, a, s, first, end);
    }
    storage_free(&cmrs);
}

static void groups_keep_their_promises(void **state)
{
    for (int seed = 0; seed < 6; seed++)
        for (int64_t modulo = 1; modulo <= 32; modulo *= 2) {
            struct csr a = support_matrix(50 + 7 * seed, 20 + 60 * seed, seed % 3 * 0.2 + 0.02, seed % 2,
                                          false, (uint64_t)seed);
            check_modulo(&a, modulo, seed % 2);
            csr_free(&a);
        }
}

/* If threads share the strips, the groups of each strip begin where those of the strip before end. */
static void groups_of_a_large_matrix(void **state)
{
    struct csr a = stored_matrix("gen:powerlaw,scale=13,edge=20");
    threads_set(3);
    check_modulo(&a, 4, false);
    threads_set(0);
    csr_free(&a);
}

/* Refusals */

static void contradictions_are_refused(void **state)
{
    static const struct storing usual = {0};
    static const struct {
        const char *format, *message;
    } cases[] = {
        {"cmrs:modulo=4,height=8", "leave out height=8 or modulo"},
        {"cmrs:modulo=4,sorted=1", "leave out sorted=1 or modulo"},
    };
    struct csr a = stored_matrix("tests/support/strips.mtx");
    const char *message;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        assert_int_equal(stored_status(cases[n].format, &usual, &a, &message), STATUS_USAGE);
        assert_non_null(strstr(message, cases[n].message));
    }
    assert_int_equal(stored_status("cmrs:modulo=4,height=16,packed=1", &usual, &a, &message), STATUS_OK);
    assert_int_equal(stored_status("cmrs:modulo=0,height=3,sorted=1", &usual, &a, &message), STATUS_OK);
    csr_free(&a);
}

/* 28 bits hold columns up to 2^28 - 1, the last of which fills 32 bits with its row. */
static void packing_ends_at_28_bits(void **state)
{
    static const struct storing usual = {0};
    int64_t row_ptr[17];
    int32_t col[] = {(1 << 28) - 1};
    double val[] = {5};
    struct csr a = {.rows = 16, .cols = 1 << 28, .row_ptr = row_ptr, .col = col, .val = val};
    const char *message;
    memset(row_ptr, 0, sizeof row_ptr);
    row_ptr[16] = 1;
    struct storage cmrs = stored("cmrs:packed=1,height=16", &a);
    stored_expect(&cmrs, "ColInd", "4294967295");
    struct place place = cmrs.format->place(&cmrs, 0, 0);
    assert_true(place.row == 15 && place.col == (1 << 28) - 1);
    expect_explained(&cmrs, CMRS_COL_IND, 0,
                     "column 268435455, row 15 of its strip: 1111 1111 1111 1111 1111 1111 1111|1111");
    storage_free(&cmrs);
    a.cols++;
    col[0]++;
    assert_int_equal(stored_status("cmrs:packed=1", &usual, &a, &message), STATUS_LIMIT);
    assert_non_null(strstr(message, "268435456 columns, and the matrix has 268435457: leave out packed"));
    assert_int_equal(stored_status("cmrs", &usual, &a, &message), STATUS_OK);
}

/* Without entries, rows or columns */
static void empty_matrices_have_empty_strips(void **state)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 9}, {9, 0}, {40, 40}};
    static const char *const ways[] = {"cmrs", "cmrs:packed=1", "cmrs:sorted=1", "cmrs:modulo=2"};
    for (int n = 0; n < 4; n++)
        for (int f = 0; f < 4; f++) {
            struct csr a = support_matrix(sizes[n][0], sizes[n][1], 0, false, false, 1);
            struct storage cmrs = stored(ways[f], &a);
            int64_t height = f < 3 ? 8 : 16;
            const struct array *strip_ptr = stored_array(&cmrs, "StripPtr");
            assert_int_equal(strip_ptr->length, (a.rows + height - 1) / height + 1);
            for (int64_t s = 0; s < strip_ptr->length; s++)
                assert_int_equal(array_integer(strip_ptr, s), 0);
            assert_int_equal(storage_slots(&cmrs), 0);
            storage_free(&cmrs);
            csr_free(&a);
        }
}

/* Damage */

static void expect_fault(const struct storage *cmrs, const char *expected)
{
    struct error error = {0};
    assert_int_equal(storage_validate(cmrs, &error), STATUS_INPUT);
    if (!strstr(error.message, expected)) fail_msg("'%s' lacks '%s'", error.message, expected);
}

static void damage_is_named(void **state)
{
    struct csr a = stored_matrix("tests/support/strips.mtx");
    struct storage cmrs = stored("cmrs:height=2", &a);
    int32_t *col = cmrs.array[CMRS_COL_IND].data, *strip_ptr = cmrs.array[CMRS_STRIP_PTR].data;
    uint8_t *row = cmrs.array[CMRS_ROW_IN_STRIP].data;
    row[3] = 2, expect_fault(&cmrs, "RowInStrip[3] = 2 means a row outside the strip"), row[3] = 1;
    row[9] = 1, expect_fault(&cmrs, "RowInStrip[9] = 1 means a row outside the strip"), row[9] = 0;
    row[1] = 1, expect_fault(&cmrs, "ColInd[2] = 1 is not in the order"), row[1] = 0;
    col[7] = 5, expect_fault(&cmrs, "ColInd[7] = 5 means a column outside"), col[7] = 2;
    col[1] = 0, expect_fault(&cmrs, "ColInd[1] = 0 is not in the order"), col[1] = 3;
    strip_ptr[2] = 4, expect_fault(&cmrs, "StripPtr[2] = 4"), strip_ptr[2] = 9;
    strip_ptr[3] = 10, expect_fault(&cmrs, "StripPtr[3] = 10 is not the end"), strip_ptr[3] = 11;
    assert_int_equal(storage_validate(&cmrs, NULL), STATUS_OK);
    storage_free(&cmrs);

    cmrs = stored("cmrs:height=2,sorted=1", &a);
    col = cmrs.array[CMRS_COL_IND].data;
    col[1] = 0, assert_int_equal(storage_validate(&cmrs, NULL), STATUS_OK); /* the same column, a row below */
    col[2] = 0, expect_fault(&cmrs, "ColInd[2] = 0 is not in the order");
    storage_free(&cmrs);

    cmrs = stored("cmrs:modulo=1", &a); /* groups of rows 0 1 3 4, 0 1 3 4 and 1 2 3 */
    row = cmrs.array[CMRS_ROW_IN_STRIP].data;
    strip_ptr = cmrs.array[CMRS_STRIP_PTR].data;
    row[33] = 0, expect_fault(&cmrs, "ColInd[33] = 2 has more entries of its row before it"), row[33] = 1;
    row[63] = 3, expect_fault(&cmrs, "ColInd[63] = 4 is not in the order"), row[63] = 4;
    assert_int_equal(storage_validate(&cmrs, NULL), STATUS_OK);
    storage_free(&cmrs);
    struct csr b = support_matrix(17, 5, 1, false, false, 1);
    cmrs = stored("cmrs:modulo=32", &b);
    strip_ptr = cmrs.array[CMRS_STRIP_PTR].data;
    strip_ptr[1]++, expect_fault(&cmrs, "StripPtr[1] = 97 is no multiple of 32");
    storage_free(&cmrs);
    csr_free(&b);

    cmrs = stored("cmrs:height=2,packed=1", &a);
    ((uint32_t *)cmrs.array[CMRS_COL_IND].data)[10] += 1;
    expect_fault(&cmrs, "ColInd[10] = 65 means a row outside the strip");
    storage_free(&cmrs);
    csr_free(&a);
}

/* Values: both precisions, complex ones, explicit zeros beside padding, long offsets. */
static void values_of_every_kind_come_back(void **state)
{
    for (int way = 0; way < 16; way++) {
        struct csr a = support_matrix(70, 50, 0.2, true, way & 1, 8), back;
        const struct storing options = {.precision = way & 2 ? PRECISION_F32 : PRECISION_F64,
                                        .wide = way & 4};
        struct storage cmrs = stored_with(way & 8 ? "cmrs:modulo=2" : "cmrs:sorted=1", &options, &a);
        assert_int_equal(stored_array(&cmrs, "StripPtr")->element, way & 4 ? ELEMENT_I64 : ELEMENT_I32);
        assert_int_equal(storage_unpack(&cmrs, NULL, &back, NULL), STATUS_OK);
        assert_memory_equal(back.row_ptr, a.row_ptr, 71 * sizeof *a.row_ptr);
        assert_memory_equal(back.col, a.col, (size_t)csr_nnz(&a) * sizeof *a.col);
        for (int64_t k = 0; k < csr_nnz(&a); k++)
            assert_true(back.val[k] == a.val[k] && (!a.imaginary || back.imaginary[k] == a.imaginary[k]));
        csr_free(&back);
        storage_free(&cmrs);
        csr_free(&a);
    }
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = support_matrix(70, 50, 0.2, true, false, 8);
    stored_sweep("cmrs:modulo=4", &a);
    stored_sweep("cmrs:sorted=1,packed=1", &a);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_by_rows),
        cmocka_unit_test(strips_by_columns),
        cmocka_unit_test(rows_packed_into_columns),
        cmocka_unit_test(groups_by_hand),
        cmocka_unit_test(strips_are_ruled_off),
        cmocka_unit_test(strips_equal_sorted_entries),
        cmocka_unit_test(strips_of_one_row_are_csr),
        cmocka_unit_test(groups_keep_their_promises),
        cmocka_unit_test(groups_of_a_large_matrix),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(packing_ends_at_28_bits),
        cmocka_unit_test(empty_matrices_have_empty_strips),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(values_of_every_kind_come_back),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
