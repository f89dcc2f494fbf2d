#include "analysis/parts/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/threads.h"

enum status groups_make(const struct slab *slab, const struct partition *partition, struct groups *groups,
                        struct error *error)
{
    const int32_t *owner = partition->owner + slab->first;
    int64_t parts = partition->parts, rows = slab->a->rows;
    groups->ptr = memory_zeroed((size_t)parts + 2, sizeof *groups->ptr, error);
    groups->row = memory_array((size_t)rows, sizeof *groups->row, error);
    if (!groups->ptr || !groups->row) return STATUS_MEMORY;
    for (int64_t i = 0; i < rows; i++)
        groups->ptr[owner[i] + 2]++;
    for (int64_t p = 0; p < parts; p++)
        groups->ptr[p + 2] += groups->ptr[p + 1];
    for (int64_t i = 0; i < rows; i++)
        groups->row[groups->ptr[owner[i] + 1]++] = (int32_t)i;
    return STATUS_OK;
}

void groups_free(struct groups *groups)
{
    free(groups->ptr);
    free(groups->row);
    *groups = (struct groups){0};
}

enum status tally_start(struct tally *tally, int64_t cols, int64_t parts, struct error *error)
{
    *tally = (struct tally){.seen = memory_array((size_t)cols, sizeof *tally->seen, error),
                            .elements = memory_zeroed((size_t)parts, sizeof *tally->elements, error),
                            .senders = memory_array((size_t)parts, sizeof *tally->senders, error)};
    if (!tally->seen || !tally->elements || !tally->senders) return STATUS_MEMORY;
    memset(tally->seen, -1, (size_t)cols * sizeof *tally->seen);
    return STATUS_OK;
}

void tally_free(struct tally *tally)
{
    free(tally->seen);
    free(tally->elements);
    free(tally->senders);
    *tally = (struct tally){0};
}

void tally_part(const struct slab *slab, const struct partition *partition, const struct groups *groups,
                int64_t p, struct tally *tally, struct halo_part *part, int32_t *found)
{
    const struct csr *a = slab->a;
    *part = (struct halo_part){.rows = groups->ptr[p + 1] - groups->ptr[p]};
    for (int64_t r = groups->ptr[p]; r < groups->ptr[p + 1]; r++) {
        const int64_t i = groups->row[r], before = part->remote;
        part->entries += a->row_ptr[i + 1] - a->row_ptr[i];
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int32_t j = a->col[k], owner = partition_column_owner(partition, slab->cols, j);
            if (owner == p) continue;
            part->remote++;
            if (tally->seen[j] == (int32_t)p) continue;
            tally->seen[j] = (int32_t)p;
            if (found) found[part->receives] = j;
            part->receives++;
            tally_add(tally, owner);
        }
        part->boundary += part->remote > before;
    }
    part->from = (int32_t)tally->count;
}

static int compare_parts(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

void tally_empty(struct tally *tally, int64_t p, struct halo_pair *pairs)
{
    qsort(tally->senders, (size_t)tally->count, sizeof *tally->senders, compare_parts);
    for (int64_t k = 0; k < tally->count; k++) {
        int32_t sender = tally->senders[k];
        pairs[k] = (struct halo_pair){.from = sender, .to = (int32_t)p, .elements = tally->elements[sender]};
        tally->elements[sender] = 0;
    }
    tally->count = 0;
}

enum status tally_all(const struct slab *slab, int64_t parts, tally_visit *visit, void *self,
                      struct progress *progress, struct error *error)
{
    struct failing failing;
    failing_start(&failing, parts);
#pragma omp parallel if (csr_nnz(slab->a) > PARALLEL_MIN)
    {
        struct tally tally;
        struct error mine = {0};
        const bool started = tally_start(&tally, slab->cols, parts, &mine) == STATUS_OK;
#pragma omp for schedule(dynamic, 1)
        for (int64_t p = 0; p < parts; p++) {
            if (failing_before(&failing, p) || progress_cancelled(progress)) continue;
            if (!started || visit(self, p, &tally, &mine) != STATUS_OK) failing_note(&failing, p, &mine);
            progress_add(progress, 1);
        }
        tally_free(&tally);
    }
    enum status status = failing_status(&failing, error);
    return status == STATUS_OK ? progress_status(progress, error) : status;
}
