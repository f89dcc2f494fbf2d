/* Partitions: which of several processes owns which rows of a matrix. A table of ways to find one, each a
 * function from the matrix and the number of parts to the owner of every row. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_PARTITION_H
#define SPARSIGHT_ANALYSIS_PARTS_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/parameters.h"
#include "base/text.h"
#include "matrix/csr.h"

#define PARTS_MAX 65536

/* The input of a partition. */
struct partitioning {
    const struct parameter_values *values;
    const struct csr *a;
    bool symmetric; /* the pattern is known to be symmetric, since the source says so */
    int64_t parts;  /* 1 to PARTS_MAX */
    struct progress *progress;
};

struct partitioner {
    const char *name;
    const char *summary;
    const char *source;                 /* the publication that defines it; "" if there is none */
    const char *package;                /* the Debian package without which it is not there; NULL if none */
    bool absent;                        /* this build was made without that package */
    bool square;                        /* it takes square matrices alone */
    bool by_rows;                       /* it looks at where rows begin, and at no entry */
    bool ranked;                        /* it is found over ranks alone (src/ranks), and has no `compute` */
    bool fixed;                         /* the number of parts is its own, whatever is asked for */
    const struct parameter *parameters; /* ends with a NULL name */

    /* Return the bytes that `compute` takes at its peak beside the owners. NULL: next to nothing. */
    size_t (*bytes)(const struct partitioning *partitioning);
    /* Fill in owner[0..rows-1] with parts, and *parts with their number. It must not depend on the number of
     * threads. NULL if it is absent. */
    enum status (*compute)(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                           struct error *error);
};

/* The table of all of them, which NULL ends. */
extern const struct partitioner *const partitioners[];

/* Append what helps and the manual say of all partitioners. */
void partitioners_describe(struct text *text);

/* A partitioner with its parameters. Start with {0}; free with partition_choice_free. */
struct partition_choice {
    const struct partitioner *partitioner;
    struct parameter_values values;
};

/* Read a choice, "NAME" or "NAME:PARAMETER=VALUE,...". STATUS_USAGE for an unknown name or parameter. */
enum status partition_choice_read(const char *text, struct partition_choice *choice, struct error *error);
void partition_choice_free(struct partition_choice *choice);

/* Write the name of the choice, "metis:objective=volume", into out, which has `size` bytes. Returns out. */
#define PARTITION_NAME 256
char *partition_choice_name(const struct partition_choice *choice, char *out, size_t size);

/* Choices, written as lists are (base/items.h). */
struct partition_list {
    struct partition_choice *choices; /* owned */
    int count;
};

/* Append the choices that `text` lists. STATUS_USAGE, STATUS_MEMORY. */
enum status partition_list_add(struct partition_list *list, const char *text, struct error *error);
void partition_list_free(struct partition_list *list);

/* The owners of the rows. Owned; free with partition_free, which takes {0}. */
struct partition {
    int64_t parts, rows;
    int32_t *owner; /* of each row, from 0 */
};

/* Find a partition. STATUS_UNAVAILABLE if this build does not have the partitioner or it does not take this
 * matrix; STATUS_LIMIT if it needs more memory than `limit` (0: what memory_check takes by itself) leaves;
 * STATUS_INPUT, STATUS_IO for a file that does not have it; STATUS_MEMORY, STATUS_CANCELLED. On failure
 * *partition is {0}. */
enum status partition_find(const struct partition_choice *choice, const struct csr *a, bool symmetric,
                           int64_t parts, size_t limit, struct progress *progress,
                           struct partition *partition, struct error *error);
void partition_free(struct partition *partition);

/* Return the owner of element j of `cols` of x: of a square matrix that of row j, so that x and y are
 * distributed alike, and of others the one of equal runs of the columns that j is in. */
static inline int32_t partition_column_owner(const struct partition *partition, int64_t cols, int64_t j)
{
    return partition->rows == cols ? partition->owner[j] : (int32_t)(j * partition->parts / cols);
}

#endif
