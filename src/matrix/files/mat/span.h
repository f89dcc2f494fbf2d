/* A stretch of a MATLAB file, or of a variable of one that was unpacked into memory. Only files/mat uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_SPAN_H
#define SPARSIGHT_MATRIX_FILES_MAT_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/arrays/view.h"

struct span {
    const struct container *container; /* NULL if it is in memory */
    const char *memory;
    int64_t begin, end; /* bytes of the file, or of the memory */
    bool big;           /* the most significant byte comes first */
    const char *path;   /* for messages */
};

/* Copy bytes from byte `at` on. STATUS_INPUT if they are not all within the span. */
enum status span_read(const struct span *span, int64_t at, void *out, int64_t size, struct error *error);

/* Read a whole number of four bytes. */
enum status span_number(const struct span *span, int64_t at, uint32_t *value, struct error *error);

/* Make a view of `count` numbers from byte `at` on, which are within the span. */
enum status span_view(const struct span *span, int64_t at, enum number type, int64_t count, const char *name,
                      struct view *view, struct error *error);

/* Return STATUS_INPUT because the file is damaged at byte `at`. */
enum status span_damaged(const struct span *span, int64_t at, const char *what, struct error *error);

#endif
