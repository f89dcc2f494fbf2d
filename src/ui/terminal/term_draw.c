/* Drawing surfaces on the terminal: cells by curses or by the painter, and pictures of pixels. */
#include "ui/terminal/term_parts.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/text.h"

#define NO_BREAK_SPACE PAINT_PICTURE

/* Return the character if the terminal shows it one column wide, else '?'. */
static wchar_t shown(const struct terminal *term, uint32_t character)
{
    if (character < 0x80) return (wchar_t)character;
    if (term->ascii || wcwidth((wchar_t)character) != 1) return L'?';
    return (wchar_t)character;
}

static attr_t attributes_of(unsigned look)
{
    attr_t attributes = A_NORMAL;
    if (look & LOOK_BOLD) attributes |= A_BOLD;
    if (look & LOOK_REVERSE) attributes |= A_REVERSE;
    if (look & LOOK_UNDERLINE) attributes |= A_UNDERLINE;
    if (look & LOOK_DIM) attributes |= A_DIM;
    return attributes;
}

static void set_cell(const struct terminal *term, cchar_t *out, uint32_t character, struct look look,
                     int pair)
{
    wchar_t text[2] = {shown(term, character), 0};
    setcchar(out, text, attributes_of(look.attributes), (short)pair, &pair);
}

static int pair_of(const struct terminal *term, struct look look)
{
    if (term->palette == PALETTE_NONE || (look.foreground < 0 && look.background < 0)) return 0;
    int pair = alloc_pair(look.foreground, look.background);
    return pair < 0 ? 0 : pair;
}

/* Make the cell of curses for a picture's cell. It is a blank other than ' ', so that curses rewrites the
 * cell when a character comes there. */
static void set_pixels(cchar_t *out)
{
    static const wchar_t text[2] = {NO_BREAK_SPACE, 0};
    setcchar(out, text, A_NORMAL, 0, NULL);
}

/* Write the bytes of `sent` to the terminal. */
static void send_picture(struct terminal *term)
{
    const char *bytes = term->sent.data;
    fflush(stdout);
    for (size_t left = term->sent.failed ? 0 : term->sent.length; left > 0;) {
        ssize_t written = write(STDOUT_FILENO, bytes, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        bytes += written;
        left -= (size_t)written;
    }
    if (term->sent.failed) text_free(&term->sent);
    term->sent.length = 0;
}

void term_remove_picture(struct terminal *term)
{
    shown_remove(&term->shown, &term->sent);
    send_picture(term);
}

static void draw_picture(struct terminal *term, const struct surface *surface)
{
    struct pixmap_colours colours = {0};
    enum graphics_way way = term->cell[0] ? term_way(term) : WAY_NONE;
    if (!surface->pixmap && term->shown.way == WAY_NONE) return;
    for (int c = 0; c < COLOUR_COUNT; c++)
        colours.rgb[c] = palette_rgb(term->palette, term->light, (enum colour)c);
    if (way == WAY_SIXEL && term->graphics.registers)
        pixmap_reduce(surface->pixmap, term->graphics.registers, &colours);
    struct graphics graphics = term->graphics;
    memcpy(graphics.cell, term->cell, sizeof graphics.cell);
    shown_update(&term->shown, surface, way, &graphics, &colours, &term->sent);
    send_picture(term);
}

/* Convert a row of the surface to cells of curses and of the painter. */
static void make_row(struct terminal *term, const struct surface *surface, int y, int wide)
{
    const struct cell *cells = &surface->cells[(size_t)y * (size_t)surface->wide], *last = NULL;
    struct paint_cell *wanted = term->paint.wanted;
    cchar_t *row = term->row;
    struct look look = {0};
    int pair = 0;
    for (int x = 0; x < wide; last = &cells[x++]) {
        const struct cell *cell = &cells[x];
        if (!last || cell->foreground != last->foreground || cell->background != last->background ||
            cell->attributes != last->attributes) {
            look = palette_look(term->palette, term->light, cell->foreground, cell->background,
                                cell->attributes);
            pair = pair_of(term, look);
        }
        struct look own = look;
        const bool pixels = cell->attributes & ATTRIBUTE_PIXELS && cell->character == ' ',
                   shade = palette_shade(term->palette, term->light, cell, &own);
        const uint32_t character = shade ? ' ' : cell->character;
        if (pixels)
            set_pixels(&row[x]);
        else
            set_cell(term, &row[x], character, own, shade ? pair_of(term, own) : pair);
        if (!wanted) continue;
        wanted[(size_t)y * (size_t)term->wide + (size_t)x] =
            pixels ? (struct paint_cell){NO_BREAK_SPACE, {-1, -1, 0}}
                   : (struct paint_cell){(uint32_t)shown(term, character), own};
    }
}

/* True if curses is about to send everything. */
static bool all_is_sent(void)
{
    return is_cleared(curscr) || is_cleared(newscr) || is_cleared(stdscr);
}

/* Send the changes, and update curscr, the terminal's contents in the records of curses. Returns false if
 * curses must send them, for instance because it is about to send everything. */
static bool paint_changes(struct terminal *term)
{
    int y, x;
    getyx(curscr, y, x);
    if (!term->paint.wanted || all_is_sent()) return false;
    if (!paint_update(&term->paint, &term->words, y, x)) return false;
    if (term->paint.out.length > 0) fwrite(term->paint.out.data, 1, term->paint.out.length, stdout);
    fflush(stdout);
    for (int line = 0; line < term->high; line++) {
        if (!is_linetouched(stdscr, line)) continue;
        mvin_wchnstr(line, 0, term->row, term->wide);
        mvwadd_wchnstr(curscr, line, 0, term->row, term->wide);
    }
    wmove(curscr, y, x);
    move(y, x);
    wnoutrefresh(stdscr); /* not doupdate, which would look for lines to scroll */
    return true;
}

/* Let curses send the changes, beside a picture a line at a time. Among several changed lines it finds those
 * that were elsewhere, and scrolls them with their parts of the picture. It compares characters alone, so
 * that colours cannot prevent this. */
static void refresh_beside(const struct terminal *term, bool picture)
{
    if (picture && !all_is_sent()) {
        wtouchln(stdscr, 0, term->high, 0);
        for (int y = 0; y < term->high; y++) {
            wtouchln(stdscr, y, 1, 1);
            refresh();
        }
    }
    refresh();
}

void term_draw(struct terminal *term, const struct surface *surface)
{
    if (term->to_ask || term->to_ask_graphics) term_ask(term);
    int high = surface->high < term->high ? surface->high : term->high;
    int wide = surface->wide < term->wide ? surface->wide : term->wide;
    for (int y = 0; y < high; y++) {
        make_row(term, surface, y, wide);
        mvadd_wchnstr(y, 0, term->row, wide);
    }
    if (!paint_changes(term)) refresh_beside(term, surface->pixmap || term->shown.way != WAY_NONE);
    paint_shown(&term->paint);
    draw_picture(term, surface);
}

void term_renew_picture(struct terminal *term)
{
    struct graphics graphics = term->graphics;
    if (!shown_is_patched(&term->shown)) return;
    memcpy(graphics.cell, term->cell, sizeof graphics.cell);
    shown_renew(&term->shown, &graphics, &term->sent);
    send_picture(term);
}
