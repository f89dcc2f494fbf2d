/* The fastest kernels in each order of the matrix. */
#include "base/text.h"
#include "ui/kernels/kernels.h"

/* Return the fastest result of the runs of a case that were made here with the options of the next run; NULL
 * if there is none. */
static const struct result *fastest_of(const struct kernels_screen *screen, const struct matrix_case *of)
{
    const struct result *fastest = NULL;
    for (int r = 0; r < of->runs.count; r++) {
        const struct run *run = of->runs.items[r];
        if (run->saved || !kernels_options_alike(&run->results.options, &screen->options)) continue;
        const struct result *best = results_fastest(&run->results, screen->precision);
        if (best && (!fastest || best->samples.time < fastest->samples.time)) fastest = best;
    }
    return fastest;
}

/* Write the fastest kernel of a case, its time, and its ratio to the natural order's, without and with
 * permuting x and y. Returns the number of columns written. */
static int draw_case(const struct matrix_case *of, const struct result *best, const struct result *natural,
                     bool shown, struct surface *surface, int y, int x, int wide)
{
    char time[32], brief[32];
    int used =
        surface_text_whole(surface, y, x, wide, shown ? COLOUR_ACCENT : COLOUR_TEXT, 0, "%s ", of->order);
    if (!used) return 0;
    if (!best)
        return used + surface_text_whole(surface, y, x + used, wide - used, COLOUR_DIM, 0, "not run yet");
    format_seconds(time, sizeof time, best->samples.time);
    used += surface_text_whole(surface, y, x + used, wide - used, COLOUR_TEXT, 0, "%s %s", best->name, time);
    if (best == natural || !natural) return used;
    double ratio = best->samples.time / natural->samples.time;
    double with = (best->samples.time + of->reordering.permute_seconds) / natural->samples.time;
    used += surface_text_whole(surface, y, x + used, wide - used, ratio < 1 ? COLOUR_GOOD : COLOUR_WARN, 0,
                               " x %s", format_short(brief, sizeof brief, ratio));
    used += surface_text_whole(surface, y, x + used, wide - used, COLOUR_DIM, 0, ", with x and y x %s",
                               format_short(brief, sizeof brief, with));
    return used;
}

int kernels_draw_orders(const struct explorer *explorer, const struct kernels_screen *screen,
                        struct surface *surface, int y, int wide)
{
    const struct session *session = explorer->session;
    if (session->case_count < 2) return 0;
    const struct result *natural = fastest_of(screen, &session->cases[0]);
    int x = 1 + surface_text(surface, y, 1, wide - 2, COLOUR_TITLE, 0, "Fastest  ");
    for (int k = 0; k < session->case_count && x < wide; k++) {
        const struct matrix_case *of = &session->cases[k];
        int used =
            draw_case(of, fastest_of(screen, of), natural, of == session->shown, surface, y, x, wide - x - 1);
        x += used + (used > 0 ? 3 : 0);
    }
    return 1;
}

void kernels_write_order(const struct explorer *explorer, struct flow *flow)
{
    const struct matrix_case *shown = explorer->session->shown;
    char time[32];
    if (!shown->reordering.choice.order) return;
    flow_item(flow, COLOUR_TITLE, "order %s", shown->order);
    flow_item(flow, COLOUR_TEXT, "x and y permuted in %s a product,",
              format_seconds(time, sizeof time, shown->reordering.permute_seconds));
    flow_words(flow, COLOUR_DIM, "not counted in the kernels' times; y comes back in the natural order");
    flow_break(flow);
}
