#include "ranks/product/spread.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The rows that have entries beyond the own elements of x are stored apart if they are at most this share of
 * all: else it costs more to put their sums where they belong than to go through empty rows. */
#define APART_MOST 0.9

/* The places of columns in the halo, a bit a column: that of column j is before[j / 64] and the bits set
 * below it. */
struct places {
    uint64_t *bits;
    int32_t *before;
};

static void places_free(struct places *places)
{
    free(places->bits);
    free(places->before);
}

static enum status places_make(const struct spread *spread, struct places *places, struct error *error)
{
    const struct plan *plan = &spread->plan;
    int64_t words = (spread->share->cols + 63) / 64;
    int32_t count = 0;
    places->bits = memory_zeroed((size_t)words, sizeof *places->bits, error);
    places->before = memory_array((size_t)words, sizeof *places->before, error);
    if (!places->bits || !places->before) return STATUS_MEMORY;
    for (int64_t h = 0; h < plan->halo; h++)
        places->bits[plan->col[h] / 64] |= (uint64_t)1 << (plan->col[h] % 64);
    for (int64_t w = 0; w < words; w++) {
        places->before[w] = count;
        count += __builtin_popcountll(places->bits[w]);
    }
    return STATUS_OK;
}

static inline int32_t place_of(const struct places *places, int32_t j)
{
    uint64_t below = places->bits[j / 64] & (((uint64_t)1 << (j % 64)) - 1);
    return places->before[j / 64] + __builtin_popcountll(below);
}

enum status spread_columns(const struct spread *spread, int32_t *col, struct error *error)
{
    const struct plan *plan = &spread->plan;
    const struct csr *own = &spread->share->own;
    int32_t first = (int32_t)plan->first, size = (int32_t)spread_own(spread);
    struct places places = {0};
    enum status status = places_make(spread, &places, error);
    for (int64_t k = 0; status == STATUS_OK && k < csr_nnz(own); k++) {
        int32_t j = own->col[k];
        col[k] = j >= plan->first && j < plan->last ? j - first : size + place_of(&places, j);
    }
    places_free(&places);
    return status;
}

static enum status room(struct csr *a, int64_t rows, int64_t cols, int64_t nnz, bool complex,
                        struct error *error)
{
    a->rows = rows;
    a->cols = cols;
    a->row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a->row_ptr, error);
    a->col = memory_array((size_t)nnz, sizeof *a->col, error);
    a->val = memory_array((size_t)nnz, sizeof *a->val, error);
    if (complex) a->imaginary = memory_array((size_t)nnz, sizeof *a->imaginary, error);
    return a->row_ptr && a->col && a->val && (!complex || a->imaginary) ? STATUS_OK : STATUS_MEMORY;
}

static inline void put(struct csr *to, int32_t j, const struct csr *from, int64_t k)
{
    int64_t place = to->row_ptr[to->rows]++; /* counts while the matrix is filled */
    to->col[place] = j;
    to->val[place] = from->val[k];
    if (to->imaginary) to->imaginary[place] = from->imaginary[k];
}

/* Count the rows that have entries beyond the own elements. */
static int64_t rows_beyond(const struct csr *own, const int32_t *col, int64_t size)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < own->rows; i++) {
        bool beyond = false;
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1] && !beyond; k++)
            beyond = col[k] >= size;
        rows += beyond;
    }
    return rows;
}

/* Divide the entries. The last offset of each matrix counts what is there so far, and is written to each
 * row's end. */
static void divide(struct spread *spread, const int32_t *col)
{
    const struct csr *own = &spread->share->own;
    struct csr *local = &spread->local, *remote = &spread->remote;
    int32_t size = (int32_t)spread_own(spread);
    int64_t r = 0;
    for (int64_t i = 0; i < own->rows; i++) {
        int64_t before = remote->row_ptr[remote->rows];
        local->row_ptr[i] = local->row_ptr[local->rows];
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            if (col[k] < size)
                put(local, col[k], own, k);
            else
                put(remote, col[k] - size, own, k);
        if (spread->row && remote->row_ptr[remote->rows] == before) continue;
        if (spread->row) spread->row[r] = (int32_t)i;
        if (r < remote->rows) remote->row_ptr[r++] = before;
    }
}

static enum status split(struct spread *spread, const int32_t *col, struct error *error)
{
    const struct csr *own = &spread->share->own;
    int64_t remote = spread->plan.remote, size = spread_own(spread), rows = rows_beyond(own, col, size);
    bool complex = own->imaginary != NULL;
    enum status status = room(&spread->local, own->rows, size, csr_nnz(own) - remote, complex, error);
    if ((double)rows <= APART_MOST * (double)own->rows) {
        spread->row = memory_array((size_t)rows, sizeof *spread->row, error);
        if (!spread->row) return STATUS_MEMORY;
    } else
        rows = own->rows;
    if (status == STATUS_OK) status = room(&spread->remote, rows, spread->plan.halo, remote, complex, error);
    if (status == STATUS_OK) divide(spread, col);
    return status;
}

static enum status make_parts(struct spread *spread, size_t limit, struct error *error)
{
    const struct csr *own = &spread->share->own;
    int64_t nnz = csr_nnz(own);
    size_t bytes = csr_bytes(own->rows, nnz, own->imaginary != NULL);
    size_add(bytes, (size_t)nnz * sizeof(int32_t), &bytes);
    enum status status = memory_check(bytes, limit, "the local and the remote part of a rank's rows", error);
    if (status != STATUS_OK) return status;
    int32_t *col = memory_array((size_t)nnz, sizeof *col, error);
    if (!col) return STATUS_MEMORY;
    status = spread_columns(spread, col, error);
    if (status == STATUS_OK) status = split(spread, col, error);
    free(col);
    return status;
}

enum status spread_make(const struct ranks *ranks, const struct share *share, size_t limit,
                        struct spread *spread, struct error *error)
{
    *spread = (struct spread){.ranks = ranks, .share = share};
    enum status status = plan_make(ranks, share, &spread->plan, error);
    if (status == STATUS_OK) status = ranks_agree(ranks, make_parts(spread, limit, error), error);
    spread->stored.a = &spread->local;
    spread->beyond.a = &spread->remote;
    if (status != STATUS_OK) spread_free(spread);
    return status;
}

void spread_free(struct spread *spread)
{
    if (spread->stored.a) pool_free(&spread->stored);
    if (spread->beyond.a) pool_free(&spread->beyond);
    csr_free(&spread->local);
    csr_free(&spread->remote);
    free(spread->row);
    plan_free(&spread->plan);
    *spread = (struct spread){0};
}
