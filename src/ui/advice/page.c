/* The page of Advice. Its sections are drawn on a surface of their own, below each other or in two columns. A
 * window of the surface is copied to the screen. */
#include <limits.h>
#include <string.h>

#include "base/range.h"
#include "ui/advice/screen.h"
#include "ui/widgets/panes.h"

#define PAGE_START 128   /* lines of the page's surface at first */
#define GUTTER 3         /* columns between two columns of sections */
#define EVEN_HIGH 16     /* minimum number of lines of the break-even diagram with its heading */
#define ROOFLINE_HIGH 22 /* minimum number of lines of the roofline with its heading */
#define PLOT_LEAST 14    /* a diagram does not shrink to a window with fewer lines */
#define CRITERIA_WIDE 62 /* columns that the criteria need */

/* The two columns of a wide page. Above them are the terms and the orders, and below them the last
 * six sections. Each column ends with a diagram. */
static const enum advice_section left_column[] = {SECTION_CHANGE, SECTION_RANGE, SECTION_EVEN};
static const enum advice_section right_column[] = {SECTION_TIMES, SECTION_ROOFLINE};

static bool is_diagram(enum advice_section section)
{
    return section == SECTION_EVEN || section == SECTION_ROOFLINE;
}

/* The minimum height of a diagram with its heading; 0 for other sections. */
static int plot_high(enum advice_section section)
{
    return section == SECTION_EVEN ? EVEN_HIGH : section == SECTION_ROOFLINE ? ROOFLINE_HIGH : 0;
}

bool advice_has_section(const struct explorer *explorer, const struct advice_screen *screen,
                        enum advice_section section)
{
    if (section == SECTION_ORDERS && explorer->session->case_count < 2) return false;
    return advice_shown(screen) != NULL || advice_sections[section].alone;
}

void advice_spot(struct advice_screen *screen, enum advice_section section, int item, struct rect rect)
{
    struct page *page = &screen->page;
    if (page->spot_count < ADVICE_SPOTS)
        page->spots[page->spot_count++] = (struct page_spot){section, item, rect};
}

/* Draw a heading: the key and the title of a section in a rule. */
static void draw_heading(const struct explorer *explorer, const struct advice_screen *screen,
                         enum advice_section at, struct surface *surface, struct rect line)
{
    const struct section *section = &advice_sections[at];
    const bool here = at == screen->focus;
    int x = line.left + 1, end = line.left + line.wide;
    pane_draw_rule(surface, line, explorer->ascii);
    x += surface_text(surface, line.top, x, end - x, COLOUR_TEXT, 0, " ");
    if (section->key)
        x += surface_text(surface, line.top, x, end - x, COLOUR_ACCENT, here ? ATTRIBUTE_BOLD : 0, "%c ",
                          section->key);
    x += surface_text(surface, line.top, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", section->title);
    if (!section->caption ||
        !surface_text_whole(surface, line.top, x, end - x, COLOUR_DIM, 0, ": %s ", section->caption))
        surface_text(surface, line.top, x, end - x, COLOUR_TEXT, 0, " ");
}

/* Draw a section with its heading. Returns the line below it. */
static int draw_section(struct explorer *explorer, struct advice_screen *screen, enum advice_section at,
                        struct rect rect)
{
    struct page *page = &screen->page;
    if (!advice_has_section(explorer, screen, at) || (screen->one && at != screen->focus)) return rect.top;
    draw_heading(explorer, screen, at, &page->surface, (struct rect){rect.top, rect.left, 1, rect.wide});
    page->order[page->count++] = at;
    struct rect body = {rect.top + 1, rect.left, rect.high - 1, rect.wide};
    const int lines = advice_sections[at].draw(explorer, screen, &page->surface, body);
    page->sections[at] = (struct rect){rect.top, rect.left, 1 + lines, rect.wide};
    return rect.top + 1 + lines;
}

/* The height of a diagram with its heading. It shrinks to a window that is not too low. Then the whole
 * diagram is visible, and the page does not scroll while the cursor moves in it. */
static int plot_in_window(const struct advice_screen *screen, enum advice_section section)
{
    const int high = screen->page.window.high - 1;
    return high >= PLOT_LEAST && high < plot_high(section) ? high : plot_high(section);
}

/* The rectangle from a line of the page on. A diagram has its own height; other sections have no limit. */
static struct rect from_line(const struct advice_screen *screen, enum advice_section at, int line, int left,
                             int wide)
{
    const int high = !is_diagram(at) ? INT_MAX / 2
                     : screen->one   ? (int)max(screen->page.window.high - line, plot_high(at))
                                     : plot_in_window(screen, at);
    return (struct rect){line, left, high, wide};
}

/* Draw the sections below each other. Returns the line below them. */
static int draw_one_column(struct explorer *explorer, struct advice_screen *screen, int line, int wide)
{
    for (int k = 0; k < SECTIONS; k++) {
        const enum advice_section at = (enum advice_section)k;
        const int next = draw_section(explorer, screen, at, from_line(screen, at, line, 0, wide));
        line = next > line && !screen->one ? next + 1 : next;
    }
    return line;
}

/* Draw two columns. The diagrams at their ends fill both to the same line. */
static int draw_columns(struct explorer *explorer, struct advice_screen *screen, int line, int wide)
{
    const int half = (wide - GUTTER) / 2, right = half + GUTTER;
    const int lefts = (int)(sizeof left_column / sizeof *left_column),
              rights = (int)(sizeof right_column / sizeof *right_column);
    int ends[2] = {line, line};
    for (int k = 0; k < lefts - 1; k++)
        ends[0] = 1 + draw_section(explorer, screen, left_column[k],
                                   from_line(screen, left_column[k], ends[0], 0, half));
    const int count = screen->page.count;
    for (int k = 0; k < rights - 1; k++)
        ends[1] = 1 + draw_section(explorer, screen, right_column[k],
                                   from_line(screen, right_column[k], ends[1], right, wide - right));
    const int bottom = (int)max(ends[0] + EVEN_HIGH, ends[1] + ROOFLINE_HIGH);
    draw_section(explorer, screen, left_column[lefts - 1], (struct rect){ends[0], 0, bottom - ends[0], half});
    /* Keys go down the left column first. */
    enum advice_section *order = screen->page.order;
    for (int k = screen->page.count - 1; k > count; k--) {
        const enum advice_section moved = order[k];
        order[k] = order[k - 1];
        order[k - 1] = moved;
    }
    draw_section(explorer, screen, right_column[rights - 1],
                 (struct rect){ends[1], right, bottom - ends[1], wide - right});
    line = bottom + 1;
    for (enum advice_section at = SECTION_SOLVES; at <= SECTION_ROUNDING; at++)
        line = 1 + draw_section(explorer, screen, at, from_line(screen, at, line, 0, wide));
    const bool beside = half >= CRITERIA_WIDE;
    ends[0] = draw_section(explorer, screen, SECTION_CRITERIA,
                           from_line(screen, SECTION_CRITERIA, line, 0, beside ? half : wide));
    ends[1] = draw_section(explorer, screen, SECTION_MAP,
                           beside ? from_line(screen, SECTION_MAP, line, right, wide - right)
                                  : from_line(screen, SECTION_MAP, ends[0] + 1, 0, wide));
    return (int)max(ends[0], ends[1]);
}

/* Draw the whole page. Returns its number of lines, even if the surface has fewer. */
static int draw_all(struct explorer *explorer, struct advice_screen *screen)
{
    struct page *page = &screen->page;
    const int wide = page->surface.wide;
    page->count = page->spot_count = 0;
    memset(page->sections, 0, sizeof page->sections);
    surface_clear(&page->surface);
    int line = screen->one ? 0
                           : advice_draw_verdict(explorer, screen, &page->surface,
                                                 (struct rect){0, 1, INT_MAX / 2, wide - 2});
    if (wide < ADVICE_HALF || screen->one || !advice_shown(screen))
        return draw_one_column(explorer, screen, line, wide);
    line = draw_section(explorer, screen, SECTION_WHY, from_line(screen, SECTION_WHY, line, 0, wide)) + 1;
    int next =
        draw_section(explorer, screen, SECTION_ORDERS, from_line(screen, SECTION_ORDERS, line, 0, wide));
    return draw_columns(explorer, screen, next > line ? next + 1 : line, wide);
}

/* The cursor of a section. The bars have their own, because moves of a common cursor would send the lines
 * below the bars again. The map's cursor is in its chart, so its cursor here stays 0. */
static int *cursor_in(struct advice_screen *screen, enum advice_section section)
{
    static int none;
    none = 0;
    return section == SECTION_WHY        ? &screen->bar
           : section == SECTION_CRITERIA ? &screen->format
           : section == SECTION_MAP      ? &none
                                         : &screen->cursor;
}

/* The number of items of a section. The cursor skips sections without items. */
static int items_of(const struct explorer *explorer, const struct advice_screen *screen,
                    enum advice_section section)
{
    const struct advice *advice = advice_shown(screen);
    switch (section) {
    case SECTION_WHY:
        return screen->bar_count;
    case SECTION_CRITERIA:
        return advice_criteria_count(explorer, screen);
    case SECTION_MAP:
        return 1;
    case SECTION_TIMES:
    case SECTION_EVEN:
    case SECTION_ROOFLINE:
        return advice ? advice->count : 0;
    default:
        return 0;
    }
}

/* The rectangle of an item on the page: its line, or the whole section of a diagram. */
static struct rect place_of(const struct page *page, enum advice_section section, int item)
{
    for (int k = 0; k < page->spot_count && !is_diagram(section); k++)
        if (page->spots[k].section == section && page->spots[k].item == item) return page->spots[k].rect;
    return page->sections[section];
}

static void limit_top(struct page *page)
{
    if (page->top > page->high - page->window.high) page->top = page->high - page->window.high;
    if (page->top < 0) page->top = 0;
}

/* True if the window shows the whole rectangle. A higher rectangle must fill the whole window. */
static bool in_sight(const struct page *page, struct rect rect)
{
    const int bottom = page->top + page->window.high, end = rect.top + rect.high;
    return rect.high > page->window.high ? rect.top <= page->top && end >= bottom
                                         : rect.top >= page->top && end <= bottom;
}

static void bring_into_sight(struct page *page, struct rect rect)
{
    if (in_sight(page, rect)) return;
    if (rect.top > page->top) page->top = rect.top + rect.high - page->window.high;
    if (rect.top < page->top) page->top = rect.top;
    limit_top(page);
}

void advice_draw_page(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect)
{
    struct page *page = &screen->page;
    const int least = (int)max(page->high, PAGE_START);
    page->window = rect;
    if ((page->surface.wide != rect.wide || page->surface.high < least) &&
        surface_resize(&page->surface, least, rect.wide, NULL) != STATUS_OK)
        return;
    page->high = draw_all(explorer, screen);
    if (page->high > page->surface.high) {
        if (surface_resize(&page->surface, page->high, rect.wide, NULL) != STATUS_OK) return;
        page->high = draw_all(explorer, screen);
    }
    limit_top(page);
    if (page->follow && page->sections[screen->focus].high > 0 &&
        items_of(explorer, screen, screen->focus) > 0)
        bring_into_sight(page, place_of(page, screen->focus, *cursor_in(screen, screen->focus)));
    page->follow = false;
    if (page->show && page->sections[screen->focus].high > 0) {
        page->top = screen->focus == SECTION_WHY ? 0 : page->sections[screen->focus].top;
        limit_top(page);
    }
    for (int y = 0; y < rect.high && page->top + y < page->high; y++)
        memcpy(&surface->cells[(rect.top + y) * surface->wide + rect.left],
               &page->surface.cells[(page->top + y) * page->surface.wide],
               (size_t)rect.wide * sizeof *surface->cells);
    surface->cut += page->surface.cut;
}

/* The next section with items in the direction of `step`; -1 if there is none. */
static int next_section(const struct explorer *explorer, struct advice_screen *screen, int step)
{
    const struct page *page = &screen->page;
    int at = step > 0 ? -1 : page->count;
    for (int k = 0; k < page->count; k++)
        if (page->order[k] == screen->focus) at = k;
    for (at += step; at >= 0 && at < page->count; at += step)
        if (items_of(explorer, screen, page->order[at]) > 0) return (int)page->order[at];
    return -1;
}

static void take_item(struct advice_screen *screen, enum advice_section section, int item)
{
    screen->focus = section;
    *cursor_in(screen, section) = item;
}

void advice_page_move(const struct explorer *explorer, struct advice_screen *screen, int step)
{
    struct page *page = &screen->page;
    int count = items_of(explorer, screen, screen->focus), item = *cursor_in(screen, screen->focus) + step;
    enum advice_section section = screen->focus;
    page->show = false;
    if (item < 0 || item >= count) {
        const int next = next_section(explorer, screen, step);
        if (next < 0) {
            page->top += step;
            limit_top(page);
            return;
        }
        section = (enum advice_section)next;
        count = items_of(explorer, screen, section);
        /* Diagrams keep the kernel that is under the cursor. */
        item = is_diagram(section) ? screen->cursor : step > 0 ? 0 : count - 1;
    }
    const struct rect place = place_of(page, section, item);
    const int end = place.top + place.high, bottom = page->top + page->window.high;
    const bool beyond = step > 0 ? end > bottom : place.top < page->top;
    if (beyond && !screen->one) {
        page->top += step;
        limit_top(page);
        if (step > 0 ? end > bottom + 1 : place.top < page->top) return;
    }
    take_item(screen, section, item);
    page->follow = true; /* an item of the next column may be far above */
}

void advice_page_scroll(const struct explorer *explorer, struct advice_screen *screen, int lines)
{
    struct page *page = &screen->page;
    page->show = false;
    page->top += lines;
    limit_top(page);
    if (items_of(explorer, screen, screen->focus) > 0 &&
        in_sight(page, place_of(page, screen->focus, *cursor_in(screen, screen->focus))))
        return;
    for (int k = 0; k < page->spot_count; k++)
        if (in_sight(page, page->spots[k].rect)) {
            take_item(screen, page->spots[k].section, page->spots[k].item);
            return;
        }
}

void advice_page_show(struct advice_screen *screen, enum advice_section section)
{
    const bool bars = screen->focus == SECTION_WHY && screen->bar < screen->bar_count;
    if (bars && section != SECTION_WHY) screen->cursor = screen->bars[screen->bar].candidate;
    screen->focus = section;
    screen->page.show = true;
}

void advice_page_click(struct advice_screen *screen, int y, int x)
{
    struct page *page = &screen->page;
    if (!rect_holds(page->window, y, x)) return;
    y += page->top - page->window.top;
    x -= page->window.left;
    page->show = false;
    for (int k = 0; k < page->count; k++)
        if (rect_holds(page->sections[page->order[k]], y, x)) screen->focus = page->order[k];
    for (int k = 0; k < page->spot_count; k++)
        if (rect_holds(page->spots[k].rect, y, x))
            take_item(screen, page->spots[k].section, page->spots[k].item);
}
