/* `sparsight convert`: writes a matrix to a file of another format. */
#include <string.h>

#include "command/command.h"
#include "command/help.h"
#include "command/say.h"
#include "command/task.h"
#include "command/write.h"

static int run_convert(const struct options *options)
{
    const char *in = options->operands[0], *out = options->operands[1];
    bool standard = strcmp(out, "-") == 0;
    struct error error = {0};
    struct task task = {.name = in,
                        .options = &options->load,
                        .order = options->request.orders.count ? &options->request.orders.choices[0] : NULL};
    const struct reader *writer = NULL;
    /* Unwritable formats are refused before anything is read. */
    enum status status = reader_for_writing(standard ? NULL : out, options->to, standard, &writer, &error);
    if (status == STATUS_OK) status = finish_task(&task, &error);
    if (status == STATUS_OK) {
        say_notes(&task.session.shown->matrix);
        status = write_results(&task, "convert", writer, standard ? NULL : out, options->permutation, &error);
    }
    task_free(&task);
    return status == STATUS_USAGE ? wrong_usage(options, &error) : conclude(status, &error);
}

static enum status check_convert(const struct options *options, struct error *error)
{
    if (options->operand_count != 2)
        return error_set(error, STATUS_USAGE, "convert needs two files: one to read and one to write");
    return options_check_permutation(options, error);
}

const struct command command_convert = {
    .id = COMMAND_CONVERT,
    .name = "convert",
    .usage = "sparsight convert [OPTION]... IN OUT",
    .summary = "write a matrix to a file of another format",
    .operands = "\n"
                "IN is a MATRIX. The ending of OUT determines the format and the compression (.gz, .bz2,\n"
                ".xz, .zst); - is standard output.\n",
    .failure = "the matrix could not be read or written",
    .help = help_file_formats,
    .check = check_convert,
    .run = run_convert,
};
