#include "command/plot_terminal.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/job.h"
#include "base/output.h"
#include "drawing/cells.h"
#include "drawing/protocols.h"

/* Maximum wait for an answer: remote terminals take some tenths of a second. */
#define ANSWER_SECONDS 0.5

/* The default size of pictures outside a terminal, in characters, and the default pixels of a character. */
enum { PIPE_WIDE = 80, PIPE_HIGH = 24, PIPE_SQUARE = 42, CELL_HIGH = 20, CELL_WIDE = 10 };

/* The terminal's kind and features. */
struct screen {
    bool there; /* standard output is one */
    int high, wide;
    enum palette palette;
    bool light;
    struct graphics graphics;
    enum graphics_wish protocol; /* the protocol for pictures; GRAPHICS_NONE: as characters */
};

static enum palette palette_of(bool there)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM"), *colours = getenv("COLORTERM");
    if (!there || (none && *none) || !term || strcmp(term, "dumb") == 0) return PALETTE_NONE;
    if (colours && (strcmp(colours, "truecolor") == 0 || strcmp(colours, "24bit") == 0))
        return PALETTE_DIRECT;
    return strstr(term, "256color") || strstr(term, "kitty") || strstr(term, "foot") ? PALETTE_256
                                                                                     : PALETTE_8;
}

/* A multiplexer interprets kitty's query as a title. */
static bool multiplexed(void)
{
    const char *term = getenv("TERM");
    return getenv("TMUX") || getenv("STY") || strncmp(term, "tmux", 4) == 0 ||
           strncmp(term, "screen", 6) == 0;
}

/* Take one answer, the bytes after ESC. Returns true if it answers the last query. */
static bool take(struct screen *screen, const char *bytes)
{
    enum answer kind = answer_kind(bytes);
    if (kind == ANSWER_BACKGROUND)
        background_of_answer(bytes + strlen(BACKGROUND_ANSWER), &screen->light);
    else if (kind > ANSWER_BACKGROUND)
        graphics_take(&screen->graphics, kind, bytes);
    return kind == ANSWER_FENCE;
}

/* Read answers until the last one, or the time limit. */
static void read_answers(int tty, struct screen *screen)
{
    char bytes[ANSWER_MAX + 1];
    size_t length = 0;
    bool inside = false;
    double end = clock_seconds() + ANSWER_SECONDS;
    for (double left = ANSWER_SECONDS; left > 0; left = end - clock_seconds()) {
        struct pollfd wait = {.fd = tty, .events = POLLIN};
        char byte;
        if (poll(&wait, 1, (int)(1000 * left) + 1) <= 0 || read(tty, &byte, 1) != 1) return;
        /* The ESC of the string terminator ends an answer and begins none. */
        if (byte == 0x1b && !(inside && (bytes[0] == ']' || bytes[0] == '_'))) {
            inside = true;
            length = 0;
            bytes[0] = 0;
            continue;
        }
        if (!inside) continue;
        bytes[length++] = byte;
        bytes[length] = 0;
        enum answer kind = answer_kind(bytes);
        if (kind == ANSWER_PARTIAL && length < ANSWER_MAX) continue;
        inside = false;
        if (kind != ANSWER_NONE && take(screen, bytes)) return;
    }
}

/* The terminal during queries, and its previous modes, for the signal handler. */
static int quiet_tty = -1;
static struct termios modes_before;

void plot_signalled(void)
{
    if (quiet_tty >= 0) tcsetattr(quiet_tty, TCSANOW, &modes_before);
}

/* Query the terminal's capabilities, with the keyboard's echo off. */
static void ask(struct screen *screen)
{
    struct termios quiet;
    int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (tty < 0) return;
    if (tcgetattr(tty, &modes_before) == 0) {
        quiet = modes_before;
        quiet_tty = tty;
        quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        quiet.c_cc[VMIN] = 1;
        quiet.c_cc[VTIME] = 0;
        struct text questions = {0};
        text_append(&questions, "%s%s%s%s", BACKGROUND_QUESTION, multiplexed() ? "" : GRAPHICS_KITTY_QUESTION,
                    GRAPHICS_QUESTION, GRAPHICS_FENCE);
        if (!questions.failed && tcsetattr(tty, TCSANOW, &quiet) == 0) {
            if (write(tty, questions.data, questions.length) == (ssize_t)questions.length)
                read_answers(tty, screen);
            tcsetattr(tty, TCSANOW, &modes_before);
        }
        quiet_tty = -1;
        text_free(&questions);
    }
    close(tty);
}

static struct screen find_screen(const struct options *options, bool square)
{
    struct winsize size = {0};
    struct screen screen = {.there = isatty(STDOUT_FILENO),
                            .wide = PIPE_WIDE,
                            .high = square ? PIPE_SQUARE : PIPE_HIGH,
                            .protocol = options->graphics};
    screen.palette = palette_of(screen.there);
    background_of_environment(getenv("COLORFGBG"), &screen.light);
    if (screen.there && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
        if (size.ws_col > TERMINAL_WIDE_MAX) size.ws_col = TERMINAL_WIDE_MAX;
        if (size.ws_row > TERMINAL_HIGH_MAX) size.ws_row = TERMINAL_HIGH_MAX;
        screen.wide = size.ws_col;
        screen.high = size.ws_row > PIPE_HIGH + 2 ? size.ws_row - 2 : PIPE_HIGH;
        if (!square && screen.high > screen.wide / 2) screen.high = screen.wide / 2;
        if (size.ws_xpixel && size.ws_ypixel) {
            screen.graphics.cell[0] = size.ws_ypixel / size.ws_row;
            screen.graphics.cell[1] = size.ws_xpixel / size.ws_col;
        }
    }
    bool asked = screen.protocol == GRAPHICS_ASKED || options->background == BACKGROUND_ASKED;
    if (screen.there && asked && !options->ascii && screen.palette != PALETTE_NONE) ask(&screen);
    if (options->background != BACKGROUND_ASKED) screen.light = options->background == BACKGROUND_LIGHT;
    if (screen.protocol == GRAPHICS_ASKED)
        screen.protocol = !screen.there || screen.palette == PALETTE_NONE ? GRAPHICS_NONE
                          : screen.graphics.kitty                         ? GRAPHICS_KITTY
                          : screen.graphics.sixel                         ? GRAPHICS_SIXEL
                                                                          : GRAPHICS_NONE;
    if (options->ascii) screen.protocol = GRAPHICS_NONE;
    if (screen.graphics.cell[0] < 4 || screen.graphics.cell[1] < 2) {
        screen.graphics.cell[0] = CELL_HIGH;
        screen.graphics.cell[1] = CELL_WIDE;
    }
    if (options->size[0]) {
        screen.wide = options->size[0];
        screen.high = options->size[1];
    }
    return screen;
}

/* Return the number of lines of characters that the dots cover. */
static int lines_of(const struct cells *cells)
{
    int last = cells->pixmap.high;
    for (bool blank = true; last > 0; last--) {
        const uint8_t *row = pixmap_row(&cells->pixmap, last - 1);
        for (int x = 0; x < cells->pixmap.wide && blank; x++)
            blank = row[x] == COLOUR_TEXT;
        if (!blank) break;
    }
    return (last + cells->per[0] - 1) / cells->per[0];
}

/* Append the pixels, beginning `lines` lines above the cursor, which ends where it was. */
static void append_pixels(const struct cells *cells, const struct screen *screen, int lines, struct text *out)
{
    struct pixmap_colours colours;
    struct pixmap part = cells->pixmap;
    if (part.high > lines * cells->per[0]) part.high = lines * cells->per[0];
    const struct rect all = {0, 0, part.high, part.wide};
    for (int c = 0; c < COLOUR_COUNT; c++)
        colours.rgb[c] = canvas_rgb(screen->light, (enum colour)c);
    text_append(out, "\0337\033[%dA\r", lines);
    if (screen->protocol == GRAPHICS_KITTY) {
        int id = 1 + (int)(getpid() & 0xffffff);
        kitty_send(&part, &colours, id, out);
        kitty_place(id, 1, all, out);
    } else {
        if (screen->graphics.registers > 1) pixmap_reduce(&part, screen->graphics.registers, &colours);
        sixel_write(&part, all, &colours, out);
    }
    text_append(out, "\0338");
}

static enum status print(const struct text *out, struct error *error)
{
    struct output output;
    if (out->failed) return error_set(error, STATUS_MEMORY, "out of memory for the picture");
    enum status status = output_open(&output, NULL, error);
    if (status == STATUS_OK && out->length) status = output_write(&output, out->data, out->length, error);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}

enum status plot_print(const struct figure *figure, const struct figure_subject *subject,
                       const struct options *options, struct error *error)
{
    struct screen screen = find_screen(options, figure->square);
    struct cells cells;
    struct surface surface = {0};
    struct canvas canvas;
    struct text out = {0};
    setlocale(LC_CTYPE, "");
    bool plain = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    enum cells_way way = screen.protocol != GRAPHICS_NONE ? CELLS_PIXELS
                         : plain                          ? CELLS_ASCII
                                                          : CELLS_BRAILLE;
    enum status status = figure->check ? figure->check(subject, error) : STATUS_OK;
    if (status != STATUS_OK) return status;
    const struct rect all = {0, 0, screen.high, screen.wide};
    canvas = cells_begin(&cells, &surface, all, way, screen.light);
    cells.shades = screen.palette == PALETTE_256 || screen.palette == PALETTE_DIRECT;
    status = surface_resize(&surface, screen.high, screen.wide, error);
    if (status == STATUS_OK && way == CELLS_PIXELS)
        status = cells_pixels(&cells, &surface, all, screen.graphics.cell, screen.light, &canvas, error);
    if (status == STATUS_OK) status = figure->draw(subject, &canvas, error);
    if (status == STATUS_OK) {
        int lines = cells_write(&surface, screen.palette, screen.light, &out);
        if (way == CELLS_PIXELS) {
            for (int wanted = lines_of(&cells); lines < wanted; lines++)
                text_append(&out, "\n");
            append_pixels(&cells, &screen, lines, &out);
        }
        status = print(&out, error);
    }
    text_free(&out);
    pixmap_free(&cells.pixmap);
    surface_free(&surface);
    return status;
}
