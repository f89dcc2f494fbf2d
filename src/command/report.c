/* `sparsight report`: one report on any number of matrices. */
#include "command/survey_parts.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "command/help.h"
#include "command/say.h"
#include "command/task.h"
#include "report/report.h"
#include "report/text/picture.h"

/* Print why requested arrays are not in the report. */
static void say_refusals(const struct session *session)
{
    const struct conversion *conversion;
    for (int k = 0; (conversion = report_shown(session->shown, &k));) {
        if (conversion_state(conversion) != CONVERSION_REFUSED) continue;
        struct error refusal = {0};
        error_at(&refusal, STATUS_LIMIT, session->shown->matrix.path, 0, 0, "no arrays of %s: %s",
                 conversion->name, conversion->refusal.message);
        say_error(&refusal);
    }
}

/* Print the kernels with a wrong product, and the wrong row. The report has them, too, but a script only
 * checks the exit status. Returns true if there are any. */
static bool say_wrong_kernels(const struct session *session)
{
    const struct results *results = &session->shown->results;
    bool wrong = false;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        struct error failure = {0};
        if (result->status != STATUS_INPUT) continue;
        error_at(&failure, STATUS_INPUT, session->shown->matrix.path, 0, 0,
                 "%s is wrong, %s, %d thread%s: %s", result->name,
                 value_name(result->choice.format.precision, result->complex), result->resolved.threads,
                 result->resolved.threads == 1 ? "" : "s", result->error.message);
        say_error(&failure);
        wrong = true;
    }
    return wrong;
}

enum status report_input(struct report *report, const char *name, const struct options *options, bool *failed,
                         bool *limited, struct error *error)
{
    struct task task = {.name = name, .options = &options->load, .request = &options->request};
    struct error failure = {0};
    enum status status = finish_task(&task, &failure);
    if (status == STATUS_OK) {
        say_notes(&task.session.shown->matrix);
        say_refused_orders(&task.session);
        for (int k = 0; k < task.session.case_count && status == STATUS_OK; k++) {
            task.session.shown = &task.session.cases[k];
            say_refusals(&task.session);
            if (say_wrong_kernels(&task.session)) *failed = true;
            status = report_matrix(report, &task.session, error);
        }
    } else {
        *failed = true;
        *limited = *limited || status == STATUS_LIMIT;
        say_error(&failure);
        status = report_failure(report, &failure, error);
    }
    task_free(&task);
    return status;
}

/* Return the picture of a text report. A terminal without UTF-8 shows no Braille. */
static enum report_picture picture_of(const struct options *options)
{
    const bool terminal = !options->output && isatty(STDOUT_FILENO) && !options->request.only;
    if (options->format != &report_format_text || options->picture == PICTURE_NEVER) return REPORT_NO_PICTURE;
    if (options->picture == PICTURE_ON_TERMINALS && !terminal) return REPORT_NO_PICTURE;
    setlocale(LC_CTYPE, "");
    return options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ? REPORT_ASCII : REPORT_BRAILLE;
}

static int run_report(const struct options *options)
{
    struct report report;
    struct options with = *options; /* the picture, for which the session computes the pattern */
    struct error error = {0};
    bool input_failed = false, limited = false;
    enum status status = report_open(&report, options->format, options->output, &error);
    if (status != STATUS_OK) return conclude(status, &error);
    report.command = options->command_line.data;
    report.asked = options->saved_count ? NULL : &options->request;
    report.picture = picture_of(options);
    if (report.picture != REPORT_NO_PICTURE) with.request.wants |= TEXT_PICTURE_NEEDS;
    if (options->request.only && !options->carried) with.request.carry = 0;
    with.request.brief = options->format->brief;
    if (options->saved_count) status = report_saved(&report, options, &input_failed, &error);
    for (int k = 0; !options->saved_count && k < options->operand_count && status == STATUS_OK; k++)
        status = report_input(&report, options->operands[k], &with, &input_failed, &limited, &error);
    if (status == STATUS_OK) status = report_close(&report, &error);
    report_abandon(&report);
    return status == STATUS_OK && input_failed ? EXIT_FAILURE : conclude(status, &error);
}

/* Fail if more than one input is standard input, which can be read only once. */
static enum status check_streams(const struct options *options, struct error *error)
{
    const struct report_request *request = &options->request;
    int streams = (request->x && strcmp(request->x, "-") == 0) + (request->b && strcmp(request->b, "-") == 0);
    for (int k = 0; k < options->operand_count; k++)
        streams += strcmp(options->operands[k], "-") == 0;
    if (streams <= 1) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "standard input (-) can be read only once, but is named %d times",
                     streams);
}

static enum status check_report(const struct options *options, struct error *error)
{
    if (options->operand_count == 0 && options->saved_count == 0)
        return error_set(error, STATUS_USAGE, "no matrix is given");
    if (options->load.name && options->operand_count > 1)
        return error_set(error, STATUS_USAGE, "--name names one matrix, but %d are given",
                         options->operand_count);
    enum status status = report_saved_check(options, error);
    if (status != STATUS_OK) return status;
    if ((options->request.x || options->request.b) && options->request.kernels.count == 0 &&
        !options->request.tune)
        return error_set(error, STATUS_USAGE, "--%s needs kernels to run; name some by --kernels=LIST",
                         options->request.x ? "x" : "b");
    if (options->carried && !options->format->carries)
        return error_set(error, STATUS_USAGE, "--carry needs --format=json or --format=jsonl");
    if (options->request.only && options->format == &report_format_html)
        return error_set(error, STATUS_USAGE,
                         "--only needs another format than html, which draws all sections");
    if (options->picture == PICTURE_ALWAYS && options->format != &report_format_text)
        return error_set(error, STATUS_USAGE, "--picture=always needs --format=text");
    const struct distribution_request *distribution = &options->request.distribution;
    if (distribution->count == 0 && (distribution->partitions.count || distribution->networked))
        return error_set(error, STATUS_USAGE, "--%s needs --parts=LIST",
                         distribution->networked ? "network" : "partition");
    status = options_check_product(options, error);
    return status == STATUS_OK ? check_streams(options, error) : status;
}

static void help_report(struct text *text)
{
    help_report_formats(text);
    help_sections(text);
    help_file_formats(text);
    help_orders(text);
    help_partitions(text);
    help_storage_formats(text);
}

const struct command command_report = {
    .id = COMMAND_REPORT,
    .name = "report",
    .usage = "sparsight report [OPTION]... MATRIX...",
    .summary = "print an analysis",
    .failure = "some input failed, or a kernel was wrong (the others are still reported)",
    .help = help_report,
    .check = check_report,
    .run = run_report,
};
