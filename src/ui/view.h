/* The contract of a screen, and what all screens share. The tab bar, the keys, the footer and the help are
 * made from the table of views in views.c. */
#ifndef SPARSIGHT_UI_VIEW_H
#define SPARSIGHT_UI_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"
#include "session/session.h"
#include "ui/errand.h"
#include "ui/keys.h"

/* Requests of keys to the explorer's loop, which has the terminal, the prompts and the background work. */
enum demand {
    DEMAND_NONE,
    DEMAND_HELP,          /* open the help */
    DEMAND_GO_TO,         /* open the prompt for a place */
    DEMAND_FIND,          /* open the prompt for a search */
    DEMAND_FIND_NEXT,     /* search again */
    DEMAND_CANCEL,        /* stop what is being computed, or take it up again */
    DEMAND_PICTURE,       /* open the prompt for a file that the screen's picture is written to */
    DEMAND_SAVE,          /* open the prompt for a file that the runs are written to */
    DEMAND_COMPUTE,       /* compute what the screen waits for */
    DEMAND_REDRAW,        /* send the whole screen to the terminal */
    DEMAND_SUSPEND,       /* give the terminal back to the shell for a while */
    DEMAND_NEXT_MATRIX,   /* leave the matrix for the next one of the browser, */
    DEMAND_MATRIX_BEFORE, /* or for the one before */
    DEMAND_ORDERS,        /* open the list of orders, */
    DEMAND_NEXT_ORDER,    /* or show the matrix in the next of those that it is held in */
    DEMAND_QUIT,          /* leave the matrix: for the browser if it was opened there */
};

/* A mouse event, in the coordinates of the surface. */
struct mouse {
    int y, x;
    enum { MOUSE_PRESS, MOUSE_DRAG, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN } kind;
};

/* The cursor that all screens share: a place in the matrix, counted from 0. */
struct cursor {
    int64_t row, col;
    int64_t entry; /* the number of the entry there; -1 stands for none */
};

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
    struct matrix_case
        *beside; /* the case that screens draw beside the one that is shown: the natural one, or
                    if that is shown the one that was shown last; NULL if there is no other */
    struct cursor cursor;
    bool ascii;        /* only ASCII characters are drawn */
    bool colours;      /* the terminal has at least 8 colours */
    bool shades;       /* the terminal has at least 256 colours, enough for all levels of density */
    const int *pixels; /* a cell has pixels[0] x pixels[1] pixels that can be drawn; NULL or 0: none can */
    int device;        /* the number of the GPU that kernels run on */
    double sample;     /* the share of the warps that estimates replay; 0 stands for all */
    struct product product; /* the product that Kernels runs and Advice is for, */
    bool cold;              /* and whether the caches are flushed before each; Kernels has the keys */
    int view;               /* the screen that is shown, as its place in the table of views */
    void **states;          /* the state of each view, which its `open` has made */
    char message[512];      /* is shown at the bottom until the next key is pressed */
    enum demand demand;     /* what the last key asks for, until it is done */

    struct question question;       /* what explorer_ask asks */
    struct format_choice chosen;    /* the format that another screen asks Layouts to show; its `format` is
                                       NULL if there is none, and once Layouts has taken it */
    struct kernel_choice asked;     /* the kernel that another screen asks Kernels to show; its `kernel` is
                                       NULL if there is none, and once Kernels has taken it, */
    const struct results *asked_in; /* and its results, of a run or of what was forecast */
    struct conversions_shown shown; /* the conversions that views hold (explorer_hold): their arrays are not
                                       freed, those with `keep` are built, and the others are planned */
    const void *holder[CONVERSIONS_SHOWN]; /* the state of the view that holds each of them */
    const struct conversion
        *converting;       /* what is being converted in the background; NULL stands for nothing */
    const struct job *job; /* the job that converts or runs an errand; NULL if there is neither */
    bool moving;           /* draw sets it if what it drew changes as a job goes on, as a progress bar does */
    int tick_ms; /* draw sets after how many milliseconds it is to be called again even if there is no job;
                    0 stands for never */

    struct errand *errand; /* the errand that a view wants done; NULL stands for none */

    const struct distribution_request
        *distribution;     /* the partitions that the user has asked for at the start; NULL stands for none */
    struct owners *owners; /* the partition that the Parts screen shows, which holds it (ui/owners.h); NULL
                              stands for none */
    bool owners_asked;     /* Pattern is asked to colour by it; false once it does */

    int64_t cut;     /* HYB holds the first K entries of each row in ELL and the others in COO: this is K, */
    bool cut_chosen; /* if the user has chosen one; explorer_cut returns it in any case */
};

/* The help on the mouse. */
struct gesture {
    const char *name; /* "wheel, drag" */
    const char *help; /* what it does */
};

struct view {
    const char *title;            /* "Pattern" */
    const char *help;             /* says in a sentence or two what the screen shows and how to read it */
    const struct action *actions; /* the view's own keys; the footer shows them in this order */
    struct gesture gesture;       /* what the mouse does; {0} without `mouse` */
    unsigned needs;               /* the parts of the session without which draw is not called */
    const char *lacks; /* says in a sentence what the screen needs them for, where they are missing for good,
                          since the entries are not in memory; NULL: it needs none that can be */

    /* Make the view's state, which `close` frees. Returns NULL and fills in *error on failure. */
    void *(*open)(struct explorer *explorer, struct error *error);

    /* Draw the screen into `area`. */
    void (*draw)(struct explorer *explorer, void *state, struct surface *surface, struct rect area);

    /* Bring the state up to date with what was computed in the background; called before and after a key, the
     * mouse or an answer changes it. Returns false as long as there is nothing that could be changed. May be
     * NULL. */
    bool (*update)(struct explorer *explorer, void *state);

    /* Take a mouse event. May be NULL. */
    void (*mouse)(struct explorer *explorer, void *state, const struct mouse *mouse);

    /* Ask again for what the user has cancelled; false if this view has nothing that was. May be NULL. */
    bool (*retry)(struct explorer *explorer, void *state);

    /* Return the list that the view opens over itself; while it is open it takes keys and the mouse. May be
     * NULL. */
    struct list *(*dialog)(void *state);

    /* Take what was typed after explorer_ask. NULL if the view never asks. */
    void (*answer)(struct explorer *explorer, void *state, const char *text);

    /* Select the next item of the screen that has this text, which is no search of the matrix (ui/find.h).
     * False if none has. NULL if the screen has no items. */
    bool (*find)(struct explorer *explorer, void *state, const char *text);

    /* Take over from `before`, the view's state of another case that was shown until now, what the user has
     * chosen there: how far it is zoomed in, what is selected, which options are set. A view has a state for
     * each case. May be NULL. */
    void (*adopt)(struct explorer *explorer, void *state, const void *before);

    /* Return the figure of the screen's content, and set its subject in *subject, whose session, case and
     * cursor are set. If it is NULL, or returns NULL, the picture is one of the screen's characters. */
    const struct figure *(*figure)(struct explorer *explorer, void *state, struct figure_subject *subject);

    /* Free the view's state. */
    void (*close)(void *state);
};

extern const struct view *const views[]; /* NULL at the end */

/* The screens that others lead to. */
extern const struct view view_pattern, view_rows, view_layouts, view_kernels;

/* Return the number of screens. */
int view_count(void);

/* So many screens can have a key. */
#define VIEW_KEYS 9

/* Return the key of the screen with this place in the table of views, which is a printable ASCII character,
 * or 0 if it has none. */
int view_key(int place);

/* Return the index in the table of views of the screen with this key, even if the table has fewer screens; -1
 * if no screen has it. */
int view_of_key(int key);

/* Return the list that is open over a view, or NULL if none is. */
struct list *view_list(const struct view *view, void *state);

/* Give a key to the view's list if it is open, else to the view. Returns false if the one that got it has no
 * use for it. */
bool view_take_key(struct explorer *explorer, const struct view *view, void *state, int key);

/* Give a mouse event to the view's list if it is open, else to the view. */
void view_take_mouse(struct explorer *explorer, const struct view *view, void *state,
                     const struct mouse *mouse);

/* Let the view find a text; false if it has none. */
bool view_find(struct explorer *explorer, const struct view *view, void *state, const char *text);

/* Give the view what was typed in answer to explorer_ask. */
void view_take_answer(struct explorer *explorer, const struct view *view, void *state, const char *text);

/* Move the shared cursor to (row, col), or to the nearest place if that is outside the matrix, and find the
 * entry there. */
void explorer_move(struct explorer *explorer, int64_t row, int64_t col);

/* Return the cut K that Rows and Pattern share: the one that the user has chosen, else the mean length of the
 * rows, rounded up. */
int64_t explorer_cut(const struct explorer *explorer);

/* Choose the cut K. */
void explorer_set_cut(struct explorer *explorer, int64_t cut);

/* Say which conversions the view with this state holds from now on, instead of those that it held before.
 * They are converted before those of other views. Conversions beyond CONVERSIONS_SHOWN are not held. */
void explorer_hold(struct explorer *explorer, const void *state, struct conversion *const *items, int count);

/* Change to a screen of the table of views. */
void explorer_show(struct explorer *explorer, const struct view *view);

/* Ask the user for a line of text, which the view's `answer` is given. `text` is the answer that is proposed.
 */
void explorer_ask(struct explorer *explorer, const char *label, const char *text);

/* Show a message that names keys of a table, as keys_prose writes it. */
void explorer_say_keys(struct explorer *explorer, const struct action *table, const char *text);

/* Show a message in the bottom line until the next key is pressed. */
void explorer_say(struct explorer *explorer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
