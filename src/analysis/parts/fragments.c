#include "analysis/parts/fragments.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* An entry of a row: its owner in the upper half, and its column. */
static uint64_t key_of(int32_t owner, int32_t col)
{
    return (uint64_t)(uint32_t)owner << 32 | (uint32_t)col;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Copy the columns and owners of a row, sorted by owner, then by column. `keys` has room for the row. */
static void sort_row(const int32_t *owner, const int32_t *col, int64_t length, uint64_t *keys,
                     int32_t *sorted_owner, int32_t *sorted_col)
{
    bool sorted = true;
    for (int64_t k = 1; k < length && sorted; k++)
        sorted = owner[k - 1] <= owner[k];
    if (sorted) {
        if (length) memcpy(sorted_owner, owner, (size_t)length * sizeof *owner);
        if (length) memcpy(sorted_col, col, (size_t)length * sizeof *col);
        return;
    }
    for (int64_t k = 0; k < length; k++)
        keys[k] = key_of(owner[k], col[k]);
    qsort(keys, (size_t)length, sizeof *keys, compare_keys);
    for (int64_t k = 0; k < length; k++) {
        sorted_owner[k] = (int32_t)(keys[k] >> 32);
        sorted_col[k] = (int32_t)(uint32_t)keys[k];
    }
}

/* Sort the entries of all rows by owner into fragments->a.col, and their owners into `owner`. */
static enum status sort_rows(const struct slab *slab, const struct partition *partition,
                             struct fragments *fragments, int32_t *owner, struct error *error)
{
    const struct csr *a = slab->a;
    int64_t longest = 0;
    for (int64_t i = 0; i < a->rows; i++)
        longest = max(longest, a->row_ptr[i + 1] - a->row_ptr[i]);
    uint64_t *keys = memory_array((size_t)longest, sizeof *keys, error);
    if (!keys) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t k = a->row_ptr[i];
        sort_row(partition->entry + k, a->col + k, a->row_ptr[i + 1] - k, keys, owner + k,
                 fragments->a.col + k);
    }
    free(keys);
    return STATUS_OK;
}

/* True if entry k, sorted by owner, is the first one of a fragment of a row that begins at `begin`. */
static bool begins(const int32_t *owner, int64_t begin, int64_t k)
{
    return k == begin || owner[k] != owner[k - 1];
}

/* Find the borders of the fragments from the sorted owners. */
static enum status cut_rows(const struct slab *slab, const int32_t *owner, struct fragments *fragments,
                            struct error *error)
{
    const struct csr *a = slab->a;
    int64_t count = 0, f = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += begins(owner, a->row_ptr[i], k);
    if (count > INT32_MAX)
        return error_set(error, STATUS_LIMIT, "the parts have more than 2^31 - 1 pieces of rows");
    fragments->a.rows = count;
    fragments->a.row_ptr = memory_array((size_t)count + 1, sizeof *fragments->a.row_ptr, error);
    fragments->owner = memory_array((size_t)count, sizeof *fragments->owner, error);
    fragments->first = memory_array((size_t)a->rows + 1, sizeof *fragments->first, error);
    if (!fragments->a.row_ptr || !fragments->owner || !fragments->first) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows; i++) {
        fragments->first[i] = f;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            if (!begins(owner, a->row_ptr[i], k)) continue;
            fragments->a.row_ptr[f] = k;
            fragments->owner[f++] = owner[k];
        }
    }
    fragments->first[a->rows] = count;
    fragments->a.row_ptr[count] = csr_nnz(a);
    return STATUS_OK;
}

enum status fragments_make(const struct slab *slab, const struct partition *partition,
                           struct fragments *fragments, struct error *error)
{
    const size_t entries = (size_t)csr_nnz(slab->a);
    *fragments = (struct fragments){.a.cols = slab->cols};
    int32_t *owner = memory_array(entries, sizeof *owner, error);
    fragments->a.col = memory_array(entries, sizeof *fragments->a.col, error);
    enum status status = owner && fragments->a.col ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) status = sort_rows(slab, partition, fragments, owner, error);
    if (status == STATUS_OK) status = cut_rows(slab, owner, fragments, error);
    free(owner);
    return status == STATUS_OK ? groups_make(slab, partition, &fragments->groups, error) : status;
}

void fragments_free(struct fragments *fragments)
{
    free(fragments->a.row_ptr);
    free(fragments->a.col);
    free(fragments->owner);
    free(fragments->first);
    groups_free(&fragments->groups);
    *fragments = (struct fragments){0};
}

struct slab fragments_slab(const struct fragments *fragments, const struct slab *slab,
                           const struct partition *partition, struct partition *flat)
{
    *flat = (struct partition){.parts = partition->parts,
                               .rows = fragments->a.rows,
                               .owner = fragments->owner,
                               .col_owner = partition->col_owner ? partition->col_owner : partition->owner};
    return (struct slab){.a = &fragments->a, .rows = fragments->a.rows, .cols = slab->cols, .nnz = slab->nnz};
}

void fragments_fold(const struct fragments *fragments, int64_t p, struct tally *tally, struct halo_part *part)
{
    const struct groups *groups = &fragments->groups;
    part->rows = groups->ptr[p + 1] - groups->ptr[p];
    for (int64_t r = groups->ptr[p]; r < groups->ptr[p + 1]; r++) {
        const int64_t i = groups->row[r];
        for (int64_t f = fragments->first[i]; f < fragments->first[i + 1]; f++) {
            if (fragments->owner[f] == p) continue;
            tally_add(tally, fragments->owner[f]);
            part->folds++;
        }
    }
    part->receives += part->folds;
}
