/* Bytes that exceed memory, in a file without a name. Each is written once, and can be read repeatedly. The
 * file is in the folder of TMPDIR, or in /tmp, and disappears when the process ends in any way. */
#ifndef SPARSIGHT_BASE_SPILL_H
#define SPARSIGHT_BASE_SPILL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Start with spill_open. Several threads may write and read at once. */
struct spill {
    int fd;              /* -1: not open */
    _Atomic int64_t end; /* the number of bytes that were written or are being written */
    char folder[1024];   /* for messages */
};

/* Create the file. STATUS_IO if that fails. */
enum status spill_open(struct spill *spill, struct error *error);

/* Write this number of bytes; *offset becomes their offset in the file. STATUS_IO, with the folder in the
 * message, if there is no room. */
enum status spill_write(struct spill *spill, const void *bytes, size_t size, int64_t *offset,
                        struct error *error);

/* Read bytes that were written at `offset`. STATUS_IO. */
enum status spill_read(const struct spill *spill, int64_t offset, void *bytes, size_t size,
                       struct error *error);

/* Close the file, which frees its space. Accepts a spill that was not opened, with fd -1. */
void spill_close(struct spill *spill);

#endif
