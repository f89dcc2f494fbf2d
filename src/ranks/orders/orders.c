#include "ranks/orders/orders.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "matrix/orders/permute.h"
#include "ranks/moved.h"
#include "ranks/orders/ptscotch.h"
#include "ranks/pattern.h"

/* The new number of each row and of each column; NULL: they keep their numbers. */
struct placing {
    int32_t *rows, *cols;
    bool alike; /* both are the same array */
};

static void placing_free(struct placing *placing)
{
    free(placing->rows);
    if (!placing->alike) free(placing->cols);
}

/* Fail without communication if the order is not in this build, or does not suit the matrix. All ranks do the
 * same. Parameters become resolved as in order_compute. */
static enum status check(const struct share *share, struct order_choice *choice, enum order_apply *apply,
                         struct error *error)
{
    const struct csr sizes = {.rows = share->rows, .cols = share->cols};
    const double asked = choice->values.number[0];
    enum status status = order_check(choice->order, error);
    if (status != STATUS_OK) return status;
    *apply = order_apply_of(choice->order, isnan(asked) ? -1 : (int)asked, &sizes);
    if (choice->order->resolve) choice->order->resolve(&choice->values, &sizes);
    return order_check_shape(choice->order, *apply, &sizes, error);
}

/* Gather the pattern on rank 0. */
static enum status gather(const struct ranks *ranks, const struct share *share, const struct order *order,
                          size_t limit, struct pattern *pattern, struct error *error)
{
    struct error refusal = {0};
    char what[96];
    snprintf(what, sizeof what, "the pattern, which rank 0 gathers for the order %s,", order->name);
    enum status status = pattern_gather(ranks, share, !order->lengths, limit, what, pattern, &refusal);
    if (status == STATUS_LIMIT)
        return error_set(error, status,
                         "%.1024s; give it more by --limit or by fewer ranks on its node, or write the "
                         "matrix in that order where one process has room for it: 'sparsight convert "
                         "--reorder=%s IN OUT'",
                         refusal.message, order->name);
    if (status != STATUS_OK) *error = refusal;
    return status;
}

/* Find the new numbers of all rows on all ranks together, and the permutation from them on rank 0. */
static enum status find_together(const struct ranks *ranks, const struct share *share, enum order_apply apply,
                                 size_t limit, struct reordering *reordering, struct error *error)
{
    struct permutation *permutation = &reordering->permutation;
    const bool root = ranks->rank == 0;
    enum status status = root ? memory_check(2 * (size_t)share->rows * sizeof(int32_t), limit,
                                             "the permutation, which rank 0 gathers from all ranks,", error)
                              : STATUS_OK;
    status = ranks_agree(ranks, status, error);
    if (status != STATUS_OK) return status;
    int32_t *place = memory_array((size_t)share->own.rows, sizeof *place, error), *all = NULL;
    size_t *sizes = memory_array((size_t)ranks->count, sizeof *sizes, error);
    if (root) {
        all = memory_array((size_t)share->rows, sizeof *all, error);
        permutation->from = memory_array((size_t)share->rows, sizeof *permutation->from, error);
    }
    bool there = place && sizes && (!root || (all && permutation->from));
    status = ranks_agree(ranks, there ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) status = ptscotch_places(ranks, share, &reordering->choice.values, place, error);
    if (status == STATUS_OK) {
        for (int r = 0; r < ranks->count; r++)
            sizes[r] = (size_t)(share->cuts[r + 1] - share->cuts[r]) * sizeof *place;
        ranks_join(ranks, 0, place, sizes, all);
    }
    if (status == STATUS_OK && root) {
        const struct permutation inverse = {.count = share->rows, .from = all, .apply = apply};
        permutation->count = share->rows;
        permutation->apply = apply;
        status = permutation_check(&inverse, error);
        if (status == STATUS_OK) permutation_invert(all, share->rows, permutation->from);
    }
    free(sizes);
    free(all);
    free(place);
    return ranks_agree(ranks, status, error);
}

/* Find the permutation on rank 0, which uses its whole node meanwhile. */
static enum status find_alone(const struct ranks *ranks, const struct share *share,
                              const struct matrix *natural, size_t limit, struct reordering *reordering,
                              struct error *error)
{
    struct pattern pattern = {0};
    if (ranks->rank == 0)
        pattern.whole = (struct csr){.rows = share->rows,
                                     .cols = share->cols,
                                     .row_ptr = natural->csr.row_ptr,
                                     .col = natural->csr.col};
    enum status status = gather(ranks, share, reordering->choice.order, limit, &pattern, error);
    if (status != STATUS_OK) return status;
    if (ranks->rank == 0) {
        const struct matrix matrix = {.csr = pattern.whole, .symmetry = share->matrix.symmetry};
        struct whole_node taken;
        ranks_take_node(ranks, &taken);
        status = order_compute(&reordering->choice, &matrix, limit, NULL, &reordering->permutation, error);
        ranks_leave_node(&taken);
    }
    ranks_meet(ranks);
    pattern_free(&pattern);
    return ranks_agree(ranks, status, error);
}

static enum status make_room(const struct ranks *ranks, const struct share *share, enum order_apply apply,
                             size_t limit, struct placing *placing, struct error *error)
{
    const bool rows = apply != APPLY_COLUMNS, cols = apply == APPLY_COLUMNS || apply == APPLY_EACH;
    size_t bytes = 0;
    if (limit == 0) limit = memory_limit(0) / (size_t)ranks->near;
    if (rows) size_multiply((size_t)share->rows, sizeof *placing->rows, &bytes);
    if (cols) size_add(bytes, (size_t)share->cols * sizeof *placing->cols, &bytes);
    enum status status =
        memory_check(bytes, limit, "the new numbers of all rows and columns, which each rank has,", error);
    if (status != STATUS_OK) return status;
    if (rows) placing->rows = memory_array((size_t)share->rows, sizeof *placing->rows, error);
    if (cols) placing->cols = memory_array((size_t)share->cols, sizeof *placing->cols, error);
    if ((rows && !placing->rows) || (cols && !placing->cols)) return STATUS_MEMORY;
    placing->alike = apply == APPLY_SYMMETRIC;
    if (placing->alike) placing->cols = placing->rows;
    return STATUS_OK;
}

/* Give all ranks the inverse of rank 0's permutation. */
static enum status place(const struct ranks *ranks, const struct share *share, enum order_apply apply,
                         const struct permutation *permutation, size_t limit, struct placing *placing,
                         struct error *error)
{
    enum status status = ranks_agree(ranks, make_room(ranks, share, apply, limit, placing, error), error);
    if (status != STATUS_OK) return status;
    if (ranks->rank == 0) {
        if (placing->rows) permutation_invert(permutation_rows(permutation), share->rows, placing->rows);
        if (placing->cols && !placing->alike)
            permutation_invert(permutation_cols(permutation), share->cols, placing->cols);
    }
    if (placing->rows) ranks_broadcast(ranks, 0, placing->rows, (size_t)share->rows * sizeof *placing->rows);
    if (placing->cols && !placing->alike)
        ranks_broadcast(ranks, 0, placing->cols, (size_t)share->cols * sizeof *placing->cols);
    return STATUS_OK;
}

/* Describe the matrix in its new order. */
static enum status describe(const struct ranks *ranks, const struct share *share,
                            const struct matrix *natural, enum order_apply apply,
                            const struct permutation *permutation, struct share *to, struct error *error)
{
    struct matrix whole;
    if (ranks->rank != 0) {
        to->matrix.symmetry = apply == APPLY_SYMMETRIC ? share->matrix.symmetry : SYMMETRY_GENERAL;
        return STATUS_OK;
    }
    whole = *natural;
    whole.csr = (struct csr){.rows = share->rows, .cols = share->cols};
    return permute_description(&whole, permutation, &to->matrix, error);
}

/* Move the entries to the owners of their new rows. */
static enum status move(const struct ranks *ranks, const struct share *share, const struct matrix *natural,
                        enum order_apply apply, const struct permutation *permutation, size_t limit,
                        struct share *to, struct error *error)
{
    struct placing placing = {0};
    enum status status = place(ranks, share, apply, permutation, limit, &placing, error);
    const struct move steps = {.rows = placing.rows, .cols = placing.cols};
    if (status == STATUS_OK) status = share_moved(ranks, share, &steps, limit, to, error);
    placing_free(&placing);
    if (status != STATUS_OK) return status;
    status = ranks_agree(ranks, describe(ranks, share, natural, apply, permutation, to, error), error);
    if (status != STATUS_OK) share_free(to);
    return status;
}

/* Say what the limit of a refusal is, if the user has given one. */
static void explain(struct error *error)
{
    const struct error refusal = *error;
    error_clear(error);
    error_set(error, STATUS_LIMIT,
              "%.2048s; that limit is what the matrix in its natural order leaves of --limit",
              refusal.message);
}

enum status share_reordered(const struct ranks *ranks, const struct share *share,
                            const struct matrix *natural, const struct order_choice *choice, size_t limit,
                            struct share *to, struct reordering *reordering, struct error *error)
{
    const size_t left = share_leaves(share, limit);
    const double start = clock_seconds();
    enum order_apply apply = APPLY_SYMMETRIC;
    struct error mine = {0};
    *to = (struct share){0};
    *reordering = (struct reordering){0};
    order_choice_name(choice, reordering->asked, sizeof reordering->asked);
    memcpy(reordering->name, reordering->asked, sizeof reordering->name);
    enum status status = ranks_agree(ranks, order_choice_copy(choice, &reordering->choice, &mine), &mine);
    if (status == STATUS_OK) status = check(share, &reordering->choice, &apply, &mine);
    if (status == STATUS_OK)
        status = choice->order->ranked ? find_together(ranks, share, apply, left, reordering, &mine)
                                       : find_alone(ranks, share, natural, left, reordering, &mine);
    const double found = clock_seconds();
    if (reordering->choice.order)
        order_choice_name(&reordering->choice, reordering->name, sizeof reordering->name);
    if (status == STATUS_OK)
        status = move(ranks, share, natural, apply, &reordering->permutation, left, to, &mine);
    reordering->order_seconds = found - start;
    reordering->reorder_seconds = clock_seconds() - found;
    if (status == STATUS_OK && ranks->rank == 0) {
        const struct csr sizes = {.rows = share->rows, .cols = share->cols};
        reordering->permute_seconds = permute_seconds(&sizes, &reordering->permutation, NULL);
    }
    if (status == STATUS_LIMIT && limit) explain(&mine);
    if (status != STATUS_OK && error && error->status == STATUS_OK) *error = mine;
    return status;
}
