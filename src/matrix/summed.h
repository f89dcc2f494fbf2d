/* The places at which entries of the source were added up, since it lists them more than once: what the
 * canonical matrix does not tell any more. */
#ifndef SPARSIGHT_MATRIX_SUMMED_H
#define SPARSIGHT_MATRIX_SUMMED_H

#include <stdint.h>

#include "base/error.h"

/* So many places are kept, in at most 12 MB; of further ones there is only the number. */
#define SUMMED_MAX 1000000

/* A place of the expanded matrix, counted from 0, and how many entries of the source were added up there. */
struct summed_place {
    int32_t row, col;
    uint32_t entries;
};

/* The places in row-major order. Start with {0}. */
struct summed {
    struct summed_place *list; /* the first `kept` of them; owned */
    int64_t kept, capacity;
    int64_t count; /* how many there are */
};

/* Add a place behind all others. STATUS_MEMORY if there is no room for it. */
enum status summed_add(struct summed *summed, int64_t row, int64_t col, int64_t entries, struct error *error);

/* Return the number of the first place in the list behind (row, col); `kept` if there is none. O(log kept).
 */
int64_t summed_after(const struct summed *summed, int64_t row, int64_t col);

/* Bring places that were renumbered into row-major order again. O(kept log kept). */
void summed_sort(struct summed *summed);

void summed_free(struct summed *summed);

#endif
