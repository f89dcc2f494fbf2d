/* Counting the entries of each row while it is not known yet how many rows there are. Only files/graph uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_GRAPH_ROW_COUNTS_H
#define SPARSIGHT_MATRIX_FILES_GRAPH_ROW_COUNTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with row_counts_start, end with row_counts_end. Several threads count at once. */
struct row_counts {
    int64_t *lengths; /* entries of each row, by the index that the file has */
    int64_t room;
    size_t limit;          /* bytes */
    bool off;              /* nobody counts, or memory is short: there are no counts */
    pthread_rwlock_t lock; /* locked for writing by the thread that makes room */
};

/* Let counts take up to `limit` bytes; if `off`, there are to be none. */
void row_counts_start(struct row_counts *counts, size_t limit, bool off);
void row_counts_end(struct row_counts *counts);

/* Count `count` entries of these rows, the largest of which is `most`. */
void row_counts_add(struct row_counts *counts, const int32_t *row, int count, int32_t most);

/* Hand the counts of rows base .. base+rows-1 over, in an array of rows + 1 elements, the last one 0, which
 * the caller frees. Returns NULL if there are none. */
int64_t *row_counts_take(struct row_counts *counts, int64_t base, int64_t rows);

#endif
