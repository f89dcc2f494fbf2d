/* Trying a library in a child process. */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_TRIAL_H
#define SPARSIGHT_KERNELS_LIBRARIES_TRIAL_H

#include "kernels/libraries/library.h"

/* Open one of the files and find all wanted symbols. Fails with STATUS_UNAVAILABLE; *missing becomes
 * true if the file does not exist, and false for other faults. */
enum status library_open(const struct library *library, const char *name, bool *missing, struct error *error);

/* Write the error's message, which then begins with the library's title; "" if it has none. */
void library_reason(const struct library *library, const struct error *error, char *reason, size_t size);

/* Let a child process open the files in turn, start the first that exists, and multiply a small matrix with
 * its kernel by one thread. The child prints nothing, and cannot affect this process. Returns the index of
 * the file; or -1, with the fault of the library in `reason`, which has `size` bytes: it could not be loaded,
 * exited, crashed, did not respond in time, or computed a wrong result. `reason` is "" if none of the files
 * exists. */
int library_try(const struct library *library, const struct library_names *names, double seconds,
                char *reason, size_t size);

#endif
