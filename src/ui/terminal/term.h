/* The terminal: surfaces are drawn on it, keys and the mouse are read from it. Only this folder includes
 * curses. */
#ifndef SPARSIGHT_UI_TERMINAL_TERM_H
#define SPARSIGHT_UI_TERMINAL_TERM_H

#include <stdbool.h>

#include "base/error.h"
#include "drawing/palette.h"
#include "drawing/surface.h"
#include "ui/escapes/background.h"
#include "ui/escapes/graphics.h"
#include "ui/escapes/paint.h"
#include "ui/escapes/shown.h"
#include "ui/view.h"

/* Results of term_key other than characters and enum key. */
enum {
    TERM_NOTHING = 0,                /* no key was pressed in time */
    TERM_MOUSE = UIKEY_RESIZE + 100, /* `mouse` contains the event */
    TERM_GONE,                       /* the terminal has been closed */
};

/* Maximum number of keys that are kept if they are pressed before the first picture is drawn. */
#define TERM_KEYS 64

/* The terminal of the process: there can be only one at a time. Only the files of this folder write its
 * members. */
struct terminal {
    int high, wide; /* rows and columns */
    bool ascii;     /* only ASCII characters are drawn: the user asked for that, or the locale is not UTF-8 */
    enum palette palette;
    bool light;  /* the background is light */
    bool asked;  /* the question was sent; an answer is accepted at any time */
    bool to_ask; /* the question must be sent before the first picture */
    bool fenced; /* GRAPHICS_FENCE was sent, and its answer has not come */
    enum graphics_wish wish;
    struct graphics graphics; /* the terminal's answers about graphics */
    bool to_ask_graphics;     /* the questions must be sent before the first picture */
    int cell[2];              /* height and width of a cell in pixels; {0, 0} if pixels cannot be drawn */
    struct shown shown;       /* the picture of pixels on it */
    struct text sent;         /* the bytes last sent for it, kept for their memory */
    int keys[TERM_KEYS];      /* keys that were read while an answer was awaited, */
    int key_count;            /* and their number */
    bool mouse;               /* the mouse is reported */
    bool armed;               /* restore_arm was called */
    int input;                /* the file descriptor that keys are read from */
    void *tty;                /* the FILE of /dev/tty if standard input is not the terminal, else NULL */
    void *own;                /* the SCREEN of curses */
    void *row;                /* `wide` + 1 cells of curses, in which term_draw makes a row */
    struct paint paint;       /* the painter that replaces the output of curses */
    struct paint_words words;
    bool paints; /* if the terminal understands it */
};

/* Take over the terminal. Until term_end, signals and crashes restore it. `ascii` asks for ASCII characters,
 * `mouse` for the mouse, `background` for colours that suit a background, `wish` for pictures of pixels.
 * Fails with STATUS_UNAVAILABLE if standard output is no terminal, or if there is no terminal to read keys
 * from. The same holds if the terminal that TERM names cannot move its cursor to a position. */
enum status term_start(struct terminal *term, bool ascii, bool mouse, enum background background,
                       enum graphics_wish wish, struct error *error);

/* Show a surface. The first call asks the terminal for its background and its graphics, and waits for the
 * answers for at most 50 ms. term_key accepts later ones. Keys that are pressed meanwhile are kept. Only
 * changes since the last call are sent to the terminal. */
void term_draw(struct terminal *term, const struct surface *surface);

/* Make the next term_draw send everything: something else has written on the terminal. */
void term_redraw(struct terminal *term);

/* Give the terminal back and stop the process group, as a shell expects of Ctrl-Z. Returns after the shell
 * has continued it, with the terminal taken over again. `high` and `wide` may have changed. */
void term_suspend(struct terminal *term);

/* Put a text into the terminal's clipboard by OSC 52, which terminals without one ignore. False if there is
 * no memory, or *text has failed. */
bool term_copy(struct terminal *term, const struct text *text);

/* Draw only ASCII characters from now on, or all that the locale has. */
void term_show_ascii(struct terminal *term, bool ascii);

/* Return the next key: a character, an enum key, or one of the values above. Waits for at most timeout_ms; -1
 * means no limit. UIKEY_RESIZE means that `high` and `wide`, or `cell`, have changed. */
int term_key(struct terminal *term, int timeout_ms, struct mouse *mouse);

/* Make term_key return this key again, before all others. */
void term_return_key(struct terminal *term, int key);

/* Restore the terminal. Does nothing if *term was not started. */
void term_end(struct terminal *term);

#endif
