/* Writing a zip archive of members that are not compressed, from its beginning to its end: sizes and
 * checksums are known before. Only files/npz uses this. The format is PKWARE's APPNOTE.TXT, 6.3.10. */
#ifndef SPARSIGHT_MATRIX_FILES_NPZ_ZIP_WRITE_H
#define SPARSIGHT_MATRIX_FILES_NPZ_ZIP_WRITE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define ZIP_WRITTEN_MAX 8
#define ZIP_WRITTEN_NAME 16

/* An archive that is being written. Start with .file alone. */
struct zip_writer {
    FILE *file;
    uint64_t position; /* bytes that were written */
    int count;
    struct zip_written {
        char name[ZIP_WRITTEN_NAME];
        uint32_t crc;
        uint64_t size, offset;
    } members[ZIP_WRITTEN_MAX];
};

/* Begin a member, whose `size` bytes with this checksum the caller then writes to the file, all of them.
 * There may be ZIP_WRITTEN_MAX members. Sizes and places of 4 GiB and more are written as zip64. STATUS_IO.
 */
enum status zip_writer_begin(struct zip_writer *zip, const char *name, uint64_t size, uint32_t crc,
                             struct error *error);

/* Write the directory. STATUS_IO. */
enum status zip_writer_end(struct zip_writer *zip, struct error *error);

#endif
