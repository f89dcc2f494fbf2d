/* Drawing one request: its lanes, and the memory that they request. */
#include <stdio.h>

#include "base/range.h"
#include "ui/warps/warps.h"

struct request_view {
    const struct explorer *explorer;
    struct surface *surface;
    const struct warp_step *step;
    const struct ask *ask;
    uint32_t lit; /* bit l is 1 if lane l works on an entry of the cursor's row */
};

static struct request_view look_at(const struct explorer *explorer, const struct pane *pane,
                                   struct surface *surface)
{
    const struct warp_step *step = &pane->record.steps[pane->step];
    struct request_view view = {explorer, surface, step, &pane->record.asks[step->ask], 0};
    int64_t known[TRACE_LANES];
    const int64_t *row = warp_lane_rows(&pane->replay->launch, pane->at, known) ? known : pane->record.row;
    for (int lane = 0; lane < TRACE_LANES; lane++)
        view.lit |= (uint32_t)(row[lane] == explorer->cursor.row) << lane;
    view.lit &= ~step->padding;
    return view;
}

/* Draw a lane that works on padding, or an element that only such lanes request, without filling it. */
static void draw_padding(const struct request_view *view, int y, int x, int wide, uint32_t character)
{
    for (int k = 0; k < wide; k++)
        surface_put(view->surface, y, x + k, k ? ' ' : character, COLOUR_DIM, COLOUR_TEXT, 0);
}

/* Draw a lane, or a requested element, as a block of `wide` columns. */
static void draw_block(const struct request_view *view, int y, int x, int wide, char character,
                       enum colour colour, bool lit)
{
    for (int k = 0; k < wide; k++) {
        uint32_t c = k ? ' ' : (uint32_t)character;
        if (lit)
            surface_put(view->surface, y, x + k, c, COLOUR_TEXT, COLOUR_CURSOR, ATTRIBUTE_BOLD);
        else
            surface_put(view->surface, y, x + k, c, colour, COLOUR_TEXT, ATTRIBUTE_REVERSE);
    }
}

/* Lanes have one colour, and elements the colour of the operand. So from step to step the drawing changes
 * only for lanes that begin or cease to take part. */
void warps_draw_lanes(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                      int y, int x, int wide)
{
    const struct request_view view = look_at(explorer, pane, surface);
    int cell = wide >= 3 + 2 * TRACE_LANES ? 2 : 1;
    for (int lane = 0; lane < TRACE_LANES; lane++) {
        int at = x + lane * cell + lane / 8;
        if (view.step->padding >> lane & 1)
            draw_padding(&view, y, at, cell, (uint32_t)lane_character(lane));
        else if (view.step->active >> lane & 1)
            draw_block(&view, y, at, cell, lane_character(lane), COLOUR_TEXT, view.lit >> lane & 1);
        else
            surface_put(surface, y, at, explorer->ascii ? '.' : 0xb7, COLOUR_DIM, COLOUR_TEXT, 0);
    }
}

/* Draw the elements of a sector. The character of an element is that of the lane that requests it. It is *
 * for several lanes, and x if only padding requests it. Elements that are moved without a request are shaded.
 * A sector that is not touched is blank. */
static void draw_sector(const struct request_view *view, const struct lines_plan *plan,
                        const struct warp_line *line, int sector, int y, int x)
{
    const enum colour colour = operand_colour(view->ask->operand);
    int cells = LINE_CELLS / 4 / plan->elements;
    bool touched = line->touched >> sector & 1;
    for (int e = 0; e < plan->elements; e++) {
        int lane = line->lane[sector * LINE_CELLS / 4 + e * cells], at = x + e * plan->element_wide;
        if (lane == CELL_SEVERAL) {
            draw_block(view, y, at, plan->element_wide, '*', colour, false);
        } else if (lane == CELL_PADDING) {
            draw_padding(view, y, at, plan->element_wide, 'x');
        } else if (lane != CELL_UNUSED) {
            draw_block(view, y, at, plan->element_wide, lane_character(lane), colour, view->lit >> lane & 1);
        } else if (touched) {
            for (int k = 0; k < plan->element_wide; k++)
                surface_put(view->surface, y, at + k, view->explorer->ascii ? ':' : 0x2591, COLOUR_DIM,
                            COLOUR_TEXT, 0);
        }
    }
}

static void draw_rule(const struct request_view *view, int y, int x)
{
    surface_put(view->surface, y, x, view->explorer->ascii ? '|' : 0x2502, COLOUR_DIM, COLOUR_TEXT, 0);
}

/* Return the rectangle of item k. Items fill the lines of the screen one after the other. */
static struct rect item_place(const struct lines_plan *plan, struct rect rect, int k)
{
    return (struct rect){rect.top + k / plan->columns, rect.left + k % plan->columns * plan->item_wide, 1,
                         plan->item_wide};
}

static void draw_label(const struct request_view *view, const struct lines_plan *plan, uint64_t address,
                       struct rect place)
{
    surface_text_right(view->surface, place.top, place.left, plan->label, COLOUR_DIM, 0, "%llu",
                       (unsigned long long)(address / (uint64_t)view->ask->size));
}

static void draw_line(const struct request_view *view, const struct lines_plan *plan,
                      const struct warp_line *line, struct rect place)
{
    int sector = plan->elements * plan->element_wide + 1, x = place.left + plan->label + 1;
    draw_label(view, plan, line->line * 128, place);
    draw_rule(view, place.top, x);
    for (int s = 0; s < 4; s++)
        draw_sector(view, plan, line, s, place.top, x + s * sector + 1);
}

/* Return the width of labels that suffices for all arrays of the kernel, so that the picture keeps its
 * columns. */
static int label_wide(const struct pane *pane)
{
    const struct storage *storage = pane->replay->launch.storage;
    return lines_label(max(max(storage->slots[0], storage->slots[1]), max(storage->rows, storage->cols)));
}

void warps_draw_memory(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                       struct rect rect)
{
    const struct request_view view = look_at(explorer, pane, surface);
    struct warp_line lines[TRACE_LANES];
    const struct request request = {view.ask, view.step->active, view.step->padding,
                                    pane->record.address[pane->step - pane->record.window]};
    int count = warp_lines(&request, lines);
    bool banks = view.ask->operand == OPERAND_SHARED;
    const int label = label_wide(pane);
    struct lines_plan plan = lines_plan(lines, count, view.ask->size, banks, label, rect.high, rect.wide);
    if (plan.hidden) plan = lines_plan(lines, count, view.ask->size, banks, label, --rect.high, rect.wide);
    int room = plan.columns * rect.high, item = 0;
    for (int k = 0; k < count && item < room; k++) {
        if (!plan.sectors) draw_line(&view, &plan, &lines[k], item_place(&plan, rect, item++));
        for (int s = 0; s < 4 && plan.sectors && item < room; s++) {
            if (!(lines[k].touched >> s & 1)) continue;
            const struct rect place = item_place(&plan, rect, item++);
            draw_label(&view, &plan, lines[k].line * 128 + 32 * (uint64_t)s, place);
            draw_sector(&view, &plan, &lines[k], s, place.top, place.left + plan.label + 1);
        }
    }
    if (plan.hidden)
        surface_text(surface, rect.top + rect.high, rect.left, rect.wide, COLOUR_ACCENT, 0, "%s %d more %s",
                     explorer->ascii ? "..." : "\u2026", plan.hidden, plan.sectors ? "sectors" : "lines");
}
