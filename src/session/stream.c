/* A matrix larger than memory: a case from the results of one pass over its entries. */
#include "session/session.h"

#include <stdlib.h>

#include "analysis/block_sample.h"
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

/* Write notes on what was estimated. */
static void note_estimates(const struct streamed *streamed, struct matrix *matrix)
{
    const struct mirror_found *mirrors = &streamed->mirrors;
    const double error = streamed->structure.symmetry_error;
    char share[32];
    if (mirrors->sampled > 0 && !mirrors->whole && error > 0)
        text_append(
            &matrix->notes,
            "The symmetry is estimated from %lld entries, drawn by a hash of their positions; half the "
            "95%% interval is at most %s.\n",
            (long long)mirrors->sampled, format_percent(share, sizeof share, error));
    else if (mirrors->sampled > 0 && !mirrors->whole)
        text_append(&matrix->notes,
                    "The symmetry was found by sums of random numbers, which are wrong with a "
                    "probability below 10^-9.\n");
    if (streamed->excerpt.there && !streamed->excerpt.whole)
        text_append(&matrix->notes, "The blocks of BSR are estimated from a sample of the rows.\n");
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
    note_estimates(streamed, matrix);
    return matrix->notes.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
}

/* True if the excerpt has all entries, and none twice. */
static bool is_all(const struct excerpt *excerpt, const struct csr *a)
{
    const struct csr *rows = &excerpt->rows;
    bool ascend = excerpt->there && excerpt->whole && excerpt->longer < 0 && rows->rows == a->rows &&
                  csr_nnz(rows) == csr_nnz(a);
    for (int64_t i = 0; i < a->rows && ascend; i++)
        for (int64_t k = rows->row_ptr[i] + 1; k < rows->row_ptr[i + 1]; k++)
            ascend = ascend && rows->col[k] > rows->col[k - 1];
    return ascend;
}

static struct skeleton_blocks estimate_blocks(const struct skeleton *skeleton, int64_t size)
{
    const struct matrix_case *known = skeleton->context;
    const struct csr *a = &known->matrix.csr;
    return block_sample(&known->excerpt, a->row_ptr, a->rows, size);
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
    known->foreseen = streamed->foreseen;
    streamed->foreseen = (struct excerpt){0};
    known->skeleton.context = known;
    if (is_all(&known->excerpt, a))
        known->skeleton.all = &known->excerpt.rows;
    else if (known->excerpt.there)
        known->skeleton.estimate_blocks = estimate_blocks;
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
