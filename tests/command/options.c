/* The command line, where what it asks for cannot be seen from what the program prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "command/options.h"
#include "command/options_table.h"

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

/* A size of a picture is two numbers, and nothing else. */
static void sizes_are_two_numbers_alone(void **state)
{
    static const char *const wrong[] = {"1200x900x", "1200x900 ", "1200x900px", "1200x900x2",
                                        "1200x",     "x900",      "1200",       "1200,900",
                                        "15x900",    "1200x15",   "",           "-16x900"};
    const struct option_row *size = option_find(COMMAND_PLOT, "size", 4),
                            *at = option_find(COMMAND_PLOT, "at", 2);
    struct options options = {0};
    assert_int_equal(size->read(size, "1200x900", &options, NULL), STATUS_OK);
    assert_true(options.size[0] == 1200 && options.size[1] == 900);
    assert_int_equal(size->read(size, "16x17", &options, NULL), STATUS_OK);
    assert_true(options.size[0] == 16 && options.size[1] == 17);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct error error = {0};
        if (size->read(size, wrong[k], &options, &error) != STATUS_USAGE) fail_msg("'%s' is taken", wrong[k]);
        assert_non_null(strstr(error.message, "as 1200x900"));
    }
    assert_int_equal(at->read(at, "12,7", &options, NULL), STATUS_OK);
    assert_true(options.at[0] == 11 && options.at[1] == 6);
    assert_int_equal(at->read(at, "12,7,", &options, NULL), STATUS_USAGE);
    assert_int_equal(at->read(at, "0,7", &options, NULL), STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_another_number_of_warm_ups_than_the_usual),
        cmocka_unit_test(sizes_are_two_numbers_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
