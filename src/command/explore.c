/* The explorer, the command that has no word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guess.h"
#include "command/command.h"
#include "command/help.h"
#include "command/options_table.h"
#include "command/say.h"
#include "command/settings.h"
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
/* The settings in the list. Options with the same names have their help. */
static const struct {
    const char *name, *choices, *standard;
    enum setting_effect effect;
} settings_rows[] = {
    {"gpu", NULL, "", SETTING_MATRIX},
    {"precision", "f64|f32", "f64", SETTING_NOW},
    {"threads", NULL, "", SETTING_START},
    {"protocol", "median|cranfield|cmrs", "median", SETTING_NOW},
    {"network", NULL, "latency=2,bandwidth=12", SETTING_NOW},
    {"lenient", "off|on", "off", SETTING_MATRIX},
    {"limit", NULL, "", SETTING_MATRIX},
    {"ascii", "off|on", "off", SETTING_NOW},
    {"background", "auto|dark|light", "auto", SETTING_START},
    {"graphics", "auto|kitty|sixel|none", "auto", SETTING_START},
};
#    define SETTINGS (int)(sizeof settings_rows / sizeof *settings_rows)

/* The explorer's options, from the command line and the settings. */
struct exploration {
    struct options *options;
    struct ui_options ui;
    struct settings settings;
    struct setting items[SETTINGS];
    char values[SETTINGS][sizeof(((struct setting *)0)->value)]; /* `options` points to these */
};

static void fill(struct exploration *exploration)
{
    const struct options *options = exploration->options;
    struct ui_options *ui = &exploration->ui;
    ui->ascii = options->ascii;
    ui->no_mouse = options->no_mouse;
    ui->background = options->background;
    ui->graphics = options->graphics;
    ui->load = options->load;
    ui->device = options->request.timing.device;
    ui->gpu = options->request.gpu;
    ui->precision = options->request.f32 ? PRECISION_F32 : PRECISION_F64;
    ui->protocol = options->request.timing.protocol;
    ui->sample = options->request.sample;
    ui->orders = &options->request.orders;
    ui->distribution = &options->request.distribution;
}

/* Give an option a value, or the program's default. */
static enum status give(struct options *options, const struct option_row *row, const char *value,
                        struct error *error)
{
    if (!row->argument) {
        *(bool *)((char *)options + row->given) = strcmp(value, "on") == 0;
        return STATUS_OK;
    }
    if (*value) return option_take(row, value, options, error);
    if (strcmp(row->name, "gpu") == 0) options->request.gpu = (struct gpu){0};
    if (strcmp(row->name, "threads") == 0) options->threads = 0;
    if (strcmp(row->name, "limit") == 0) options->load.limit = 0;
    return STATUS_OK;
}

static enum status set(struct settings *settings, int k, const char *value, struct error *error)
{
    struct exploration *exploration = settings->context;
    struct setting *setting = &exploration->items[k];
    const struct option_row *row = option_find(COMMAND_EXPLORE, setting->name, strlen(setting->name));
    char before[sizeof setting->value];
    value += strspn(value, " ");
    if (!*value) value = settings_rows[k].standard;
    snprintf(before, sizeof before, "%s", exploration->values[k]);
    snprintf(exploration->values[k], sizeof before, "%s", value);
    enum status status = give(exploration->options, row, exploration->values[k], error);
    if (status != STATUS_OK) {
        snprintf(exploration->values[k], sizeof before, "%s", before);
        return status;
    }
    snprintf(setting->value, sizeof setting->value, "%s", value);
    if (strcmp(row->name, "network") == 0)
        exploration->options->request.distribution.networked = strcmp(value, settings_rows[k].standard) != 0;
    fill(exploration);
    return settings_keep(setting->name, strcmp(value, settings_rows[k].standard) == 0 ? "" : value, error);
}

static void start_settings(struct exploration *exploration, const char *path)
{
    const struct options *options = exploration->options;
    for (int k = 0; k < SETTINGS; k++) {
        const struct option_row *row =
            option_find(COMMAND_EXPLORE, settings_rows[k].name, strlen(settings_rows[k].name));
        const char *given = options->values[row - option_rows];
        struct setting *setting = &exploration->items[k];
        *setting = (struct setting){.name = row->name,
                                    .choices = settings_rows[k].choices,
                                    .help = row->help,
                                    .effect = settings_rows[k].effect};
        snprintf(setting->value, sizeof setting->value, "%s", given ? given : settings_rows[k].standard);
    }
    exploration->settings = (struct settings){
        .items = exploration->items, .count = SETTINGS, .path = path, .context = exploration, .set = set};
    exploration->ui.settings = &exploration->settings;
}

static int explore(struct exploration *exploration)
{
    struct error error = {0};
    struct saved *saved[RUNS_MAX];
    const struct options *options = exploration->options;
    struct ui_options *ui = &exploration->ui;
    enum status status = STATUS_OK;
    ui->saved = saved;
    for (int k = 0; k < options->saved_count && status == STATUS_OK; k++) {
        status = saved_open(options->saved[k], options->load.limit, &saved[k], &error);
        ui->saved_count += status == STATUS_OK;
    }
    const char *name = options->operands[0];
    struct stat found;
    /* An operand that is not a file may name a matrix in the reports. */
    if (status == STATUS_OK && name && ui->saved_count > 0 && stat(name, &found) != 0 &&
        saved_has(saved, ui->saved_count, name)) {
        ui->saved_name = name;
        name = NULL;
    } else if (status == STATUS_OK && name) {
        status = check_word(name, &error);
    }
    if (status == STATUS_OK) status = ui_explore(name, ui, &error);
    for (int k = 0; k < ui->saved_count; k++)
        saved_close(saved[k]);
    /* The explorer returns this only if loading was cancelled without quitting. */
    if (status == STATUS_CANCELLED) say_error(&error);
    return conclude(status, &error);
}

static int run_explore(const struct options *given)
{
    struct options options = *given; /* settings change this copy; its lists and texts belong to `given` */
    struct exploration exploration = {.options = &options};
    struct text path = {0};
    settings_path(&path);
    fill(&exploration);
    start_settings(&exploration, path.data ? path.data : "");
    const int code = explore(&exploration);
    text_free(&path);
    return code;
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
