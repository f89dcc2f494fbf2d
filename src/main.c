/* The program: its command line, which names a command of src/command. */
#include <stdlib.h>

#include "base/threads.h"
#include "command/command.h"
#include "command/help.h"
#include "command/process.h"
#include "command/say.h"
#include "config.h"

static int print_help(const struct options *options)
{
    struct text text = {0};
    if (options->version)
        text_append(&text, "%s\n", PACKAGE_STRING);
    else
        help_append(options->command, &text);
    int code = print_text(&text, NULL);
    text_free(&text);
    return code;
}

static int run(const struct options *options)
{
    if (options->threads || !getenv("OMP_NUM_THREADS")) threads_set(options->threads);
    if (options->command != COMMAND_EXPLORE || options->help || options->version) process_catch_signals();
    if (options->help || options->version) return print_help(options);
    process_catch_exit();
    process_hold_memory(options->load.limit);
    struct error error = {0};
    enum status status = process_fit_threads(options->threads, &error);
    return status == STATUS_OK ? command_of(options->command)->run(options) : conclude(status, &error);
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = {0};
    process_guard_streams();
    process_hush_libraries();
    process_spare_plugins();
    enum status status = options_parse(argc, argv, &options, &error);
    int code = status == STATUS_OK      ? run(&options)
               : status == STATUS_USAGE ? wrong_usage(&options, &error)
                                        : conclude(status, &error);
    options_free(&options);
    process_done();
    return code;
}
