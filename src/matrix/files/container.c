#include "matrix/files/container.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/members.h"
#include "matrix/files/reader.h"

#define INPUT_BYTES ((size_t)128 << 10)

/* What the beginning of a file must show to tell what it is; a tar's mark ends at byte 262. */
#define MAGIC_BYTES 512

/* A text is unpacked into memory in pieces of so many bytes. */
#define PIECE_BYTES ((size_t)1 << 20)

struct container {
    int fd;
    bool owned;    /* fd is to be closed */
    bool unpacked; /* fd is a file in memory, which container_unpack has made */
    bool regular;  /* the file can be read again from its beginning */
    bool plain;    /* the file is the text: nothing has to be unpacked */
    int64_t size;  /* bytes of a regular file; 0 of others */
    struct timespec modified;
    int64_t position; /* where container_read goes on in a plain file */
    char *file;       /* the name that was opened; NULL for standard input */
    char *path;       /* what container_path and container_name return */
    char *name;
    char *variable;     /* the NAME of FILE:NAME in what is no archive; NULL if there is none */
    char *input;        /* the buffer that libarchive reads from */
    size_t input_bytes; /* of what cannot be read twice, how many of its first bytes are in the buffer */
    bool again;         /* those are to be read once more */
    bool lzma;          /* the file begins as one of LZMA does, of which libarchive is not sure enough */
    bool unformatted;   /* what looks like an archive inside is one text */
    char *head;         /* the first bytes of the text, which container_peek has read */
    size_t head_bytes, head_taken;
    struct archive *archive;
    bool raw;            /* compressed, or a stream, but no archive of members */
    bool ended;          /* the text has been read to its end */
    bool listed;         /* `members` has all there are */
    char *member;        /* the member that is opened; NULL if raw */
    struct text members; /* the members that were seen, each on a line, in the archive's order */
    struct text others;  /* what container_others returns */
    _Atomic int64_t consumed;
    int read_errno;                        /* errno of a read that failed; 0 if none did */
    const struct container_bounds *bounds; /* NULL if there are none */
    enum status stopped;                   /* STATUS_CANCELLED or STATUS_LIMIT once the bounds were met */
    bool walking;                          /* container_next steps through the members */
    bool stepped;                          /* container_next was called */
};

/* --- reading from the file --- */

static ssize_t read_some(int fd, void *buffer, size_t size)
{
    ssize_t count;
    do
        count = read(fd, buffer, size);
    while (count < 0 && errno == EINTR);
    return count;
}

/* Return true if nothing more is to be read. */
static bool met_bounds(struct container *c)
{
    const struct container_bounds *bounds = c->bounds;
    if (bounds && progress_cancelled(bounds->progress))
        c->stopped = STATUS_CANCELLED;
    else if (bounds && bounds->bytes && atomic_load(&c->consumed) >= bounds->bytes)
        c->stopped = STATUS_LIMIT;
    return c->stopped != STATUS_OK;
}

/* Read the first bytes of what cannot be read twice, as many as the buffer takes, so that libarchive can
 * begin again with them. */
static ssize_t read_first(struct container *c)
{
    ssize_t count = 1;
    c->input_bytes = 0;
    while (count > 0 && c->input_bytes < INPUT_BYTES) {
        count = read_some(c->fd, c->input + c->input_bytes, INPUT_BYTES - c->input_bytes);
        if (count > 0) c->input_bytes += (size_t)count;
    }
    return count < 0 ? count : (ssize_t)c->input_bytes;
}

static la_ssize_t on_read(struct archive *archive, void *data, const void **buffer)
{
    struct container *c = data;
    if (met_bounds(c)) {
        archive_set_error(archive, ECANCELED, "stopped");
        return -1;
    }
    ssize_t count;
    if (c->again)
        count = (ssize_t)c->input_bytes;
    else {
        count = read_some(c->fd, c->input, INPUT_BYTES);
        c->input_bytes = 0;
    }
    c->again = false;
    if (count < 0) {
        c->read_errno = errno;
        archive_set_error(archive, errno, "%s", strerror(errno));
        return -1;
    }
    atomic_fetch_add_explicit(&c->consumed, count, memory_order_relaxed);
    *buffer = c->input;
    return count;
}

/* Move to another place in the file: libarchive calls this since a zip archive has its directory at its end.
 */
static la_int64_t on_seek(struct archive *archive, void *data, la_int64_t offset, int whence)
{
    struct container *c = data;
    off_t position = lseek(c->fd, offset, whence);
    if (position < 0) {
        archive_set_error(archive, errno, "%s", strerror(errno));
        return ARCHIVE_FATAL;
    }
    return position;
}

/* Skip bytes that nobody reads, which in an archive that is not compressed are most of it. What lies behind
 * the end of the file is left to be read, so that the file is found to be cut short. */
static la_int64_t on_skip(struct archive *archive, void *data, la_int64_t request)
{
    struct container *c = data;
    off_t here = lseek(c->fd, 0, SEEK_CUR);
    (void)archive;
    if (here < 0 || request > c->size - here) return 0;
    if (lseek(c->fd, request, SEEK_CUR) < 0) return 0;
    return request;
}

static enum status archive_fault(struct container *c, struct error *error)
{
    const char *why = archive_error_string(c->archive);
    const char *path = c->path ? c->path : c->file;
    char bytes[32];
    if (c->stopped == STATUS_CANCELLED) return error_set(error, STATUS_CANCELLED, "cancelled");
    if (c->stopped)
        return error_at(error, c->stopped, path, 0, 0, "its first %s were looked at, and no further",
                        format_bytes(bytes, sizeof bytes, (double)c->bounds->bytes));
    if (c->read_errno)
        return error_at(error, STATUS_IO, path, 0, 0, "cannot be read: %s", strerror(c->read_errno));
    if (archive_errno(c->archive) == ENOMEM)
        return error_at(error, STATUS_MEMORY, path, 0, 0, "out of memory while unpacking");
    return error_at(error, STATUS_INPUT, path, 0, 0,
                    "damaged or truncated (%s); fetch or make the file again", why ? why : "unknown error");
}

/* Begin, or begin again, to unpack the file from its first byte. */
static enum status start_archive(struct container *c, struct error *error)
{
    if (c->archive) archive_read_free(c->archive);
    c->again = !c->regular && c->input_bytes > 0;
    atomic_store(&c->consumed, 0);
    if (c->regular && lseek(c->fd, 0, SEEK_SET) != 0)
        return error_at(error, STATUS_IO, c->file, 0, 0, "cannot be read again: %s", strerror(errno));
    struct archive *a = c->archive = archive_read_new();
    if (!a) return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    if (c->lzma) archive_read_support_filter_lzma(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_filter_compress(a);
    if (!c->unformatted) archive_read_support_format_tar(a);
    if (!c->unformatted) archive_read_support_format_zip(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    archive_read_set_read_callback(a, on_read);
    archive_read_set_callback_data(a, c);
    if (c->regular) archive_read_set_seek_callback(a, on_seek);
    if (c->regular) archive_read_set_skip_callback(a, on_skip);
    return archive_read_open1(a) == ARCHIVE_OK ? STATUS_OK : archive_fault(c, error);
}

/* --- members --- */

/* Step to the next member that is a file. *name becomes its name, or NULL at the end, and *bytes its size, or
 * -1 if it is not known. */
static enum status next_sized(struct container *c, const char **name, int64_t *bytes, struct error *error)
{
    struct archive_entry *entry;
    *bytes = -1;
    for (;;) {
        int code = archive_read_next_header(c->archive, &entry);
        *name = NULL;
        if (code == ARCHIVE_EOF) return STATUS_OK;
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN) return archive_fault(c, error);
        if (archive_format(c->archive) != ARCHIVE_FORMAT_RAW && archive_entry_filetype(entry) != AE_IFREG)
            continue;
        *name = archive_entry_pathname(entry);
        if (!*name) *name = archive_entry_pathname_utf8(entry);
        if (!*name) *name = "?";
        if (archive_entry_size_is_set(entry)) *bytes = archive_entry_size(entry);
        return STATUS_OK;
    }
}

static enum status next_member(struct container *c, const char **name, struct error *error)
{
    int64_t unused;
    return next_sized(c, name, &unused, error);
}

static enum status remember(struct container *c, const char *member, struct error *error)
{
    text_append(&c->members, "%s\n", member);
    if (c->members.failed) return error_set(error, STATUS_MEMORY, "out of memory while listing an archive");
    return STATUS_OK;
}

static enum status set_variable(struct container *c, const char *name, struct error *error)
{
    c->variable = memory_string(name, error);
    return c->variable ? STATUS_OK : STATUS_MEMORY;
}

/* Read headers up to the member that is certainly meant: the one that was named, or NAME/NAME.mtx. If there
 * is none, c->member stays NULL. Of what cannot be read twice the first matrix is taken. */
static enum status seek_member(struct container *c, const char *wanted, struct error *error)
{
    const char *name;
    for (;;) {
        enum status status = next_member(c, &name, error);
        if (status) return status;
        if (!name) {
            c->listed = true;
            return STATUS_OK;
        }
        if (archive_format(c->archive) == ARCHIVE_FORMAT_RAW) {
            c->raw = true;
            return STATUS_OK;
        }
        if (!c->members.data && reader_has_members(name) && (c->regular || c->input_bytes)) {
            c->unformatted = true; /* what has been packed is a file of a format that is an archive itself */
            if ((status = start_archive(c, error))) return status;
            continue;
        }
        if ((status = remember(c, name, error))) return status;
        if (wanted ? member_is_wanted(wanted, name)
                   : member_has_the_name(c->file, name) || (!c->regular && member_is_matrix(name))) {
            c->member = memory_string(name, error);
            if (!c->member) return STATUS_MEMORY;
            const char *variable = wanted ? member_variable(wanted, name) : NULL;
            return variable ? set_variable(c, variable, error) : STATUS_OK;
        }
    }
}

/* Begin again and read headers up to c->member. */
static enum status return_to_member(struct container *c, struct error *error)
{
    const char *name;
    enum status status = start_archive(c, error);
    while (!status) {
        status = next_member(c, &name, error);
        if (!status && !name)
            return error_at(error, STATUS_INPUT, c->file, 0, 0, "changed while it was read");
        if (!status && !strcmp(name, c->member)) return STATUS_OK;
    }
    return status;
}

static bool is_lzma(const char *bytes, size_t count)
{
    return count >= 3 && !memcmp(bytes, "\x5d\x00\x00", 3);
}

static enum status open_archive(struct container *c, const char *wanted, struct error *error)
{
    c->input = memory_array(INPUT_BYTES, 1, error);
    if (!c->input) return STATUS_MEMORY;
    if (!c->regular) {
        if (read_first(c) < 0)
            return error_at(error, STATUS_IO, c->path, 0, 0, "cannot be read: %s", strerror(errno));
        c->lzma = is_lzma(c->input, c->input_bytes);
    }
    enum status status = start_archive(c, error);
    if (!status) status = seek_member(c, wanted, error);
    if (status) return status;
    if (c->raw || c->member) {
        return c->raw && wanted ? set_variable(c, wanted, error) : STATUS_OK;
    }
    if (!c->members.data && archive_format(c->archive) == ARCHIVE_FORMAT_EMPTY) {
        c->raw = c->ended = true;
        return STATUS_OK;
    }
    if (wanted) return members_refuse(c->file, &c->members, wanted, 0, error);
    if ((status = members_choose(c->file, &c->members, &c->member, error))) return status;
    return return_to_member(c, error);
}

/* --- opening --- */

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
           starts_with(bytes, count, "\x04\x22\x4d\x18", 4) || is_lzma(bytes, count) ||
           starts_with(bytes, count, "PK\x03\x04", 4) || starts_with(bytes, count, "PK\x05\x06", 4) ||
           (count >= 262 && !memcmp(bytes + 257, "ustar", 5)) ||
           (file && count && member_ends_with(file, strlen(file), ".tar"));
}

/* Find out what is open at c->fd: a directory, a file that can be read again, a plain one. */
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
    c->modified = stat.st_mtim;
    ssize_t count = container_pread(c, bytes, sizeof bytes, 0, error);
    if (count < 0) return STATUS_IO;
    c->lzma = is_lzma(bytes, (size_t)count);
    c->plain = !is_packed(c->file, bytes, (size_t)count) || reader_is_packed(bytes, (size_t)count);
    return STATUS_OK;
}

/* Return the ':' of ARCHIVE:MEMBER, or NULL if the path has none: the last one before which there is the name
 * of a file that exists. */
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
    if (c->plain && wanted && (status = set_variable(c, wanted, error))) return status;
    if (!c->plain && (status = open_archive(c, wanted, error))) return status;
    return set_names(c, error);
}

/* Open a file whose members will be gone through. */
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
    c->input = memory_array(INPUT_BYTES, 1, error);
    return c->input ? start_archive(c, error) : STATUS_MEMORY;
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
    c->ended = false;
    c->head_bytes = c->head_taken = 0;
    if (c->plain || c->raw) {
        c->ended = !first;
        if (first) *member = "";
        if (first) *bytes = c->size;
        return STATUS_OK;
    }
    status = next_sized(c, &name, bytes, error);
    c->ended = !name;
    if (status || !name) return status;
    c->raw = archive_format(c->archive) == ARCHIVE_FORMAT_RAW;
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

int container_descriptor(const struct container *container)
{
    return container->fd;
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

bool container_changed(const struct container *container)
{
    struct stat stat;
    return fstat(container->fd, &stat) || stat.st_size != container->size ||
           stat.st_mtim.tv_sec != container->modified.tv_sec ||
           stat.st_mtim.tv_nsec != container->modified.tv_nsec;
}

/* When the text has been read: list the members that follow it in the archive, and make `others`. */
static enum status list_the_rest(struct container *c, struct error *error)
{
    const char *name = NULL;
    c->ended = true;
    if (c->raw) return STATUS_OK;
    do {
        enum status status = next_member(c, &name, error);
        if (!status && name && !c->listed) status = remember(c, name, error);
        if (status) return status;
    } while (name);
    for (const char *line = c->members.data; *line; line = strchr(line, '\n') + 1) {
        int length = (int)(strchr(line, '\n') - line);
        if ((size_t)length != strlen(c->member) || strncmp(line, c->member, (size_t)length) != 0)
            text_append(&c->others, "%.*s\n", length, line);
    }
    if (c->others.failed) return error_set(error, STATUS_MEMORY, "out of memory while listing an archive");
    return STATUS_OK;
}

/* Read on in the text behind its head. */
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
    la_ssize_t count;
    do
        count = archive_read_data(c->archive, buffer, size);
    while (count == ARCHIVE_RETRY);
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
        return count; /* what follows is read from the file itself, so that the head is not counted as read */
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

/* Unpack all of the text into the file `fd`, which lies in memory. *size becomes its length. */
static enum status unpack_into(struct container *c, int fd, size_t limit, struct progress *progress,
                               int64_t *size, struct error *error)
{
    enum status status = STATUS_OK;
    char *piece = memory_array(PIECE_BYTES, 1, error);
    size_t bound = memory_limit(limit);
    if (!piece) return STATUS_MEMORY;
    progress_phase(progress, "unpacking", c->size);
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
                status = error_at(error, STATUS_MEMORY, c->path, 0, 0, "no memory to unpack it: %s",
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
    if (c->archive) archive_read_free(c->archive);
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
