/* The chapter on the times of triangular solves and symmetric Gauss-Seidel steps. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/document/build.h"
#include "report/document/rows.h"

/* A table of the runs of one operation. */
static void add_operation(struct document *document, const struct trisolves *trisolves,
                          enum trisolve_operation operation)
{
    struct rows rows = {.columns = trisolve_columns, .part = &part_trisolve};
    rows.items = memory_array((size_t)trisolves->count, sizeof *rows.items, NULL);
    document->failed = document->failed || !rows.items;
    for (int k = 0; !document->failed && k < trisolves->count; k++) {
        const struct trisolve_run *run = &trisolves->runs[k];
        if (run->operation != operation || run->reason[0]) continue;
        rows.items[rows.count++] = (struct row){.subject = {.trisolve = run}, .name = run->name};
    }
    if (rows.count) {
        document_section(document, "%s", trisolve_operation_title(operation));
        document_table(document, "kernel", &rows);
    }
    rows_free(&rows);
}

/* Write each reason once, although several operations may have it. */
static void add_reasons(struct document *document, const struct trisolves *trisolves)
{
    for (int k = 0; k < trisolves->count; k++) {
        const char *reason = trisolves_reason(trisolves, k);
        if (reason[0]) document_note(document, MARK_NONE, "%s: %s.", trisolves->runs[k].name, reason);
    }
}

static void add_device(struct document *document, const struct trisolves *trisolves)
{
    for (int k = 0; k < trisolves->count; k++) {
        const struct trisolve_run *run = &trisolves->runs[k];
        if (!run->device[0] || !run->samples.count) continue;
        document_note(document, MARK_NONE, "GPU: %s. Its times do not include copying b and x.", run->device);
        return;
    }
}

void document_trisolve(struct document *document, const struct matrix_case *matrix_case)
{
    const struct trisolves *trisolves = &matrix_case->trisolves;
    char text[64], of[64];
    bool loose = false;
    if (trisolves->count == 0) return;
    for (int k = 0; k < TRISOLVE_OPERATIONS; k++)
        add_operation(document, trisolves, (enum trisolve_operation)k);
    for (int k = 0; k < trisolves->count; k++)
        loose = loose || (trisolves->runs[k].samples.count && !trisolves->runs[k].checked);
    add_reasons(document, trisolves);
    add_device(document, trisolves);
    if (isfinite(trisolves->reduction))
        document_note(document, MARK_NONE,
                      "From x = 0, one symmetric Gauss-Seidel step leaves ||b - A x|| = %s ||b||.",
                      format_digits(text, sizeof text, trisolves->reduction, 3));
    if (trisolves->ones)
        document_note(document, MARK_NONE, "%s of %s diagonal entries are missing or 0, and counted as 1.",
                      format_count(text, sizeof text, trisolves->ones),
                      format_count(of, sizeof of, matrix_case->matrix.csr.rows));
    if (loose)
        document_note(document, MARK_BAD,
                      "The steps of Gauss-Seidel are not checked: the triangles amplify rounding too much.");
    if (strcmp(matrix_case->order, "natural") == 0)
        document_note(document, MARK_NONE,
                      "--reorder=colours adds the coloured order, which has few levels.");
}
