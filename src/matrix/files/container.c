#include "matrix/files/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/container_parts.h"
#include "matrix/files/members.h"
#include "matrix/files/reader.h"

/* Bytes of a file's beginning for detecting its kind; a tar's mark ends at byte 262. */
#define MAGIC_BYTES 512

static bool starts_with(const char *bytes, size_t count, const char *magic, size_t size)
{
    return count >= size && !memcmp(bytes, magic, size);
}

/* Return true if a file that begins with these bytes must be unpacked. */
static bool is_packed(const char *file, const char *bytes, size_t count)
{
    return starts_with(bytes, count, "\x1f\x8b", 2) || starts_with(bytes, count, "\x1f\x9d", 2) ||
           starts_with(bytes, count, "BZh", 3) || starts_with(bytes, count, "\xfd\x37zXZ", 5) ||
           starts_with(bytes, count, "\x28\xb5\x2f\xfd", 4) ||
           starts_with(bytes, count, "\x04\x22\x4d\x18", 4) || archive_is_lzma(bytes, count) ||
           starts_with(bytes, count, "PK\x03\x04", 4) || starts_with(bytes, count, "PK\x05\x06", 4) ||
           (count >= 262 && !memcmp(bytes + 257, "ustar", 5)) ||
           (file && count && member_ends_with(file, strlen(file), ".tar"));
}

/* Find the kind of c->fd: a directory, a seekable file, a plain one. */
static enum status look(struct container *c, struct error *error)
{
    struct stat stat;
    char bytes[MAGIC_BYTES];
    if (fstat(c->fd, &stat)) return error_at(error, STATUS_IO, c->path, 0, 0, "%s", strerror(errno));
    if (S_ISDIR(stat.st_mode))
        return error_at(error, STATUS_SEVERAL, c->path, 0, 0, "is a directory; name a file in it");
    c->regular = S_ISREG(stat.st_mode) && lseek(c->fd, 0, SEEK_CUR) == 0;
    if (!c->regular) return STATUS_OK;
    c->size = stat.st_size;
    c->inode = (uint64_t)stat.st_ino;
    c->modified = stat.st_mtim;
    c->changed = stat.st_ctim;
    ssize_t count = container_pread(c, bytes, sizeof bytes, 0, error);
    if (count < 0) return STATUS_IO;
    c->lzma = archive_is_lzma(bytes, (size_t)count);
    c->gzip = gunzip_begins(bytes, (size_t)count);
    c->plain = !is_packed(c->file, bytes, (size_t)count) || reader_is_packed(bytes, (size_t)count);
    return STATUS_OK;
}

/* Return the ':' of ARCHIVE:MEMBER, the last one after the name of an existing file, or NULL. */
static char *member_mark(char *path)
{
    struct stat unused;
    if (!stat(path, &unused)) return NULL;
    for (char *colon = path + strlen(path); colon > path; colon--) {
        if (*colon != ':') continue;
        *colon = 0;
        bool exists = !stat(path, &unused);
        *colon = ':';
        if (exists && colon[1]) return colon;
    }
    return NULL;
}

/* Make c->path ARCHIVE:MEMBER. */
static enum status set_path(struct container *c, const char *archive, const char *member, struct error *error)
{
    size_t size = strlen(archive) + strlen(member) + 2;
    char *path = memory_array(size, 1, error);
    if (!path) return STATUS_MEMORY;
    snprintf(path, size, "%s:%s", archive, member);
    free(c->path);
    c->path = path;
    return STATUS_OK;
}

static enum status set_names(struct container *c, struct error *error)
{
    if (c->member && set_path(c, c->path, c->member, error)) return STATUS_MEMORY;
    const char *base = c->member ? member_base(c->member) : member_base(c->path);
    c->name = memory_string(base, error);
    if (!c->name) return STATUS_MEMORY;
    c->name[member_stem(base)] = 0;
    return STATUS_OK;
}

static enum status open_file(struct container *c, const char *path, struct error *error)
{
    char *wanted = NULL;
    bool standard = !strcmp(path, "-");
    c->path = memory_string(standard ? "stdin" : path, error);
    if (!c->path) return STATUS_MEMORY;
    if (!standard) {
        c->file = memory_string(path, error);
        if (!c->file) return STATUS_MEMORY;
        char *mark = member_mark(c->file);
        if (mark) {
            *mark = 0;
            wanted = mark + 1;
            c->path[mark - c->file] = 0;
        }
        c->fd = open(c->file, O_RDONLY | O_CLOEXEC);
        if (c->fd < 0) return error_at(error, STATUS_IO, c->file, 0, 0, "%s", strerror(errno));
        c->owned = true;
    } else
        c->fd = STDIN_FILENO;
    enum status status = look(c, error);
    if (status) return status;
    if (c->plain && wanted && (status = container_set_variable(c, wanted, error))) return status;
    if (!c->plain && (status = archive_open_member(c, wanted, error))) return status;
    return set_names(c, error);
}

/* Open a file to list its members. */
static enum status open_walk(struct container *c, const char *path, struct error *error)
{
    c->walking = true;
    c->path = memory_string(path, error);
    c->file = memory_string(path, error);
    c->name = memory_string(member_base(path), error);
    if (!c->path || !c->file || !c->name) return STATUS_MEMORY;
    c->name[member_stem(member_base(path))] = 0;
    c->fd = open(c->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (c->fd < 0) return error_at(error, STATUS_IO, c->file, 0, 0, "%s", strerror(errno));
    c->owned = true;
    enum status status = look(c, error);
    if (status || c->plain) return status;
    c->input = memory_array(CONTAINER_INPUT, 1, error);
    return c->input ? archive_start(c, error) : STATUS_MEMORY;
}

static enum status open_with(enum status (*open)(struct container *, const char *, struct error *),
                             const char *path, const struct container_bounds *bounds,
                             struct container **container, struct error *error)
{
    struct container *c = memory_zeroed(1, sizeof *c, error);
    *container = NULL;
    if (!c) return STATUS_MEMORY;
    c->fd = -1;
    c->bounds = bounds;
    enum status status = open(c, path, error);
    if (status)
        container_close(c);
    else
        *container = c;
    return status;
}

enum status container_open(const char *path, struct container **container, struct error *error)
{
    return open_with(open_file, path, NULL, container, error);
}

enum status container_open_within(const char *path, const struct container_bounds *bounds,
                                  struct container **container, struct error *error)
{
    return open_with(open_file, path, bounds, container, error);
}

enum status container_walk(const char *path, const struct container_bounds *bounds,
                           struct container **container, struct error *error)
{
    return open_with(open_walk, path, bounds, container, error);
}

enum status container_next(struct container *c, const char **member, int64_t *bytes, struct error *error)
{
    const char *name = NULL;
    enum status status = STATUS_OK;
    bool first = !c->stepped;
    *member = NULL;
    *bytes = -1;
    c->stepped = true;
    c->ended = c->failed = false;
    c->head_bytes = c->head_taken = 0;
    if (c->plain || c->raw) {
        c->ended = !first;
        if (first) *member = "";
        if (first) *bytes = c->size;
        return STATUS_OK;
    }
    status = archive_next_sized(c, &name, bytes, error);
    c->ended = !name;
    if (status || !name) return status;
    c->raw = libarchive.archive_format(c->archive) == ARCHIVE_FORMAT_RAW;
    if (!c->raw && set_path(c, c->file, name, error)) return STATUS_MEMORY;
    *member = c->raw ? "" : name;
    if (c->raw) *bytes = -1;
    return STATUS_OK;
}

const char *container_path(const struct container *container)
{
    return container->path;
}

const char *container_name(const struct container *container)
{
    return container->name;
}

const char *container_variable(const struct container *container)
{
    return container->variable;
}

enum status container_refuse_variable(const struct container *container, struct error *error)
{
    return error_at(error, STATUS_INPUT, container->path, 0, 0,
                    "not an archive, so there is no member %s in it", container->variable);
}

const char *container_file(const struct container *container)
{
    return container->plain && !container->unpacked ? container->file : NULL;
}

const char *container_others(const struct container *container)
{
    return container->others.data ? container->others.data : "";
}

bool container_is_plain(const struct container *container)
{
    return container->plain;
}

int64_t container_size(const struct container *container)
{
    return container->size;
}

ssize_t container_pread(const struct container *container, char *buffer, size_t size, int64_t offset,
                        struct error *error)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = pread(container->fd, buffer + done, size - done, offset + (off_t)done);
        if (count == 0) break;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            error_at(error, STATUS_IO, container->path, 0, 0, "cannot be read: %s", strerror(errno));
            return -1;
        }
        done += (size_t)count;
    }
    return (ssize_t)done;
}

void container_identity(const struct container *container, int64_t identity[CONTAINER_IDENTITY])
{
    const int64_t numbers[CONTAINER_IDENTITY] = {container->size,
                                                 (int64_t)container->inode,
                                                 (int64_t)container->modified.tv_sec,
                                                 (int64_t)container->modified.tv_nsec,
                                                 (int64_t)container->changed.tv_sec,
                                                 (int64_t)container->changed.tv_nsec};
    memcpy(identity, numbers, sizeof numbers);
}

bool container_changed(const struct container *container)
{
    struct stat stat;
    if (!container->regular && !container->unpacked) return false;
    return fstat(container->fd, &stat) || stat.st_size != container->size ||
           stat.st_mtim.tv_sec != container->modified.tv_sec ||
           stat.st_mtim.tv_nsec != container->modified.tv_nsec;
}

/* After reading the text: list the later members of the archive, and make `others`. */
static enum status list_the_rest(struct container *c, struct error *error)
{
    const char *name = NULL;
    c->ended = true;
    if (c->raw) return STATUS_OK;
    do {
        enum status status = archive_next_member(c, &name, error);
        if (!status && name && !c->listed) status = archive_remember(c, name, error);
        if (status) return status;
    } while (name);
    bool own = false; /* the first of its name is the one read */
    char *shown = memory_string(c->member, error);
    if (!shown) return STATUS_MEMORY;
    text_visible(shown);
    for (const char *line = c->members.data; *line; line = strchr(line, '\n') + 1) {
        int length = (int)(strchr(line, '\n') - line);
        bool same = (size_t)length == strlen(shown) && strncmp(line, shown, (size_t)length) == 0;
        if (!same || own)
            text_append(&c->others, "%.*s%s\n", length, line,
                        same ? " (again; the first member of this name was read)" : "");
        own = own || same;
    }
    free(shown);
    if (c->others.failed) return error_set(error, STATUS_MEMORY, "out of memory while listing an archive");
    return STATUS_OK;
}

/* Continue reading the text after its head. */
static ssize_t read_text(struct container *c, char *buffer, size_t size, struct error *error)
{
    if (c->plain) {
        ssize_t count = container_pread(c, buffer, size, c->position, error);
        if (count > 0) {
            c->position += count;
            atomic_store_explicit(&c->consumed, c->position, memory_order_relaxed);
        }
        return count;
    }
    if (c->ended || !size) return 0;
    la_ssize_t count = c->failed ? ARCHIVE_FATAL : ARCHIVE_RETRY;
    while (count == ARCHIVE_RETRY)
        count = libarchive.archive_read_data(c->archive, buffer, size);
    c->failed = count < 0; /* libarchive itself would go on */
    if (count < 0) {
        archive_fault(c, error);
        return -1;
    }
    if (count == 0 && c->walking) c->ended = true;
    if (count == 0 && !c->walking && list_the_rest(c, error)) return -1;
    return count;
}

ssize_t container_read(struct container *c, char *buffer, size_t size, struct error *error)
{
    size_t left = c->head_bytes - c->head_taken;
    if (!left || !size) return read_text(c, buffer, size, error);
    if (size > left) size = left;
    memcpy(buffer, c->head + c->head_taken, size);
    c->head_taken += size;
    return (ssize_t)size;
}

ssize_t container_peek(struct container *c, const char **bytes, struct error *error)
{
    if (!c->head) c->head = memory_zeroed(CONTAINER_HEAD + CONTAINER_HEAD_PADDING, 1, error);
    if (!c->head) return -1;
    if (c->head_bytes == 0) c->head_taken = 0;
    ssize_t count = 1;
    size_t had = c->head_bytes;
    if (c->plain) {
        count = container_pread(c, c->head, CONTAINER_HEAD, 0, error);
        *bytes = c->head;
        if (count >= 0) memset(c->head + count, 0, CONTAINER_HEAD_PADDING);
        return count; /* the rest is read from the file itself, so that the head does not count as read */
    }
    while (count > 0 && c->head_bytes < CONTAINER_HEAD) {
        count = read_text(c, c->head + c->head_bytes, CONTAINER_HEAD - c->head_bytes, error);
        if (count > 0) c->head_bytes += (size_t)count;
    }
    if (count < 0) {
        c->head_bytes = had;
        return -1;
    }
    memset(c->head + c->head_bytes, 0, CONTAINER_HEAD_PADDING);
    *bytes = c->head;
    return (ssize_t)c->head_bytes;
}

int64_t container_consumed(const struct container *container)
{
    return atomic_load_explicit(&container->consumed, memory_order_relaxed);
}

int64_t container_total(const struct container *container)
{
    return container->size;
}

void container_close(struct container *c)
{
    if (!c) return;
    if (c->archive) libarchive.archive_read_free(c->archive);
    gunzip_close(c->gunzip);
    if (c->owned) close(c->fd);
    free(c->variable);
    free(c->head);
    free(c->file);
    free(c->path);
    free(c->name);
    free(c->input);
    free(c->member);
    text_free(&c->members);
    text_free(&c->others);
    free(c);
}
