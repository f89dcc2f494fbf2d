/* `sparsight learn`: lessons in the explorer. */
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/say.h"
#include "config.h"
#ifdef WITH_CURSES
#    include "ui/ui.h"
#endif

#define NUMBER_MAX 3 /* digits of a lesson's number */

#ifdef WITH_CURSES
/* Lessons state numbers of one GPU and of double precision, so settings have no effect on them. */
static int run_learn(const struct options *options)
{
    struct error error = {0};
    struct ui_options ui = {.learn = true,
                            .lesson = options->operand_count ? atoi(options->operands[0]) : 0,
                            .ascii = options->ascii,
                            .no_mouse = options->no_mouse,
                            .background = options->background,
                            .load = options->load};
    enum status status = gpu_find(GPU_STANDARD, &ui.gpu, &error);
    if (status == STATUS_OK) status = ui_explore(NULL, &ui, &error);
    return status == STATUS_USAGE ? wrong_usage(options, &error) : conclude(status, &error);
}
#else
static int run_learn(const struct options *options)
{
    say_line("sparsight: this build has no explorer, so it has no lessons");
    return EXIT_FAILURE;
}
#endif

static enum status check_learn(const struct options *options, struct error *error)
{
    if (options->operand_count == 0) return STATUS_OK;
    if (options->operand_count > 1) return error_set(error, STATUS_USAGE, "learn takes one lesson at a time");
    const char *number = options->operands[0];
    const size_t length = strlen(number);
    if (number[0] >= '1' && number[0] <= '9' && length <= NUMBER_MAX &&
        strspn(number, "0123456789") == length)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "'%s' is not the number of a lesson: 'sparsight learn' lists them",
                     number);
}

static const char lesson_help[] =
    "\n"
    "LESSON is the number of a lesson, from 1; without it a list offers all of them. Each lesson shows\n"
    "a small matrix on the explorer's screens and asks questions, which are answered by keys there.\n";

const struct command command_learn = {
    .id = COMMAND_LEARN,
    .name = "learn",
    .usage = "sparsight learn [OPTION]... [LESSON]",
    .summary = "learn storage formats by doing, in eight lessons",
    .operands = lesson_help,
    .failure = "the lessons could not be read",
    .check = check_learn,
    .run = run_learn,
};
