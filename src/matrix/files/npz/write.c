#include "matrix/files/npz/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "matrix/files/arrays/part.h"
#include "matrix/files/npz/zip_write.h"

/* What stands before the elements is as long as a multiple of this, as NumPy has it. */
#define HEADER_ALIGN 64

static const char *descr(enum number type)
{
    return type == NUMBER_BOOL   ? "|b1"
           : type == NUMBER_I32  ? "<i4"
           : type == NUMBER_I64  ? "<i8"
           : type == NUMBER_C128 ? "<c16"
                                 : "<f8";
}

/* Put what stands before the elements of an array: NumPy's format, version 1.0. Returns its length. */
static size_t put_header(unsigned char header[2 * HEADER_ALIGN], const char *type, const char *shape)
{
    char text[2 * HEADER_ALIGN];
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    size_t all = ((size_t)length + 11 + HEADER_ALIGN - 1) / HEADER_ALIGN * HEADER_ALIGN;
    memset(header, ' ', all);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    put_little(header + 8, all - 10, 2);
    memcpy(header + 10, text, (size_t)length);
    header[all - 1] = '\n';
    return all;
}

/* Write an array as a member of the archive. */
static enum status write_member(struct zip_writer *zip, const char *name, const struct put *array,
                                const char *type, const char *shape, struct progress *progress,
                                struct error *error)
{
    unsigned char header[2 * HEADER_ALIGN];
    size_t length = put_header(header, type, shape);
    uint32_t crc = (uint32_t)crc32(0, header, (uInt)length);
    enum status status = put_crc(array, &crc, progress, error);
    if (status == STATUS_OK)
        status = zip_writer_begin(zip, name, length + (uint64_t)put_size(array), crc, error);
    if (status == STATUS_OK) status = put_bytes(zip->file, header, length, error);
    return status == STATUS_OK ? put_array(zip->file, array, progress, error) : status;
}

static enum status write_line(struct zip_writer *zip, const char *name, struct put array,
                              struct progress *progress, struct error *error)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%" PRId64 ",", array.count);
    return write_member(zip, name, &array, descr(array.type), shape, progress, error);
}

enum status npz_write(FILE *file, const struct matrix *matrix, const char *comment, struct progress *progress,
                      struct error *error)
{
    struct zip_writer zip = {.file = file};
    struct part part;
    enum status status = part_open(&part, matrix, false, false, progress, error);
    if (status != STATUS_OK) return status;
    const int64_t sizes[] = {matrix->csr.rows, matrix->csr.cols};
    const struct put format = {.type = NUMBER_U8, .count = 3, .memory = "csr"};
    const struct put shape = {.type = NUMBER_I64, .count = 2, .memory = sizes};
    enum number index = part.count > INT32_MAX ? NUMBER_I64 : NUMBER_I32;
    const struct put indices = part_array(&part, PART_PLACES, index);
    const struct put indptr = part_array(&part, PART_POINTERS, index);
    const struct put data = part_array(&part, PART_VALUES, part_type(&part));
    /* Each array is gone through twice, since its checksum comes first. */
    progress_phase(progress, "writing", 2 * (put_size(&indices) + put_size(&indptr) + put_size(&data)));
    status = write_line(&zip, "indices.npy", indices, progress, error);
    if (status == STATUS_OK) status = write_line(&zip, "indptr.npy", indptr, progress, error);
    if (status == STATUS_OK) status = write_member(&zip, "format.npy", &format, "|S3", "", NULL, error);
    if (status == STATUS_OK) status = write_line(&zip, "shape.npy", shape, NULL, error);
    if (status == STATUS_OK) status = write_line(&zip, "data.npy", data, progress, error);
    if (status == STATUS_OK) status = zip_writer_end(&zip, error);
    part_free(&part);
    return status;
}
