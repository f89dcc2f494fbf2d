#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors without a place are about this matrix. */
static enum status placed(enum status status, const char *name, struct error *error)
{
    if (error && status != STATUS_OK && status != STATUS_CANCELLED && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", name);
    return status;
}

static void set_ready(struct session *session, unsigned part)
{
    atomic_fetch_or_explicit(&session->ready, part, memory_order_release);
}

enum status session_load(struct session *session, const char *name, const struct load_options *options,
                         struct progress *progress, struct error *error)
{
    memset(session, 0, sizeof *session);
    atomic_init(&session->ready, 0);
    session->limit = options->limit;
    enum status status = matrix_load(name, options, progress, &session->matrix, error);
    if (status == STATUS_OK) set_ready(session, SESSION_MATRIX);
    return placed(status, name, error);
}

void session_for_gpu(struct session *session, const struct gpu *gpu, int device)
{
    session->gpu = *gpu;
    session->device = device;
}

static enum status plan_formats(struct session *session, struct progress *progress, struct error *error)
{
    struct conversions *conversions = &session->conversions;
    enum status status = STATUS_OK;
    progress_phase(progress, "sizes of formats", 0);
    for (int k = 0; status == STATUS_OK && k < atomic_load(&conversions->count); k++)
        status =
            conversion_plan(conversions->items[k], &session->matrix.csr, session->limit, progress, error);
    return status;
}

static enum status compute(struct session *session, enum session_part part, struct progress *progress,
                           struct error *error)
{
    const struct csr *a = &session->matrix.csr;
    switch (part) {
    case SESSION_MATRIX:
        break;
    case SESSION_ROW_LENGTHS:
        return lengths_of_rows(a, progress, &session->row_lengths, error);
    case SESSION_COL_LENGTHS:
        return lengths_of_columns(a, progress, &session->col_lengths, error);
    case SESSION_STRUCTURE:
        return structure_of(a, progress, &session->structure, error);
    case SESSION_PYRAMID:
        return pyramid_build(a, progress, &session->pyramid, error);
    case SESSION_COL_PTR:
        return column_offsets(a, progress, &session->col_ptr, error);
    case SESSION_SIZES:
        return plan_formats(session, progress, error);
    case SESSION_GPU:
        if (!session->gpu.name[0]) gpu_default(session->device, &session->gpu);
        return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE, "no matrix is loaded");
}

enum status session_need(struct session *session, unsigned parts, struct progress *progress,
                         struct error *error)
{
    static const enum session_part order[] = {SESSION_MATRIX,    SESSION_ROW_LENGTHS, SESSION_COL_LENGTHS,
                                              SESSION_STRUCTURE, SESSION_PYRAMID,     SESSION_COL_PTR,
                                              SESSION_SIZES,     SESSION_GPU};
    if (!session_has(session, SESSION_MATRIX)) return compute(session, SESSION_MATRIX, progress, error);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        /* Formats may be asked for after others were planned: those are looked at again. */
        if (!(parts & order[k]) || (order[k] != SESSION_SIZES && session_has(session, order[k]))) continue;
        enum status status = compute(session, order[k], progress, error);
        if (status != STATUS_OK) return placed(status, session->matrix.path, error);
        set_ready(session, order[k]);
    }
    return STATUS_OK;
}

void session_free(struct session *session)
{
    atomic_store(&session->ready, 0);
    lengths_free(&session->row_lengths);
    lengths_free(&session->col_lengths);
    pyramid_free(&session->pyramid);
    free(session->col_ptr);
    session->col_ptr = NULL;
    conversions_free(&session->conversions);
    results_free(&session->results);
    runs_free(&session->runs);
    matrix_free(&session->matrix);
}
