#include "ui/help.h"

#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "ui/everywhere.h"
#include "ui/find.h"
#include "ui/widgets/list.h"

/* The least and the largest width of the column of keys. Longer keys have a line of their own. */
#define KEYS_MIN 20
#define KEYS_MAX 28

/* The text of the help. `rect` shows its lines from `top` on. The other lines are counted and not drawn. */
struct sheet {
    const struct help *help;
    struct surface *surface;
    struct rect rect;
    int top;
    int line; /* the line that is written next */
    int keys; /* the width of the column of keys */
};

void help_open(struct help *help)
{
    help->open = true;
    help->top = 0;
}

/* Return the row of the surface that the next line is written in, or -1 if that line is not shown. */
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

/* Return how many bytes of the text fit in `wide` columns, cut at a blank. All texts of the help are ASCII.
 */
static int fitting(const char *text, int wide)
{
    int length = (int)strlen(text), at = wide;
    if (length <= wide) return length;
    while (at > 0 && text[at] != ' ')
        at--;
    return at > 0 ? at : wide;
}

/* Write a text from column `indent` on, broken into lines. */
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

/* Write keys and their effect, on several lines if needed. */
static void pair(struct sheet *sheet, const char *keys, const char *help)
{
    bool long_keys = (int)strlen(keys) >= sheet->keys;
    surface_text(sheet->surface, row_of(sheet), sheet->rect.left, long_keys ? sheet->rect.wide : sheet->keys,
                 COLOUR_ACCENT, 0, "%s", keys);
    sheet->line += long_keys;
    paragraph(sheet, sheet->keys, help);
}

static void key_list(struct sheet *sheet, const struct action *actions)
{
    char keys[KEYS_TEXT];
    for (; actions && actions->run; actions += action_count(actions))
        pair(sheet, action_keys(actions, keys), actions->help);
}

static int keys_wide(const struct help_section *sections)
{
    int wide = KEYS_MIN;
    for (; sections->title; sections++)
        for (const struct action *at = sections->actions; at && at->run; at += action_count(at)) {
            char keys[KEYS_TEXT];
            int length = (int)strlen(action_keys(at, keys)) + 1;
            if (length > wide && length <= KEYS_MAX) wide = length;
        }
    return wide;
}

/* Find the k-th definition of the screen. False if there are no more. */
static bool define(const struct sheet *sheet, const struct view *view, int k, struct definition *definition)
{
    const struct list *list = sheet->help->list;
    *definition = (struct definition){0};
    for (int c = 0; list && c < LIST_CELLS && list->kind->columns[c].title; c++) {
        if (!list->kind->columns[c].help || k-- > 0) continue;
        *definition =
            (struct definition){.title = list->kind->columns[c].title, .text = list->kind->columns[c].help};
        return true;
    }
    return !list && view->define && sheet->help->state &&
           view->define(sheet->help->explorer, sheet->help->state, k, definition);
}

static void write_definition(struct sheet *sheet, const struct definition *definition)
{
    pair(sheet, definition->title, definition->text);
    if (definition->source) paragraph(sheet, sheet->keys, definition->source);
}

static void write_sheet(struct sheet *sheet, const struct view *view, const struct help_section *sections)
{
    struct definition definition;
    char key[KEY_TEXT], title[96];
    const bool here = define(sheet, view, 0, &definition) && definition.here;
    if (here) {
        heading(sheet, "Under the cursor");
        write_definition(sheet, &definition);
    }
    snprintf(title, sizeof title, "%s%s%s", view->title, view->question ? ": " : "",
             view->question ? view->question : "");
    heading(sheet, title);
    paragraph(sheet, 0, view->help);
    for (int k = 0; sections[k].title; k++) {
        if (k == 0 || strcmp(sections[k].title, sections[k - 1].title) != 0)
            heading(sheet, sections[k].title);
        key_list(sheet, sections[k].actions);
        if (sections[k].actions == view->actions && view->gesture.name)
            pair(sheet, view->gesture.name, view->gesture.help);
    }
    for (int k = here; define(sheet, view, k, &definition); k++) {
        if (k == here) heading(sheet, "Definitions");
        write_definition(sheet, &definition);
    }
    if (!view->draw) return; /* the browser, which has no matrix to search */
    snprintf(title, sizeof title, "Searches by %s, from the cursor on", everywhere_key(DEMAND_FIND, key));
    heading(sheet, title);
    struct search_help help;
    for (int k = 0; search_help(k, &help); k++)
        pair(sheet, help.words, help.help);
}

void help_draw(struct help *help, struct surface *surface, struct rect area, bool ascii,
               const struct view *view, const struct help_section *sections)
{
    int wide = area.wide < 100 ? area.wide : 96;
    struct rect panel = {area.top, area.left + (area.wide - wide) / 2, area.high, wide};
    struct sheet sheet = {help, surface, {panel.top + 1, panel.left + 2, panel.high - 2, wide - 4},
                          0,    0,       keys_wide(sections)};
    struct sheet counted = sheet;
    counted.rect.high = 0; /* so that nothing is drawn */
    write_sheet(&counted, view, sections);
    if (counted.line < sheet.rect.high) { /* the panel is no higher than its text */
        panel.high = counted.line + 2;
        sheet.rect.high = counted.line;
    }
    help->lines = counted.line;
    help->room = sheet.rect.high;
    sheet.top = help->top = (int)clip(help->top, max(help->lines - help->room, 0));
    surface_blank(surface, area);
    surface_frame(surface, panel, ascii, "Help");
    write_sheet(&sheet, view, sections);
    footer_edge(&help->footer, surface, panel, (const struct action *const[]){help_actions}, 1);
    int below = help->lines - help->room - help->top;
    if (below > 0)
        surface_text_right(surface, panel.top + panel.high - 1, panel.left + 2, wide - 4, COLOUR_ACCENT, 0,
                           " %d more lines below ", below);
}

static void scroll(struct explorer *explorer, void *state, int lines)
{
    struct help *help = state;
    help->top = (int)clip(help->top + moved_by(lines, help->room), help->lines);
}

static void leave(struct explorer *explorer, void *state, int unused)
{
    struct help *help = state;
    help->open = false;
}

const struct action help_actions[] = {
    {.keys = {UIKEY_ESCAPE, UIKEY_ENTER, UIKEY_BACKSPACE, 'q', '?', UIKEY_F1},
     .run = leave,
     .name = "close",
     .help = "close the help"},
    {.keys = {UIKEY_UP, 'k'}, .run = scroll, .argument = -1, .name = "scroll", .help = "scroll"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = scroll, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = scroll, .argument = -MOVE_PAGE, .help = "a page up, a page down"},
    {.keys = {UIKEY_PAGE_DOWN, ' '}, .run = scroll, .argument = MOVE_PAGE},
    {.keys = {UIKEY_HOME}, .run = scroll, .argument = -MOVE_END, .help = "the beginning, the end"},
    {.keys = {UIKEY_END}, .run = scroll, .argument = MOVE_END},
    {.run = NULL},
};
