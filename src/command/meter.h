/* The progress line of a command on the terminal. */
#ifndef SPARSIGHT_COMMAND_METER_H
#define SPARSIGHT_COMMAND_METER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"

/* Wait for the job and return how it ended. If it is watched and takes longer than a moment, draw its
 * progress line on standard error meanwhile, with `name` in front. */
enum status wait_with_meter(struct job *job, const char *name, bool watched);

/* Show these words as the progress line, cut to fit and with control characters as '?'; remove the line. */
void meter_line(char *words);
void meter_clear(void);

/* Remove the progress line, if it is shown. This may be called from a handler of signals. */
void meter_signalled(void);

#endif
