/* The explorer, the command that has no word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guess.h"
#include "command/command.h"
#include "command/help.h"
#include "command/say.h"
#include "config.h"
#ifdef WITH_CURSES
#    include "ui/ui.h"
#endif

/* Fail if the operand of the explorer is not a file and does not look like a file name: it was meant as a
 * command. */
static enum status check_word(const char *word, struct error *error)
{
    struct stat found;
    if (strpbrk(word, "./:-") || stat(word, &found) == 0) return STATUS_OK;
    struct guess guess;
    char meant[GUESS_TEXT];
    struct text words = {0};
    guess_start(&guess, word, strlen(word));
    for (int k = 0; commands[k]; k++)
        if (commands[k]->name[0]) guess_offer(&guess, commands[k]->name, commands[k]->name);
    commands_list(", ", " and ", &words);
    enum status status =
        error_set(error, STATUS_USAGE, "'%s' is neither a file nor a command%s%s commands are %s", word,
                  guess_text(&guess, meant), guess.count ? "? The" : "; the", words.data ? words.data : "");
    text_free(&words);
    return status;
}

#ifdef WITH_CURSES
static int run_explore(const struct options *options)
{
    struct error error = {0};
    struct saved *saved[RUNS_MAX];
    struct ui_options ui = {.ascii = options->ascii,
                            .no_mouse = options->no_mouse,
                            .background = options->background,
                            .graphics = options->graphics,
                            .load = options->load,
                            .device = options->request.timing.device,
                            .gpu = options->request.gpu,
                            .sample = options->request.sample,
                            .orders = &options->request.orders,
                            .distribution = &options->request.distribution,
                            .saved = saved};
    enum status status = STATUS_OK;
    for (int k = 0; k < options->saved_count && status == STATUS_OK; k++) {
        status = saved_open(options->saved[k], options->load.limit, &saved[k], &error);
        ui.saved_count += status == STATUS_OK;
    }
    const char *name = options->operands[0];
    struct stat found;
    /* An operand that is not a file may name a matrix in the reports. */
    if (status == STATUS_OK && name && ui.saved_count > 0 && stat(name, &found) != 0 &&
        saved_has(saved, ui.saved_count, name)) {
        ui.saved_name = name;
        name = NULL;
    } else if (status == STATUS_OK && name) {
        status = check_word(name, &error);
    }
    if (status == STATUS_OK) status = ui_explore(name, &ui, &error);
    for (int k = 0; k < ui.saved_count; k++)
        saved_close(saved[k]);
    /* The explorer returns this only if loading was cancelled without quitting. */
    if (status == STATUS_CANCELLED) say_error(&error);
    return conclude(status, &error);
}
#else
static int run_explore(const struct options *options)
{
    say_line("sparsight: this build has no explorer; 'sparsight report %s' prints an analysis",
             options->operands[0]);
    return EXIT_FAILURE;
}
#endif

/* True if the explorer can show a list of matrices to choose from. */
static bool can_choose(void)
{
#ifdef WITH_CURSES
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
#else
    return false;
#endif
}

static enum status check_explore(const struct options *options, struct error *error)
{
    if (options->operand_count == 0 && (can_choose() || options->saved_count > 0)) return STATUS_OK;
    if (options->operand_count == 0)
        return error_set(error, STATUS_USAGE, "no matrix is given: name a file, or gen:SPEC");
    /* A matrix name is searched in the saved reports once they are open. */
    enum status status = options->saved_count > 0 ? STATUS_OK : check_word(options->operands[0], error);
    if (status == STATUS_OK && options->operand_count > 1)
        return error_set(error, STATUS_USAGE,
                         "the explorer opens one matrix at a time; 'sparsight report' takes several");
    return status;
}

static void help_explore(struct text *text)
{
    help_file_formats(text);
    text_append(
        text, "\n"
              "'sparsight COMMAND --help' describes a command. In the explorer, ? shows the keys. If a file\n"
              "has the name of a command, give its folder too, as ./report.\n");
}

#ifdef WITH_CURSES
#    define SUMMARY "explore a matrix in the terminal"
#else
#    define SUMMARY "(not in this build: explore a matrix)"
#endif

const struct command command_explore = {
    .id = COMMAND_EXPLORE,
    .name = "",
    .usage = "sparsight [OPTION]... [MATRIX]",
    .summary = SUMMARY,
    .failure = NULL,
    .help = help_explore,
    .check = check_explore,
    .run = run_explore,
};
