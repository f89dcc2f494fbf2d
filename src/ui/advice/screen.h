/* What the files of the Advice screen share: its state, and its panes. Only the files of this folder, and
 * tests, include this. */
#ifndef SPARSIGHT_UI_ADVICE_SCREEN_H
#define SPARSIGHT_UI_ADVICE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "drawing/surface.h"
#include "kernels/timing/processor_sure.h"
#include "session/advice.h"
#include "session/envelope.h"
#include "session/foresight.h"
#include "ui/view.h"
#include "ui/widgets/panes.h"
#include "ui/widgets/tune_chart.h"

enum pane_kind { PANE_WHY, PANE_TIMES, PANE_EVEN, PANE_ROOFLINE, PANE_MAP, PANE_CRITERIA, PANES };

#define ADVICE_WIDE 160     /* from this width, and */
#define ADVICE_HIGH 30      /* this height of the area on, all panes are shown; */
#define ADVICE_HALF 112     /* from this width on, two; else one */
#define ADVICE_LINES 256    /* lines of a pane that can be clicked */
#define ADVICE_LINE_MAX 160 /* bytes that hold most lines that are written here */

/* What the background is asked for, one after the other: the forecasts of a case in one precision, from what
 * is known of the processors at once; then to find out what they take; and those forecasts again by that. */
enum foretelling_deed { DEED_FORETELL, DEED_LEARN, DEED_CALIBRATE, DEED_AGAIN };

/* It is the errand's while that runs. */
struct foretelling {
    struct session *session;
    struct matrix_case *of;
    struct foresight *foresight; /* the case's */
    enum foretelling_deed deed;
    struct processor processor;   /* what was found out, */
    struct foresight_again again; /* or forecast */
};

/* A piece of a line that a click is for: columns of the surface. */
struct piece {
    int x, wide;
};

/* The state of the screen. The advice points into the case that is shown. */
struct advice_screen {
    struct panes panes; /* the focus is an enum pane_kind */

    struct advices advices;
    const struct matrix_case *of;      /* that the advice was made for, */
    int runs_added, runs_count;        /* when so many runs were there, */
    bool foretold, has_gpu;            /* and these two things were known or not, */
    int groups;                        /* and of so many storages the forecasts, */
    bool cold;                         /* in this state of the caches, */
    const struct foresight *foresight; /* from this */
    bool made;

    enum precision precision;
    enum advice_place place; /* whose advice is shown, if there is any */
    bool chosen;             /* the user has chosen the place */
    bool each;               /* the break-even curves show the time of each product, not that of all */
    int cursor;              /* the candidate under the cursor */
    int top;                 /* the first candidate in sight */
    int rows;                /* the lines of the pane with the focus */
    int format, format_top;  /* the format under the cursor among those of the criteria */
    int criterion;           /* and the criterion */

    struct tune_chart chart; /* of the newest run in which kernels were tuned */

    struct errand errand;
    struct foretelling foretelling;
    bool learnt;           /* what the processors take was found out, or cannot be */
    bool calibrate;        /* the user wants that measured completely */
    int processor_version; /* that the advice was made by */

    int items[PANES][ADVICE_LINES]; /* what each line of a pane shows, -1 for nothing */
    struct piece machines[ADVICE_PLACES];
    int machines_y;
};

extern const struct screen_pane advice_panes[];

/* view.c: the keys of the screen. */
extern const struct action advice_actions[];

/* known.c: what is known, and what is being found out. */

/* Make the advice again if something that it is made of has changed, and ask for the forecasts if they are
 * not there. The cursor stays on its kernel. */
void advice_refresh(struct explorer *explorer, struct advice_screen *screen);

/* Measure the processor completely as soon as nothing else is done: the action of a key. */
void advice_calibrate(struct explorer *explorer, void *state, int unused);

/* The advice that is shown; NULL if there is none for any place. */
const struct advice *advice_shown(const struct advice_screen *screen);

/* The candidate under the cursor, NULL if there is none. */
const struct advice_candidate *advice_candidate_shown(const struct advice_screen *screen);

/* Write in a sentence what is still being found out, or why it is not known; "" if all is known. Returns out.
 */
const char *advice_missing(const struct explorer *explorer, const struct advice_screen *screen,
                           char out[PROSE_SIZE]);

/* Write a time as format_seconds does, but in at most 8 columns also where it is centuries. Returns out. */
char *advice_time(char *out, size_t size, double seconds);

/* head.c */

/* Draw which machines there is advice for, and the verdict of the one that is shown. Returns how many lines
 * that takes, at most a third of the area's. */
int advice_draw_head(const struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                     struct rect area);

/* The panes, each in a file of its own. */
void advice_draw_why(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void advice_draw_times(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void advice_draw_even(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void advice_draw_roofline(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void advice_draw_map(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void advice_draw_criteria(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);

/* criteria.c */

/* The formats that have a line, in the order of the lines. Returns how many. */
int advice_criteria_count(const struct explorer *explorer, const struct advice_screen *screen);

/* The format of a line. Its `format` is NULL if there is no such line. */
struct format_choice advice_criteria_choice(const struct explorer *explorer,
                                            const struct advice_screen *screen, int line);

#endif
