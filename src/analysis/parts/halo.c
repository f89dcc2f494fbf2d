#include "analysis/parts/halo.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/fragments.h"
#include "analysis/parts/tally.h"
#include "base/memory.h"
#include "base/range.h"

/* The messages to one part, until all parts are known. */
struct inbox {
    struct halo_pair *pairs;
};

/* The data of all parts, while they are counted. */
struct count {
    struct slab slab;           /* in 2D, the rows are fragments, */
    struct partition partition; /* of which these are the owners; borrows */
    struct fragments fragments;
    bool folds; /* 2D */
    struct groups groups;
    struct halo_part *part;
    struct inbox *inboxes;
};

static enum status count_part(void *self, int64_t p, struct tally *tally, struct error *error)
{
    const struct count *count = self;
    struct inbox *inbox = &count->inboxes[p];
    struct halo_part *part = &count->part[p];
    tally_part(&count->slab, &count->partition, &count->groups, p, tally, part, NULL);
    inbox->pairs = memory_array((size_t)tally->count, sizeof *inbox->pairs, error);
    if (!inbox->pairs) return STATUS_MEMORY;
    tally_empty(tally, p, inbox->pairs);
    part->middle = part->from; /* counted from the first message, until that is known */
    if (!count->folds) return STATUS_OK;
    fragments_fold(&count->fragments, p, tally, part);
    struct halo_pair *pairs =
        memory_resize(inbox->pairs, (size_t)(part->from + tally->count), sizeof *pairs, error);
    if (!pairs) return STATUS_MEMORY;
    inbox->pairs = pairs;
    const int32_t folded = (int32_t)tally->count;
    tally_empty(tally, p, pairs + part->from);
    part->from += folded;
    return STATUS_OK;
}

/* Concatenate the messages of all parts. */
static enum status gather(struct halo *halo, struct inbox *inboxes, size_t held, size_t limit,
                          struct error *error)
{
    for (int64_t p = 0; p < halo->parts; p++) {
        halo->part[p].first = halo->messages;
        halo->part[p].middle += halo->messages;
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

/* True if one of the messages low .. end - 1, which have one receiver and phase, comes from part `from`. */
static bool is_sender(const struct halo *halo, int64_t low, int64_t end, int32_t from)
{
    int64_t high = end;
    BISECT(low, high, halo->pairs[middle].from < from);
    return low < end && halo->pairs[low].from == from;
}

/* True if part `to` receives from part `from`. */
static bool receives_from(const struct halo *halo, int64_t to, int32_t from)
{
    const struct halo_part *part = &halo->part[to];
    return is_sender(halo, part->first, part->middle, from) ||
           is_sender(halo, part->middle, part->last, from);
}

/* Count the parts that each part exchanges with: those it receives from, and those it only sends to. */
static enum status count_neighbours(struct halo *halo, struct error *error)
{
    int64_t *neighbours = memory_zeroed((size_t)halo->parts, sizeof *neighbours, error);
    if (!neighbours) return STATUS_MEMORY;
    for (int64_t k = 0; k < halo->messages; k++) {
        const struct halo_pair *pair = &halo->pairs[k];
        const struct halo_part *to = &halo->part[pair->to];
        if (k >= to->middle && is_sender(halo, to->first, to->middle, pair->from)) continue;
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
        halo->fold += part->folds;
        halo->cut += part->remote;
        halo->largest_halo = max(halo->largest_halo, part->receives);
        halo->largest_send = max(halo->largest_send, part->sends);
        halo->most_messages = max(halo->most_messages, part->to);
        halo->most_rows = max(halo->most_rows, part->rows);
        halo->most_entries = max(halo->most_entries, part->entries);
    }
    halo->expand = halo->volume - halo->fold;
    halo->imbalance = nnz ? (double)halo->most_entries * (double)halo->parts / (double)nnz : 1;
    return count_neighbours(halo, error);
}

static size_t bytes_of(const struct csr *a, const struct partition *partition)
{
    const int64_t parts = partition->parts;
    size_t thread = (size_t)a->cols * sizeof(int32_t) + (size_t)parts * (sizeof(int64_t) + sizeof(int32_t));
    size_t all = (size_t)a->rows * sizeof(int32_t) + (size_t)parts * (sizeof(struct halo_part) + 32);
    size_add(all, thread * (size_t)omp_get_max_threads(), &all);
    /* In 2D: the sorted columns and owners, and at most a fragment an entry. */
    if (partition->entry) size_add(all, (size_t)csr_nnz(a) * (3 * sizeof(int32_t) + sizeof(int64_t)), &all);
    return all;
}

/* Prepare counting; in 2D, split the rows. */
static enum status count_start(const struct csr *a, const struct partition *partition, struct count *count,
                               struct error *error)
{
    const struct slab slab = slab_of(a);
    enum status status = STATUS_OK;
    *count = (struct count){.slab = slab, .partition = *partition, .folds = partition->entry != NULL};
    if (count->folds) status = fragments_make(&slab, partition, &count->fragments, error);
    if (count->folds && status == STATUS_OK)
        count->slab = fragments_slab(&count->fragments, &slab, partition, &count->partition);
    return status == STATUS_OK ? groups_make(&count->slab, &count->partition, &count->groups, error) : status;
}

enum status halo_count(const struct csr *a, const struct partition *partition, size_t limit,
                       struct progress *progress, struct halo *halo, struct error *error)
{
    struct count count = {0};
    int64_t parts = partition->parts;
    size_t held = csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL), taken = bytes_of(a, partition);
    *halo = (struct halo){.parts = parts};
    enum status status = memory_check_beside(taken, held, limit, "counting halos", error);
    if (status != STATUS_OK) return status;
    struct inbox *inboxes = memory_zeroed((size_t)parts, sizeof *inboxes, error);
    halo->part = memory_zeroed((size_t)parts, sizeof *halo->part, error);
    status = inboxes && halo->part ? count_start(a, partition, &count, error) : STATUS_MEMORY;
    count.inboxes = inboxes;
    count.part = halo->part;
    progress_phase(progress, "counting halos", parts);
    if (status == STATUS_OK) status = tally_all(&count.slab, parts, count_part, &count, progress, error);
    if (status == STATUS_OK) status = gather(halo, inboxes, held + taken, limit, error);
    if (status == STATUS_OK) status = halo_add_up(halo, csr_nnz(a), error);
    for (int64_t p = 0; inboxes && p < parts; p++)
        free(inboxes[p].pairs);
    free(inboxes);
    groups_free(&count.groups);
    fragments_free(&count.fragments);
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
