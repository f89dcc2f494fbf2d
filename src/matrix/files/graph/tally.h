/* Counting the entries of each row while it is not known yet how many rows there are. Only files/graph uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_GRAPH_TALLY_H
#define SPARSIGHT_MATRIX_FILES_GRAPH_TALLY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with tally_start, end with tally_end. Several threads count at once. */
struct tally {
    int64_t *lengths; /* entries of each row, by the index that the file has */
    int64_t room;
    size_t limit;          /* bytes */
    bool off;              /* nobody counts, or memory is short: there are no counts */
    pthread_rwlock_t lock; /* held for writing by whoever makes room */
};

/* Let counts take up to `limit` bytes; if `off`, there are to be none. */
void tally_start(struct tally *tally, size_t limit, bool off);
void tally_end(struct tally *tally);

/* Count `count` entries of these rows, the largest of which is `most`. */
void tally_add(struct tally *tally, const int32_t *row, int count, int32_t most);

/* Hand the counts of rows base .. base+rows-1 over, in an array of rows + 1 elements, the last one 0, which
 * the caller frees. Returns NULL if there are none. */
int64_t *tally_take(struct tally *tally, int64_t base, int64_t rows);

#endif
