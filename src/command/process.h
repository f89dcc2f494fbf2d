/* Initialisation of a program: its standard streams and its signals. */
#ifndef SPARSIGHT_COMMAND_PROCESS_H
#define SPARSIGHT_COMMAND_PROCESS_H

#include <stddef.h>

#include "base/error.h"

/* Open /dev/null for each closed standard stream, in the wrong direction, so that using the stream fails.
 * Otherwise the first opened file would become that stream. */
void process_guard_streams(void);

/* Keep libraries from writing to standard error what they also return as errors: hwloc writes even across the
 * screen if /sys is missing, as in some containers. The user's own settings take precedence. Call it before
 * starting threads. */
void process_hush_libraries(void);

/* Keep hwloc from loading plugins, which takes longer than reading the topology: they look for devices, which
 * are not needed, except one that reads XML files of other programs. The user's own settings take precedence.
 * Call it before starting threads, and not beside MPI, which may ask for devices. */
void process_spare_plugins(void);

/* Let signals that end the process remove an unfinished file and the progress line first. Broken pipes and
 * file size limits are reported as errors of write instead of signals. */
void process_catch_signals(void);

/* From now on, until main calls process_done at its end: if a library ends the process, as OpenMP does if it
 * gets no thread, remove an unfinished file and the progress line, print a message, and make the process
 * fail.
 */
void process_catch_exit(void);
void process_done(void);

/* Limit the threads to the number that the system lets the process start. If that is less than `asked`, the
 * number of --threads, this is an error. If --threads was not given (0), a note on standard error says so. */
enum status process_fit_threads(int asked, struct error *error);

/* Limit all further allocations to the user's limit in bytes, including those of libraries; 0: the system's
 * memory. */
void process_hold_memory(size_t limit);

#endif
