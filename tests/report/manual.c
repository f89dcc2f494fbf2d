/* The manual's page on formats: its texts come from the tables, also those with characters that mdoc
 * interprets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/format.h"
#include "kernels/kernel.h"
#include "report/manual.h"
#include "support/generate.h"
#include "support/said.h"

/* Sentences begin with a capital and end with a full stop. */
static void check_sentences(const char *owner, const char *name, const char *wins)
{
    if (!wins) fail_msg("%s%s does not say for which matrices it is (wins)", owner, name);
    size_t length = strlen(wins);
    if (length < 20 || wins[0] < 'A' || wins[0] > 'Z' || wins[length - 1] != '.')
        fail_msg("%s%s: not in whole sentences: %s", owner, name, wins);
    assert_null(strstr(wins, "  "));
}

static void every_format_and_kernel_says_for_which_matrices_it_is(void **state)
{
    for (int k = 0; formats[k]; k++)
        check_sentences("", formats[k]->name, formats[k]->wins);
    for (int k = 0; kernels[k]; k++)
        check_sentences(kernels[k]->backend->name, kernels[k]->name, kernels[k]->wins);
}

/* In mdoc a dot or an apostrophe begins a macro at the start of a line, and a backslash an escape; all other
 * characters are shown unchanged. Lines that begin with a dot are those of macros that the page uses. */
static void lines_are_text_or_macros_of_the_page(void **state)
{
    static const char *const macros[] = {".Dd", ".Dt", ".Os", ".Sh", ".Nm", ".Nd", ".Xr", ".Ql", ".Pp",
                                         ".Bd", ".Ed", ".Ss", ".Li", ".Bl", ".It", ".El", ".Dl"};
    struct matrix matrix = generated("random,m=7,n=5,mean=2,spread=2");
    struct text text = {0};
    struct error error = {0};
    assert_int_equal(append_manual(&matrix, &text, &error), STATUS_OK);
    for (char *line = text.data; *line; line = strchr(line, '\n') + 1) {
        bool known = line[0] != '.';
        for (size_t k = 0; k < sizeof macros / sizeof *macros; k++)
            known = known || (strncmp(line, macros[k], 3) == 0 && (line[3] == ' ' || line[3] == '\n'));
        if (!known || line[0] == '\'') fail_msg("%.60s", line);
    }
    for (const char *c = text.data; (c = strchr(c, '\\')); c += 2)
        assert_true(c[1] == 'e' || c[1] == '&');
    text_free(&text);
    matrix_free(&matrix);
}

/* The section of a format: from its heading to the next. Freed by the caller. */
static char *section_of(const char *page, const char *title, const char *name)
{
    char heading[128];
    snprintf(heading, sizeof heading, "\n.Ss %s (%s)\n", title, name);
    const char *begin = strstr(page, heading);
    if (!begin) fail_msg("no section of %s", name);
    const char *end = strstr(begin + 1, "\n.S");
    assert_non_null(end);
    return strndup(begin, (size_t)(end - begin));
}

/* Every format has a section, in the order of the table, with an example and each kernel of its own. */
static void every_format_and_kernel_is_on_the_page(void **state)
{
    struct matrix matrix = generated("random,m=7,n=5,mean=2,spread=2");
    struct text text = {0};
    struct error error = {0};
    const char *last = NULL;
    int sections = 0;
    assert_int_equal(append_manual(&matrix, &text, &error), STATUS_OK);
    for (int f = 0; formats[f]; f++) {
        char *section = section_of(text.data, formats[f]->title, formats[f]->name), words[160];
        snprintf(words, sizeof words, "\n.Ss %s (%s)\n", formats[f]->title, formats[f]->name);
        const char *here = strstr(text.data, words);
        assert_true(!last || here > last);
        last = here;
        snprintf(words, sizeof words, "The arrays of\n.Li %s", formats[f]->name);
        if (strcmp(formats[f]->name, "sss") == 0) /* the matrix is not symmetric */
            assert_says(section, "This matrix has no example: sss stores symmetric matrices by half");
        else
            assert_says(section, words, "\n.Bd -literal");
        for (int k = 0; kernels[k]; k++) {
            snprintf(words, sizeof words, "\n.It Li %s/%s\n", kernels[k]->backend->name, kernels[k]->name);
            assert_int_equal(strstr(section, words) != NULL, kernels[k]->format == formats[f]);
        }
        free(section);
    }
    for (const char *at = text.data; (at = strstr(at, "\n.Ss ")); at++)
        sections++;
    int count = 0;
    while (formats[count])
        count++;
    assert_int_equal(sections, count);
    text_free(&text);
    matrix_free(&matrix);
}

static void every_allocation_may_fail(void **state)
{
    struct matrix matrix = generated("laplace2d,n=2");
    enum status status = STATUS_MEMORY;
    for (int k = 0; status != STATUS_OK; k++) {
        struct text text = {0};
        struct error error = {0};
        memory_fail_after(k);
        status = append_manual(&matrix, &text, &error);
        memory_fail_after(-1);
        if (status != STATUS_OK) assert_int_equal(status, STATUS_MEMORY);
        text_free(&text);
        assert_in_range(k, 0, 100000);
    }
    matrix_free(&matrix);
}

static void large_and_complex_matrices_are_refused(void **state)
{
    static const struct {
        const char *specification;
        enum status status;
    } cases[] = {{"laplace2d,n=4", STATUS_OK},
                 {"random,m=17,n=3,mean=1", STATUS_USAGE},
                 {"random,m=3,n=17,mean=1", STATUS_USAGE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct matrix matrix = generated(cases[k].specification);
        struct text text = {0};
        struct error error = {0};
        assert_int_equal(append_manual(&matrix, &text, &error), cases[k].status);
        matrix.csr.imaginary = matrix.csr.val;
        error = (struct error){0};
        assert_int_equal(append_manual(&matrix, &text, &error), STATUS_USAGE);
        matrix.csr.imaginary = NULL;
        text_free(&text);
        matrix_free(&matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_and_kernel_says_for_which_matrices_it_is),
        cmocka_unit_test(lines_are_text_or_macros_of_the_page),
        cmocka_unit_test(every_format_and_kernel_is_on_the_page),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(large_and_complex_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
