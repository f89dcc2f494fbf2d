/* Written parameters: accepted and omitted ones, and the messages of refused ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parameters.h"

enum { N, M, SHARE, ORDER, K, RULE, FILE_NAME };

static const char *const orders[] = {"row", "random", NULL};
static const char *const rules[] = {"bytes", "third", NULL};

static const struct parameter table[] = {
    [N] = {"n", "rows", 1, 2147483647, 100, .type = PARAMETER_INTEGER},
    [M] = {"m", "columns", 1, 2147483647, .type = PARAMETER_INTEGER, .like = "n"},
    [SHARE] = {"share", "share of the entries", 0, 1, 0.57, .type = PARAMETER_REAL},
    [ORDER] = {"order", "of the entries", .standard = 1, .type = PARAMETER_WORD, .words = orders},
    [K] = {"k", "entries a row", 0, 2147483647, .type = PARAMETER_INTEGER, .automatic = "by rule"},
    [RULE] = {"rule", "that chooses k", .type = PARAMETER_WORD, .words = rules, .automatic = "by size"},
    [FILE_NAME] = {"file", "to be read", .type = PARAMETER_TEXT},
    {0},
};

static const struct parameter none[] = {{0}};

static struct parameter_values read_good(const char *text)
{
    struct parameter_values values;
    struct error error = {0};
    if (parameters_read("thing", table, text, &values, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    return values;
}

static void omitted_parameters_have_defaults(void **state)
{
    struct parameter_values values = read_good("");
    assert_true(values.number[N] == 100 && values.number[M] == 100 && values.number[SHARE] == 0.57);
    assert_true(values.number[ORDER] == 1);
    assert_true(isnan(values.number[K]) && isnan(values.number[RULE]));
    assert_null(values.text);
    for (int k = 0; table[k].name; k++)
        assert_false(values.given[k]);
    parameters_free(&values);
}

static void given_parameters_are_read(void **state)
{
    struct parameter_values values = read_good("order=row,k=0,n=2147483647,share=0.125,rule=third");
    assert_true(values.number[ORDER] == 0 && values.number[K] == 0 && values.number[RULE] == 1);
    assert_true(values.number[N] == 2147483647 && values.number[SHARE] == 0.125);
    assert_true(values.number[M] == 2147483647); /* as n */
    assert_true(values.given[ORDER] && values.given[K] && values.given[N] && values.given[SHARE]);
    assert_false(values.given[M] || values.given[FILE_NAME]);
    parameters_free(&values);
    values = read_good("m=7");
    assert_true(values.number[N] == 100 && values.number[M] == 7);
    parameters_free(&values);
    values = read_good("n=1e3,share=1");
    assert_true(values.number[N] == 1000 && values.number[SHARE] == 1);
    parameters_free(&values);
    parameters_free(&values); /* again */
}

/* A text reaches to the next parameter of the table, commas and signs of equality included. */
static void text_may_hold_commas(void **state)
{
    static const struct {
        const char *text, *file;
        double n;
    } cases[] = {
        {"file=a.mtx", "a.mtx", 100},           {"file=a,b.mtx,n=5", "a,b.mtx", 5},
        {"n=5,file=a,b=c,,d", "a,b=c,,d", 5},   {"file=x,,n=6", "x,", 6},
        {"file=name=,nn=7", "name=,nn=7", 100},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct parameter_values values = read_good(cases[k].text);
        assert_string_equal(values.text, cases[k].file);
        assert_true(values.number[N] == cases[k].n);
        parameters_free(&values);
    }
}

static void errors_have_messages(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"x=1", "thing has no parameter 'x'; it has n, m, share, order, k, rule, file"},
        {"n", "n needs a value: n=..."},
        {"n,k=1", "n needs a value: n=..."},
        {"n=", "n= is not a number"},
        {"n=x", "n=x is not a number"},
        {"n=3x", "n=3x is not a number"},
        {"n=nan", "n=nan is not a number"},
        {"n=inf", "n=inf is not a number"},
        {"n=1e999", "n=1e999 is not a number"},
        {"n=1.5", "n=1.5 is not a whole number"},
        {"n=0", "n=0 lies outside 1..2147483647"},
        {"n=2147483648", "n=2147483648 lies outside 1..2147483647"},
        {"share=-0.1", "share=-0.1 lies outside 0..1"},
        {"k=-1", "k=-1 lies outside 0..2147483647"},
        {"n=1,n=1", "n is given twice"},
        {"file=a,file=b", "file is given twice"},
        {"file=", "file= names nothing"},
        {"file=,n=7", "file= names nothing"},
        {"order=rows", "order=rows is none of row|random; did you mean row?"},
        {"order=", "order= is none of row|random"},
        {"order=0", "order=0 is none of row|random"},
        {"order=Row", "order=Row is none of row|random; did you mean row?"},
        {"n=1,", "thing has no parameter ''; it has n, m, share, order, k, rule, file"},
        {",n=1", "thing has no parameter ''; it has n, m, share, order, k, rule, file"},
        {"n=1,,m=2", "thing has no parameter ''; it has n, m, share, order, k, rule, file"},
        {"=1", "thing has no parameter ''; it has n, m, share, order, k, rule, file"},
        {"N=1", "thing has no parameter 'N'; did you mean n? It has n, m, share, order, k, rule, file"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct parameter_values values;
        struct error error = {0};
        if (parameters_read("thing", table, cases[k].text, &values, &error) != STATUS_USAGE)
            fail_msg("%s is read", cases[k].text);
        assert_string_equal(error.message, cases[k].message);
        assert_null(values.text);
        assert_false(values.given[N]);
    }
    struct parameter_values values;
    struct error error = {0};
    assert_int_equal(parameters_read("csr", none, "n=1", &values, &error), STATUS_USAGE);
    assert_string_equal(error.message, "csr has no parameter 'n'; it has none");
    assert_int_equal(parameters_read("csr", none, "", &values, NULL), STATUS_OK);
}

/* Long unknown words are refused, and the message shortens them. */
static void long_words_are_cut(void **state)
{
    char text[5000];
    static const char *const starts[] = {"n=", "order=", ""};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        struct parameter_values values;
        struct error error = {0};
        memset(text, '1', sizeof text - 1);
        text[sizeof text - 1] = 0;
        memcpy(text, starts[k], strlen(starts[k]));
        assert_int_equal(parameters_read("thing", table, text, &values, &error), STATUS_USAGE);
        assert_true(strlen(error.message) < 160);
    }
}

static void values_are_written_as_they_are_read(void **state)
{
    static const struct {
        int k;
        double value;
        const char *text;
    } cases[] = {
        {N, 100, "100"},
        {N, 2147483647, "2147483647"},
        {SHARE, 0.57, "0.57"},
        {SHARE, 0, "0"},
        {SHARE, 1.0 / 3, "0.3333333333333333"},
        {ORDER, 0, "row"},
        {ORDER, 1, "random"},
        {K, 12, "12"},
        {K, NAN, "by rule"},
        {RULE, NAN, "by size"},
    };
    char out[64];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(parameter_value(&table[cases[k].k], cases[k].value, out, sizeof out),
                            cases[k].text);
}

static const struct parameter further[] = {
    {"packed", "rows with the columns", .standard = 1, .type = PARAMETER_YES_NO},
    {"block", "threads", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

/* 0|1 and no|yes are read, 0|1 is written. */
static void yes_and_no_are_numbers_and_words(void **state)
{
    static const struct {
        const char *text;
        int value;
    } cases[] = {{"packed=0", 0}, {"packed=no", 0}, {"packed=1", 1}, {"packed=yes", 1}, {"", 1}};
    static const char *const bad[] = {"packed=2", "packed=Yes", "packed=", "packed=y", "packed=1.0"};
    struct parameter_values values, others;
    char out[64];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(parameters_read("thing", further, cases[k].text, &values, NULL), STATUS_OK);
        assert_true(values.number[0] == cases[k].value);
        assert_string_equal(parameter_value(&further[0], values.number[0], out, sizeof out),
                            cases[k].value ? "1" : "0");
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct error error = {0};
        char message[64];
        snprintf(message, sizeof message, "%s is none of 0|1", bad[k]);
        assert_int_equal(parameters_read("thing", further, bad[k], &values, &error), STATUS_USAGE);
        assert_string_equal(error.message, message);
    }
    assert_int_equal(parameters_read("thing", further, "packed=no", &values, NULL), STATUS_OK);
    assert_int_equal(parameters_read("thing", further, "packed=0", &others, NULL), STATUS_OK);
    assert_true(parameters_same(further, &values, &others));
    assert_string_equal(parameter_range(&further[0], out, sizeof out), "0|1");
    assert_string_equal(parameter_default(&further[0], out, sizeof out), "1");
}

/* Words, and no and yes, are a few values; numbers and text are not. A parameter of powers of two is a whole
 * number. */
static void few_values_are_counted(void **state)
{
    struct parameter_values values;
    struct error error = {0};
    assert_int_equal(parameter_options(&table[ORDER]), 2);
    assert_int_equal(parameter_options(&further[0]), 2);
    assert_int_equal(parameter_options(&table[N]), 0);
    assert_int_equal(parameter_options(&table[SHARE]), 0);
    assert_int_equal(parameter_options(&table[FILE_NAME]), 0);
    assert_int_equal(parameter_options(&further[1]), 0);
    assert_int_equal(parameters_read("thing", further, "block=48", &values, NULL), STATUS_OK);
    assert_true(values.number[1] == 48);
    assert_int_equal(parameters_read("thing", further, "block=48.5", &values, &error), STATUS_USAGE);
    assert_string_equal(error.message, "block=48.5 is not a whole number");
}

static void the_table_describes_itself(void **state)
{
    struct text text = {0};
    char out[64];
    assert_int_equal(parameters_count(table), 7);
    assert_int_equal(parameters_count(none), 0);
    assert_string_equal(parameter_default(&table[N], out, sizeof out), "100");
    assert_string_equal(parameter_default(&table[M], out, sizeof out), "as n");
    assert_string_equal(parameter_default(&table[ORDER], out, sizeof out), "random");
    assert_string_equal(parameter_default(&table[K], out, sizeof out), "by rule");
    assert_string_equal(parameter_default(&table[FILE_NAME], out, sizeof out), "");
    assert_string_equal(parameter_range(&table[N], out, sizeof out), "1..2147483647");
    assert_string_equal(parameter_range(&table[SHARE], out, sizeof out), "0..1");
    assert_string_equal(parameter_range(&table[ORDER], out, sizeof out), "row|random");
    assert_string_equal(parameter_range(&table[FILE_NAME], out, sizeof out), "text");
    parameters_describe(table, &text);
    assert_string_equal(text.data, "    n       rows (1..2147483647, default 100)\n"
                                   "    m       columns (1..2147483647, default as n)\n"
                                   "    share   share of the entries (0..1, default 0.57)\n"
                                   "    order   of the entries (row|random, default random)\n"
                                   "    k       entries a row (0..2147483647, default by rule)\n"
                                   "    rule    that chooses k (bytes|third, default by size)\n"
                                   "    file    to be read (text)\n");
    text_free(&text);
}

static void every_allocation_may_fail(void **state)
{
    for (long fail = 0;; fail++) {
        struct parameter_values values;
        memory_fail_after(fail);
        enum status status = parameters_read("thing", table, "n=3,file=a.mtx,k=2", &values, NULL);
        long failed = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_true(failed ? values.text == NULL : strcmp(values.text, "a.mtx") == 0);
        parameters_free(&values);
        if (!failed) return;
    }
}

/* Values have room for this number: a longer table is refused before one is written. */
static void a_table_is_not_too_long(void **state)
{
    struct parameter many[PARAMETERS_MAX + 2];
    struct parameter_values values;
    struct error error = {0};
    for (int k = 0; k <= PARAMETERS_MAX; k++)
        many[k] = (struct parameter){.name = "p", .help = "", .max = 9, .type = PARAMETER_INTEGER};
    many[PARAMETERS_MAX] = many[PARAMETERS_MAX + 1] = (struct parameter){0};
    assert_int_equal(parameters_read("thing", many, "p=1", &values, &error), STATUS_OK);
    many[PARAMETERS_MAX] = many[0];
    assert_int_equal(parameters_read("thing", many, "p=1", &values, &error), STATUS_USAGE);
    assert_string_equal(error.message, "thing has more than 16 parameters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_not_too_long),
        cmocka_unit_test(omitted_parameters_have_defaults),
        cmocka_unit_test(given_parameters_are_read),
        cmocka_unit_test(text_may_hold_commas),
        cmocka_unit_test(errors_have_messages),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(values_are_written_as_they_are_read),
        cmocka_unit_test(yes_and_no_are_numbers_and_words),
        cmocka_unit_test(few_values_are_counted),
        cmocka_unit_test(the_table_describes_itself),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
