/* The sections on an analysis that no other screen needs: sparse products and precisions. The one with the
 * cursor is computed as an errand, before forecasts, which begin again afterwards. */
#include <stdio.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/everywhere.h"

static const struct {
    enum session_part part;
    const char *title, *waiting, *needs;
} analyses[ADVICE_ANALYSES] = {
    [SECTION_SPGEMM - ADVICE_ANALYSIS_FIRST] = {SESSION_SPGEMM, "Sparse products",
                                                "Counting the entries of sparse products...",
                                                "Sparse products need the entries of the matrix."},
    [SECTION_ROUNDING - ADVICE_ANALYSIS_FIRST] = {SESSION_PRECISIONS, "Precisions",
                                                  "Measuring the errors of products in each precision...",
                                                  "Errors of products need the entries of the matrix."},
};

static enum status run_analysis(void *argument, struct progress *progress, struct error *error)
{
    struct advice_analysis *analysis = argument;
    struct error failure = {0};
    enum status status = session_need(analysis->session, analysis->of, analysis->part, progress, &failure);
    if (status == STATUS_OK || status == STATUS_CANCELLED) return status;
    snprintf(analysis->refusal, sizeof analysis->refusal, "%.*s", (int)sizeof analysis->refusal - 1,
             failure.message);
    if (error) *error = failure;
    return status;
}

/* Request the analysis of a section, unless it is known or pending. */
static void want(struct explorer *explorer, struct advice_screen *screen, int k)
{
    struct advice_analysis *analysis = &screen->analyses[k];
    struct matrix_case *of = explorer->session->shown;
    if (!case_has_entries(of) || case_has(of, analyses[k].part) || errand_pending(&analysis->errand)) return;
    *analysis = (struct advice_analysis){
        .session = explorer->session,
        .of = of,
        .part = analyses[k].part,
        .errand = {.run = run_analysis, .state = ERRAND_WANTED, .title = analyses[k].title}};
    analysis->errand.argument = analysis;
}

void advice_analyse(struct explorer *explorer, void *state, int section)
{
    struct advice_screen *screen = state;
    advice_page_show(screen, (enum advice_section)section);
    want(explorer, screen, section - ADVICE_ANALYSIS_FIRST);
}

/* Let an errand run now. Only timed work is not stopped for it. */
static bool request(struct explorer *explorer, struct errand *errand)
{
    if (!errand_pending(errand)) return false;
    if (errand_waits(errand, explorer->errand) && explorer->errand->alone) return false;
    explorer->errand = errand;
    return true;
}

bool advice_refresh_analyses(struct explorer *explorer, struct advice_screen *screen)
{
    const int here = (int)screen->focus - ADVICE_ANALYSIS_FIRST;
    for (int k = 0; k < ADVICE_ANALYSES; k++) {
        struct errand *errand = &screen->analyses[k].errand;
        /* After a failure the user has to ask. */
        if (k == here && errand->state == ERRAND_NONE) want(explorer, screen, k);
        if (errand->state != ERRAND_DONE) continue;
        errand->state = ERRAND_NONE;
        if (k == here) advice_page_show(screen, screen->focus); /* it has grown */
    }
    if (here >= 0 && here < ADVICE_ANALYSES && request(explorer, &screen->analyses[here].errand)) return true;
    for (int k = 0; k < ADVICE_ANALYSES; k++)
        if (request(explorer, &screen->analyses[k].errand)) return true;
    return false;
}

int advice_draw_missing(const struct explorer *explorer, const struct advice_screen *screen,
                        enum advice_section section, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, rect.high, rect.wide - 2}};
    const int k = (int)section - ADVICE_ANALYSIS_FIRST;
    const struct advice_analysis *analysis = &screen->analyses[k];
    const struct matrix_case *of = explorer->session->shown;
    char words[PROSE_SIZE], key[KEY_TEXT];
    if (case_has(of, analyses[k].part)) return 0;
    if (!case_has_entries(of))
        snprintf(words, sizeof words, "%s", analyses[k].needs);
    else if (errand_pending(&analysis->errand))
        snprintf(words, sizeof words, "%s %s stops.", analyses[k].waiting,
                 everywhere_key(DEMAND_CANCEL, key));
    else if (analysis->errand.state == ERRAND_FAILED && analysis->refusal[0])
        snprintf(words, sizeof words, "%s", analysis->refusal);
    else
        snprintf(words, sizeof words, "%s. %c computes it.",
                 analysis->errand.state == ERRAND_FAILED ? "Cancelled" : "Not computed",
                 advice_sections[section].key);
    flow_words(&flow, COLOUR_TEXT, words);
    return flow_lines(&flow);
}
