/* matrix/build.c, mirrors.c: input that is not a matrix is refused with its line, and so is a matrix that
 * exceeds memory. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/build.h"
#include "support/cmocka.h"
#include "support/listed.h"

static void a_mirror_image_given_too_names_both_lines(void **state)
{
    for (int threads = 1; threads <= 3; threads++) {
        struct listed *list = listed_new(2);
        listed_put(list, 4, 2, 1, 0);
        listed_put(list, 9, 1, 7, 0);
        listed_put(list, 9, 1, 7, 0); /* a plain duplicate is no mirror image */
        listed_put(list, 3, 3, 1, 0);
        listed_put(list, 5, 6, 1, 0);
        listed_put(list, 2, 4, 1, 0); /* line 6 mirrors line 1 */
        listed_put(list, 6, 5, 1, 0); /* line 7 mirrors line 5 */
        struct source source = listed_source(list, SYMMETRY_SYMMETRIC, false);
        struct csr a;
        struct build_result result;
        struct error error = {0};
        threads_set(threads);
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_int_equal(error.line, 6);
        assert_non_null(strstr(error.message, "entry (3, 5) is the mirror image of line 1"));
        assert_null(a.row_ptr);
        free(list);
    }
    threads_set(0);
}

/* Both entries come after more entries of their block than a sink holds. */
static void mirror_images_deep_in_a_block_have_their_lines(void **state)
{
    struct listed *list = listed_new(4000);
    for (int e = 0; e < 2000; e++)
        listed_put(list, e == 1500 ? 7 : LISTED_SIDE - 1, e == 1500 ? 3 : e == 1900 ? 0 : e % 50 + 1, 1, 0);
    list->row[1900] = 3;
    list->col[1900] = 7;
    struct source source = listed_source(list, SYMMETRY_SYMMETRIC, false);
    struct csr a;
    struct build_result result;
    struct error error = {0};
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
    assert_int_equal(error.line, 1901);
    assert_non_null(strstr(error.message, "entry (4, 8) is the mirror image of line 1501"));
    free(list);
}

/* Build a matrix with (2, 1) of value `lower`, and (1, 2) of value `upper` given `times`, which may be mirror
 * images. */
static enum status build_mirrors(double lower[2], double upper[2], int times, struct csr *a)
{
    struct listed *list = listed_new(2);
    struct build_result result;
    listed_put(list, 2, 1, lower[0], lower[1]);
    for (int k = 0; k < times; k++)
        listed_put(list, 1, 2, upper[0], upper[1]);
    struct source source = listed_source(list, SYMMETRY_SYMMETRIC, true);
    source.agreeing_mirrors = true;
    enum status status = build_csr(&source, NULL, a, &result, NULL);
    free(list);
    return status;
}

static void mirrors_agree_in_both_parts_and_once(void **state)
{
    struct csr a;
    double one[2] = {3, 5}, conjugate[2] = {3, -5}, none[2] = {NAN, 5};
    assert_int_equal(build_mirrors(one, one, 1, &a), STATUS_OK);
    csr_free(&a);
    assert_int_equal(build_mirrors(one, conjugate, 1, &a), STATUS_INPUT);
    assert_int_equal(build_mirrors(one, one, 2, &a), STATUS_INPUT);
    assert_int_equal(build_mirrors(none, one, 1, &a), STATUS_INPUT);
    assert_int_equal(build_mirrors(none, none, 1, &a), STATUS_OK); /* a NaN and its image, too */
    assert_int_equal(csr_nnz(&a), 2);
    csr_free(&a);
}

static void agreeing_mirrors_are_one_entry_if_allowed(void **state)
{
    for (int kind = 1; kind < 4; kind++) {
        struct listed *list = listed_new(2);
        double sign = listed_kinds[kind] == SYMMETRY_SKEW ? -1 : 1, imaginary_sign = kind == 1 ? 1 : -1;
        listed_put(list, 4, 2, 3, 5);
        listed_put(list, 7, 6, 2, 1);
        listed_put(list, 2, 4, sign * 3, imaginary_sign * 5);
        listed_put(list, 8, 1, 4, 1);
        listed_put(list, 8, 1, 6, 1);
        struct source source = listed_source(list, listed_kinds[kind], true);
        source.agreeing_mirrors = true;
        struct csr a;
        struct build_result result;
        struct error error = {0};
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_OK);
        assert_int_equal(csr_nnz(&a), 6);
        assert_true(a.val[csr_find(&a, 4, 2)] == 3);
        assert_true(a.imaginary[csr_find(&a, 2, 4)] == imaginary_sign * 5);
        assert_true(a.val[csr_find(&a, 8, 1)] == 10);
        assert_int_equal(result.agreeing_mirrors, 1);
        assert_int_equal(result.duplicates, 1);
        csr_free(&a);

        list->val[2] += 1;
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_int_equal(error.line, 3);
        assert_non_null(strstr(error.message, "they differ"));
        free(list);
    }
}

static void the_first_error_of_the_input_is_reported(void **state)
{
    for (int threads = 1; threads <= 3; threads++)
        for (int bad_value = -1; bad_value < 3000; bad_value += 997) {
            struct listed *list = listed_random(3, SYMMETRY_GENERAL, 3000, 10);
            list->bad_place = 2000;
            list->bad_value = bad_value;
            struct source source = listed_source(list, SYMMETRY_GENERAL, false);
            struct csr a;
            struct build_result result;
            struct error error = {0};
            threads_set(threads);
            assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
            assert_int_equal(error.line, bad_value >= 0 && bad_value < 2000 ? bad_value + 1 : 2001);
            assert_null(a.row_ptr);
            free(list);
        }
    threads_set(0);
}

static void sizes_are_refused_before_allocating(void **state)
{
    struct listed *list = listed_random(1, SYMMETRY_GENERAL, 3000, 10);
    struct source source = listed_source(list, SYMMETRY_GENERAL, false);
    struct csr a;
    struct build_result result;
    struct error error = {0};
    source.rows = INT64_C(1) << 31;
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "32 bits"));
    source.rows = LISTED_SIDE;
    source.limit = 10000;
    error_clear(&error);
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "more than the limit of 9.77 KiB"));
    free(list);
}

static void every_allocation_may_fail(void **state)
{
    struct listed *list = listed_random(4, SYMMETRY_HERMITIAN, 500, 10);
    listed_put(list, 5, 9, 1, 1); /* both triangles, so that mirrors are looked for */
    struct source source = listed_source(list, SYMMETRY_HERMITIAN, true);
    source.agreeing_mirrors = true;
    struct csr a;
    struct build_result result;
    bool failed = true;
    for (int k = 0; failed; k++) {
        struct error error = {0};
        memory_fail_after(k);
        enum status status = build_csr(&source, NULL, &a, &result, &error);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        if (status == STATUS_OK || status == STATUS_INPUT) /* a refusal to shrink is no failure */
            csr_free(&a);
        else
            assert_int_equal(status, STATUS_MEMORY);
    }
    free(list);
}

static void cancelling_gives_nothing(void **state)
{
    struct listed *list = listed_random(1, SYMMETRY_GENERAL, 3000, 10);
    struct source source = listed_source(list, SYMMETRY_GENERAL, false);
    struct progress progress = {0};
    struct csr a;
    struct build_result result;
    progress_cancel(&progress);
    assert_int_equal(build_csr(&source, &progress, &a, &result, NULL), STATUS_CANCELLED);
    assert_null(a.row_ptr);
    free(list);
}

/* One entry in the counting pass, *self in the second, as if the file changed meanwhile. */
static enum status growing_block(void *self, int64_t k, struct sink *sink, struct error *error)
{
    for (int e = 0; e < (sink->values ? *(int *)self : 1); e++)
        sink_put(sink, LISTED_SIDE - 1, 0, 1, 0);
    return STATUS_OK;
}

static void more_entries_in_the_second_pass_are_refused(void **state)
{
    static int grown[] = {2, 1000};
    for (int k = 0; k < 2; k++) {
        struct csr a;
        struct build_result result;
        struct error error = {0};
        struct source source = {.rows = LISTED_SIDE,
                                .cols = LISTED_SIDE,
                                .blocks = 1,
                                .path = "list",
                                .self = &grown[k],
                                .block = growing_block};
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_string_equal(error.message, "changed while it was read");
        assert_null(a.row_ptr);
    }
}

/* In the second pass an entry of row 0 has moved to row 1, or an entry is missing. */
static enum status moving_block(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const int *fewer = self;
    for (int e = 0; e < 4 - (sink->values ? *fewer : 0); e++)
        sink_put(sink, e < 2 - (sink->values && !*fewer) ? 0 : 1, e, 1, 0);
    return STATUS_OK;
}

static void other_entries_in_the_second_pass_are_refused(void **state)
{
    static int fewer[] = {0, 1, 3};
    for (int k = 0; k < 3; k++) {
        struct csr a;
        struct build_result result;
        struct error error = {0};
        struct source source = {
            .rows = 3, .cols = 4, .blocks = 1, .path = "list", .self = &fewer[k], .block = moving_block};
        assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
        assert_string_equal(error.message, "changed while it was read");
        assert_null(a.row_ptr);
    }
}

/* Two blocks at the same time, both with an error in a position; the later block's error comes last. When
 * blocks are read again, for errors in values, there are none. */
static enum status block_with_error(void *self, int64_t k, struct sink *sink, struct error *error)
{
    atomic_int *begun = self;
    const struct timespec moment = {0, 1000 * 1000}, while_longer = {0, 100 * 1000 * 1000};
    if (sink->values) return STATUS_OK;
    atomic_fetch_add(begun, 1);
    for (int turn = 0; atomic_load(begun) < 2 && turn < 5000; turn++)
        nanosleep(&moment, NULL);
    if (k > 0) nanosleep(&while_longer, NULL);
    return error_at(error, STATUS_INPUT, "list", k + 1, 1, "bad place");
}

static void the_error_that_comes_last_is_not_the_first(void **state)
{
    atomic_int begun = 0;
    struct csr a;
    struct build_result result;
    struct error error = {0};
    struct source source = {.rows = LISTED_SIDE,
                            .cols = LISTED_SIDE,
                            .blocks = 2,
                            .path = "list",
                            .self = &begun,
                            .block = block_with_error};
    threads_set(2);
    assert_int_equal(build_csr(&source, NULL, &a, &result, &error), STATUS_INPUT);
    threads_set(0);
    assert_int_equal(error.line, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_entries_in_the_second_pass_are_refused),
        cmocka_unit_test(other_entries_in_the_second_pass_are_refused),
        cmocka_unit_test(a_mirror_image_given_too_names_both_lines),
        cmocka_unit_test(mirror_images_deep_in_a_block_have_their_lines),
        cmocka_unit_test(mirrors_agree_in_both_parts_and_once),
        cmocka_unit_test(agreeing_mirrors_are_one_entry_if_allowed),
        cmocka_unit_test(the_first_error_of_the_input_is_reported),
        cmocka_unit_test(the_error_that_comes_last_is_not_the_first),
        cmocka_unit_test(sizes_are_refused_before_allocating),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(cancelling_gives_nothing),
    };
    return cmocka_run_group_tests_name("build_errors", tests, NULL, NULL);
}
