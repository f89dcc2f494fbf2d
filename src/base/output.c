#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* The temporary name of the current output file, or "", for output_signalled. It is changed only while
 * signals are blocked, so that a handler finds it complete. */
static char unfinished[PATH_MAX];

void output_signalled(void)
{
    if (unfinished[0]) unlink(unfinished);
}

static enum status failed(const struct output *output, int code, struct error *error)
{
    return error_at(error, code == EPIPE ? STATUS_CANCELLED : STATUS_IO, output->path, 0, 0,
                    "cannot write: %s", strerror(code));
}

static void forget(struct output *output)
{
    free(output->path);
    free(output->target);
    free(output->temporary);
    *output = (struct output){0};
}

/* Some file systems have no permissions. The file then keeps its initial ones. */
static void take_permissions(int fd, const struct stat *before)
{
    if (before && fchmod(fd, before->st_mode & 0777) != 0) return;
}

/* Create the file under its temporary name, with the permissions of an existing target, else those of the
 * umask. Returns its descriptor, or -1 with errno set. */
static int open_beside(const struct output *output, const struct stat *before)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) snprintf(unfinished, sizeof unfinished, "%s", output->temporary);
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (fd >= 0) take_permissions(fd, before);
    errno = code;
    return fd;
}

/* Open a file without a name in the folder of the temporary one. Returns its descriptor, or -1 if the file
 * system has no such files, or if /proc is missing, through which it gets its name. */
static int open_nameless(const struct output *output, const struct stat *before)
{
#ifdef O_TMPFILE
    char folder[PATH_MAX];
    const char *slash = strrchr(output->temporary, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - output->temporary) : 1,
             slash ? output->temporary : ".");
    const int fd =
        access("/proc/self/fd", X_OK) == 0 ? open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) take_permissions(fd, before);
    return fd;
#else
    return -1;
#endif
}

/* Maximum bytes of the target's name in the temporary one: names in a folder have up to 255 bytes. */
#define NAME_KEPT 200
#define LINKS_MAX 40
#define ATTEMPTS 100

/* The temporary name of a target: .NAME.PID in the same folder, followed by a number if this name exists. */
static char *name_beside(const char *target, int attempt, struct error *error)
{
    struct text name = {0};
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash + 1 - target) : 0;
    text_append(&name, "%.*s.%.*s.%ld", folder, target, NAME_KEPT, target + folder, (long)getpid());
    if (attempt) text_append(&name, ".%d", attempt);
    if (name.failed) error_set(error, STATUS_MEMORY, "out of memory");
    return name.data;
}

/* Rename the file to its target if `keep`, else remove it; returns 0, or -1 with errno set. Signals are
 * blocked until its temporary name is cleared, since a handler would remove any file with that name. */
static int settle(const struct output *output, bool keep)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int result = keep ? rename(output->temporary, output->target) : unlink(output->temporary);
    int code = errno;
    if (keep && result != 0) unlink(output->temporary);
    unfinished[0] = 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = code;
    return result;
}

/* Return the target of a link, even if it does not exist, or a copy of the path if it is not a link. The
 * caller frees it. NULL with STATUS_MEMORY, or if there are too many links. */
static char *follow(const char *path, struct error *error)
{
    char *name = memory_string(path, error), link[PATH_MAX];
    for (int k = 0; name && k < LINKS_MAX; k++) {
        ssize_t length = readlink(name, link, sizeof link - 1);
        if (length < 0) return name;
        link[length] = 0;
        const char *slash = strrchr(name, '/');
        int folder = slash && link[0] != '/' ? (int)(slash + 1 - name) : 0;
        struct text next = {0};
        text_append(&next, "%.*s%s", folder, name, link);
        free(name);
        name = next.failed ? NULL : next.data;
        if (!name) error_set(error, STATUS_MEMORY, "out of memory");
    }
    if (name) error_at(error, STATUS_IO, path, 0, 0, "cannot write: %s", strerror(ELOOP));
    free(name);
    return NULL;
}

/* Give a nameless file its temporary name. Returns 0, or -1 with errno set. */
static int link_beside(const struct output *output)
{
    char from[64];
    sigset_t all, old;
    snprintf(from, sizeof from, "/proc/self/fd/%d", fileno(output->file));
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int result = linkat(AT_FDCWD, from, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW);
    const int code = errno;
    if (result == 0) snprintf(unfinished, sizeof unfinished, "%s", output->temporary);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = code;
    return result;
}

/* Copy all bytes of one file to another. Returns 0, or -1 with errno set. */
static int copy(int from, int to)
{
    char bytes[65536];
    ssize_t count;
    for (off_t at = 0; (count = pread(from, bytes, sizeof bytes, at)) > 0; at += count)
        for (ssize_t done = 0, written; done < count; done += written)
            if ((written = write(to, bytes + done, (size_t)(count - done))) < 0) return -1;
    return count < 0 ? -1 : 0;
}

/* Give a complete nameless file its temporary name, or copy it if it cannot get one. Returns 0, or -1 with
 * errno set. */
static int name_file(struct output *output)
{
    struct error error = {0};
    struct stat own;
    int result = link_beside(output);
    for (int k = 1; k < ATTEMPTS && result < 0 && errno == EEXIST; k++) {
        char *name = name_beside(output->target, k, &error);
        if (!name) return errno = ENOMEM, -1;
        free(output->temporary);
        output->temporary = name;
        result = link_beside(output);
    }
    output->nameless = false;
    if (result == 0) return 0;
    const int from = fileno(output->file), to = fstat(from, &own) == 0 ? open_beside(output, &own) : -1;
    if (to < 0) {
        output->nameless = true;
        return -1;
    }
    result = copy(from, to);
    const int code = errno;
    if (close(to) != 0 && result == 0) return -1;
    errno = code;
    return result;
}

static enum status open_file(struct output *output, const char *path, bool named, struct error *error)
{
    struct stat before;
    int fd = -1;
    bool there = stat(path, &before) == 0;
    if (!path[0] || (there && !S_ISREG(before.st_mode))) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else if (there && access(path, W_OK) != 0) {
        fd = -1;
    } else {
        struct error fault = {0};
        output->target = follow(path, &fault);
        if (!output->target) {
            if (error) *error = fault;
            return fault.status;
        }
        /* A killed process with the same process number may have left a file. */
        errno = EEXIST;
        for (int k = 0; k < ATTEMPTS && fd < 0 && errno == EEXIST; k++) {
            free(output->temporary);
            output->temporary = name_beside(output->target, k, error);
            if (!output->temporary) return STATUS_MEMORY;
            const bool fits = strlen(output->temporary) < sizeof unfinished;
            if (k == 0 && fits && !named) fd = open_nameless(output, there ? &before : NULL);
            output->nameless = fd >= 0;
            if (fd < 0) fd = fits ? open_beside(output, there ? &before : NULL) : (errno = ENAMETOOLONG, -1);
        }
    }
    if (fd >= 0) output->file = fdopen(fd, "w");
    if (output->file) return STATUS_OK;
    int code = errno;
    if (fd >= 0) {
        close(fd);
        if (output->temporary && !output->nameless) settle(output, false);
    }
    return failed(output, code, error);
}

static enum status open_as(struct output *output, const char *path, bool named, struct error *error)
{
    bool standard = !path || strcmp(path, "-") == 0;
    *output = (struct output){0};
    output->path = memory_string(standard ? "standard output" : path, error);
    if (!output->path) return STATUS_MEMORY;
    if (standard) {
        output->file = stdout;
        return STATUS_OK;
    }
    enum status status = open_file(output, path, named, error);
    if (status != STATUS_OK) forget(output);
    return status;
}

enum status output_open(struct output *output, const char *path, struct error *error)
{
    return open_as(output, path, false, error);
}

enum status output_open_named(struct output *output, const char *path, struct error *error)
{
    return open_as(output, path, true, error);
}

/* Set the name for output_signalled. */
static void watch(const char *temporary)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    snprintf(unfinished, sizeof unfinished, "%s", temporary);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

enum status output_join(struct output *output, const char *path, const char *temporary, struct error *error)
{
    *output = (struct output){.path = memory_string(path, error)};
    if (!output->path) return STATUS_MEMORY;
    const int fd = open(temporary, O_WRONLY | O_CLOEXEC);
    output->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (output->file) {
        watch(temporary);
        return STATUS_OK;
    }
    const int code = errno;
    if (fd >= 0) close(fd);
    enum status status = failed(output, code, error);
    forget(output);
    errno = code;
    return status;
}

enum status output_leave(struct output *output, struct error *error)
{
    enum status status = STATUS_OK;
    if (output->file && fclose(output->file) != 0) status = failed(output, errno, error);
    if (output->file) watch("");
    forget(output);
    return status;
}

enum status output_write(struct output *output, const char *bytes, size_t length, struct error *error)
{
    if (length && fwrite(bytes, 1, length, output->file) != length) return failed(output, errno, error);
    if (fflush(output->file) != 0) return failed(output, errno, error);
    return STATUS_OK;
}

enum status output_commit(struct output *output, struct error *error)
{
    bool earlier = ferror(output->file);
    errno = earlier ? EIO : 0;
    bool bad = fflush(output->file) != 0 || earlier;
    int code = errno;
    if (!bad && output->nameless && name_file(output) != 0) {
        bad = true;
        code = errno;
    }
    if (output->file != stdout && fclose(output->file) != 0 && !bad) {
        bad = true;
        code = errno;
    }
    output->file = NULL;
    if (output->temporary && !output->nameless && settle(output, !bad) != 0 && !bad) {
        bad = true;
        code = errno;
    }
    enum status status = bad ? failed(output, code, error) : STATUS_OK;
    forget(output);
    return status;
}

void output_abandon(struct output *output)
{
    if (output->file && output->file != stdout) fclose(output->file);
    if (output->file && output->temporary && !output->nameless) settle(output, false);
    forget(output);
}

bool output_unread(const struct output *output)
{
    if (!output->file) return false;
    struct pollfd poll_fd = {.fd = fileno(output->file), .events = POLLOUT};
    return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & POLLERR);
}
