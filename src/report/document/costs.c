/* The chapter on the time that the program took for the parts of the report. */
#include "base/memory.h"
#include "report/document/build.h"
#include "report/document/rows.h"

void document_costs(struct document *document, const struct session *session,
                    const struct matrix_case *matrix_case, const struct cost *begun)
{
    struct rows rows = {.columns = cost_columns, .part = &part_costs};
    if (!session->costs) return;
    struct costs *costs = document_array(document, 1, sizeof *costs);
    rows.items = memory_array(COSTS_MAX, sizeof *rows.items, NULL);
    document->failed = document->failed || !rows.items;
    if (!document->failed) {
        *costs = matrix_case->costs;
        cost_end(costs, "advice and tables", begun);
    }
    for (int k = 0; !document->failed && k < costs->count; k++)
        rows.items[rows.count++] =
            (struct row){.subject = {.cost = &costs->items[k]}, .name = costs->items[k].name};
    if (rows.count) {
        document_section(document, "%s", part_costs.title);
        document_table(document, "part", &rows);
    }
    rows_free(&rows);
}
