#include "ui/chrome.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/everywhere.h"
#include "ui/widgets/gauge.h"

/* The maximum number of lines of a message. */
#define MESSAGE_LINES 8

/* The lines above the view. A lesson has its own questions, and needs the room. */
static int head_high(const struct explorer *explorer, const struct surface *surface)
{
    return explorer && !explorer->learning && surface->high >= CHROME_QUESTION_HIGH ? 2 : 1;
}

struct rect chrome_area(const struct explorer *explorer, const struct surface *surface)
{
    const int top = head_high(explorer, surface);
    return (struct rect){top, 0, surface->high - top - 2, surface->wide};
}

void chrome_bar(struct surface *surface, int y)
{
    for (int x = 0; x < surface->wide; x++)
        surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_BAR, 0);
}

/* A tab consists of a blank, the key, a blank and the title. One more blank follows the last tab. */
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

#define FACTS 160

/* Write the size of the matrix; with `all` its entries, its field and its symmetry, too. Returns out. */
static const char *write_facts(const struct explorer *explorer, bool all, char out[FACTS])
{
    const struct matrix_case *shown = explorer->session->shown;
    const struct matrix *matrix = &shown->matrix;
    char rows[32], cols[32], nnz[32];
    format_count(rows, sizeof rows, matrix->csr.rows);
    format_count(cols, sizeof cols, matrix->csr.cols);
    if (all)
        snprintf(out, FACTS, "%s x %s, %s entries, %s %s%s", rows, cols,
                 format_count(nnz, sizeof nnz, case_nnz(shown)), field_name(matrix->field),
                 symmetry_name(matrix->symmetry), matrix->transposed ? ", transposed" : "");
    else
        snprintf(out, FACTS, "%s x %s", rows, cols);
    return out;
}

/* The texts of the head that describe the matrix, and their widths. */
struct naming {
    const char *name;
    char order[ORDER_NAME + 16], facts[FACTS];
    int named, ordered, gap;
};

static struct naming naming_of(const struct explorer *explorer, bool all)
{
    const struct session *session = explorer->session;
    struct naming naming = {.name = session->shown->matrix.name ? session->shown->matrix.name : ""};
    if (session->case_count > 1)
        snprintf(naming.order, sizeof naming.order, "order: %s", session->shown->order);
    write_facts(explorer, all, naming.facts);
    naming.named = surface_columns(naming.name);
    naming.ordered = surface_columns(naming.order);
    naming.gap = naming.order[0] ? FOOTER_GAP : 0;
    return naming;
}

static int naming_wide(const struct naming *naming)
{
    return naming->named + naming->gap + naming->ordered + FOOTER_GAP + surface_columns(naming->facts);
}

/* The number of columns that the question leaves to the name in its line. */
static int naming_room(const struct explorer *explorer, const struct surface *surface)
{
    return surface->wide - surface_columns(views[explorer->view]->question) - 4;
}

bool chrome_tells(const struct explorer *explorer, const struct surface *surface)
{
    const struct naming all = naming_of(explorer, true);
    return head_high(explorer, surface) > 1 && naming_wide(&all) <= naming_room(explorer, surface);
}

/* Write, right-aligned, the matrix's name, its order if the session has several, and its kind. Parts that do
 * not fit are left out. */
static void draw_name(const struct explorer *explorer, struct surface *surface, int y, int x, int room,
                      bool all)
{
    const struct naming naming = naming_of(explorer, all);
    const bool whole = naming_wide(&naming) <= room,
               both = naming.named + naming.gap + naming.ordered <= room;
    int end = x + room - (whole ? surface_columns(naming.facts) + FOOTER_GAP : 0);
    if (whole) surface_text_right(surface, y, x, room, COLOUR_TEXT, 0, "%s", naming.facts);
    if (naming.order[0] && !both) { /* the order's name distinguishes the cases, so it keeps its room and the
                                       matrix's name is cut */
        const bool fits = naming.ordered <= room;
        if (room > 0)
            surface_text_short(surface, y, fits ? end - naming.ordered : x, room, explorer->ascii,
                               COLOUR_ACCENT, 0, fits ? naming.order : explorer->session->shown->order);
        return;
    }
    surface_text_right(surface, y, x, end - x, COLOUR_ACCENT, 0, "%s", naming.order);
    surface_text_right(surface, y, x, end - x - naming.gap - naming.ordered, COLOUR_TITLE, 0, "%s",
                       naming.name);
}

static void draw_question(const struct explorer *explorer, struct surface *surface, int y)
{
    const int room = naming_room(explorer, surface);
    surface_blank(surface, (struct rect){y, 0, 1, surface->wide});
    surface_text(surface, y, 1, surface->wide - 2, COLOUR_ACCENT, 0, "%s", views[explorer->view]->question);
    const bool all = chrome_tells(explorer, surface);
    if (all || !views[explorer->view]->names)
        draw_name(explorer, surface, y, surface->wide - 1 - room, room, all);
}

void chrome_head(const struct explorer *explorer, struct surface *surface)
{
    int x = 0;
    chrome_bar(surface, 0);
    for (int k = 0; views[k]; k++) {
        int wide = tab_wide(views[k]);
        bool active = k == explorer->view;
        if (active) /* the background joins the tab of the shown screen to the screen below it */
            for (int column = x; column <= x + wide; column++)
                surface_put(surface, 0, column, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
        surface_text(surface, 0, x + 1, 1, active ? COLOUR_ACCENT : COLOUR_DIM, active ? ATTRIBUTE_BOLD : 0,
                     "%c", view_key(k));
        surface_text(surface, 0, x + 3, wide - 3, active ? COLOUR_TITLE : COLOUR_TEXT, 0, "%s",
                     views[k]->title);
        x += wide;
    }
    if (head_high(explorer, surface) > 1)
        draw_question(explorer, surface, 1);
    else
        draw_name(explorer, surface, 0, x + 2, surface->wide - x - 3, false);
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

/* Columns reserved for the gauge of the background work. */
#define GAUGE_ROOM 30

/* Write the cursor's position in the natural order if another order is shown and the text fits. Returns the
 * number of columns written. */
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
    chrome_bar(surface, y);
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

void chrome_footer(struct footer *footer, const struct surface *surface, const struct footer_table *own,
                   const struct footer_table *everywhere)
{
    struct footer first = {0};
    int end = surface->wide - 1, kept = 0;
    footer_add(&first, everywhere->actions, 0, end);
    if (first.count) kept = first.items[0].wide + FOOTER_GAP;
    footer->count = 0;
    int x = footer_add_useful(footer, everywhere, USE_URGENT, 1, end - kept);
    x = footer_add_useful(footer, own, USE_URGENT, x, end - kept);
    x = footer_add_useful(footer, own, USE_SOME, x, end - kept);
    footer_add_useful(footer, everywhere, USE_SOME, x, end);
}

/* Return the number of bytes of a message that fit in a line of `wide` columns, broken at blanks. */
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

/* Write a message at the bottom. A message that is too long for one line takes more lines above, but leaves
 * at least one line of the screen. */
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
