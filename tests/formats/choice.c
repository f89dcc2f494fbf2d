/* Choices of formats: different texts of one choice, and its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "formats/format.h"

/* A format made for this, with a parameter of every kind. */
static const char *const orders[] = {"rows", "columns", NULL};
static const struct parameter parameters[] = {
    {"height", "rows of a block", 1, 6, 4, PARAMETER_INTEGER},
    {"width", "columns of a block", 1, 6, 0, PARAMETER_INTEGER, .like = "height"},
    {"order", "what comes first", .type = PARAMETER_WORD, .words = orders},
    {"k", "left to the format", 0, 1000, 0, PARAMETER_INTEGER, .automatic = "by rule"},
    {"share", "of something", 0, 1, 0.5, PARAMETER_REAL},
    {0},
};
static const char *const variants[] = {"", "order=columns,height=2", NULL};
static const struct format format = {.name = "blocks", .parameters = parameters, .variants = variants};

static struct format_choice read_choice(const char *text)
{
    struct format_choice choice;
    struct error error = {0};
    if (format_choice_read(&format, text, PRECISION_F64, &choice, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    return choice;
}

static void expect_name(const struct format_choice *choice, const char *name)
{
    char text[CHOICE_NAME];
    assert_string_equal(format_choice_name(choice, text, sizeof text), name);
}

static void equal_requests_are_equal(void **state)
{
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {
        {"", "", true},
        {"", "height=4,width=4,order=rows,share=0.5", true},
        {"height=2", "width=2,height=2", true},
        {"height=2", "height=2,width=4", false},
        {"height=2,order=columns", "order=columns,height=2.0", true},
        {"k=3", "k=3.0", true},
        {"", "k=0", false}, /* a parameter that the format chooses differs from a requested one */
        {"order=columns", "", false},
        {"share=0.25", "share=.25", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct format_choice one = read_choice(cases[k].one), other = read_choice(cases[k].other);
        int order = format_choice_compare(&one, &other), back = format_choice_compare(&other, &one);
        if (format_choice_same(&one, &other) != cases[k].same || (order == 0) != cases[k].same)
            fail_msg("'%s' and '%s'", cases[k].one, cases[k].other);
        assert_true(order == 0 ? back == 0 : (order > 0) == (back < 0));
    }
    struct format_choice single = read_choice(""), plain = read_choice("");
    single.precision = PRECISION_F32;
    assert_false(format_choice_same(&single, &plain));
    const struct format_choice standard = format_choice_default(&format, PRECISION_F64);
    assert_true(format_choice_same(&standard, &plain));
}

static void names_are_in_the_order_of_the_table(void **state)
{
    struct format_choice choice = read_choice("order=columns,height=2.0");
    char text[CHOICE_NAME];
    expect_name(&choice, "blocks:height=2,order=columns");
    assert_string_equal(format_choice_parameters(&choice, text, sizeof text), "height=2,order=columns");
    choice = read_choice("");
    expect_name(&choice, "blocks");
    choice.values.number[3] = 12; /* the format has chosen it */
    expect_name(&choice, "blocks:k=12");
    choice = read_choice("share=0.25,k=7,width=4");
    expect_name(&choice, "blocks:width=4,k=7,share=0.25");
}

static void a_parameter_that_is_set_is_given(void **state)
{
    struct format_choice choice = read_choice("");
    parameters_set(parameters, &choice.values, 0, 3);
    assert_true(choice.values.number[1] == 3); /* width goes by height */
    expect_name(&choice, "blocks:height=3");
    parameters_set(parameters, &choice.values, 1, 5);
    parameters_set(parameters, &choice.values, 0, 2);
    assert_true(choice.values.number[1] == 5); /* no more */
    parameters_set(parameters, &choice.values, 2, 1);
    expect_name(&choice, "blocks:height=2,width=5,order=columns");
    const struct format_choice read = read_choice("width=5,order=columns,height=2");
    assert_true(format_choice_same(&choice, &read));
}

static void variants_are_listed(void **state)
{
    static const struct {
        const char *text;
        bool listed;
    } cases[] = {
        {"", true}, {"height=2,order=columns", true}, {"height=4", true}, {"height=2", false}, {"k=0", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct format_choice choice = read_choice(cases[k].text);
        if (format_choice_listed(&choice) != cases[k].listed) fail_msg("'%s'", cases[k].text);
        choice.precision = PRECISION_F32;
        assert_int_equal(format_choice_listed(&choice), cases[k].listed);
    }
}

static void unreadable_choices_have_messages(void **state)
{
    struct format_choice choice;
    struct error error = {0};
    assert_int_equal(format_choice_read(&format, "depth=1", PRECISION_F64, &choice, &error), STATUS_USAGE);
    assert_string_equal(error.message,
                        "blocks has no parameter 'depth'; it has height, width, order, k, share");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_requests_are_equal),
        cmocka_unit_test(names_are_in_the_order_of_the_table),
        cmocka_unit_test(a_parameter_that_is_set_is_given),
        cmocka_unit_test(variants_are_listed),
        cmocka_unit_test(unreadable_choices_have_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
