/* Files for the tests of reading: made in a folder of their own, packed as wanted. */
#ifndef SPARSIGHT_TESTS_SUPPORT_FILES_H
#define SPARSIGHT_TESTS_SUPPORT_FILES_H

#include <stddef.h>

enum packing {
    PACKED_NOT,
    PACKED_GZIP,
    PACKED_BZIP2,
    PACKED_XZ,
    PACKED_ZSTD,
    PACKED_LZMA,
    PACKED_LZ4,
    PACKED_COMPRESS,
    PACKINGS
};

/* A member of an archive to be made. */
struct member {
    const char *path;
    const char *text;
};

/* Make a folder, to be the current one, and remove it with all that is in it. cmocka group functions. */
int files_begin(void **state);
int files_end(void **state);

void files_write(const char *path, const char *bytes, size_t size);
void files_put(const char *path, const char *text);
void files_pack(const char *path, const char *bytes, size_t size, enum packing packing);

/* An archive of members (the last has a NULL path): a zip if the path ends in .zip, else a tar. */
void files_archive(const char *path, const struct member *members, enum packing packing);

/* The folder of real matrices, or NULL. */
const char *files_matrices(void);

#endif
