/* Convergence: the residual of each solve over its iterations. */
#include "report/figures/convergence.h"

#include <math.h>
#include <stdio.h>

#include "analysis/solvers/preconditioner.h"
#include "base/text.h"
#include "drawing/number.h"
#include "report/figures/even.h"
#include "report/figures/figure.h"

#define LABEL_WIDE 8
#define HIGHEST 1e3 /* residuals beyond are not drawn */

static const enum colour colours[PRECONDITIONERS] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_GOOD, COLOUR_MARK,
                                                     COLOUR_ACCENT};

struct convergence convergence_of(const struct solving *solving)
{
    struct convergence convergence = {.tolerance = solving->options.tolerance, .most = 2};
    for (int k = 0; k < solving->count && convergence.count < CONVERGENCE_CURVES; k++) {
        const struct solve *solve = &solving->runs[k];
        if (solve->end == SOLVE_REFUSED || solve->iterations == 0) continue;
        convergence.curves[convergence.count++] = solve;
        convergence.most = fmax(convergence.most, (double)solve->iterations);
    }
    return convergence;
}

enum colour convergence_colour(const struct convergence *convergence, int k)
{
    int kind = 0;
    while (preconditioners[kind] && preconditioners[kind] != convergence->curves[k]->preconditioner)
        kind++;
    return colours[kind % PRECONDITIONERS];
}

/* Return the residual at an iteration. Between two iterations its logarithm is linear; NaN beyond the
 * last. */
static double height_of(const void *argument, double iteration)
{
    const struct solve *solve = argument;
    const int64_t k = (int64_t)floor(iteration);
    const double share = iteration - (double)k;
    if (k > solve->iterations || (k == solve->iterations && share > 0)) return NAN;
    if (share == 0) return solve->curve[k];
    return exp((1 - share) * log(solve->curve[k]) + share * log(solve->curve[k + 1]));
}

static void write_residual(double residual, char *out, size_t size)
{
    number_text(out, size, residual, LABEL_WIDE - 1);
}

static void write_count(double count, char *out, size_t size)
{
    format_tick(out, size, count);
}

/* Include the residuals of a curve. */
static void include(struct chart *chart, const struct solve *solve)
{
    for (int64_t k = 0; k <= solve->iterations; k++) {
        if (!(solve->curve[k] > 0)) continue;
        chart->up.from = fmin(chart->up.from, solve->curve[k]);
        chart->up.to = fmax(chart->up.to, fmin(solve->curve[k], HIGHEST));
    }
}

void convergence_draw(const struct convergence *convergence, struct chart *chart, double top, double bottom)
{
    struct canvas *canvas = chart->canvas;
    chart->across.from = 1;
    chart->across.to = convergence->most;
    chart->across.label = write_count;
    chart->up.label = write_residual;
    chart->across.logarithmic = chart->up.logarithmic = true;
    chart->up.from = convergence->tolerance;
    chart->up.to = 1;
    for (int k = 0; k < convergence->count; k++)
        include(chart, convergence->curves[k]);
    chart->up.from = fmax(chart->up.from, convergence->tolerance * 1e-3) / 2;
    chart->up.to *= 2;
    chart_place(chart, top, bottom, LABEL_WIDE);
    chart_axes(chart);
    chart_line(chart, 1, convergence->tolerance, convergence->most, convergence->tolerance, COLOUR_DIM, true);
    for (int k = convergence->count - 1; k >= 0; k--) {
        canvas->mark = figure_letter(k);
        chart_curve(chart, height_of, convergence->curves[k], convergence_colour(convergence, k), false);
    }
    canvas->mark = 0;
}

void convergence_mark(const struct convergence *convergence, const struct chart *chart)
{
    for (int k = 0; k < convergence->count; k++) {
        const struct solve *solve = convergence->curves[k];
        const double residual = fmin(fmax(solve->residual, chart->up.from), chart->up.to);
        if (isfinite(solve->residual))
            canvas_text(chart->canvas, chart_x(chart, fmax(1, (double)solve->iterations)),
                        chart_y(chart, residual), ANCHOR_MIDDLE, convergence_colour(convergence, k),
                        WRITING_BOLD, "%c", figure_letter(k));
    }
}

static enum status check_solves(const struct figure_subject *subject, struct error *error)
{
    const struct convergence convergence = convergence_of(&subject->of->solving);
    if (convergence.count > 0) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, subject->of->matrix.path, 0, 0,
                    "nothing to draw: no method has solved with this matrix");
}

/* Curves begin at the top and fall at the right, so the list of them is at the lower left. */
static void name_curves(const struct convergence *convergence, const struct chart *chart)
{
    struct canvas *canvas = chart->canvas;
    for (int k = 0; k < convergence->count; k++) {
        const struct solve *solve = convergence->curves[k];
        const double y = chart->top + chart->high - (convergence->count - k + 0.5) * canvas->line;
        char name[SOLVE_NAME], seconds[32], count[32];
        if (y < chart->top) continue;
        canvas_text(canvas, chart->left + canvas->column, y, ANCHOR_START, convergence_colour(convergence, k),
                    0, "%c %s: %s in %s%s", figure_letter(k), solve_name(solve, name, sizeof name),
                    format_count(count, sizeof count, solve->iterations),
                    format_seconds(seconds, sizeof seconds, solve_seconds(solve)),
                    solve->end == SOLVE_CONVERGED ? "" : ", not converged");
    }
}

static enum status draw_solves(const struct figure_subject *subject, struct canvas *canvas,
                               struct error *error)
{
    const struct convergence convergence = convergence_of(&subject->of->solving);
    struct chart chart = {
        .canvas = canvas, .across = {.title = "iterations"}, .up = {.title = "||r|| / ||b||"}};
    const double top = figure_heading(subject, canvas, "Residual of each solve by iteration, with its time");
    convergence_draw(&convergence, &chart, top + 0.5 * canvas->line, canvas->high - 0.25 * canvas->line);
    convergence_mark(&convergence, &chart);
    name_curves(&convergence, &chart);
    return STATUS_OK;
}

const struct figure figure_solve = {
    .name = "solve",
    .summary = "residuals of Krylov methods by iteration (--solve chooses)",
    .needs = SESSION_MATRIX,
    .solves = true,
    .check = check_solves,
    .draw = draw_solves,
};
