#include "session/solve_advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "session/envelope.h"

enum status session_solve(struct session *session, struct matrix_case *of,
                          const struct solver_options *options, struct progress *progress,
                          struct error *error)
{
    struct solving solving;
    const struct cost begun = cost_begin();
    enum status status = solving_run(&of->matrix.csr, options, session->limit, progress, &solving, error);
    cost_end(&of->costs, "solves", &begun);
    if (status != STATUS_OK) return status;
    solving_free(&of->solving);
    of->solving = solving;
    return STATUS_OK;
}

/* T = products x T_product + T_preconditioner + T_vectors. The number of solves follows from that of
 * products, since all else is the same with every kernel. */
static struct solve_kernel kernel_of(const struct solve *solve, const struct advice *advice, int k)
{
    const struct advice_candidate *candidate = &advice->candidates[k];
    const double rest = solve->seconds[SOLVE_PRECONDITIONER] + solve->seconds[SOLVE_VECTORS];
    struct solve_kernel kernel = {.product = candidate->seconds,
                                  .measured = candidate->measured,
                                  .setup = candidate->setup,
                                  .csr = k == advice->csr,
                                  .from = -1};
    snprintf(kernel.kernel, sizeof kernel.kernel, "%s", candidate->result->name);
    kernel.seconds = (double)solve->products * candidate->seconds + rest;
    kernel.first = kernel.seconds + kernel.setup + solve->seconds[SOLVE_SETUP];
    if (advice->csr >= 0 && solve->products > 0) {
        const int64_t products = advice_break_even(candidate, &advice->candidates[advice->csr]);
        kernel.from = products < 0 ? -1 : max(1, divide_up(products, solve->products));
    }
    return kernel;
}

/* Return the fastest solve that converged with the matrix in f64; NULL if none did. */
static const struct solve *fastest_plain(const struct solving *solving)
{
    const struct solve *fastest = NULL;
    for (int k = 0; k < solving->count; k++) {
        const struct solve *solve = &solving->runs[k];
        if (solve->end != SOLVE_CONVERGED || solve->refined) continue;
        if (!fastest || solve_seconds(solve) < solve_seconds(fastest)) fastest = solve;
    }
    return fastest;
}

/* Return the candidate with the shortest total time for this number of products. */
static int best_of(const struct advice *advice, double products)
{
    int best = 0;
    for (int k = 1; k < advice->compared; k++)
        if (advice_total(&advice->candidates[k], products) <
            advice_total(&advice->candidates[best], products))
            best = k;
    return best;
}

enum status solve_advice_of(const struct solving *solving, const struct advice *candidates,
                            struct solve_advice *advice, struct error *error)
{
    const bool known = candidates && candidates->there && candidates->compared > 0;
    *advice = (struct solve_advice){.solving = solving};
    if (solving->count == 0) return STATUS_OK;
    advice->runs = memory_zeroed((size_t)solving->count, sizeof *advice->runs, error);
    if (!advice->runs) return STATUS_MEMORY;
    for (; advice->run_count < solving->count; advice->run_count++) {
        struct solve_outlook *outlook = &advice->runs[advice->run_count];
        const struct solve *solve = outlook->solve = &solving->runs[advice->run_count];
        if (!known || solve->refined || solve->products == 0) continue;
        outlook->best = kernel_of(solve, candidates, 0);
        outlook->once = kernel_of(solve, candidates, best_of(candidates, (double)solve->products));
    }
    advice->of = fastest_plain(solving);
    if (!advice->of || !known) return STATUS_OK;
    advice->kernels = memory_zeroed((size_t)candidates->compared, sizeof *advice->kernels, error);
    if (!advice->kernels) {
        solve_advice_free(advice);
        return STATUS_MEMORY;
    }
    for (; advice->kernel_count < candidates->compared; advice->kernel_count++)
        advice->kernels[advice->kernel_count] = kernel_of(advice->of, candidates, advice->kernel_count);
    return STATUS_OK;
}

enum status solve_advice_told(const struct matrix_case *of, struct solve_advice *advice, struct error *error)
{
    const struct solve_advice *told = of->told;
    *advice = (struct solve_advice){.solving = &of->solving, .of = fastest_plain(&of->solving)};
    advice->runs = memory_array((size_t)told->run_count, sizeof *advice->runs, error);
    advice->kernels = memory_array((size_t)told->kernel_count, sizeof *advice->kernels, error);
    if (!advice->runs || !advice->kernels) {
        solve_advice_free(advice);
        return STATUS_MEMORY;
    }
    memcpy(advice->runs, told->runs, (size_t)told->run_count * sizeof *advice->runs);
    memcpy(advice->kernels, told->kernels, (size_t)told->kernel_count * sizeof *advice->kernels);
    advice->run_count = told->run_count;
    advice->kernel_count = told->kernel_count;
    return STATUS_OK;
}

enum status session_solve_advice(const struct session *session, const struct matrix_case *of,
                                 struct solve_advice *advice, struct error *error)
{
    struct advices advices = {0};
    *advice = (struct solve_advice){.solving = &of->solving};
    if (of->solving.count == 0) return STATUS_OK;
    if (of->told) return solve_advice_told(of, advice, error);
    enum status status = session_advise(session, of, advice_question_of(of, PRECISION_F64), &advices, error);
    if (status == STATUS_OK)
        status = solve_advice_of(&of->solving, &advices.items[ADVICE_CPU], advice, error);
    advices_free(&advices);
    return status;
}

void solve_advice_free(struct solve_advice *advice)
{
    free(advice->runs);
    free(advice->kernels);
    *advice = (struct solve_advice){0};
}

const char *solve_verdict(const struct solve_advice *advice, char *out, size_t size)
{
    const struct solving *solving = advice->solving;
    char name[SOLVE_NAME], seconds[32], count[32], products[16], preconditioner[16], vectors[16];
    out[0] = '\0';
    if (!solving || solving->count == 0 || solving->fastest < 0) return out;
    const struct solve *solve = &solving->runs[solving->fastest];
    const double all = solve_seconds(solve);
    format_rough(products, sizeof products, share_of(solve->seconds[SOLVE_PRODUCTS], all));
    format_rough(preconditioner, sizeof preconditioner,
                 share_of(solve->seconds[SOLVE_PRECONDITIONER] + solve->seconds[SOLVE_SETUP], all));
    format_rough(vectors, sizeof vectors, share_of(solve->seconds[SOLVE_VECTORS], all));
    snprintf(
        out, size,
        "Fastest: %s, %s iteration%s in %s. Products take %s of the time, the preconditioner %s, vectors "
        "%s.",
        solve_name(solve, name, sizeof name), format_count(count, sizeof count, solve->iterations),
        solve->iterations == 1 ? "" : "s", format_seconds(seconds, sizeof seconds, all), products,
        preconditioner, vectors);
    return out;
}
