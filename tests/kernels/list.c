/* Lists of kernels as the command line has them: backends, globs, parameters of kernel and format, and stars.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "kernels/list.h"
#include "support/cmocka.h"

/* A table for this test: two kernels of one format, and one of another format without parameters. */
static const char *const orders[] = {"rows", "columns", NULL};
static const struct parameter strips_parameters[] = {
    {"height", "rows of a strip", 1, 6, 4, .type = PARAMETER_INTEGER},
    {"order", "what comes first", .type = PARAMETER_WORD, .words = orders},
    {"share", "of something", 0, 1, 0.5, .type = PARAMETER_REAL},
    {"k", "left to the format", 0, 2147483647, 0, .type = PARAMETER_INTEGER, .automatic = "by rule"},
    {0},
};
static const struct parameter vector_parameters[] = {
    {"threads", "of a row", 2, 32, 8, .type = PARAMETER_POWER},
    {"shared", "memory", 0, 1, 0, .type = PARAMETER_INTEGER},
    {0},
};
static const struct parameter ranges_parameters[] = {
    {"few", "numbers", 1, 64, 1, .type = PARAMETER_INTEGER},
    {"many", "one more", 1, 65, 1, .type = PARAMETER_INTEGER},
    {0},
};
static const struct parameter none[] = {{0}};
static const struct format strips = {.name = "strips", .parameters = strips_parameters};
static const struct format plain = {.name = "plain", .parameters = none};
static const struct kernel strips_seq = {
    .name = "strips-seq", .backend = &backend_cpu, .format = &strips, .parameters = none};
static const struct kernel strips_vector = {
    .name = "strips-vector", .backend = &backend_cpu, .format = &strips, .parameters = vector_parameters};
static const struct kernel plain_seq = {
    .name = "plain-seq", .backend = &backend_cpu, .format = &plain, .parameters = none};
static const struct kernel *const table[] = {&strips_seq, &strips_vector, &plain_seq, NULL};

/* The list as "NAME[kernel's own][format's] ...". Free with free(). */
static char *written(const struct kernel_list *list)
{
    struct text text = {0};
    text_append(&text, "%s", "");
    for (int k = 0; k < list->count; k++) {
        const struct kernel_choice *choice = &list->choices[k];
        char own[CHOICE_NAME] = "", format[CHOICE_NAME];
        parameters_write(choice->kernel->parameters, &choice->values, "", own, sizeof own);
        text_append(&text, "%s%s[%s][%s]", k ? " " : "", choice->kernel->name, own,
                    format_choice_parameters(&choice->format, format, sizeof format));
    }
    return text.data;
}

static const struct {
    const char *text, *list;
} cases[] = {
    {"", ""},
    {"none", ""},
    {"none plain-seq", "plain-seq[][]"},
    {"plain-seq", "plain-seq[][]"},
    {"cpu/plain-seq", "plain-seq[][]"},
    {" \tplain-seq\n,plain-seq,, cpu/plain-seq", "plain-seq[][]"},
    {"cpu", "strips-seq[][] strips-vector[][] plain-seq[][]"},
    {"all", "strips-seq[][] strips-vector[][] plain-seq[][]"},
    {"cpu/*", "strips-seq[][] strips-vector[][] plain-seq[][]"},
    {"*/*-seq", "strips-seq[][] plain-seq[][]"},
    {"*-seq", "strips-seq[][] plain-seq[][]"},
    {"plain-seq cpu", "plain-seq[][] strips-seq[][] strips-vector[][]"},
    {"strips-seq,plain-seq", "strips-seq[][] plain-seq[][]"},
    {"strips-vector:threads=4,height=2", "strips-vector[threads=4][height=2]"},
    {"strips-vector:height=2,threads=4,order=columns,shared=1,plain-seq",
     "strips-vector[threads=4,shared=1][height=2,order=columns] plain-seq[][]"},
    {"strips-*:height=2", "strips-seq[][height=2] strips-vector[][height=2]"},
    {"strips-seq:k=3 strips-seq", "strips-seq[][k=3] strips-seq[][]"},
    /* the same choice in other words */
    {"strips-seq strips-seq:height=4", "strips-seq[][]"},
    {"strips-seq:height=2,order=columns strips-seq:order=columns,height=2",
     "strips-seq[][height=2,order=columns]"},
    {"strips-vector:height=2 strips-vector:threads=8,height=2.0", "strips-vector[][height=2]"},
    /* stars */
    {"strips-vector:threads=*",
     "strips-vector[threads=2][] strips-vector[threads=4][] strips-vector[threads=8][] "
     "strips-vector[threads=16][] strips-vector[threads=32][]"},
    {"strips-seq:order=*", "strips-seq[][order=rows] strips-seq[][order=columns]"},
    {"strips-seq:height=*",
     "strips-seq[][height=1] strips-seq[][height=2] strips-seq[][height=3] strips-seq[][height=4] "
     "strips-seq[][height=5] strips-seq[][height=6]"},
    {"strips-seq strips-seq:order=*", "strips-seq[][] strips-seq[][order=columns]"},
    {"strips-vector:order=*,height=2,shared=*",
     "strips-vector[shared=0][height=2,order=rows] strips-vector[shared=1][height=2,order=rows] "
     "strips-vector[shared=0][height=2,order=columns] strips-vector[shared=1][height=2,order=columns]"},
};

static void items_become_kernels(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct kernel_list list = {0};
        struct error error = {0};
        if (kernel_list_add_from(&list, table, cases[k].text, &error) != STATUS_OK)
            fail_msg("%s: %s", cases[k].text, error.message);
        char *text = written(&list);
        if (strcmp(text, cases[k].list) != 0) fail_msg("%s gives %s", cases[k].text, text);
        free(text);
        kernel_list_free(&list);
        kernel_list_free(&list);
    }
}

/* The first kernel's storage is requested by patterns alone unless an item names one of its kernels. */
static void names_are_no_patterns(void **state)
{
    static const struct {
        const char *text;
        bool by_pattern;
    } named[] = {
        {"cpu/csr-seq", false},
        {"csr-seq", false},
        {"cpu/csr-*", true},
        {"*/csr-seq", true},
        {"cpu", true},
        {"all", true},
        {"sell-seq:c=*", false},
        {"sell-s*:c=8", true},
        {"cpu/sell-* sell-seq", false},
        {"sell-seq cpu/sell-*", false},
        {"cpu/dia-* dia-omp", false}, /* dia-seq is the first */
        {"cpu/dia-* ell-omp", true},
        {"cpu/sell-*:c=8 sell-seq:c=4", true},
    };
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        struct kernel_list list = {0};
        assert_int_equal(kernel_list_add(&list, named[k].text, NULL), STATUS_OK);
        if (list.choices[0].format.by_pattern != named[k].by_pattern) fail_msg("%s", named[k].text);
        for (int other = 1; other < list.count; other++)
            if (format_choice_same(&list.choices[other].format, &list.choices[0].format))
                assert_int_equal(list.choices[other].format.by_pattern, named[k].by_pattern);
        kernel_list_name(&list);
        for (int other = 0; other < list.count; other++)
            assert_false(list.choices[other].format.by_pattern);
        kernel_list_free(&list);
    }
}

/* A star stands for 64 numbers at most. */
static void stars_stand_for_so_many_numbers(void **state)
{
    const struct format ranges = {.name = "ranges", .parameters = ranges_parameters};
    const struct kernel kernel = {
        .name = "ranges-seq", .backend = &backend_cpu, .format = &ranges, .parameters = none};
    const struct kernel *const one[] = {&kernel, NULL};
    struct kernel_list list = {0};
    struct error error = {0};
    assert_int_equal(kernel_list_add_from(&list, one, "ranges-seq:few=*", NULL), STATUS_OK);
    assert_int_equal(list.count, 64);
    assert_true(list.choices[63].format.values.number[0] == 64);
    assert_int_equal(kernel_list_add_from(&list, one, "ranges-seq:many=*", &error), STATUS_USAGE);
    assert_string_equal(error.message, "many=* would be too many values (1..65): name those that are wanted");
    kernel_list_free(&list);
}

/* A list has room for KERNEL_LIST_MAX choices, 64 times 64 here, and repeated choices need none. */
static void a_full_list_takes_no_more(void **state)
{
    const struct parameter both[] = {ranges_parameters[0], ranges_parameters[1], {0}};
    const struct format ranges = {.name = "ranges", .parameters = both};
    const struct kernel kernel = {
        .name = "ranges-seq", .backend = &backend_cpu, .format = &ranges, .parameters = none};
    const struct kernel *const one[] = {&kernel, NULL};
    struct kernel_list list = {0};
    struct error error = {0};
    char item[64];
    assert_int_equal(KERNEL_LIST_MAX, 64 * 64);
    for (int many = 1; many <= 64; many++) {
        snprintf(item, sizeof item, "ranges-seq:few=*,many=%d", many);
        assert_int_equal(kernel_list_add_from(&list, one, item, NULL), STATUS_OK);
    }
    assert_int_equal(kernel_list_add_from(&list, one, item, NULL), STATUS_OK);
    assert_int_equal(kernel_list_add_from(&list, one, "ranges-seq:many=65", &error), STATUS_USAGE);
    assert_string_equal(error.message, "the list has more than 4096 kernels");
    assert_int_equal(list.count, 4096);
    kernel_list_free(&list);
}

/* The kernel's own defaults, which replace those of its format. */
static void kernels_have_defaults_of_their_own(void **state)
{
    static const struct {
        const char *text, *list;
    } own[] = {
        {"strips-own", "strips-own[][height=3,order=columns]"},
        {"strips-own:height=2", "strips-own[][height=2,order=columns]"},
        {"strips-own:order=rows,k=3", "strips-own[][height=3,order=rows,k=3]"},
        {"strips-own:height=1,order=rows", "strips-own[][height=1,order=rows]"},
        {"strips-own strips-own:height=3", "strips-own[][height=3,order=columns]"},
        {"strips-own:order=*", "strips-own[][height=3,order=rows] strips-own[][height=3,order=columns]"},
    };
    struct kernel kernel = strips_seq;
    const struct kernel *const one[] = {&kernel, NULL};
    kernel.name = "strips-own";
    kernel.format_defaults = "order=columns,height=3";
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        struct kernel_list list = {0};
        assert_int_equal(kernel_list_add_from(&list, one, own[k].text, NULL), STATUS_OK);
        char *text = written(&list);
        if (strcmp(text, own[k].list) != 0) fail_msg("%s gives %s", own[k].text, text);
        free(text);
        kernel_list_free(&list);
    }
}

static void lists_grow(void **state)
{
    struct kernel_list list = {0};
    assert_int_equal(kernel_list_add_from(&list, table, "plain-seq", NULL), STATUS_OK);
    assert_int_equal(kernel_list_add_from(&list, table, "plain-seq strips-seq", NULL), STATUS_OK);
    assert_int_equal(list.count, 2);
    kernel_list_free(&list);
}

/* The program's own table. */
static void all_is_every_kernel(void **state)
{
    struct kernel_list list = {0};
    assert_int_equal(kernel_list_add(&list, "all", NULL), STATUS_OK);
    for (int k = 0; k < list.count; k++)
        assert_ptr_equal(list.choices[k].kernel, kernels[k]);
    assert_null(kernels[list.count]);
    assert_int_equal(kernel_list_add(&list, "cpu/csr-seq csr-omp", NULL), STATUS_OK);
    assert_null(kernels[list.count]);
    kernel_list_free(&list);
}

static void errors_of_lists_have_messages(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"strip", "no kernel is called 'strip'; there are cpu/strips-seq, cpu/strips-vector, cpu/plain-seq"},
        {"gpu/*", "no kernel is called 'gpu/*'; there are cpu/strips-seq, cpu/strips-vector, cpu/plain-seq"},
        {"cpu/", "no kernel is called 'cpu/'; there are cpu/strips-seq, cpu/strips-vector, cpu/plain-seq"},
        {"/plain-seq",
         "no kernel is called '/plain-seq'; did you mean cpu/plain-seq? 'sparsight kernels' lists all"},
        {"strips", "no kernel is called 'strips'; did you mean cpu/strips-*? 'sparsight kernels' lists all"},
        {"cpu/plain:k=1",
         "no kernel is called 'cpu/plain'; did you mean cpu/plain-*? 'sparsight kernels' lists all"},
        {"strip-seq",
         "no kernel is called 'strip-seq'; did you mean cpu/strips-seq? 'sparsight kernels' lists all"},
        {"plainnseqq",
         "no kernel is called 'plainnseqq'; did you mean cpu/plain-seq? 'sparsight kernels' lists all"},
        {"plain-seq:height=2",
         "plain-seq has no parameter 'height'; it has none, and its format plain has none"},
        {"strips-vector:h=2",
         "strips-vector has no parameter 'h'; it has threads, shared, and its format strips has "
         "height, order, share, k"},
        {"strips-vector:x=*",
         "strips-vector has no parameter 'x'; it has threads, shared, and its format strips has "
         "height, order, share, k"},
        {"strips-seq:height=7", "height=7 lies outside 1..6"},
        {"strips-seq:order=up", "order=up is none of rows|columns"},
        {"strips-vector:threads=1", "threads=1 lies outside 2..32"},
        {"strips-seq:height", "height needs a value: height=..."},
        {"strips-seq:height=1,height=2", "height is given twice"},
        {"strips-seq:height=*,height=2", "height is given twice"},
        {"strips-seq:share=*", "share=* would be too many values (0..1): name those that are wanted"},
        {"strips-seq:k=*", "k=* would be too many values (0..2147483647): name those that are wanted"},
        {"strips-seq,height=2", "'strips-seq,height=2': parameters come after a colon: strips-seq:height=2"},
        {"height=2", "'height=2' names no kernel"},
        {"none:height=2",
         "no kernel is called 'none'; there are cpu/strips-seq, cpu/strips-vector, cpu/plain-seq"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct kernel_list list = {0};
        struct error error = {0};
        enum status status = kernel_list_add_from(&list, table, wrong[k].text, &error);
        kernel_list_free(&list);
        if (status != STATUS_USAGE) fail_msg("%s is taken", wrong[k].text);
        assert_string_equal(error.message, wrong[k].message);
    }
}

static void every_allocation_may_fail(void **state)
{
    for (long fail = 0;; fail++) {
        struct kernel_list list = {0};
        memory_fail_after(fail);
        enum status status =
            kernel_list_add_from(&list, table, "cpu strips-vector:height=2,threads=*,order=columns", NULL);
        long failed = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        kernel_list_free(&list);
        if (!failed) return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_defaults_of_their_own),
        cmocka_unit_test(items_become_kernels),
        cmocka_unit_test(names_are_no_patterns),
        cmocka_unit_test(stars_stand_for_so_many_numbers),
        cmocka_unit_test(a_full_list_takes_no_more),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(all_is_every_kernel),
        cmocka_unit_test(errors_of_lists_have_messages),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
