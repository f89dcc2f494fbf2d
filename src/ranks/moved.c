#include "ranks/moved.h"

#include "base/memory.h"
#include "base/range.h"
#include "matrix/build.h"
#include "ranks/build.h"

/* Entries of a block. */
#define BLOCK_ENTRIES ((int64_t)1 << 16)

/* This rank's rows as a source. Each rank has the same number of blocks; its last blocks may be empty. */
struct moving {
    const struct share *share;
    const struct move *move;
    int64_t first_block; /* the first block of this rank */
};

static enum status give_moved(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const struct moving *moving = self;
    const struct move *move = moving->move;
    const struct csr *a = &moving->share->own;
    const int64_t begin = (k - moving->first_block) * BLOCK_ENTRIES,
                  end = min(begin + BLOCK_ENTRIES, csr_nnz(a));
    if (begin >= end) return STATUS_OK;
    int64_t own = csr_row_of(a, begin);
    for (int64_t e = begin; e < end; e++) {
        while (e >= a->row_ptr[own + 1])
            own++;
        int32_t i = (int32_t)(moving->share->first + own), j = a->col[e];
        if (move->rows) i = move->rows[i];
        if (move->cols) j = move->cols[j];
        sink_put(sink, move->transposed ? j : i, move->transposed ? i : j, a->val[e],
                 a->imaginary ? a->imaginary[e] : 0);
    }
    return STATUS_OK;
}

/* Take over the rows that were built. */
static void settle(const struct ranks *ranks, const struct share *from, const struct source *source,
                   struct together *together, struct csr *own, struct share *to)
{
    *to = (struct share){.rows = source->rows,
                         .cols = source->cols,
                         .nnz = from->nnz,
                         .own = *own,
                         .cuts = together->cut.begin,
                         .before = ranks_before(ranks, csr_nnz(own)),
                         .matrix = {.field = from->matrix.field, .duplicates = from->matrix.duplicates}};
    to->first = to->cuts[ranks->rank];
    to->last = to->cuts[ranks->rank + 1];
    together->cut.begin = NULL;
    *own = (struct csr){0};
}

enum status share_moved(const struct ranks *ranks, const struct share *share, const struct move *move,
                        size_t limit, struct share *to, struct error *error)
{
    struct together together;
    struct csr own = {0};
    struct build_result result = {0};
    struct error mine = {0};
    int64_t blocks = (csr_nnz(&share->own) + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
    *to = (struct share){0};
    ranks_max(ranks, &blocks, 1);
    struct moving moving = {.share = share, .move = move, .first_block = blocks * ranks->rank};
    together_start(&together, ranks, false);
    const struct source source = {.rows = move->transposed ? share->cols : share->rows,
                                  .cols = move->transposed ? share->rows : share->cols,
                                  .blocks = blocks * ranks->count,
                                  .complex = share->own.imaginary != NULL,
                                  .limit = limit ? limit : memory_limit(0) / (size_t)ranks->near,
                                  .builder = &together.builder,
                                  .path = "",
                                  .self = &moving,
                                  .block = give_moved};
    enum status status = together.builder.build(&together, &source, NULL, &own, &result, &mine);
    status = together_end(&together, status, &mine);
    if (status == STATUS_OK)
        settle(ranks, share, &source, &together, &own, to);
    else if (error && error->status == STATUS_OK)
        *error = mine;
    csr_free(&own);
    together_free(&together);
    return status;
}
