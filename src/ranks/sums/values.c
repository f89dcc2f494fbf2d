/* The values: parts are joined; sums of columns come from columns.c. */
#include <stdlib.h>

#include "base/memory.h"
#include "ranks/sums/parts.h"

static void join(void *to, const void *from)
{
    values_join(to, from);
}

/* Join the parts on rank 0, and send the largest |a| to all ranks. */
static double join_parts(const struct ranks *ranks, struct values_part *part, struct values_part *other)
{
    ranks_combine(ranks, part, other, sizeof *part, join);
    double largest = values_largest(part);
    ranks_broadcast(ranks, 0, &largest, sizeof largest);
    return largest;
}

enum status sums_values(struct sums *sums, size_t limit, struct values *values, struct error *error)
{
    bool pattern = sums->share->matrix.field == FIELD_PATTERN;
    double largest = 0, norm_1;
    struct values_part *parts = NULL;
    enum status status = STATUS_OK;
    if (!pattern) {
        parts = memory_array(2, sizeof *parts, error);
        status = parts ? values_scan(&sums->slab, NULL, parts, error) : STATUS_MEMORY;
        status = ranks_agree(sums->ranks, status, error);
        if (status == STATUS_OK) largest = join_parts(sums->ranks, parts, parts + 1);
    }
    if (status == STATUS_OK) status = sums_columns(sums, largest, limit, &norm_1, error);
    if (status == STATUS_OK && !pattern && sums->ranks->rank == 0)
        values_finish(parts, sums->share->own.imaginary != NULL, norm_1, values);
    free(parts);
    return status;
}
