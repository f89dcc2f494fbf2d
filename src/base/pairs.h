/* Lines of the form 'key = value' in profiles of processors and networks. Blank lines, and lines that begin
 * with #, are ignored. */
#ifndef SPARSIGHT_BASE_PAIRS_H
#define SPARSIGHT_BASE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A text that is being read. */
struct pairs {
    const char *path;
    const char *remedy; /* the end of its messages: "'COMMAND' measures it again" */
    int64_t line;       /* the number of the line being read; 0: the whole text */
    struct error *error;
};

/* Takes a pair. Any status other than STATUS_OK ends the reading. */
typedef enum status pairs_take(const struct pairs *pairs, void *self, const char *key, const char *value);

/* Give all pairs of the text to `take`. Fails with STATUS_INPUT for other lines, and those of 1 KiB or more.
 * Afterwards pairs->line is 0, unless it fails. */
enum status pairs_read(struct pairs *pairs, const char *text, size_t length, pairs_take *take, void *self);

/* Return STATUS_INPUT with the message "KEY: FAULT; REMEDY". */
enum status pairs_wrong(const struct pairs *pairs, const char *key, const char *what);

/* Read a value of exactly `count` finite numbers, none negative; STATUS_INPUT for any other value. */
enum status pairs_numbers(const struct pairs *pairs, const char *key, const char *value, double *numbers,
                          int count);

#endif
