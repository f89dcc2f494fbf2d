#include "ranks/product/owners.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/rows.h"
#include "ranks/parts/parts.h"

/* Rows to send to their owners. `lengths`, `col`, `val` and `imaginary` are the data that this rank sends,
 * sorted by destination. */
struct deal {
    const struct ranks *ranks;
    const struct share *share;
    int32_t *owner; /* for each row of the matrix */
    int32_t *place; /* for each row of the matrix its new number */
    int64_t *lengths;
    int32_t *col;
    double *val, *imaginary;
    int64_t *rows_out, *rows_in, *entries_out, *entries_in; /* by rank */
};

static void deal_free(struct deal *deal)
{
    free(deal->owner);
    free(deal->place);
    free(deal->lengths);
    free(deal->col);
    free(deal->val);
    free(deal->imaginary);
    free(deal->rows_out);
    free(deal->rows_in);
    free(deal->entries_out);
    free(deal->entries_in);
}

/* Send the owners of all rows to all ranks. */
static enum status find_owners(struct deal *deal, const struct partition_choice *choice, size_t limit,
                               struct error *error)
{
    const struct ranks *ranks = deal->ranks;
    const struct share *share = deal->share;
    struct pattern pattern = {0};
    struct partition partition;
    enum status status =
        ranks_partition(ranks, share, choice, ranks->count, limit, &pattern, &partition, error);
    pattern_free(&pattern);
    if (status != STATUS_OK) return status;
    if (partition.parts != ranks->count) {
        status = error_set(error, STATUS_UNAVAILABLE,
                           "the partition is one into %" PRId64 " parts, and there are %d ranks",
                           partition.parts, ranks->count);
        partition_free(&partition);
        return status;
    }
    if (partition.entry || partition.col_owner) {
        const char *reason = partition.entry ? "products over ranks divide rows; of a 2D partition only the "
                                               "communication is counted"
                                             : "products over ranks own x of rectangular matrices in equal "
                                               "runs; of this partition only the communication is counted";
        partition_free(&partition);
        return error_set(error, STATUS_UNAVAILABLE, "%s", reason);
    }
    deal->owner = partition.owner;
    deal->place = memory_array((size_t)share->rows, sizeof *deal->place, error);
    return ranks_agree(ranks, deal->place ? STATUS_OK : STATUS_MEMORY, error);
}

/* Renumber the rows, and cut them. */
static enum status number_rows(const struct deal *deal, struct share *to, struct error *error)
{
    int count = deal->ranks->count;
    const struct share *share = deal->share;
    int64_t *next = memory_zeroed((size_t)count + 1, sizeof *next, error);
    to->cuts = memory_zeroed((size_t)count + 1, sizeof *to->cuts, error);
    enum status status = next && to->cuts ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (int64_t i = 0; i < share->rows; i++)
            to->cuts[deal->owner[i] + 1]++;
        for (int r = 0; r < count; r++)
            to->cuts[r + 1] += to->cuts[r];
        memcpy(next, to->cuts, (size_t)count * sizeof *next);
        for (int64_t i = 0; i < share->rows; i++)
            deal->place[i] = (int32_t)next[deal->owner[i]]++;
    }
    free(next);
    return status;
}

static enum status make_counts(struct deal *deal, struct error *error)
{
    const struct csr *own = &deal->share->own;
    size_t count = (size_t)deal->ranks->count, entries = (size_t)csr_nnz(own);
    deal->rows_out = memory_zeroed(count, sizeof *deal->rows_out, error);
    deal->rows_in = memory_zeroed(count, sizeof *deal->rows_in, error);
    deal->entries_out = memory_zeroed(count, sizeof *deal->entries_out, error);
    deal->entries_in = memory_zeroed(count, sizeof *deal->entries_in, error);
    deal->lengths = memory_array((size_t)own->rows, sizeof *deal->lengths, error);
    deal->col = memory_array(entries, sizeof *deal->col, error);
    deal->val = memory_array(entries, sizeof *deal->val, error);
    if (own->imaginary) deal->imaginary = memory_array(entries, sizeof *deal->imaginary, error);
    bool all = deal->rows_out && deal->rows_in && deal->entries_out && deal->entries_in && deal->lengths &&
               deal->col && deal->val && (!own->imaginary || deal->imaginary);
    return all ? STATUS_OK : STATUS_MEMORY;
}

/* Sort own rows by their new owners. */
static void pack(struct deal *deal)
{
    const struct share *share = deal->share;
    const struct csr *own = &share->own;
    bool square = share->rows == share->cols;
    int64_t rows = 0, entries = 0;
    for (int r = 0; r < deal->ranks->count; r++)
        for (int64_t i = 0; i < own->rows; i++) {
            if (deal->owner[share->first + i] != r) continue;
            int64_t begin = own->row_ptr[i], length = own->row_ptr[i + 1] - begin;
            deal->rows_out[r]++;
            deal->entries_out[r] += length;
            deal->lengths[rows++] = length;
            for (int64_t k = begin; k < begin + length; k++, entries++) {
                deal->col[entries] = square ? deal->place[own->col[k]] : own->col[k];
                deal->val[entries] = own->val[k];
                if (own->imaginary) deal->imaginary[entries] = own->imaginary[k];
            }
        }
}

static int64_t total(const int64_t *counts, int count)
{
    int64_t sum = 0;
    for (int r = 0; r < count; r++)
        sum += counts[r];
    return sum;
}

static enum status make_room(const struct deal *deal, struct share *to, struct error *error)
{
    int count = deal->ranks->count;
    to->own.rows = total(deal->rows_in, count);
    to->own.cols = deal->share->cols;
    to->own.row_ptr = memory_zeroed((size_t)to->own.rows + 1, sizeof *to->own.row_ptr, error);
    return to->own.row_ptr ? csr_allocate(&to->own, total(deal->entries_in, count),
                                          deal->share->own.imaginary != NULL, error)
                           : STATUS_MEMORY;
}

static enum status send_rows(struct deal *deal, struct share *to, struct error *error)
{
    const struct ranks *ranks = deal->ranks;
    ranks_counts(ranks, deal->rows_out, deal->rows_in);
    ranks_counts(ranks, deal->entries_out, deal->entries_in);
    enum status status = ranks_agree(ranks, make_room(deal, to, error), error);
    if (status != STATUS_OK) return status;
    struct csr *own = &to->own;
    ranks_exchange(ranks, deal->lengths, deal->rows_out, own->row_ptr + 1, deal->rows_in,
                   sizeof *own->row_ptr);
    ranks_exchange(ranks, deal->col, deal->entries_out, own->col, deal->entries_in, sizeof *own->col);
    ranks_exchange(ranks, deal->val, deal->entries_out, own->val, deal->entries_in, sizeof *own->val);
    if (own->imaginary)
        ranks_exchange(ranks, deal->imaginary, deal->entries_out, own->imaginary, deal->entries_in,
                       sizeof *own->imaginary);
    for (int64_t i = 0; i < own->rows; i++)
        own->row_ptr[i + 1] += own->row_ptr[i];
    /* Renumbered columns no longer ascend. */
    return ranks_agree(ranks, rows_sort(own, NULL, error), error);
}

static enum status deal_out(struct deal *deal, struct share *to, struct error *error)
{
    const struct ranks *ranks = deal->ranks;
    enum status status = ranks_agree(ranks, make_counts(deal, error), error);
    if (status == STATUS_OK) status = ranks_agree(ranks, number_rows(deal, to, error), error);
    if (status != STATUS_OK) return status;
    pack(deal);
    status = send_rows(deal, to, error);
    to->rows = deal->share->rows;
    to->cols = deal->share->cols;
    to->nnz = deal->share->nnz;
    to->first = to->cuts[ranks->rank];
    to->last = to->cuts[ranks->rank + 1];
    to->before = ranks_before(ranks, total(deal->entries_in, ranks->count));
    return status;
}

enum status share_by_partition(const struct ranks *ranks, const struct share *share,
                               const struct partition_choice *choice, size_t limit, struct share *to,
                               struct error *error)
{
    struct deal deal = {.ranks = ranks, .share = share};
    const struct csr *own = &share->own;
    *to = (struct share){0};
    size_t bytes = 2 * csr_bytes(own->rows, csr_nnz(own), own->imaginary != NULL);
    size_add(bytes, (size_t)share->rows * 2 * sizeof(int32_t), &bytes);
    enum status status =
        ranks_agree(ranks, memory_check(bytes, limit, "dealing out rows by a partition", error), error);
    if (status == STATUS_OK) status = find_owners(&deal, choice, limit, error);
    if (status == STATUS_OK) status = deal_out(&deal, to, error);
    deal_free(&deal);
    if (status != STATUS_OK) share_free(to);
    return status;
}
