/* The members of a zip archive that NumPy has written as a plain file. The directory at its end lists them;
 * members that are stored without compression are read at any position. Only files/npz uses this. The format
 * is PKWARE's APPNOTE.TXT, version 6.3; archives of more than 4 GiB have its zip64 fields. */
#ifndef SPARSIGHT_MATRIX_FILES_NPZ_ZIP_H
#define SPARSIGHT_MATRIX_FILES_NPZ_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/container.h"

#define ZIP_NAME 64        /* bytes of a member's name, with the final 0; longer names are cut */
#define ZIP_MEMBERS_MAX 64 /* further members are ignored */

struct zip_member {
    char name[ZIP_NAME];
    bool deflated;  /* false: stored */
    uint32_t crc;   /* of its bytes */
    int64_t offset; /* of its first byte in the file */
    int64_t packed; /* bytes in the file */
    int64_t size;   /* bytes after unpacking */
};

struct zip {
    struct zip_member members[ZIP_MEMBERS_MAX];
    int count;
};

/* Read the directory of a plain file, and check that every member lies within the file. STATUS_INPUT if it is
 * damaged, or a member is encrypted or compressed by another method than deflate; STATUS_IO. */
enum status zip_open(const struct container *container, struct zip *zip, struct error *error);

/* Return the member of this name, or NULL. */
const struct zip_member *zip_find(const struct zip *zip, const char *name);

/* Unpack the first `size` bytes of a member into `out`. If this is the whole member (member->size), its
 * checksum is verified. STATUS_INPUT if they are damaged. */
enum status zip_read(const struct container *container, const struct zip_member *member, void *out,
                     int64_t size, struct error *error);

#endif
