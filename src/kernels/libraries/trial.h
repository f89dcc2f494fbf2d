/* Trying a library in a child process. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_TRIAL_H
#define SPARSIGHT_KERNELS_LIBRARIES_TRIAL_H

#include "kernels/libraries/library.h"

/* Open one of the files and find all that is wanted of it; *missing becomes false if the file is just not
 * there. Fails with STATUS_UNAVAILABLE. */
enum status library_open(const struct library *library, const char *name, bool *missing, struct error *error);

/* Write the error's message, which then begins with the library's title; "" if it has none. */
void library_reason(const struct library *library, const struct error *error, char *reason, size_t size);

/* Let a child process open the files in turn, start the first that is there, and multiply a small matrix
 * with its kernel by one thread. The child prints nothing, and nothing that it does harms this process.
 * Returns the number of the file; or -1, and `reason`, which has `size` bytes, says what is wrong with the
 * library: it could not be loaded, it ended the child, it crashed, did not answer within so many seconds, or
 * computed something else. `reason` is "" if none of the files is there. */
int library_try(const struct library *library, const struct library_names *names, double seconds,
                char *reason, size_t size);

#endif
