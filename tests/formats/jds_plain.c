/* formats/jds: its arrays with all kinds of parameters against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "formats/array.h"
#include "support/stored.h"
#include "support/support.h"

/* The meaning of a list of parameters. */
struct choice {
    const char *sections, *inside;
    int height;
    double share;
    int longest;
};

/* The contents of JDS by plain loops: perm, sections, slots and the COO part. */
struct plain {
    int64_t sorted, sections, slots, entries;
    int64_t *perm, *section_row, *section_ptr, *row_ptr; /* row_ptr: of all sorted rows */
    int64_t *entry; /* of each slot: the entry of the matrix, -1 for padding */
    int64_t *pad;   /* of each slot of padding: the entry whose column it repeats */
    int64_t *apart; /* entries of the COO part */
};

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

static int64_t *numbers(int64_t n)
{
    return test_calloc((size_t)n + 1, sizeof(int64_t));
}

/* Sort the rows that are not too long: each row goes in front of the shorter ones. Entries of the other rows
 * go to the COO part. */
static void sort_plainly(const struct csr *a, int64_t longest, struct plain *plain)
{
    plain->perm = numbers(a->rows);
    plain->apart = numbers(csr_nnz(a));
    for (int64_t i = 0; i < a->rows; i++) {
        if (length_of(a, i) > longest) {
            for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
                plain->apart[plain->entries++] = k;
            continue;
        }
        int64_t r = plain->sorted++;
        for (; r > 0 && length_of(a, plain->perm[r - 1]) < length_of(a, i); r--)
            plain->perm[r] = plain->perm[r - 1];
        plain->perm[r] = i;
    }
}

/* Cut sections row by row. A row joins the section before it if that is not high enough yet, or if the row is
 * long enough. */
static void cut_plainly(const struct csr *a, const struct choice *choice, struct plain *plain)
{
    double share = strcmp(choice->sections, "share") == 0 ? choice->share : 1;
    plain->section_row = numbers(a->rows);
    for (int64_t r = 0, first = 0; r <= plain->sorted; r++) {
        int64_t length = r < plain->sorted ? length_of(a, plain->perm[r]) : 0;
        int64_t wide = plain->sorted ? length_of(a, plain->perm[first]) : 0;
        bool joins =
            r < plain->sorted && (r - first < choice->height || (double)length >= share * (double)wide);
        if (length == 0 && wide > 0) joins = false;
        if (r == 0 || (joins && r < plain->sorted)) continue;
        plain->section_row[++plain->sections] = r;
        first = r;
        if (r == plain->sorted) break;
    }
}

static void put_slot(struct plain *plain, int64_t entry, int64_t pad)
{
    plain->entry[plain->slots] = entry;
    plain->pad[plain->slots++] = pad;
}

/* Slots first .. of the rows of a section, by columns and padded, or by rows. */
static void lay_out(const struct csr *a, int64_t s, bool by_rows, struct plain *plain)
{
    int64_t first = plain->section_row[s], end = plain->section_row[s + 1];
    int64_t wide = length_of(a, plain->perm[first]);
    for (int64_t r = first; by_rows && r < end; r++) {
        for (int64_t k = a->row_ptr[plain->perm[r]]; k < a->row_ptr[plain->perm[r] + 1]; k++)
            put_slot(plain, k, -1);
        plain->row_ptr[r + 1] = plain->slots;
    }
    for (int64_t d = 0; !by_rows && d < wide; d++)
        for (int64_t r = first; r < end; r++) {
            int64_t k = a->row_ptr[plain->perm[r]] + d, last = a->row_ptr[plain->perm[r] + 1] - 1;
            put_slot(plain, k <= last ? k : -1, last);
        }
    plain->section_ptr[s + 1] = plain->slots;
}

static struct plain make_plain(const struct csr *a, const struct choice *choice)
{
    struct plain plain = {0};
    int64_t longest = choice->longest ? choice->longest : a->cols;
    sort_plainly(a, longest, &plain);
    plain.row_ptr = numbers(a->rows);
    plain.section_ptr = numbers(a->rows);
    plain.entry = numbers(a->rows * a->cols);
    plain.pad = numbers(a->rows * a->cols);
    if (strcmp(choice->sections, "none") != 0) {
        cut_plainly(a, choice, &plain);
        for (int64_t s = 0; s < plain.sections; s++)
            lay_out(a, s, strcmp(choice->inside, "csr") == 0, &plain);
        return plain;
    }
    for (int64_t d = 0; d < a->cols; d++)
        for (int64_t r = 0; r < plain.sorted; r++)
            if (d < length_of(a, plain.perm[r])) put_slot(&plain, a->row_ptr[plain.perm[r]] + d, -1);
    return plain;
}

static void free_plain(struct plain *plain)
{
    int64_t *all[] = {plain->perm,  plain->section_row, plain->section_ptr, plain->row_ptr,
                      plain->entry, plain->pad,         plain->apart};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        test_free(all[k]);
}

static void same_integers(const struct storage *jds, const char *name, const int64_t *expected, int64_t n)
{
    const struct array *array = stored_array(jds, name);
    assert_int_equal(array->length, n);
    for (int64_t e = 0; e < n; e++)
        assert_int_equal(array_integer(array, e), expected[e]);
}

/* Element e of columns and values is entry k; -1: padding that repeats the column of entry `last`. */
static void same_slot(const struct csr *a, const struct array *col, const struct array *val, int64_t e,
                      int64_t k, int64_t last)
{
    double imaginary, real = array_value(val, e, &imaginary);
    assert_int_equal(array_integer(col, e), a->col[k < 0 ? last : k]);
    assert_true(real == (k < 0 ? 0 : a->val[k]));
    assert_true(imaginary == (k < 0 || !a->imaginary ? 0 : a->imaginary[k]));
}

static void same_slots(const struct storage *jds, const struct csr *a, const struct plain *plain)
{
    const struct array *col = stored_array(jds, "col"), *val = stored_array(jds, "val");
    assert_int_equal(col->length, plain->slots);
    assert_int_equal(val->length, plain->slots);
    for (int64_t e = 0; e < plain->slots; e++)
        same_slot(a, col, val, e, plain->entry[e], plain->pad[e]);
    if (plain->entries == 0) {
        assert_null(storage_values(jds, 1));
        return;
    }
    col = stored_array(jds, "coo_col");
    val = stored_array(jds, "coo_val");
    assert_int_equal(val->length, plain->entries);
    for (int64_t e = 0; e < plain->entries; e++) {
        int64_t k = plain->apart[e];
        same_slot(a, col, val, e, k, -1);
        assert_int_equal(array_integer(stored_array(jds, "coo_row"), e), csr_row_of(a, k));
    }
}

static void check_choice(const struct csr *a, const struct choice *choice, const struct storing *options)
{
    char format[200];
    bool shares = strcmp(choice->sections, "share") == 0, plain_jds = strcmp(choice->sections, "none") == 0;
    int n = snprintf(format, sizeof format, "jds:sections=%s,height=%d,inside=%s", choice->sections,
                     choice->height, choice->inside);
    if (shares) n += snprintf(format + n, sizeof format - (size_t)n, ",share=%g", choice->share);
    if (choice->longest) snprintf(format + n, sizeof format - (size_t)n, ",longest=%d", choice->longest);
    struct storage jds = stored_with(format, options, a);
    struct plain plain = make_plain(a, choice);
    same_integers(&jds, "perm", plain.perm, plain.sorted);
    same_slots(&jds, a, &plain);
    if (!plain_jds) {
        same_integers(&jds, "section_row", plain.section_row, plain.sections + 1);
        same_integers(&jds, "section_ptr", plain.section_ptr, plain.sections + 1);
    }
    if (strcmp(choice->inside, "csr") == 0) {
        int64_t filled = 0;
        while (filled < plain.sorted && length_of(a, plain.perm[filled]) > 0)
            filled++;
        same_integers(&jds, "row_ptr", plain.row_ptr, filled + 1);
    }
    free_plain(&plain);
    storage_free(&jds);
}

static void plain_loops_say_the_same(void **state)
{
    static const struct choice choices[] = {
        {"none", "ell", 1, 0, 0},    {"none", "ell", 1, 0, 3},       {"equal", "ell", 1, 0, 0},
        {"equal", "csr", 1, 0, 0},   {"equal", "ell", 4, 0, 0},      {"equal", "csr", 7, 0, 5},
        {"equal", "ell", 90, 0, 0},  {"share", "ell", 1, 0.5, 0},    {"share", "csr", 2, 0.75, 0},
        {"share", "ell", 5, 0.3, 4}, {"share", "ell", 1000, 0.3, 2}, {"equal", "ell", 1, 0, 1},
    };
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed, complex;
    } matrices[] = {{40, 30, 0.15, true, false}, {150, 12, 0.3, false, true}, {70, 200, 0.05, true, false},
                    {1, 9, 1, false, false},     {9, 1, 0.5, false, false},   {64, 64, 1, false, true}};
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++) {
        struct csr a = support_matrix(matrices[m].rows, matrices[m].cols, matrices[m].density,
                                      matrices[m].skewed, matrices[m].complex, 40 + m);
        for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
            for (int k = 0; k < 2; k++) {
                struct storing options = {.precision = k ? PRECISION_F32 : PRECISION_F64, .wide = k};
                check_choice(&a, &choices[c], &options);
            }
        csr_free(&a);
    }
}

/* Rows wider and matrices longer than the tiles of a transposition. */
static void large_ones_too(void **state)
{
    static const struct choice choices[] = {
        {"none", "ell", 1, 0, 0}, {"equal", "ell", 50, 0, 0}, {"share", "csr", 1, 0.9, 0}};
    struct csr a = support_matrix(400, 5000, 0.01, true, false, 77);
    const struct storing options = {0};
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
        check_choice(&a, &choices[c], &options);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_loops_say_the_same),
        cmocka_unit_test(large_ones_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
