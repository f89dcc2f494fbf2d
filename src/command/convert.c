/* `sparsight convert`: a matrix is written to a file of another format. */
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
    struct text comment = {0};
    struct task task = {.name = in, .options = &options->load};
    struct write_task written = {0};
    /* What cannot be written is found out before anything is read. */
    enum status status =
        reader_for_writing(standard ? NULL : out, options->to, standard, &written.writer, &error);
    if (status == STATUS_OK) status = finish_task(&task, &error);
    if (status == STATUS_OK) {
        say_notes(&task.session.shown->matrix);
        text_append(&comment, "sparsight convert %s", in);
        if (comment.failed) status = error_set(&error, STATUS_MEMORY, "out of memory");
    }
    if (status == STATUS_OK) {
        written.matrix = &task.session.shown->matrix;
        written.comment = text_visible(comment.data);
        status = write_output(written, standard ? NULL : out, &error);
    }
    task_free(&task);
    text_free(&comment);
    return status == STATUS_USAGE ? wrong_usage(options, &error) : conclude(status, &error);
}

static enum status check_convert(const struct options *options, struct error *error)
{
    if (options->operand_count == 2) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "convert wants two files: the one to read, and the one to write");
}

const struct command command_convert = {
    .id = COMMAND_CONVERT,
    .name = "convert",
    .usage = "sparsight convert [OPTION]... IN OUT",
    .summary = "write a matrix to a file of another format",
    .operands = "\nIN is a MATRIX. OUT is a file of a format that is written; its ending says which, and\n"
                "whether it is compressed (.gz, .bz2, .xz, .zst); - is standard output.\n",
    .failure = "it could not be read or written",
    .help = help_file_formats,
    .check = check_convert,
    .run = run_convert,
};
