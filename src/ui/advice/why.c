/* The reason for the advice: bars on one scale, divided into the terms of the forecasts, and a sentence. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/advice/screen.h"
#include "ui/everywhere.h"

#define ROLE_WIDE 10
#define ROLES_FROM \
    100 /* from this width on, bars name all roles, and the kernel from which a library is forecast */
#define TIME_WIDE 10
#define BAR_MIN 12

/* The scale ends at this multiple of the shortest bar; longer ones end in an arrow. */
#define SCALE_MAX 6.0

/* A term with a smaller share of all bars is not in the legend. */
#define TERM_LEAST 0.005

/* Terms that often meet have hues that colour-blind people can distinguish (COLOUR_PART). */
static const enum colour term_colours[BOUNDS] = {
    [BOUND_LAUNCH] = COLOUR_DIM,
    [BOUND_LONGEST] = (enum colour)(COLOUR_PART + 3),
    [BOUND_LATENCY] = (enum colour)(COLOUR_PART + 0),
    [BOUND_SHARED] = COLOUR_MARK,
    [BOUND_L1] = (enum colour)(COLOUR_PART + 5),
    [BOUND_L2] = (enum colour)(COLOUR_PART + 2),
    [BOUND_DRAM] = (enum colour)(COLOUR_PART + 1),
    [BOUND_REDUCTIONS] = COLOUR_WARN,
    [BOUND_HOTTEST] = COLOUR_BAD,
    [BOUND_ARITHMETIC] = (enum colour)(COLOUR_PART + 4),
    [BOUND_HOST] = COLOUR_TEXT,
};

void advice_find_bars(struct advice_screen *screen)
{
    const struct advice *advice = advice_shown(screen);
    screen->bar_count = advice ? advice_bars(advice, screen->bars) : 0;
    if (screen->bar >= screen->bar_count) screen->bar = 0;
}

static bool has_term(const struct advice_screen *screen, int term)
{
    return advice_bars_have(screen->bars, screen->bar_count, (enum bound)term, TERM_LEAST);
}

void advice_step_term(struct advice_screen *screen, int step)
{
    int term = screen->term < 0 && step < 0 ? BOUNDS : screen->term;
    for (term += step; term >= 0 && term < BOUNDS; term += step)
        if (has_term(screen, term)) {
            screen->term = term;
            return;
        }
}

/* The chosen term. Before the choice, and in other sections, it is the term that bounds the kernel under the
 * cursor. -1 if there is none. */
static int chosen_term(const struct advice_screen *screen)
{
    const struct advice_candidate *candidate = advice_candidate_shown(screen);
    const bool bars = screen->focus == SECTION_WHY;
    const struct prediction *prediction = !bars && candidate      ? candidate->prediction
                                          : screen->bar_count > 0 ? screen->bars[screen->bar].prediction
                                                                  : NULL;
    if (bars && screen->term >= 0) return screen->term;
    return prediction ? (int)prediction->bound : -1;
}

bool advice_has_terms(const struct advice_screen *screen)
{
    for (int term = 0; term < BOUNDS; term++)
        if (term != chosen_term(screen) && has_term(screen, term)) return true;
    return false;
}

static bool on_processor(const struct advice_screen *screen)
{
    const struct advice *advice = advice_shown(screen);
    return advice && advice->place == ADVICE_CPU;
}

bool advice_define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    const struct advice_screen *screen = state;
    const int first = chosen_term(screen);
    int term = first;
    if (screen->focus == SECTION_CRITERIA) return advice_define_criterion(screen, k, definition);
    if (screen->focus == SECTION_SOLVES) return advice_define_solve(k, definition);
    if (screen->focus == SECTION_TRISOLVES) return advice_define_trisolve(k, definition);
    if (screen->focus == SECTION_SPGEMM) return advice_define_spgemm(k, definition);
    if (screen->focus == SECTION_ROUNDING) return advice_define_rounding(k, definition);
    for (int b = 0; k > 0 && b <= BOUNDS; b++) {
        if (b == BOUNDS) return false;
        if (b == first || !has_term(screen, b)) continue;
        term = b;
        k--;
    }
    if (term < 0) return false;
    const struct bound_words *words = bound_explained((enum bound)term, on_processor(screen));
    *definition = (struct definition){words->label, words->help, words->source, term == first};
    return true;
}

/* The layout of the bars. */
struct layout {
    int role_wide, name_wide, bar_wide;
    bool timed; /* there is a column of measured times */
    double scale;
};

/* Write the roles of a bar, or the first one alone. */
static void write_roles(const struct advice_bar *bar, bool all, char *out, size_t size)
{
    int used = 0;
    out[0] = 0;
    for (int r = 0; r < ADVICE_ROLES && (all || used == 0); r++)
        if (bar->roles & (1U << r))
            used += snprintf(out + used, size - (size_t)used, "%s%s", used ? ", " : "",
                             advice_role_word((enum advice_role)(1 << r)));
}

static const char *write_name(const struct advice_bar *bar, int wide, char out[ADVICE_LINE_MAX])
{
    if (bar->like[0] && wide >= ROLES_FROM)
        snprintf(out, ADVICE_LINE_MAX, "%s (as %s)", bar->name, bar->like);
    else
        snprintf(out, ADVICE_LINE_MAX, "%s", bar->name);
    return out;
}

static struct layout lay_out(const struct advice_screen *screen, int wide)
{
    struct layout layout = {.role_wide = ROLE_WIDE};
    double shortest = INFINITY, longest = 0;
    char text[ADVICE_LINE_MAX];
    for (int k = 0; k < screen->bar_count; k++) {
        const struct advice_bar *bar = &screen->bars[k];
        write_roles(bar, wide >= ROLES_FROM, text, sizeof text);
        if (surface_columns(text) + 2 > layout.role_wide) layout.role_wide = surface_columns(text) + 2;
        if (surface_columns(write_name(bar, wide, text)) > layout.name_wide)
            layout.name_wide = surface_columns(text);
        layout.timed = layout.timed || !isnan(bar->timed);
        shortest = fmin(shortest, advice_bar_seconds(bar));
        longest = fmax(longest, fmax(advice_bar_seconds(bar), bar->timed));
    }
    const int fixed = 2 + layout.role_wide + 1 + TIME_WIDE * (1 + layout.timed);
    if (layout.name_wide > (wide - fixed) / 2) layout.name_wide = (wide - fixed) / 2;
    layout.bar_wide = wide - fixed - layout.name_wide;
    layout.scale = fmin(longest, SCALE_MAX * shortest);
    return layout;
}

/* Fill the cells of a bar from a start to an end in seconds. */
static void fill(const struct layout *layout, double from, double to, uint32_t character, enum colour colour,
                 struct surface *surface, int y, int x)
{
    const double each = layout->bar_wide / layout->scale;
    const int end = (int)fmin(round(to * each), layout->bar_wide);
    for (int c = (int)round(from * each); c < end; c++)
        surface_put(surface, y, x + c, character, colour, COLOUR_TEXT, 0);
}

static bool has_fills(const struct explorer *explorer)
{
    return explorer->ascii || !explorer->colours;
}

static uint32_t term_fill(const struct explorer *explorer, const struct advice_screen *screen, int term)
{
    return has_fills(explorer) ? (unsigned char)bound_explained((enum bound)term, on_processor(screen))->fill
                               : 0x2588;
}

/* Write the name of a term, with its time, into its part of a bar if there is room. */
static void draw_label(const struct layout *layout, double from, double to, int term, bool processor,
                       struct surface *surface, int y, int x)
{
    const double each = layout->bar_wide / layout->scale;
    const int start = (int)round(from * each), wide = (int)fmin(round(to * each), layout->bar_wide) - start;
    const char *label = bound_explained((enum bound)term, processor)->label;
    char time[32];
    if (!surface_text_whole(surface, y, x + start, wide, term_colours[term], ATTRIBUTE_REVERSE, " %s %s ",
                            label, format_seconds(time, sizeof time, to - from)))
        surface_text_whole(surface, y, x + start, wide, term_colours[term], ATTRIBUTE_REVERSE, " %s ", label);
}

static void draw_terms(const struct explorer *explorer, const struct advice_screen *screen,
                       const struct advice_bar *bar, const struct layout *layout, struct surface *surface,
                       int y, int x)
{
    double sum = 0;
    for (int b = 0; b < BOUNDS; sum += bar->share[b++]) {
        fill(layout, sum, sum + bar->share[b], term_fill(explorer, screen, b), term_colours[b], surface, y,
             x);
        if (!has_fills(explorer))
            draw_label(layout, sum, sum + bar->share[b], b, on_processor(screen), surface, y, x);
    }
    if (bar->rest > 0)
        fill(layout, sum, sum + bar->rest, explorer->ascii ? '?' : 0x2591, COLOUR_DIM, surface, y, x);
}

/* Mark the end of a bar that is beyond the scale, and the measured time. */
static void draw_marks(const struct explorer *explorer, const struct advice_bar *bar,
                       const struct layout *layout, struct surface *surface, int y, int x)
{
    const double at = round(bar->timed / layout->scale * layout->bar_wide) - 1; /* NaN: nothing was timed */
    if (advice_bar_seconds(bar) > layout->scale * 1.0001)
        surface_put(surface, y, x + layout->bar_wide - 1, explorer->ascii ? '>' : 0x25b8, COLOUR_TEXT,
                    COLOUR_TEXT, ATTRIBUTE_BOLD);
    if (!isnan(bar->forecast) && at >= 0 && at < layout->bar_wide)
        surface_put(surface, y, x + (int)at, explorer->ascii ? '|' : 0x25c6, COLOUR_TEXT, COLOUR_TEXT,
                    ATTRIBUTE_BOLD);
}

static void draw_bar(const struct explorer *explorer, const struct advice_screen *screen, int k,
                     const struct layout *layout, struct surface *surface, struct rect line)
{
    const struct advice *advice = advice_shown(screen);
    const struct advice_bar *bar = &screen->bars[k];
    const struct advice_candidate *candidate = &advice->candidates[bar->candidate];
    const bool advised = bar->roles & ROLE_ADVISED,
               tied = !advised && !bar->like[0] && candidate->compared &&
                      advice_tied_alone(&advice->candidates[advice->best], candidate);
    char text[ADVICE_LINE_MAX], time[32];
    int x = line.left, end = line.left + line.wide;
    surface_text(surface, line.top, x, 1, COLOUR_GOOD, ATTRIBUTE_BOLD, "%c",
                 advised ? '>'
                 : tied  ? '='
                         : ' ');
    write_roles(bar, line.wide >= ROLES_FROM, text, sizeof text);
    surface_text(surface, line.top, x + 2, layout->role_wide, COLOUR_DIM, 0, "%s", text);
    x += 2 + layout->role_wide;
    surface_text_short(surface, line.top, x, layout->name_wide, explorer->ascii,
                       advised ? COLOUR_GOOD : COLOUR_TEXT, 0, write_name(bar, line.wide, text));
    x += layout->name_wide + 1;
    if (layout->bar_wide >= BAR_MIN && bar->prediction)
        draw_terms(explorer, screen, bar, layout, surface, line.top, x);
    else if (layout->bar_wide >= BAR_MIN)
        fill(layout, 0, bar->timed, explorer->ascii ? ':' : 0x2592, COLOUR_ROWS, surface, line.top, x);
    if (layout->bar_wide >= BAR_MIN) draw_marks(explorer, bar, layout, surface, line.top, x);
    if (layout->timed) end -= TIME_WIDE;
    if (layout->timed && !isnan(bar->timed))
        surface_text_right(surface, line.top, end, TIME_WIDE, COLOUR_ROWS, 0, "%s",
                           advice_time(time, sizeof time, bar->timed));
    if (!isnan(bar->forecast))
        surface_text_right(surface, line.top, end - TIME_WIDE, TIME_WIDE, COLOUR_COLS, 0, "~%s",
                           advice_time(time, sizeof time, bar->forecast));
    if (screen->focus == SECTION_WHY && screen->bar == k)
        surface_cursor(surface,
                       (struct rect){line.top, line.left + 1, 1, 1 + layout->role_wide + layout->name_wide});
}

#define TERM_TEXT 96

/* Write the time of a term in a bar, and its share: "instructions 16.4 us, 68.5%". Returns out. */
static const char *write_term(const struct explorer *explorer, const struct advice_screen *screen,
                              const struct advice_bar *bar, int term, char out[TERM_TEXT])
{
    const struct bound_words *words = bound_explained((enum bound)term, on_processor(screen));
    char time[32], share[32], swatch[8];
    snprintf(swatch, sizeof swatch, has_fills(explorer) ? "%c%c" : "\u2588\u2588", words->fill, words->fill);
    if (bar->prediction && bar->share[term] > 0)
        snprintf(out, TERM_TEXT, "%s %s %s, %s", swatch, words->label,
                 format_seconds(time, sizeof time, bar->share[term]),
                 format_percent(share, sizeof share, bar->share[term] / bar->forecast));
    else
        snprintf(out, TERM_TEXT, "%s %s -", swatch, words->label);
    return out;
}

/* The width that a term needs in any bar. So nothing moves when another bar is chosen. */
static int term_wide(const struct explorer *explorer, const struct advice_screen *screen, int term)
{
    char text[TERM_TEXT];
    int wide = 0;
    for (int k = 0; k < screen->bar_count; k++) {
        const int own = surface_columns(write_term(explorer, screen, &screen->bars[k], term, text));
        if (own > wide) wide = own;
    }
    return wide;
}

/* The chosen term, or else the term that bounds the kernel under the cursor; -1 if there is none. */
static int explained_term(const struct advice_screen *screen)
{
    const struct prediction *prediction = screen->bars[screen->bar].prediction;
    if (screen->term >= 0) return screen->term;
    return prediction ? (int)prediction->bound : -1;
}

/* Write a term as an item. The explained term is underlined; its swatch keeps its colours. */
static void draw_term(struct flow *flow, const struct explorer *explorer, const struct advice_screen *screen,
                      int term)
{
    char text[TERM_TEXT];
    const int wide = term_wide(explorer, screen, term), swatch = 3,
              own = surface_columns(write_term(explorer, screen, &screen->bars[screen->bar], term, text));
    if (!flow_item(flow, term_colours[term], "%s%*s", text, wide - own, "") || explained_term(screen) != term)
        return;
    surface_highlight(flow->surface,
                      (struct rect){flow->rect.top + flow->line,
                                    flow->rect.left + flow->column - wide + swatch, 1, own - swatch},
                      COLOUR_BAR, ATTRIBUTE_UNDERLINE);
}

/* Draw the terms with their times for the kernel under the cursor. Returns the number of lines, the same for
 * all kernels. */
static int draw_legend(const struct explorer *explorer, const struct advice_screen *screen,
                       struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    const struct advice_bar *bar = &screen->bars[screen->bar];
    bool timed = false, others = false;
    int named = 0;
    char time[32];
    for (int k = 0; k < screen->bar_count; k++) {
        const struct advice_bar *one = &screen->bars[k];
        timed = timed || !isnan(one->timed);
        others = others || (one->prediction && one->rest > TERM_LEAST * one->forecast);
        if (surface_columns(one->name) > named) named = surface_columns(one->name);
    }
    flow_item(&flow, COLOUR_ACCENT, "%s:%*s", bar->name, named - surface_columns(bar->name), "");
    for (int b = 0; b < BOUNDS; b++)
        if (has_term(screen, b)) draw_term(&flow, explorer, screen, b);
    if (others)
        flow_item(&flow, COLOUR_DIM, "%s other %-8s", explorer->ascii ? "??" : "\u2591\u2591",
                  bar->prediction ? format_seconds(time, sizeof time, bar->rest) : "-");
    if (timed) flow_item(&flow, COLOUR_TEXT, "%s measured", explorer->ascii ? "|" : "\u25c6");
    return flow_lines(&flow);
}

/* Explain the chosen term. Returns the lines of the longest explanation. */
static int draw_explanation(const struct advice_screen *screen, struct surface *surface, struct rect rect)
{
    const int term = explained_term(screen);
    int lines = 0;
    for (int b = 0; b < BOUNDS; b++) {
        struct flow flow = {.surface = b == term ? surface : NULL, .rect = rect};
        if (!has_term(screen, b) && b != term) continue;
        flow_words(&flow, COLOUR_DIM, bound_explained((enum bound)b, on_processor(screen))->help);
        if (flow_lines(&flow) > lines) lines = flow_lines(&flow);
    }
    return lines;
}

int advice_draw_why(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                    struct rect rect)
{
    const struct advice *advice = advice_shown(screen);
    const struct layout layout = lay_out(screen, rect.wide - 2);
    int line = 0;
    for (int k = 0; k < screen->bar_count; k++) {
        const struct rect at = {rect.top + line++, rect.left + 1, 1, rect.wide - 2};
        draw_bar(explorer, screen, k, &layout, surface, at);
        advice_spot(screen, SECTION_WHY, k, at);
    }
    struct rect rest = {rect.top + line, rect.left + 1, rect.high - line, rect.wide - 2};
    line += draw_legend(explorer, screen, surface, rest);
    rest = (struct rect){rect.top + line, rect.left + 1, rect.high - line, rect.wide - 2};
    line += draw_explanation(screen, surface, rest);
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + line, rect.left + 1, rect.high - line, rect.wide - 2}};
    flow_words(&flow, COLOUR_TEXT, advice->reason);
    return line + flow_lines(&flow);
}
