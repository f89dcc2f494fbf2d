/* Files for the tests of reading, made in a separate folder, plain or packed. */
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

/* A member of an archive to make. */
struct member {
    const char *path;
    const char *text;
};

/* Group functions of cmocka: make a folder and change to it; remove it with its contents. */
int files_begin(void **state);
int files_end(void **state);

void files_write(const char *path, const char *bytes, size_t size);
void files_put(const char *path, const char *text);
void files_pack(const char *path, const char *bytes, size_t size, enum packing packing);

/* Make an archive of members (the last has a NULL path): a zip if the path ends in .zip, else a tar. */
void files_archive(const char *path, const struct member *members, enum packing packing);

/* The folder of real matrices, or NULL. */
const char *files_matrices(void);

#endif
