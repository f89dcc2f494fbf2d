/* Spans of a MATLAB file of version 5 to 7, and the elements that the file consists of. Only files/mat uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_ELEMENTS_H
#define SPARSIGHT_MATRIX_FILES_MAT_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/arrays/view.h"

struct inflated;

/* A span of bytes of a MATLAB file, or of the text of a compressed variable. */
struct span {
    const struct container *container; /* NULL if the span is of such a text, which is */
    const char *memory;                /* in memory, */
    struct inflated *inflated;         /* or inflated where it is read (inflated.h) */
    int64_t begin, end;                /* bytes of the file, or of the text */
    bool big;                          /* the most significant byte comes first */
    const char *path;                  /* for messages */
};

/* Copy bytes from byte `at` on. STATUS_INPUT if some of them lie outside the span. */
enum status span_read(const struct span *span, int64_t at, void *out, int64_t size, struct error *error);

/* Read an integer of four bytes. */
enum status span_number(const struct span *span, int64_t at, uint32_t *value, struct error *error);

/* Make a view of `count` numbers from byte `at` on, which are within the span. */
enum status span_view(const struct span *span, int64_t at, enum number type, int64_t count, const char *name,
                      struct view *view, struct error *error);

/* Return STATUS_INPUT because the file is damaged at byte `at`. */
enum status span_damaged(const struct span *span, int64_t at, const char *what, struct error *error);

/* Number of bytes of a variable to unpack before its type is known, without a check of its checksum. */
#define ELEMENT_PEEK 512

/* Types of elements. */
enum { MI_INT32 = 5, MI_UINT32 = 6, MI_MATRIX = 14, MI_COMPRESSED = 15, MI_UTF8 = 16, MI_UTF16 = 17 };

/* An element: its type, and the position of its data. */
struct element {
    uint32_t type;
    int64_t begin, bytes;
    int64_t next; /* the first byte of the next element */
};

/* Read the tag of the element at byte `at`. STATUS_INPUT if a part of the element lies outside the span. */
enum status element_read(const struct span *span, int64_t at, struct element *element, struct error *error);

/* Make a view of the numbers of an element, called `name` in messages. STATUS_INPUT if the element is not of
 * numbers. */
enum status element_view(const struct span *span, const struct element *element, const char *name,
                         struct view *view, struct error *error);

/* Inflate the first bytes of a compressed element into `out`, up to `size`. *done becomes their number.
 * STATUS_INPUT if they are damaged, STATUS_MEMORY. */
enum status element_inflate(const struct span *span, const struct element *element, void *out, int64_t size,
                            int64_t *done, struct error *error);

#endif
