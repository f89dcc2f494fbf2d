/* The object `solve`: the request, its solves with their curves, and kernels for the fastest. */
#include <jansson.h>
#include <math.h>

#include "base/range.h"
#include "columns/columns.h"
#include "report/json/json.h"
#include "session/solve_advice.h"

/* Points of a curve: a longer one is written at about equal distances. */
#define CURVE_POINTS 200

/* Iterations and residuals: [[0, 1], [1, 0.25], ...]. */
static json_t *curve_json(const struct solve *solve)
{
    json_t *list = json_array();
    const int64_t step = max(1, divide_up(solve->iterations, CURVE_POINTS));
    bool failed = !list;
    for (int64_t k = 0; !failed && solve->curve && k <= solve->iterations;
         k = k < solve->iterations ? min(k + step, solve->iterations) : k + 1) {
        const double residual = solve->curve[k];
        json_t *point =
            json_pack("[I, o]", (json_int_t)k, isfinite(residual) ? json_real(residual) : json_null());
        failed = json_array_append_new(list, point) != 0;
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *runs_json(const struct solve_advice *advice)
{
    json_t *list = json_array();
    bool failed = !list;
    for (int k = 0; !failed && k < advice->run_count; k++) {
        const struct subject subject = {.outlook = &advice->runs[k]};
        json_t *run = columns_json(solve_columns, &subject);
        failed = !run || json_object_set_new(run, "curve", curve_json(advice->runs[k].solve)) != 0 ||
                 json_array_append(list, run) != 0;
        json_decref(run);
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *kernels_of_solve_json(const struct solve_advice *advice)
{
    json_t *list = json_array();
    for (int k = 0; list && k < advice->kernel_count; k++) {
        const struct subject subject = {.in_solve = &advice->kernels[k]};
        if (json_array_append_new(list, columns_json(solve_kernel_columns, &subject)) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

json_t *solve_json(const struct session *session, const struct matrix_case *matrix_case)
{
    const struct solving *solving = &matrix_case->solving;
    const struct solver_options *options = &solving->options;
    struct solve_advice advice = {0};
    if (session_solve_advice(session, matrix_case, &advice, NULL) != STATUS_OK) return NULL;
    json_t *object =
        json_pack("{s:f, s:I, s:i, s:i, s:f, s:s, s:I, s:b, s:o, s:o, s:o}", "tolerance", options->tolerance,
                  "most", (json_int_t)options->most, "restart", options->restart, "block", options->block,
                  "shift", options->shift, "x", options->ones ? "ones" : "random", "seed",
                  (json_int_t)options->seed, "symmetric", solving->symmetric, "fastest",
                  solving->fastest < 0 ? json_null() : json_integer(solving->fastest), "runs",
                  runs_json(&advice), "kernels", kernels_of_solve_json(&advice));
    solve_advice_free(&advice);
    return object;
}
