/* command/learn: its operand is a single lesson number. */
#include <string.h>

#include "command/command.h"
#include "command/options.h"
#include "support/unit.h"

extern const struct command command_learn;

TEST(a_lesson_is_a_number_from_one)
{
    static const struct {
        const char *word;
        bool good;
    } cases[] = {{"1", true},
                 {"8", true},
                 {"9", true},
                 {"10", true},
                 {"0", false},
                 {"01", false},
                 {"-1", false},
                 {"+1", false},
                 {"x", false},
                 {"1x", false},
                 {"1 ", false},
                 {"1.5", false},
                 {"", false},
                 {"12", true},
                 {":", false},
                 {"/", false},
                 {"1234567890123456789012", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *operands[] = {cases[k].word, "2"};
        struct options options = {.operands = (char **)operands, .operand_count = 1};
        struct error error = {0};
        const enum status status = command_learn.check(&options, &error);
        if ((status == STATUS_OK) != cases[k].good) fail_msg("'%s': %s", cases[k].word, error.message);
        if (!cases[k].good) {
            assert_int_equal(status, STATUS_USAGE);
            assert_says(error.message, cases[k].word,
                        "is not the number of a lesson: 'sparsight learn' lists them");
        }
        options.operand_count = 2;
        error = (struct error){0};
        assert_int_equal(command_learn.check(&options, &error), STATUS_USAGE);
        assert_string_equal(error.message, "learn takes one lesson at a time");
        options.operand_count = 0;
        assert_int_equal(command_learn.check(&options, &error), STATUS_OK);
    }
}
