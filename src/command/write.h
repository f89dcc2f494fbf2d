/* Writing a matrix, or a permutation, to a file or to standard output. */
#ifndef SPARSIGHT_COMMAND_WRITE_H
#define SPARSIGHT_COMMAND_WRITE_H

#include <stdio.h>

#include "base/error.h"
#include "command/task.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "matrix/orders/permute.h"

/* The job that writes a matrix, or a permutation, to `file`, compressed as the ending of `path` says. */
struct write_task {
    const struct matrix *matrix;
    const struct permutation *permutation; /* NULL if the matrix is to be written */
    const char *comment;
    const struct reader *writer; /* of the matrix */
    FILE *file;
    const char *path;
};

/* Write to the file `path`, or to standard output if it is NULL, what `task` has but for the file and the
 * path. The file appears when it is whole. Returns STATUS_CANCELLED if the reader of a pipe has closed it. */
enum status write_output(struct write_task task, const char *path, struct error *error);

/* Write the matrix of a finished task, in its order if it has one, and the permutation of that if a file is
 * named for it. Comments say how they were made, by which command and from what. `path` and `permutation` may
 * be NULL: standard output, and none. */
enum status write_results(const struct task *task, const char *command, const struct reader *writer,
                          const char *path, const char *permutation, struct error *error);

#endif
