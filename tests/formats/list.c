/* Lists of formats as the command line has them: commas between formats, commas between parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/format.h"
#include "formats/list.h"

/* The list as "csr ell:layout=rows", blanks between. Free with free(). */
static char *written(const struct format_list *list)
{
    struct text text = {0};
    for (int k = 0; k < list->count; k++) {
        char name[CHOICE_NAME];
        text_append(&text, "%s%s", k ? " " : "", format_choice_name(&list->choices[k], name, sizeof name));
    }
    return text.data;
}

static bool there(const char *names)
{
    char copy[200];
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
        if (!format_find(name)) return false;
    return true;
}

/* The formats that a case needs. The case is skipped while the table lacks one. */
static const struct {
    const char *needs, *text, *list;
} cases[] = {
    {"csr", "csr", "csr"},
    {"csr", "csr csr,csr: \t\ncsr", "csr"},
    {"csr", " , csr ,, ", "csr"},
    {"csr", "cs[qr]", "csr"},
    {"csr ell", "csr,ell", "csr ell"},
    {"csr ell", "ell csr", "ell csr"},
    {"csr ell", "ell:layout=rows,csr", "ell:layout=rows csr"},
    {"csr ell", "ell:layout=rows csr", "ell:layout=rows csr"},
    {"csr ell", "ell:layout=rows, csr", "ell:layout=rows csr"},
    {"csr ell", "ell:layout=rows,pad=sentinel,csr", "ell:layout=rows,pad=sentinel csr"},
    {"csr ell", "ell ell:layout=rows ell", "ell ell:layout=rows"},
    {"hyb", "hyb:k=3,hyb:k=4", "hyb:k=3 hyb:k=4"},
    {"hyb", "h*:k=3", "hyb:k=3"},
    {"cmrs", "cmrs:height=8,sorted=1", "cmrs:height=8,sorted=1"},
    /* the same choice in other words */
    {"sell", "sell:c=4,sigma=8 sell:sigma=8.0,c=4 sell:c=32 sell", "sell:c=4,sigma=8 sell:c=32"},
    {"hyb", "hyb hyb:k=3 hyb:k=3.0", "hyb hyb:k=3"},
};

static void commas_part_formats_or_parameters(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct format_list list = {0};
        struct error error = {0};
        if (!there(cases[k].needs)) continue;
        if (format_list_add(&list, cases[k].text, &error) != STATUS_OK)
            fail_msg("%s: %s", cases[k].text, error.message);
        char *text = written(&list);
        assert_string_equal(text, cases[k].list);
        free(text);
        format_list_free(&list);
        format_list_free(&list);
    }
}

static void all_means_every_variant(void **state)
{
    struct format_list list = {0}, stars = {0};
    int variants = 0, count = 0;
    for (int f = 0; formats[f]; f++, count++)
        for (int v = 0; formats[f]->variants[v]; v++)
            variants++;
    assert_int_equal(format_list_add(&list, "all", NULL), STATUS_OK);
    assert_int_equal(list.count, variants);
    assert_int_equal(format_list_add(&list, "all csr", NULL), STATUS_OK);
    assert_int_equal(list.count, variants);
    assert_int_equal(format_list_add(&stars, "*", NULL), STATUS_OK);
    assert_int_equal(stars.count, count);
    for (int k = 0; k < stars.count; k++) {
        assert_ptr_equal(stars.choices[k].format, formats[k]);
        const struct format_choice plain = format_choice_default(formats[k], PRECISION_F64);
        assert_true(format_choice_same(&stars.choices[k], &plain));
    }
    format_list_free(&list);
    format_list_free(&stars);
}

/* The first choice of a list is requested by patterns alone unless an item names it. */
static void names_are_no_patterns(void **state)
{
    static const struct {
        const char *text;
        bool by_pattern;
    } named[] = {
        {"csr", false},
        {"cs*", true},
        {"all", true},
        {"cs[r]", true},
        {"ell:pad=repeat", false},
        {"el?:layout=rows", true},
        {"el? ell", false},
        {"ell el?", false},
        {"all coo", false},
        {"all ell", true}, /* the first of all is coo */
    };
    assert_string_equal(formats[0]->name, "coo");
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        struct format_list list = {0};
        assert_int_equal(format_list_add(&list, named[k].text, NULL), STATUS_OK);
        if (list.choices[0].by_pattern != named[k].by_pattern) fail_msg("%s", named[k].text);
        format_list_name(&list);
        assert_false(list.choices[0].by_pattern);
        format_list_free(&list);
    }
}

static void nothing_is_an_empty_list(void **state)
{
    struct format_list list = {0};
    assert_int_equal(format_list_add(&list, "", NULL), STATUS_OK);
    assert_int_equal(format_list_add(&list, " ,\t,\n", NULL), STATUS_OK);
    assert_int_equal(list.count, 0);
    format_list_free(&list);
}

static void errors_of_lists_have_messages(void **state)
{
    static const struct {
        const char *text, *message; /* the message begins so */
    } wrong[] = {
        {"cs", "no format is called 'cs'; did you mean csr or csc? There are "},
        {"csr,cs", "no format is called 'cs'; did you mean csr or csc? There are "},
        {"x*", "no format is called 'x*'; there are "},
        {"CSR", "no format is called 'CSR'; did you mean csr? There are "},
        {":", "no format is called ''; there are "},
        {"x=1", "'x=1' names no format"},
        {"all:k=1", "all takes no parameters"},
        {"csr:x=1", "csr has no parameter 'x'; it has none"},
        {"csr:x", "csr has no parameter 'x'; it has none"},
        {"csr:x=1,y=2", "csr has no parameter 'x'; it has none"},
        {"csr,x=1", "'csr,x=1': parameters come after a colon: csr:x=1"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct format_list list = {0};
        struct error error = {0};
        if (format_list_add(&list, wrong[k].text, &error) != STATUS_USAGE)
            fail_msg("%s is taken", wrong[k].text);
        if (strncmp(error.message, wrong[k].message, strlen(wrong[k].message)) != 0)
            fail_msg("%s: %s", wrong[k].text, error.message);
        format_list_free(&list);
    }
}

static void every_allocation_may_fail(void **state)
{
    for (long fail = 0;; fail++) {
        struct format_list list = {0};
        memory_fail_after(fail);
        enum status status = format_list_add(&list, "csr all", NULL);
        long failed = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        format_list_free(&list);
        if (!failed) return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_part_formats_or_parameters),
        cmocka_unit_test(all_means_every_variant),
        cmocka_unit_test(names_are_no_patterns),
        cmocka_unit_test(nothing_is_an_empty_list),
        cmocka_unit_test(errors_of_lists_have_messages),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
