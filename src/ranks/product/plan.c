#include "ranks/product/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* In rectangular matrices, rank r's run of columns begins at the first j with floor(j ranks / cols) = r. */
static int64_t column_cut(int64_t cols, int ranks, int64_t r)
{
    return (r * cols + ranks - 1) / ranks;
}

void plan_columns(const struct ranks *ranks, const struct share *share, int r, int64_t *first, int64_t *last)
{
    bool square = share->rows == share->cols;
    *first = square ? share->cuts[r] : column_cut(share->cols, ranks->count, r);
    *last = square ? share->cuts[r + 1] : column_cut(share->cols, ranks->count, r + 1);
}

/* Note the columns of the entries that multiply elements of other ranks, one bit for each column. */
static void mark(const struct csr *own, struct plan *plan, uint64_t *bits)
{
    for (int64_t i = 0; i < own->rows; i++) {
        const int64_t before = plan->remote;
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++) {
            const int32_t j = own->col[k];
            if (j >= plan->first && j < plan->last) continue;
            bits[j / 64] |= (uint64_t)1 << (j % 64);
            plan->remote++;
        }
        plan->boundary += plan->remote > before;
    }
}

/* List the marked columns. */
static enum status list_halo(struct plan *plan, const uint64_t *bits, int64_t words, struct error *error)
{
    int64_t count = 0;
    for (int64_t w = 0; w < words; w++)
        count += __builtin_popcountll(bits[w]);
    plan->col = memory_array((size_t)count, sizeof *plan->col, error);
    if (!plan->col) return STATUS_MEMORY;
    for (int64_t w = 0; w < words; w++)
        for (uint64_t left = bits[w]; left; left &= left - 1)
            plan->col[plan->halo++] = (int32_t)(64 * w + __builtin_ctzll(left));
    return STATUS_OK;
}

static enum status find_halo(const struct share *share, struct plan *plan, struct error *error)
{
    int64_t words = (share->cols + 63) / 64;
    uint64_t *bits = memory_zeroed((size_t)words, sizeof *bits, error);
    if (!bits) return STATUS_MEMORY;
    mark(&share->own, plan, bits);
    enum status status = list_halo(plan, bits, words, error);
    free(bits);
    return status;
}

/* Count the elements of the halo from each rank. */
static void count_senders(const struct ranks *ranks, const struct share *share, const struct plan *plan,
                          int64_t *counts)
{
    int64_t k = 0;
    for (int r = 0; r < ranks->count; r++) {
        int64_t first, last, begin = k;
        plan_columns(ranks, share, r, &first, &last);
        while (k < plan->halo && plan->col[k] < last)
            k++;
        counts[r] = k - begin;
    }
}

/* Make a message for each count that is not 0. */
static enum status make_messages(const int64_t *counts, int ranks, struct message **messages, int *length,
                                 struct error *error)
{
    int64_t first = 0;
    int used = 0;
    for (int r = 0; r < ranks; r++)
        used += counts[r] > 0;
    *messages = memory_array((size_t)used, sizeof **messages, error);
    if (!*messages) return STATUS_MEMORY;
    for (int r = 0; r < ranks; first += counts[r++])
        if (counts[r] > 0)
            (*messages)[(*length)++] = (struct message){.rank = r, .first = first, .count = counts[r]};
    return STATUS_OK;
}

/* Allocate the lists of elements that other ranks need from this one. */
static enum status make_lists(const struct ranks *ranks, const int64_t *in, const int64_t *out,
                              struct plan *plan, struct error *error)
{
    for (int r = 0; r < ranks->count; r++)
        plan->sends += out[r];
    plan->sent = memory_array((size_t)plan->sends, sizeof *plan->sent, error);
    if (!plan->sent) return STATUS_MEMORY;
    enum status status = make_messages(in, ranks->count, &plan->from, &plan->senders, error);
    return status == STATUS_OK ? make_messages(out, ranks->count, &plan->to, &plan->receivers, error)
                               : status;
}

/* Send the lists of needed elements to their owners. */
static enum status tell_owners(const struct ranks *ranks, struct plan *plan, int64_t *in, int64_t *out,
                               struct error *error)
{
    ranks_counts(ranks, in, out);
    enum status status = ranks_agree(ranks, make_lists(ranks, in, out, plan, error), error);
    if (status != STATUS_OK) return status;
    ranks_exchange(ranks, plan->col, in, plan->sent, out, sizeof *plan->col);
    for (int64_t k = 0; k < plan->sends; k++)
        plan->sent[k] -= (int32_t)plan->first;
    return STATUS_OK;
}

enum status plan_make(const struct ranks *ranks, const struct share *share, struct plan *plan,
                      struct error *error)
{
    *plan = (struct plan){0};
    plan_columns(ranks, share, ranks->rank, &plan->first, &plan->last);
    int64_t *in = memory_zeroed((size_t)ranks->count, sizeof *in, error);
    int64_t *out = memory_zeroed((size_t)ranks->count, sizeof *out, error);
    enum status status = in && out ? find_halo(share, plan, error) : STATUS_MEMORY;
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK) {
        count_senders(ranks, share, plan, in);
        status = tell_owners(ranks, plan, in, out, error);
    }
    free(in);
    free(out);
    if (status != STATUS_OK) plan_free(plan);
    return status;
}

/* The data of each rank for the others. */
enum { ROWS, ENTRIES, REMOTE, BOUNDARY, RECEIVES, SENDERS, TOLD };

static enum status halo_room(const struct ranks *ranks, struct halo *halo, int64_t **told,
                             struct error *error)
{
    *halo = (struct halo){.parts = ranks->count};
    halo->part = memory_zeroed((size_t)ranks->count, sizeof *halo->part, error);
    *told = memory_zeroed((size_t)ranks->count, TOLD * sizeof **told, error);
    return halo->part && *told ? STATUS_OK : STATUS_MEMORY;
}

/* Fill in the numbers received from the ranks, and assign the messages to parts. */
static enum status take_parts(const int64_t *told, struct halo *halo, struct error *error)
{
    for (int64_t p = 0; p < halo->parts; p++) {
        const int64_t *of = told + p * TOLD;
        halo->part[p] = (struct halo_part){.rows = of[ROWS],
                                           .entries = of[ENTRIES],
                                           .remote = of[REMOTE],
                                           .boundary = of[BOUNDARY],
                                           .receives = of[RECEIVES],
                                           .from = (int32_t)of[SENDERS],
                                           .first = halo->messages};
        halo->messages += of[SENDERS];
        halo->part[p].last = halo->part[p].middle = halo->messages;
    }
    halo->pairs = memory_zeroed((size_t)halo->messages, sizeof *halo->pairs, error);
    return halo->pairs ? STATUS_OK : STATUS_MEMORY;
}

/* Let all ranks know all messages. */
static void share_pairs(const struct ranks *ranks, const struct plan *plan, struct halo *halo)
{
    struct halo_pair *mine = halo->pairs + halo->part[ranks->rank].first;
    for (int k = 0; k < plan->senders; k++)
        mine[k] = (struct halo_pair){
            .from = plan->from[k].rank, .to = ranks->rank, .elements = plan->from[k].count};
    for (int r = 0; r < ranks->count; r++)
        ranks_broadcast(ranks, r, halo->pairs + halo->part[r].first,
                        (size_t)halo->part[r].from * sizeof *halo->pairs);
}

enum status plan_halo(const struct ranks *ranks, const struct share *share, const struct plan *plan,
                      struct halo *halo, struct error *error)
{
    const int64_t mine[TOLD] = {
        [ROWS] = share->own.rows,    [ENTRIES] = csr_nnz(&share->own), [REMOTE] = plan->remote,
        [BOUNDARY] = plan->boundary, [RECEIVES] = plan->halo,          [SENDERS] = plan->senders};
    int64_t *told = NULL;
    enum status status = ranks_agree(ranks, halo_room(ranks, halo, &told, error), error);
    if (status == STATUS_OK) {
        ranks_share(ranks, mine, TOLD, told);
        status = ranks_agree(ranks, take_parts(told, halo, error), error);
    }
    if (status == STATUS_OK) {
        share_pairs(ranks, plan, halo);
        status = ranks_agree(ranks, halo_add_up(halo, share->nnz, error), error);
    }
    free(told);
    if (status != STATUS_OK) halo_free(halo);
    return status;
}

void plan_free(struct plan *plan)
{
    free(plan->col);
    free(plan->from);
    free(plan->sent);
    free(plan->to);
    *plan = (struct plan){0};
}
