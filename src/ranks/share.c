#include "ranks/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* Return the part of row i. */
static int64_t part_of(const int64_t *row_ptr, int64_t rows, int parts, int64_t i)
{
    const double share = (double)row_ptr[rows] / (double)parts;
    double middle = ((double)row_ptr[i] + (double)row_ptr[i + 1]) / 2;
    int64_t part = share > 0 ? (int64_t)(middle / share) : 0;
    return part < parts ? part : parts - 1;
}

void share_cut(const int64_t *row_ptr, int64_t rows, int parts, int64_t *cuts)
{
    cuts[0] = 0;
    for (int p = 1; p <= parts; p++) {
        int64_t low = cuts[p - 1], high = rows; /* the first row with part >= p */
        BISECT(low, high, part_of(row_ptr, rows, parts, middle) < p);
        cuts[p] = low;
    }
    cuts[parts] = rows;
}

int share_owner(const struct share *share, const struct ranks *ranks, int64_t i)
{
    int low = 0, high = ranks->count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (share->cuts[middle] <= i)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Copy the description of the whole matrix without its entries. */
static enum status copy_words(const struct matrix *from, struct matrix *to, struct error *error)
{
    *to = *from;
    to->csr = (struct csr){0};
    to->notes = (struct text){0};
    to->summed = (struct summed){0};
    to->variable = NULL;
    to->path = NULL;
    to->name = memory_string(from->name, error);
    if (!to->name) return STATUS_MEMORY;
    to->path = memory_string(from->path, error);
    if (!to->path) return STATUS_MEMORY;
    if (from->variable && !(to->variable = memory_string(from->variable, error))) return STATUS_MEMORY;
    if (from->notes.length) text_append(&to->notes, "%s", from->notes.data);
    return to->notes.failed ? error_set(error, STATUS_MEMORY, "out of memory: no room for the notes")
                            : STATUS_OK;
}

/* Copy the rows that this rank owns. */
static enum status copy_rows(const struct csr *whole, int64_t first, int64_t last, struct csr *own,
                             struct error *error)
{
    int64_t from = whole->row_ptr[first], nnz = whole->row_ptr[last] - from;
    own->rows = last - first;
    own->cols = whole->cols;
    own->row_ptr = memory_array((size_t)own->rows + 1, sizeof *own->row_ptr, error);
    if (!own->row_ptr || csr_allocate(own, nnz, whole->imaginary != NULL, error) != STATUS_OK) {
        csr_free(own); /* row_ptr is not filled in yet */
        return STATUS_MEMORY;
    }
    for (int64_t i = 0; i <= own->rows; i++)
        own->row_ptr[i] = whole->row_ptr[first + i] - from;
    memcpy(own->col, whole->col + from, (size_t)nnz * sizeof *own->col);
    memcpy(own->val, whole->val + from, (size_t)nnz * sizeof *own->val);
    if (whole->imaginary)
        memcpy(own->imaginary, whole->imaginary + from, (size_t)nnz * sizeof *own->imaginary);
    return STATUS_OK;
}

/* Copy the positions in these rows at which entries were summed. */
static enum status copy_summed(const struct summed *whole, int64_t first, int64_t last, struct summed *own,
                               struct error *error)
{
    for (int64_t k = summed_after(whole, first, -1); k < whole->kept && whole->list[k].row < last; k++) {
        const struct summed_place *place = &whole->list[k];
        if (summed_add(own, place->row, place->col, place->entries, error) != STATUS_OK) return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static enum status cut_whole(const struct ranks *ranks, const struct matrix *matrix, struct share *share,
                             struct error *error)
{
    const struct csr *whole = &matrix->csr;
    share->rows = whole->rows;
    share->cols = whole->cols;
    share->nnz = csr_nnz(whole);
    enum status status = copy_words(matrix, &share->matrix, error);
    if (status != STATUS_OK) return status;
    share->cuts = memory_array((size_t)ranks->count + 1, sizeof *share->cuts, error);
    if (!share->cuts) return STATUS_MEMORY;
    share_cut(whole->row_ptr, whole->rows, ranks->count, share->cuts);
    share->first = share->cuts[ranks->rank];
    share->last = share->cuts[ranks->rank + 1];
    share->before = whole->row_ptr[share->first];
    status = copy_rows(whole, share->first, share->last, &share->own, error);
    if (status != STATUS_OK) return status;
    return copy_summed(&matrix->summed, share->first, share->last, &share->matrix.summed, error);
}

enum status share_of_matrix(const struct ranks *ranks, const struct matrix *matrix, struct share *share,
                            struct error *error)
{
    *share = (struct share){0};
    enum status status = ranks_agree(ranks, cut_whole(ranks, matrix, share, error), error);
    if (status != STATUS_OK) share_free(share);
    return status;
}

size_t share_leaves(const struct share *share, size_t limit)
{
    const struct csr *own = &share->own;
    const size_t held = csr_bytes(own->rows, csr_nnz(own), own->imaginary != NULL);
    if (limit == 0) return 0;
    return limit > held ? limit - held : 1;
}

void share_free(struct share *share)
{
    free(share->cuts);
    csr_free(&share->own);
    matrix_free(&share->matrix);
    free(share->words);
    *share = (struct share){0};
}
