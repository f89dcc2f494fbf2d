/* Writing a matrix, or a permutation, to a file or to standard output. */
#ifndef SPARSIGHT_COMMAND_WRITE_H
#define SPARSIGHT_COMMAND_WRITE_H

#include "base/error.h"
#include "command/task.h"
#include "matrix/files/reader.h"
#include "matrix/orders/write.h"

/* Write to the file `path`, or to standard output if it is NULL. The file appears when it is complete.
 * Returns STATUS_CANCELLED if the reader of a pipe has closed it; otherwise fails like writing_run. */
enum status write_output(const struct writing *writing, const char *path, struct error *error);

/* Append the comment of a written file: the command and the source of the matrix. `order` is the name of its
 * order; NULL: the natural one. */
void write_comment(const char *command, const struct matrix *natural, const char *order, const char *source,
                   struct text *comment);

/* Append the comment of a permutation, beside the matrix with that comment. */
void write_permutation_comment(const struct text *comment, struct text *explained);

/* Write the matrix of a finished task, in its order if it has one, and the permutation if a file is named for
 * it. Comments give the command and the source. `path` and `permutation` may be NULL: standard output, and
 * none. */
enum status write_results(const struct task *task, const char *command, const struct reader *writer,
                          const char *path, const char *permutation, struct error *error);

#endif
