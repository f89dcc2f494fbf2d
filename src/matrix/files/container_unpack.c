#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/container_parts.h"

/* Bytes of a piece when a text is unpacked into memory. */
#define PIECE_BYTES ((size_t)1 << 20)

/* Unpack all of the text into the file `fd` in memory. *size becomes its length. */
static enum status unpack_into(struct container *c, int fd, size_t limit, struct progress *progress,
                               int64_t *size, struct error *error)
{
    enum status status = STATUS_OK;
    char *piece = memory_array(PIECE_BYTES, 1, error);
    size_t bound = memory_limit(limit);
    if (!piece) return STATUS_MEMORY;
    progress_phase(progress, "unpacking bytes", c->size);
    progress_add(progress, container_consumed(c)); /* for a look at its beginning */
    while (status == STATUS_OK) {
        int64_t before = container_consumed(c);
        ssize_t count = container_read(c, piece, PIECE_BYTES, error);
        if (count == 0) break;
        if (count < 0) {
            status = error ? error->status : STATUS_INPUT;
            break;
        }
        if ((size_t)*size + (size_t)count > bound)
            status = memory_check((size_t)*size + (size_t)count, bound, "the unpacked file", error);
        for (ssize_t done = 0, written; status == STATUS_OK && done < count; done += written) {
            written = write(fd, piece + done, (size_t)(count - done));
            if (written < 0 && errno == EINTR) written = 0;
            if (written < 0)
                status = error_at(error, STATUS_MEMORY, c->path, 0, 0, "out of memory to unpack it: %s",
                                  strerror(errno));
            if (written < 0) break;
        }
        *size += count;
        progress_add(progress, container_consumed(c) - before);
        if (status == STATUS_OK) status = progress_status(progress, error);
    }
    free(piece);
    return status;
}

enum status container_unpack(struct container *c, size_t limit, struct progress *progress,
                             struct error *error)
{
    struct error mine = {0};
    struct stat stat;
    int64_t size = 0;
    if (c->plain) return STATUS_OK;
    int fd = memfd_create("sparsight", MFD_CLOEXEC);
    if (fd < 0)
        return error_at(error, STATUS_IO, c->path, 0, 0, "cannot be unpacked into memory: %s",
                        strerror(errno));
    enum status status = unpack_into(c, fd, limit, progress, &size, &mine);
    if (status == STATUS_OK && fstat(fd, &stat))
        status = error_at(&mine, STATUS_IO, c->path, 0, 0, "%s", strerror(errno));
    if (status != STATUS_OK) {
        close(fd);
        if (error) *error = mine;
        return status;
    }
    if (c->owned) close(c->fd);
    c->fd = fd;
    c->owned = true;
    c->plain = c->unpacked = true;
    c->size = size;
    c->modified = stat.st_mtim;
    c->position = 0;
    c->head_bytes = c->head_taken = 0;
    return STATUS_OK;
}
