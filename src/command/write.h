/* Writing a matrix, or a permutation, to a file or to standard output. */
#ifndef SPARSIGHT_COMMAND_WRITE_H
#define SPARSIGHT_COMMAND_WRITE_H

#include "base/error.h"
#include "command/task.h"
#include "matrix/files/reader.h"
#include "matrix/orders/write.h"

/* Write to the file `path`, or to standard output if it is NULL. The file appears when it is whole. Returns
 * STATUS_CANCELLED if the reader of a pipe has closed it; fails as writing_run does else. */
enum status write_output(const struct writing *writing, const char *path, struct error *error);

/* Write the matrix of a finished task, in its order if it has one, and the permutation of that if a file is
 * named for it. Comments say how they were made, by which command and from what. `path` and `permutation` may
 * be NULL: standard output, and none. */
enum status write_results(const struct task *task, const char *command, const struct reader *writer,
                          const char *path, const char *permutation, struct error *error);

#endif
