/* `sparsight manual`: the manual's page on all formats, with a matrix as the worked example. */
#include "report/manual.h"

#include "command/command.h"
#include "command/say.h"
#include "command/task.h"

static int run_manual(const struct options *options)
{
    struct text text = {0};
    struct error error = {0};
    struct task task = {.name = options->operands[0], .options = &options->load};
    enum status status = finish_task(&task, &error);
    if (status == STATUS_OK) status = append_manual(&task.session.shown->matrix, &text, &error);
    int code = status == STATUS_OK ? print_text(&text, options->output) : conclude(status, &error);
    task_free(&task);
    text_free(&text);
    return code;
}

static enum status check_manual(const struct options *options, struct error *error)
{
    if (options->operand_count == 1) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "manual needs one small matrix as the worked example");
}

const struct command command_manual = {
    .id = COMMAND_MANUAL,
    .name = "manual",
    .usage = "sparsight manual [OPTION]... MATRIX",
    .summary = "print a manual page on all formats with this matrix as example",
    .failure = "the matrix could not be read, is too large for a page, or the page could not be written",
    .help = NULL,
    .check = check_manual,
    .run = run_manual,
};
