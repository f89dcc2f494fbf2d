/* What is known: the advice, which is made again when runs or forecasts come, and the errand that makes the
 * forecasts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/advice/screen.h"
#include "ui/everywhere.h"

static enum status foretell(void *argument, struct progress *progress, struct error *error)
{
    const struct foretelling *foretelling = argument;
    return session_foresight(foretelling->session, foretelling->of, foretelling->precision, progress, error);
}

static bool is_foretold(const struct explorer *explorer, const struct advice_screen *screen)
{
    return foresight_complete(&explorer->session->shown->foresight[screen->precision]);
}

/* Ask for the forecasts of the case and in the precision that are shown, unless they are there or were
 * refused. */
static void ask(struct explorer *explorer, struct advice_screen *screen)
{
    struct errand *errand = &screen->errand;
    const struct foretelling *now = &screen->foretelling;
    struct matrix_case *of = explorer->session->shown;
    bool other = now->precision != screen->precision || now->of != of;
    if (errand->state == ERRAND_DONE || (other && errand->state != ERRAND_RUNNING))
        errand->state = ERRAND_NONE;
    if (other && errand->state == ERRAND_RUNNING) errand->unwanted = true;
    if (errand->state == ERRAND_NONE && !is_foretold(explorer, screen)) {
        screen->foretelling = (struct foretelling){explorer->session, of, screen->precision};
        *errand = (struct errand){
            .run = foretell, .argument = &screen->foretelling, .state = ERRAND_WANTED, .title = "Advice"};
    }
    if (errand->state == ERRAND_WANTED || errand->state == ERRAND_RUNNING) explorer->errand = errand;
}

/* Put the cursor on the candidate that it was on before, if it is there still. */
static void follow(struct advice_screen *screen, const struct kernel_choice *before)
{
    const struct advice *advice = advice_shown(screen);
    int count = advice ? advice->count : 0;
    for (int k = 0; before->kernel && k < count; k++)
        if (kernel_choice_same(&advice->candidates[k].result->choice, before)) {
            screen->cursor = k;
            return;
        }
    if (screen->cursor >= count) screen->cursor = count > 0 ? count - 1 : 0;
}

/* Unless the user has chosen a place that there is advice for, show that on which most was measured, of equal
 * ones the first. */
static void settle_place(struct advice_screen *screen)
{
    const struct advice *items = screen->advices.items;
    int best = -1;
    if (screen->chosen && items[screen->place].there) return;
    for (int k = 0; k < ADVICE_PLACES; k++)
        if (items[k].there && (best < 0 || items[k].measured > items[best].measured)) best = k;
    if (best >= 0) screen->place = (enum advice_place)best;
}

void advice_refresh(struct explorer *explorer, struct advice_screen *screen)
{
    struct session *session = explorer->session;
    struct matrix_case *of = session->shown;
    struct error error = {0};
    char text[sizeof explorer->message];
    const struct advice_candidate *chosen;
    ask(explorer, screen);
    bool foretold = is_foretold(explorer, screen), gpu = session_has(session, SESSION_GPU);
    if (screen->made && screen->of == of && screen->runs_added == of->runs.added &&
        screen->runs_count == of->runs.count && screen->foretold == foretold && screen->has_gpu == gpu)
        return;
    bool same = screen->made && screen->of == of && screen->runs_count <= of->runs.count;
    chosen = same && screen->cursor > 0 ? advice_candidate_shown(screen) : NULL;
    const struct kernel_choice before =
        chosen ? chosen->result->choice : (struct kernel_choice){.kernel = NULL};
    advices_free(&screen->advices);
    screen->made = true;
    screen->of = of;
    screen->runs_added = of->runs.added;
    screen->runs_count = of->runs.count;
    screen->foretold = foretold;
    screen->has_gpu = gpu;
    if (session_advise(session, of, screen->precision, &screen->advices, &error) != STATUS_OK) {
        advices_free(&screen->advices);
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    }
    settle_place(screen);
    follow(screen, &before);
}

const struct advice *advice_shown(const struct advice_screen *screen)
{
    const struct advice *advice = &screen->advices.items[screen->place];
    return advice->there ? advice : NULL;
}

const struct advice_candidate *advice_candidate_shown(const struct advice_screen *screen)
{
    const struct advice *advice = advice_shown(screen);
    return advice && screen->cursor < advice->count ? &advice->candidates[screen->cursor] : NULL;
}

const char *advice_missing(const struct explorer *explorer, const struct advice_screen *screen,
                           char out[PROSE_SIZE])
{
    char key[KEY_TEXT];
    bool any = advice_shown(screen) != NULL;
    out[0] = 0;
    if (is_foretold(explorer, screen)) {
        if (!any) snprintf(out, PROSE_SIZE, "No kernel is measured or forecast for this matrix.");
        return out;
    }
    if (screen->errand.state == ERRAND_FAILED)
        snprintf(out, PROSE_SIZE, "Forecasting was cancelled. Press %s to resume.",
                 everywhere_key(DEMAND_CANCEL, key));
    else
        snprintf(out, PROSE_SIZE, "%s",
                 any ? "Forecasting the other kernels..." : "Forecasting kernel times...");
    return out;
}

char *advice_time(char *out, size_t size, double seconds)
{
    format_seconds(out, size, seconds);
    if (strlen(out) > 8) snprintf(out, size, "%.0e s", seconds);
    return out;
}
