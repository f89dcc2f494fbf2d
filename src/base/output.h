/* Output: standard output, or a file that appears completely or not at all. */
#ifndef SPARSIGHT_BASE_OUTPUT_H
#define SPARSIGHT_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* An output that is open. Start with {0}; there may be one at a time. A regular file is written in its folder
 * without a name, or under a temporary name if the file system has no nameless files, and gets its name at
 * the end. So its old content stays until the new one is complete, and a killed process leaves no nameless
 * file. If the path is a symbolic link, its target is replaced. Devices and pipes are written directly. */
struct output {
    FILE *file;      /* the stream to write to */
    char *path;      /* the name for messages; owned */
    char *target;    /* the name that the file will have; owned */
    char *temporary; /* the name that the file has until then; NULL if it is written directly; owned */
    bool nameless;   /* it gets this name only in output_commit */
};

/* Open `path`, or standard output if that is NULL or "-". STATUS_IO with the text of errno. */
enum status output_open(struct output *output, const char *path, struct error *error);

/* The same, but a regular file always has its temporary name, as on file systems without nameless files. */
enum status output_open_named(struct output *output, const char *path, struct error *error);

/* Open the file that another process has opened by output_open_named, to write a part of it: `path` is the
 * name for messages, `temporary` its temporary name. STATUS_IO with errno, STATUS_MEMORY. End with
 * output_leave; the other process commits the file or abandons it. A signal to this process removes it, too.
 */
enum status output_join(struct output *output, const char *path, const char *temporary, struct error *error);

/* Close such a file, which stays. STATUS_IO if not all could be written. Does nothing if it is closed. */
enum status output_leave(struct output *output, struct error *error);

/* Write and flush. STATUS_CANCELLED if the output is a pipe whose reader has closed it (the caller must
 * ignore SIGPIPE), STATUS_IO for any other failure to write everything. */
enum status output_write(struct output *output, const char *bytes, size_t length, struct error *error);

/* Flush, close, and give a regular file its name. On failure nothing of the new file is left. The output is
 * closed in any case. */
enum status output_commit(struct output *output, struct error *error);

/* Close the output, and remove the part of a regular file that was written. Does nothing if it is closed
 * already. */
void output_abandon(struct output *output);

/* True if the output is a pipe whose reader has closed it. This is the reader's choice, and not reported as
 * an error. */
bool output_unread(const struct output *output);

/* Remove the file that is being written, if there is one. Signal handlers may call this. */
void output_signalled(void);

#endif
