/* Drawing a panel: its heading, its figures, picture and arrays, and a text on the target of the focus. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "ui/everywhere.h"
#include "ui/layouts/layouts.h"
#include "ui/widgets/gauge.h"

#define PICTURE_MIN 3 /* the minimum height of a picture with its heading; arrays make room for it */
#define ROOMY_HIGH 16 /* a panel of this height has a blank line below its figures */
#define FIGURES_MAX 3
#define WORDS_MAX 2

static void draw_heading(const struct layouts *layouts, int index, struct surface *surface, struct rect rect)
{
    const struct panel *panel = &layouts->panels[index];
    const struct conversion *conversion = panel->conversion;
    const char *precision = value_name(conversion->choice.precision, conversion->pool->a->imaginary != NULL);
    bool focused = layouts->focus.panel == index;
    int room = rect.wide - 1 - surface_columns(precision) - 2;
    if (focused) surface_highlight(surface, (struct rect){rect.top, rect.left, 1, rect.wide}, COLOUR_BAR, 0);
    int used = 1 + surface_text(surface, rect.top, rect.left + 1, room, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                                conversion->choice.format->title);
    used += 2;
    surface_text_whole(surface, rect.top, rect.left + used, room - used, COLOUR_ACCENT, 0, "%s",
                       layouts_name(conversion));
    surface_text_right(surface, rect.top, rect.left, rect.wide - 1, COLOUR_DIM, 0, "%s", precision);
}

static void count_item(struct flow *flow, int64_t count, const char *of)
{
    char out[32];
    flow_item(flow, COLOUR_TEXT, "%s %s%s", format_fitting(out, sizeof out, count, flow->rect.wide / 4), of,
              count == 1 ? "" : "s");
}

/* Write the sizes of the matrix in this format, and the time of converting it. */
static void draw_figures(const struct panel *panel, struct flow *flow)
{
    const struct conversion *conversion = panel->conversion;
    const struct format_size *size = &conversion->size;
    char out[32];
    if (!atomic_load(&conversion->sized)) return;
    flow_item(flow, COLOUR_ACCENT, "%s", format_bytes(out, sizeof out, (double)size->bytes));
    if (!isnan(size->dense_ratio))
        flow_item(flow, COLOUR_TEXT, "%s of dense", format_percent(out, sizeof out, size->dense_ratio));
    count_item(flow, size->slots, "slot");
    if (!isnan(size->padding_ratio))
        flow_item(flow, size->padding > 0 ? COLOUR_WARN : COLOUR_GOOD, "padding factor %s",
                  format_brief(out, sizeof out, size->padding_ratio));
    count_item(flow, size->integers, "integer");
    if (conversion_state(conversion) == CONVERSION_BUILT)
        flow_item(flow, COLOUR_DIM, "converted in %s", format_seconds(out, sizeof out, conversion->seconds));
}

/* Explain why a panel has no storage to show, or draw the progress of the conversion. */
static void draw_waiting(struct explorer *explorer, const struct panel *panel, struct surface *surface,
                         struct rect rect)
{
    const struct conversion *conversion = panel->conversion;
    struct flow flow = {.surface = surface, .rect = rect};
    char after_all[64], key[KEY_TEXT];
    struct rect bar = {rect.top + 2, rect.left, 1, rect.wide < 60 ? rect.wide : 60};
    if (rect.high < 1) return;
    if (conversion_state(conversion) == CONVERSION_REFUSED) {
        flow_words(&flow, COLOUR_BAD, "Not available:");
        flow_words(&flow, COLOUR_TEXT, conversion->refusal.message);
    } else if (conversion->declined) {
        flow_words(&flow, COLOUR_WARN, "Not converted.");
        snprintf(after_all, sizeof after_all, "%s resumes converting.", everywhere_key(DEMAND_CANCEL, key));
        flow_words(&flow, COLOUR_DIM, after_all);
    } else if (explorer->converting == conversion && explorer->job) {
        const char *phase = atomic_load(&explorer->job->progress.phase);
        explorer->moving = true;
        flow_words(&flow, COLOUR_TEXT, phase ? phase : "converting");
        if (rect.high > 2) gauge_bar(surface, bar.top, bar.left, bar.wide, explorer->ascii, explorer->job);
        if (rect.high > 4)
            surface_text(surface, rect.top + 4, rect.left, rect.wide, COLOUR_DIM, 0, "%s cancels",
                         everywhere_key(DEMAND_CANCEL, key));
    } else {
        explorer->moving = explorer->converting != NULL;
        flow_words(&flow, COLOUR_DIM, "queued");
    }
}

/* Words */

static void write_place(struct flow *flow, const struct storage *storage, const struct array *array,
                        int64_t e)
{
    struct place place = storage->format->place(storage, array->part, e);
    bool columns = storage->format->shape && storage->format->shape(storage).line == LINE_COLUMN;
    int64_t line = columns ? place.col : place.row;
    if (!storage_padding(storage, array->part, e)) return;
    if (line >= 0)
        flow_item(flow, COLOUR_WARN, "padding of %s %lld", columns ? "column" : "row", (long long)line);
    else
        flow_item(flow, COLOUR_WARN, "padding");
}

/* Describe element e of array q. */
static void write_element(const struct scene *scene, struct flow *flow, int q, int64_t e)
{
    const struct storage *storage = scene->storage;
    const struct array *array = &storage->array[q];
    struct text words = {0};
    char out[64];
    array_text(array, e, out, sizeof out);
    flow_item(flow, COLOUR_ACCENT, "%s[%lld] = %s", array->name, (long long)e, out);
    if (array->per_slot) write_place(flow, storage, array, e);
    if (storage->format->explain) storage->format->explain(storage, q, e, &words);
    if (words.data && words.data[0])
        flow_sentence(flow, COLOUR_TEXT, words.data);
    else
        flow_sentence(flow, COLOUR_DIM, array->help);
    text_free(&words);
}

/* Return the most informative array of a slot. The order is: an array that the format explains, the array of
 * column indices, the first array. -1 if the part has no arrays. */
static int telling_array(const struct storage *storage, int part, int64_t slot)
{
    struct text words = {0};
    int columns = -1, telling = -1;
    for (int q = 0; q < storage->count && telling < 0; q++) {
        const struct array *array = &storage->array[q];
        if (!array->per_slot || array->part != part) continue;
        if (columns < 0 || array->role == ROLE_COLUMNS) columns = q;
        if (storage->format->explain) storage->format->explain(storage, q, slot, &words);
        if (words.length) telling = q;
    }
    text_free(&words);
    return telling >= 0 ? telling : columns;
}

static void draw_words(const struct scene *scene, struct rect rect, int hidden)
{
    const struct focus *focus = &scene->layouts->focus;
    const struct storage *storage = scene->storage;
    struct flow flow = {.surface = scene->surface, .rect = rect};
    int64_t e = scene->spot.slot;
    int part = scene->spot.part, q = -1;
    if (hidden) flow_item(&flow, COLOUR_WARN, "+%d array%s", hidden, hidden > 1 ? "s" : "");
    if (scene->focused && focus->array != PICTURE) {
        q = focus->array;
        e = focus->element;
    } else if (scene->focused) {
        e = focus->element;
        part = 0;
    }
    if (q < 0 && e >= 0) q = telling_array(storage, part, e);
    if (q >= 0 && e >= 0) write_element(scene, &flow, q, e);
    if (scene->spot.slot < 0 && scene->placed) flow_item(&flow, COLOUR_DIM, "no entry at the cursor");
    if (scene->focused) flow_item(&flow, COLOUR_DIM, "(indices from 0)");
}

/* Return the height of the picture with its heading. Each array needs a segment, and the picture gets the
 * remaining height. If this is less than PICTURE_MIN, the picture gets half of a high panel. A low panel
 * shows either the picture, if it has the focus, or the arrays. */
static int picture_high(const struct scene *scene, int high)
{
    const struct layouts *layouts = scene->layouts;
    const struct storage *storage = scene->storage;
    if (!layouts_has_picture(storage) || layouts->sections == SECTIONS_ARRAYS) return 0;
    int64_t lines = storage->format->shape(storage).lines + 1;
    bool focus = scene->focused && layouts->focus.array == PICTURE;
    int picture = high - layouts_arrays_need(storage) - 1;
    if (picture + 1 == lines) picture++; /* show the last line instead of a gap below */
    if (layouts->sections == SECTIONS_PICTURE) picture = high;
    if (picture < PICTURE_MIN) picture = high >= 3 * PICTURE_MIN ? high / 2 : focus ? high : 0;
    return (int)min(picture, lines);
}

static void draw_body(const struct scene *scene, struct rect rect, int words)
{
    int high = rect.high - words, hidden = 0, picture = picture_high(scene, high);
    bool alone = picture > 0 && scene->layouts->sections == SECTIONS_PICTURE;
    int gap = picture > 0 && picture + layouts_arrays_need(scene->storage) < high;
    struct rect arrays = {rect.top + picture + gap, rect.left, high - picture - gap, rect.wide};
    if (picture > 0) layouts_draw_picture(scene, (struct rect){rect.top, rect.left, picture, rect.wide});
    if (!alone) hidden = layouts_draw_arrays(scene, arrays);
    draw_words(scene, (struct rect){rect.top + high, rect.left + 1, words, rect.wide - 1}, hidden);
}

/* Distribute the lines that the arrays leave. Figures and words always get one line each. Further lines go to
 * figures, words and figures again. */
static void share_lines(const struct panel *panel, int high, int *figures, int *words)
{
    int need = panel->shown ? layouts_arrays_need(panel->shown->storage) : 1, left = high - need - 3;
    *figures = *words = 1;
    for (int k = 0; k < left && *figures < FIGURES_MAX; k++) {
        if (k == 1 && *words < WORDS_MAX)
            ++*words;
        else
            ++*figures;
    }
}

void layouts_draw_panel(struct explorer *explorer, struct layouts *layouts, int index,
                        struct surface *surface, struct rect rect)
{
    struct panel *panel = &layouts->panels[index];
    int lines, words;
    share_lines(panel, rect.high, &lines, &words);
    struct flow figures = {.surface = surface, .rect = {rect.top + 1, rect.left + 1, lines, rect.wide - 1}};
    memset(panel->room, 0, sizeof panel->room);
    panel->lines = panel->cells = 0;
    draw_heading(layouts, index, surface, rect);
    draw_figures(panel, &figures);
    if (panel->shown && panel->shown != panel->conversion) flow_item(&figures, COLOUR_WARN, "converting");
    int top = 1 + flow_lines(&figures) + (rect.high >= ROOMY_HIGH);
    struct rect body = {rect.top + top, rect.left, rect.high - top, rect.wide};
    if (panel->shown) {
        struct scene scene = scene_make(explorer, layouts, index, surface);
        draw_body(&scene, body, words);
    } else {
        body.left++;
        body.wide--;
        draw_waiting(explorer, panel, surface, body);
    }
}
