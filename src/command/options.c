#include "command/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guess.h"
#include "base/threads.h"
#include "command/command.h"
#include "command/options_output.h"
#include "command/options_picture.h"
#include "command/options_product.h"
#include "command/options_table.h"
#include "config.h"
#include "drawing/picture.h"
#include "kernels/timing/samples.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "report/inventory.h"
#include "report/records/compare.h"

#define REPEAT_MAX 100000
#define DEVICE_MAX 1023
#define JOBS_MAX 1024

enum status options_bytes(const char *text, size_t *bytes, struct error *error)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (unit) end++;
    if (unit && strcasecmp(end, "iB") == 0) end += 2;
    if (errno || text[0] < '0' || text[0] > '9' || *end || number == 0 || number > SIZE_MAX >> shift)
        return error_set(error, STATUS_USAGE,
                         "'%s' is not a size: give bytes, or KiB, MiB, GiB, TiB (powers of 1024; K, M, G, T "
                         "for short), as 512M or 8GiB",
                         text);
    *bytes = (size_t)number << shift;
    return STATUS_OK;
}

/* Read the whole number, min to max, that is the argument of this option. */
static enum status parse_count(const char *option, const char *text, long long min, long long max,
                               long long *number, struct error *error)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (!errno && text[0] >= '0' && text[0] <= '9' && !*end && *number >= min && *number <= max)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "%s=%.40s is not a whole number from %lld to %lld", option, text,
                     min, max);
}

/* Read the number of samples. No more of them are taken than the user says, however short they are. */
static enum status parse_repeat(const char *text, struct bench_options *timing, struct error *error)
{
    long long number;
    enum status status = parse_count("--repeat", text, 1, REPEAT_MAX, &number, error);
    if (status != STATUS_OK) return status;
    timing->repeat = (int)number;
    timing->min_seconds = 1e-9;
    return STATUS_OK;
}

static enum status parse_warmup(const char *text, struct bench_options *timing, struct error *error)
{
    long long number;
    enum status status = parse_count("--warmup", text, 0, REPEAT_MAX, &number, error);
    if (status == STATUS_OK) timing->warmup = number ? (int)number : -1;
    return status;
}

/* Read a share, as 0.1 or 10%; false if it is none, and then *share is what could be read of it. */
static bool read_share(const char *argument, double *share)
{
    char *end;
    *share = strtod(argument, &end);
    if (*end == '%') {
        *share /= 100;
        end++;
    }
    return end != argument && !*end && *share >= 0;
}

static enum status parse_sample(const char *argument, double *share, struct error *error)
{
    if (read_share(argument, share) && *share > 0 && *share <= 1) return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--sample=%s: give a share of the warps above 0 and up to 1, as 0.1 or 10%%", argument);
}

static enum status parse_threshold(const char *argument, double *share, struct error *error)
{
    if (read_share(argument, share) && *share <= 1e3) return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--threshold=%.40s: give a share of the base's time, 0 or more, as 0.1 or 10%%",
                     argument);
}

static enum status parse_jobs(const char *text, int *jobs, struct error *error)
{
    long long number;
    enum status status = parse_count("--jobs", text, 1, JOBS_MAX, &number, error);
    if (status == STATUS_OK) *jobs = (int)number;
    return status;
}

static enum status parse_seed(const char *text, struct bench_options *timing, struct error *error)
{
    long long number;
    enum status status = parse_count("--seed", text, 1, INT64_MAX, &number, error);
    if (status == STATUS_OK) timing->seed = (uint64_t)number;
    return status;
}

static enum status parse_device(const char *text, struct bench_options *timing, struct error *error)
{
    long long number;
    enum status status = parse_count("--device", text, 0, DEVICE_MAX, &number, error);
    if (status == STATUS_OK) timing->device = (int)number;
    return status;
}

static enum status parse_protocol(const char *text, struct bench_options *timing, struct error *error)
{
    if (protocol_find(text, &timing->protocol)) return STATUS_OK;
    struct guess guess;
    char meant[GUESS_TEXT];
    guess_start(&guess, text, strlen(text));
    for (int k = PROTOCOL_MEDIAN; k <= PROTOCOL_CMRS; k++)
        guess_offer(&guess, protocol_name((enum protocol)k), protocol_name((enum protocol)k));
    return error_set(error, STATUS_USAGE, "no protocol is called '%.40s'%s%s are %s, %s, %s", text,
                     guess_text(&guess, meant), guess.count ? "? There" : "; there",
                     protocol_name(PROTOCOL_MEDIAN), protocol_name(PROTOCOL_CRANFIELD),
                     protocol_name(PROTOCOL_CMRS));
}

static enum status parse_kernels(const char *text, struct kernel_list *list, struct error *error)
{
    if (text[strspn(text, " \t\n,")]) return kernel_list_add(list, text, error);
    return error_set(error, STATUS_USAGE, "--kernels= names no kernel; it takes a list, all or none");
}

static enum status parse_tune(const char *text, struct report_request *request, struct error *error)
{
    if (tune_how_find(text ? text : "forecast", &request->tune)) return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--tune=%.40s: give all, which runs every variant, or forecast, which runs the most "
                     "promising tenth",
                     text);
}

/* Add orders to a list; gen takes one alone. */
static enum status parse_orders(const char *text, struct options *options, struct error *error)
{
    struct order_list *list = &options->request.orders;
    bool one = options->command == COMMAND_GEN || options->command == COMMAND_CONVERT ||
               options->command == COMMAND_PLOT;
    if (one) {
        if (list->count)
            return error_set(error, STATUS_USAGE, "--reorder is given twice; %s takes one order",
                             command_of(options->command)->name);
        return order_list_add_one(list, text, error);
    }
    if (!text[strspn(text, " \t\n,")])
        return error_set(error, STATUS_USAGE, "--reorder= names no order; it takes a list");
    enum status status = order_list_add(list, text, error);
    if (status != STATUS_OK || list->count < SESSION_CASES) return status;
    return error_set(error, STATUS_USAGE, "--reorder names %d orders; %d at a time are the most", list->count,
                     SESSION_CASES - 1);
}

/* Add formats to a list. */
static enum status parse_formats(const char *option, const char *text, struct format_list *list,
                                 struct error *error)
{
    if (strcmp(text, "none") == 0) return STATUS_OK;
    if (text[strspn(text, " \t\n,")]) return format_list_add(list, text, error);
    return error_set(error, STATUS_USAGE, "%s= names no format; it takes a list, all or none", option);
}

/* Add precisions to those that are asked for. What a matrix is, real or complex, its file says: c64 and c32
 * are the same precisions. */
static enum status parse_precisions(const char *text, struct report_request *request, struct error *error)
{
    const char *word = text;
    for (;;) {
        size_t length = strcspn(word, ",");
        if (length == 3 && (memcmp(word, "f64", 3) == 0 || memcmp(word, "c64", 3) == 0))
            request->f64 = true;
        else if (length == 3 && (memcmp(word, "f32", 3) == 0 || memcmp(word, "c32", 3) == 0))
            request->f32 = true;
        else
            return error_set(error, STATUS_USAGE, "'%s' is no list of precisions; there are f64 and f32",
                             text);
        if (!word[length]) return STATUS_OK;
        word += length + 1;
    }
}

/* Read a list of numbers of threads. Kernels run with each of them, and all else with the largest number of
 * all lists. */
static enum status read_thread_list(struct options *options, const char *text, struct error *error)
{
    struct thread_counts *counts = &options->request.threads;
    enum status status = thread_counts_read(counts, text, error);
    if (thread_counts_max(counts) > options->threads) options->threads = thread_counts_max(counts);
    return status;
}

static enum status add_saved(const char *path, struct options *options, struct error *error)
{
    if (options->saved_count == RUNS_MAX)
        return error_set(error, STATUS_USAGE, "more than %d files for --results", RUNS_MAX);
    options->saved[options->saved_count++] = path;
    return STATUS_OK;
}

/* Read how much JSON carries of a matrix: 0, or a size. */
static enum status read_carry(const char *text, size_t *bytes, struct error *error)
{
    *bytes = 0;
    return strcmp(text, "0") == 0 ? STATUS_OK : options_bytes(text, bytes, error);
}

static enum status apply(struct options *options, int letter, const char *argument, struct error *error)
{
    struct bench_options *timing = &options->request.timing;
    switch (letter) {
    case FLAG_FORM:
        options->form = argument;
        return picture_form_find(argument, "", error) ? STATUS_OK : error->status;
    case FLAG_BY:
        return picture_by_read(argument, &options->by, error);
    case FLAG_SIZE:
        return picture_size_read(argument, options->size, error);
    case FLAG_AT:
        return picture_at_read(argument, options->at, error);
    case FLAG_STORAGE:
        return picture_storage_read(argument, &options->storage, error);
    case FLAG_ASCII:
        options->ascii = true;
        break;
    case FLAG_BACKGROUND:
        return background_read(argument, &options->background, error);
    case FLAG_GRAPHICS:
        return graphics_read(argument, &options->graphics, error);
    case FLAG_NO_MOUSE:
        options->no_mouse = true;
        break;
    case FLAG_RESULTS:
        return add_saved(argument, options, error);
    case FLAG_FORMAT:
        if (options->command == COMMAND_SURVEY || options->command == COMMAND_COMPARE) {
            options->sheet_format = sheet_format_find(argument, error);
            return options->sheet_format ? STATUS_OK : STATUS_USAGE;
        }
        options->format = report_format_find(argument, error);
        if (!options->format) return STATUS_USAGE;
        options->request.wants = options->format->wants;
        options->request.distribution.keep = options->format->owners;
        if (!options->carried) options->request.carry = options->format->carry;
        break;
    case FLAG_CARRY:
        options->carried = true;
        return read_carry(argument, &options->request.carry, error);
    case FLAG_CONVERT:
        return parse_formats("--convert", argument, &options->request.convert, error);
    case FLAG_PRECISION:
        return parse_precisions(argument, &options->request, error);
    case FLAG_ARRAYS:
        return parse_formats("--arrays", argument, &options->request.arrays, error);
    case FLAG_REORDER:
        return parse_orders(argument, options, error);
    case FLAG_PERMUTATION:
        options->permutation = argument;
        break;
    case FLAG_KERNELS:
        return parse_kernels(argument, &options->request.kernels, error);
    case FLAG_TUNE:
        return parse_tune(argument, &options->request, error);
    case FLAG_PROTOCOL:
        return parse_protocol(argument, timing, error);
    case FLAG_REPEAT:
        return parse_repeat(argument, timing, error);
    case FLAG_WARMUP:
        return parse_warmup(argument, timing, error);
    case FLAG_STRUCTURE:
        options->request.structure = true;
        break;
    case FLAG_PARTS:
        return distribution_read_parts(argument, &options->request.distribution, error);
    case FLAG_PARTITION:
        return partition_list_add(&options->request.distribution.partitions, argument, error);
    case FLAG_NETWORK:
        options->request.distribution.networked = true;
        return network_read(argument, &options->request.distribution.network, error);
    case FLAG_COLD:
        timing->cold = true;
        break;
    case FLAG_ACCUMULATE:
        timing->product.accumulate = true;
        break;
    case FLAG_PRODUCT:
        return product_read(argument, &timing->product, error);
    case FLAG_COLUMNS:
        return columns_read(argument, &timing->product, error);
    case FLAG_LAYOUT:
        return layout_read(argument, &timing->product, error);
    case FLAG_CALIBRATE:
        options->calibrate = true;
        break;
    case FLAG_DEVICE:
        options->device_named = true;
        return parse_device(argument, timing, error);
    case FLAG_GPU:
        return gpu_find(argument, &options->request.gpu, error);
    case FLAG_X:
        options->request.x = argument;
        break;
    case FLAG_B:
        options->request.b = argument;
        break;
    case FLAG_SAMPLE:
        return parse_sample(argument, &options->request.sample, error);
    case FLAG_SEED:
        return parse_seed(argument, timing, error);
    case 'o':
        options->output = argument;
        break;
    case FLAG_DROP_ZEROS:
        options->load.drop_zeros = true;
        break;
    case FLAG_TRANSPOSE:
        options->load.transpose = true;
        break;
    case FLAG_LENIENT:
        options->load.lenient = true;
        break;
    case FLAG_BASE:
        if (strcmp(argument, "0") != 0 && strcmp(argument, "1") != 0)
            return error_set(error, STATUS_USAGE, "--base=%.40s: indices begin with 0 or 1", argument);
        options->load.from_zero = argument[0] == '0';
        options->load.from_one = argument[0] == '1';
        break;
    case FLAG_FROM:
        return reader_parse(argument, &options->load.from, &options->load.kind, error);
    case FLAG_TO:
        options->to = argument;
        break;
    case FLAG_NAMES:
        options->load.names = true;
        break;
    case FLAG_LIMIT:
        return options_bytes(argument, &options->load.limit, error);
    case FLAG_STREAM:
        options->load.stream = true;
        break;
    case FLAG_THREADS:
        return threads_read(argument, &options->threads, error);
    case FLAG_THREADS_LIST:
        return read_thread_list(options, argument, error);
    case FLAG_THRESHOLD:
        return parse_threshold(argument, &options->threshold, error);
    case FLAG_JOBS:
        return parse_jobs(argument, &options->jobs, error);
    case FLAG_RESUME:
        options->resume = true;
        break;
    case FLAG_INPUTS:
        options->list = argument;
        break;
    case FLAG_PLOTS:
        options->plots = argument;
        break;
    case FLAG_LIST:
    case 'h':
        options->help = true;
        break;
    case FLAG_VERSION:
        options->version = true;
        break;
    }
    return STATUS_OK;
}

/* Append a command as sentences name it. */
static void append_command(const struct command *command, char out[GUESS_TEXT])
{
    size_t used = strlen(out);
    if (command->name[0])
        snprintf(out + used, GUESS_TEXT - used, "'sparsight %s'", command->name);
    else
        snprintf(out + used, GUESS_TEXT - used, "the explorer, 'sparsight MATRIX'");
}

/* Write which one or two commands have an option that this one lacks, as the end of a sentence; "" if none or
 * more have it. */
static const char *whose(enum command_id command, const char *word, char out[GUESS_TEXT])
{
    size_t length = strcspn(word, "=");
    unsigned owners = 0;
    int said = 0;
    for (int k = 0; option_entries[k].name && strncmp(word, "--", 2) == 0; k++)
        if (strlen(option_entries[k].name) == length - 2 &&
            strncmp(option_entries[k].name, word + 2, length - 2) == 0)
            owners |= option_entries[k].commands;
    out[0] = 0;
    if (command == COMMAND_RANKS && owners)
        return strcpy(out, owners & COMMAND_REPORT ? ": it is for 'sparsight report', without ranks"
                                                   : ": it is for 'sparsight'");
    /* What reports on one matrix is what is meant, whatever tells of several in the same words. */
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

/* Write which option of this command may have been meant, as the end of a sentence; "" if none is similar. */
static char *meant_option(enum command_id command, const char *word, char out[GUESS_TEXT])
{
    struct guess guess;
    char known[GUESS_WORD];
    guess_start(&guess, word, strcspn(word, "="));
    for (int k = 0; option_entries[k].name && strncmp(word, "--", 2) == 0; k++) {
        snprintf(known, sizeof known, "--%s", option_entries[k].name);
        if (option_entries[k].commands & command) guess_offer(&guess, known, known);
    }
    return guess_text(&guess, out);
}

/* Return the error that getopt has found. Long options are named by their word in argv, and short ones,
 * several of which may be in one word, by their letter. */
static enum status refuse(enum command_id command, int code, char **argv, struct error *error)
{
    char letter[3] = {'-', (char)optopt, 0};
    bool is_short = optopt > 0 && optopt < 256 && strncmp(argv[optind - 1], "--", 2) != 0;
    const char *word = is_short ? letter : argv[optind - 1];
    if (code == ':') return error_set(error, STATUS_USAGE, "option '%s' wants an argument", word);
    if (optopt && !is_short) return error_set(error, STATUS_USAGE, "option '%s' takes no argument", word);
    char meant[GUESS_TEXT], owner[GUESS_TEXT];
    whose(command, word, owner);
    meant_option(command, word, meant);
    return error_set(error, STATUS_USAGE, "unknown option '%s'%s%s", word, owner[0] ? owner : meant,
                     !owner[0] && meant[0] ? "?" : "");
}

/* Write the options of this command as getopt takes them. */
static void make_getopt(enum command_id command, char *letters, struct option *longs)
{
    *letters++ = ':';
    for (int k = 0; option_entries[k].name; k++) {
        if (!(option_entries[k].commands & command)) continue;
        bool takes = option_entries[k].argument != NULL;
        *longs++ = (struct option){option_entries[k].name,
                                   option_entries[k].optional ? optional_argument
                                   : takes                    ? required_argument
                                                              : no_argument,
                                   NULL, option_entries[k].letter};
        if (option_entries[k].letter >= 256) continue;
        *letters++ = (char)option_entries[k].letter;
        if (takes) *letters++ = ':';
    }
    *letters = 0;
    *longs = (struct option){0};
}

/* Note an option that the records of a survey depend on. */
static void note_setting(struct options *options, int letter)
{
    static const int others[] = {'o',        FLAG_FORMAT, FLAG_JOBS, FLAG_RESUME, FLAG_INPUTS,
                                 FLAG_LIMIT, FLAG_PLOTS,  FLAG_FORM, FLAG_SIZE,   FLAG_BACKGROUND};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k] == letter) return;
    for (int k = 0; option_entries[k].name; k++)
        if (option_entries[k].letter == letter && option_entries[k].commands & COMMAND_SURVEY)
            text_append(&options->settings, "%s--%s%s%s", options->settings.length ? " " : "",
                        option_entries[k].name, optarg ? "=" : "", optarg ? optarg : "");
}

/* Return the command that the first word names, or else the one without a word, the explorer; a program that
 * has none takes its first command for options alone, as --help, and NULL if there is another word. */
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

/* Return the error of a first word that is no command. */
static enum status refuse_command(int argc, char **argv, struct error *error)
{
    struct text names = {0};
    commands_list(", ", " and ", &names);
    enum status status =
        argc > 1 ? error_set(error, STATUS_USAGE, "'%.40s' is no command of this program; it has %s", argv[1],
                             names.data)
                 : error_set(error, STATUS_USAGE, "no command is given; there is %s", names.data);
    text_free(&names);
    return status;
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
    make_getopt(options->command, letters, longs);
    optind = argc > 1 && command->name[0] && strcmp(argv[1], command->name) == 0 ? 2 : 1;
    opterr = 0;
    int code;
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (code == '?' || code == ':') return refuse(options->command, code, argv, error);
        enum status status = apply(options, code, optarg, error);
        if (status != STATUS_OK) return status;
        if (options->command == COMMAND_SURVEY) note_setting(options, code);
    }
    options->operands = argv + optind;
    options->operand_count = argc - optind;
    if (options->help || options->version) return STATUS_OK;
    enum status status = command_of(options->command)->check(options, error);
    if (status == STATUS_OK && options->load.transpose && options->load.stream)
        return error_set(error, STATUS_USAGE,
                         "--transpose needs the entries in memory, and --stream keeps none of them");
    return status == STATUS_OK ? output_options_check(options, error) : status;
}

void options_free(struct options *options)
{
    report_request_free(&options->request);
    format_list_free(&options->storage);
    text_free(&options->settings);
}

enum status options_check_permutation(const struct options *options, struct error *error)
{
    if (!options->permutation || options->request.orders.count) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--permutation is for --reorder, and that names no order");
}
