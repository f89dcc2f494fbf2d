#include "ranks/product/transpose.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "matrix/build.h"
#include "ranks/build.h"

/* Entries of a block. */
#define BLOCK_ENTRIES ((int64_t)1 << 16)

/* This rank's rows as a source. Each rank has the same number of blocks; its last blocks may be empty. */
struct turning {
    const struct share *share;
    int64_t first_block; /* the first block of this rank */
};

static enum status give_turned(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const struct turning *turning = self;
    const struct csr *a = &turning->share->own;
    const int64_t begin = (k - turning->first_block) * BLOCK_ENTRIES,
                  end = min(begin + BLOCK_ENTRIES, csr_nnz(a));
    if (begin >= end) return STATUS_OK;
    int64_t i = csr_row_of(a, begin);
    for (int64_t e = begin; e < end; e++) {
        while (e >= a->row_ptr[i + 1])
            i++;
        sink_put(sink, a->col[e], (int32_t)(turning->share->first + i), a->val[e],
                 a->imaginary ? a->imaginary[e] : 0);
    }
    return STATUS_OK;
}

/* Take over the rows that were built. */
static void settle(const struct ranks *ranks, const struct share *from, struct together *together,
                   struct csr *own, struct share *to)
{
    *to = (struct share){.rows = from->cols,
                         .cols = from->rows,
                         .nnz = from->nnz,
                         .own = *own,
                         .cuts = together->cut.begin,
                         .before = ranks_before(ranks, csr_nnz(own)),
                         .matrix = {.symmetry = from->matrix.symmetry}};
    to->first = to->cuts[ranks->rank];
    to->last = to->cuts[ranks->rank + 1];
    together->cut.begin = NULL;
    *own = (struct csr){0};
}

enum status share_transposed(const struct ranks *ranks, const struct share *share, size_t limit,
                             struct share *to, struct error *error)
{
    struct together together;
    struct csr own = {0};
    struct build_result result = {0};
    struct error mine = {0};
    int64_t blocks = (csr_nnz(&share->own) + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
    *to = (struct share){0};
    ranks_max(ranks, &blocks, 1);
    struct turning turning = {.share = share, .first_block = blocks * ranks->rank};
    together_start(&together, ranks, false);
    const struct source source = {.rows = share->cols,
                                  .cols = share->rows,
                                  .blocks = blocks * ranks->count,
                                  .complex = share->own.imaginary != NULL,
                                  .limit = memory_limit(limit) / (size_t)ranks->near,
                                  .builder = &together.builder,
                                  .path = "",
                                  .self = &turning,
                                  .block = give_turned};
    enum status status = together.builder.build(&together, &source, NULL, &own, &result, &mine);
    status = together_end(&together, status, &mine);
    if (status == STATUS_OK)
        settle(ranks, share, &together, &own, to);
    else if (error && error->status == STATUS_OK)
        *error = mine;
    csr_free(&own);
    together_free(&together);
    return status;
}
