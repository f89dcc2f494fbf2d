/* A matrix that is larger than memory: a case of what was found out while its entries came by once. */
#include "session/session.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"

/* Say why the entries are not in memory, and how to have them there. */
static enum status explain(const struct streamed *streamed, bool complex, struct absence *absence,
                           struct error *error)
{
    struct text why = {0};
    char size[32], limit[32];
    const struct lengths *rows = &streamed->row_lengths;
    size_t bytes = csr_bytes(rows->lines, streamed->nnz, complex);
    const char *remedy = "Without --stream it is read as others are.";
    if (streamed->taker.always)
        text_append(&why, "The entries were read as a stream and are not in memory, as --stream asks for.");
    else {
        text_append(
            &why,
            "The entries were read as a stream and are not in memory: the matrix takes %s, and what is "
            "found of it more, and the limit is %s.",
            format_bytes(size, sizeof size, (double)bytes),
            format_bytes(limit, sizeof limit, (double)memory_limit(streamed->limit)));
        remedy = "--limit=BYTES sets the limit, and a machine with more memory has a higher one.";
    }
    absence->why = why.failed ? NULL : memory_string(text_visible(why.data), error);
    absence->remedy = absence->why ? memory_string(remedy, error) : NULL;
    text_free(&why);
    return absence->remedy ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory");
}

/* Tell in the notes of the matrix what its entries are, since equal places could not be added up. */
static enum status note(const struct streamed *streamed, const struct absence *absence, struct matrix *matrix,
                        struct error *error)
{
    const struct stream_found *found = &streamed->taker.found;
    text_append(&matrix->notes, "%s\n", absence->why);
    if (!found->ascending)
        text_append(&matrix->notes,
                    "Entries are counted as listed: the list does not ascend, so that nothing tells whether "
                    "some have the same place and would be added up.\n");
    else if (found->repeated)
        text_append(&matrix->notes,
                    "Entries are counted as listed: %lld have the place of another one, and were not added "
                    "to it.\n",
                    (long long)found->repeated);
    if (found->both_sides)
        text_append(
            &matrix->notes,
            "The file calls itself %s and has entries on both sides of the diagonal; whether some are "
            "mirror images of each other, and count twice here, is not known.\n",
            symmetry_name(matrix->symmetry));
    return matrix->notes.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* Move what was found out into the case. */
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
