/* A matrix larger than memory: a case from the results of one pass over its entries. */
#include "session/session.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"

/* Write why the entries are not in memory, and the remedy. */
static enum status explain(const struct streamed *streamed, bool complex, struct absence *absence,
                           struct error *error)
{
    struct text why = {0};
    char size[32], limit[32];
    const struct lengths *rows = &streamed->row_lengths;
    size_t bytes = csr_bytes(rows->lines, streamed->nnz, complex);
    const char *remedy = "Without --stream the entries are kept.";
    if (streamed->taker.always)
        text_append(&why,
                    "The entries were read as a stream and are not in memory, as requested by --stream.");
    else {
        text_append(&why,
                    "The entries were read as a stream and are not in memory: the matrix needs %s, its "
                    "analyses need more, and the limit is %s.",
                    format_bytes(size, sizeof size, (double)bytes),
                    format_bytes(limit, sizeof limit, (double)memory_limit(streamed->limit)));
        remedy = "Raise the limit with --limit=BYTES, or use a machine with more memory.";
    }
    absence->why = why.failed ? NULL : memory_string(text_visible(why.data), error);
    absence->remedy = absence->why ? memory_string(remedy, error) : NULL;
    text_free(&why);
    return absence->remedy ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory");
}

/* Write a note on the matrix's entries: equal positions could not be summed. */
static enum status note(const struct streamed *streamed, const struct absence *absence, struct matrix *matrix,
                        struct error *error)
{
    const struct stream_found *found = &streamed->taker.found;
    text_append(&matrix->notes, "%s\n", absence->why);
    if (!found->ascending)
        text_append(&matrix->notes, "Entries are counted as listed: the list is not sorted, so duplicates "
                                    "cannot be recognised and summed.\n");
    else if (found->repeated)
        text_append(&matrix->notes,
                    "Entries are counted as listed: %lld are duplicates, and were not summed.\n",
                    (long long)found->repeated);
    if (found->both_sides)
        text_append(&matrix->notes,
                    "The file is %s by its header but has entries on both sides of the diagonal; entries "
                    "that mirror each other, if any, count twice here.\n",
                    symmetry_name(matrix->symmetry));
    return matrix->notes.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* Move the results into the case. */
static enum status fill_case(struct streamed *streamed, struct matrix_case *known, struct error *error)
{
    struct csr *a = &known->matrix.csr;
    known->skeleton = (struct skeleton){
        .complex = case_is_complex(known),
        .col_ptr = streamed->col_ptr,
        .diagonals = streamed->diagonals,
    };
    a->row_ptr = streamed->row_ptr;
    a->skeleton = &known->skeleton;
    streamed->row_ptr = streamed->col_ptr = NULL;
    streamed->diagonals = NULL;
    known->pool.a = a;
    known->conversions.pool = &known->pool;
    known->row_lengths = streamed->row_lengths;
    known->col_lengths = streamed->col_lengths;
    known->structure = streamed->structure;
    known->values = streamed->values;
    known->pyramid = streamed->pyramid;
    streamed->row_lengths = streamed->col_lengths = (struct lengths){0};
    streamed->pyramid = (struct pyramid){0};
    case_excerpt(known, &streamed->excerpt);
    case_know(known, SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE | SESSION_VALUES |
                         SESSION_PYRAMID | SESSION_COL_PTR);
    enum status status = spans_make(a->row_ptr, a->rows, &known->row_spans, error);
    if (status != STATUS_OK) return status;
    return spans_make(known->skeleton.col_ptr, a->cols, &known->col_spans, error);
}

enum status stream_session(struct session *session, struct streamed *streamed, struct matrix *matrix,
                           struct progress *progress, struct error *error)
{
    struct absence absence = {0};
    enum status status = streamed_finish(streamed, progress, error);
    if (status == STATUS_OK) status = explain(streamed, matrix->field == FIELD_COMPLEX, &absence, error);
    if (status == STATUS_OK) status = note(streamed, &absence, matrix, error);
    if (status == STATUS_OK) {
        matrix->explicit_zeros = streamed->zeros;
        matrix->zeros_counted = true;
        if (!streamed->taker.found.ascending) matrix->duplicates = -1;
        struct matrix_case *known =
            session_start_known(session, session->limit, matrix, streamed->nnz, &absence);
        status = fill_case(streamed, known, error);
    }
    absence_free(&absence);
    return status;
}
