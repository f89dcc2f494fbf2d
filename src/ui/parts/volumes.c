/* The matrix of volumes: the number of elements that each part receives from each other part. If there is no
 * room for all parts, they are combined into tiles. */
#include <stdio.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/shade.h"
#include "ui/parts/screen.h"

#define FOOT_HIGH 3
#define NUMBER_WIDE 7 /* columns of a tile that shows a number */
#define LABEL_WIDE 6

/* Count the tiles, unless they are counted, from messages or from the finer tiles of a sketch. False without
 * memory. */
static bool count_tiles(struct parts_tiles *tiles, const struct owners *owners, const struct sketch *sketch,
                        int64_t parts, int64_t step)
{
    int count = (int)((parts + step - 1) / step);
    const void *of = sketch ? (const void *)sketch : owners;
    if (tiles->elements && tiles->of == of && tiles->step == step && tiles->count == count) return true;
    int64_t *elements = memory_resize(tiles->elements, (size_t)count * (size_t)count, sizeof *elements, NULL);
    if (!elements) return false;
    tiles->elements = elements;
    tiles->of = of;
    tiles->step = step;
    tiles->count = count;
    if (sketch)
        sketch_fold(sketch->elements, sketch->tiles, step / sketch->step, elements);
    else
        halo_tiles(owners->divided.pairs, owners->messages, step, count, elements);
    return true;
}

static int64_t tile_at(const struct parts_tiles *tiles, int to, int from)
{
    return tiles->elements[(size_t)to * (size_t)tiles->count + (size_t)from];
}

static struct shade scale_of(const struct parts_tiles *tiles)
{
    int64_t least = 0, most = 0;
    for (size_t k = 0; k < (size_t)tiles->count * (size_t)tiles->count; k++) {
        int64_t elements = tiles->elements[k];
        if (elements && (!least || elements < least)) least = elements;
        most = max(most, elements);
    }
    return shade_scale((double)least, (double)most);
}

/* Numbers */

static void draw_numbers(const struct explorer *explorer, const struct parts_tiles *tiles,
                         const struct shade *shade, struct surface *surface)
{
    char text[32];
    for (int to = 0; to < tiles->count; to++) {
        int y = tiles->rect.top + to;
        surface_text_right(surface, y, tiles->rect.left - LABEL_WIDE, LABEL_WIDE - 1, COLOUR_DIM, 0, "%d",
                           to + 1);
        for (int from = 0; from < tiles->count; from++) {
            int64_t elements = tile_at(tiles, to, from);
            int x = tiles->rect.left + from * NUMBER_WIDE, level = shade_level(shade, (double)elements);
            bool here = tiles->to == to && tiles->from == from;
            if (to == 0)
                surface_text_right(surface, tiles->rect.top - 1, x, NUMBER_WIDE, COLOUR_DIM, 0, "%d",
                                   from + 1);
            format_short(text, sizeof text, (double)elements);
            surface_text_right(surface, y, x, NUMBER_WIDE,
                               elements == 0      ? COLOUR_DIM
                               : explorer->shades ? (enum colour)((int)COLOUR_DENSITY + max(level, 4))
                                                  : COLOUR_TEXT,
                               0, "%s",
                               elements                        ? text
                               : explorer->ascii || to != from ? "."
                                                               : "\u00b7");
            if (here)
                surface_highlight(surface, (struct rect){y, x, 1, NUMBER_WIDE}, COLOUR_CURSOR,
                                  explorer->colours ? 0 : ATTRIBUTE_REVERSE);
        }
    }
}

/* Tiles */

static void draw_tiles(const struct explorer *explorer, const struct parts_tiles *tiles,
                       const struct shade *shade, int64_t parts, struct surface *surface)
{
    struct rect rect = tiles->rect;
    const struct parts_fit fit = {.high = tiles->count,
                                  .wide = tiles->count,
                                  .large_high = tiles->cell_high,
                                  .large_wide = tiles->cell_wide};
    struct cells cells;
    struct canvas canvas = parts_canvas(explorer, &cells, surface, rect);
    for (int to = 0; to < tiles->count; to++)
        for (int from = 0; from < tiles->count; from++) {
            int level = shade_level(shade, (double)tile_at(tiles, to, from));
            canvas.mark = shade_character(level, explorer->ascii);
            if (level >= 0)
                parts_draw_dot(&canvas, &fit, to, from,
                               parts_has_blocks(explorer) ? (enum colour)((int)COLOUR_DENSITY + level)
                                                          : COLOUR_TEXT);
        }
    parts_draw_cursor(explorer, &canvas, &fit, tiles->to / tiles->step, tiles->from / tiles->step, surface,
                      rect);
    surface_frame(surface, (struct rect){rect.top - 1, rect.left - 1, rect.high + 2, rect.wide + 2},
                  explorer->ascii, NULL);
    surface_text_right(surface, rect.top, rect.left - 1 - LABEL_WIDE, LABEL_WIDE, COLOUR_DIM, 0, "1");
    if (rect.high > 1)
        surface_text_right(surface, rect.top + rect.high - 1, rect.left - 1 - LABEL_WIDE, LABEL_WIDE,
                           COLOUR_DIM, 0, "%lld", (long long)parts);
}

/* Words */

static void write_parts(char *out, size_t size, int64_t first, int64_t step, int64_t parts)
{
    int64_t last = min(first + step, parts);
    if (last - first == 1)
        snprintf(out, size, "part %lld", (long long)last);
    else
        snprintf(out, size, "parts %lld-%lld", (long long)first + 1, (long long)last);
}

/* Describe the tile under the cursor, and all messages of its part. */
static void draw_words(const struct parts_screen *screen, const struct distributed *row,
                       struct surface *surface, struct rect rect)
{
    const struct parts_tiles *tiles = &screen->tiles;
    char to[64], from[64], number[32], all[32], sends[32];
    int64_t step = tiles->step, first = tiles->to / step * step, second = tiles->from / step * step;
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + rect.high - 2, rect.left + 1, 2, rect.wide - 2}};
    write_parts(to, sizeof to, first, step, row->parts);
    write_parts(from, sizeof from, second, step, row->parts);
    format_count(number, sizeof number, tile_at(tiles, (int)(first / step), (int)(second / step)));
    if (step == 1 && first == second)
        flow_item(&flow, COLOUR_TEXT,
                  row->partitioner->entrywise ? "%s owns %s elements of y, and %s entries"
                                              : "%s owns %s rows with %s entries",
                  to, format_count(all, sizeof all, row->halo.part[first].rows),
                  format_count(sends, sizeof sends, row->halo.part[first].entries));
    else
        flow_item(&flow, COLOUR_TEXT, "%s (down) receive%s %s from %s (across)", to, step == 1 ? "s" : "",
                  number, from);
    flow_break(&flow);
    if (step == 1) {
        const struct halo_part *part = &row->halo.part[first];
        format_count(all, sizeof all, part->receives);
        format_count(sends, sizeof sends, part->sends);
        if (row->partitioner->entrywise)
            flow_item(&flow, COLOUR_DIM, "receives %s elements in %d message%s, sends %s in %d", all,
                      part->from, part->from == 1 ? "" : "s", sends, part->to);
        else
            flow_item(&flow, COLOUR_DIM, "receives %s elements from %d part%s, sends %s to %d", all,
                      part->from, part->from == 1 ? "" : "s", sends, part->to);
    } else {
        flow_item(&flow, COLOUR_DIM, "%lld parts per tile and direction", (long long)step);
    }
}

/* Explain the numbers, or the shades of tiles. */
static void draw_scale(const struct explorer *explorer, const struct shade *shade, bool numbers,
                       struct surface *surface, int y, struct rect rect)
{
    char low[32], high[32];
    int x = rect.left + 1;
    if (!(shade->high > 0)) {
        surface_text(surface, y, x, rect.wide - 2, COLOUR_DIM, 0, "Nothing is exchanged.");
        return;
    }
    if (numbers) {
        if (!surface_text_whole(surface, y, x, rect.wide - 2, COLOUR_DIM, 0,
                                "elements that a part (down) receives from a part (across)"))
            surface_text_whole(surface, y, x, rect.wide - 2, COLOUR_DIM, 0, "elements received");
        return;
    }
    format_short(low, sizeof low, shade_density(shade, 0));
    format_short(high, sizeof high, shade_density(shade, SHADE_LEVELS - 1));
    x += surface_text(surface, y, x, rect.wide - 2, COLOUR_DIM, 0, "%s ", low);
    for (int level = 0; level < SHADE_LEVELS; level++, x++)
        surface_put(surface, y, x,
                    parts_has_blocks(explorer) ? 0x2588 : shade_character(level, explorer->ascii),
                    parts_has_blocks(explorer) ? (enum colour)((int)COLOUR_DENSITY + level) : COLOUR_TEXT,
                    COLOUR_TEXT, 0);
    surface_text(surface, y, x, rect.left + rect.wide - 1 - x, COLOUR_DIM, 0, " %s elements", high);
}

void parts_draw_volumes(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct parts_screen *screen = state;
    struct parts_tiles *tiles = &screen->tiles;
    const struct distributed *row = parts_row(screen);
    struct owners *owners = NULL;
    const struct sketch *sketch = parts_sketch(screen);
    int high = rect.high - FOOT_HIGH - 2, wide = rect.wide - LABEL_WIDE - 3;
    tiles->rect = (struct rect){0};
    if (high < 1 || wide < NUMBER_WIDE) return;
    if (sketch ? !sketch->elements : !parts_owners(screen, &owners)) {
        parts_say_missing(explorer, screen, surface, rect);
        return;
    }
    bool blocks = parts_has_blocks(explorer);
    struct parts_fit fit =
        parts_fit(row->parts, row->parts, blocks ? 2 * high : high, blocks ? wide : wide / 2);
    const int64_t finest = sketch ? sketch->step : 1;
    tiles->numbers = finest == 1 && row->parts <= high && row->parts * NUMBER_WIDE <= wide;
    const int64_t step = tiles->numbers ? 1 : (fit.rows + finest - 1) / finest * finest;
    if (!count_tiles(tiles, owners, sketch, row->parts, step)) return;
    if (step != fit.rows &&
        !tiles->numbers) /* the tiles need fewer units than the parts, so they can be larger */
        fit = parts_fit(tiles->count, tiles->count, blocks ? 2 * high : high, blocks ? wide : wide / 2);
    struct shade shade = scale_of(tiles);
    tiles->rect = (struct rect){rect.top + 1, rect.left + 1 + LABEL_WIDE, 0, 0};
    if (tiles->numbers) {
        tiles->cell_high = 1;
        tiles->cell_wide = NUMBER_WIDE;
        tiles->rect.high = tiles->count;
        tiles->rect.wide = tiles->count * NUMBER_WIDE;
        draw_numbers(explorer, tiles, &shade, surface);
    } else {
        tiles->cell_high = fit.large_high;
        tiles->cell_wide = fit.large_wide;
        tiles->rect.left++;
        tiles->rect.high =
            blocks ? (tiles->count * tiles->cell_high + 1) / 2 : tiles->count * tiles->cell_high;
        tiles->rect.wide = (blocks ? 1 : 2) * tiles->count * tiles->cell_wide;
        draw_tiles(explorer, tiles, &shade, row->parts, surface);
    }
    draw_scale(explorer, &shade, tiles->numbers, surface, rect.top + rect.high - FOOT_HIGH, rect);
    draw_words(screen, row, surface, rect);
}

void parts_move_volumes(struct parts_screen *screen, int down, int right)
{
    struct parts_tiles *tiles = &screen->tiles;
    const struct distributed *row = parts_row(screen);
    int64_t step = tiles->step > 0 ? tiles->step : 1;
    if (!row) return;
    tiles->to = clip(tiles->to + down * step, row->parts - 1);
    tiles->from = clip(tiles->from + right * step, row->parts - 1);
}

void parts_click_volumes(struct parts_screen *screen, const struct explorer *explorer, int y, int x)
{
    struct parts_tiles *tiles = &screen->tiles;
    const struct distributed *row = parts_row(screen);
    if (!row || !rect_holds(tiles->rect, y, x)) return;
    bool blocks = parts_has_blocks(explorer) && !tiles->numbers,
         letters = !parts_has_blocks(explorer) && !tiles->numbers;
    int down = (y - tiles->rect.top) * (blocks ? 2 : 1) / tiles->cell_high,
        right = (x - tiles->rect.left) / (letters ? 2 : 1) / tiles->cell_wide;
    tiles->to = clip(down * tiles->step, row->parts - 1);
    tiles->from = clip(right * tiles->step, row->parts - 1);
}
