/* The help of a command, and its parts that several commands have. */
#ifndef SPARSIGHT_COMMAND_HELP_H
#define SPARSIGHT_COMMAND_HELP_H

#include "base/text.h"
#include "command/options.h"

/* Append the help of a command: usage, operands, options, its own text, and its exit status. */
void help_append(enum command_id id, struct text *text);

/* Append the table of this name. */
void help_report_formats(struct text *text);
void help_sections(struct text *text);
void help_sheet_formats(struct text *text);
void help_storage_formats(struct text *text);
void help_file_formats(struct text *text);
void help_orders(struct text *text);
void help_partitions(struct text *text);

#endif
