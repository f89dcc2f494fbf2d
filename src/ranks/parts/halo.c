#include "ranks/parts/parts.h"

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/fragments.h"
#include "analysis/parts/tally.h"
#include "base/memory.h"
#include "base/range.h"

/* The first capacity of growing messages. */
#define PAIRS_MIN 1024

/* The sums over the ranks for each part. */
enum { ROWS, ENTRIES, REMOTE, BOUNDARY, RECEIVES, FOLDS, SUMS };

struct pair_list {
    struct halo_pair *pairs;
    int64_t count, room;
};

/* A rank's state while halos are counted. */
struct count {
    const struct ranks *ranks;
    const struct share *share;
    const struct partition *partition;
    struct fragments fragments; /* in 2D: the pieces of this rank's rows, */
    struct partition flat;      /* and their owners; then `partition` */
    struct slab slab;
    int64_t round; /* minimum number of elements in a round */
    struct groups groups;
    int64_t *sums;   /* SUMS numbers for each part */
    int64_t *split;  /* for each part the number of ranks with rows of it */
    int32_t **found; /* for parts on several ranks: the columns that this rank's rows need, */
    int64_t *needed; /* and their number */
    int32_t *seen;   /* for each column that this rank counts for all ranks: the last part that needed it */
    struct pair_list *own;  /* messages to the parts that are on this rank only */
    struct pair_list pairs; /* all other messages that this rank knows of */
};

static void count_free(struct count *count)
{
    for (int64_t p = 0; count->found && p < count->partition->parts; p++)
        free(count->found[p]);
    for (int64_t p = 0; count->own && p < count->partition->parts; p++)
        free(count->own[p].pairs);
    groups_free(&count->groups);
    fragments_free(&count->fragments);
    free(count->sums);
    free(count->split);
    free(count->found);
    free(count->needed);
    free(count->seen);
    free(count->own);
    free(count->pairs.pairs);
}

/* Return the maximum number of columns that this rank counts for all ranks: the columns j for which j % ranks
 * is its number. */
static int64_t columns_here(const struct count *count)
{
    return count->share->cols / count->ranks->count + 1;
}

static enum status count_open(struct count *count, size_t limit, struct error *error)
{
    const struct share *share = count->share;
    const size_t parts = (size_t)count->partition->parts, cols = (size_t)share->cols;
    const size_t part =
        SUMS * sizeof *count->sums + 2 * sizeof *count->split + sizeof *count->found + sizeof *count->own;
    const size_t thread = cols * sizeof(int32_t) + parts * (sizeof(int64_t) + sizeof(int32_t));
    size_t bytes = parts * part + thread * (size_t)omp_get_max_threads();
    size_add(bytes, ((size_t)share->own.rows + (size_t)columns_here(count)) * sizeof(int32_t), &bytes);
    /* In 2D: the sorted columns and owners, and at most a fragment an entry. */
    if (count->partition->entry)
        size_add(bytes, (size_t)csr_nnz(&share->own) * (3 * sizeof(int32_t) + sizeof(int64_t)), &bytes);
    enum status status = memory_check(bytes, limit, "counting halos", error);
    if (status != STATUS_OK) return status;
    count->sums = memory_zeroed(parts * SUMS, sizeof *count->sums, error);
    count->split = memory_zeroed(parts, sizeof *count->split, error);
    count->found = memory_zeroed(parts, sizeof *count->found, error);
    count->needed = memory_zeroed(parts, sizeof *count->needed, error);
    count->own = memory_zeroed(parts, sizeof *count->own, error);
    count->seen = memory_array((size_t)columns_here(count), sizeof *count->seen, error);
    if (!count->sums || !count->split || !count->found || !count->needed || !count->own || !count->seen)
        return STATUS_MEMORY;
    memset(count->seen, -1, (size_t)columns_here(count) * sizeof *count->seen);
    if (count->partition->entry) {
        const struct slab slab = count->slab;
        status = fragments_make(&slab, count->partition, &count->fragments, error);
        if (status != STATUS_OK) return status;
        count->slab = fragments_slab(&count->fragments, &slab, count->partition, &count->flat);
        count->partition = &count->flat;
    }
    return groups_make(&count->slab, count->partition, &count->groups, error);
}

static void find_split(struct count *count)
{
    for (int64_t p = 0; p < count->partition->parts; p++)
        count->split[p] = count->groups.ptr[p + 1] > count->groups.ptr[p];
    ranks_sum(count->ranks, count->split, count->partition->parts);
}

/* Make room for this number of further messages. */
static enum status reserve(struct pair_list *list, int64_t more, struct error *error)
{
    if (list->room - list->count >= more) return STATUS_OK;
    int64_t room = max(max(2 * list->room, PAIRS_MIN), list->count + more);
    struct halo_pair *pairs = memory_resize(list->pairs, (size_t)room, sizeof *pairs, error);
    if (!pairs) return STATUS_MEMORY;
    list->pairs = pairs;
    list->room = room;
    return STATUS_OK;
}

/* Return the number of entries in this rank's rows of part p. */
static int64_t entries_of(const struct count *count, int64_t p)
{
    int64_t entries = 0;
    for (int64_t r = count->groups.ptr[p]; r < count->groups.ptr[p + 1]; r++) {
        const int64_t *begin = &count->slab.a->row_ptr[count->groups.row[r]];
        entries += begin[1] - begin[0];
    }
    return entries;
}

/* Count this rank's rows of part p. */
static enum status count_part(void *self, int64_t p, struct tally *tally, struct error *error)
{
    struct count *count = self;
    struct halo_part part;
    const bool alone = count->split[p] < 2;
    int32_t *found = NULL;
    if (count->groups.ptr[p] == count->groups.ptr[p + 1]) return STATUS_OK;
    if (!alone) {
        found = memory_array((size_t)min(entries_of(count, p), count->slab.cols), sizeof *found, error);
        if (!found) return STATUS_MEMORY;
    }
    tally_part(&count->slab, count->partition, &count->groups, p, tally, &part, found);
    int64_t *sums = &count->sums[p * SUMS];
    sums[ROWS] = part.rows;
    sums[ENTRIES] = part.entries;
    sums[REMOTE] = part.remote;
    sums[BOUNDARY] = part.boundary;
    if (alone) {
        sums[RECEIVES] = part.receives;
        if (reserve(&count->own[p], tally->count, error) != STATUS_OK) return STATUS_MEMORY;
        count->own[p].count = tally->count;
        tally_empty(tally, p, count->own[p].pairs);
        return STATUS_OK;
    }
    for (int64_t k = 0; k < tally->count; k++) /* the messages depend on the rows of all ranks */
        tally->elements[tally->senders[k]] = 0;
    tally->count = 0;
    int32_t *fit = memory_resize(found, (size_t)part.receives, sizeof *fit, error);
    count->found[p] = fit ? fit : found;
    count->needed[p] = part.receives;
    return fit ? STATUS_OK : STATUS_MEMORY;
}

/* The elements that a rank sends to the ranks that count them: for each part that needs elements a mark, and
 * then the columns. */
struct way {
    int32_t *out, *in;
    int64_t *out_counts, *in_counts, *next, *last; /* for each rank; the next free index, the last part */
};

static inline int32_t mark_of(int64_t p)
{
    return (int32_t)(-1 - p);
}

static enum status way_open(const struct ranks *ranks, struct way *way, struct error *error)
{
    size_t count = (size_t)ranks->count;
    way->out_counts = memory_array(count, sizeof(int64_t), error);
    way->in_counts = memory_array(count, sizeof(int64_t), error);
    way->next = memory_array(count + 1, sizeof(int64_t), error);
    way->last = memory_array(count, sizeof(int64_t), error);
    return way->out_counts && way->in_counts && way->next && way->last ? STATUS_OK : STATUS_MEMORY;
}

static void way_free(struct way *way)
{
    free(way->out);
    free(way->in);
    free(way->out_counts);
    free(way->in_counts);
    free(way->next);
    free(way->last);
}

static int64_t total(const int64_t *counts, int ranks)
{
    int64_t sum = 0;
    for (int r = 0; r < ranks; r++)
        sum += counts[r];
    return sum;
}

/* Sort the elements of round w of `rounds` by destination rank into way->out. If this is NULL, only count
 * them. Columns are assigned to ranks cyclically, so that all ranks get about the same number. */
static void deal(const struct count *count, int64_t w, int64_t rounds, struct way *way)
{
    const int ranks = count->ranks->count;
    for (int r = 0; r < ranks; r++)
        way->last[r] = -1;
    for (int64_t p = 0; p < count->partition->parts; p++)
        for (int64_t k = 0; k < count->needed[p]; k++) {
            const int32_t j = count->found[p][k];
            const int r = j % ranks;
            if (j / ranks % rounds != w) continue;
            if (way->last[r] != p) {
                if (way->out) way->out[way->next[r]] = mark_of(p);
                way->next[r]++;
            }
            way->last[r] = p;
            if (way->out) way->out[way->next[r]] = j;
            way->next[r]++;
        }
}

static enum status pack(const struct count *count, int64_t w, int64_t rounds, struct way *way,
                        struct error *error)
{
    const int ranks = count->ranks->count;
    for (int r = 0; r < ranks; r++)
        way->next[r] = 0;
    deal(count, w, rounds, way);
    memcpy(way->out_counts, way->next, (size_t)ranks * sizeof *way->out_counts);
    way->out = memory_array((size_t)total(way->out_counts, ranks), sizeof *way->out, error);
    if (!way->out) return STATUS_MEMORY;
    for (int64_t r = 0, before = 0; r < ranks; before += way->out_counts[r++])
        way->next[r] = before;
    deal(count, w, rounds, way);
    return STATUS_OK;
}

/* Count the elements received for part p, each once. */
static void meet_part(struct count *count, int64_t p, struct way *way, struct tally *tally)
{
    const int ranks = count->ranks->count;
    for (int r = 0; r < ranks; r++) {
        int64_t k = way->next[r];
        if (k >= way->last[r] || way->in[k] != mark_of(p)) continue;
        for (k++; k < way->last[r] && way->in[k] >= 0; k++) {
            const int32_t j = way->in[k];
            if (count->seen[j / ranks] == (int32_t)p) continue;
            count->seen[j / ranks] = (int32_t)p;
            count->sums[p * SUMS + RECEIVES]++;
            tally_add(tally, partition_column_owner(count->partition, count->share->cols, j));
        }
        way->next[r] = k;
    }
}

static enum status meet(struct count *count, struct way *way, struct tally *tally, struct error *error)
{
    for (int64_t r = 0, before = 0; r < count->ranks->count; before += way->in_counts[r++]) {
        way->next[r] = before;
        way->last[r] = before + way->in_counts[r];
    }
    for (int64_t p = 0; p < count->partition->parts; p++) {
        if (count->split[p] < 2) continue;
        meet_part(count, p, way, tally);
        if (reserve(&count->pairs, tally->count, error) != STATUS_OK) return STATUS_MEMORY;
        struct halo_pair *place = count->pairs.pairs + count->pairs.count;
        count->pairs.count += tally->count;
        if (tally->count) tally_empty(tally, p, place);
    }
    return STATUS_OK;
}

/* Return the number of rounds in which elements are exchanged. */
static int64_t rounds_of(const struct count *count)
{
    const int64_t fit = max(count->round, count->share->nnz / count->ranks->count / 16 * 3);
    int64_t most = 0;
    for (int64_t p = 0; p < count->partition->parts; p++)
        most += count->needed[p];
    ranks_max(count->ranks, &most, 1);
    return 2 * most / fit + 1; /* each element may have a mark of its own */
}

/* Send the elements of parts on several ranks to the ranks that count them. */
static enum status meet_all(struct count *count, struct error *error)
{
    const struct ranks *ranks = count->ranks;
    const int64_t rounds = rounds_of(count);
    struct way way = {0};
    struct tally tally = {0};
    enum status status = way_open(ranks, &way, error);
    if (status == STATUS_OK) status = tally_start(&tally, 0, count->partition->parts, error);
    status = ranks_agree(ranks, status, error);
    for (int64_t w = 0; w < rounds && status == STATUS_OK; w++) {
        status = ranks_agree(ranks, pack(count, w, rounds, &way, error), error);
        if (status != STATUS_OK) break;
        ranks_counts(ranks, way.out_counts, way.in_counts);
        way.in = memory_array((size_t)total(way.in_counts, ranks->count), sizeof *way.in, error);
        status = ranks_agree(ranks, way.in ? STATUS_OK : STATUS_MEMORY, error);
        if (status != STATUS_OK) break;
        ranks_exchange(ranks, way.out, way.out_counts, way.in, way.in_counts, sizeof *way.in);
        status = ranks_agree(ranks, meet(count, &way, &tally, error), error);
        free(way.out);
        free(way.in);
        way.out = way.in = NULL;
    }
    tally_free(&tally);
    way_free(&way);
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct halo_pair *left = a, *right = b;
    if (left->to != right->to) return left->to < right->to ? -1 : 1;
    return (left->from > right->from) - (left->from < right->from);
}

/* Sort the messages, and merge those with the same sender and receiver. Returns the remaining number. */
static int64_t merge(struct halo_pair *pairs, int64_t count)
{
    int64_t left = 0;
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
    for (int64_t k = 0; k < count; k++) {
        if (left && compare_pairs(&pairs[left - 1], &pairs[k]) == 0)
            pairs[left - 1].elements += pairs[k].elements;
        else
            pairs[left++] = pairs[k];
    }
    return left;
}

/* In 2D, count the sums that this rank's rows need. Each fragment is on one rank, so they are added. Their
 * senders are told from those of elements of x by the number of parts, which is added until `complete`. */
static enum status fold_all(struct count *count, struct error *error)
{
    const int64_t parts = count->partition->parts;
    struct tally tally = {0};
    if (count->partition != &count->flat) return STATUS_OK;
    enum status status = tally_start(&tally, 0, parts, error);
    for (int64_t p = 0; p < parts && status == STATUS_OK; p++) {
        int64_t *sums = &count->sums[p * SUMS];
        struct halo_part part = {0};
        fragments_fold(&count->fragments, p, &tally, &part);
        sums[ROWS] = part.rows;
        sums[FOLDS] = part.folds;
        const int64_t messages = tally.count;
        status = reserve(&count->pairs, messages, error);
        if (status != STATUS_OK || messages == 0) continue;
        struct halo_pair *place = count->pairs.pairs + count->pairs.count;
        tally_empty(&tally, p, place);
        for (int64_t k = 0; k < messages; k++)
            place[k].from += (int32_t)parts;
        count->pairs.count += messages;
    }
    tally_free(&tally);
    return status;
}

/* Append the messages to the parts that are on this rank only, and merge all messages that this rank knows
 * of. */
static enum status take_own(struct count *count, struct error *error)
{
    for (int64_t p = 0; p < count->partition->parts; p++) {
        const struct pair_list *own = &count->own[p];
        if (reserve(&count->pairs, own->count, error) != STATUS_OK) return STATUS_MEMORY;
        if (own->count)
            memcpy(count->pairs.pairs + count->pairs.count, own->pairs,
                   (size_t)own->count * sizeof *own->pairs);
        count->pairs.count += own->count;
    }
    if (count->pairs.count) count->pairs.count = merge(count->pairs.pairs, count->pairs.count);
    return STATUS_OK;
}

/* Sort and merge the `count` messages received after the previous ones. */
static enum status take_round(struct pair_list *all, int64_t count, size_t limit, struct error *error)
{
    size_t bytes;
    if (count) all->count += merge(all->pairs + all->count, count);
    size_multiply((size_t)all->count, sizeof *all->pairs, &bytes);
    return memory_check_beside(bytes, 0, limit, "the messages between parts", error);
}

/* Gather the messages to parts before `end`; those of this rank begin at index *next. */
static enum status gather_round(const struct count *count, int64_t end, size_t limit, int64_t *next,
                                size_t *sizes, int64_t *counts, struct pair_list *all, struct error *error)
{
    const struct ranks *ranks = count->ranks;
    int64_t mine = 0;
    while (*next + mine < count->pairs.count && count->pairs.pairs[*next + mine].to < end)
        mine++;
    ranks_share(ranks, &mine, 1, counts);
    const int64_t come = total(counts, ranks->count);
    for (int r = 0; r < ranks->count; r++)
        sizes[r] = (size_t)counts[r] * sizeof *all->pairs;
    enum status status = ranks->rank == 0 ? reserve(all, come, error) : STATUS_OK;
    status = ranks_agree(ranks, status, error);
    if (status != STATUS_OK) return status;
    ranks_join(ranks, 0, mine ? count->pairs.pairs + *next : NULL, sizes,
               all->pairs ? all->pairs + all->count : NULL);
    *next += mine;
    if (ranks->rank == 0) status = take_round(all, come, limit, error);
    return ranks_agree(ranks, status, error);
}

/* Gather the messages of all parts on rank 0, about a round at a time. known[p] is the number of messages to
 * part p over all ranks. */
static enum status gather_all(const struct count *count, const int64_t *known, size_t limit,
                              struct pair_list *all, struct error *error)
{
    const struct ranks *ranks = count->ranks;
    const int64_t parts = count->partition->parts, most = count->round / 8;
    size_t *sizes = memory_array((size_t)ranks->count, sizeof *sizes, error);
    int64_t *counts = memory_array((size_t)ranks->count, sizeof *counts, error), next = 0;
    enum status status = ranks_agree(ranks, sizes && counts ? STATUS_OK : STATUS_MEMORY, error);
    for (int64_t p = 0, end; p < parts && status == STATUS_OK; p = end) {
        int64_t messages = known[p];
        for (end = p + 1; end < parts && messages + known[end] <= most; end++)
            messages += known[end];
        status = gather_round(count, end, limit, &next, sizes, counts, all, error);
    }
    free(sizes);
    free(counts);
    return status;
}

/* Make the halo from the sums and all messages, which it takes over. */
static enum status complete(const struct count *count, struct pair_list *all, struct halo *halo,
                            struct error *error)
{
    halo->part = memory_zeroed((size_t)halo->parts, sizeof *halo->part, error);
    if (!halo->part) return STATUS_MEMORY;
    halo->pairs = all->pairs;
    halo->messages = all->count;
    *all = (struct pair_list){0};
    for (int64_t p = 0, k = 0; p < halo->parts; p++) {
        const int64_t *sums = &count->sums[p * SUMS];
        struct halo_part *part = &halo->part[p];
        *part = (struct halo_part){.rows = sums[ROWS],
                                   .entries = sums[ENTRIES],
                                   .remote = sums[REMOTE],
                                   .boundary = sums[BOUNDARY],
                                   .receives = sums[RECEIVES] + sums[FOLDS],
                                   .folds = sums[FOLDS],
                                   .first = k};
        while (k < halo->messages && halo->pairs[k].to == p && halo->pairs[k].from < halo->parts)
            k++;
        part->middle = k;
        for (; k < halo->messages && halo->pairs[k].to == p; k++)
            halo->pairs[k].from -= (int32_t)halo->parts;
        part->last = k;
        part->from = (int32_t)(k - part->first);
    }
    return halo_add_up(halo, count->share->nnz, error);
}

/* Join the counts of the ranks on rank 0. */
static enum status finish(struct count *count, size_t limit, struct halo *halo, struct error *error)
{
    const struct ranks *ranks = count->ranks;
    struct pair_list all = {0};
    enum status status = ranks_agree(ranks, take_own(count, error), error);
    if (status != STATUS_OK) return status;
    int64_t *known = count->needed; /* it is not needed any more */
    memset(known, 0, (size_t)halo->parts * sizeof *known);
    for (int64_t k = 0; k < count->pairs.count; k++)
        known[count->pairs.pairs[k].to]++;
    ranks_sum(ranks, known, halo->parts);
    ranks_sum(ranks, count->sums, halo->parts * SUMS);
    status = gather_all(count, known, limit, &all, error);
    if (status == STATUS_OK && ranks->rank == 0) status = complete(count, &all, halo, error);
    free(all.pairs);
    return ranks_agree(ranks, status, error);
}

enum status ranks_halo(const struct ranks *ranks, const struct share *share,
                       const struct partition *partition, int64_t round, size_t limit, struct halo *halo,
                       struct error *error)
{
    struct count count = {.ranks = ranks, .share = share, .partition = partition, .round = round};
    count.slab = (struct slab){.a = &share->own,
                               .first = share->first,
                               .before = share->before,
                               .rows = share->rows,
                               .cols = share->cols,
                               .nnz = share->nnz};
    *halo = (struct halo){.parts = partition->parts};
    enum status status = ranks_agree(ranks, count_open(&count, limit, error), error);
    if (status == STATUS_OK) {
        find_split(&count);
        status = ranks_agree(
            ranks, tally_all(&count.slab, count.partition->parts, count_part, &count, NULL, error), error);
    }
    if (status == STATUS_OK) status = meet_all(&count, error);
    if (status == STATUS_OK) status = ranks_agree(ranks, fold_all(&count, error), error);
    if (status == STATUS_OK) status = finish(&count, limit, halo, error);
    count_free(&count);
    if (status != STATUS_OK) halo_free(halo);
    return status;
}
