/* The positions that the source lists more than once, whose entries were summed. The canonical matrix no
 * longer shows them. */
#ifndef SPARSIGHT_MATRIX_SUMMED_H
#define SPARSIGHT_MATRIX_SUMMED_H

#include <stdint.h>

#include "base/error.h"

/* Maximum number of positions kept, in at most 12 MB; further ones are only counted. */
#define SUMMED_MAX 1000000

/* A position of the expanded matrix, counted from 0, and the number of entries of the source that were
 * added up there. */
struct summed_place {
    int32_t row, col;
    uint32_t entries;
};

/* The positions in row-major order. Start with {0}. */
struct summed {
    struct summed_place *list; /* the first `kept` of them; owned */
    int64_t kept, capacity;
    int64_t count; /* number of all positions */
};

/* Append a position. STATUS_MEMORY if there is no room for it. */
enum status summed_add(struct summed *summed, int64_t row, int64_t col, int64_t entries, struct error *error);

/* Return the index of the first position in the list after (row, col); `kept` if there is none. O(log
 * kept). */
int64_t summed_after(const struct summed *summed, int64_t row, int64_t col);

/* Sort renumbered positions into row-major order again. O(kept log kept). */
void summed_sort(struct summed *summed);

void summed_free(struct summed *summed);

#endif
