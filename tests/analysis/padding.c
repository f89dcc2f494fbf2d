/* analysis/padding against the formats themselves, which plan from the matrix. */
#include <math.h>
#include <stdio.h>

#include "analysis/padding.h"
#include "formats/format.h"
#include "support/cmocka.h"
#include "support/storing.h"
#include "support/support.h"

static void by_hand(void **state)
{
    /* rows of 2, 3, 2 and 1 entries (PMPP figure 10.1), cut at 2; values of 8 bytes */
    static struct length_count histogram[] = {{1, 1}, {2, 2}, {3, 1}};
    const struct lengths lengths = {.lines = 4, .nnz = 8, .max = 3, .histogram = histogram, .bins = 3};
    struct padding padding = padding_of(&lengths, 2, 8);
    assert_int_equal(padding.cut.rest, 1);
    assert_int_equal((int)padding.hyb_slots, 9);
    assert_int_equal((int)padding.ell_slots, 12);
    assert_int_equal((int)padding.hyb_bytes, 8 * 12 + 16);
    assert_int_equal((int)padding.ell_bytes, 12 * 12);
    assert_int_equal((int)padding.csr_bytes, 8 * 12 + 5 * 4);
    assert_int_equal((int)padding.min_bytes, 8 * 12 + 16); /* HYB's */
    assert_true(padding.ell_factor == 12. / 8 && padding.hyb_factor == 9. / 8);
    assert_int_equal((int)padding.hyb_padding, 1);
    assert_true(padding.padding_share == 1. / 9);
    assert_true(padding.kept_share == 7. / 8 && padding.rest_share == 1. / 8);
    assert_true(padding.longer_share == 1. / 4);
}

/* Without entries, or without lines, shares are NaN. */
static void of_nothing_there_is_no_share(void **state)
{
    static struct length_count histogram[] = {{0, 5}};
    const struct lengths empty = {.lines = 5, .histogram = histogram, .bins = 1}, none = {0};
    struct padding padding = padding_of(&empty, 0, 8);
    assert_true(isnan(padding.ell_factor) && isnan(padding.hyb_factor) && isnan(padding.padding_share));
    assert_true(isnan(padding.kept_share) && isnan(padding.rest_share) && padding.longer_share == 0);
    assert_true(isnan(padding_of(&none, 0, 8).longer_share));
}

/* The mean of this number of lines, rounded up. */
static void the_first_cut_is_the_mean(void **state)
{
    assert_int_equal(padding_first_cut(4, 8), 2);
    assert_int_equal(padding_first_cut(4, 9), 3);
    assert_int_equal(padding_first_cut(4, 7), 2);
    assert_int_equal(padding_first_cut(4, 0), 0);
    assert_int_equal(padding_first_cut(0, 0), 0);
    assert_int_equal(padding_first_cut(1, INT64_MAX), INT64_MAX);
}

/* Chunks of the rows of PMPP's figure 10.1, which are 2, 3, 2 and 1 long. */
static void a_chunk_is_as_wide_as_its_longest_row(void **state)
{
    static const int64_t row_ptr[] = {0, 2, 5, 7, 8, 8};
    struct chunk_padding chunk = padding_of_chunk(row_ptr, 0, 4, 4);
    assert_int_equal(chunk.entries, 8);
    assert_int_equal(chunk.slots, 12);
    assert_int_equal(chunk.padding, 4);
    assert_true(chunk.share == 1. / 3);
    chunk = padding_of_chunk(row_ptr, 2, 4, 2);
    assert_int_equal(chunk.slots, 4);
    assert_int_equal(chunk.padding, 1);
    chunk = padding_of_chunk(row_ptr, 3, 5, 8); /* the last chunk, which lacks six rows */
    assert_int_equal(chunk.slots, 8);
    assert_int_equal(chunk.padding, 7);
    chunk = padding_of_chunk(row_ptr, 4, 5, 2);
    assert_int_equal(chunk.slots, 0);
    assert_true(isnan(chunk.share));
}

/* Bytes of a format with these parameters. */
static double planned(const char *name, const char *parameters, const struct csr *a, double *slots)
{
    const struct storing options = {0};
    struct storage storage;
    assert_int_equal(storing_plan(format_find(name), parameters, &options, a, NULL, &storage, NULL),
                     STATUS_OK);
    struct format_size size = storage_size(&storage);
    *slots = (double)size.slots;
    storage_free(&storage);
    return (double)size.bytes;
}

static void as_the_formats_plan(void **state)
{
    for (int complex = 0; complex < 2; complex++) {
        struct csr a = support_matrix(200, 90, 0.1, true, complex, 4);
        struct lengths lengths;
        size_t value = complex ? 16 : 8;
        double slots;
        assert_int_equal(lengths_of_rows(&a, NULL, &lengths, NULL), STATUS_OK);
        for (int64_t k = 0; k <= lengths.max; k += 1 + k / 4) {
            char parameters[32];
            snprintf(parameters, sizeof parameters, "k=%lld", (long long)k);
            struct padding padding = padding_of(&lengths, k, value);
            assert_true(padding.hyb_bytes == planned("hyb", parameters, &a, &slots));
            assert_true(padding.hyb_slots == slots);
            assert_true(padding.ell_bytes == planned("ell", "", &a, &slots));
            assert_true(padding.ell_slots == slots);
            assert_true(padding.csr_bytes == planned("csr", "", &a, &slots));
        }
        lengths_free(&lengths);
        csr_free(&a);
    }
}

static void offsets_beyond_31_bits_are_wide(void **state)
{
    struct lengths lengths = {.lines = 10, .nnz = INT32_MAX};
    assert_true(padding_of(&lengths, 0, 4).csr_bytes == 8.0 * INT32_MAX + 11 * 4);
    lengths.nnz++;
    assert_true(padding_of(&lengths, 0, 4).csr_bytes == 8.0 * INT32_MAX + 8 + 11 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(of_nothing_there_is_no_share),
        cmocka_unit_test(the_first_cut_is_the_mean),
        cmocka_unit_test(a_chunk_is_as_wide_as_its_longest_row),
        cmocka_unit_test(as_the_formats_plan),
        cmocka_unit_test(offsets_beyond_31_bits_are_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
