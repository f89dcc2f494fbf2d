/* Lists of integers in files, one on each line, for permutations and partitions. Blank lines, and lines that
 * begin with '%' or '#', are ignored. */
#ifndef SPARSIGHT_MATRIX_ORDERS_LINE_LIST_H
#define SPARSIGHT_MATRIX_ORDERS_LINE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/container.h"

#define LINE_LIST_BYTES 256 /* maximum length of a line; longer comments are cut */

/* A file that is read line by line. Its errors go to `error`, which may be NULL. */
struct line_list {
    struct container *container;
    char *block;
    size_t used, filled;
    int64_t line;               /* the number of the line that was read last, from 1 */
    char text[LINE_LIST_BYTES]; /* the line without its end; a NUL byte becomes '?' */
    bool cut;                   /* the line is longer, and `text` has only its beginning */
    const char *path;
    struct error *error;
};

/* The memory of an open list in bytes. */
#define LINE_LIST_BLOCK ((size_t)64 << 10)

/* Open the file `path` with container_open. The text of `path` must stay. The caller closes the list, also
 * after failure. */
enum status line_list_open(const char *path, struct line_list *list, struct error *error);
void line_list_close(struct line_list *list);

/* Read the next line. Returns 1, 0 at the end of the file, or -1 if reading fails. */
int line_list_next(struct line_list *list);

/* True if the line is blank or a comment. */
bool line_list_says_nothing(const struct line_list *list);

/* Read the number on the line, which is -INT64_MAX or more. STATUS_INPUT if the line has no number, or was
 * cut; the message has `what`, for instance "not an index; a permutation has a whole number on each line". */
enum status line_list_number(const struct line_list *list, const char *what, int64_t *number);

/* Return STATUS_INPUT for the line, which the message shows before `why`; for a line that was cut, the
 * message states that. */
enum status line_list_wrong(const struct line_list *list, const char *why);

/* The status of a list whose reading has failed. */
enum status line_list_failed(const struct line_list *list);

#endif
