/* The advice in a document. */
#include "session/advice.h"
#include "base/text.h"
#include "kernels/timing/processor_sure.h"
#include "report/document/build.h"

static void add_paragraph(struct document *document, const struct advice *advice)
{
    document_add(document,
                 (struct block){.kind = BLOCK_PARAGRAPH,
                                .words = document_words(document, "%s%s%s%s%s", advice->verdict,
                                                        advice->reason[0] ? " " : "", advice->reason,
                                                        advice->change[0] ? " " : "", advice->change)});
}

/* State the basis of the forecasts for this processor, and the reason if they are uncertain. */
static void note_processor(struct document *document, const struct processor *processor)
{
    char said[PROCESSOR_WORDS], doubt[PROCESSOR_WORDS];
    if (!processor->there) return;
    if (!processor_doubt(processor, doubt)[0])
        document_note(document, MARK_NONE, "This processor was %s.", processor_say(processor, said));
    else
        document_note(document, MARK_NONE,
                      "Forecasts for this processor are uncertain: %s. 'sparsight kernels --calibrate' "
                      "measures the processor.",
                      processor->assumed ? "it was not measured, and the profile of another one is assumed"
                                         : doubt);
}

/* True if a kernel of the group has a forecast, or is known to be too slow for one. */
static bool has_forecast(const struct results *group)
{
    bool there = false;
    for (int k = 0; k < group->count && !there; k++) {
        const struct result *result = &group->items[k];
        there = result->predicted[0].there || result->predicted[1].there || result->least > 0;
    }
    return there;
}

/* Name the formats without forecasts, with the reason. */
static void note_left_out(struct document *document, const struct foresight *foresight)
{
    struct text list = {0};
    for (int f = 0; formats[f]; f++) {
        bool there = false;
        for (int g = 0; g < foresight_count(foresight) && !there; g++)
            there = foresight->groups[g].items[0].choice.format.format == formats[f] &&
                    has_forecast(&foresight->groups[g]);
        if (!there) text_append(&list, "%s%s", list.length ? ", " : "", formats[f]->name);
    }
    if (list.length && foresight_count(foresight) > 0)
        document_note(
            document, MARK_NONE,
            "Formats without forecasts, since their kernels are run or have no pace for this product, "
            "they cannot store the matrix, or they need more than %d times the bytes of CSR: %s. "
            "Libraries are forecast only if --kernels runs them.",
            FORESIGHT_LARGER, list.data);
    else if (foresight_count(foresight) > 0)
        document_note(document, MARK_NONE, "Libraries are forecast only if --kernels runs them.");
    document->failed = document->failed || list.failed;
    text_free(&list);
}

/* The best library kernel has a line of its own. */
static void add_call(struct document *document, const struct advice *advice)
{
    if (advice->call[0])
        document_add(document, (struct block){.kind = BLOCK_PARAGRAPH,
                                              .words = document_words(document, "%s", advice->call)});
}

static void add_advices(struct document *document, const struct advices *advices,
                        const struct foresight *foresight, const struct processor *processor,
                        const char *precision)
{
    const struct advice *cpu = &advices->items[ADVICE_CPU];
    bool begun = false;
    for (int place = 0; place < ADVICE_PLACES; place++) {
        if (!advices->items[place].there) continue;
        if (!begun) document_section(document, "Advice, %s", precision);
        begun = true;
        add_paragraph(document, &advices->items[place]);
        add_call(document, &advices->items[place]);
    }
    if (begun && foresight_complete(foresight) && foresight->excerpt_rows)
        document_note(
            document, MARK_NONE,
            "Forecasts are made from an excerpt: %lld rows with %lld entries, and one of every %.3g columns.",
            (long long)foresight->excerpt_rows, (long long)foresight->excerpt_entries,
            foresight->excerpt_columns);
    if (begun && foresight_complete(foresight)) note_left_out(document, foresight);
    if (begun && cpu->there && cpu->measured < cpu->count) note_processor(document, processor);
    if (begun && !cpu->there)
        document_note(document, MARK_NONE,
                      "No CPU kernel is forecast for this matrix: none of them can run here.");
}

/* State why there is no advice: nearly all rows are empty, or no kernel is known for a product other than y =
 * A x. */
static void excuse(struct document *document, const struct matrix_case *matrix_case, bool advised)
{
    const struct product product = matrix_case->results.options.product;
    char text[PRODUCT_TEXT], entries[32], rows[32];
    const bool empty = case_nearly_empty(matrix_case);
    if (advised || case_nnz(matrix_case) == 0 || (product_plain(product) && !empty)) return;
    document_section(document, "Advice");
    if (empty)
        document_note(document, MARK_NONE,
                      "none: kernels are not forecast for %s entries in %s rows, nearly all of them empty. "
                      "COO stores no empty rows; --kernels=LIST times kernels.",
                      format_count(entries, sizeof entries, case_nnz(matrix_case)),
                      format_count(rows, sizeof rows, matrix_case->matrix.csr.rows));
    else
        document_note(document, MARK_NONE,
                      "none: no kernel is timed or forecast for %s; --kernels=LIST times kernels",
                      product_write(product, text));
}

void document_advice(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    bool advised = false;
    for (int p = 0; p < 2; p++) {
        struct advices advices;
        const struct advice_question question = advice_question_of(matrix_case, precisions[p]);
        if (session_advise(session, matrix_case, question, &advices, NULL) != STATUS_OK)
            document->failed = true;
        else
            add_advices(document, &advices, case_foresight(matrix_case, precisions[p], question.product),
                        &session->processor, case_value_name(matrix_case, precisions[p]));
        for (int place = 0; place < ADVICE_PLACES; place++)
            advised = advised || advices.items[place].there;
        advices_free(&advices);
    }
    excuse(document, matrix_case, advised);
}
