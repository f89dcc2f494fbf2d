/* Whose the dots of a picture are: which part owns the rows of their entries, and whether these entries need
 * elements of x that other parts own. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_OWNERS_H
#define SPARSIGHT_ANALYSIS_PARTS_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/partition.h"
#include "analysis/sizes.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* What is known of a dot: OWNER_NONE if it has no entry, OWNER_SEVERAL if no part owns the rows of more than
 * half of its entries, and else owner_mark of that part. */
enum { OWNER_NONE = -1, OWNER_SEVERAL = -2 };

/* `remote`: half of the dot's entries or more multiply an element of x that another part owns than their row.
 */
static inline int32_t owner_mark(int32_t part, bool remote)
{
    return 2 * part + remote;
}

/* The part of a mark that is not negative, and whether it is remote. */
static inline int32_t owner_part(int32_t mark)
{
    return mark / 2;
}

static inline bool owner_is_remote(int32_t mark)
{
    return mark % 2 == 1;
}

/* marks[y wide + x] becomes what is known of dot (y, x). Parallel over rows of dots; O(entries in the picture
 * + rows in it log len), twice, and 32 bytes a dot of a row for each thread. STATUS_MEMORY, STATUS_CANCELLED.
 */
enum status owners_of_dots(const struct csr *a, const struct partition *partition,
                           const struct size_dots *dots, struct progress *progress, int32_t *marks,
                           struct error *error);

#endif
