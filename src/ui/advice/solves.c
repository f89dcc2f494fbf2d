/* The section on solves: the residual of Krylov methods by iteration, the division of their time, and the
 * kernel for each. A key runs them, as an errand that is alone, since it is timed. */
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "columns/columns.h"
#include "drawing/flow.h"
#include "report/figures/convergence.h"
#include "report/figures/even.h"
#include "session/solve_advice.h"
#include "ui/advice/screen.h"
#include "ui/definitions.h"
#include "ui/widgets/panes.h"

#define CHART_HIGH 14
#define CHART_LOW \
    10 /* the same if the page has fewer than ROOMY lines, so that the beginning of the list is visible */
#define ROOMY 24
#define CHART_LEAST 6 /* lines of the smallest chart */
#define NAME_WIDE 24
#define KERNELS_FROM 92 /* from this width on, lines name the best kernel */

static enum status run_solves(void *argument, struct progress *progress, struct error *error)
{
    struct advice_solves *solves = argument;
    const struct solver_options options = solver_options_standard();
    struct error failure = {0};
    enum status status = solving_run(&solves->of->matrix.csr, &options, solves->session->limit, progress,
                                     &solves->solving, &failure);
    if (status == STATUS_OK || status == STATUS_CANCELLED) return status;
    snprintf(solves->refusal, sizeof solves->refusal, "%.*s", SOLVER_REASON - 1, failure.message);
    if (error) *error = failure;
    return status == STATUS_UNAVAILABLE ? STATUS_OK : status; /* the section says why */
}

void advice_solve(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    struct advice_solves *solves = &screen->solves;
    advice_page_show(screen, SECTION_SOLVES);
    if (!case_has_entries(explorer->session->shown)) {
        explorer_say(explorer, "Solves need the entries of the matrix.");
        return;
    }
    if (errand_pending(&solves->errand)) return;
    solves->session = explorer->session;
    solves->of = explorer->session->shown;
    solves->refusal[0] = '\0';
    solves->errand = (struct errand){
        .run = run_solves, .argument = solves, .state = ERRAND_WANTED, .alone = true, .title = "Solves"};
}

bool advice_request(struct explorer *explorer, struct errand *errand)
{
    if (errand->state == ERRAND_DONE || errand->state == ERRAND_FAILED) errand->state = ERRAND_NONE;
    if (!errand_pending(errand)) return false;
    if (errand->state == ERRAND_WANTED && errand_waits(errand, explorer->errand)) return false;
    explorer->errand = errand;
    return true;
}

bool advice_refresh_solves(struct explorer *explorer, struct advice_screen *screen)
{
    struct advice_solves *solves = &screen->solves;
    if (solves->errand.state == ERRAND_DONE) {
        if (solves->solving.count > 0) {
            solving_free(&solves->of->solving);
            solves->of->solving = solves->solving;
            /* The section has grown. */
            if (screen->focus == SECTION_SOLVES) advice_page_show(screen, SECTION_SOLVES);
        }
        solves->solving = (struct solving){0};
    }
    return advice_request(explorer, &solves->errand);
}

/* Write the source of the section's numbers, or the reason why it has none. */
static int draw_words(const struct advice_solves *solves, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    char prose[PROSE_SIZE];
    if (errand_pending(&solves->errand))
        flow_words(&flow, COLOUR_TEXT, "Solving A x = b...");
    else if (solves->refusal[0])
        flow_words(&flow, COLOUR_TEXT, solves->refusal);
    else
        flow_words(&flow, COLOUR_TEXT,
                   keys_prose(advice_actions,
                              "Not solved. {solve} solves A x = b by CG, BiCGSTAB and GMRES with five "
                              "preconditioners, and shows residuals, times and the best kernel.",
                              prose));
    return flow_lines(&flow);
}

/* The positions of the columns of the list. */
enum { AT_ITERATIONS = NAME_WIDE + 3, AT_TIME = AT_ITERATIONS + 8, AT_SHARES = AT_TIME + 10, SHARE_WIDE = 7 };

static void draw_heads(struct surface *surface, struct rect line)
{
    static const char *const heads[] = {"A x", "M", "vectors"};
    const int x = line.left + 1;
    surface_text_right(surface, line.top, x + AT_ITERATIONS, 7, COLOUR_DIM, 0, "steps");
    surface_text_right(surface, line.top, x + AT_TIME, 9, COLOUR_DIM, 0, "time");
    for (int k = 0; k < 3; k++)
        surface_text_right(surface, line.top, x + AT_SHARES + k * (SHARE_WIDE + 1), SHARE_WIDE, COLOUR_DIM, 0,
                           "%s", heads[k]);
    if (line.wide >= KERNELS_FROM)
        surface_text(surface, line.top, x + AT_SHARES + 3 * (SHARE_WIDE + 1) + 1, line.wide, COLOUR_DIM, 0,
                     "best kernel");
}

static void draw_kernel(const struct explorer *explorer, const struct solve_outlook *outlook,
                        struct surface *surface, struct rect rest)
{
    const struct solve_kernel *best = &outlook->best;
    char words[CHOICE_NAME + 64], from[32];
    if (!best->kernel[0]) return;
    snprintf(words, sizeof words, "%s%s%s%s", best->kernel, best->from > 1 ? " from " : "",
             best->from > 1 ? format_fitting(from, sizeof from, best->from, 7) : "",
             best->from > 1 ? " solves" : "");
    surface_text_short(surface, rest.top, rest.left, rest.wide, explorer->ascii, COLOUR_TEXT, 0, words);
}

static void draw_solve(const struct explorer *explorer, const struct convergence *convergence, int k,
                       const struct solve_outlook *outlook, struct surface *surface, struct rect line)
{
    const struct solve *solve = convergence->curves[k];
    const double all = solve_seconds(solve);
    const double shares[] = {solve->seconds[SOLVE_PRODUCTS],
                             solve->seconds[SOLVE_SETUP] + solve->seconds[SOLVE_PRECONDITIONER],
                             solve->seconds[SOLVE_VECTORS]};
    const enum colour colour = solve->end == SOLVE_CONVERGED ? COLOUR_TEXT : COLOUR_DIM;
    const int x = line.left + 1;
    char name[SOLVE_NAME], words[32];
    surface_text(surface, line.top, x, 1, convergence_colour(convergence, k), ATTRIBUTE_BOLD, "%c",
                 figure_letter(k));
    surface_text_short(surface, line.top, x + 2, NAME_WIDE, explorer->ascii, colour, 0,
                       solve_name(solve, name, sizeof name));
    surface_text_right(surface, line.top, x + AT_ITERATIONS, 7, colour, 0, "%s%s",
                       solve->end == SOLVE_CONVERGED ? "" : ">",
                       format_fitting(words, sizeof words, solve->iterations, 6));
    surface_text_right(surface, line.top, x + AT_TIME, 9, colour, 0, "%s",
                       advice_time(words, sizeof words, all));
    for (int s = 0; s < 3; s++)
        surface_text_right(surface, line.top, x + AT_SHARES + s * (SHARE_WIDE + 1), SHARE_WIDE, colour, 0,
                           "%s", format_rough(words, sizeof words, share_of(shares[s], all)));
    const int rest = AT_SHARES + 3 * (SHARE_WIDE + 1) + 1;
    if (line.wide >= KERNELS_FROM)
        draw_kernel(explorer, outlook, surface,
                    (struct rect){line.top, x + rest, 1, line.left + line.wide - x - rest});
}

/* Write why a solve was refused or broke down, each reason once. Returns the number of lines. */
static int draw_reasons(const struct solving *solving, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    for (int k = 0; k < solving->count; k++) {
        const struct solve *solve = &solving->runs[k];
        char name[SOLVE_NAME], words[SOLVER_REASON + SOLVE_NAME + 8];
        bool said = !solve->reason[0];
        for (int j = 0; j < k && !said; j++)
            said = strcmp(solving->runs[j].reason, solve->reason) == 0;
        if (said) continue;
        snprintf(words, sizeof words, "%s%s%s.",
                 solve->end == SOLVE_BROKEN ? solve_name(solve, name, sizeof name) : "",
                 solve->end == SOLVE_BROKEN ? ": " : "", solve->reason);
        if (flow_lines(&flow) > 0) flow_break(&flow);
        flow_words(&flow, COLOUR_DIM, words);
    }
    return flow_lines(&flow);
}

/* Draw the verdict. Returns the number of lines. */
static int draw_verdict(const struct solve_advice *advice, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    char verdict[256];
    if (!solve_verdict(advice, verdict, sizeof verdict)[0]) return 0;
    flow_words(&flow, COLOUR_ACCENT, verdict);
    return flow_lines(&flow);
}

/* Draw the list and the reasons from rect on. Returns the line below them. */
static int draw_list(const struct explorer *explorer, const struct solve_advice *advice,
                     const struct convergence *convergence, struct surface *surface, struct rect rect)
{
    int y = rect.top, k = 0;
    if (convergence->count > 0) draw_heads(surface, (struct rect){y++, rect.left, 1, rect.wide});
    for (int run = 0; run < advice->run_count && k < convergence->count; run++)
        if (advice->runs[run].solve == convergence->curves[k])
            draw_solve(explorer, convergence, k++, &advice->runs[run], surface,
                       (struct rect){y++, rect.left, 1, rect.wide});
    rect.high -= y - rect.top;
    rect.top = y;
    return y + draw_reasons(advice->solving, surface, rect);
}

int advice_draw_solves(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect)
{
    const struct matrix_case *of = explorer->session->shown;
    const struct solving *solving = &of->solving;
    const struct advice *kernels_here = &screen->advices.items[ADVICE_CPU];
    const struct convergence convergence = convergence_of(solving);
    struct solve_advice advice = {0};
    const int top = rect.top;
    if (solving->count == 0) return draw_words(&screen->solves, surface, rect);
    const bool plain = screen->precision == PRECISION_F64;
    if ((of->told && plain
             ? solve_advice_told(of, &advice, NULL)
             : solve_advice_of(solving, plain ? kernels_here : NULL, &advice, NULL)) != STATUS_OK)
        return 0;
    const int words = draw_verdict(&advice, surface, rect);
    rect.top += words;
    rect.high -= words;
    if (convergence.count > 0 && rect.high >= CHART_LEAST) {
        struct cells cells;
        const int high = screen->page.window.high >= ROOMY ? CHART_HIGH : CHART_LOW;
        struct rect plot = {rect.top, rect.left, (int)min(high, rect.high), rect.wide};
        struct canvas canvas = pane_canvas(explorer, &cells, surface, plot);
        struct chart chart = {.canvas = &canvas, .across = {.title = "iterations"}};
        surface_text(surface, rect.top, rect.left + 1, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD,
                     "residual ||r|| / ||b|| of each solve");
        convergence_draw(&convergence, &chart, canvas.line, plot.high * canvas.line);
        convergence_mark(&convergence, &chart);
        rect.top += plot.high;
        rect.high -= plot.high;
    }
    const int end = draw_list(explorer, &advice, &convergence, surface, rect);
    solve_advice_free(&advice);
    return end - top;
}

bool advice_define_solve(int k, struct definition *definition)
{
    static const char *const keys[] = {"iterations",          "time.all_us",   "time.products",
                                       "time.preconditioner", "time.vectors",  "best.kernel",
                                       "best.from",           "true_residual", NULL};
    if (!definition_listed(solve_columns, keys, k, definition)) return false;
    definition->here = k == 0; /* the section has the cursor, but no items */
    return true;
}
