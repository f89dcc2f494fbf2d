/* A file that several processes write together, each the part of its own rows (src/ranks). Formats of readers
 * with a function write_rows are written in this way. */
#ifndef SPARSIGHT_MATRIX_FILES_ROWS_FILE_H
#define SPARSIGHT_MATRIX_FILES_ROWS_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/matrix.h"

/* The file, and one process's part of the matrix. The functions are collective: all processes call them in
 * the same order. */
struct rows_file {
    int fd;                      /* open for writing, on all processes */
    int part;                    /* the number of this process, from 0 */
    const struct matrix *matrix; /* field, symmetry and duplicates are those of the whole. csr has the rows of
                                    this process, numbered from 0, with the columns of the whole */
    int64_t rows, cols, nnz;     /* of the whole */
    int64_t first_row, before;   /* in it: row 0 of csr, and the number of entries before that */
    const char *comment;         /* may be NULL */
    void *self;
    int64_t (*sum)(void *self, int64_t number);       /* return the sum of all processes' numbers */
    int64_t (*preceding)(void *self, int64_t number); /* return the sum of those before this one's */
    /* Return the status of the first process that failed, with its error. */
    enum status (*agree)(void *self, enum status status, struct error *error);
};

/* Announce that this process writes these bytes of the file, before it does. The lock keeps NFS clients from
 * writing whole pages, which would overwrite the bytes that another client has written to the same page. It
 * ends when the file is closed. File systems without locks need none, so that failure does not matter. */
void rows_file_claim(const struct rows_file *file, int64_t offset, int64_t count);

/* Write bytes at this offset. Several threads may call it at once. Returns 0 or errno. */
int rows_file_put(const struct rows_file *file, int64_t offset, const void *bytes, size_t count);

/* The error of bytes that could not be written. */
enum status rows_file_failed(int code, struct error *error);

#endif
