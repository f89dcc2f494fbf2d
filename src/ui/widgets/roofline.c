#include "ui/widgets/roofline.h"

#include <stdio.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "report/figures/even.h"
#include "ui/view.h"
#include "ui/widgets/panes.h"

#define LABEL_WIDE 7
#define LEGEND_MIN 44 /* the width of a legend beside the plot */
#define LEGEND_ROWS 6 /* the lines of a legend below it */
#define PLOT_HIGH 4   /* the min height of the plot */
#define WORDS_HIGH 2
#define WORDS_MORE 14 /* from this height of a pane on, the words have one more line */
#define BOUND_FROM 44 /* the min width of a legend that names each kernel's bound */

/* Write a line for each point of the page with the point under the cursor. The title has the unit. */
static void draw_legend(const struct speeds *speeds, int cursor, bool ascii, struct surface *surface,
                        struct rect rect)
{
    const int first = rect.high > 0 ? cursor / rect.high * rect.high : 0;
    for (int k = first; k < speeds->count && k - first < rect.high; k++) {
        const struct speed *point = &speeds->items[k];
        char speed[80], number[32];
        const bool bound = point->bound && rect.wide >= BOUND_FROM;
        snprintf(speed, sizeof speed, "%s%s%s%s", bound ? point->bound : "", bound ? "  " : "",
                 point->forecast ? "~" : "", format_brief(number, sizeof number, point->speed * 1e-9));
        const struct legend legend = {.mark = (unsigned char)figure_letter(k),
                                      .colour = speed_colour(point),
                                      .name = point->name,
                                      .said = speed,
                                      .gap = 1,
                                      .chosen = k == cursor};
        legend_draw(&legend, ascii, surface, (struct rect){rect.top + k - first, rect.left, 1, rect.wide});
    }
}

/* Write the position of the point under the cursor, its share of the limit of its roof, and the roof's
 * bandwidth. */
static void draw_words(const struct speeds *speeds, int cursor, bool ascii, struct surface *surface,
                       struct rect rect)
{
    const struct speed *point = &speeds->items[cursor];
    struct flow flow = {.surface = surface, .rect = rect};
    char read[32], intensity[32], speed[32], most[32];
    flow_item(&flow, COLOUR_ACCENT, "%c", figure_letter(cursor)); /* the legend has its name */
    flow_item(&flow, COLOUR_TEXT, "%s FLOP/byte, %s GFLOP/s%s",
              format_brief(intensity, sizeof intensity, point->intensity),
              format_brief(speed, sizeof speed, point->speed * 1e-9), point->forecast ? ", forecast" : "");
    if (point->bound) flow_item(&flow, COLOUR_TEXT, "bound by %s", point->bound);
    if (point->roof < 0) return;
    const char *machine = speeds->roofs[point->roof].name, *cache;
    const double bandwidth = speeds_ceiling(speeds, point, &cache), limit = point->intensity * bandwidth;
    format_brief(most, sizeof most, limit * 1e-9);
    if (point->cached && !cache[0])
        flow_item(&flow, COLOUR_WARN, "in the cache: the memory's limit of %s GFLOP/s does not apply", most);
    else
        flow_item(&flow, COLOUR_TEXT, "%s of %s's limit of %s GFLOP/s",
                  format_rough(speed, sizeof speed, point->speed / limit), cache[0] ? cache : "the memory",
                  most);
    flow_item(&flow, COLOUR_DIM, "%s %s read %s", ascii ? "..." : "\u2571",
              cache[0]     ? cache
              : machine[0] ? machine
                           : "memory",
              format_bandwidth(read, sizeof read, bandwidth));
}

int roofline_pane(const struct explorer *explorer, const struct speeds *speeds, int cursor,
                  struct surface *surface, struct rect rect)
{
    int count = speeds->count;
    bool beside = rect.wide >= 2 * LEGEND_MIN;
    int below = beside ? 0 : count < LEGEND_ROWS ? count : LEGEND_ROWS;
    while (below > 1 && rect.high - 5 - below < PLOT_HIGH)
        below--;
    int words = WORDS_HIGH + (rect.high >= WORDS_MORE);
    int high = rect.high - words - below, wide = rect.wide - (beside ? LEGEND_MIN + 1 : 0);
    if (high < 5 || wide < LABEL_WIDE + 5) return 0;
    int x = rect.left + 1, end = rect.left + rect.wide - 1;
    x += surface_text(surface, rect.top, x, rect.wide - 2, COLOUR_TITLE, ATTRIBUTE_BOLD,
                      "GFLOP/s over FLOP/byte") +
         2;
    int used =
        surface_text_whole(surface, rect.top, x, end - x, COLOUR_DIM, 0, "2 nnz / bytes that must be moved");
    if (used)
        surface_text_whole(surface, rect.top, x + used, end - x - used, COLOUR_DIM, 0,
                           ", x once (beta-plus)");
    struct cells cells;
    struct canvas canvas =
        pane_canvas(explorer, &cells, surface, (struct rect){rect.top, rect.left, high, wide});
    struct chart chart = {.canvas = &canvas};
    roofline_draw(speeds, &chart, canvas.line, canvas.high, LABEL_WIDE);
    roofline_letters(speeds, &chart, count, cursor);
    struct rect legend = beside ? (struct rect){rect.top + 1, rect.left + rect.wide - LEGEND_MIN - 1,
                                                rect.high - words - 1, LEGEND_MIN}
                                : (struct rect){rect.top + high, rect.left + 1, below, rect.wide - 2};
    draw_legend(speeds, cursor, explorer->ascii, surface, legend);
    draw_words(speeds, cursor, explorer->ascii, surface,
               (struct rect){rect.top + rect.high - words, rect.left + 1, words, rect.wide - 2});
    return legend.high;
}
