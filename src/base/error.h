/* Status codes and the error that a failing function fills in for its caller. */
#ifndef SPARSIGHT_BASE_ERROR_H
#define SPARSIGHT_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum status {
    STATUS_OK = 0,
    STATUS_MEMORY,      /* the system gave no memory */
    STATUS_LIMIT,       /* refused before allocating: too large for the limit or for 32-bit indices */
    STATUS_IO,          /* the system failed on a file; the message has the text of errno */
    STATUS_INPUT,       /* the input is wrong; path, line and column say where */
    STATUS_SEVERAL,     /* the name stands for several inputs, of which one has to be named */
    STATUS_USAGE,       /* the user's input is wrong (an option, a generator's specification) */
    STATUS_CANCELLED,   /* the progress was cancelled */
    STATUS_UNAVAILABLE, /* this build or machine cannot do it */
};

/* An error: the fault, its position, and the remedy. The caller owns it, and functions that fail fill it in;
 * the first error stays. Without a position, path is empty, and line and column are 0. Columns count bytes
 * from 1. */
struct error {
    enum status status;
    char path[1024];
    int64_t line;
    int64_t column;
    char message[4096]; /* has room for whole lists of names */
};

/* Fill in an error without a position in a file, unless one is set already. Returns `status`, so that a
 * function can end with `return error_set(...)`. `error` may be NULL. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for an error with a position in a file. A line or column of 0 is unknown. */
enum status error_at(struct error *error, enum status status, const char *path, int64_t line, int64_t column,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Clear the error. */
void error_clear(struct error *error);

/* Write "PATH:LINE:COLUMN: message" into text and return it; unknown parts of the position are left out. The
 * result is always terminated and always one line: control characters become '?'. */
char *error_text(const struct error *error, char *text, size_t size);

#endif
