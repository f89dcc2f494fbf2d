/* `sparsight compare`: comparison of saved reports. */
#include <stdlib.h>

#include "command/command.h"
#include "command/help.h"
#include "command/say.h"
#include "report/records/compare.h"

/* The exit status is that of cmp and diff: 1 for differences, 2 for trouble. */
enum { EXIT_SLOWER = 1, EXIT_TROUBLE = 2 };

static int tell(const struct options *options, const struct sheets *sheets, const struct compared *compared)
{
    struct text text = {0};
    struct error error = {0};
    options->sheet_format->write(sheets, COMPARE_SCHEMA, &text);
    int code = text.failed
                   ? conclude(error_set(&error, STATUS_MEMORY, "out of memory while the tables were written"),
                              &error)
                   : print_text(&text, options->output);
    text_free(&text);
    if (code != EXIT_SUCCESS) return EXIT_TROUBLE;
    return compared->slower + compared->lost > 0 ? EXIT_SLOWER : EXIT_SUCCESS;
}

static int run_compare(const struct options *options)
{
    struct sheets sheets = {0};
    struct compared compared;
    struct error error = {0};
    enum status status = compare_reports((const char *const *)options->operands, options->operand_count,
                                         options->threshold, options->load.limit, &sheets, &compared, &error);
    int code = EXIT_TROUBLE;
    if (status == STATUS_OK)
        code = tell(options, &sheets, &compared);
    else
        conclude(status, &error);
    sheets_free(&sheets);
    return code;
}

static enum status check_compare(const struct options *options, struct error *error)
{
    if (options->operand_count > 0) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "no report is given: name two reports, or one with several orders");
}

static void help_compare(struct text *text)
{
    text_append(text,
                "\n"
                "Each REPORT is a file written by 'sparsight report --format=json --kernels=LIST' or by\n"
                "'sparsight survey'. The first is the base. For a single report, the runs of each\n"
                "matrix are compared; if a matrix has one run, its orders are compared.\n");
    help_sheet_formats(text);
    text_append(text,
                "\n"
                "Exit status: 0 no kernel is slower, 1 a kernel is slower by more than the threshold or has\n"
                "lost its time, 2 wrong usage, or a report could not be read or compared.\n");
}

const struct command command_compare = {
    .id = COMMAND_COMPARE,
    .name = "compare",
    .usage = "sparsight compare [OPTION]... REPORT...",
    .summary = "compare saved reports",
    .help = help_compare,
    .check = check_compare,
    .run = run_compare,
};
