#include "fuzz/memory_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* This number of descriptors may be open at once. They are real ones of /dev/null, so that no other has their
 * numbers. */
#define HANDLES 4

static struct {
    const char *bytes;
    size_t size;
    bool stream;
    int fd[HANDLES]; /* 0: not made yet */
    bool used[HANDLES];
    size_t position[HANDLES];
} file;

/* No other file is seen. */
static bool hidden;

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
int __real_stat(const char *path, struct stat *stat);
int __real_fstat(int fd, struct stat *stat);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_pread(int fd, void *buffer, size_t size, off_t offset);
off_t __real_lseek(int fd, off_t offset, int whence);
FILE *__real_fopen(const char *path, const char *mode);
DIR *__real_opendir(const char *path);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
int __wrap_stat(const char *path, struct stat *stat);
int __wrap_fstat(int fd, struct stat *stat);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_pread(int fd, void *buffer, size_t size, off_t offset);
off_t __wrap_lseek(int fd, off_t offset, int whence);
FILE *__wrap_fopen(const char *path, const char *mode);
DIR *__wrap_opendir(const char *path);

void memory_file_set(const void *bytes, size_t size, bool stream)
{
    file.bytes = bytes;
    file.size = size;
    file.stream = stream;
}

int memory_file_open(void)
{
    int open = 0;
    for (int k = 0; k < HANDLES; k++)
        open += file.used[k];
    return open;
}

static bool is_ours(const char *path)
{
    return strcmp(path, MEMORY_FILE) == 0;
}

static int handle_of(int fd)
{
    for (int k = 0; k < HANDLES; k++)
        if (file.used[k] && file.fd[k] == fd) return k;
    return -1;
}

void memory_file_hide(bool all)
{
    hidden = all;
}

static bool is_hidden(const char *path)
{
    return hidden && strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/sys/", 5) != 0;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (!hidden) return __real_open(path, flags, mode);
    if (!is_ours(path)) {
        errno = ENOENT;
        return -1;
    }
    for (int k = 0; k < HANDLES; k++) {
        if (file.used[k]) continue;
        if (!file.fd[k]) file.fd[k] = __real_open("/dev/null", flags);
        if (file.fd[k] <= 0) abort();
        file.used[k] = true;
        file.position[k] = 0;
        return file.fd[k];
    }
    errno = EMFILE;
    return -1;
}

int __wrap_close(int fd)
{
    int k = handle_of(fd);
    if (k < 0) return __real_close(fd);
    file.used[k] = false;
    return 0;
}

static void describe(struct stat *stat)
{
    memset(stat, 0, sizeof *stat);
    stat->st_mode = (file.stream ? S_IFIFO : S_IFREG) | 0644;
    stat->st_size = file.stream ? 0 : (off_t)file.size;
    stat->st_nlink = 1;
}

int __wrap_stat(const char *path, struct stat *stat)
{
    if (hidden && is_ours(path)) {
        describe(stat);
        return 0;
    }
    if (!is_hidden(path)) return __real_stat(path, stat);
    errno = ENOENT;
    return -1;
}

int __wrap_fstat(int fd, struct stat *stat)
{
    if (handle_of(fd) < 0) return __real_fstat(fd, stat);
    describe(stat);
    return 0;
}

static ssize_t take(void *buffer, size_t size, size_t from)
{
    if (from >= file.size) return 0;
    if (size > file.size - from) size = file.size - from;
    memcpy(buffer, file.bytes + from, size);
    return (ssize_t)size;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
    int k = handle_of(fd);
    if (k < 0) return __real_read(fd, buffer, size);
    ssize_t count = take(buffer, size, file.position[k]);
    file.position[k] += (size_t)count;
    return count;
}

ssize_t __wrap_pread(int fd, void *buffer, size_t size, off_t offset)
{
    int k = handle_of(fd);
    if (k < 0) return __real_pread(fd, buffer, size, offset);
    if (file.stream || offset < 0) {
        errno = file.stream ? ESPIPE : EINVAL;
        return -1;
    }
    return take(buffer, size, (size_t)offset);
}

off_t __wrap_lseek(int fd, off_t offset, int whence)
{
    int k = handle_of(fd);
    if (k < 0) return __real_lseek(fd, offset, whence);
    off_t base = whence == SEEK_CUR ? (off_t)file.position[k] : whence == SEEK_END ? (off_t)file.size : 0, to;
    if (file.stream || __builtin_add_overflow(base, offset, &to) || to < 0) {
        errno = file.stream ? ESPIPE : EINVAL;
        return -1;
    }
    file.position[k] = (size_t)to;
    return to;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (hidden && is_ours(path) && file.size) return fmemopen((void *)(uintptr_t)file.bytes, file.size, "r");
    if (hidden && is_ours(path)) return __real_fopen("/dev/null", mode);
    /* Results are written while a target runs. */
    if (!is_hidden(path) || mode[0] == 'w') return __real_fopen(path, mode);
    errno = ENOENT;
    return NULL;
}

DIR *__wrap_opendir(const char *path)
{
    if (!hidden) return __real_opendir(path);
    errno = ENOENT;
    return NULL;
}
