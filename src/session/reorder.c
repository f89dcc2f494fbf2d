/* Adding cases in other orders to a session. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/orders/permute.h"
#include "session/session.h"

/* The user's limit covers all cases: the rest is for the natural matrix and the new one. */
static size_t limit_left(const struct session *session)
{
    size_t limit = session->limit;
    for (int k = 1; limit && k < session->case_count; k++) {
        const struct csr *a = &session->cases[k].matrix.csr;
        size_t bytes = csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL);
        limit = limit > bytes ? limit - bytes : 1;
    }
    return limit;
}

static bool is_full(const struct session *session, struct error *error)
{
    if (session->case_count + session->refused_count < SESSION_CASES) return false;
    error_set(error, STATUS_USAGE, "a matrix can be kept in at most %d orders", SESSION_CASES);
    return true;
}

enum status reorder_begin(const struct session *session, const struct order_choice *choice,
                          struct reorder *reorder, struct error *error)
{
    struct reordering *reordering = &reorder->reordering;
    *reorder = (struct reorder){.natural = &session->cases[0].matrix, .limit = limit_left(session)};
    enum status status = case_want_entries(&session->cases[0], error);
    if (status != STATUS_OK) return status;
    if (strcmp(choice->order->name, "natural") == 0)
        return error_set(error, STATUS_USAGE, "the matrix is in its natural order already");
    if (is_full(session, error)) return STATUS_USAGE;
    order_choice_name(choice, reordering->asked, sizeof reordering->asked);
    memcpy(reordering->name, reordering->asked, sizeof reordering->name);
    return order_choice_copy(choice, &reordering->choice, error);
}

static enum status invert(struct reordering *reordering, struct error *error)
{
    const struct permutation *permutation = &reordering->permutation;
    reordering->to = memory_array((size_t)permutation->count, sizeof *reordering->to, error);
    if (!reordering->to) return STATUS_MEMORY;
    permutation_invert(permutation->from, permutation->count, reordering->to);
    if (!permutation->cols) return STATUS_OK;
    reordering->to_col = memory_array((size_t)permutation->col_count, sizeof *reordering->to_col, error);
    if (!reordering->to_col) return STATUS_MEMORY;
    permutation_invert(permutation->cols, permutation->col_count, reordering->to_col);
    return STATUS_OK;
}

enum status reorder_run(struct reorder *reorder, struct progress *progress, struct error *error)
{
    struct reordering *reordering = &reorder->reordering;
    struct permutation *permutation = &reordering->permutation;
    double start = clock_seconds();
    enum status status =
        order_compute(&reordering->choice, reorder->natural, reorder->limit, progress, permutation, error);
    double found = clock_seconds();
    order_choice_name(&reordering->choice, reordering->name, sizeof reordering->name);
    if (status == STATUS_OK)
        status =
            permute_matrix(reorder->natural, permutation, reorder->limit, progress, &reorder->matrix, error);
    if (status != STATUS_OK) return status;
    reordering->order_seconds = found - start;
    reordering->reorder_seconds = clock_seconds() - found;
    reordering->permute_seconds = permute_seconds(&reorder->natural->csr, permutation, progress);
    return invert(reordering, error);
}

struct matrix_case *reorder_publish(struct session *session, struct reorder *reorder, struct error *error)
{
    struct matrix_case *added = session_add_case(session, reorder->reordering.name, &reorder->matrix, error);
    if (!added) return NULL;
    added->reordering = reorder->reordering;
    added->order = added->reordering.name;
    *reorder = (struct reorder){0};
    return added;
}

void reorder_free(struct reorder *reorder)
{
    reordering_free(&reorder->reordering);
    matrix_free(&reorder->matrix);
    *reorder = (struct reorder){0};
}

void session_refuse(struct session *session, const char *name, const struct error *why)
{
    struct refused_order *refused = &session->refused[session->refused_count++];
    memcpy(refused->name, name, sizeof refused->name);
    refused->error = *why;
}

enum status session_reorder(struct session *session, const struct order_choice *choice,
                            struct progress *progress, struct error *error)
{
    struct reorder reorder;
    struct error why = {0};
    if (strcmp(choice->order->name, "natural") == 0) return STATUS_OK;
    enum status status = reorder_begin(session, choice, &reorder, &why);
    if (status == STATUS_OK) status = reorder_run(&reorder, progress, &why);
    if (status == STATUS_OK && !reorder_publish(session, &reorder, &why)) status = why.status;
    bool refused = status == STATUS_UNAVAILABLE || status == STATUS_LIMIT;
    if (refused)
        session_refuse(session, reorder.reordering.name, &why);
    else if (status != STATUS_OK && error && error->status == STATUS_OK)
        *error = why;
    reorder_free(&reorder);
    return refused ? STATUS_OK : status;
}
