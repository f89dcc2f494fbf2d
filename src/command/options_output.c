#include "command/options_output.h"

#include <string.h>
#include <sys/stat.h>

/* Find the regular file of a name: of FILE, or of FILE:NAME and ARCHIVE:MEMBER. */
static bool find_file(const char *name, struct stat *about)
{
    char file[4096];
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length >= sizeof file) return false;
    memcpy(file, name, length + 1);
    for (char *colon; stat(file, about) != 0; *colon = 0)
        if (!(colon = strrchr(file, ':'))) return false;
    return S_ISREG(about->st_mode);
}

static bool same_file(const char *one, const char *other)
{
    struct stat a, b;
    if (one && other && strcmp(one, "-") != 0 && strcmp(one, other) == 0) return true;
    return find_file(one, &a) && find_file(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Fail if an input has the file of `output`. `operands`: how many of them are inputs. */
static enum status check_inputs(const struct options *options, const char *output, int operands,
                                struct error *error)
{
    const char *const single[] = {options->list, options->request.x, options->request.b};
    bool found = false;
    for (int k = 0; k < operands; k++)
        found = found || same_file(output, options->operands[k]);
    for (int k = 0; k < options->saved_count; k++)
        found = found || same_file(output, options->saved[k]);
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        found = found || same_file(output, single[k]);
    if (!found) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "'%s' is an input, and would be overwritten: give another file",
                     output);
}

enum status output_options_check(const struct options *options, struct error *error)
{
    const char *permutation = options->permutation, *output = options->output;
    bool converts = options->command == COMMAND_CONVERT;
    enum status status = STATUS_OK;
    if (options->command == COMMAND_COMPLETION) return STATUS_OK;
    if (output) status = check_inputs(options, output, options->operand_count, error);
    if (status == STATUS_OK && permutation)
        status = check_inputs(options, permutation, options->operand_count, error);
    if (status == STATUS_OK && !converts && same_file(permutation, output))
        status = error_set(error, STATUS_USAGE, "'%s' is to be both the matrix and its permutation", output);
    return status;
}
