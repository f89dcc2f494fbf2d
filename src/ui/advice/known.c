/* The inputs of the advice. New runs or forecasts renew it. An errand makes the forecasts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kernels/timing/processor_sure.h"
#include "ui/advice/screen.h"
#include "ui/everywhere.h"

/* Calibrate the processor and save the result. If a saved profile is more reliable, use that instead. */
static enum status calibrate(struct processor *processor, size_t limit, struct progress *progress,
                             struct error *error)
{
    struct processor kept;
    struct text path = {0};
    enum status status = processor_calibrate(processor, PROCESSOR_TIMES, limit, progress, error);
    if (status != STATUS_OK) return status;
    processor_find(&kept);
    if (processor_is_surer(&kept, processor))
        *processor = kept;
    else
        processor_learn(processor, &path, NULL); /* if it cannot be saved, this process still uses it */
    text_free(&path);
    return STATUS_OK;
}

static enum status foretell(void *argument, struct progress *progress, struct error *error)
{
    struct foretelling *foretelling = argument;
    struct session *session = foretelling->session;
    if (foretelling->deed == DEED_LEARN)
        return processor_here(&foretelling->processor, PROCESSOR_PROBED, session->limit, progress, error);
    if (foretelling->deed == DEED_CALIBRATE)
        return calibrate(&foretelling->processor, session->limit, progress, error);
    if (foretelling->deed == DEED_AGAIN)
        return foresight_forecast_again(session, foretelling->of, foretelling->foresight,
                                        &foretelling->processor, &foretelling->again, progress, error);
    /* The table of orders shows numbers of the structure. If they fail, it omits them. */
    if (session->case_count > 1 && case_has_entries(foretelling->of) &&
        session_need(session, foretelling->of, SESSION_STRUCTURE, progress, NULL) == STATUS_CANCELLED)
        return error_set(error, STATUS_CANCELLED, "cancelled");
    return session_foresight(session, foretelling->of, foretelling->foresight, progress, error);
}

/* The forecasts of a case for the shown product and precision. */
static const struct foresight *foresight_of(const struct explorer *explorer,
                                            const struct advice_screen *screen, const struct matrix_case *of)
{
    return case_foresight(of, screen->precision, explorer->product);
}

static const struct foresight *foresight_shown(const struct explorer *explorer,
                                               const struct advice_screen *screen)
{
    return foresight_of(explorer, screen, explorer->session->shown);
}

static bool is_foretold(const struct explorer *explorer, const struct advice_screen *screen)
{
    return foresight_complete(foresight_shown(explorer, screen));
}

/* Take the results of the errand. No work reads them meanwhile, since this thread starts all work. */
static void take(struct explorer *explorer, struct advice_screen *screen)
{
    struct foretelling *found = &screen->foretelling;
    struct session *session = explorer->session;
    char said[PROCESSOR_WORDS];
    if (found->deed == DEED_LEARN || found->deed == DEED_CALIBRATE) {
        bool other = memcmp(&session->processor, &found->processor, sizeof session->processor) != 0;
        screen->learnt = true;
        session->processor = found->processor;
        session->processor_version += other;
        if (found->deed == DEED_CALIBRATE)
            explorer_say(explorer, "Processor: %s", processor_say(&session->processor, said));
    }
    if (found->deed == DEED_AGAIN) {
        foresight_take_again(found->foresight, &found->again, session->processor_version);
        foresight_again_free(&found->again);
    }
}

/* The next deed for a case. False if nothing is left to do. */
static bool next_deed(const struct explorer *explorer, const struct advice_screen *screen,
                      const struct matrix_case *of, enum foretelling_deed *deed)
{
    const struct session *session = explorer->session;
    const struct foresight *foresight = foresight_of(explorer, screen, of);
    const bool some = foresight_count(foresight) > 0;
    *deed = screen->calibrate                ? DEED_CALIBRATE
            : !foresight_complete(foresight) ? DEED_FORETELL
            : some && !screen->learnt        ? DEED_LEARN
                                             : DEED_AGAIN;
    return *deed != DEED_AGAIN || (some && foresight->version != session->processor_version);
}

/* The case that needs a deed next: the shown one, then the others, to compare orders. NULL if none does. */
static struct matrix_case *next_case(const struct explorer *explorer, const struct advice_screen *screen,
                                     enum foretelling_deed *deed)
{
    struct session *session = explorer->session;
    if (next_deed(explorer, screen, session->shown, deed)) return session->shown;
    for (int k = 0; k < session->case_count; k++)
        if (case_has_entries(&session->cases[k]) && next_deed(explorer, screen, &session->cases[k], deed))
            return &session->cases[k];
    return NULL;
}

/* True if the errand is for the shown product and precision, in any order. */
static bool is_wanted(const struct explorer *explorer, const struct advice_screen *screen)
{
    const struct session *session = explorer->session;
    for (int k = 0; k < session->case_count; k++)
        if (foresight_of(explorer, screen, &session->cases[k]) == screen->foretelling.foresight) return true;
    return false;
}

static void begin(struct explorer *explorer, struct advice_screen *screen)
{
    struct session *session = explorer->session;
    enum foretelling_deed deed;
    struct matrix_case *of = next_case(explorer, screen, &deed);
    struct foresight *foresight =
        of ? case_want_foresight(of, screen->precision, explorer->product, NULL) : NULL;
    if (!foresight) return;
    screen->calibrate = false;
    screen->foretelling = (struct foretelling){session, of, foresight, deed, session->processor, {0}};
    screen->errand = (struct errand){.run = foretell,
                                     .argument = &screen->foretelling,
                                     .state = ERRAND_WANTED,
                                     .alone = deed == DEED_LEARN || deed == DEED_CALIBRATE,
                                     .yields = deed == DEED_LEARN,
                                     .title = deed == DEED_CALIBRATE ? "Calibration" : "Advice"};
}

/* Request missing forecasts, unless they failed or were cancelled, and better inputs. */
static void ask(struct explorer *explorer, struct advice_screen *screen)
{
    struct errand *errand = &screen->errand;
    const struct foretelling *now = &screen->foretelling;
    if (!case_want_foresight(explorer->session->shown, screen->precision, explorer->product, NULL)) return;
    const bool other = !is_wanted(explorer, screen);
    if (errand->state == ERRAND_DONE) take(explorer, screen);
    if (errand->state == ERRAND_FAILED && now->deed != DEED_FORETELL) { /* the known forecasts suffice */
        screen->learnt = true;
        screen->calibrate = false;
        errand->state = ERRAND_NONE;
    }
    if (errand->state == ERRAND_DONE || (other && errand->state != ERRAND_RUNNING))
        errand->state = ERRAND_NONE;
    if (other && errand->state == ERRAND_RUNNING && now->deed == DEED_FORETELL) errand->unwanted = true;
    if (errand->state == ERRAND_NONE) begin(explorer, screen);
    if (errand_pending(errand)) explorer->errand = errand;
}

/* Keep the cursor on its candidate, if that still exists. */
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

/* Unless the user has chosen a machine with advice, show the machine with the most measurements. The first of
 * tied machines wins. */
static void settle_place(struct advice_screen *screen)
{
    const struct advice *items = screen->advices.items;
    int best = -1;
    if (screen->chosen && items[screen->place].there) return;
    for (int k = 0; k < ADVICE_PLACES; k++)
        if (items[k].there && (best < 0 || items[k].measured > items[best].measured)) best = k;
    if (best >= 0) screen->place = (enum advice_place)best;
}

void advice_calibrate(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    if (!case_has_entries(explorer->session->shown)) {
        explorer_say(explorer, "Calibration serves forecasts, which need the entries of the matrix.");
        return;
    }
    screen->calibrate = true;
    explorer_say(explorer, "Calibrating the processor takes half a minute.");
}

static void refresh(struct explorer *explorer, struct advice_screen *screen)
{
    struct session *session = explorer->session;
    struct matrix_case *of = session->shown;
    struct error error = {0};
    const struct advice_candidate *chosen;
    if (!advice_refresh_analyses(explorer, screen) && !advice_refresh_solves(explorer, screen) &&
        !advice_refresh_trisolves(explorer, screen)) {
        ask(explorer, screen);
        if (!advice_refresh_solves(explorer,
                                   screen)) /* after the forecasts, if there is nothing left of these */
            advice_refresh_trisolves(explorer, screen);
    }
    bool foretold = is_foretold(explorer, screen), gpu = session_has(session, SESSION_GPU);
    const struct foresight *foresight = foresight_shown(explorer, screen);
    const int version = foretold ? foresight->version : 0, groups = foresight_count(foresight);
    const struct advice_question question = {screen->precision, explorer->product, explorer->cold, true};
    const int64_t cases = order_effects_state(session, question);
    if (screen->made && screen->processor_version == version && screen->of == of &&
        screen->cold == explorer->cold && screen->foresight == foresight &&
        screen->runs_added == of->runs.added && screen->runs_count == of->runs.count &&
        screen->foretold == foretold && screen->groups == groups && screen->has_gpu == gpu &&
        screen->cases == cases)
        return;
    bool same = screen->made && screen->of == of && screen->runs_count <= of->runs.count;
    const struct advice *before_it = advice_shown(screen);
    chosen = same && before_it && screen->cursor > 0 && screen->cursor < before_it->count
                 ? &before_it->candidates[screen->cursor]
                 : NULL;
    const struct kernel_choice before =
        chosen ? chosen->result->choice : (struct kernel_choice){.kernel = NULL};
    advices_free(&screen->advices);
    screen->made = true;
    screen->of = of;
    screen->runs_added = of->runs.added;
    screen->runs_count = of->runs.count;
    screen->foretold = foretold;
    screen->groups = groups;
    screen->has_gpu = gpu;
    screen->cases = cases;
    screen->foresight = foresight;
    screen->cold = explorer->cold;
    screen->processor_version = version;
    if (session_advise(session, of, question, &screen->advices, &error) != STATUS_OK) {
        advices_free(&screen->advices);
        explorer_say_error(explorer, &error);
    }
    settle_place(screen);
    follow(screen, &before);
}

void advice_refresh(struct explorer *explorer, struct advice_screen *screen)
{
    refresh(explorer, screen);
    advice_find_bars(screen);
}

const struct advice *advice_shown(const struct advice_screen *screen)
{
    const struct advice *advice = &screen->advices.items[screen->place];
    return advice->there ? advice : NULL;
}

const struct advice_candidate *advice_candidate_shown(const struct advice_screen *screen)
{
    const struct advice *advice = advice_shown(screen);
    const bool bars = screen->focus == SECTION_WHY && screen->bar < screen->bar_count;
    const int at = bars ? screen->bars[screen->bar].candidate : screen->cursor;
    return advice && at < advice->count ? &advice->candidates[at] : NULL;
}

int advice_cursor_of(struct advice_screen *screen, enum advice_section section)
{
    const struct advice *advice = advice_shown(screen);
    int *kept = &screen->kept[section];
    if (section == screen->focus) *kept = screen->cursor;
    if (advice && *kept >= advice->count) *kept = 0;
    return *kept;
}

const char *advice_missing(const struct explorer *explorer, const struct advice_screen *screen,
                           char out[PROSE_SIZE])
{
    char key[KEY_TEXT], words[PROCESSOR_WORDS], remedy[PROSE_SIZE];
    const struct processor *processor = &explorer->session->processor;
    bool any = advice_shown(screen) != NULL;
    out[0] = 0;
    if (is_foretold(explorer, screen)) {
        const bool doubt =
            any && screen->place == ADVICE_CPU && processor->there && processor_doubt(processor, words)[0];
        if (screen->errand.state == ERRAND_RUNNING && screen->foretelling.deed == DEED_CALIBRATE)
            snprintf(out, PROSE_SIZE, "Calibrating the processor...");
        else if (any && screen->place == ADVICE_CPU && !screen->learnt)
            snprintf(out, PROSE_SIZE, "Measuring the processor...");
        else if (doubt)
            snprintf(out, PROSE_SIZE, "Forecasts are uncertain: %s. %s", words,
                     keys_prose(advice_actions, "{calibrate} calibrates the processor.", remedy));
        const struct product product = explorer->product;
        char equation[PRODUCT_TEXT];
        if (!any && product_plain(product))
            snprintf(out, PROSE_SIZE, "No kernel is measured or forecast for this matrix.");
        else if (!any)
            snprintf(out, PROSE_SIZE, "No kernel is measured or forecast for %s. Run kernels on Kernels.",
                     product_write(product, equation));
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
