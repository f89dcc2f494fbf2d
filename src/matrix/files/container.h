/* Containers find and read the file that the user named: a plain file, a compressed one, a member of an
 * archive, or a stream. libarchive unpacks. reader.h detects the file's format. Here the bytes of the file
 * are called the text, even if they are binary. */
#ifndef SPARSIGHT_MATRIX_FILES_CONTAINER_H
#define SPARSIGHT_MATRIX_FILES_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/job.h"
#include "base/text.h"

struct container;

/* Number of bytes that container_peek shows. */
#define CONTAINER_HEAD ((size_t)64 << 10)
#define CONTAINER_HEAD_PADDING 32

/* The bounds for unpacking a packed file in search of a member. {0} sets no bounds. */
struct container_bounds {
    struct progress *progress; /* stops reading if cancelled (STATUS_CANCELLED); may be NULL */
    int64_t bytes;             /* maximum bytes to read from the file, then STATUS_LIMIT; 0: all */
};

/* Open `path`, which is one of
 *
 * - a file, compressed or not;
 * - an archive. It selects its member DIR/NAME.mtx if the archive or DIR is called NAME, else its only member
 *   that is not the _b or _x of another; instead of .mtx any ending that a reader has;
 * - ARCHIVE:MEMBER, with or without the member's folders;
 * - FILE:NAME, with a variable of that name in a file that is not an archive, or ARCHIVE:MEMBER:NAME;
 * - "-", standard input, compressed or not.
 *
 * Returns STATUS_IO with the text of errno; STATUS_SEVERAL for a directory, and for an archive that has
 * several matrices to choose from, with its members; STATUS_INPUT for one that has none. */
enum status container_open(const char *path, struct container **container, struct error *error);

/* The same within bounds, which also apply to later reads. They must outlive the container. */
enum status container_open_within(const char *path, const struct container_bounds *bounds,
                                  struct container **container, struct error *error);

/* Open the file `path`, which is no ARCHIVE:MEMBER, to read all of its members in turn. Nothing can be read
 * before the first call of container_next. `bounds` may be NULL, and must stay as long as the container. */
enum status container_walk(const char *path, const struct container_bounds *bounds,
                           struct container **container, struct error *error);

/* Step to the next member of an archive that container_walk has opened. container_read then reads its text,
 * and container_path names it. *member becomes its name with its folders, which the container owns until the
 * next call; "" for the text of a file that is not an archive; NULL at the end. *bytes becomes the size of
 * its text, or -1 if the archive does not state it. The unread rest of the previous member is skipped. */
enum status container_next(struct container *container, const char **member, int64_t *bytes,
                           struct error *error);

/* The strings that the following three functions return are owned by the container. */

/* Return the name by which messages call the text: the path, or ARCHIVE:MEMBER. */
const char *container_path(const struct container *container);

/* Return the name of the matrix: the file's name without folders and endings. */
const char *container_name(const struct container *container);

/* Return the members of the archive except the opened one, each on a line; "" if there are none. Complete
 * once the text has been read to its end. */
const char *container_others(const struct container *container);

/* Return the NAME of FILE:NAME, or NULL. */
const char *container_variable(const struct container *container);

/* Fail with STATUS_INPUT since there is no such variable in the file: it holds one text without a name. */
enum status container_refuse_variable(const struct container *container, struct error *error);

/* Show the first bytes of the text, up to CONTAINER_HEAD, without reading on: container_read still begins
 * with them. Call it before anything is read. The container owns *bytes, which CONTAINER_HEAD_PADDING zeros
 * follow. Returns their number, which is less than CONTAINER_HEAD only if this is the whole text; -1 with
 * *error filled in. */
ssize_t container_peek(struct container *container, const char **bytes, struct error *error);

/* Make the text plain: a packed one, or a stream, is unpacked into a file in memory. Call it before anything
 * is read. Returns STATUS_LIMIT as soon as the text is longer than memory_limit(limit), STATUS_INPUT if the
 * file is damaged, STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status container_unpack(struct container *container, size_t limit, struct progress *progress,
                             struct error *error);

/* For libraries that open files by themselves. Return the path of the file, or NULL if the text is not a
 * plain file on disk. */
const char *container_file(const struct container *container);

/* Return true if the text can be read at any position, by container_pread, and its size in bytes is known. */
bool container_is_plain(const struct container *container);
int64_t container_size(const struct container *container);

/* Read up to `size` bytes at `offset` of a plain text; several threads may do so at once. Returns the number
 * of bytes read, less than `size` only at the end, or -1 with *error filled in. */
ssize_t container_pread(const struct container *container, char *buffer, size_t size, int64_t offset,
                        struct error *error);

/* Fill in the size of a plain file, its inode, and the times of the last changes of its contents and of its
 * inode. These numbers are the same on all computers that share a file, and two files practically never have
 * the same. */
#define CONTAINER_IDENTITY 6
void container_identity(const struct container *container, int64_t identity[CONTAINER_IDENTITY]);

/* Return true if the file has another size or time of change than when it was opened, or since it was
 * unpacked. Always false for streams. */
bool container_changed(const struct container *container);

/* Read the next up to `size` bytes, of a plain text or any other; one thread at a time. Returns the number of
 * bytes read, 0 at the end, or -1 on error, as for a damaged or truncated archive. */
ssize_t container_read(struct container *container, char *buffer, size_t size, struct error *error);

/* Return the number of bytes of the file read so far, and its size (0 if that is not known), for a progress
 * bar. */
int64_t container_consumed(const struct container *container);
int64_t container_total(const struct container *container);

void container_close(struct container *container);

#endif
