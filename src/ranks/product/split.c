#include "ranks/product/split.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The remote part stores only its nonempty rows if they are at most this share of all rows. Otherwise adding
 * their sums to the right rows costs more than processing empty rows. */
#define APART_MOST 0.9

/* The indices of columns in the halo, with one bit for each column: that of column j is before[j / 64] plus
 * the number of set bits below it. */
struct places {
    uint64_t *bits;
    int32_t *before;
};

static void places_free(struct places *places)
{
    free(places->bits);
    free(places->before);
}

static enum status places_make(const struct split *split, struct places *places, struct error *error)
{
    const struct plan *plan = &split->plan;
    int64_t words = (split->share->cols + 63) / 64;
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

enum status split_columns(const struct split *split, int32_t *col, struct error *error)
{
    const struct plan *plan = &split->plan;
    const struct csr *own = &split->share->own;
    int32_t first = (int32_t)plan->first, size = (int32_t)split_own(split);
    struct places places = {0};
    enum status status = places_make(split, &places, error);
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
    return a->row_ptr ? csr_allocate(a, nnz, complex, error) : STATUS_MEMORY;
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

/* Divide the entries. The last offset of each matrix counts its entries so far, and is copied to the end of
 * each row. */
static void divide(struct split *split, const int32_t *col)
{
    const struct csr *own = &split->share->own;
    struct csr *local = &split->local, *remote = &split->remote;
    int32_t size = (int32_t)split_own(split);
    int64_t r = 0;
    for (int64_t i = 0; i < own->rows; i++) {
        int64_t before = remote->row_ptr[remote->rows];
        local->row_ptr[i] = local->row_ptr[local->rows];
        for (int64_t k = own->row_ptr[i]; k < own->row_ptr[i + 1]; k++)
            if (col[k] < size)
                put(local, col[k], own, k);
            else
                put(remote, col[k] - size, own, k);
        if (split->row && remote->row_ptr[remote->rows] == before) continue;
        if (split->row) split->row[r] = (int32_t)i;
        if (r < remote->rows) remote->row_ptr[r++] = before;
    }
}

static enum status divide_all(struct split *split, const int32_t *col, struct error *error)
{
    const struct csr *own = &split->share->own;
    int64_t remote = split->plan.remote, size = split_own(split), rows = rows_beyond(own, col, size);
    bool complex = own->imaginary != NULL;
    enum status status = room(&split->local, own->rows, size, csr_nnz(own) - remote, complex, error);
    if ((double)rows <= APART_MOST * (double)own->rows) {
        split->row = memory_array((size_t)rows, sizeof *split->row, error);
        if (!split->row) return STATUS_MEMORY;
    } else
        rows = own->rows;
    if (status == STATUS_OK) status = room(&split->remote, rows, split->plan.halo, remote, complex, error);
    if (status == STATUS_OK) divide(split, col);
    return status;
}

static enum status make_parts(struct split *split, size_t limit, struct error *error)
{
    const struct csr *own = &split->share->own;
    int64_t nnz = csr_nnz(own);
    size_t bytes = csr_bytes(own->rows, nnz, own->imaginary != NULL);
    size_add(bytes, (size_t)nnz * sizeof(int32_t), &bytes);
    enum status status = memory_check(bytes, limit, "the local and the remote part of a rank's rows", error);
    if (status != STATUS_OK) return status;
    int32_t *col = memory_array((size_t)nnz, sizeof *col, error);
    if (!col) return STATUS_MEMORY;
    status = split_columns(split, col, error);
    if (status == STATUS_OK) status = divide_all(split, col, error);
    free(col);
    return status;
}

enum status split_make(const struct ranks *ranks, const struct share *share, size_t limit,
                       struct split *split, struct error *error)
{
    *split = (struct split){.ranks = ranks, .share = share};
    enum status status = plan_make(ranks, share, &split->plan, error);
    if (status == STATUS_OK) status = ranks_agree(ranks, make_parts(split, limit, error), error);
    split->stored.a = &split->local;
    split->beyond.a = &split->remote;
    if (status != STATUS_OK) split_free(split);
    return status;
}

void split_free(struct split *split)
{
    if (split->stored.a) pool_free(&split->stored);
    if (split->beyond.a) pool_free(&split->beyond);
    csr_free(&split->local);
    csr_free(&split->remote);
    free(split->row);
    plan_free(&split->plan);
    *split = (struct split){0};
}
