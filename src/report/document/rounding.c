/* The chapter on storing the values in fewer bits. */
#include "base/memory.h"
#include "base/text.h"
#include "report/document/build.h"
#include "report/document/rows.h"

/* Return the type with the fewest bytes among those that hold all values exactly. f64 is one of them. */
static const struct number_type *least_exact(const struct precisions *precisions)
{
    const struct number_type *best = &number_types[0];
    for (int k = 1; k < NUMBER_TYPES; k++)
        if (precisions->type[k].values.exact == precisions->values &&
            number_bytes(&number_types[k], false) < number_bytes(best, false))
            best = &number_types[k];
    return best;
}

/* Add the conclusion from the table. */
static void add_answer(struct document *document, const struct matrix_case *matrix_case)
{
    const struct precisions *precisions = &matrix_case->precisions;
    const struct number_type *best = least_exact(precisions), *single = &number_types[1];
    const struct precision_loss *loss = &precisions->type[1];
    const bool complex = case_is_complex(matrix_case);
    char error[32];
    if (best != &number_types[0])
        document_note(document, MARK_NONE,
                      "%s holds every value exactly in %d bytes instead of %d. Products with sums in f64 "
                      "stay the same.",
                      best->name, number_bytes(best, complex), number_bytes(&number_types[0], complex));
    else
        document_note(document, MARK_NONE,
                      "No narrower type holds every value exactly. %s takes %d bytes a value instead of %d. "
                      "The error of y = A x is %s in norm.",
                      single->name, number_bytes(single, complex), number_bytes(&number_types[0], complex),
                      format_digits(error, sizeof error, loss->product[SUMS_F64].norm, 3));
}

void document_rounding(struct document *document, const struct matrix_case *matrix_case)
{
    struct rows rows = {.columns = rounding_columns, .part = &part_rounding};
    if (!case_has(matrix_case, SESSION_PRECISIONS) || matrix_case->precisions.values == 0) return;
    rows.items = memory_array(NUMBER_TYPES, sizeof *rows.items, NULL);
    document->failed = document->failed || !rows.items;
    for (int k = 0; !document->failed && k < NUMBER_TYPES; k++)
        rows.items[rows.count++] =
            (struct row){.subject = {.matrix_case = matrix_case, .loss = &matrix_case->precisions.type[k]},
                         .name = number_types[k].name};
    if (rows.count) {
        document_section(document, "%s", part_rounding.title);
        document_table(document, "type", &rows);
        add_answer(document, matrix_case);
    }
    rows_free(&rows);
}
