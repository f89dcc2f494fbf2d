/* base/libraries: a library is searched for once, and each request reports all that it lacks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/libraries.h"
#include "support/unit.h"

static double (*cosine)(double), (*hypotenuse)(double, double);
static void (*absent)(void);

static const char *const files[] = {"libm.so.6", NULL}, *const missing[] = {"libnowhere.so.9", NULL},
                         *const folders[] = {NULL};

static const struct library_place maths = {.title = "the mathematics",
                                           .variable = "SPARSIGHT_TEST_LIBRARY",
                                           .files = files,
                                           .folders = folders,
                                           .install = "it is there"};
static const struct library_place nowhere = {.title = "a library of no one",
                                             .variable = "SPARSIGHT_TEST_LIBRARY",
                                             .files = missing,
                                             .folders = folders,
                                             .install = "to install it: look elsewhere"};

/* The first call finds all functions; a later call does not search again. */
TEST(a_library_is_looked_for_once)
{
    struct library_once once = LIBRARY_ONCE;
    const struct library_symbol wanted[] = {{"cos", &cosine}, {"hypot", &hypotenuse}, {NULL, NULL}};
    struct error error = {0};
    assert_int_equal(library_need(&once, &maths, wanted, &error), STATUS_OK);
    assert_true(once.looked);
    assert_non_null(cosine);
    assert_non_null(hypotenuse);
    assert_true(cosine(0) == 1 && hypotenuse(3, 4) == 5);
    cosine = NULL;
    assert_int_equal(library_need(&once, &maths, wanted, &error), STATUS_OK);
    assert_null(cosine);
    assert_int_equal(error.status, STATUS_OK);
}

/* The reason is kept and stays the same, although the library could be found by now. */
TEST(a_missing_library_stays_missing)
{
    struct library_once once = LIBRARY_ONCE;
    const struct library_symbol wanted[] = {{"cos", &cosine}, {NULL, NULL}};
    struct error first = {0}, second = {0};
    assert_int_equal(library_need(&once, &nowhere, wanted, &first), STATUS_UNAVAILABLE);
    assert_int_equal(first.status, STATUS_UNAVAILABLE);
    assert_says(first.message, "a library of no one", "libnowhere.so", "look elsewhere");
    assert_int_equal(library_need(&once, &maths, wanted, &second), STATUS_UNAVAILABLE);
    assert_string_equal(second.message, first.message);
}

TEST(a_library_without_a_function_says_which)
{
    struct library_once once = LIBRARY_ONCE;
    const struct library_symbol wanted[] = {
        {"cos", &cosine}, {"sparsight_no_function", &absent}, {"sparsight_no_other", &absent}, {NULL, NULL}};
    for (int again = 0; again < 2; again++) {
        struct error error = {0};
        assert_int_equal(library_need(&once, &maths, wanted, &error), STATUS_UNAVAILABLE);
        assert_int_equal(error.status, STATUS_UNAVAILABLE);
        assert_string_equal(error.message,
                            "the mathematics has no sparsight_no_function: it is too old, or not whole");
    }
}

/* The variable names the file, which is then the only one. */
TEST(the_variable_comes_first)
{
    struct library_once once = LIBRARY_ONCE, other = LIBRARY_ONCE;
    const struct library_symbol wanted[] = {{"cos", &cosine}, {NULL, NULL}};
    struct error error = {0};
    cosine = NULL;
    setenv("SPARSIGHT_TEST_LIBRARY", "libm.so.6", 1);
    assert_int_equal(library_need(&once, &nowhere, wanted, &error), STATUS_OK);
    assert_non_null(cosine);
    setenv("SPARSIGHT_TEST_LIBRARY", "/nowhere/libm.so.6", 1);
    assert_int_equal(library_need(&other, &maths, wanted, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "/nowhere/libm.so.6");
    unsetenv("SPARSIGHT_TEST_LIBRARY");
}
