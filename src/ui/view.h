/* The interface of a screen, and the state shared by all screens. The tab bar, the keys, the footer and the
 * help are made from the table of views in views.c. */
#ifndef SPARSIGHT_UI_VIEW_H
#define SPARSIGHT_UI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"
#include "session/advice.h"
#include "session/session.h"
#include "ui/errand.h"
#include "ui/keys.h"

/* Requests of keys to the explorer's loop, which owns the terminal, the prompts and the background work. */
enum demand {
    DEMAND_NONE,
    DEMAND_HELP,          /* open the help */
    DEMAND_GO_TO,         /* open the prompt for a position */
    DEMAND_FIND,          /* open the prompt for a search */
    DEMAND_FIND_NEXT,     /* search again */
    DEMAND_CANCEL,        /* stop the computation, or resume it */
    DEMAND_PICTURE,       /* open the prompt for the file of the screen's picture */
    DEMAND_SAVE,          /* open the prompt for the file of the runs */
    DEMAND_COMPUTE,       /* compute what the screen waits for */
    DEMAND_REDRAW,        /* send the whole screen to the terminal */
    DEMAND_SUSPEND,       /* suspend: give the terminal back to the shell */
    DEMAND_NEXT_MATRIX,   /* leave the matrix for the next one of the browser, */
    DEMAND_MATRIX_BEFORE, /* or for the one before */
    DEMAND_ORDERS,        /* open the list of orders, */
    DEMAND_NEXT_ORDER,    /* or show the matrix in the next of its orders */
    DEMAND_SETTINGS,      /* open the list of settings */
    DEMAND_BACK,          /* return to the previous screen and cursor */
    DEMAND_COPY,          /* copy the text of the screen to the terminal's clipboard */
    DEMAND_ENTRIES,       /* list the entries of `listed` */
    DEMAND_QUIT,          /* leave the matrix, to the browser if it was opened there */
};

/* A mouse event, in the coordinates of the surface. */
struct mouse {
    int y, x;
    enum { MOUSE_PRESS, MOUSE_DRAG, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN } kind;
};

/* The cursor shared by all screens: a position in the matrix, counted from 0. */
struct cursor {
    int64_t row, col;
    int64_t entry; /* the number of the entry there; -1: none */
};

/* Write the value of an entry: "2.5", "-2 + 4i", or "-" of a matrix without values. Returns out. */
#define ENTRY_VALUE 96
char *entry_value(const struct matrix *matrix, int64_t entry, char out[ENTRY_VALUE]);

/* A row or a column of the matrix. */
struct matrix_line {
    int64_t at; /* its index */
    bool column;
};

/* A screen that was left, and the cursor there. */
struct trail_item {
    int view;
    struct cursor cursor;
};

#define TRAIL_MAX 32

struct view;
struct list;
struct figure;
struct figure_subject;
struct owners;

/* A line of text that a view asks the user for. */
struct question {
    bool asked;
    char label[64];
    char text[120]; /* the answer that is proposed */
};

/* The state shared by all screens. Views move the cursor with explorer_move, and never touch the states of
 * other views. */
struct explorer {
    struct session *session;
    struct matrix_case *beside; /* the case that screens draw beside the shown one: the natural one, or if
                                   that is shown the one shown before it; NULL if there is no other */
    struct cursor cursor;
    bool ascii;        /* only ASCII characters are drawn */
    bool colours;      /* the terminal has at least 8 colours */
    bool shades;       /* the terminal has at least 256 colours, enough for all levels of density */
    const int *pixels; /* the pixels of a cell, pixels[0] x pixels[1]; NULL or 0: pixels cannot be drawn */
    enum precision precision; /* settings that Kernels takes over, */
    enum protocol protocol;
    int settings;           /* counts changes of settings */
    int device;             /* the number of the GPU that kernels run on */
    double sample;          /* the share of the warps that estimates replay; 0: all */
    struct product product; /* the product of Kernels and of Advice, */
    bool cold;              /* and whether caches are flushed before each; the keys are in Kernels */
    enum advice_place
        advised_place; /* the machine and the precision that Advice shows, for which the table */
    enum precision advised_precision; /* of orders gives times */
    int view;                         /* the shown screen, as its index in the table of views */
    void **states;                    /* the state of each view, made by its `open` */
    char message[512];                /* shown at the bottom until the next key */
    enum demand demand;               /* the request of the last key, until it is executed */

    struct question question;    /* the question of explorer_ask */
    struct format_choice chosen; /* the format that another screen asks Layouts to show; its `format` is NULL
                                    if there is no such request */
    struct kernel_choice asked;  /* the kernel that another screen asks Kernels to show; its `kernel` is NULL
                                    if there is no such request, */
    const struct results *asked_in; /* and the results of a run or forecast that contain it */
    struct conversions_shown shown; /* the conversions that views hold (explorer_hold): their arrays are not
                                       freed, those with `keep` are built, and the others are planned */
    const void *holder[CONVERSIONS_SHOWN]; /* the state of the view that holds each of them */
    const struct conversion *converting;   /* the conversion that is being made in the background, or NULL */
    const struct job *job;                 /* the job of a conversion or an errand, or NULL */
    bool busy;                             /* something has been computed for a while, and can be cancelled */
    bool searched;                         /* there was a search that can be repeated */
    bool learning;                         /* a lesson runs */
    bool moving; /* draw sets it if its content changes during a job, like a progress bar */
    int tick_ms; /* draw sets the time in milliseconds after which it must be called again even without a job;
                    0: never */

    struct errand *errand; /* the errand that a view has requested, or NULL */

    const struct distribution_request
        *distribution;     /* the partitions that the user has requested at the start, or NULL */
    struct owners *owners; /* the partition that the Parts screen shows and holds (ui/owners.h), or NULL */
    struct trail_item trail[TRAIL_MAX]; /* the screens that were left, oldest first; */
    int trail_count;                    /* their number; if there would be more than TRAIL_MAX, the oldest is
                                           dropped */
    bool aimed; /* the cursor was put on a position that the user has found or chosen: Pattern zooms to it */
    struct matrix_line listed; /* the line whose entries DEMAND_ENTRIES lists */
    bool owners_asked;         /* Parts asks Pattern to colour by it; false once it does */

    int64_t cut;     /* HYB holds the first K entries of each row in ELL and the others in COO: this is K, */
    bool cut_chosen; /* if the user has chosen it; explorer_cut returns K in any case */
};

/* The definition of something on a screen, for the help. */
struct definition {
    const char *title;  /* "memory" */
    const char *text;   /* its meaning */
    const char *source; /* the sources of its numbers; NULL: none is named */
    bool here;          /* it defines the item under the cursor */
};

/* The help on the mouse. */
struct gesture {
    const char *name; /* "wheel, drag" */
    const char *help; /* its effect */
};

struct view {
    const char *title;    /* "Pattern" */
    const char *question; /* the question that the screen answers, for its head: "Where are the entries?" */
    bool names;           /* its first line describes the matrix, so the head has the whole description or
                             nothing */
    const char *help;     /* one or two sentences that describe the screen and how to read it */
    const struct action *actions; /* the view's own keys, in their order in the footer */
    struct gesture gesture;       /* the effect of the mouse; {0} without `mouse` */
    unsigned needs;               /* the parts of the session without which draw is not called */
    const char *lacks; /* a sentence that says why the screen needs them, for cases whose entries are not in
                          memory and which therefore never have them; NULL: the screen needs no such parts */

    /* Make the view's state, which `close` frees. Returns NULL and fills in *error on failure. */
    void *(*open)(struct explorer *explorer, struct error *error);

    /* Draw the screen into `area`. */
    void (*draw)(struct explorer *explorer, void *state, struct surface *surface, struct rect area);

    /* Take the results of the background into the state; called before and after a key, the mouse or an
     * answer changes it. Returns false while there is nothing to change. May be NULL. */
    bool (*update)(struct explorer *explorer, void *state);

    /* Take a mouse event. May be NULL. */
    void (*mouse)(struct explorer *explorer, void *state, const struct mouse *mouse);

    /* Request again what the user has cancelled; false if nothing of this view was. May be NULL. */
    bool (*retry)(struct explorer *explorer, void *state);

    /* Return to the previous state within the screen. False if there is none: then the previous screen is
     * shown. May be NULL. */
    bool (*back)(struct explorer *explorer, void *state);

    /* Return the list that the view opens over itself; while open, it gets keys and the mouse. May be
     * NULL. */
    struct list *(*dialog)(void *state);

    /* Take the answer to explorer_ask. NULL if the view never asks. */
    void (*answer)(struct explorer *explorer, void *state, const char *text);

    /* Select the next item of the screen that contains this text; the text is not a search of the matrix
     * (ui/find.h). False if there is none. NULL if the screen has no items. */
    bool (*find)(struct explorer *explorer, void *state, const char *text);

    /* Adopt the user's choices from `before`, the view's state in the case shown until now: the zoom, the
     * selection, the options. A view has a state for each case. May be NULL. */
    void (*adopt)(struct explorer *explorer, void *state, const void *before);

    /* Return the figure of the screen's content, and set its subject in *subject, whose session, case and
     * cursor are set. If `figure` is NULL, or returns NULL, the picture shows the screen's characters. */
    const struct figure *(*figure)(struct explorer *explorer, void *state, struct figure_subject *subject);

    /* Set *definition to the k-th definition of the screen, k = 0, 1, ...; false if there are no more. Only
     * the first one may be `here`. May be NULL. */
    bool (*define)(struct explorer *explorer, void *state, int k, struct definition *definition);

    /* True if the view fulfils a condition of a lesson, given by its word and its value, such as "array",
     * "row_ptr" (ui/lessons/lessons.h). NULL: no condition concerns this view. */
    bool (*holds)(struct explorer *explorer, void *state, const char *word, const char *value);

    /* Free the view's state. */
    void (*close)(void *state);
};

extern const struct view *const views[]; /* NULL at the end */

/* The screens that others lead to. */
extern const struct view view_pattern, view_rows, view_layouts, view_kernels;

/* Return the number of screens. */
int view_count(void);

/* Maximum number of screens with a key. */
#define VIEW_KEYS 9

/* Return the key of the screen with this index in the table of views: a printable ASCII character, or 0 if it
 * has none. */
int view_key(int place);

/* Return the index in the table of views of the screen with this key, even if the table has fewer screens; -1
 * if no screen has it. */
int view_of_key(int key);

/* Return the open list over a view, or NULL if there is none. */
struct list *view_list(const struct view *view, void *state);

/* Pass a key to the view's list if it is open, else to the view. Returns false if the key has no effect
 * there. */
bool view_take_key(struct explorer *explorer, const struct view *view, void *state, int key);

/* Pass a mouse event to the view's list if it is open, else to the view. */
void view_take_mouse(struct explorer *explorer, const struct view *view, void *state,
                     const struct mouse *mouse);

/* Let the view find a text; false if it has no item with it. */
bool view_find(struct explorer *explorer, const struct view *view, void *state, const char *text);

/* Pass the answer to explorer_ask to the view. */
void view_take_answer(struct explorer *explorer, const struct view *view, void *state, const char *text);

/* Move the shared cursor to (row, col), or to the nearest position if that is outside the matrix, and find
 * the entry there. */
void explorer_move(struct explorer *explorer, int64_t row, int64_t col);

/* Return the cut K shared by Rows and Pattern: the user's choice, else the mean length of the rows, rounded
 * up. */
int64_t explorer_cut(const struct explorer *explorer);

/* Choose the cut K. */
void explorer_set_cut(struct explorer *explorer, int64_t cut);

/* Set the conversions that the view with this state holds, instead of its former ones. They are converted
 * before those of other views. Conversions beyond CONVERSIONS_SHOWN are not held. */
void explorer_hold(struct explorer *explorer, const void *state, struct conversion *const *items, int count);

/* Ask for the list of the entries of a line. */
void explorer_list(struct explorer *explorer, struct matrix_line line);

/* Return to the screen that was left last, and to its cursor. Returns false if there is none. */
bool explorer_back(struct explorer *explorer);

/* Change to a screen of the table of views. */
void explorer_show(struct explorer *explorer, const struct view *view);

/* Ask the user for a line of text, which goes to the view's `answer`. `text` is the proposed answer. */
void explorer_ask(struct explorer *explorer, const char *label, const char *text);

/* Ask for the parameters of these tables, the second of which may be NULL: "NAME (a, b)". If they have none,
 * say so. */
void explorer_ask_parameters(struct explorer *explorer, const char *name, const struct parameter *first,
                             const struct parameter *second, const char *text);

/* Show a message that names keys of a table, written by keys_prose. */
void explorer_say_keys(struct explorer *explorer, const struct action *table, const char *text);

/* Show an error there, with its file, line and column. */
void explorer_say_error(struct explorer *explorer, const struct error *error);

/* Show a message in the bottom line until the next key. */
void explorer_say(struct explorer *explorer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
