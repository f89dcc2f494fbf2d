/* Drawing the browser: a line for each matrix, and beside or below them a description of the selected one. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/shade.h"
#include "drawing/surface.h"
#include "matrix/generators/generate.h"
#include "ui/browser/level.h"
#include "ui/browser/start.h"
#include "ui/chrome.h"

/* From this width on the panel is beside the lines. */
#define BESIDE_WIDE 108
#define PANEL_WIDE_MAX 62

/* A list of at least this width shows numbers with all their digits. */
#define WHOLE_WIDE 120

/* Names of generators, which have a summary in place of dates, sizes and numbers, keep this width. */
#define GENERATOR_WIDE 18

/* Dates have a column of DATE_WIDE if the names keep DATED_NAME. */
#define DATE_WIDE 10
#define DATED_NAME 22

#define CURSOR_MAX 44

/* The positions of the columns of the lines. */
struct columns {
    int glyph, name, name_wide, size, size_wide, shape, count_wide, stored, stored_wide, kind, kind_wide, end;
    int date, date_wide; /* date_wide is 0 without the column */
};

static struct columns columns_of(struct rect list)
{
    struct columns c = {.glyph = list.left + 1, .size_wide = 8, .end = list.left + list.wide - 1};
    bool whole = list.wide >= WHOLE_WIDE;
    c.count_wide = whole ? 9 : 5;
    c.stored_wide = whole ? 13 : 6;
    c.kind_wide = whole ? 22 : 17;
    c.kind = c.end - c.kind_wide;
    c.stored = c.kind - 1 - whole - c.stored_wide;
    c.shape = c.stored - 1 - whole - 2 * c.count_wide - 3;
    c.size = c.shape - 1 - whole - c.size_wide;
    c.name = c.glyph + GLYPH_WIDE + 1;
    c.name_wide = c.size - 1 - c.name;
    c.date = c.size;
    if (c.name_wide < DATED_NAME + DATE_WIDE + 2) return c;
    c.date_wide = DATE_WIDE;
    c.date = c.size - 1 - DATE_WIDE; /* a size may fill its column */
    c.name_wide -= DATE_WIDE + 2;
    return c;
}

static void draw_title(struct browser *browser, struct surface *surface)
{
    static const char *const sorts[] = {"name", "date", "size", "rows", "stored"};
    const struct level *level = browser_level(browser);
    char right[128], shown[32], all[32], path[sizeof level->trouble.path];
    chrome_bar(surface, 0);
    format_count(shown, sizeof shown, level->shown);
    format_count(all, sizeof all, level->count);
    const char *doing = !level->listed ? ", listing" : level->waiting ? ", reading" : "";
    if (level->filter[0])
        snprintf(right, sizeof right, "%s of %s%s, by %s%s", shown, all, doing, sorts[level->sort],
                 level->reverse ? " reversed" : "");
    else
        snprintf(right, sizeof right, "%s%s, by %s%s", all, doing, sorts[level->sort],
                 level->reverse ? " reversed" : "");
    int used = surface_columns(right),
        left = 1 + surface_text(surface, 0, 1, 16, COLOUR_TITLE, 0,
                                level_starts(level) ? "Open a matrix  " : "Matrices of ");
    surface_text_right(surface, 0, surface->wide - 1 - used, used, COLOUR_TEXT, 0, "%s", right);
    const bool here = level_starts(level) || strcmp(level->path, ".") == 0;
    if (!here || !getcwd(path, sizeof path)) /* the current folder is shown by its path, not as "." */
        snprintf(path, sizeof path, "%s", level->path);
    surface_text_tail(surface, 0, left, surface->wide - used - left - 3, browser->explorer.ascii, COLOUR_TEXT,
                      0, text_visible(path));
}

static void draw_heads(struct browser *browser, struct surface *surface, const struct columns *c, int y)
{
    const struct level *level = browser_level(browser);
    bool up = (level->sort == SORT_NAME) != level->reverse;
    const char *mark = browser->explorer.ascii ? (up ? "^" : "v") : up ? "\u25b2" : "\u25bc";
    const struct {
        const char *text;
        int x, wide;
        bool right;
    } heads[] = {{"name", c->name, c->name_wide, false},
                 {"changed", c->date, c->date_wide, true},
                 {"size", c->size, c->size_wide, true},
                 {"rows x columns", c->shape - 1, 2 * c->count_wide + 4, true},
                 {"stored", c->stored - 2, c->stored_wide + 2, true}};
    for (int k = 0; k < SORTS; k++) {
        bool sorted = (int)level->sort == k;
        enum colour colour = sorted ? COLOUR_ACCENT : COLOUR_DIM;
        if (heads[k].wide == 0) continue;
        const char *before = sorted && heads[k].right ? mark : "",
                   *after = sorted && !heads[k].right ? mark : "";
        if (k == SORT_ROWS && c->count_wide > 5) {
            surface_text_right(surface, y, c->shape - 2, c->count_wide + 2, colour, 0, "%srows", before);
            surface_text(surface, y, c->shape + c->count_wide, 10, colour, 0, " x columns");
        } else if (heads[k].right) {
            surface_text_right(surface, y, heads[k].x - (k == SORT_ROWS), heads[k].wide + (k == SORT_ROWS),
                               colour, 0, "%s%s", before, k == SORT_ROWS ? "rows x cols" : heads[k].text);
        } else {
            surface_text(surface, y, heads[k].x, heads[k].wide, colour, 0, "%s%s", heads[k].text, after);
        }
    }
    surface_text(surface, y, c->kind, c->kind_wide, COLOUR_DIM, 0, "kind");
    browser->title_x[SORT_NAME] = c->glyph;
    browser->title_x[SORT_DATE] = c->date;
    browser->title_x[SORT_SIZE] = c->size;
    browser->title_x[SORT_ROWS] = c->size + c->size_wide;
    browser->title_x[SORT_STORED] = c->shape + 2 * c->count_wide + 3;
    browser->title_x[SORTS] = c->kind;
}

static void draw_glyph(const struct browser *browser, const struct glyph *glyph, struct surface *surface,
                       int y, int x)
{
    for (int k = 0; k < GLYPH_WIDE && glyph->drawn; k++) {
        if (glyph->level[k] < 0) continue;
        enum colour colour =
            browser->explorer.colours ? (enum colour)((int)COLOUR_DENSITY + glyph->level[k]) : COLOUR_TEXT;
        surface_put(surface, y, x + k,
                    browser->explorer.ascii ? shade_character(glyph->level[k], true)
                                            : braille_character(glyph->bits[k]),
                    colour, COLOUR_TEXT, 0);
    }
}

static void draw_numbers(const struct row *row, struct surface *surface, const struct columns *c, int y)
{
    const struct catalogue_item *item = row->item;
    char rows[32], cols[32], stored[32];
    if (item->rows < 0) return; /* the header has no sizes */
    format_fitting(rows, sizeof rows, item->rows, c->count_wide);
    format_fitting(cols, sizeof cols, item->cols, c->count_wide);
    format_fitting(stored, sizeof stored, item->entries, c->stored_wide);
    surface_text_right(surface, y, c->shape, c->count_wide, COLOUR_TEXT, 0, "%s", rows);
    surface_text(surface, y, c->shape + c->count_wide, 3, COLOUR_DIM, 0, " x ");
    surface_text(surface, y, c->shape + c->count_wide + 3, c->count_wide, COLOUR_TEXT, 0, "%s", cols);
    surface_text_right(surface, y, c->stored, c->stored_wide, COLOUR_TEXT, 0, "%s", stored);
}

static void draw_date(const struct row *row, struct surface *surface, const struct columns *c, int y)
{
    char date[32];
    struct tm broken;
    if (!row->item->modified || !c->date_wide || !localtime_r(&row->item->modified, &broken)) return;
    if (strftime(date, sizeof date, "%Y-%m-%d", &broken))
        surface_text_whole(surface, y, c->date, c->date_wide, COLOUR_DIM, 0, "%s", date);
}

static void draw_row(const struct browser *browser, const struct row *row, struct surface *surface,
                     const struct columns *c, int y)
{
    bool ascii = browser->explorer.ascii;
    const char *reason = row_reason(row);
    char name[512], kind[64], bytes[32];
    snprintf(name, sizeof name, "%s", row->item->name);
    const enum colour colour = reason                          ? COLOUR_DIM
                               : row->kind == CATALOGUE_MATRIX ? COLOUR_TEXT
                                                               : COLOUR_ACCENT;
    if (row->item->group == START_RECENT)
        surface_text_tail(surface, y, c->name, c->name_wide, ascii, colour, 0, text_visible(name));
    else
        surface_text_short(surface, y, c->name, c->name_wide, ascii, colour, 0, text_visible(name));
    draw_glyph(browser, &row->glyph, surface, y, c->glyph);
    draw_date(row, surface, c, y);
    if (row->item->bytes >= 0)
        surface_text_right(surface, y, c->size, c->size_wide, COLOUR_TEXT, 0, "%s",
                           format_bytes(bytes, sizeof bytes, (double)row->item->bytes));
    if (row->item->group == START_GENERATOR && row->item->summary) {
        /* A specification may be longer than the column of names. It is cut before a blank. */
        const int64_t used = max(surface_columns(name) + 2, GENERATOR_WIDE);
        const int from = c->name + (int)min(used, c->name_wide + 1);
        surface_text_short(surface, y, from, c->kind - 1 - from, ascii, COLOUR_DIM, 0, row->item->summary);
        surface_text_short(surface, y, c->kind, c->kind_wide, ascii, COLOUR_DIM, 0,
                           row_kind(row, kind, sizeof kind));
    } else if (reason) {
        surface_text_short(surface, y, c->shape, c->end - c->shape, ascii, COLOUR_BAD, 0, reason);
    } else if (row->state == CATALOGUE_WAITING) {
        surface_text_right(surface, y, c->stored, c->stored_wide, COLOUR_DIM, 0, "...");
    } else {
        if (row->kind == CATALOGUE_MATRIX && row->state == CATALOGUE_READ) draw_numbers(row, surface, c, y);
        surface_text_short(surface, y, c->kind, c->kind_wide, ascii, COLOUR_DIM, 0,
                           row_kind(row, kind, sizeof kind));
    }
}

/* --- the panel --- */

/* Return the text in the frame while there is no thumbnail; NULL if there cannot be one. */
static const char *without_picture(const struct browser *browser, const struct row *row)
{
    const struct level *level = browser_level(browser);
    if (row->kind != CATALOGUE_MATRIX || row_reason(row) || row->state == CATALOGUE_LARGE) return NULL;
    if (row->state == CATALOGUE_WAITING) return "...";
    if (!browser_is_small(level, row)) return "large";
    return row->tried && !row->glyph.drawn ? "no memory" : "...";
}

/* Describe a generator, and its parameters with their ranges. */
static void tell_generator(const struct row *row, struct flow *flow)
{
    char name[64], range[64], standard[64], prose[PROSE_SIZE];
    const char *spec = row->item->path + strlen("gen:");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ","), spec);
    const struct generator *generator = generator_find(name);
    if (row->item->summary) flow_words(flow, COLOUR_TEXT, row->item->summary);
    flow_break(flow);
    for (const struct parameter *p = generator ? generator->parameters : NULL; p && p->name; p++)
        flow_item(flow, COLOUR_DIM, "%s=%s (%s)", p->name, parameter_default(p, standard, sizeof standard),
                  parameter_range(p, range, sizeof range));
    flow_break(flow);
    flow_words(flow, COLOUR_DIM, keys_prose(browser_about()->actions, "{edit} changes them", prose));
}

static void tell_lessons(struct flow *flow)
{
    char prose[PROSE_SIZE];
    flow_words(flow, COLOUR_TITLE, "Lessons");
    flow_break(flow);
    flow_words(flow, COLOUR_TEXT,
               "Storage formats by doing: small matrices on the screens of this program, a question in each "
               "step, and a check of what is done. A lesson takes two minutes.");
    flow_break(flow);
    flow_words(flow, COLOUR_DIM, keys_prose(browser_about()->actions, "{open} lists them", prose));
}

static void tell(const struct browser *browser, const struct row *row, struct flow *flow)
{
    const struct catalogue_item *item = row->item;
    if (item->group == START_LESSONS) {
        tell_lessons(flow);
        return;
    }
    const char *reason = row_reason(row);
    char name[512], rows[32], cols[32], stored[32], bytes[32], kind[64], date[64], prose[PROSE_SIZE];
    snprintf(name, sizeof name, "%s", item->name);
    flow_words(flow, COLOUR_TITLE, text_visible(name));
    flow_break(flow);
    if (item->modified) {
        struct tm broken;
        strftime(date, sizeof date, "changed %Y-%m-%d %H:%M", localtime_r(&item->modified, &broken));
        flow_item(flow, COLOUR_DIM, "%s", date);
        flow_break(flow);
    }
    if (row->item->group == START_GENERATOR &&
        reason) { /* it has parameters without a default, or wrong ones */
        flow_words(flow, COLOUR_WARN, reason);
        flow_break(flow);
    } else if (reason) {
        flow_words(flow, COLOUR_BAD, reason);
        return;
    }
    if (row->item->group == START_GENERATOR) {
        tell_generator(row, flow);
    } else if (row->state == CATALOGUE_WAITING) {
        flow_words(flow, COLOUR_DIM, "header not read yet");
    } else if (row->kind == CATALOGUE_FOLDER) {
        if (item->entries == 0)
            flow_words(flow, COLOUR_TEXT, "No matrices or archives here.");
        else
            flow_item(flow, COLOUR_TEXT, "%s %s", format_count(stored, sizeof stored, item->entries),
                      item->entries == 1 ? "matrix or archive, by name" : "matrices or archives, by name");
        flow_break(flow);
        flow_words(flow, COLOUR_DIM, keys_prose(browser_about()->actions, "{open} goes in", prose));
    } else if (row->kind == CATALOGUE_ARCHIVE) {
        flow_words(flow, COLOUR_TEXT, "an archive with");
        flow_words(flow, COLOUR_TEXT, row_kind(row, kind, sizeof kind));
        if (item->more) flow_words(flow, COLOUR_DIM, "or more: the archive could not be read to its end");
        flow_break(flow);
        flow_words(flow, COLOUR_DIM, keys_prose(browser_about()->actions, "{open} lists them", prose));
    } else if (row->state == CATALOGUE_LARGE) {
        format_bytes(bytes, sizeof bytes, (double)CATALOGUE_LOOK_BYTES);
        flow_words(flow, COLOUR_TEXT, "large: no matrix in its first");
        flow_item(flow, COLOUR_TEXT, "%s", bytes);
        flow_break(flow);
        flow_words(flow, COLOUR_DIM, keys_prose(browser_about()->actions, "{open} reads on", prose));
    } else {
        if (item->rows < 0) {
            flow_words(flow, COLOUR_DIM, "sizes unknown until it is read");
        } else {
            flow_item(flow, COLOUR_TEXT, "%s x %s", format_count(rows, sizeof rows, item->rows),
                      format_count(cols, sizeof cols, item->cols));
            flow_item(flow, COLOUR_TEXT, "%s stored", format_count(stored, sizeof stored, item->entries));
        }
        flow_break(flow);
        flow_words(flow, COLOUR_TEXT, row_kind(row, kind, sizeof kind));
        flow_break(flow);
        if (!browser_is_small(browser_level(browser), row))
            flow_words(flow, COLOUR_DIM,
                       keys_prose(browser_about()->actions, "large: {open} opens it", prose));
    }
}

/* Draw the thumbnail, or a frame with the reason why there is none. Returns its number of lines. */
static int draw_picture(struct browser *browser, const struct row *row, struct surface *surface,
                        struct rect rect)
{
    const char *why = without_picture(browser, row);
    bool loaded = browser->large.ready && browser->large.level == browser_level(browser) &&
                  &browser->large.level->rows[browser->large.row] == row;
    if (!why) return 0;
    if (loaded) return thumbnail_draw(&browser->thumbnail, &browser->explorer, surface, rect);
    surface_frame(surface, rect, browser->explorer.ascii, NULL);
    surface_text(surface, rect.top + rect.high / 2, rect.left + (rect.wide - (int)strlen(why)) / 2,
                 rect.wide - 2, COLOUR_DIM, 0, "%s", why);
    return rect.high;
}

static void draw_panel(struct browser *browser, struct surface *surface, struct rect panel, bool beside)
{
    const struct level *level = browser_level(browser);
    const struct row *row = level_row(level, level->selected);
    if (!row) return;
    int high = beside ? (panel.wide - 2) / 2 : panel.high;
    if (high > panel.high - 6 && beside) high = panel.high - 6;
    struct rect picture = {panel.top, panel.left + 1, high, 2 * (high - 2) + 2};
    int used = draw_picture(browser, row, surface, picture);
    struct rect words = {panel.top, picture.left, panel.high, panel.wide - 2};
    if (used && beside) {
        words.top += used + 1;
        words.high -= used + 1;
    } else if (used) {
        words.left += picture.wide + 2;
        words.wide -= picture.wide + 2;
    }
    struct flow flow = {.surface = surface, .rect = words};
    tell(browser, row, &flow);
}

/* --- the screen --- */

static void draw_bottom(struct browser *browser, struct surface *surface)
{
    const struct level *level = browser_level(browser);
    int y = surface->high - 1, wide = surface->wide - 2;
    browser->footer.count = 0;
    surface_blank(surface, (struct rect){y, 0, 1, surface->wide});
    if (browser->help.open) {
        footer_add(&browser->footer, help_actions, 1, surface->wide - 1);
        footer_draw(&browser->footer, surface, y);
    } else if (browser->editing) {
        prompt_draw(&browser->prompt, surface, y, 1, wide);
    } else if (browser->typing) {
        int used = surface_text(surface, y, 1, wide, COLOUR_ACCENT, 0, "Show only: ");
        used += surface_text_tail(surface, y, 1 + used, wide - used - 1, browser->explorer.ascii, COLOUR_TEXT,
                                  0, level->filter);
        surface_text(surface, y, 1 + used, 1, COLOUR_TEXT, ATTRIBUTE_REVERSE, " ");
    } else {
        const struct footer_table own = {browser_about()->actions, &browser->explorer, browser};
        const int x = footer_add_useful(&browser->footer, &own, USE_URGENT, 1, surface->wide - 1);
        footer_add_useful(&browser->footer, &own, USE_SOME, x, surface->wide - 1);
        chrome_bottom(&browser->explorer, surface, NULL, NULL, &browser->footer);
    }
}

/* Write the reason why the list is empty. */
static void draw_nothing(const struct browser *browser, struct surface *surface, struct rect list)
{
    const struct level *level = browser_level(browser);
    int y = list.top + 1, x = list.left + 2, wide = list.wide - 4;
    char text[FILTER_SIZE + PROSE_SIZE + 64], all[PROSE_SIZE];
    struct flow flow = {.surface = surface, .rect = {y, x, list.high - 1, wide}};
    keys_prose(browser_about()->actions, "{show all again} shows all", all);
    snprintf(text, sizeof text, "no name or kind contains \"%s\"; %s", level->filter, all);
    if (level->count && level->filter[0])
        flow_words(&flow, COLOUR_WARN, text);
    else if (!level->listed)
        surface_text(surface, y, x, wide, COLOUR_DIM, 0, "listing ...");
    else if (level->trouble.status == STATUS_OK)
        surface_text(surface, y, x, wide, COLOUR_WARN, 0, "no matrices, archives or folders here");
}

/* Write the reason why the list is incomplete. */
static void draw_trouble(const struct browser *browser, struct surface *surface, int y)
{
    surface_text_short(surface, y, 1, surface->wide - 2, browser->explorer.ascii, COLOUR_BAD, 0,
                       browser_level(browser)->trouble.message);
}

/* The cursor covers little more than the name. Each move of a wide cursor would send two long rows. */
static int cursor_wide(const struct columns *columns, int left)
{
    const int wide = columns->name + columns->name_wide - left;
    return wide < CURSOR_MAX ? wide : CURSOR_MAX;
}

/* Blank the surface except the panel. */
static void blank_around(struct surface *surface, struct rect panel)
{
    int below = panel.top + panel.high, beside = panel.left + panel.wide;
    surface_blank(surface, (struct rect){0, 0, panel.top, surface->wide});
    surface_blank(surface, (struct rect){panel.top, 0, panel.high, panel.left});
    surface_blank(surface, (struct rect){panel.top, beside, panel.high, surface->wide - beside});
    surface_blank(surface, (struct rect){below, 0, surface->high - below, surface->wide});
}

void browser_draw(struct browser *browser, struct surface *surface, bool ascii, enum palette palette)
{
    struct level *level = browser_level(browser);
    struct explorer *explorer = &browser->explorer;
    bool beside = surface->wide >= BESIDE_WIDE;
    explorer->ascii = ascii;
    explorer->colours = palette != PALETTE_NONE;
    explorer->session = &browser->large.session;
    bool same = browser->panel_high == surface->high && browser->panel_wide == surface->wide;
    const bool over = browser->help.open || list_is_open(&browser->settings.list);
    bool held = same && !over && browser_hold(browser) > 0;
    int high = surface->high - 2, below = beside ? 0 : high < 30 ? 8 : high / 3 < 16 ? high / 3 : 16;
    int panel_wide = surface->wide / 3 < PANEL_WIDE_MAX ? surface->wide / 3 : PANEL_WIDE_MAX;
    bool trouble = level->trouble.status != STATUS_OK;
    high -= trouble;
    struct rect list = {2, 0, high - 1 - below, beside ? surface->wide - panel_wide : surface->wide};
    struct rect panel = beside ? (struct rect){2, list.wide, high - 1, panel_wide}
                               : (struct rect){2 + list.high, 0, below, surface->wide};
    if (held)
        blank_around(surface, panel);
    else
        surface_clear(surface);
    struct columns columns = columns_of(list);
    if (trouble) draw_trouble(browser, surface, surface->high - 2);
    draw_title(browser, surface);
    draw_heads(browser, surface, &columns, 1);
    level->room = list.high;
    browser->list = list;
    level->top = scroll_to(level->top, level->selected, level->shown, level->room);
    for (int k = 0; k < list.high && level_row(level, level->top + k); k++) {
        draw_row(browser, level_row(level, level->top + k), surface, &columns, list.top + k);
        if (level->top + k == level->selected)
            surface_cursor(surface,
                           (struct rect){list.top + k, list.left, 1, cursor_wide(&columns, list.left)});
    }
    if (level->shown == 0) draw_nothing(browser, surface, list);
    if (!held) {
        const struct row *row = level_row(level, level->selected);
        draw_panel(browser, surface, panel, beside);
        browser->panel_level = row && !over ? level : NULL;
        browser->panel_row = row ? (int)(row - level->rows) : -1;
        browser->panel_high = surface->high;
        browser->panel_wide = surface->wide;
    }
    if (list_is_open(&browser->settings.list))
        list_draw(explorer, &browser->settings.list, surface, chrome_area(NULL, surface));
    if (browser->help.open) {
        const struct help_section sections[] = {{"Keys of the browser", browser_about()->actions},
                                                {"Keys of this help", help_actions},
                                                {NULL, NULL}};
        help_draw(&browser->help, surface, chrome_area(NULL, surface), ascii, browser_about(), sections);
    }
    draw_bottom(browser, surface);
}
