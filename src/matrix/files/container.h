/* Containers: the one Matrix Market text inside whatever was named, whether plain, compressed, archived or
 * streamed. libarchive does the unpacking. */
#ifndef SPARSIGHT_MATRIX_FILES_CONTAINER_H
#define SPARSIGHT_MATRIX_FILES_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

struct container;

/* Open `path`: a file, a compressed file, an archive (its member DIR/NAME.mtx for an archive or folder called
 * NAME, else its only .mtx member that is not a _b or _x of another), ARCHIVE:MEMBER (the member's full path
 * or its last part) or "-" for standard input (compressed or not). Errors: STATUS_IO with errno's text,
 * STATUS_INPUT for a directory, an archive without a matrix (its members are listed), or with several to
 * choose from. */
enum status container_open(const char *path, struct container **container, struct error *error);

/* The text's name for messages: the path, or ARCHIVE:MEMBER. Owned by the container. */
const char *container_path(const struct container *container);

/* The matrix's own name: file name without folders and endings. Owned by the container. */
const char *container_name(const struct container *container);

/* Members of an archive other than the one opened, one a line; "" if none. Owned by the container. */
const char *container_others(const struct container *container);

/* True if the text can be read at any position: container_pread and container_size then work. */
bool container_is_plain(const struct container *container);
int64_t container_size(const struct container *container);

/* Read up to `size` bytes at `offset`; thread-safe. Returns bytes read (less than `size` only at the end), or
 * -1 with *error filled in. */
ssize_t container_pread(const struct container *container, char *buffer, size_t size, int64_t offset,
                        struct error *error);

/* The plain file has another size or time of change than when it was opened. */
bool container_changed(const struct container *container);

/* Read the next up to `size` bytes of a stream; works for plain files too. 0 at the end, -1 on error (a
 * damaged or truncated archive among them). One thread at a time. */
ssize_t container_read(struct container *container, char *buffer, size_t size, struct error *error);

/* Bytes of the file consumed so far and in all (0 if unknown), for a progress bar over a stream. */
int64_t container_consumed(const struct container *container);
int64_t container_total(const struct container *container);

void container_close(struct container *container);

#endif
