#include "drawing/surface.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

/* Maximum length of a text, wider than any terminal; longer texts are cut. */
#define TEXT_BYTES 4096

static const struct cell blank = {' ', COLOUR_TEXT, COLOUR_TEXT, 0};

enum status surface_resize(struct surface *surface, int high, int wide, struct error *error)
{
    size_t count;
    high = high > 0 ? high : 0;
    wide = wide > 0 ? wide : 0;
    size_multiply((size_t)high, (size_t)wide, &count);
    struct cell *cells = memory_resize(surface->cells, count, sizeof *cells, error);
    if (!cells) return STATUS_MEMORY;
    *surface = (struct surface){.high = high, .wide = wide, .cells = cells};
    surface_clear(surface);
    return STATUS_OK;
}

void surface_free(struct surface *surface)
{
    free(surface->cells);
    *surface = (struct surface){0};
}

void surface_clear(struct surface *surface)
{
    size_t count = (size_t)surface->high * (size_t)surface->wide;
    surface->cut = 0;
    surface->pixmap = NULL;
    for (size_t k = 0; k < count; k++)
        surface->cells[k] = blank;
}

static struct cell *cell_at(struct surface *surface, int y, int x)
{
    if (y < 0 || x < 0 || y >= surface->high || x >= surface->wide) return NULL;
    return &surface->cells[(size_t)y * (size_t)surface->wide + (size_t)x];
}

static uint32_t printable(uint32_t character)
{
    return words_control(character) ? '?' : character;
}

void surface_put(struct surface *surface, int y, int x, uint32_t character, enum colour foreground,
                 enum colour background, unsigned attributes)
{
    struct cell *cell = cell_at(surface, y, x);
    if (!cell) return;
    *cell =
        (struct cell){printable(character), (uint8_t)foreground, (uint8_t)background, (uint8_t)attributes};
}

/* Return the character at *text and advance *text; like text_visible, '?' for each byte of an invisible
 * one. */
static uint32_t decode(const char **text)
{
    uint32_t character;
    int length = words_decode(*text, &character);
    bool shown = length && !words_control(character);
    *text += shown ? length : 1;
    return shown ? character : '?';
}

int surface_columns(const char *text)
{
    int columns = 0;
    while (*text) {
        decode(&text);
        columns++;
    }
    return columns;
}

static int write_text(struct surface *surface, int y, int x, int wide, enum colour colour,
                      unsigned attributes, const char *text)
{
    int columns = 0;
    for (; *text && columns < wide; columns++) {
        uint32_t character = decode(&text);
        struct cell *cell = cell_at(surface, y, x + columns);
        if (!cell) continue;
        cell->character = character;
        cell->foreground = (uint8_t)colour;
        cell->attributes = (uint8_t)attributes;
    }
    if (*text || (columns && (x < 0 || x + columns > surface->wide))) surface->cut++;
    return columns;
}

int surface_text(struct surface *surface, int y, int x, int wide, enum colour colour, unsigned attributes,
                 const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return write_text(surface, y, x, wide, colour, attributes, text);
}

int surface_text_whole(struct surface *surface, int y, int x, int wide, enum colour colour,
                       unsigned attributes, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return surface_columns(text) <= wide ? write_text(surface, y, x, wide, colour, attributes, text) : 0;
}

int surface_text_right(struct surface *surface, int y, int x, int wide, enum colour colour,
                       unsigned attributes, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int columns = surface_columns(text);
    int indent = columns < wide ? wide - columns : 0;
    return write_text(surface, y, x + indent, wide - indent, colour, attributes, text);
}

int surface_text_short(struct surface *surface, int y, int x, int wide, bool ascii, enum colour colour,
                       unsigned attributes, const char *text)
{
    const char *dots = ascii ? "..." : "\u2026";
    int room = wide - surface_columns(dots);
    const char *end = text;
    if (surface_columns(text) <= wide)
        return surface_text(surface, y, x, wide, colour, attributes, "%s", text);
    if (room < 1) return 0;
    for (int k = 0; k < room; k++)
        end = words_next(end);
    return surface_text(surface, y, x, wide, colour, attributes, "%.*s%s", (int)(end - text), text, dots);
}

int surface_text_tail(struct surface *surface, int y, int x, int wide, bool ascii, enum colour colour,
                      unsigned attributes, const char *text)
{
    const char *dots = ascii ? "..." : "\u2026";
    int room = wide - surface_columns(dots);
    if (surface_columns(text) <= wide)
        return surface_text(surface, y, x, wide, colour, attributes, "%s", text);
    if (room < 1) return 0;
    while (surface_columns(text) > room)
        decode(&text);
    return surface_text(surface, y, x, wide, colour, attributes, "%s%s", dots, text);
}

void surface_edges(struct surface *surface, struct rect rect, bool ascii, enum colour colour,
                   unsigned attributes)
{
    int bottom = rect.top + rect.high - 1, right = rect.left + rect.wide - 1;
    uint32_t across = ascii ? '-' : 0x2500, down = ascii ? '|' : 0x2502;
    for (int x = rect.left + 1; x < right; x++) {
        surface_put(surface, rect.top, x, across, colour, COLOUR_TEXT, attributes);
        surface_put(surface, bottom, x, across, colour, COLOUR_TEXT, attributes);
    }
    for (int y = rect.top + 1; y < bottom; y++) {
        surface_put(surface, y, rect.left, down, colour, COLOUR_TEXT, attributes);
        surface_put(surface, y, right, down, colour, COLOUR_TEXT, attributes);
    }
    surface_put(surface, rect.top, rect.left, ascii ? '+' : 0x250c, colour, COLOUR_TEXT, attributes);
    surface_put(surface, rect.top, right, ascii ? '+' : 0x2510, colour, COLOUR_TEXT, attributes);
    surface_put(surface, bottom, rect.left, ascii ? '+' : 0x2514, colour, COLOUR_TEXT, attributes);
    surface_put(surface, bottom, right, ascii ? '+' : 0x2518, colour, COLOUR_TEXT, attributes);
}

void surface_frame(struct surface *surface, struct rect rect, bool ascii, const char *title)
{
    if (rect.high < 2 || rect.wide < 2) return;
    surface_edges(surface, rect, ascii, COLOUR_DIM, 0);
    if (title && *title && rect.wide > 4)
        surface_text(surface, rect.top, rect.left + 2, rect.wide - 4, COLOUR_TITLE, ATTRIBUTE_BOLD, " %s ",
                     title);
}

void surface_highlight(struct surface *surface, struct rect rect, enum colour background, unsigned attributes)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++) {
            struct cell *cell = cell_at(surface, y, x);
            if (!cell) continue;
            cell->background = (uint8_t)background;
            cell->attributes |= (uint8_t)attributes;
        }
}

void surface_cursor(struct surface *surface, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++) {
            struct cell *cell = cell_at(surface, y, x);
            if (cell) cell->foreground = COLOUR_TEXT;
        }
    surface_highlight(surface, rect, COLOUR_TEXT, ATTRIBUTE_REVERSE);
}

void surface_picture(struct surface *surface, struct rect rect, const struct pixmap *pixmap)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_TEXT, ATTRIBUTE_PIXELS);
    surface->pixmap = pixmap;
    surface->pixmap_y = rect.top;
    surface->pixmap_x = rect.left;
}

void surface_blank(struct surface *surface, struct rect rect)
{
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, ' ', COLOUR_TEXT, COLOUR_TEXT, 0);
}

bool rect_holds(struct rect rect, int y, int x)
{
    return y >= rect.top && y < rect.top + rect.high && x >= rect.left && x < rect.left + rect.wide;
}

void surface_dump(const struct surface *surface, struct text *text)
{
    for (int y = 0; y < surface->high; y++) {
        const struct cell *row = &surface->cells[(size_t)y * (size_t)surface->wide];
        int end = surface->wide;
        while (end > 0 && row[end - 1].character == ' ')
            end--;
        for (int x = 0; x < end; x++)
            words_append_character(text, row[x].character);
        text_append_bytes(text, "\n", 1);
    }
}

/* Bits 0 to 5 go down the left column and then the right one; the two dots at the bottom were added later and
 * have bits 6 and 7 (The Unicode Standard, section 21.1). */
unsigned braille_bit(int y, int x)
{
    static const unsigned char bits[BRAILLE_HIGH][BRAILLE_WIDE] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y][x];
}

uint32_t braille_character(unsigned bits)
{
    return 0x2800 + (bits & 0xff);
}
