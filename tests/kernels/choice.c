/* Choices of kernels: different texts of one choice, and its name. */
#include <string.h>

#include "base/threads.h"
#include "kernels/kernel.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* A kernel made for this and its format, of which it wants the columns first. */
static const char *const orders[] = {"rows", "columns", NULL};
static const struct parameter of_format[] = {
    {"height", "rows of a block", 1, 6, 4, PARAMETER_INTEGER},
    {"order", "what comes first", .type = PARAMETER_WORD, .words = orders},
    {0},
};
static const struct parameter own[] = {
    {"threads", "of a row", 2, 32, 8, PARAMETER_POWER},
    {"width", "left to the kernel", 1, 64, 0, PARAMETER_INTEGER, .automatic = "by rows"},
    {0},
};
static const struct format format = {.name = "blocks", .parameters = of_format};
static const struct kernel kernel = {.name = "blocks-vector",
                                     .backend = &backend_cuda,
                                     .format = &format,
                                     .parameters = own,
                                     .format_defaults = "order=columns"};

static struct kernel_choice read_choice(const char *text)
{
    struct kernel_choice choice;
    struct error error = {0};
    if (kernel_choice_read(&kernel, text, &choice, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    return choice;
}

static void equal_requests_are_equal(void **state)
{
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {
        {"", "", true},
        {"", "order=columns,threads=8,height=4", true}, /* the kernel's own default of its format */
        {"", "order=rows", false},
        {"height=2,threads=4", "threads=4,height=2.0", true},
        {"threads=4", "threads=16", false},
        {"height=1", "height=2", false},
        {"width=7", "", false}, /* a parameter that the kernel chooses differs from a requested one */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct kernel_choice one = read_choice(cases[k].one), other = read_choice(cases[k].other);
        int order = kernel_choice_compare(&one, &other), back = kernel_choice_compare(&other, &one);
        if (kernel_choice_same(&one, &other) != cases[k].same)
            fail_msg("'%s', '%s'", cases[k].one, cases[k].other);
        assert_true(cases[k].same ? order == 0 && back == 0 : order != 0 && (order > 0) == (back < 0));
    }
}

static void precision_and_threads_tell_choices_apart(void **state)
{
    const struct kernel_choice plain = read_choice(""), single = kernel_choice_with(&plain, PRECISION_F32, 0),
                               two = kernel_choice_with(&plain, PRECISION_F64, 2);
    assert_int_equal(plain.format.precision, PRECISION_F64);
    assert_int_equal(plain.threads, 0);
    assert_false(kernel_choice_same(&plain, &single));
    assert_false(kernel_choice_same(&plain, &two));
    assert_true(kernel_choice_alike(&plain, &two));
    assert_false(kernel_choice_alike(&plain, &single));
    const struct kernel_choice back = kernel_choice_with(&two, PRECISION_F64, 0);
    assert_true(kernel_choice_same(&plain, &back));
}

static void names_have_the_format_s_parameters_first(void **state)
{
    struct kernel_choice choice = read_choice("threads=4,height=2");
    char text[CHOICE_NAME];
    assert_string_equal(kernel_choice_name(&choice, text, sizeof text),
                        "cuda/blocks-vector:height=2,order=columns,threads=4");
    assert_string_equal(kernel_choice_short_name(&choice, text, sizeof text),
                        "blocks-vector:height=2,order=columns,threads=4");
    assert_string_equal(kernel_choice_parameters(&choice, text, sizeof text),
                        "height=2,order=columns,threads=4");
    choice = read_choice("");
    choice.values.number[1] = 12; /* the kernel has chosen it */
    assert_string_equal(kernel_choice_parameters(&choice, text, sizeof text), "order=columns,width=12");
    choice.format.values.given[1] = false;
    assert_string_equal(kernel_choice_parameters(&choice, text, sizeof text), "width=12");
    assert_string_equal(kernel_choice_name(&choice, text, 16), "cuda/blocks-vec"); /* room for the name */
}

/* 0 stands for as many as OpenMP would use. */
static void kernels_get_the_threads_that_were_asked_for(void **state)
{
    static const struct {
        const struct kernel *kernel;
        int asked, threads;
    } cases[] = {{&kernel_cpu_csr_omp, 0, 3}, {&kernel_cpu_csr_omp, 1, 1}, {&kernel_cpu_csr_omp, 2, 2},
                 {&kernel_cpu_csr_omp, 5, 5}, {&kernel_cpu_csr_seq, 0, 1}, {&kernel_cpu_csr_seq, 5, 1}};
    struct csr a = support_matrix(9, 9, 0.5, false, false, 1);
    struct storage storage = storing_done(kernel_cpu_csr_omp.format, "", NULL, &a);
    threads_set(3);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct preparing how = {.threads = cases[k].asked};
        struct launch launch = preparing_done(cases[k].kernel, "", &storage, &how);
        assert_int_equal(launch.threads, cases[k].threads);
        kernel_release(&launch);
    }
    threads_set(0);
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_requests_are_equal),
        cmocka_unit_test(precision_and_threads_tell_choices_apart),
        cmocka_unit_test(names_have_the_format_s_parameters_first),
        cmocka_unit_test(kernels_get_the_threads_that_were_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
