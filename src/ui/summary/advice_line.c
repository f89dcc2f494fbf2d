#include "ui/summary/advice_line.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

void advice_line_update(struct advice_line *line, const struct session *session)
{
    const struct matrix_case *of = session->shown;
    /* This is read before the groups, so that no group is missed. */
    const bool early = !case_has(of, SESSION_FORESIGHT);
    const int groups = foresight_count(&of->foresight[PRECISION_F64]);
    int foreseen = 0;
    for (int k = 0; k < session->case_count; k++)
        foreseen += case_has(&session->cases[k], SESSION_FORESIGHT);
    if (line->of == of && line->added == of->runs.added && line->count == of->runs.count &&
        line->cases == session->case_count && line->foreseen == foreseen && line->groups == groups)
        return;
    advices_free(&line->advices);
    if (session_advise(session, of, (struct advice_question){.precision = PRECISION_F64, .early = early},
                       &line->advices, NULL) != STATUS_OK)
        return;
    line->of = of;
    line->added = of->runs.added;
    line->count = of->runs.count;
    line->cases = session->case_count;
    line->foreseen = foreseen;
    line->groups = groups;
    line->early = early;
}

/* The lengths of the text; each omits more than the one before. */
enum { SAY_INTERVAL, SAY_ALL, SAY_TIME, SAY_NAME, SAY_COUNT };

#define LINE_SIZE 1024

/* Write the recommended kernel for one machine. Returns the length of the text. */
static int write_advice(const struct advice *advice, int say, bool early, char out[LINE_SIZE])
{
    const struct advice_candidate *best = &advice->candidates[0];
    char seconds[32], count[32], ends[96] = "";
    size_t at = 0;
    format_seconds(seconds, sizeof seconds, best->seconds);
    format_count(count, sizeof count, best->break_even);
    at += (size_t)snprintf(out, LINE_SIZE, "%s %s on %s%s", early ? "So far, take" : "Take",
                           best->result->name, advice_article(advice->place), advice->machine);
    if (say == SAY_INTERVAL && !best->measured) {
        char share[32], interval[48];
        snprintf(ends, sizeof ends, ", %s: %s", format_rough(share, sizeof share, PREDICTION_SHARE),
                 format_interval(interval, sizeof interval, best->low, best->high));
    }
    if (say < SAY_NAME)
        at += (size_t)snprintf(out + at, LINE_SIZE - at, ": %s%s (%s%s)", seconds,
                               say <= SAY_ALL ? " a product" : "", best->measured ? "measured" : "forecast",
                               ends);
    if (say <= SAY_ALL && !best->csr && advice->csr >= 0 && best->break_even > 1)
        at += (size_t)snprintf(out + at, LINE_SIZE - at, ", CSR for fewer than %s products", count);
    return (int)at;
}

/* List the machines with advice, those with measurements first. */
static int list_places(const struct advices *advices, const struct advice *places[ADVICE_PLACES])
{
    int count = 0;
    for (int measured = 1; measured >= 0; measured--)
        for (int place = 0; place < ADVICE_PLACES; place++) {
            const struct advice *advice = &advices->items[place];
            if (advice->there && (advice->measured > 0) == measured) places[count++] = advice;
        }
    return count;
}

void advice_line_write(const struct advice_line *line, int k, int wide, char *out, size_t size)
{
    const struct advice *places[ADVICE_PLACES];
    char text[LINE_SIZE];
    out[0] = 0;
    if (k >= list_places(&line->advices, places)) return;
    for (int say = SAY_INTERVAL; say < SAY_COUNT; say++)
        if (write_advice(places[k], say, line->early, text) <= wide || say == SAY_NAME) {
            snprintf(out, size, "%s", text);
            return;
        }
}

void advice_line_draw(const struct advice_line *line, const struct session *session, bool ascii,
                      struct surface *surface, int y, int x, int wide)
{
    char text[LINE_SIZE];
    for (int k = 0; k < ADVICE_LINE_HIGH; k++) {
        advice_line_write(line, k, wide, text, sizeof text);
        if (text[0])
            surface_text_short(surface, y + k, x, wide, ascii, COLOUR_ACCENT, 0, text);
        else if (k == 0 && !session_has(session, SESSION_FORESIGHT))
            surface_text(surface, y, x, wide, COLOUR_DIM, 0, "Choosing a kernel...");
        else if (k == 0)
            surface_text(surface, y, x, wide, COLOUR_DIM, 0, "%s",
                         case_nnz(session->shown) > 0 ? "No advice: no kernel is forecast for this matrix."
                                                      : "No advice: the matrix has no entries.");
    }
}

void advice_line_free(struct advice_line *line)
{
    advices_free(&line->advices);
    *line = (struct advice_line){0};
}
