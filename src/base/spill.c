#include "base/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status failed(const struct spill *spill, const char *what, struct error *error)
{
    return error_at(error, STATUS_IO, spill->folder, 0, 0,
                    "%s: %s; TMPDIR names the folder for temporary files", what, strerror(errno));
}

enum status spill_open(struct spill *spill, struct error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[sizeof spill->folder + 32];
    *spill = (struct spill){.fd = -1};
    snprintf(spill->folder, sizeof spill->folder, "%s", folder && folder[0] ? folder : "/tmp");
    snprintf(path, sizeof path, "%s/sparsight-XXXXXX", spill->folder);
    spill->fd = mkostemp(path, O_CLOEXEC);
    if (spill->fd < 0) return failed(spill, "no temporary file can be made here", error);
    unlink(path);
    return STATUS_OK;
}

enum status spill_write(struct spill *spill, const void *bytes, size_t size, int64_t *offset,
                        struct error *error)
{
    *offset = atomic_fetch_add(&spill->end, (int64_t)size);
    for (size_t done = 0; done < size;) {
        ssize_t count = pwrite(spill->fd, (const char *)bytes + done, size - done, *offset + (off_t)done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return failed(spill, "a temporary file cannot be written", error);
        done += (size_t)count;
    }
    return STATUS_OK;
}

enum status spill_read(const struct spill *spill, int64_t offset, void *bytes, size_t size,
                       struct error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(spill->fd, (char *)bytes + done, size - done, offset + (off_t)done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return failed(spill, "a temporary file cannot be read", error);
        done += (size_t)count;
    }
    return STATUS_OK;
}

void spill_close(struct spill *spill)
{
    if (spill->fd >= 0) close(spill->fd);
    spill->fd = -1;
}
