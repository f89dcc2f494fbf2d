/* Streams on top of failing_read, failing_write and so on: the C library's own streams make system calls
 * without a symbol that could be replaced. */
#include "support/failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__

struct stream {
    FILE *file;
    int fd;
};

/* A table, since fileno has to find streams. It has no lock, since a fork may happen at any time. */
static struct stream streams[256];

static ssize_t read_stream(void *cookie, char *bytes, size_t size)
{
    return failing_read(((struct stream *)cookie)->fd, bytes, size);
}

/* After a partial write the stream tries the rest again, as the C library does. */
static ssize_t write_stream(void *cookie, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = failing_write(((struct stream *)cookie)->fd, bytes + done, size - done);
        if (count <= 0) break;
        done += (size_t)count;
    }
    return (ssize_t)done;
}

static int seek_stream(void *cookie, off64_t *offset, int whence)
{
    off_t at = failing_seek(((struct stream *)cookie)->fd, *offset, whence);
    if (at < 0) return -1;
    *offset = at;
    return 0;
}

static int close_stream(void *cookie)
{
    struct stream *stream = cookie;
    int fd = stream->fd;
    __atomic_store_n(&stream->file, NULL, __ATOMIC_RELEASE);
    return failing_close(fd);
}

static FILE *make(int fd, const char *mode)
{
    static const cookie_io_functions_t calls = {read_stream, write_stream, seek_stream, close_stream};
    static FILE *const taken = (FILE *)&calls;
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++) {
        FILE *none = NULL;
        if (!__atomic_compare_exchange_n(&streams[k].file, &none, taken, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE))
            continue;
        streams[k].fd = fd;
        FILE *file = fopencookie(&streams[k], mode, calls);
        __atomic_store_n(&streams[k].file, file, __ATOMIC_RELEASE);
        return file;
    }
    errno = EMFILE;
    return NULL;
}

void failing_streams(void)
{
    FILE *out = make(STDOUT_FILENO, "w"), *messages = make(STDERR_FILENO, "w");
    if (isatty(STDOUT_FILENO)) setvbuf(out, NULL, _IOLBF, BUFSIZ);
    setvbuf(messages, NULL, _IONBF, 0);
    stdout = out;
    stderr = messages;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
    if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
    if (strchr(mode, 'e')) flags |= O_CLOEXEC;
    if (strchr(mode, 'x')) flags |= O_EXCL;
    int fd = failing_open(AT_FDCWD, path, flags, 0666);
    return fd < 0 ? NULL : make(fd, mode);
}

#    if defined __GNUC__ && !defined __clang__
#        pragma GCC diagnostic ignored "-Wmissing-attributes"
#    endif
extern FILE *fopen64_(const char *restrict path, const char *restrict mode) __asm__("fopen64")
    __attribute__((alias("fopen")));

FILE *fdopen(int fd, const char *mode)
{
    return failing(CALL_OPEN) ? NULL : make(fd, mode);
}

int fileno(FILE *file)
{
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++)
        if (file && __atomic_load_n(&streams[k].file, __ATOMIC_ACQUIRE) == file) return streams[k].fd;
    return ((int (*)(FILE *))dlsym(RTLD_NEXT, "fileno"))(file);
}

#else

void failing_streams(void)
{
}

#endif
