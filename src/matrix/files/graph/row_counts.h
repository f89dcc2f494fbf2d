/* Counting the entries of each row while the number of rows is not yet known. Only files/graph uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_GRAPH_ROW_COUNTS_H
#define SPARSIGHT_MATRIX_FILES_GRAPH_ROW_COUNTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with row_counts_start, end with row_counts_end. Several threads count at once. */
struct row_counts {
    int64_t *lengths; /* entries of each row, by the index in the file */
    int64_t room;
    size_t limit;          /* bytes */
    bool off;              /* counting was not requested, or memory is short: there are no counts */
    pthread_rwlock_t lock; /* held for writing by the thread that enlarges `lengths` */
};

/* Begin to count, in at most `limit` bytes; `off`: do not count. */
void row_counts_start(struct row_counts *counts, size_t limit, bool off);
void row_counts_end(struct row_counts *counts);

/* Count `count` entries in these rows; `most` is the largest of the rows. */
void row_counts_add(struct row_counts *counts, const int32_t *row, int count, int32_t most);

/* Return the counts of rows base .. base+rows-1 in an array of rows + 1 elements, the last one 0, which the
 * caller frees. Returns NULL if there are none. */
int64_t *row_counts_take(struct row_counts *counts, int64_t base, int64_t rows);

#endif
