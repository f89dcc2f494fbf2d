/* The section on triangular solves: the time of each kernel for solves with both triangles, and for steps of
 * symmetric Gauss-Seidel. A key times them, as an errand that is alone. */
#include <stdio.h>

#include "base/threads.h"
#include "columns/columns.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/definitions.h"
#include "ui/widgets/panes.h"

static enum status time_trisolves(void *argument, struct progress *progress, struct error *error)
{
    struct advice_trisolves *timed = argument;
    struct error failure = {0};
    enum status status =
        trisolves_run(&timed->of->matrix.csr, (1u << TRISOLVE_OPERATIONS) - 1, threads_count(),
                      timed->session->limit, progress, &timed->trisolves, &failure);
    if (status == STATUS_OK || status == STATUS_CANCELLED) return status;
    snprintf(timed->refusal, sizeof timed->refusal, "%.*s", (int)sizeof timed->refusal - 1, failure.message);
    if (error) *error = failure;
    return status == STATUS_UNAVAILABLE ? STATUS_OK : status; /* the section says why */
}

void advice_time_trisolves(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    struct advice_trisolves *timed = &screen->trisolves;
    advice_page_show(screen, SECTION_TRISOLVES);
    if (!case_has_entries(explorer->session->shown)) {
        explorer_say(explorer, "Triangular solves need the entries of the matrix.");
        return;
    }
    if (errand_pending(&timed->errand)) return;
    timed->session = explorer->session;
    timed->of = explorer->session->shown;
    timed->refusal[0] = '\0';
    timed->errand = (struct errand){.run = time_trisolves,
                                    .argument = timed,
                                    .state = ERRAND_WANTED,
                                    .alone = true,
                                    .title = "Triangular solves"};
}

bool advice_refresh_trisolves(struct explorer *explorer, struct advice_screen *screen)
{
    struct advice_trisolves *timed = &screen->trisolves;
    if (timed->errand.state == ERRAND_DONE && timed->trisolves.count > 0) {
        trisolves_free(&timed->of->trisolves);
        timed->of->trisolves = timed->trisolves;
        timed->trisolves = (struct trisolves){0};
        if (screen->focus == SECTION_TRISOLVES)
            advice_page_show(screen, SECTION_TRISOLVES); /* it has grown */
    }
    return advice_request(explorer, &timed->errand);
}

/* Say how the section comes by its numbers, or why it has none. */
static int draw_words(const struct advice_trisolves *timed, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    char prose[PROSE_SIZE];
    if (errand_pending(&timed->errand))
        flow_words(&flow, COLOUR_TEXT, "Timing triangular solves...");
    else if (timed->refusal[0])
        flow_words(&flow, COLOUR_TEXT, timed->refusal);
    else
        flow_words(
            &flow, COLOUR_TEXT,
            keys_prose(advice_actions,
                       "Not timed. {run solves} runs solves with both triangles and steps of symmetric "
                       "Gauss-Seidel by each kernel, and checks them.",
                       prose));
    return flow_lines(&flow);
}

/* Where the columns of the list are: those of a report's table, as many as there is room for. */
#define NAME_WIDE 15
#define CELL_WIDE 9

static const struct column *next_headed(const struct column *column)
{
    while (column && !column->heading)
        column = column_next(column);
    return column;
}

static const struct column *first_headed(void)
{
    return next_headed(column_first(trisolve_columns, &part_trisolve));
}

static void draw_heads(const char *title, struct surface *surface, struct rect line)
{
    const int end = line.left + line.wide;
    int x = line.left + 1 + NAME_WIDE;
    surface_text(surface, line.top, line.left + 1, NAME_WIDE, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", title);
    for (const struct column *column = first_headed(); column && x + CELL_WIDE < end;
         column = next_headed(column_next(column)), x += CELL_WIDE + 1)
        surface_text_right(surface, line.top, x, CELL_WIDE, COLOUR_DIM, 0, "%s", column->heading);
}

static void draw_run(const struct explorer *explorer, const struct trisolve_run *run, bool best,
                     struct surface *surface, struct rect line)
{
    const struct subject subject = {.trisolve = run};
    const enum colour colour = best ? COLOUR_ACCENT : COLOUR_TEXT;
    const int end = line.left + line.wide;
    int x = line.left + 1 + NAME_WIDE;
    char words[48];
    surface_text_short(surface, line.top, line.left + 1, NAME_WIDE, explorer->ascii, colour, 0, run->name);
    for (const struct column *column = first_headed(); column && x + CELL_WIDE < end;
         column = next_headed(column_next(column)), x += CELL_WIDE + 1)
        surface_text_right(surface, line.top, x, CELL_WIDE, colour, 0, "%s",
                           value_brief(column, column_get(column, &subject), CELL_WIDE, words, sizeof words));
}

/* The run of an operation that took the least time; NULL if none has a time. */
static const struct trisolve_run *fastest(const struct trisolves *trisolves,
                                          enum trisolve_operation operation)
{
    const struct trisolve_run *best = NULL;
    for (int k = 0; k < trisolves->count; k++) {
        const struct trisolve_run *run = &trisolves->runs[k];
        if (run->operation != operation || run->reason[0] || run->samples.count == 0) continue;
        if (!best || run->samples.time < best->samples.time) best = run;
    }
    return best;
}

/* Draw the runs of an operation. Returns the line behind them. */
static int draw_operation(const struct explorer *explorer, const struct trisolves *trisolves,
                          enum trisolve_operation operation, struct surface *surface, struct rect rect)
{
    static const char *const titles[] = {"lower triangle", "upper triangle", "SymGS step"};
    const struct trisolve_run *best = fastest(trisolves, operation);
    int y = rect.top;
    if (!best) return y;
    draw_heads(titles[operation], surface, (struct rect){y++, rect.left, 1, rect.wide});
    for (int k = 0; k < trisolves->count; k++) {
        const struct trisolve_run *run = &trisolves->runs[k];
        if (run->operation == operation && !run->reason[0] && run->samples.count > 0)
            draw_run(explorer, run, run == best, surface, (struct rect){y++, rect.left, 1, rect.wide});
    }
    return y + 1;
}

/* Write each reason once, although several operations may have it. Returns the number of lines. */
static int draw_reasons(const struct trisolves *trisolves, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    for (int k = 0; k < trisolves->count; k++) {
        const char *reason = trisolves_reason(trisolves, k);
        char words[TRISOLVE_REASON + 64];
        if (!reason[0]) continue;
        snprintf(words, sizeof words, "%s: %s.", trisolves->runs[k].name, reason);
        if (flow_lines(&flow) > 0) flow_break(&flow);
        flow_words(&flow, COLOUR_DIM, words);
    }
    return flow_lines(&flow);
}

int advice_draw_trisolves(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                          struct rect rect)
{
    const struct trisolves *trisolves = &explorer->session->shown->trisolves;
    int y = rect.top;
    if (trisolves->count == 0) return draw_words(&screen->trisolves, surface, rect);
    for (int k = 0; k < TRISOLVE_OPERATIONS; k++)
        y = draw_operation(explorer, trisolves, (enum trisolve_operation)k, surface,
                           (struct rect){y, rect.left, rect.high - (y - rect.top), rect.wide});
    y += draw_reasons(trisolves, surface, (struct rect){y, rect.left, rect.high - (y - rect.top), rect.wide});
    return y - rect.top;
}

bool advice_define_trisolve(int k, struct definition *definition)
{
    static const char *const keys[] = {"us", "gflops", "speedup", "prepare_us", "levels", "waits", NULL};
    if (!definition_listed(trisolve_columns, keys, k, definition)) return false;
    definition->here = k == 0; /* the section has the cursor, but no items */
    return true;
}
