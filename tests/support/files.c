#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/files.h"

#include <archive.h>
#include <archive_entry.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[4096];

int files_begin(void **state)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/sparsight_test_XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *level)
{
    return remove(path);
}

int files_end(void **state)
{
    return chdir("/") == 0 && nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0 ? 0 : -1;
}

void files_write(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void add_filter(struct archive *archive, enum packing packing)
{
    int code = ARCHIVE_OK;
    if (packing == PACKED_GZIP) code = archive_write_add_filter_gzip(archive);
    if (packing == PACKED_BZIP2) code = archive_write_add_filter_bzip2(archive);
    if (packing == PACKED_XZ) code = archive_write_add_filter_xz(archive);
    if (packing == PACKED_ZSTD) code = archive_write_add_filter_zstd(archive);
    if (packing == PACKED_LZMA) code = archive_write_add_filter_lzma(archive);
    if (packing == PACKED_LZ4) code = archive_write_add_filter_lz4(archive);
    if (packing == PACKED_COMPRESS) code = archive_write_add_filter_compress(archive);
    assert_int_equal(code, ARCHIVE_OK);
}

static void add_member(struct archive *archive, const char *path, const char *bytes, size_t size)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, path);
    archive_entry_set_size(entry, (la_int64_t)size);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    if (size) assert_int_equal(archive_write_data(archive, bytes, size), size);
    archive_entry_free(entry);
}

void files_put(const char *path, const char *text)
{
    files_write(path, text, strlen(text));
}

void files_pack(const char *path, const char *bytes, size_t size, enum packing packing)
{
    struct archive *archive = archive_write_new();
    assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
    add_filter(archive, packing);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    add_member(archive, "text", bytes, size);
    assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
}

void files_archive(const char *path, const struct member *members, enum packing packing)
{
    struct archive *archive = archive_write_new();
    size_t length = strlen(path);
    if (length > 4 && !strcmp(path + length - 4, ".zip"))
        assert_int_equal(archive_write_set_format_zip(archive), ARCHIVE_OK);
    else
        assert_int_equal(archive_write_set_format_ustar(archive), ARCHIVE_OK);
    add_filter(archive, packing);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (; members->path; members++)
        add_member(archive, members->path, members->text, strlen(members->text));
    assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
}

const char *files_matrices(void)
{
    static char path[4096];
    const char *named = getenv("SPARSIGHT_MATRICES"), *source = getenv("SRCDIR");
    if (named)
        snprintf(path, sizeof path, "%s", named);
    else
        snprintf(path, sizeof path, "%s/../shared/matrices", source ? source : "..");
    return access(path, R_OK) == 0 ? path : NULL;
}
