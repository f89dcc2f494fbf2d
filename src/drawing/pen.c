#include "drawing/pen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

int pen_left(const struct pen *pen)
{
    return pen->rect.high - pen->line;
}

void pen_heading(struct pen *pen, const char *text)
{
    if (pen->line && pen_left(pen) > 3) pen->line++;
    if (pen_left(pen) <= 0) return;
    surface_text(pen->surface, pen->rect.top + pen->line++, pen->rect.left, pen->rect.wide, COLOUR_TITLE,
                 ATTRIBUTE_BOLD, "%s", text);
}

/* Return the bytes of the words of the text that fit in `wide` columns; all of it if not even one does. */
static int words_fitting(const char *text, int wide)
{
    int columns = surface_columns(text), length = (int)strlen(text);
    if (columns <= wide) return length;
    int at = wide < length ? wide : length; /* a column takes a byte or more, so that these fit */
    while (at > 0 && text[at] != ' ')
        at--;
    return at > 0 ? at : length;
}

void pen_text(struct pen *pen, enum colour colour, const char *format, ...)
{
    char line[256];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    for (const char *rest = line; *rest && pen_left(pen) > 0; rest += strspn(rest, " ")) {
        int length = words_fitting(rest, pen->rect.wide);
        surface_text(pen->surface, pen->rect.top + pen->line++, pen->rect.left, pen->rect.wide, colour, 0,
                     "%.*s", length, rest);
        rest += length;
    }
}

void pen_pair(struct pen *pen, const char *name, enum colour colour, const char *format, ...)
{
    if (pen_left(pen) <= 0) return;
    char line[256];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    int y = pen->rect.top + pen->line++;
    int used = surface_text(pen->surface, y, pen->rect.left, pen->rect.wide, COLOUR_DIM, 0, "%s", name);
    surface_text_right(pen->surface, y, pen->rect.left + used + 1, pen->rect.wide - used - 1, colour, 0, "%s",
                       line);
}

int pen_room(const struct pen *pen, const char *name)
{
    return pen->rect.wide - surface_columns(name) - 1;
}

void pen_count(struct pen *pen, const char *name, enum colour colour, int64_t count, const char *after)
{
    char out[32];
    int room = pen_room(pen, name) - (after ? surface_columns(after) + 2 : 0);
    format_fitting(out, sizeof out, count, room);
    pen_pair(pen, name, colour, "%s%s%s", out, after ? "  " : "", after ? after : "");
}
