#include "matrix/files/compress.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#include "base/threads.h"
#include "matrix/files/archive_library.h"
#include "matrix/files/gzip.h"

/* Write compressed bytes to the file; libarchive calls this function with them. */
static la_ssize_t put_away(struct archive *archive, void *into, const void *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, into) == length) return (la_ssize_t)length;
    libarchive.archive_set_error(archive, errno, "cannot write");
    return -1;
}

/* Compress bytes: the stream calls this with its output. Returning 0 tells it of an error. */
static ssize_t compress(void *archive, const char *bytes, size_t length)
{
    la_ssize_t written = libarchive.archive_write_data(archive, bytes, length);
    if (written >= 0) return written;
    errno = libarchive.archive_errno(archive);
    return 0;
}

/* The same by gzip. */
static ssize_t compress_gzip(void *gzip, const char *bytes, size_t length)
{
    return gzip_write(gzip, bytes, length) ? (ssize_t)length : 0;
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), last = strlen(ending);
    return length > last && strcmp(path + length - last, ending) == 0;
}

static bool is_archive(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return strstr(name, ".tar.") || ends_with(name, ".tar") || ends_with(name, ".tgz") ||
           ends_with(name, ".zip");
}

/* Return the libarchive filter for the ending of `path`, or -1 for no compression. */
static int filter_of(const char *path)
{
    static const struct {
        const char *ending;
        int filter;
    } filters[] = {{".bz2", ARCHIVE_FILTER_BZIP2}, {".xz", ARCHIVE_FILTER_XZ}, {".zst", ARCHIVE_FILTER_ZSTD}};
    for (size_t k = 0; path && k < sizeof filters / sizeof *filters; k++)
        if (ends_with(path, filters[k].ending)) return filters[k].filter;
    return -1;
}

bool compressor_packs(const char *path)
{
    return ends_with(path, ".gz") || filter_of(path) >= 0 || is_archive(path);
}

/* Make the archive a raw one, with one member without a name: only the compressed bytes. */
static bool choose_filter(struct archive *archive, int filter)
{
    char threads[16];
    if (libarchive.archive_write_set_format_raw(archive) != ARCHIVE_OK) return false;
    if (libarchive.archive_write_add_filter(archive, filter) != ARCHIVE_OK) return false;
    /* Libraries before 3.6 have no workers, and return an error. One worker and several give the same bytes,
     * but no worker gives others. */
    snprintf(threads, sizeof threads, "%d", threads_count());
    if (filter == ARCHIVE_FILTER_ZSTD)
        libarchive.archive_write_set_filter_option(archive, "zstd", "threads", threads);
    return true;
}

static bool choose_zip(struct archive *archive)
{
    return libarchive.archive_write_set_format_zip(archive) == ARCHIVE_OK &&
           libarchive.archive_write_zip_set_compression_store(archive) == ARCHIVE_OK;
}

/* Begin a member; name is NULL and size negative in a raw archive. A member without a time gets the earliest
 * time of zip. */
static bool start_member(struct archive *archive, const char *name, int64_t size)
{
    struct archive_entry *entry = libarchive.archive_entry_new();
    if (!entry) return false;
    libarchive.archive_entry_set_filetype(entry, AE_IFREG);
    libarchive.archive_entry_set_perm(entry, 0644);
    if (name) libarchive.archive_entry_set_pathname(entry, name);
    if (size >= 0) libarchive.archive_entry_set_size(entry, size);
    bool begun = libarchive.archive_write_header(archive, entry) == ARCHIVE_OK;
    libarchive.archive_entry_free(entry);
    return begun;
}

/* Make the stream into an archive of this filter; of a zip archive if that is negative. */
static bool open_stream(struct compressor *compressor, int filter)
{
    struct archive *archive = compressor->archive;
    if (filter < 0 ? !choose_zip(archive) : !choose_filter(archive, filter)) return false;
    libarchive.archive_write_set_bytes_per_block(archive, 0);
    if (libarchive.archive_write_open(archive, compressor->into, NULL, put_away, NULL) != ARCHIVE_OK)
        return false;
    if (filter >= 0 && !start_member(archive, NULL, -1)) return false;
    compressor->file = fopencookie(archive, "w", (cookie_io_functions_t){.write = compress});
    return compressor->file != NULL;
}

static enum status open_archive(struct compressor *compressor, int filter, const char *path,
                                struct error *error)
{
    enum status status = libarchive_load(error);
    if (status) {
        *compressor = (struct compressor){0};
        return status;
    }
    compressor->archive = libarchive.archive_write_new();
    if (!compressor->archive) return error_set(error, STATUS_MEMORY, "out of memory");
    if (open_stream(compressor, filter)) return STATUS_OK;
    const char *reason = libarchive.archive_error_string(compressor->archive);
    error_at(error, STATUS_UNAVAILABLE, path, 0, 0, "cannot compress: %s", reason ? reason : "out of memory");
    libarchive.archive_write_free(compressor->archive);
    *compressor = (struct compressor){0};
    return STATUS_UNAVAILABLE;
}

static enum status open_gzip(struct compressor *compressor, struct error *error)
{
    enum status status = gzip_open(&compressor->gzip, compressor->into, error);
    if (status == STATUS_OK) {
        compressor->file =
            fopencookie(compressor->gzip, "w", (cookie_io_functions_t){.write = compress_gzip});
        if (compressor->file) return STATUS_OK;
        gzip_close(compressor->gzip);
    }
    *compressor = (struct compressor){0};
    return error_set(error, STATUS_MEMORY, "out of memory");
}

enum status compressor_open(struct compressor *compressor, FILE *into, const char *path, struct error *error)
{
    *compressor = (struct compressor){.file = into, .into = into};
    if (path && is_archive(path))
        return error_at(error, STATUS_USAGE, path, 0, 0,
                        "archives are not written; end the name in .mtx or .mtx.gz");
    if (path && ends_with(path, ".gz")) return open_gzip(compressor, error);
    int filter = filter_of(path);
    return filter < 0 ? STATUS_OK : open_archive(compressor, filter, path, error);
}

static enum status write_failed(int code, struct error *error)
{
    return error_set(error, STATUS_IO, "the matrix cannot be written: %s", strerror(code > 0 ? code : EIO));
}

enum status compressor_open_zip(struct compressor *compressor, FILE *into, struct error *error)
{
    *compressor = (struct compressor){.into = into};
    return open_archive(compressor, -1, NULL, error);
}

enum status compressor_member(struct compressor *compressor, const char *name, int64_t size,
                              struct error *error)
{
    if (fflush(compressor->file) == 0 && start_member(compressor->archive, name, size)) return STATUS_OK;
    return write_failed(libarchive.archive_errno(compressor->archive), error);
}

enum status compressor_close(struct compressor *compressor, struct error *error)
{
    bool good = true;
    int code = 0;
    if (compressor->gzip) {
        good = fclose(compressor->file) == 0;
        bool closed = gzip_close(compressor->gzip);
        good = good && closed;
        code = errno;
    }
    if (compressor->archive) {
        good = fclose(compressor->file) == 0 &&
               libarchive.archive_write_close(compressor->archive) == ARCHIVE_OK;
        code = good ? 0 : libarchive.archive_errno(compressor->archive);
        libarchive.archive_write_free(compressor->archive);
    }
    *compressor = (struct compressor){0};
    return good ? STATUS_OK : write_failed(code, error);
}
