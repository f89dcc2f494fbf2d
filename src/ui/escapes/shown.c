#include "ui/escapes/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/protocols.h"

/* The maximum number of patches, well below the number of pictures that xterm keeps. */
#define PATCHES_MAX 8

static size_t cell_count(const struct shown *shown)
{
    return (size_t)shown->cells.high * (size_t)shown->cells.wide;
}

/* The cells that the surface's picture covers. */
static struct rect cells_of(const struct surface *surface, const int cell[2])
{
    const struct pixmap *pixmap = surface->pixmap;
    return (struct rect){surface->pixmap_y, surface->pixmap_x, (pixmap->high + cell[0] - 1) / cell[0],
                         (pixmap->wide + cell[1] - 1) / cell[1]};
}

static bool same_picture(const struct shown *shown, const struct surface *surface, enum graphics_way way,
                         const struct graphics *graphics, const struct pixmap_colours *colours)
{
    const struct pixmap *a = &shown->pixmap, *b = surface->pixmap;
    struct rect cells = cells_of(surface, graphics->cell);
    return shown->way == way && memcmp(shown->cell, graphics->cell, sizeof shown->cell) == 0 &&
           memcmp(&shown->cells, &cells, sizeof cells) == 0 &&
           memcmp(&shown->colours, colours, sizeof *colours) == 0 && a->high == b->high &&
           a->wide == b->wide && memcmp(a->pixels, b->pixels, (size_t)a->high * (size_t)a->wide) == 0;
}

/* Copy the surface's picture. Returns false without memory. */
static bool copy_picture(struct shown *shown, const struct surface *surface, enum graphics_way way,
                         const struct graphics *graphics, const struct pixmap_colours *colours)
{
    const struct pixmap *from = surface->pixmap;
    shown->cells = cells_of(surface, graphics->cell);
    size_t count = cell_count(shown);
    if (pixmap_resize(&shown->pixmap, from->high, from->wide, NULL) != STATUS_OK) return false;
    if (count > shown->capacity) {
        unsigned char *maps = memory_resize(shown->there, count, 2, NULL);
        if (!maps) return false;
        shown->there = maps;
        shown->capacity = count;
    }
    shown->want = shown->there + shown->capacity;
    memset(shown->there, 0, count);
    memcpy(shown->pixmap.pixels, from->pixels, (size_t)from->high * (size_t)from->wide);
    memcpy(shown->cell, graphics->cell, sizeof shown->cell);
    shown->colours = *colours;
    shown->way = way;
    shown->patches = 0;
    return true;
}

/* Find the cells in which the picture should be visible. A sixel picture cannot be visible in a cell with a
 * character. */
static void find_wanted(struct shown *shown, const struct surface *surface)
{
    bool sixel = shown->way == WAY_SIXEL;
    for (int y = 0; y < shown->cells.high; y++)
        for (int x = 0; x < shown->cells.wide; x++) {
            int row = shown->cells.top + y, column = shown->cells.left + x;
            bool on = row >= 0 && column >= 0 && row < surface->high && column < surface->wide;
            const struct cell *cell =
                on ? &surface->cells[(size_t)row * (size_t)surface->wide + (size_t)column] : NULL;
            shown->want[(size_t)y * (size_t)shown->cells.wide + (size_t)x] =
                cell && cell->attributes & ATTRIBUTE_PIXELS && !(sixel && cell->character != ' ');
        }
}

/* True if the set contains the cell. A set of cells is divided into rectangles from top to bottom. Each is a
 * run of cells of a row, extended down over all following rows that contain the same cells. */
static bool take(const struct shown *shown, bool missing, int y, int x)
{
    size_t k = (size_t)y * (size_t)shown->cells.wide + (size_t)x;
    return shown->want[k] == 1 && !(missing && shown->there[k]);
}

static bool has_run(const struct shown *shown, bool missing, int y, int first, int end)
{
    for (int x = first; x < end; x++)
        if (!take(shown, missing, y, x)) return false;
    return true;
}

/* Return the next rectangle of the set, with at most most[0] x most[1] cells. Its cells are marked 2, which
 * removes them from the set. Its height is 0 if the set is empty. */
static struct rect next_piece(struct shown *shown, bool missing, const int most[2], int *from)
{
    for (int y = *from; y < shown->cells.high; y++, *from = y)
        for (int x = 0; x < shown->cells.wide; x++) {
            if (!take(shown, missing, y, x)) continue;
            int end = x, below = y;
            while (end < shown->cells.wide && end - x < most[1] && take(shown, missing, y, end))
                end++;
            do
                memset(shown->want + (size_t)below * (size_t)shown->cells.wide + (size_t)x, 2,
                       (size_t)(end - x));
            while (++below < shown->cells.high && below - y < most[0] &&
                   has_run(shown, missing, below, x, end));
            return (struct rect){y, x, below - y, end - x};
        }
    return (struct rect){0};
}

static struct rect pixels_of(const struct shown *shown, struct rect piece)
{
    struct rect part = {piece.top * shown->cell[0], piece.left * shown->cell[1], piece.high * shown->cell[0],
                        piece.wide * shown->cell[1]};
    return pixmap_part(&shown->pixmap, part);
}

static void put_cursor(const struct shown *shown, struct rect piece, struct text *out)
{
    text_append(out, "\033[%d;%dH", shown->cells.top + piece.top + 1, shown->cells.left + piece.left + 1);
}

/* The maximum height and width of a piece, in cells. */
static void largest_piece(const struct shown *shown, const struct graphics *graphics, int most[2])
{
    for (int a = 0; a < 2; a++) {
        int cells = a ? shown->cells.wide : shown->cells.high;
        bool limited = shown->way == WAY_SIXEL && graphics->largest[a] >= shown->cell[a];
        most[a] = limited ? graphics->largest[a] / shown->cell[a] : cells;
    }
}

/* Append the bytes that show each piece of the set. Returns the number of pieces. */
static int show_pieces(struct shown *shown, bool missing, const struct graphics *graphics, struct text *out)
{
    int most[2], from = 0, count = 0;
    largest_piece(shown, graphics, most);
    for (;;) {
        struct rect piece = next_piece(shown, missing, most, &from);
        if (!piece.high) break;
        struct rect part = pixels_of(shown, piece);
        put_cursor(shown, piece, out);
        count++;
        if (shown->way == WAY_KITTY)
            kitty_place(SHOWN_IMAGE + shown->image, count, part, out);
        else
            sixel_write(&shown->pixmap, part, &shown->colours, out);
    }
    return count;
}

/* Overwrite the picture with blanks. Curses believes that its cells are blank. */
static void erase(const struct shown *shown, struct text *out)
{
    for (int y = 0; y < shown->cells.high; y++)
        for (int x = 0, end; x < shown->cells.wide; x = end) {
            const unsigned char *want = shown->want + (size_t)y * (size_t)shown->cells.wide;
            for (end = x + 1; end < shown->cells.wide && !want[end] == !want[x]; end++)
                ;
            if (!want[x]) continue;
            put_cursor(shown, (struct rect){y, x, 1, end - x}, out);
            text_append(out, "\033[%dX", end - x);
        }
}

/* Send a new picture as a whole. */
static void send(struct shown *shown, const struct graphics *graphics, struct text *out)
{
    if (shown->way == WAY_KITTY) {
        int before = shown->image;
        shown->image = !before;
        kitty_send(&shown->pixmap, &shown->colours, SHOWN_IMAGE + shown->image, out);
        shown->placements = show_pieces(shown, false, graphics, out);
        kitty_delete(SHOWN_IMAGE + before, out);
    } else {
        erase(shown, out);
        show_pieces(shown, false, graphics, out);
    }
}

/* Update a picture that the terminal has. Placements of an image are cheap, so all of them are made again if
 * one cell differs. */
static void mend(struct shown *shown, const struct graphics *graphics, struct text *out)
{
    if (shown->way == WAY_SIXEL) {
        shown->patches += show_pieces(shown, true, graphics, out);
        return;
    }
    int count = show_pieces(shown, false, graphics, out);
    for (int k = count + 1; k <= shown->placements; k++)
        kitty_remove(SHOWN_IMAGE + shown->image, k, out);
    shown->placements = count;
}

/* The terminal now shows all wanted cells. */
static void settle(struct shown *shown)
{
    size_t count = cell_count(shown);
    for (size_t k = 0; k < count; k++)
        shown->there[k] = shown->want[k] != 0;
}

static bool is_current(const struct shown *shown)
{
    size_t count = cell_count(shown);
    for (size_t k = 0; k < count; k++)
        if (!shown->there[k] != !shown->want[k]) return false;
    return true;
}

/* Append the output of `write` between commands that save and restore the cursor, because curses tracks its
 * position. */
static void wrapped(struct shown *shown, const struct graphics *graphics,
                    void (*write)(struct shown *, const struct graphics *, struct text *), struct text *out)
{
    text_append_bytes(out, "\0337", 2);
    write(shown, graphics, out);
    text_append_bytes(out, "\0338", 2);
    settle(shown);
}

void shown_update(struct shown *shown, const struct surface *surface, enum graphics_way way,
                  const struct graphics *graphics, const struct pixmap_colours *colours, struct text *out)
{
    bool any = surface->pixmap && surface->pixmap->high > 0 && surface->pixmap->wide > 0;
    if (!any || way == WAY_NONE) {
        shown_remove(shown, out);
        return;
    }
    bool same = shown->way != WAY_NONE && same_picture(shown, surface, way, graphics, colours);
    if (!same) {
        if (shown->way != way) shown_remove(shown, out);
        if (!copy_picture(shown, surface, way, graphics, colours)) {
            shown_remove(shown, out);
            return;
        }
    }
    find_wanted(shown, surface);
    if (!same)
        wrapped(shown, graphics, send, out);
    else if (!is_current(shown))
        wrapped(shown, graphics, mend, out);
}

bool shown_is_patched(const struct shown *shown)
{
    return shown->way == WAY_SIXEL && shown->patches >= PATCHES_MAX;
}

void shown_renew(struct shown *shown, const struct graphics *graphics, struct text *out)
{
    memcpy(shown->want, shown->there, cell_count(shown));
    shown->patches = 0;
    wrapped(shown, graphics, send, out);
}

void shown_remove(struct shown *shown, struct text *out)
{
    if (shown->way == WAY_KITTY) text_append(out, "%s", SHOWN_REMOVE);
    shown->way = WAY_NONE;
}

void shown_free(struct shown *shown)
{
    pixmap_free(&shown->pixmap);
    free(shown->there);
    *shown = (struct shown){0};
}
