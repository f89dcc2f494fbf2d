/* The chapter on solves: the times of Krylov methods, and the kernels for them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/preconditioner.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/document/build.h"
#include "report/document/rows.h"
#include "session/solve_advice.h"

/* Kernels in the table; JSON has all. */
#define KERNELS_SHOWN 8

static void add_terms(struct document *document, const struct solving *solving)
{
    const struct solver_options *options = &solving->options;
    char most[32];
    document_note(document, MARK_NONE,
                  "A x = b from x = 0 until ||r|| <= %g ||b||, for at most %s iterations; b is A times %s.",
                  options->tolerance, format_count(most, sizeof most, options->most),
                  options->ones ? "ones" : "random numbers from (-1, 1)");
}

/* Add a table of the solves that were run. Returns false if there are none. */
static bool add_runs(struct document *document, const struct solve_advice *advice,
                     const struct column_part *part)
{
    struct rows rows = {.columns = solve_columns, .part = part};
    rows.items = memory_array((size_t)advice->run_count, sizeof *rows.items, NULL);
    document->failed = document->failed || !rows.items;
    for (int k = 0; !document->failed && k < advice->run_count; k++) {
        const struct solve *solve = advice->runs[k].solve;
        char name[SOLVE_NAME];
        if (solve->end == SOLVE_REFUSED) continue;
        solve_name(solve, name, sizeof name);
        rows.items[rows.count++] = (struct row){.subject = {.outlook = &advice->runs[k]},
                                                .name = document_words(document, "%s", name),
                                                .mark = solve->end == SOLVE_CONVERGED ? MARK_NONE : MARK_BAD};
    }
    const bool any = rows.count > 0;
    if (any) document_table(document, "solver", &rows);
    rows_free(&rows);
    return any;
}

static void add_kernels(struct document *document, const struct solve_advice *advice)
{
    struct rows rows = {.columns = solve_kernel_columns, .part = &part_solve_kernels};
    char name[SOLVE_NAME];
    if (!advice->of || advice->kernel_count == 0) return;
    rows.items = memory_array((size_t)advice->kernel_count, sizeof *rows.items, NULL);
    document->failed = document->failed || !rows.items;
    for (int k = 0; !document->failed && k < advice->kernel_count; k++)
        if (rows.count < KERNELS_SHOWN || advice->kernels[k].csr)
            rows.items[rows.count++] =
                (struct row){.subject = {.in_solve = &advice->kernels[k]}, .name = advice->kernels[k].kernel};
    if (rows.count) {
        document_section(document, "Kernels in %s", solve_name(advice->of, name, sizeof name));
        document_table(document, "kernel", &rows);
        document_note(
            document, MARK_NONE,
            "Preconditioner and vectors take the measured %s of each solve. Conversion pays from the "
            "number of solves in the last column on.",
            format_seconds(name, sizeof name,
                           advice->of->seconds[SOLVE_PRECONDITIONER] + advice->of->seconds[SOLVE_VECTORS]));
    }
    rows_free(&rows);
}

/* Write each reason once, although several solves may have it. */
static void add_reasons(struct document *document, const struct solve_advice *advice)
{
    for (int k = 0; k < advice->run_count; k++) {
        const struct solve *solve = advice->runs[k].solve;
        char name[SOLVE_NAME];
        bool said = !solve->reason[0];
        for (int j = 0; j < k && solve->end == SOLVE_REFUSED && !said; j++)
            said = strcmp(advice->runs[j].solve->reason, solve->reason) == 0;
        if (said) continue;
        if (solve->end == SOLVE_REFUSED)
            document_note(document, MARK_BAD, "%s.", solve->reason);
        else
            document_note(document, MARK_BAD, "%s: %s.", solve_name(solve, name, sizeof name), solve->reason);
    }
}

/* Move the rows of the advice into the document, because its tables refer to them. */
static void keep(struct document *document, struct solve_advice *advice)
{
    struct solve_outlook *runs = document_array(document, advice->run_count, sizeof *runs);
    struct solve_kernel *kernels_kept = document_array(document, advice->kernel_count, sizeof *kernels_kept);
    if (runs && kernels_kept) {
        memcpy(runs, advice->runs, (size_t)advice->run_count * sizeof *runs);
        if (advice->kernel_count > 0)
            memcpy(kernels_kept, advice->kernels, (size_t)advice->kernel_count * sizeof *kernels_kept);
    }
    free(advice->runs);
    free(advice->kernels);
    advice->runs = runs;
    advice->kernels = kernels_kept;
}

void document_solves(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case)
{
    struct solve_advice advice = {0};
    char verdict[256];
    if (matrix_case->solving.count == 0) return;
    if (session_solve_advice(session, matrix_case, &advice, NULL) != STATUS_OK) {
        document->failed = true;
        return;
    }
    keep(document, &advice);
    if (document->failed) return;
    document_section(document, "%s", part_solve.title);
    add_terms(document, &matrix_case->solving);
    if (add_runs(document, &advice, &part_solve)) {
        if (solve_verdict(&advice, verdict, sizeof verdict)[0])
            document_note(document, MARK_NONE, "%s", verdict);
        add_reasons(document, &advice);
        document_section(document, "%s", part_solve_time.title);
        add_runs(document, &advice, &part_solve_time);
        if (advice.kernel_count > 0) {
            document_section(document, "%s", part_solve_best.title);
            add_runs(document, &advice, &part_solve_best);
        }
        add_kernels(document, &advice);
    } else {
        add_reasons(document, &advice);
    }
}
