/* The terminal: start and end, putting a surface on it, keys and the mouse. term.c alone includes curses. */
#ifndef SPARSIGHT_UI_TERMINAL_TERM_H
#define SPARSIGHT_UI_TERMINAL_TERM_H

#include <stdbool.h>

#include "base/error.h"
#include "drawing/palette.h"
#include "drawing/surface.h"
#include "ui/view.h"

/* What term_key returns besides characters and enum key. */
enum {
    TERM_NOTHING = 0,                /* no key within the time */
    TERM_MOUSE = UIKEY_RESIZE + 100, /* *mouse is filled in */
    TERM_GONE,                       /* the terminal has been closed */
};

/* Read-only for others. There can be one at a time: it is the process's terminal. */
struct terminal {
    int high, wide;
    bool ascii; /* asked for, or the locale is not UTF-8 */
    enum palette palette;
    bool mouse, armed;
    int input; /* file descriptor keys are read from */
    void *tty; /* FILE of /dev/tty if standard input is not the terminal */
    void *own; /* curses' own: the SCREEN, and a row of cells */
    void *row;
};

/* Take over the terminal. From here on until term_end signals and crashes restore it first. Errors:
 * STATUS_UNAVAILABLE with the remedy if standard output is no terminal or TERM does not name one that can
 * place its cursor. */
enum status term_start(struct terminal *term, bool ascii, bool mouse, struct error *error);

/* Show the surface; only what changed is sent. */
void term_draw(struct terminal *term, const struct surface *surface);

/* Forget what is believed to be on the terminal: the next term_draw sends everything. */
void term_redraw(struct terminal *term);

/* Stop as a shell expects, the whole pipeline, and take the terminal over again afterwards, with what may be
 * a new high and wide. */
void term_suspend(struct terminal *term);

/* The next key, waiting at most timeout_ms (-1: until there is one): a character, an enum key or one of the
 * above. high and wide are new after UIKEY_RESIZE. */
int term_key(struct terminal *term, int timeout_ms, struct mouse *mouse);

/* Give the terminal back as it was. Does nothing on a term that was not started. */
void term_end(struct terminal *term);

#endif
