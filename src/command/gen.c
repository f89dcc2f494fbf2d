/* `sparsight gen`: writes a synthetic matrix, or one in another order, to a file. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/help.h"
#include "command/say.h"
#include "command/task.h"
#include "command/write.h"
#include "matrix/generators/generate.h"

/* True if the operand to reorder is a specification without "gen:", and not a file. */
static bool names_generator(const char *operand)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(operand, ","), operand);
    return generator_find(name) != NULL;
}

static int run_gen(const struct options *options)
{
    struct text name = {0};
    struct error error = {0};
    const struct reader *writer = NULL;
    const char *operand = options->operands[0];
    bool reorders = options->request.orders.count > 0;
    bool whole = strncmp(operand, "gen:", 4) == 0 || (reorders && !names_generator(operand));
    text_append(&name, "%s%s", whole ? "" : "gen:", operand);
    enum status status = name.failed ? error_set(&error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    struct task task = {.name = name.data,
                        .options = &options->load,
                        .order = reorders ? &options->request.orders.choices[0] : NULL};
    if (status == STATUS_OK) status = finish_task(&task, &error);
    if (status == STATUS_OK && reorders) say_notes(&task.session.shown->matrix);
    if (status == STATUS_OK) status = reader_for_writing(options->output, options->to, true, &writer, &error);
    if (status == STATUS_OK)
        status = write_results(&task, "gen", writer, options->output, options->permutation, &error);
    task_free(&task);
    text_free(&name);
    return status == STATUS_USAGE ? wrong_usage(options, &error) : conclude(status, &error);
}

static enum status check_gen(const struct options *options, struct error *error)
{
    if (options->operand_count != 1)
        return error_set(error, STATUS_USAGE, "gen needs one specification, such as laplace2d,n=100");
    return options_check_permutation(options, error);
}

static void help_gen(struct text *text)
{
    help_file_formats(text);
    text_append(text, "\nSPEC is NAME or NAME,PARAMETER=VALUE,... with the generators:\n\n");
    for (int k = 0; generators[k]; k++)
        generator_describe(generators[k], text);
}

const struct command command_gen = {
    .id = COMMAND_GEN,
    .name = "gen",
    .usage = "sparsight gen [OPTION]... SPEC",
    .summary = "write a synthetic matrix to a file",
    .failure = "the matrix could not be generated or written",
    .help = help_gen,
    .check = check_gen,
    .run = run_gen,
};
