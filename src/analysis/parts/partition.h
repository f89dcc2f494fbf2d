/* Partitions: the owner, one of several processes, of each row of a matrix, or of each entry (2D). The table
 * has methods. Each is a function from the matrix and the number of parts to the owners. */
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
    bool symmetric; /* the source declares the pattern symmetric */
    int64_t parts;  /* 1 to PARTS_MAX */
    struct progress *progress;
};

struct partition;

struct partitioner {
    const char *name;
    const char *summary;
    const char *source;  /* the publication that defines it; "" if there is none */
    const char *package; /* the Debian package that it requires; NULL if none */
    bool absent;         /* this build was made without that package */
    bool square;         /* it accepts only square matrices */
    bool by_rows;        /* it uses the row offsets only, and no entry */
    bool ranked;         /* it is computed over ranks only (src/ranks), and has no `compute` */
    bool fixed;          /* it determines the number of parts itself and ignores the requested number */
    bool entrywise;      /* 2D: it divides the entries rather than the rows, and has `divide` */
    const struct parameter *parameters; /* ends with a NULL name */

    /* Choose the parameters that are NaN, for this number of parts; NULL if there are none. */
    void (*resolve)(struct parameter_values *values, int64_t parts);
    /* Return the bytes that `compute` takes at its peak beside the owners. NULL: negligible. */
    size_t (*bytes)(const struct partitioning *partitioning);
    /* Fill in owner[0..rows-1] with parts, and *parts with their number. It must not depend on the number of
     * threads. NULL if it is absent. */
    enum status (*compute)(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                           struct error *error);
    /* The same for a partition with more owners than those of the rows: it allocates the other lists of
     * *partition, whose `owner` has room already. */
    enum status (*divide)(const struct partitioning *partitioning, struct partition *partition,
                          struct error *error);
};

/* The table of partitioners, which NULL ends. */
extern const struct partitioner *const partitioners[];

/* Append the text of all partitioners for helps and the manual. */
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

/* A list of choices (base/items.h). */
struct partition_list {
    struct partition_choice *choices; /* owned */
    int count;
};

/* Append the choices that `text` lists. STATUS_USAGE, STATUS_MEMORY. */
enum status partition_list_add(struct partition_list *list, const char *text, struct error *error);
void partition_list_free(struct partition_list *list);

/* The owners. Owned; free with partition_free, which takes {0}. */
struct partition {
    int64_t parts, rows;
    int32_t *owner;     /* the owner of each row and of its element of y, from 0 */
    int32_t *col_owner; /* the owner of each element of x; NULL: partition_column_owner has the rule */
    int32_t *entry; /* 2D: the owner of each entry, of a slab those of its own; NULL: the owner of its row */
};

/* Find a partition. STATUS_UNAVAILABLE if this build does not have the partitioner or it does not take this
 * matrix; STATUS_LIMIT if it needs more memory than `limit` (0: the default of memory_check) leaves;
 * STATUS_INPUT, STATUS_IO for a file without a valid partition; STATUS_MEMORY, STATUS_CANCELLED. On failure
 * *partition is {0}. */
enum status partition_find(const struct partition_choice *choice, const struct csr *a, bool symmetric,
                           int64_t parts, size_t limit, struct progress *progress,
                           struct partition *partition, struct error *error);
void partition_free(struct partition *partition);

/* Copy a partition of a matrix with this number of columns and entries. STATUS_MEMORY; partition_free accepts
 * the copy then, too. */
enum status partition_copy(const struct partition *partition, int64_t cols, int64_t entries,
                           struct partition *copy, struct error *error);

/* Return the bytes of a partition. */
static inline size_t partition_bytes(const struct partition *partition, int64_t cols, int64_t entries)
{
    const int64_t lines =
        partition->rows + (partition->col_owner ? cols : 0) + (partition->entry ? entries : 0);
    return (size_t)lines * sizeof(int32_t);
}

/* Return the owner of entry k, which is in this row. */
static inline int32_t partition_entry_owner(const struct partition *partition, int64_t row, int64_t k)
{
    return partition->entry ? partition->entry[k] : partition->owner[row];
}

/* Return the owner of element j of `cols` of x. Unless the partition lists them, it is for a square matrix
 * that of row j, so that x and y are distributed alike; for others the columns are cut into equal runs. */
static inline int32_t partition_column_owner(const struct partition *partition, int64_t cols, int64_t j)
{
    if (partition->col_owner) return partition->col_owner[j];
    return partition->rows == cols ? partition->owner[j] : (int32_t)(j * partition->parts / cols);
}

#endif
