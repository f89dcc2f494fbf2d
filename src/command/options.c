#include "command/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/guess.h"
#include "command/command.h"
#include "command/options_table.h"
#include "command/settings.h"
#include "report/records/compare.h"

/* getopt's codes from here on are rows of long options; smaller ones are letters. */
#define LONG 256

/* Append a command's name for sentences. */
static void append_command(const struct command *command, char out[GUESS_TEXT])
{
    size_t used = strlen(out);
    if (command->name[0])
        snprintf(out + used, GUESS_TEXT - used, "'sparsight %s'", command->name);
    else
        snprintf(out + used, GUESS_TEXT - used, "the explorer, 'sparsight MATRIX'");
}

/* Name the other commands that have this option, as the end of a sentence; "" if there are none, or more than
 * two. */
static const char *whose(enum command_id command, const char *word, char out[GUESS_TEXT])
{
    unsigned owners = 0;
    int said = 0;
    for (unsigned id = 1; id <= COMMAND_RANKS_CONVERT && strncmp(word, "--", 2) == 0; id *= 2)
        if (option_find(id, word + 2, strcspn(word + 2, "="))) owners |= id;
    out[0] = 0;
    if ((command & COMMANDS_OF_RANKS) && owners)
        return strcpy(out, owners & COMMAND_REPORT ? ": it is for 'sparsight report', without ranks"
                                                   : ": it is for 'sparsight'");
    /* The command for one matrix is preferred to those for several with the same option. */
    if (owners & COMMAND_REPORT) owners &= ~(unsigned)(COMMAND_SURVEY | COMMAND_COMPARE);
    for (int k = 0; commands[k]; k++) {
        if (!(owners & commands[k]->id)) continue;
        size_t used = strlen(out);
        if (said == 2) out[0] = 0;
        if (said++ >= 2) continue;
        snprintf(out + used, GUESS_TEXT - used, "%s", said == 1 ? ": it is for " : " and ");
        append_command(commands[k], out);
    }
    return out;
}

/* Write the most similar option of this command, as the end of a sentence; "" if none is similar. */
static char *meant_option(enum command_id command, const char *word, char out[GUESS_TEXT])
{
    struct guess guess;
    char known[GUESS_WORD];
    guess_start(&guess, word, strcspn(word, "="));
    for (const struct option_row *row = option_rows; row->name && strncmp(word, "--", 2) == 0; row++) {
        snprintf(known, sizeof known, "--%s", row->name);
        if (row->commands & command) guess_offer(&guess, known, known);
    }
    return guess_text(&guess, out);
}

/* Return getopt's error. A long option is named by its word in argv, a short one by its letter, since a word
 * may have several. */
static enum status refuse(enum command_id command, int code, char **argv, struct error *error)
{
    char letter[3] = {'-', (char)optopt, 0};
    bool is_short = optopt > 0 && optopt < LONG;
    const char *word = is_short ? letter : argv[optind - 1];
    if (code == ':') return error_set(error, STATUS_USAGE, "option '%s' needs an argument", word);
    if (optopt && !is_short) return error_set(error, STATUS_USAGE, "option '%s' takes no argument", word);
    char meant[GUESS_TEXT], owner[GUESS_TEXT];
    whose(command, word, owner);
    meant_option(command, word, meant);
    return error_set(error, STATUS_USAGE, "unknown option '%s'%s%s", word, owner[0] ? owner : meant,
                     !owner[0] && meant[0] ? "?" : "");
}

/* Write the options of this command for getopt. */
static void make_getopt(enum command_id command, char *letters, struct option *longs)
{
    *letters++ = ':';
    for (int k = 0; option_rows[k].name; k++) {
        const struct option_row *row = &option_rows[k];
        if (!(row->commands & command)) continue;
        int takes = row->optional ? optional_argument : row->argument ? required_argument : no_argument;
        *longs++ = (struct option){row->name, takes, NULL, LONG + k};
        if (!row->letter) continue;
        *letters++ = row->letter;
        if (row->argument) *letters++ = ':';
    }
    *letters = 0;
    *longs = (struct option){0};
}

/* Record an option of a survey if its records depend on it, and an option of the explorer for its
 * settings. */
enum status option_take(const struct option_row *row, const char *argument, struct options *options,
                        struct error *error)
{
    if (row->given) *(bool *)((char *)options + row->given) = true;
    if (row->read) {
        enum status status = row->read(row, argument, options, error);
        if (status != STATUS_OK) return status;
    }
    if (options->command == COMMAND_EXPLORE) options->values[row - option_rows] = argument ? argument : "on";
    if (options->command == COMMAND_SURVEY && !row->incidental)
        text_append(&options->settings, "%s--%s%s%s", options->settings.length ? " " : "", row->name,
                    argument ? "=" : "", argument ? argument : "");
    return STATUS_OK;
}

/* Return the command named by the first word, or else the explorer, the command without a word. A program
 * without an explorer uses its first command for options alone, such as --help, and returns NULL for any
 * other word. */
static const struct command *named_command(int argc, char **argv)
{
    const struct command *plain = NULL;
    for (int k = 0; commands[k]; k++) {
        if (argc > 1 && commands[k]->name[0] && strcmp(argv[1], commands[k]->name) == 0) return commands[k];
        if (!commands[k]->name[0]) plain = commands[k];
    }
    if (plain) return plain;
    return argc > 1 && argv[1][0] == '-' ? commands[0] : NULL;
}

/* Return the error for a first word that is not a command. */
static enum status refuse_command(int argc, char **argv, struct error *error)
{
    struct text names = {0};
    commands_list(", ", " and ", &names);
    enum status status =
        argc > 1
            ? error_set(error, STATUS_USAGE, "'%.40s' is not a command of this program; its commands are %s",
                        argv[1], names.data)
            : error_set(error, STATUS_USAGE, "no command is given; the commands are %s", names.data);
    text_free(&names);
    return status;
}

/* Find the regular file of a name: FILE, FILE:NAME or ARCHIVE:MEMBER. */
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

/* Fail if an output file is also an input, under any name, or if both output files are the same. `convert`
 * may write a matrix to the file that it was read from. */
static enum status check_outputs(const struct options *options, struct error *error)
{
    const char *permutation = options->permutation, *output = options->output;
    bool converts = options->command & (COMMAND_CONVERT | COMMAND_RANKS_CONVERT);
    enum status status = STATUS_OK;
    if (options->command == COMMAND_COMPLETION) return STATUS_OK;
    if (output) status = check_inputs(options, output, options->operand_count, error);
    if (status == STATUS_OK && permutation)
        status = check_inputs(options, permutation, options->operand_count, error);
    if (status == STATUS_OK && !converts && same_file(permutation, output))
        status =
            error_set(error, STATUS_USAGE,
                      "'%s' is named both for the matrix and for its permutation: name two files", output);
    return status;
}

/* True if the explorer is not to read its file of settings: they are declined, or it only prints its help. */
static bool declines_settings(int argc, char **argv)
{
    static const char *const words[] = {"--no-config", "--help", "--version", "-h"};
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (strcmp(argv[k], words[w]) == 0) return true;
    return false;
}

/* Append a word as a shell reads it: in single quotes unless it needs none. */
static void append_word(const char *word, struct text *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    if (word[0] && word[strspn(word, plain)] == 0) {
        text_append(text, "%s", word);
        return;
    }
    text_append(text, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_append(text, "'\\''");
        else
            text_append_bytes(text, word, 1);
    text_append(text, "'");
}

/* The program is named without its folder. */
static void note_command_line(int argc, char **argv, struct text *text)
{
    for (int k = 0; k < argc; k++) {
        const char *slash = k == 0 ? strrchr(argv[0], '/') : NULL;
        if (k) text_append(text, " ");
        append_word(slash ? slash + 1 : argv[k], text);
    }
}

/* If the user has set a limit, it alone decides on the sizes of storages: patterns then leave out none. */
static void obey_limit(struct options *options)
{
    struct report_request *request = &options->request;
    request->limited = options->load.limit > 0;
    if (!request->limited) return;
    format_list_name(&request->convert);
    format_list_name(&request->arrays);
    kernel_list_name(&request->kernels);
}

enum status options_parse(int argc, char **argv, struct options *options, struct error *error)
{
    char letters[2 * OPTIONS_MAX + 2];
    struct option longs[OPTIONS_MAX + 1];
    const struct command *command = named_command(argc, argv);
    *options = (struct options){.command = command ? command->id : commands[0]->id,
                                .format = &report_format_text,
                                .sheet_format = sheet_formats[0],
                                .threshold = COMPARE_THRESHOLD,
                                .at = {-1, -1},
                                .jobs = 1};
    if (!command) return refuse_command(argc, argv, error);
    note_command_line(argc, argv, &options->command_line); /* before getopt permutes the words */
    make_getopt(options->command, letters, longs);
    optind = argc > 1 && command->name[0] && strcmp(argv[1], command->name) == 0 ? 2 : 1;
    opterr = 0;
    if (command->id == COMMAND_EXPLORE && !declines_settings(argc, argv)) {
        enum status status = settings_read(options, error);
        if (status != STATUS_OK) return status;
    }
    int code;
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (code == '?' || code == ':') return refuse(options->command, code, argv, error);
        const struct option_row *row =
            code < LONG ? option_of_letter(command->id, (char)code) : &option_rows[code - LONG];
        enum status status = option_take(row, optarg, options, error);
        if (status != STATUS_OK) return status;
    }
    obey_limit(options);
    options->operands = argv + optind;
    options->operand_count = argc - optind;
    if (options->help || options->version) return STATUS_OK;
    enum status status = command_of(options->command)->check(options, error);
    if (status == STATUS_OK && options->load.transpose && options->load.stream)
        return error_set(
            error, STATUS_USAGE,
            "--transpose needs the entries in memory, but --stream keeps none: leave out one of the two");
    return status == STATUS_OK ? check_outputs(options, error) : status;
}

void options_free(struct options *options)
{
    report_request_free(&options->request);
    format_list_free(&options->storage);
    text_free(&options->settings);
    text_free(&options->config);
    text_free(&options->command_line);
}

enum status options_check_permutation(const struct options *options, struct error *error)
{
    if (!options->permutation || options->request.orders.count) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--permutation needs --reorder=SPEC with an order");
}

enum status options_check_product(const struct options *options, struct error *error)
{
    const struct report_request *request = &options->request;
    const struct product product = request->timing.product;
    int columns = product_columns(product);
    if (product.by_rows && columns == 1)
        return error_set(error, STATUS_USAGE,
                         "--layout=rows is for several vectors: give their number by --columns=N");
    if (columns > 1 && (request->x || request->b))
        return error_set(error, STATUS_USAGE,
                         "--%s is a single vector, but --columns asks for %d: leave out one of the two",
                         request->x ? "x" : "b", columns);
    return STATUS_OK;
}
