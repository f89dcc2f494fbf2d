#include "ui/chrome.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/everywhere.h"
#include "ui/widgets/gauge.h"

/* A message takes so many lines at most. */
#define MESSAGE_LINES 8

struct rect chrome_area(const struct surface *surface)
{
    return (struct rect){1, 0, surface->high - 3, surface->wide};
}

static void bar(struct surface *surface, int y)
{
    for (int x = 0; x < surface->wide; x++)
        surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_BAR, 0);
}

/* A tab is a blank, the key, a blank and the title; another blank is behind the last one. */
static int tab_wide(const struct view *view)
{
    int wide = 3;
    for (const char *c = view->title; *c; c++)
        wide++;
    return wide;
}

int chrome_tab_at(int x)
{
    int left = 0;
    for (int k = 0; views[k]; left += tab_wide(views[k]), k++)
        if (x >= left && x < left + tab_wide(views[k])) return k;
    return -1;
}

/* Write right-aligned what the matrix is, as far as there is room for it: its name, its order if it is held
 * in several, and its size. */
static void draw_name(const struct explorer *explorer, struct surface *surface, int x, int room)
{
    const struct session *session = explorer->session;
    const struct matrix *matrix = &session->shown->matrix;
    const char *name = matrix->name ? matrix->name : "";
    char rows[32], cols[32], size[80], order[ORDER_NAME + 16] = "";
    snprintf(size, sizeof size, "  %s x %s", format_count(rows, sizeof rows, matrix->csr.rows),
             format_count(cols, sizeof cols, matrix->csr.cols));
    if (session->case_count > 1) snprintf(order, sizeof order, "order: %s", session->shown->order);
    int named = surface_columns(name), ordered = surface_columns(order), gap = order[0] ? 2 : 0;
    bool whole = named + gap + ordered + surface_columns(size) <= room;
    bool both = named + gap + ordered <= room;
    int end = x + room - (whole ? surface_columns(size) : 0);
    if (whole) surface_text_right(surface, 0, x, room, COLOUR_TEXT, 0, "%s", size);
    if (order[0] && !both) { /* the order says more than the name, and its own name is the most of that */
        const char *brief = ordered <= room ? order : session->shown->order;
        if (room > 0)
            surface_text_short(surface, 0, ordered <= room ? end - ordered : x, room, explorer->ascii,
                               COLOUR_ACCENT, 0, brief);
        return;
    }
    surface_text_right(surface, 0, x, end - x, COLOUR_ACCENT, 0, "%s", order);
    surface_text_right(surface, 0, x, end - x - gap - ordered, COLOUR_TEXT, 0, "%s", name);
}

void chrome_tabs(const struct explorer *explorer, struct surface *surface)
{
    int x = 0;
    bar(surface, 0);
    for (int k = 0; views[k]; k++) {
        int wide = tab_wide(views[k]);
        bool active = k == explorer->view;
        if (active) /* the tab of the screen that is shown has the screen's background */
            for (int column = x; column <= x + wide; column++)
                surface_put(surface, 0, column, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
        surface_text(surface, 0, x + 1, 1, active ? COLOUR_ACCENT : COLOUR_DIM, active ? ATTRIBUTE_BOLD : 0,
                     "%c", view_key(k));
        surface_text(surface, 0, x + 3, wide - 3, active ? COLOUR_TITLE : COLOUR_TEXT, 0, "%s",
                     views[k]->title);
        x += wide;
    }
    draw_name(explorer, surface, x + 2, surface->wide - x - 3);
}

static void entry_text(const struct matrix_case *shown, int64_t entry, char *out, size_t size)
{
    const struct matrix *matrix = &shown->matrix;
    char value[ENTRY_VALUE];
    if (!case_has_entries(shown)) {
        snprintf(out, size, "entries not in memory");
        return;
    }
    if (entry < 0) {
        snprintf(out, size, "no entry");
        return;
    }
    if (matrix->field == FIELD_PATTERN) {
        snprintf(out, size, "an entry (no value)");
        return;
    }
    snprintf(out, size, "value %s", entry_value(matrix, entry, value));
}

/* So many columns are kept for the gauge of what goes on in the background. */
#define GAUGE_ROOM 30

/* Write where the cursor is in the natural order, if another one is shown and there is room for it. Returns
 * how many columns that takes. */
static int draw_natural(const struct explorer *explorer, struct surface *surface, int y, int x, int wide)
{
    const struct session *session = explorer->session;
    int64_t row = explorer->cursor.row, col = explorer->cursor.col;
    char first[32], second[32];
    if (session->shown == session->cases) return 0;
    case_carry(session->shown, session->cases, &row, &col);
    format_count(first, sizeof first, row + 1);
    format_count(second, sizeof second, col + 1);
    return surface_text_whole(surface, y, x, wide, COLOUR_DIM, 0, "  natural %s, %s", first, second);
}

void chrome_status(const struct explorer *explorer, struct surface *surface, const struct job *background)
{
    const struct matrix *matrix = &explorer->session->shown->matrix;
    const struct cursor *cursor = &explorer->cursor;
    int y = surface->high - 2, x = 1, wide = surface->wide;
    char row[32], col[32], entry[128];
    bar(surface, y);
    if (matrix->csr.rows == 0 || matrix->csr.cols == 0) {
        surface_text(surface, y, 1, wide - 2, COLOUR_TEXT, 0, "the matrix is empty");
        return;
    }
    entry_text(explorer->session->shown, cursor->entry, entry, sizeof entry);
    x += surface_text(surface, y, x, wide - x, COLOUR_DIM, 0, "row ");
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "%s",
                      format_count(row, sizeof row, cursor->row + 1));
    x += surface_text(surface, y, x, wide - x, COLOUR_DIM, 0, "  column ");
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "%s",
                      format_count(col, sizeof col, cursor->col + 1));
    x +=
        surface_text(surface, y, x, wide - x, cursor->entry < 0 ? COLOUR_DIM : COLOUR_TEXT, 0, "  %s", entry);
    x += draw_natural(explorer, surface, y, x, wide - x - (background ? GAUGE_ROOM : 0));
    if (background) gauge_brief(surface, y, x + 2, wide - x - 3, background);
}

void chrome_footer(struct footer *footer, const struct surface *surface, const struct action *own,
                   const struct action *everywhere)
{
    struct footer first = {0};
    int end = surface->wide - 1, kept = 0;
    footer_add(&first, everywhere, 0, end);
    if (first.count) kept = first.items[0].wide + FOOTER_GAP;
    footer->count = 0;
    int x = footer_add(footer, own, 1, end - kept);
    footer_add(footer, everywhere, x, end);
}

/* Return how many bytes of a message stand in its first line of `wide` columns: it is broken at blanks. */
static int line_bytes(const char *message, int wide)
{
    char line[sizeof((struct explorer *)0)->message];
    int fits = 0;
    for (const char *end = message; *end;) {
        end += strspn(end, " ");
        end += strcspn(end, " ");
        int length = (int)(end - message);
        snprintf(line, sizeof line, "%.*s", length, message);
        if (fits && surface_columns(line) > wide) break;
        fits = length;
    }
    return fits;
}

/* Write a message at the bottom. What is too long for one line takes further ones, as long as one line above
 * them is left. */
static void draw_message(struct surface *surface, const char *message)
{
    int starts[MESSAGE_LINES + 1] = {0}, lines = 0, wide = surface->wide - 2;
    while (message[starts[lines]] && lines < MESSAGE_LINES && lines + 1 < surface->high) {
        int start = starts[lines];
        lines++;
        starts[lines] = start + line_bytes(message + start, wide);
        starts[lines] += (int)strspn(message + starts[lines], " ");
    }
    surface_blank(surface, (struct rect){surface->high - lines, 0, lines, surface->wide});
    for (int k = 0; k < lines; k++)
        surface_text(surface, surface->high - lines + k, 1, wide, COLOUR_WARN, 0, "%.*s",
                     line_bytes(message + starts[k], wide), message + starts[k]);
}

void chrome_bottom(const struct explorer *explorer, struct surface *surface, const struct prompt *prompt,
                   const struct job *search, struct footer *footer)
{
    int y = surface->high - 1, x = 1, wide = surface->wide;
    char key[KEY_TEXT];
    bool other = prompt || search || explorer->message[0];
    surface_blank(surface, (struct rect){y, 0, 1, wide});
    if (other) footer->count = 0;
    if (prompt) {
        prompt_draw(prompt, surface, y, x, wide - 2);
    } else if (search) {
        surface_text(surface, y, x, wide - 2, COLOUR_ACCENT, 0, "%s cancels",
                     everywhere_key(DEMAND_CANCEL, key));
        gauge_brief(surface, y, x + 12, wide - x - 13, search);
    } else if (explorer->message[0]) {
        draw_message(surface, explorer->message);
    } else {
        footer_draw(footer, surface, y);
    }
}

void chrome_too_small(struct surface *surface)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%dx%d needed, this is %dx%d", CHROME_WIDE, CHROME_HIGH,
                          surface->wide, surface->high);
    int x = (surface->wide - length) / 2;
    surface_clear(surface);
    surface_text(surface, surface->high / 2, x > 0 ? x : 0, surface->wide, COLOUR_WARN, 0, "%s", text);
}
