#include "matrix/files/rows_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void rows_file_claim(const struct rows_file *file, int64_t offset, int64_t count)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = (off_t)count};
    if (count > 0 && fcntl(file->fd, F_SETLK, &lock) != 0) return;
}

int rows_file_put(const struct rows_file *file, int64_t offset, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t written =
            pwrite(file->fd, (const char *)bytes + done, count - done, (off_t)offset + (off_t)done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        done += (size_t)written;
    }
    return 0;
}

enum status rows_file_failed(int code, struct error *error)
{
    return error_set(error, STATUS_IO, "the matrix cannot be written: %s", strerror(code ? code : EIO));
}
