/* The members of a zip archive that is a file of its own, as NumPy writes it: found through the directory at
 * its end, and read at any position where they are stored without compression. Only files/npz uses this. The
 * format is PKWARE's APPNOTE.TXT, version 6.3; archives of more than 4 GiB have its zip64 fields. */
#ifndef SPARSIGHT_MATRIX_FILES_NPZ_ZIP_H
#define SPARSIGHT_MATRIX_FILES_NPZ_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/container.h"

#define ZIP_NAME 64        /* bytes of a member's name, with the 0 behind it; longer ones are cut */
#define ZIP_MEMBERS_MAX 64 /* members beyond these are not looked at */

struct zip_member {
    char name[ZIP_NAME];
    bool deflated;  /* or else stored */
    uint32_t crc;   /* of its bytes */
    int64_t offset; /* of its first byte in the file */
    int64_t packed; /* bytes in the file */
    int64_t size;   /* bytes that they stand for */
};

struct zip {
    struct zip_member members[ZIP_MEMBERS_MAX];
    int count;
};

/* Read the directory of a plain file. Every member lies within the file then. STATUS_INPUT if it is damaged,
 * or has a member that is compressed in another way than deflate, or encrypted; STATUS_IO. */
enum status zip_open(const struct container *container, struct zip *zip, struct error *error);

/* Return the member of this name, or NULL. */
const struct zip_member *zip_find(const struct zip *zip, const char *name);

/* Unpack the first `size` bytes of a member into `out`, which are all it has if that is member->size: then
 * they are held against their checksum. STATUS_INPUT if they are damaged. */
enum status zip_read(const struct container *container, const struct zip_member *member, void *out,
                     int64_t size, struct error *error);

#endif
