/* The terminal: surfaces are drawn on it, keys and the mouse are read from it. term.c alone includes curses.
 */
#ifndef SPARSIGHT_UI_TERMINAL_TERM_H
#define SPARSIGHT_UI_TERMINAL_TERM_H

#include <stdbool.h>

#include "base/error.h"
#include "drawing/palette.h"
#include "drawing/surface.h"
#include "ui/view.h"

/* What term_key returns besides characters and enum key. */
enum {
    TERM_NOTHING = 0,                /* no key was pressed within the time */
    TERM_MOUSE = UIKEY_RESIZE + 100, /* *mouse says what the mouse did */
    TERM_GONE,                       /* the terminal has been closed */
};

/* The terminal of the process, so that there can be one at a time. Only term.c writes its members. */
struct terminal {
    int high, wide; /* rows and columns */
    bool ascii;     /* only ASCII characters can be drawn: that was asked for, or the locale is not UTF-8 */
    enum palette palette;
    bool mouse; /* the mouse is reported */
    bool armed; /* restore_arm was called */
    int input;  /* the file descriptor that keys are read from */
    void *tty;  /* the FILE of /dev/tty if standard input is not the terminal, else NULL */
    void *own;  /* the SCREEN of curses */
    void *row;  /* `wide` + 1 cells of curses, in which term_draw makes a row */
};

/* Take over the terminal. Until term_end, signals and crashes restore it. `ascii` asks for ASCII characters,
 * `mouse` for the mouse. Fails with STATUS_UNAVAILABLE if standard output is no terminal, if there is none to
 * read keys from, or if TERM does not name one that can place its cursor. */
enum status term_start(struct terminal *term, bool ascii, bool mouse, struct error *error);

/* Show a surface. Only what has changed since the last call is sent to the terminal. */
void term_draw(struct terminal *term, const struct surface *surface);

/* Make the next term_draw send everything, for a terminal on which something else has written. */
void term_redraw(struct terminal *term);

/* Give the terminal back and stop the process group, as a shell expects of Ctrl-Z. Returns when the shell has
 * continued it and the terminal is taken over again; `high` and `wide` may have changed. */
void term_suspend(struct terminal *term);

/* Return the next key: a character, an enum key, or one of the values above. Waits for at most timeout_ms; -1
 * stands for ever. After UIKEY_RESIZE `high` and `wide` have changed. */
int term_key(struct terminal *term, int timeout_ms, struct mouse *mouse);

/* Give the terminal back as it was. Does nothing if *term was not started. */
void term_end(struct terminal *term);

#endif
