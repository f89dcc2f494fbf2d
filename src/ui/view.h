/* The contract of a screen, and what all screens share. The table of views is in views.c: the tab bar, the
 * keys, the footer and the help overlay walk it. */
#ifndef SPARSIGHT_UI_VIEW_H
#define SPARSIGHT_UI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"
#include "session/session.h"
#include "ui/errand.h"
#include "ui/keys.h"

/* What a key asks of the explorer's loop, which has the terminal, the prompts and the background work. */
enum demand {
    DEMAND_NONE,
    DEMAND_HELP,      /* open the help */
    DEMAND_GO_TO,     /* open the prompt for a place */
    DEMAND_FIND,      /* open the prompt for a search */
    DEMAND_FIND_NEXT, /* search again */
    DEMAND_CANCEL,    /* stop what is being computed, or take it up again */
    DEMAND_COMPUTE,   /* compute what the screen waits for */
    DEMAND_REDRAW,    /* send the whole screen to the terminal */
    DEMAND_SUSPEND,   /* give the terminal back to the shell for a while */
    DEMAND_QUIT,
};

/* A mouse event, in the coordinates of the surface. */
struct mouse {
    int y, x;
    enum { MOUSE_PRESS, MOUSE_DRAG, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN } kind;
};

/* The one cursor of all screens: a place in the matrix, and the entry there (-1: none). */
struct cursor {
    int64_t row, col;
    int64_t entry;
};

struct view;
struct list;

/* What a view wants to be typed in the bottom line. */
struct question {
    bool asked;
    char label[64];
    char text[120]; /* what stands there at first */
};

/* What views are given. They change the cursor only with explorer_move, other views' state never. */
struct explorer {
    struct session *session;
    struct cursor cursor;
    bool ascii;         /* draw with ASCII only */
    bool colours;       /* at least 8 */
    bool shades;        /* at least 256: the density ramp has its 16 levels */
    int device;         /* the GPU that kernels are run on */
    double sample;      /* share of the warps to replay for estimates; 0: all */
    int view;           /* index into the table of views */
    void **states;      /* one per view, made by view->open */
    char message[256];  /* one line at the bottom until the next key */
    bool fresh;         /* the screen was just changed to: its keys are shown first */
    enum demand demand; /* what the last key asks for, until it is done */

    struct question question; /* set by explorer_ask */
    struct conversions_shown
        shown; /* set with explorer_hold: those with `keep` are built, the others planned, all are kept */
    const void *holder[CONVERSIONS_SHOWN]; /* the state of the view that holds each of them */
    const struct conversion *converting;   /* what the background is about; NULL if it is something else */
    const struct job *job;                 /* that does it, or an errand; NULL: neither */
    bool moving; /* set by draw: what it drew changes by itself, as a bar of progress does; */
    int tick_ms; /* also where nothing is being computed, so often; 0: not */

    struct errand *errand; /* what a view wants done in the background; NULL: nothing */

    int64_t cut;     /* K: entries a row that ELL holds where HYB puts the rest into COO, */
    bool cut_chosen; /* once it is chosen; see explorer_cut */
};

/* A gesture of the mouse as it is written, and what it does, for the help. */
struct gesture {
    const char *name;
    const char *help;
};

struct view {
    const char *title;            /* "Pattern" */
    const char *help;             /* a sentence or two: what the screen shows and how to read it */
    const struct action *actions; /* its own keys, those that matter most first, as the footer shows them */
    struct gesture gesture;       /* what the mouse does; empty without `mouse` */
    unsigned needs;               /* session parts without which draw is not called */
    void *(*open)(struct explorer *explorer,
                  struct error *error); /* the view's state, or NULL and an error */
    void (*draw)(struct explorer *explorer, void *state, struct surface *surface, struct rect area);
    /* Take what the background has done since, before and after a key, the mouse or an answer changes the
     * state. False: there is nothing yet that could be changed. May be NULL. */
    bool (*update)(struct explorer *explorer, void *state);
    void (*mouse)(struct explorer *explorer, void *state, const struct mouse *mouse); /* may be NULL */
    /* Want again what the user cancelled; false if that was nothing of this view. May be NULL. */
    bool (*retry)(struct explorer *explorer, void *state);
    /* the list that the view opens over itself, which takes keys and the mouse while it is open; may be NULL
     */
    struct list *(*dialog)(void *state);
    /* what was typed after explorer_ask; may be NULL if the view never asks */
    void (*answer)(struct explorer *explorer, void *state, const char *text);
    void (*close)(void *state);
};

extern const struct view *const views[]; /* NULL at the end */

/* The screens that others lead to. */
extern const struct view view_pattern, view_rows, view_layouts;

/* Screens there are. */
int view_count(void);

/* The key of the screen with this place in the table: a digit, for at most nine of them. */
int view_digit(int place);

/* The list that is open over a view; NULL if there is none. */
struct list *view_list(const struct view *view, void *state);

/* Take a key: the view's list if one is open, else the view. False if it is for neither. */
bool view_take_key(struct explorer *explorer, const struct view *view, void *state, int key);

/* Take a mouse event likewise. */
void view_take_mouse(struct explorer *explorer, const struct view *view, void *state,
                     const struct mouse *mouse);

/* Give the view what was typed in answer to explorer_ask. */
void view_take_answer(struct explorer *explorer, const struct view *view, void *state, const char *text);

/* Move the shared cursor to (row, col), clamped to the matrix, and find the entry there. */
void explorer_move(struct explorer *explorer, int64_t row, int64_t col);

/* The cut K that Rows and Pattern share, and its choice. Until the user chose one it is the mean length of
 * the rows, rounded up. */
int64_t explorer_cut(const struct explorer *explorer);
void explorer_set_cut(struct explorer *explorer, int64_t cut);

/* Say which conversions a view holds, in place of those that it held before: those of the view that was last
 * here come first. What there is no room for is not held. */
void explorer_hold(struct explorer *explorer, const void *state, struct conversion *const *items, int count);

/* Switch to a view of the table. */
void explorer_show(struct explorer *explorer, const struct view *view);

/* Ask for a line of text, `text` standing there at first: it comes back to the view's `answer`. */
void explorer_ask(struct explorer *explorer, const char *label, const char *text);

/* Say something in the bottom line. */
void explorer_say(struct explorer *explorer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
