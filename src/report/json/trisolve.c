/* The object `trisolve`: triangular solves and symmetric Gauss-Seidel steps that were timed. */
#include <jansson.h>

#include "columns/columns.h"
#include "report/json/json.h"

json_t *trisolves_json(const struct matrix_case *matrix_case)
{
    const struct trisolves *trisolves = &matrix_case->trisolves;
    json_t *list = json_array();
    for (int k = 0; list && k < trisolves->count; k++) {
        const struct subject subject = {.trisolve = &trisolves->runs[k]};
        if (json_array_append_new(list, columns_json(trisolve_columns, &subject)) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return json_pack("{s:i, s:I, s:o, s:o}", "threads", trisolves->threads, "ones",
                     (json_int_t)trisolves->ones, "reduction", figure_json(trisolves->reduction), "runs",
                     list);
}
