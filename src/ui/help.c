#include "ui/help.h"

#include <string.h>

#include "ui/find.h"

/* Columns of the keys, before what they do. */
#define KEYS_WIDE 20

/* Where the next line goes; lines scrolled out of the panel are counted, not drawn. */
struct sheet {
    struct surface *surface;
    struct rect rect;
    int top, line;
};

void help_open(struct help *help)
{
    help->open = true;
    help->top = 0;
}

/* The surface's row of the current line, or -1. */
static int row_of(const struct sheet *sheet)
{
    int y = sheet->line - sheet->top;
    return y >= 0 && y < sheet->rect.high ? sheet->rect.top + y : -1;
}

static void heading(struct sheet *sheet, const char *text)
{
    if (sheet->line > 0) sheet->line++;
    surface_text(sheet->surface, row_of(sheet), sheet->rect.left, sheet->rect.wide, COLOUR_TITLE,
                 ATTRIBUTE_BOLD, "%s", text);
    sheet->line++;
}

/* The number of bytes of text that fit in `wide` columns, cut at a blank. The texts are our own, in ASCII. */
static int fitting(const char *text, int wide)
{
    int length = (int)strlen(text), at = wide;
    if (length <= wide) return length;
    while (at > 0 && text[at] != ' ')
        at--;
    return at > 0 ? at : wide;
}

/* Text broken into lines, from column `indent` on. */
static void paragraph(struct sheet *sheet, int indent, const char *text)
{
    int wide = sheet->rect.wide - indent;
    do {
        int length = fitting(text, wide);
        surface_text(sheet->surface, row_of(sheet), sheet->rect.left + indent, wide, COLOUR_TEXT, 0, "%.*s",
                     length, text);
        for (text += length; *text == ' ';)
            text++;
        sheet->line++;
    } while (*text);
}

static void pair(struct sheet *sheet, const char *keys, const char *help)
{
    surface_text(sheet->surface, row_of(sheet), sheet->rect.left, KEYS_WIDE - 1, COLOUR_ACCENT, 0, "%s",
                 keys);
    paragraph(sheet, KEYS_WIDE, help);
}

static void key_list(struct sheet *sheet, const char *title, const struct view_key *keys)
{
    if (!keys || !keys->keys) return;
    heading(sheet, title);
    for (; keys->keys; keys++)
        pair(sheet, keys->keys, keys->help);
}

static void blank(struct surface *surface, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
}

static void write_sheet(struct sheet *sheet, const struct view *view, const struct view_key *common)
{
    heading(sheet, view->title);
    paragraph(sheet, 0, view->help);
    key_list(sheet, "Keys of this screen", view->keys);
    key_list(sheet, "Keys everywhere", common);
    heading(sheet, "What / finds, from the cursor on");
    for (const struct search_word *word = search_words; word->word; word++)
        pair(sheet, word->word, word->help);
}

void help_draw(struct help *help, struct surface *surface, struct rect area, bool ascii,
               const struct view *view, const struct view_key *common)
{
    int wide = area.wide < 100 ? area.wide : 96;
    struct rect panel = {area.top, area.left + (area.wide - wide) / 2, area.high, wide};
    struct sheet sheet = {surface, {panel.top + 1, panel.left + 2, panel.high - 2, wide - 4}, 0, 0};
    struct sheet counted = sheet;
    counted.rect.high = 0; /* draws nothing */
    write_sheet(&counted, view, common);
    if (counted.line < sheet.rect.high) { /* no taller than its text */
        panel.high = counted.line + 2;
        sheet.rect.high = counted.line;
    }
    help->lines = counted.line;
    help->room = sheet.rect.high;
    if (help->top > help->lines - help->room) help->top = help->lines - help->room;
    if (help->top < 0) help->top = 0;
    sheet.top = help->top;
    blank(surface, area);
    surface_frame(surface, panel, ascii, "Help");
    write_sheet(&sheet, view, common);
    int below = help->lines - help->room - help->top;
    if (below > 0)
        surface_text_right(surface, panel.top + panel.high - 1, panel.left + 2, wide - 4, COLOUR_ACCENT, 0,
                           " %d more lines below ", below);
    surface_text(surface, panel.top + panel.high - 1, panel.left + 2, wide - 4, COLOUR_DIM, 0,
                 " Esc closes ");
}

void help_key(struct help *help, int key)
{
    switch (key) {
    case UIKEY_UP:
    case 'k':
        help->top--;
        break;
    case UIKEY_DOWN:
    case 'j':
        help->top++;
        break;
    case UIKEY_PAGE_UP:
        help->top -= help->room;
        break;
    case UIKEY_PAGE_DOWN:
    case ' ':
        help->top += help->room;
        break;
    case UIKEY_HOME:
        help->top = 0;
        break;
    case UIKEY_END:
        help->top = help->lines;
        break;
    case UIKEY_ESCAPE:
    case UIKEY_F1:
    case UIKEY_ENTER:
    case UIKEY_BACKSPACE:
    case '?':
    case 'q':
        help->open = false;
        break;
    default:
        break;
    }
}
