/* The lines of a plain text, cut into blocks that several threads read at once. A line belongs to the block
 * in which it begins, however long it is. */
#ifndef SPARSIGHT_MATRIX_FILES_LINES_LINES_H
#define SPARSIGHT_MATRIX_FILES_LINES_LINES_H

#include <pthread.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/container.h"

/* This number of bytes after the lines of a block may be read; they are 0. */
#define LINES_PADDING 80

struct lines_buffer;

/* Start with lines_start, end with lines_end. */
struct lines {
    const struct container *container;
    int64_t begin, end; /* of the text in the file, in bytes */
    int64_t first;      /* the number of its first line, from 1 */
    int64_t blocks;
    int64_t line_max;     /* bytes; a longer line is an error */
    int64_t *before;      /* number of counted lines before each block, and of all lines; NULL until
                             lines_count */
    pthread_mutex_t lock; /* protects the list of unused buffers */
    struct lines_buffer *free;
};

/* A block in a buffer. */
struct lines_block {
    struct lines_buffer *buffer;
    int64_t number;         /* of the block */
    const char *text, *end; /* whole lines, each with its '\n' */
    const char *raw;        /* the first byte of the block, which may be in a line of the previous block */
};

/* Make `lines` the lines of a plain container from byte `begin` on; the first has number `first`. */
void lines_start(struct lines *lines, const struct container *container, int64_t begin, int64_t first,
                 int64_t line_max);
void lines_end(struct lines *lines);

/* Read block k; lines_give gives it back. STATUS_IO, STATUS_MEMORY, STATUS_INPUT for a line that is too long.
 */
enum status lines_take(struct lines *lines, int64_t k, struct lines_block *block, struct error *error);
void lines_give(struct lines *lines, struct lines_block *block);

/* Count the lines before each block. `count` returns the number of counted lines of a block, and may record
 * other findings; several threads call it at once, for different blocks. NULL: all lines count. */
enum status lines_count(struct lines *lines, int64_t (*count)(void *self, const struct lines_block *block),
                        void *self, struct progress *progress, struct error *error);

/* Return STATUS_INPUT with the path, the line and the column of the byte `at`, which is in the block or just
 * after it. It counts all lines before the byte. */
enum status lines_fault(struct lines *lines, const struct lines_block *block, const char *at,
                        struct error *error, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Return the number of the line at `at`; 0 if it is unknown. */
int64_t lines_number(struct lines *lines, const struct lines_block *block, const char *at);

/* Return the number of line ends before `end`. */
int64_t lines_ends(const char *text, const char *end);

/* Return the first '\n' from `text` on, which must be there. */
const char *lines_newline(const char *text);

/* Copy a word, up to the next separator or line end, for a message: a long word ends in "...", and
 * unprintable bytes become '?'. Returns out. */
char *lines_word(const char *text, char *out, size_t size);

#endif
