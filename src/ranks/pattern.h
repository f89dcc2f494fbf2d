/* The pattern of a distributed matrix, gathered on rank 0. */
#ifndef SPARSIGHT_RANKS_PATTERN_H
#define SPARSIGHT_RANKS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "matrix/csr.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* The pattern of the whole matrix on rank 0, from which partitions and orders are computed; {0} on other
 * ranks and at the beginning. Free with pattern_free. */
struct pattern {
    struct csr whole;              /* row_ptr and col, as far as gathered; no values */
    bool own_offsets, own_columns; /* these are freed by pattern_free */
};

/* Gather the arrays that rank 0's *pattern lacks: the offsets of rows, 8 bytes a row, and if requested the
 * columns of all entries, 4 bytes an entry. Other ranks pass {0}. STATUS_LIMIT if that is more than `limit`
 * bytes (0: the default of memory_check; the message begins with `what`), STATUS_MEMORY, the same on all
 * ranks; then arrays that were gathered before are freed, too. Collective. */
enum status pattern_gather(const struct ranks *ranks, const struct share *share, bool columns, size_t limit,
                           const char *what, struct pattern *pattern, struct error *error);

/* Takes {0}. */
void pattern_free(struct pattern *pattern);

#endif
