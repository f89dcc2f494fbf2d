/* Reporting on one input, for all commands that do. */
#ifndef SPARSIGHT_COMMAND_REPORT_H
#define SPARSIGHT_COMMAND_REPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "command/options.h"
#include "report/report.h"

/* Report on one matrix, in each of the orders that were asked for. *failed becomes true if it cannot be
 * loaded or if a kernel was wrong, which the report says, and *limited too if it was refused for the memory
 * that it needs; the function itself fails only if the report cannot be written. */
enum status report_input(struct report *report, const char *name, const struct options *options, bool *failed,
                         bool *limited, struct error *error);

#endif
