/* The command line, where what it asks for cannot be seen from what the program prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/options.h"

/* Parse the command line of a report with one more word. */
static void parse(const char *word, struct options *options)
{
    char *argv[] = {"sparsight", "report", "--kernels=csr-seq", (char *)word, "a.mtx", NULL};
    struct error error = {0};
    if (options_parse(5, argv, options, &error) != STATUS_OK) fail_msg("%s: %s", word, error.message);
    assert_int_equal(options->operand_count, 1);
    assert_string_equal(options->operands[0], "a.mtx");
}

/* 0 leaves it to the protocol how often a kernel is run before it is timed; never is less than 0. */
static void none_is_another_number_of_warm_ups_than_the_usual(void **state)
{
    static const struct {
        const char *word;
        int warmup;
    } cases[] = {{"--cold", 0}, {"--warmup=0", -1}, {"--warmup=1", 1}, {"--warmup=25", 25}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct options options;
        parse(cases[k].word, &options);
        assert_int_equal(options.request.timing.warmup, cases[k].warmup);
        options_free(&options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_another_number_of_warm_ups_than_the_usual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
