/* Output: standard output, or a file that is written whole or not at all. */
#ifndef SPARSIGHT_BASE_OUTPUT_H
#define SPARSIGHT_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Start with {0}. One output at a time. A regular file is written under another name in its own folder and
 * renamed at the end; through a symbolic link, its target is; devices and pipes are written as they are. */
struct output {
    FILE *file; /* to be written to */
    char *path; /* for messages; owned */
    char *target;
    char *temporary; /* NULL: written directly */
};

/* path NULL or "-": standard output. Errors: STATUS_IO with errno's text. */
enum status output_open(struct output *output, const char *path, struct error *error);

/* Write and flush. STATUS_IO if not all of it went out; STATUS_CANCELLED if that is because nobody reads the
 * pipe any more (SIGPIPE must be ignored). */
enum status output_write(struct output *output, const char *bytes, size_t length, struct error *error);

/* Flush, close and put the file in its place. Either way the output is closed afterwards, and on failure
 * nothing of a regular file is left. */
enum status output_commit(struct output *output, struct error *error);

/* Close, and remove what was written of a regular file. Does nothing if the output is closed. */
void output_abandon(struct output *output);

/* True if the output is a pipe that nobody reads any more, which is the reader's choice and no news to it. */
bool output_unread(const struct output *output);

/* Remove the file that is being written, if any. For signal handlers: async-signal-safe. */
void output_signalled(void);

#endif
