/* Solves, triangular solves, sparse products and rounding of a saved report. */
#include <math.h>
#include <string.h>

#include "analysis/solvers/preconditioner.h"
#include "base/memory.h"
#include "base/text.h"
#include "columns/columns.h"
#include "report/saved/known.h"
#include "session/solve_advice.h"

/* Maximum of a count, and of iterations, each of which has a number in memory. */
#define COUNT_MAX (INT64_MAX / 8)
#define ITERATIONS_MAX 1000000

/* A product of unknown name is left out. */
static void set_product(struct reading *row, struct matrix_case *of)
{
    const char *name = reading_text(row, "product", "");
    for (int k = spgemm_first(&of->matrix.csr); k < SPGEMM_KINDS; k++) {
        if (strcmp(name, spgemm_name((enum spgemm_kind)k)) != 0) continue;
        reading_columns(row, spgemm_columns, owner_spgemm, &of->spgemm[k], COUNT_MAX);
        case_know(of, SESSION_SPGEMM);
    }
}

/* The report has the share of exact values among the finite ones, or null if none is finite. Their number is
 * computed as if all values were finite, as in most matrices. */
static void set_loss(struct reading *row, struct matrix_case *of)
{
    const char *name = reading_text(row, "type", "");
    struct precisions *precisions = &of->precisions;
    for (int k = 0; k < NUMBER_TYPES; k++) {
        struct precision_loss *loss = &precisions->type[k];
        if (strcmp(name, number_types[k].name) != 0) continue;
        reading_columns(row, rounding_columns, owner_rounded, &loss->values, COUNT_MAX);
        loss->scaled = loss->values;
        loss->scaling = reading_get(row, "scaled_zero") != NULL;
        if (loss->scaling)
            reading_columns(row, rounding_columns, owner_rounded_scaled, &loss->scaled, COUNT_MAX);
        reading_columns(row, rounding_columns, owner_rounded_product, &loss->product[SUMS_F64], 0);
        reading_columns(row, rounding_columns, owner_rounded_product_f32, &loss->product[SUMS_F32], 0);
        const double exact = reading_amount(row, "exact");
        precisions->values = isnan(exact) ? 0 : of->nnz * (case_is_complex(of) ? 2 : 1);
        loss->values.exact = exact <= 1 ? llround(exact * (double)precisions->values) : 0;
        case_know(of, SESSION_PRECISIONS);
    }
}

static bool find_names(struct reading *row, struct solve *solve)
{
    const char *method = reading_text(row, "method", ""), *kind = reading_text(row, "preconditioner", ""),
               *end = reading_text(row, "end", "");
    for (int k = 0; solver_methods[k]; k++)
        if (strcmp(method, solver_methods[k]->name) == 0) solve->method = solver_methods[k];
    for (int k = 0; preconditioners[k]; k++)
        if (strcmp(kind, preconditioners[k]->name) == 0) solve->preconditioner = preconditioners[k];
    solve->end = SOLVE_ENDS;
    for (int k = 0; k < SOLVE_ENDS; k++)
        if (strcmp(end, solve_end_name((enum solve_end)k)) == 0) solve->end = (enum solve_end)k;
    return solve->method && solve->preconditioner && solve->end < SOLVE_ENDS;
}

/* Fill the curve between two points by a straight line between their logarithms, as it is drawn. */
static void draw_line(double *curve, int64_t from, int64_t to)
{
    for (int64_t k = from + 1; k < to; k++) {
        const double share = (double)(k - from) / (double)(to - from);
        curve[k] = exp((1 - share) * log(curve[from]) + share * log(curve[to]));
    }
}

static void set_curve(struct reading *row, struct solve *solve)
{
    const json_t *list = reading_get(row, "curve");
    int64_t before = -1;
    if (solve->iterations > ITERATIONS_MAX) reading_wrong(row, "iterations", "at most 1000000");
    if (row->status != STATUS_OK || json_array_size(list) == 0) return;
    solve->curve = memory_array((size_t)solve->iterations + 1, sizeof *solve->curve, row->error);
    if (!solve->curve) row->status = STATUS_MEMORY;
    for (size_t k = 0; k < json_array_size(list) && row->status == STATUS_OK; k++) {
        const json_t *point = json_array_get(list, k), *step = json_array_get(point, 0),
                     *residual = json_array_get(point, 1);
        const int64_t at = json_integer_value(step);
        const bool follows = json_is_integer(step) && at > before && at <= solve->iterations;
        if (!follows || (k == 0 && at != 0) || !(json_is_number(residual) || json_is_null(residual))) {
            reading_wrong(row, "curve", "a list of ascending iterations with their residuals");
            return;
        }
        solve->curve[at] = json_is_null(residual) ? NAN : json_number_value(residual);
        if (before >= 0) draw_line(solve->curve, before, at);
        before = at;
    }
    if (row->status == STATUS_OK && before != solve->iterations)
        reading_wrong(row, "curve", "a list up to the last iteration");
}

/* A kernel in a solve. "from" is null if it never pays. */
static int64_t read_from(struct reading *row, const char *key)
{
    return reading_integer(row, key, 1, COUNT_MAX, -1);
}

static void set_outlook(struct reading *row, struct matrix_case *of, const struct solve *solve)
{
    struct solve_outlook *outlook = &of->told->runs[of->told->run_count++];
    outlook->solve = solve;
    reading_columns(row, solve_columns, owner_solve_best, &outlook->best, 0);
    reading_columns(row, solve_columns, owner_solve_once, &outlook->once, 0);
    outlook->best.from = read_from(row, "best.from");
}

/* The fastest kernel that reads CSR is the fastest without a conversion. */
static void set_kernel(struct reading *row, struct matrix_case *of)
{
    struct solve_kernel *kernel = &of->told->kernels[of->told->kernel_count];
    reading_columns(row, solve_kernel_columns, owner_solve_kernel, kernel, 0);
    kernel->from = read_from(row, "from");
    kernel->csr = kernel->setup == 0;
    for (int k = 0; k < of->told->kernel_count; k++)
        if (of->told->kernels[k].csr && kernel->csr)
            kernel->csr = kernel->product < of->told->kernels[k].product;
    of->told->kernel_count++;
}

/* A method, preconditioner or end of unknown name is left out. */
static void set_solve(struct reading *row, struct matrix_case *of)
{
    static const char *const shares[SOLVE_PARTS] = {[SOLVE_SETUP] = "time.setup",
                                                    [SOLVE_PRODUCTS] = "time.products",
                                                    [SOLVE_PRECONDITIONER] = "time.preconditioner",
                                                    [SOLVE_VECTORS] = "time.vectors"};
    struct solving *solving = &of->solving;
    struct solve *solve = &solving->runs[solving->count];
    if (!find_names(row, solve) || row->status != STATUS_OK) return;
    solving->count++; /* which frees the curve */
    reading_columns(row, solve_columns, owner_solve, solve, COUNT_MAX);
    const double seconds = reading_amount(row, "time.all_us") / 1e6;
    for (int part = 0; part < SOLVE_PARTS; part++)
        solve->seconds[part] = seconds > 0 ? seconds * fmin(reading_amount(row, shares[part]), 1) : 0;
    set_curve(row, solve);
    if (of->told) set_outlook(row, of, solve);
    const bool first = solving->fastest < 0;
    if (solve->end == SOLVE_CONVERGED &&
        (first || solve_seconds(solve) < solve_seconds(&solving->runs[solving->fastest])))
        solving->fastest = solving->count - 1;
}

/* Make room for the kernels of solves. */
static enum status expect_kernels(struct matrix_case *of, size_t runs, size_t count, struct error *error)
{
    struct solve_advice *told = of->told = memory_zeroed(1, sizeof *told, error);
    if (!told) return STATUS_MEMORY;
    told->runs = memory_zeroed(runs, sizeof *told->runs, error);
    told->kernels = memory_zeroed(count, sizeof *told->kernels, error);
    return told->runs && told->kernels ? STATUS_OK : STATUS_MEMORY;
}

static void set_solving(struct reading *reading, struct matrix_case *of)
{
    struct solving *solving = &of->solving;
    struct reading own = reading_inner(reading, "solve");
    if (!own.object) return;
    const json_t *list = reading_get(&own, "runs"), *kernels_list = reading_get(&own, "kernels");
    *solving = (struct solving){
        .options = solver_options_standard(), .rows = of->matrix.csr.rows, .nnz = of->nnz, .fastest = -1};
    solving->options.tolerance = reading_amount(&own, "tolerance");
    solving->options.most = reading_integer(&own, "most", 1, ITERATIONS_MAX, 1000);
    solving->options.restart = (int)reading_integer(&own, "restart", 1, INT16_MAX, 30);
    solving->options.block = (int)reading_integer(&own, "block", 1, INT16_MAX, 8);
    solving->options.shift = reading_amount(&own, "shift");
    solving->options.ones = strcmp(reading_text(&own, "x", ""), "ones") == 0;
    solving->options.seed = reading_integer(&own, "seed", 0, INT64_MAX, 1);
    solving->symmetric = reading_boolean(&own, "symmetric");
    solving->runs = memory_zeroed(json_array_size(list), sizeof *solving->runs, own.error);
    if (!solving->runs) own.status = STATUS_MEMORY;
    if (own.status == STATUS_OK && kernels_list)
        own.status = expect_kernels(of, json_array_size(list), json_array_size(kernels_list), own.error);
    known_rows(&own, list, "solve.runs", of, set_solve);
    if (of->told) known_rows(&own, kernels_list, "solve.kernels", of, set_kernel);
    reading_leave(reading, &own);
}

/* An operation of unknown name is left out; a kernel keeps its name. */
static void set_trisolve(struct reading *row, struct matrix_case *of)
{
    struct trisolves *trisolves = &of->trisolves;
    struct trisolve_run *run = &trisolves->runs[trisolves->count];
    const char *operation = reading_text(row, "operation", "");
    int k = 0;
    while (k < TRISOLVE_OPERATIONS && strcmp(operation, trisolve_operation_name((enum trisolve_operation)k)))
        k++;
    if (k == TRISOLVE_OPERATIONS || row->status != STATUS_OK) return;
    run->operation = (enum trisolve_operation)k;
    reading_columns(row, trisolve_columns, owner_trisolve, run, INT32_MAX);
    reading_columns(row, trisolve_columns, owner_trisolve_host, run, INT32_MAX);
    reading_columns(row, trisolve_columns, owner_trisolve_samples, &run->samples, INT32_MAX);
    if (run->samples.count) reading_columns(row, trisolve_columns, owner_trisolve_timed, run, INT32_MAX);
    reading_columns(row, trisolve_columns, owner_trisolve_facts, &run->facts, COUNT_MAX);
    reading_columns(row, trisolve_columns, owner_trisolve_waits, &run->facts, COUNT_MAX);
    if (run->samples.count) run->flops = reading_amount(row, "gflops") * 1e9 * run->samples.time;
    trisolves->count++;
}

static void set_trisolves(struct reading *reading, struct matrix_case *of)
{
    struct trisolves *trisolves = &of->trisolves;
    struct reading own = reading_inner(reading, "trisolve");
    if (!own.object) return;
    const json_t *list = reading_get(&own, "runs");
    trisolves->threads = (int)reading_integer(&own, "threads", 1, INT32_MAX, 1);
    trisolves->ones = reading_integer(&own, "ones", 0, of->matrix.csr.rows, 0);
    trisolves->reduction = reading_amount(&own, "reduction");
    trisolves->runs = memory_zeroed(json_array_size(list), sizeof *trisolves->runs, own.error);
    if (!trisolves->runs) own.status = STATUS_MEMORY;
    known_rows(&own, list, "trisolve.runs", of, set_trisolve);
    reading_leave(reading, &own);
}

void known_set_solves(struct reading *reading, struct matrix_case *of)
{
    known_rows(reading, reading_get(reading, "spgemm"), "spgemm", of, set_product);
    known_rows(reading, reading_get(reading, "rounding"), "rounding", of, set_loss);
    if (reading->status == STATUS_OK) set_solving(reading, of);
    if (reading->status == STATUS_OK) set_trisolves(reading, of);
}
