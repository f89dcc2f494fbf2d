/* The table of a pane. Each kind of request has a strip over the steps of the warp, and two counts: of the
 * warp and of the whole product. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/bars.h"
#include "drawing/number.h"
#include "ui/warps/warps.h"

#define GAP_MAX 4   /* fill_gaps fills gaps between columns up to this distance */
#define STEP_WIDE 4 /* the maximum width of a step in the strip */
#define ROWS_MAX (ACCESSES * OPERANDS)
#define SMALL 6        /* the width of the number of sectors per request, and of a share */
#define PADDED 110     /* a table of this width also has room for the padding of the whole product */
#define LARGE 9        /* the width of a count */
#define BAR_HIGH 4     /* the maximum height of a bar */
#define THINNEST 1e-3  /* the length of the thinnest bar, also used for 0 */
#define MEMORY_HIGH 18 /* bars are higher than one line only if memory keeps this number of lines */
#define MEMORY_FEW 12  /* if memory keeps this number, the counts of the product have a line of their own */
#define MEMORY_MIN 4   /* the number of lines that memory always keeps */
#define ROOMY 98       /* a table of this width also has room for counts of the whole product */

struct kind {
    enum access access;
    enum operand operand;
};

static bool occurs(const struct pane *pane, int a, int o)
{
    const struct replay *replay = pane->replay;
    return pane->recorded && (pane->record.sum.count[a][o].requests ||
                              (replay->ready >= READY_COUNTED && replay->whole.count[a][o].requests));
}

/* List the kinds of requests of the pane, loads first. If both panes are visible, list also the kinds of the
 * other pane, so that the lines of both tables match. Returns the number of kinds. */
static int list_kinds(const struct warps *warps, const struct pane *pane, struct kind kinds[ROWS_MAX])
{
    bool both = warps->panes[0].area.high && warps->panes[1].area.high;
    int count = 0;
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++)
            if (occurs(pane, a, o) ||
                (both && (occurs(&warps->panes[0], a, o) || occurs(&warps->panes[1], a, o))))
                kinds[count++] = (struct kind){(enum access)a, (enum operand)o};
    return count;
}

/* Return the height of each of `bars` bars, 1 to BAR_HIGH. Of `high` lines, memory keeps MEMORY_HIGH, and the
 * headings and the line of totals keep 2. In narrow tables a bar has a second line for the product
 * (`split`). */
static int bar_high(int bars, int high, bool roomy)
{
    const bool split = !roomy && high - 2 - 2 * bars >= MEMORY_FEW;
    return (int)max(clip((high - MEMORY_HIGH - 2) / bars - 1, BAR_HIGH - 1) + 1, split ? 2 : 1);
}

int warps_table_high(const struct warps *warps, const struct pane *pane, int high)
{
    struct kind kinds[ROWS_MAX];
    int bars = list_kinds(warps, pane, kinds) + 1;
    return (int)min(bars * bar_high(bars, high, pane->area.wide >= ROOMY) + 2, high - MEMORY_MIN);
}

/* The columns of a table. */
struct table {
    const struct explorer *explorer;
    struct surface *surface;
    const struct pane *pane;
    int strip, strip_wide; /* the strip's left end and its width */
    int warp, whole,
        end;     /* the left ends of the numbers of the warp and of the product; the end of the latter */
    int high;    /* the height of a bar */
    int granule; /* the number of bytes that a load fetches at a time */
    bool roomy;  /* there is room for counts of the product */
    bool padded; /* there is room for its padding */
    bool split;  /* the counts of the product have a line below those of the warp */
};

/* Draw a bar of `wide` columns that stands on line y. Without colours, a full bar is an eighth of a line
 * lower, so that it does not touch the one above. */
static void draw_bar(const struct table *table, int y, int x, int wide, float share, enum colour colour)
{
    const bool plain = !table->explorer->colours && !table->explorer->ascii;
    const struct bar bar = {.kind = BAR_UPRIGHT,
                            .rect = {y - table->high + 1, x, table->high, wide},
                            .length = fmax(share, THINNEST) * (plain ? 1 - 0.125 / table->high : 1),
                            .colour = colour,
                            .ascii = table->explorer->ascii};
    bar_draw(table->surface, &bar);
}

/* Mark the bar of the step. Without colours a background would hide a full bar, so the column is shaded. */
static void draw_mark(const struct table *table, struct rect rect)
{
    const struct surface *surface = table->surface;
    if (table->explorer->colours || table->explorer->ascii) {
        surface_highlight(table->surface, rect, COLOUR_BAR, 0);
        return;
    }
    for (int y = rect.top; y < rect.top + rect.high && y < surface->high; y++)
        for (int x = rect.left; x < rect.left + rect.wide && x < surface->wide; x++) {
            const bool blank = surface->cells[(size_t)y * (size_t)surface->wide + (size_t)x].character == ' ';
            surface_put(table->surface, y, x, blank ? 0x2591 : 0x2592, blank ? COLOUR_DIM : COLOUR_TEXT,
                        COLOUR_TEXT, 0);
        }
}

static void draw_number(const struct table *table, int y, int *x, int wide, double number, enum colour colour)
{
    char out[32];
    if (isnan(number))
        surface_text_right(table->surface, y, *x, wide, COLOUR_DIM, 0, "-");
    else if (wide == LARGE)
        surface_text_right(table->surface, y, *x, wide, colour, 0, "%s",
                           format_fitting(out, sizeof out, (int64_t)number, wide - 1));
    else
        surface_text_right(table->surface, y, *x, wide, colour, 0, "%s",
                           number_text(out, sizeof out, number, wide - 1));
    *x += wide;
}

static void draw_share(const struct table *table, int y, int *x, double share, enum colour colour)
{
    char out[32];
    format_percent(out, sizeof out, share);
    surface_text_right(table->surface, y, *x, SMALL, isnan(share) ? COLOUR_DIM : colour, 0, "%s",
                       strlen(out) < SMALL ? out : format_rough(out, sizeof out, share));
    *x += SMALL;
}

/* The written part of a table: the numbers of requests and of sectors, and the share of padding. */
struct part {
    bool counted; /* if it is not, all numbers are "-" */
    bool full, padding;
};

static enum colour padding_colour(double share)
{
    return share >= 0.5 ? COLOUR_BAD : share >= 0.1 ? COLOUR_WARN : share > 0 ? COLOUR_TEXT : COLOUR_DIM;
}

/* Write sectors per request, and the useful share of the moved bytes. A full part begins with the numbers of
 * requests and of sectors. A part with padding ends with the share of active lanes that work on padding. */
static void draw_counts(const struct table *table, int y, int x, const struct trace_counts *counts,
                        struct part part)
{
    const double used = coalescing_efficiency(counts, table->granule), padding = coalescing_padding(counts);
    const bool counted = part.counted;
    bool shared = counts->requests > 0 && counts->sectors == 0; /* only shared memory has no sectors */
    if (part.full) {
        draw_number(table, y, &x, LARGE, counted ? (double)counts->requests : NAN, COLOUR_TEXT);
        draw_number(table, y, &x, LARGE, counted && !shared ? (double)counts->sectors : NAN, COLOUR_TEXT);
    }
    draw_number(table, y, &x, SMALL, counted ? coalescing_sectors_per_request(counts) : NAN, COLOUR_ACCENT);
    draw_share(table, y, &x, counted ? used : NAN, used_colour(used));
    if (part.padding) draw_share(table, y, &x, counted ? padding : NAN, padding_colour(padding));
}

/* The parts of the table for the warp, and for the product. */
static struct part part_of_warp(void)
{
    return (struct part){.counted = true, .full = true, .padding = true};
}

static struct part part_of_product(const struct table *table)
{
    return (struct part){.counted = table->pane->replay->ready >= READY_COUNTED,
                         .full = table->roomy,
                         .padding = table->padded};
}

/* If there is no room beside the counts of the warp, write the counts of the product below them. */
static void draw_below(const struct table *table, int y, const struct trace_counts *whole)
{
    const bool counted = table->pane->replay->ready >= READY_COUNTED;
    int x = table->warp;
    if (!table->split || (counted && whole->requests == 0)) return;
    draw_number(table, y, &x, LARGE, counted ? (double)whole->requests : NAN, COLOUR_DIM);
    draw_number(table, y, &x, LARGE, counted && whole->sectors ? (double)whole->sectors : NAN, COLOUR_DIM);
    surface_text(table->surface, y, x + 1, 2 * SMALL, COLOUR_DIM, 0, "in all");
}

static void draw_kind(const struct table *table, int y, struct kind kind, const struct warp_column *columns,
                      int count)
{
    const struct pane *pane = table->pane;
    enum colour colour = operand_colour(kind.operand);
    int wide = pane->step_wide > 0 ? pane->step_wide : 1;
    char title[32];
    const int line = y - table->split;
    surface_text(table->surface, line, pane->area.left + 1, table->strip - pane->area.left - 2, colour, 0,
                 "%s", operand_title(kind.access, kind.operand, title, sizeof title));
    for (int c = 0; c < count; c++) {
        float sectors = columns[c].sectors[kind.access][kind.operand];
        if (sectors >= 0) draw_bar(table, y, table->strip + c * wide, wide, sectors / TRACE_LANES, colour);
    }
    const struct trace_counts *whole = &pane->replay->whole.count[kind.access][kind.operand];
    draw_counts(table, line, table->warp, &pane->record.sum.count[kind.access][kind.operand], part_of_warp());
    draw_counts(table, line, table->whole, whole, part_of_product(table));
    draw_below(table, y, whole);
}

static void draw_all(const struct table *table, int y)
{
    const struct trace_counts warp = coalescing_sum_of_all(&table->pane->record.sum),
                              whole = coalescing_sum_of_all(&table->pane->replay->whole);
    surface_text(table->surface, y, table->pane->area.left + 1, 10, COLOUR_TITLE, 0, "all");
    draw_counts(table, y, table->warp, &warp, part_of_warp());
    draw_counts(table, y, table->whole, &whole, part_of_product(table));
    draw_below(table, y + 1, &whole); /* the bars of the lanes begin there */
}

static void draw_lanes(const struct table *table, int y, const struct warp_column *columns, int count)
{
    const struct pane *pane = table->pane;
    bool counted = pane->replay->ready >= READY_COUNTED;
    const double warp = coalescing_lane_utilisation(&pane->record.sum),
                 whole = coalescing_lane_utilisation(&pane->replay->whole);
    int wide = pane->step_wide > 0 ? pane->step_wide : 1, x = table->warp + 2 * LARGE + SMALL;
    surface_text(table->surface, y, pane->area.left + 1, 10, COLOUR_TITLE, 0, "lanes");
    for (int c = 0; c < count; c++)
        draw_bar(table, y, table->strip + c * wide, wide, columns[c].lanes / TRACE_LANES, COLOUR_TEXT);
    surface_text_right(table->surface, y, table->warp, 2 * LARGE + SMALL, COLOUR_DIM, 0, "at work in loads");
    draw_share(table, y, &x, warp, used_colour(warp));
    x = table->end - (table->padded ? 2 : 1) * SMALL;
    draw_share(table, y, &x, counted ? whole : NAN, used_colour(whole));
}

static void draw_headings(const struct table *table, int y)
{
    int x = table->warp;
    surface_text_whole(table->surface, y, table->strip, table->strip_wide, COLOUR_DIM, 0, "%s",
                       table->strip_wide >= 27 ? "sectors a request, by step" : "by step");
    surface_text_right(table->surface, y, x, LARGE, COLOUR_DIM, 0, "requests");
    surface_text_right(table->surface, y, x + LARGE, LARGE, COLOUR_DIM, 0, "sectors");
    surface_text_right(table->surface, y, x + 2 * LARGE, SMALL, COLOUR_DIM, 0, "/req");
    surface_text_right(table->surface, y, x + 2 * LARGE + SMALL, SMALL, COLOUR_DIM, 0, "used");
    surface_text_right(table->surface, y, x + 2 * LARGE + 2 * SMALL, SMALL, COLOUR_DIM, 0, "pad");
    x = table->end - (table->padded ? 3 : 2) * SMALL;
    if (table->roomy) {
        surface_text_right(table->surface, y, table->whole, LARGE, COLOUR_DIM, 0, "in all");
        surface_text_right(table->surface, y, table->whole + LARGE, LARGE, COLOUR_DIM, 0, "sectors");
    } else {
        surface_text_right(table->surface, y, table->whole - 5, 5, COLOUR_TITLE, 0, "all:");
    }
    surface_text_right(table->surface, y, x, SMALL, COLOUR_DIM, 0, "/req");
    surface_text_right(table->surface, y, x + SMALL, SMALL, COLOUR_DIM, 0, "used");
    if (table->padded) surface_text_right(table->surface, y, x + 2 * SMALL, SMALL, COLOUR_DIM, 0, "pad");
}

static struct table make_table(const struct explorer *explorer, const struct pane *pane,
                               struct surface *surface, struct rect rect, const struct kind *kinds, int count)
{
    struct table table = {.explorer = explorer,
                          .surface = surface,
                          .pane = pane,
                          .roomy = rect.wide >= ROOMY,
                          .padded = rect.wide >= PADDED};
    char title[32];
    int name = 5, numbers = 2 * LARGE + 3 * SMALL;
    int whole = (table.padded ? 3 : 2) * SMALL + (table.roomy ? 2 * LARGE : 0);
    for (int k = 0; k < count; k++)
        name = (int)max(
            name, (int64_t)strlen(operand_title(kinds[k].access, kinds[k].operand, title, sizeof title)));
    table.end = rect.left + rect.wide - 1;
    table.whole = table.end - whole;
    table.warp = table.whole - (table.roomy ? 2 : 5) - numbers;
    table.strip = rect.left + 1 + name + 1;
    table.strip_wide = (int)min(table.warp - table.strip, STRIP_MAX);
    return table;
}

/* If a column of the strip covers only a few steps of a loop, it lacks some kinds of requests, depending on
 * the cut:
 *
 *     requests              v c x v c x
 *     columns of 2 steps    v c|x v|c x     the second column lacks c, the third v
 *
 * A kind in a loop should show as an unbroken band. So gaps of at most GAP_MAX between two columns with the
 * kind get the value of the second column. */
static void fill_gaps(const struct pane *pane, struct warp_column *columns, int count, struct kind kind)
{
    int last = -1;
    for (int c = 0; c < count && !pane->step_wide; c++) {
        float sectors = columns[c].sectors[kind.access][kind.operand];
        if (sectors < 0) continue;
        for (int k = last + 1; k < c && last >= 0 && c - last <= GAP_MAX; k++)
            columns[k].sectors[kind.access][kind.operand] = sectors;
        last = c;
    }
}

static bool is_kind_of(const struct ask *ask, struct kind kind)
{
    return ask->access == kind.access && ask->operand == kind.operand;
}

/* The step is marked at the bar of its own kind and at that of its lanes, which says more than a mark through
 * all bars, and moves with fewer bytes. */
void warps_draw_table(const struct explorer *explorer, const struct warps *warps, struct pane *pane,
                      struct surface *surface, struct rect rect)
{
    struct warp_column columns[STRIP_MAX];
    struct kind kinds[ROWS_MAX];
    int count = list_kinds(warps, pane, kinds), y = rect.top;
    struct table table = make_table(explorer, pane, surface, rect, kinds, count);
    int64_t steps = pane->record.count;
    pane->step_wide = steps ? (int)min(table.strip_wide / steps, STEP_WIDE) : 1;
    int used = (int)(pane->step_wide ? steps : table.strip_wide);
    warp_columns(&pane->record, used, columns);
    table.granule = warps->gpu.granule;
    table.high = (int)clip((rect.high - 2) / (count + 1) - 1, BAR_HIGH - 1) + 1;
    table.split = !table.roomy && table.high > 1;
    const struct warp_step *step = steps ? &pane->record.steps[pane->step] : NULL;
    const int wide = pane->step_wide ? pane->step_wide : 1,
              at = steps ? table.strip + warp_column_of(&pane->record, pane->step, used) * wide : 0;
    for (int k = 0; k < count; k++)
        fill_gaps(pane, columns, used, kinds[k]);
    draw_headings(&table, y++);
    for (int k = 0; k < count && y + table.high <= rect.top + rect.high - 1 - table.high;
         k++, y += table.high) {
        draw_kind(&table, y + table.high - 1, kinds[k], columns, used);
        if (step && is_kind_of(&pane->record.asks[step->ask], kinds[k]))
            draw_mark(&table, (struct rect){y, at, table.high, wide});
    }
    draw_all(&table, y++);
    draw_lanes(&table, (y += table.high) - 1, columns, used);
    if (step) draw_mark(&table, (struct rect){y - table.high, at, table.high, wide});
    pane->strip = (struct rect){rect.top + 1, table.strip, y - rect.top - 1, table.strip_wide};
}
