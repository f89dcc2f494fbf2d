/* What a program sees to before it does anything: its standard streams and its signals. */
#ifndef SPARSIGHT_COMMAND_PROCESS_H
#define SPARSIGHT_COMMAND_PROCESS_H

/* Open /dev/null for each standard stream that is closed, in the direction that it does not have, so that
 * using it fails. Else the first file that is opened would become that stream. */
void process_guard_streams(void);

/* Let signals that end the process remove an unfinished file and the progress line first. What the signals of
 * a broken pipe and of a file's limit tell comes as an error of write instead. */
void process_catch_signals(void);

#endif
