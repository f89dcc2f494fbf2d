#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/container_parts.h"
#include "matrix/files/members.h"
#include "matrix/files/reader.h"

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

/* Read the first bytes of an unseekable input into the buffer, so that libarchive can start again with
 * them. */
static ssize_t read_first(struct container *c)
{
    ssize_t count = 1;
    c->input_bytes = 0;
    while (count > 0 && c->input_bytes < CONTAINER_INPUT) {
        count = read_some(c->fd, c->input + c->input_bytes, CONTAINER_INPUT - c->input_bytes);
        if (count > 0) c->input_bytes += (size_t)count;
    }
    return count < 0 ? count : (ssize_t)c->input_bytes;
}

/* Read the next bytes of the file. */
static ssize_t read_file(void *data, const void **buffer)
{
    struct container *c = data;
    if (met_bounds(c)) {
        libarchive.archive_set_error(c->archive, ECANCELED, "stopped");
        return -1;
    }
    ssize_t count;
    if (c->again)
        count = (ssize_t)c->input_bytes;
    else {
        count = read_some(c->fd, c->input, CONTAINER_INPUT);
        if (count > 0)
            c->input_bytes = 0; /* at the end of the stream its first bytes are still in the buffer */
    }
    c->again = false;
    if (count < 0) {
        c->read_errno = errno;
        libarchive.archive_set_error(c->archive, errno, "%s", strerror(errno));
        return -1;
    }
    atomic_fetch_add_explicit(&c->consumed, count, memory_order_relaxed);
    *buffer = c->input;
    return count;
}

/* Read the bytes that libarchive unpacks: those of the file, or of gzip's text. */
static la_ssize_t on_read(struct archive *archive, void *data, const void **buffer)
{
    struct container *c = data;
    struct error error = {0};
    if (!c->gunzip) return read_file(c, buffer);
    ssize_t count = gunzip_next(c->gunzip, buffer, &error);
    if (error.status != STATUS_OK)
        libarchive.archive_set_error(archive, error.status == STATUS_MEMORY ? ENOMEM : EILSEQ, "%s",
                                     error.message);
    return count;
}

/* Read the file of gzip to its end, where its checksum is, which libarchive leaves unread behind an archive.
 */
static enum status check_end(struct container *c, struct error *error)
{
    const void *unused;
    la_ssize_t count = 1;
    while (c->gunzip && count > 0)
        count = on_read(c->archive, c, &unused);
    return count < 0 ? archive_fault(c, error) : STATUS_OK;
}

/* Seek in the file: libarchive calls this since a zip archive has its directory at its end. */
static la_int64_t on_seek(struct archive *archive, void *data, la_int64_t offset, int whence)
{
    struct container *c = data;
    off_t position = lseek(c->fd, offset, whence);
    if (position < 0) {
        libarchive.archive_set_error(archive, errno, "%s", strerror(errno));
        return ARCHIVE_FATAL;
    }
    return position;
}

/* Skip unused bytes, which are most of an uncompressed archive. Bytes beyond the end of the file are not
 * skipped, so that reading detects a truncated file. */
static la_int64_t on_skip(struct archive *archive, void *data, la_int64_t request)
{
    struct container *c = data;
    off_t here = lseek(c->fd, 0, SEEK_CUR);
    if (here < 0 || request > c->size - here) return 0;
    if (lseek(c->fd, request, SEEK_CUR) < 0) return 0;
    return request;
}

enum status archive_fault(struct container *c, struct error *error)
{
    const char *why = libarchive.archive_error_string(c->archive);
    const char *path = c->path ? c->path : c->file;
    char bytes[32];
    if (c->stopped == STATUS_CANCELLED) return error_set(error, STATUS_CANCELLED, "cancelled");
    if (c->stopped)
        return error_at(error, c->stopped, path, 0, 0, "only its first %s were searched",
                        format_bytes(bytes, sizeof bytes, (double)c->bounds->bytes));
    if (c->read_errno)
        return error_at(error, STATUS_IO, path, 0, 0, "cannot be read: %s", strerror(c->read_errno));
    if (libarchive.archive_errno(c->archive) == ENOMEM)
        return error_at(error, STATUS_MEMORY, path, 0, 0, "out of memory while unpacking");
    return error_at(error, STATUS_INPUT, path, 0, 0,
                    "damaged or truncated (%s); fetch or make the file again", why ? why : "unknown error");
}

enum status archive_start(struct container *c, struct error *error)
{
    enum status status = libarchive_load(error);
    if (status) return status;
    if (c->archive) libarchive.archive_read_free(c->archive);
    c->archive = NULL;
    c->again = !c->regular && c->input_bytes > 0;
    atomic_store(&c->consumed, 0);
    if (c->regular && lseek(c->fd, 0, SEEK_SET) != 0)
        return error_at(error, STATUS_IO, c->file, 0, 0, "cannot be read again: %s", strerror(errno));
    if (c->gunzip)
        gunzip_restart(c->gunzip);
    else if (c->gzip && !(c->gunzip = gunzip_open(read_file, c, error)))
        return STATUS_MEMORY;
    struct archive *a = c->archive = libarchive.archive_read_new();
    if (!a) return error_set(error, STATUS_MEMORY, "out of memory while unpacking");
    libarchive.archive_read_support_filter_gzip(a);
    libarchive.archive_read_support_filter_bzip2(a);
    libarchive.archive_read_support_filter_xz(a);
    if (c->lzma) libarchive.archive_read_support_filter_lzma(a);
    libarchive.archive_read_support_filter_zstd(a);
    libarchive.archive_read_support_filter_lz4(a);
    libarchive.archive_read_support_filter_compress(a);
    if (!c->unformatted) libarchive.archive_read_support_format_tar(a);
    if (!c->unformatted) libarchive.archive_read_support_format_zip(a);
    libarchive.archive_read_support_format_raw(a);
    libarchive.archive_read_support_format_empty(a);
    libarchive.archive_read_set_read_callback(a, on_read);
    libarchive.archive_read_set_callback_data(a, c);
    if (c->regular && !c->gunzip) libarchive.archive_read_set_seek_callback(a, on_seek);
    if (c->regular && !c->gunzip) libarchive.archive_read_set_skip_callback(a, on_skip);
    return libarchive.archive_read_open1(a) == ARCHIVE_OK ? STATUS_OK : archive_fault(c, error);
}

enum status archive_next_sized(struct container *c, const char **name, int64_t *bytes, struct error *error)
{
    struct archive_entry *entry;
    *bytes = -1;
    for (;;) {
        int code = libarchive.archive_read_next_header(c->archive, &entry);
        *name = NULL;
        if (code == ARCHIVE_EOF) return check_end(c, error);
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN) return archive_fault(c, error);
        if (libarchive.archive_format(c->archive) != ARCHIVE_FORMAT_RAW &&
            libarchive.archive_entry_filetype(entry) != AE_IFREG)
            continue;
        *name = libarchive.archive_entry_pathname(entry);
        if (!*name) *name = libarchive.archive_entry_pathname_utf8(entry);
        if (!*name) *name = "?";
        if (libarchive.archive_entry_size_is_set(entry)) *bytes = libarchive.archive_entry_size(entry);
        return STATUS_OK;
    }
}

enum status archive_next_member(struct container *c, const char **name, struct error *error)
{
    int64_t unused;
    return archive_next_sized(c, name, &unused, error);
}

/* A list of members has one line for each, with the name as it is displayed. */
enum status archive_remember(struct container *c, const char *member, struct error *error)
{
    size_t begin = c->members.length;
    text_append(&c->members, "%s", member);
    if (!c->members.failed) text_visible(c->members.data + begin);
    text_append(&c->members, "\n");
    if (c->members.failed) return error_set(error, STATUS_MEMORY, "out of memory while listing an archive");
    return STATUS_OK;
}

enum status container_set_variable(struct container *c, const char *name, struct error *error)
{
    c->variable = memory_string(name, error);
    return c->variable ? STATUS_OK : STATUS_MEMORY;
}

/* Read headers up to the certain member: the named one, or NAME/NAME.mtx. If there is none, c->member stays
 * NULL. In an unseekable input the first matrix is chosen. */
static enum status seek_member(struct container *c, const char *wanted, struct error *error)
{
    const char *name;
    for (;;) {
        enum status status = archive_next_member(c, &name, error);
        if (status) return status;
        if (!name) {
            c->listed = true;
            return STATUS_OK;
        }
        if (libarchive.archive_format(c->archive) == ARCHIVE_FORMAT_RAW) {
            c->raw = true;
            return STATUS_OK;
        }
        if (!c->members.data && reader_has_members(name) && (c->regular || c->input_bytes)) {
            c->unformatted = true; /* the compressed file has a format that is itself an archive */
            if ((status = archive_start(c, error))) return status;
            continue;
        }
        if ((status = archive_remember(c, name, error))) return status;
        if (wanted ? member_is_wanted(wanted, name)
                   : member_has_the_name(c->file, name) || (!c->regular && member_is_matrix(name))) {
            c->member = memory_string(name, error);
            if (!c->member) return STATUS_MEMORY;
            const char *variable = wanted ? member_variable(wanted, name) : NULL;
            return variable ? container_set_variable(c, variable, error) : STATUS_OK;
        }
    }
}

/* Start again and read headers up to c->member. */
static enum status return_to_member(struct container *c, struct error *error)
{
    const char *name;
    enum status status = archive_start(c, error);
    while (!status) {
        status = archive_next_member(c, &name, error);
        if (!status && !name && !c->regular)
            return error_at(
                error, STATUS_INPUT, c->path, 0, 0,
                "its member %s was skipped, and a stream can be read only once; write it to a file first",
                c->member);
        if (!status && !name)
            return error_at(error, STATUS_INPUT, c->file, 0, 0, "changed while it was read");
        if (!status && member_is_wanted(c->member, name)) return STATUS_OK;
    }
    return status;
}

bool archive_is_lzma(const char *bytes, size_t count)
{
    return count >= 3 && !memcmp(bytes, "\x5d\x00\x00", 3);
}

enum status archive_open_member(struct container *c, const char *wanted, struct error *error)
{
    c->input = memory_array(CONTAINER_INPUT, 1, error);
    if (!c->input) return STATUS_MEMORY;
    if (!c->regular) {
        if (read_first(c) < 0)
            return error_at(error, STATUS_IO, c->path, 0, 0, "cannot be read: %s", strerror(errno));
        c->lzma = archive_is_lzma(c->input, c->input_bytes);
        c->gzip = gunzip_begins(c->input, c->input_bytes);
    }
    enum status status = archive_start(c, error);
    if (!status) status = seek_member(c, wanted, error);
    if (status) return status;
    if (c->raw || c->member) {
        return c->raw && wanted ? container_set_variable(c, wanted, error) : STATUS_OK;
    }
    if (!c->members.data && libarchive.archive_format(c->archive) == ARCHIVE_FORMAT_EMPTY) {
        c->raw = c->ended = true;
        return STATUS_OK;
    }
    if (wanted) return members_refuse(c->file, &c->members, wanted, 0, error);
    if ((status = members_choose(c->file, &c->members, &c->member, error))) return status;
    return return_to_member(c, error);
}
