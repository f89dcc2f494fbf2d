/* What a program sees to before it does anything: its standard streams and its signals. */
#ifndef SPARSIGHT_COMMAND_PROCESS_H
#define SPARSIGHT_COMMAND_PROCESS_H

/* Open /dev/null for each standard stream that is closed, in the direction that it does not have, so that
 * using it fails. Else the first file that is opened would become that stream. */
void process_guard_streams(void);

/* Let signals that end the process (base/signals.h) remove an unfinished file and the progress line first,
 * and give the terminal the modes back that it had before it was asked what it can. */
void process_catch_signals(void);

#endif
