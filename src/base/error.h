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
    STATUS_IO,          /* the system's own error on a file: errno's text is in the message */
    STATUS_INPUT,       /* the input is wrong; path, line and column say where */
    STATUS_USAGE,       /* the caller's words are wrong (an option, a generator's specification) */
    STATUS_CANCELLED,   /* the progress was cancelled */
    STATUS_UNAVAILABLE, /* this build or machine cannot do it */
};

/* What went wrong, where, and the remedy. Owned by the caller; functions only fill it in, the first error
 * wins. path is empty, line and column are 0 where they do not apply; columns count bytes from 1. */
struct error {
    enum status status;
    char path[1024];
    int64_t line;
    int64_t column;
    char message[640];
};

/* Fill in an error that has no place in a file. Returns `status`, so that `return error_set(...)` reads well.
 * `error` may be NULL. An error that is already set is kept. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place: STATUS_INPUT unless `status` says otherwise. line or column 0: unknown. */
enum status error_at(struct error *error, enum status status, const char *path, int64_t line, int64_t column,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Make `error` say nothing again. */
void error_clear(struct error *error);

/* Write "PATH:LINE:COLUMN: message" (parts that are unknown left out) into text, always terminated and always
 * one line: control characters become '?'. Returns text. */
char *error_text(const struct error *error, char *text, size_t size);

#endif
