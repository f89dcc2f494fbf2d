/* Adding cases in other orders to a session. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/orders/permute.h"
#include "session/session.h"

/* The user's limit covers all cases: what is left of it for the natural matrix and what is made of it now. */
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

/* Find the permutation and make the matrix in that order. */
static enum status make(const struct matrix *matrix, size_t limit, struct progress *progress,
                        struct reordering *reordering, struct matrix *out, struct error *error)
{
    struct permutation *permutation = &reordering->permutation;
    double start = clock_seconds();
    enum status status = order_compute(&reordering->choice, matrix, limit, progress, permutation, error);
    double found = clock_seconds();
    order_choice_name(&reordering->choice, reordering->name, sizeof reordering->name);
    if (status == STATUS_OK) status = permute_matrix(matrix, permutation, limit, progress, out, error);
    if (status != STATUS_OK) return status;
    reordering->order_seconds = found - start;
    reordering->reorder_seconds = clock_seconds() - found;
    reordering->permute_seconds = permute_seconds(&matrix->csr, permutation, progress);
    return STATUS_OK;
}

static void refuse(struct session *session, const char *name, const struct error *why)
{
    struct refused_order *refused = &session->refused[session->refused_count++];
    memcpy(refused->name, name, sizeof refused->name);
    refused->error = *why;
}

static void release(struct reordering *reordering)
{
    order_choice_free(&reordering->choice);
    permutation_free(&reordering->permutation);
}

enum status session_reorder(struct session *session, const struct order_choice *choice,
                            struct progress *progress, struct error *error)
{
    struct reordering reordering = {0};
    struct matrix matrix = {0};
    struct error why = {0};
    if (strcmp(choice->order->name, "natural") == 0) return STATUS_OK;
    if (session->case_count + session->refused_count >= SESSION_CASES)
        return error_set(error, STATUS_USAGE, "a matrix can be held in at most %d orders", SESSION_CASES);
    enum status status = order_choice_copy(choice, &reordering.choice, error);
    if (status != STATUS_OK) return status;
    status = make(&session->cases[0].matrix, limit_left(session), progress, &reordering, &matrix, &why);
    struct matrix_case *added = NULL;
    if (status == STATUS_OK) added = session_add_case(session, reordering.name, &matrix, error);
    if (added) {
        added->reordering = reordering;
        added->order = added->reordering.name;
        return STATUS_OK;
    }
    bool refused = status == STATUS_UNAVAILABLE || status == STATUS_LIMIT;
    if (refused) refuse(session, reordering.name, &why);
    if (!refused && error && error->status == STATUS_OK) *error = why;
    release(&reordering);
    return refused ? STATUS_OK : status;
}
