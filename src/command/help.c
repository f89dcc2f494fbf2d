#include "command/help.h"

#include <stdio.h>
#include <string.h>

#include "analysis/parts/partition.h"
#include "command/command.h"
#include "command/options_table.h"
#include "matrix/files/reader.h"
#include "report/inventory.h"
#include "report/report.h"
#include "report/sections.h"

#define USAGE_WIDTH 40
#define OPTION_WIDTH 22

static const char matrix_help[] =
    "\n"
    "MATRIX is a file of one of the formats below, plain or compressed by gzip, bzip2, xz,\n"
    "zstd or zip. It may be in a .tar.* archive, as in the SuiteSparse collection;\n"
    "ARCHIVE:MEMBER names a member. FILE:NAME names a variable of a file, - is standard\n"
    "input, and gen:SPEC is a synthetic matrix, see 'sparsight gen --help'.\n";

/* Append an option with its help: the first line beside it and the others below; all lines below it if there
 * is no room. */
static void append_option(const struct option_row *row, struct text *text)
{
    char letter[8] = "    ", name[80];
    if (row->letter) snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(name, sizeof name, "%s--%s%s%s%s", letter, row->name,
             row->optional   ? "[="
             : row->argument ? "="
                             : "",
             row->argument ? row->argument : "", row->optional ? "]" : "");
    const char *title = name;
    if (strlen(name) > OPTION_WIDTH) {
        text_append(text, "  %s\n", name);
        title = "";
    }
    for (const char *line = row->help; line; title = "") {
        const char *end = strchr(line, '\n');
        int length = end ? (int)(end - line) : (int)strlen(line);
        text_append(text, "  %-*s %.*s\n", OPTION_WIDTH, title, length, line);
        line = end ? end + 1 : NULL;
    }
}

void help_report_formats(struct text *text)
{
    text_append(text, "\nFORMAT is one of these:\n");
    for (const struct report_format *const *format = report_formats; *format; format++)
        text_append(text, "  %-22s %s\n", (*format)->name, (*format)->summary);
}

void help_sections(struct text *text)
{
    text_append(text, "\nSECTIONS is a list of these, with commas between them:\n");
    for (const struct report_section *section = report_sections; section->name; section++)
        text_append(text, "  %-22s %s\n", section->name, section->summary);
}

void help_sheet_formats(struct text *text)
{
    text_append(text, "\nFORMAT is one of these:\n");
    for (const struct sheet_format *const *format = sheet_formats; *format; format++)
        text_append(text, "  %-22s %s\n", (*format)->name, (*format)->summary);
}

void help_storage_formats(struct text *text)
{
    text_append(text, "\n"
                      "A LIST of storage formats is separated by blanks or commas. Each is NAME or\n"
                      "NAME:PARAMETER=VALUE,...; 'all' is every format that the report lists. The formats:\n"
                      "\n");
    append_format_list(text);
}

void help_file_formats(struct text *text)
{
    text_append(text, "\nFile formats, with the endings of their files:\n");
    readers_describe(text);
}

void help_orders(struct text *text)
{
    text_append(text,
                "\n"
                "ORDERS are separated by blanks or commas. Each is NAME or NAME:PARAMETER=VALUE,.... The\n"
                "orders of rows and columns:\n"
                "\n");
    orders_describe(text);
}

void help_partitions(struct text *text)
{
    text_append(text, "\nPartitions of the rows, for --partition, have the same syntax:\n\n");
    partitioners_describe(text);
}

/* Append the usage of a command, with its summary beside it, or below it if there is no room. */
static void append_usage(const char *start, const struct command *command, struct text *text)
{
    int width = (int)strlen(command->usage);
    text_append(text, "%s%s", start, command->usage);
    if (width > USAGE_WIDTH)
        text_append(text, "\n%*s", (int)strlen(start) + USAGE_WIDTH, "");
    else
        text_append(text, "%*s", USAGE_WIDTH - width, "");
    text_append(text, " %s\n", command->summary);
}

void help_append(enum command_id id, struct text *text)
{
    const struct command *command = command_of(id);
    const char *start = "Usage: ";
    for (int k = 0; commands[k]; k++) {
        if (id != COMMAND_EXPLORE && commands[k] != command) continue;
        append_usage(start, commands[k], text);
        start = "       ";
    }
    if (id & COMMANDS_READING) text_append(text, "%s", matrix_help);
    if (command->operands) text_append(text, "%s", command->operands);
    text_append(text, "\nOptions:\n");
    for (const struct option_row *row = option_rows; row->name; row++)
        if (row->commands & id) append_option(row, text);
    if (command->help) command->help(text);
    if (command->failure)
        text_append(text, "\nExit status: 0 done, 1 %s, 2 wrong usage.\n", command->failure);
}
