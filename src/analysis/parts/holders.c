#include "analysis/parts/holders.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"

/* The distance from line mod parts to this part, cyclically. */
static int64_t ahead_of(int64_t line, int32_t part, int64_t parts)
{
    const int64_t ahead = part - line % parts;
    return ahead < 0 ? ahead + parts : ahead;
}

void holders_of_columns(const struct slab *slab, const struct partition *partition, int64_t *ahead)
{
    const struct csr *a = slab->a;
    for (int64_t j = 0; j < slab->cols; j++)
        ahead[j] = partition->parts;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const int64_t j = a->col[k];
            const int32_t part = partition_entry_owner(partition, slab->first + i, k);
            ahead[j] = min(ahead[j], ahead_of(j, part, partition->parts));
        }
}

void holders_of_rows(const struct slab *slab, const struct partition *partition, int64_t *ahead)
{
    const struct csr *a = slab->a;
    for (int64_t i = 0; i < a->rows; i++) {
        ahead[i] = partition->parts;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const int32_t part = partition_entry_owner(partition, slab->first + i, k);
            ahead[i] = min(ahead[i], ahead_of(slab->first + i, part, partition->parts));
        }
    }
}

void holders_take(const int64_t *ahead, int64_t first, int64_t count, int64_t lines, int64_t parts,
                  int32_t *owner)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t line = first + k;
        owner[k] = (int32_t)(ahead[k] < parts ? (line + ahead[k]) % parts : line * parts / lines);
    }
}

enum status holders_find(const struct csr *a, struct partition *partition, struct error *error)
{
    const struct slab slab = slab_of(a);
    const int64_t parts = partition->parts;
    int64_t *ahead = memory_array((size_t)max(a->rows, a->cols), sizeof *ahead, error);
    partition->col_owner = memory_array((size_t)a->cols, sizeof *partition->col_owner, error);
    if (ahead && partition->col_owner) {
        holders_of_columns(&slab, partition, ahead);
        holders_take(ahead, 0, a->cols, a->cols, parts, partition->col_owner);
        if (partition->entry) {
            holders_of_rows(&slab, partition, ahead);
            holders_take(ahead, 0, a->rows, a->rows, parts, partition->owner);
        }
    }
    free(ahead);
    return ahead && partition->col_owner ? STATUS_OK : STATUS_MEMORY;
}
