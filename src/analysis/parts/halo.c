#include "analysis/parts/halo.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/tally.h"
#include "base/memory.h"
#include "base/range.h"

/* The messages to one part, until all parts are known. */
struct inbox {
    struct halo_pair *pairs;
};

/* The data of all parts, while they are counted. */
struct count {
    const struct slab *slab;
    const struct partition *partition;
    struct groups groups;
    struct halo_part *part;
    struct inbox *inboxes;
};

static enum status count_part(void *self, int64_t p, struct tally *tally, struct error *error)
{
    const struct count *count = self;
    struct inbox *inbox = &count->inboxes[p];
    tally_part(count->slab, count->partition, &count->groups, p, tally, &count->part[p], NULL);
    inbox->pairs = memory_array((size_t)tally->count, sizeof *inbox->pairs, error);
    if (!inbox->pairs) return STATUS_MEMORY;
    tally_empty(tally, p, inbox->pairs);
    return STATUS_OK;
}

/* Concatenate the messages of all parts. */
static enum status gather(struct halo *halo, struct inbox *inboxes, size_t held, size_t limit,
                          struct error *error)
{
    for (int64_t p = 0; p < halo->parts; p++) {
        halo->part[p].first = halo->messages;
        halo->messages += halo->part[p].from;
        halo->part[p].last = halo->messages;
    }
    size_t bytes;
    size_multiply((size_t)halo->messages, sizeof *halo->pairs, &bytes);
    enum status status = memory_check_beside(bytes, held, limit, "the messages between parts", error);
    if (status != STATUS_OK) return status;
    halo->pairs = memory_array((size_t)halo->messages, sizeof *halo->pairs, error);
    if (!halo->pairs) return STATUS_MEMORY;
    for (int64_t p = 0; p < halo->parts; p++) {
        if (halo->part[p].from)
            memcpy(halo->pairs + halo->part[p].first, inboxes[p].pairs,
                   (size_t)halo->part[p].from * sizeof *halo->pairs);
        free(inboxes[p].pairs);
        inboxes[p].pairs = NULL;
    }
    return STATUS_OK;
}

/* True if part `to` receives from part `from`. */
static bool receives_from(const struct halo *halo, int64_t to, int32_t from)
{
    int64_t low = halo->part[to].first, high = halo->part[to].last;
    BISECT(low, high, halo->pairs[middle].from < from);
    return low < halo->part[to].last && halo->pairs[low].from == from;
}

/* Count the parts that each part exchanges with: those it receives from, and those it only sends to. */
static enum status count_neighbours(struct halo *halo, struct error *error)
{
    int64_t *neighbours = memory_zeroed((size_t)halo->parts, sizeof *neighbours, error);
    if (!neighbours) return STATUS_MEMORY;
    for (int64_t k = 0; k < halo->messages; k++) {
        const struct halo_pair *pair = &halo->pairs[k];
        neighbours[pair->to]++;
        if (!receives_from(halo, pair->from, pair->to)) neighbours[pair->from]++;
    }
    for (int64_t p = 0; p < halo->parts; p++)
        halo->most_neighbours = max(halo->most_neighbours, neighbours[p]);
    free(neighbours);
    return STATUS_OK;
}

/* Count the elements that each part sends. */
static void count_sent(struct halo *halo)
{
    for (int64_t k = 0; k < halo->messages; k++) {
        struct halo_part *sender = &halo->part[halo->pairs[k].from];
        sender->sends += halo->pairs[k].elements;
        sender->to++;
    }
}

enum status halo_add_up(struct halo *halo, int64_t nnz, struct error *error)
{
    count_sent(halo);
    for (int64_t p = 0; p < halo->parts; p++) {
        const struct halo_part *part = &halo->part[p];
        halo->volume += part->receives;
        halo->cut += part->remote;
        halo->largest_halo = max(halo->largest_halo, part->receives);
        halo->most_rows = max(halo->most_rows, part->rows);
        halo->most_entries = max(halo->most_entries, part->entries);
    }
    halo->imbalance = nnz ? (double)halo->most_entries * (double)halo->parts / (double)nnz : 1;
    return count_neighbours(halo, error);
}

static size_t bytes_of(const struct csr *a, int64_t parts)
{
    size_t thread = (size_t)a->cols * sizeof(int32_t) + (size_t)parts * (sizeof(int64_t) + sizeof(int32_t));
    size_t all = (size_t)a->rows * sizeof(int32_t) + (size_t)parts * (sizeof(struct halo_part) + 32);
    return all + thread * (size_t)omp_get_max_threads();
}

enum status halo_count(const struct csr *a, const struct partition *partition, size_t limit,
                       struct progress *progress, struct halo *halo, struct error *error)
{
    const struct slab slab = slab_of(a);
    struct count count = {.slab = &slab, .partition = partition};
    int64_t parts = partition->parts;
    size_t held = csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL), taken = bytes_of(a, parts);
    *halo = (struct halo){.parts = parts};
    enum status status = memory_check_beside(taken, held, limit, "counting halos", error);
    if (status != STATUS_OK) return status;
    struct inbox *inboxes = memory_zeroed((size_t)parts, sizeof *inboxes, error);
    count.inboxes = inboxes;
    count.part = halo->part = memory_zeroed((size_t)parts, sizeof *halo->part, error);
    status = inboxes && halo->part ? groups_make(&slab, partition, &count.groups, error) : STATUS_MEMORY;
    progress_phase(progress, "counting halos", parts);
    if (status == STATUS_OK) status = tally_all(&slab, parts, count_part, &count, progress, error);
    if (status == STATUS_OK) status = gather(halo, inboxes, held + taken, limit, error);
    if (status == STATUS_OK) status = halo_add_up(halo, csr_nnz(a), error);
    for (int64_t p = 0; inboxes && p < parts; p++)
        free(inboxes[p].pairs);
    free(inboxes);
    groups_free(&count.groups);
    if (status != STATUS_OK) halo_free(halo);
    return status;
}

void halo_nodes(struct halo *halo, const struct halo_pair *pairs, int node)
{
    halo->node = node;
    for (int64_t p = 0; p < halo->parts; p++)
        halo->part[p].near = (struct halo_near){0};
    for (int64_t k = 0; k < halo->messages; k++) {
        const struct halo_pair *pair = &pairs[k];
        if (pair->from / node != pair->to / node) continue;
        struct halo_near *to = &halo->part[pair->to].near, *from = &halo->part[pair->from].near;
        to->receives += pair->elements;
        to->from++;
        from->sends += pair->elements;
        from->to++;
    }
}

void halo_tiles(const struct halo_pair *pairs, int64_t messages, int64_t step, int tiles, int64_t *elements)
{
    memset(elements, 0, (size_t)tiles * (size_t)tiles * sizeof *elements);
    for (int64_t k = 0; k < messages; k++)
        elements[pairs[k].to / step * tiles + pairs[k].from / step] += pairs[k].elements;
}

void halo_free(struct halo *halo)
{
    free(halo->part);
    free(halo->pairs);
    *halo = (struct halo){0};
}
