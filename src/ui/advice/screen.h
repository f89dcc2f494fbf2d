/* Shared by the files of the Advice screen: its state, and its panes. Only the files of this folder, and
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
#define ADVICE_HIGH 30      /* from this height of the area on, all panes are shown; */
#define ADVICE_HALF 112     /* from this width on, two; else one */
#define ADVICE_LINES 256    /* lines of a pane that can be clicked */
#define ADVICE_LINE_MAX 160 /* bytes that hold most lines that are written here */

/* The background work, in this order: the forecasts of a case in one precision, from current knowledge of the
 * processors; then measuring the processors; then the forecasts again. */
enum foretelling_deed { DEED_FORETELL, DEED_LEARN, DEED_CALIBRATE, DEED_AGAIN };

/* They belong to the errand while it runs. */
struct foretelling {
    struct session *session;
    struct matrix_case *of;
    struct foresight *foresight; /* the case's */
    enum foretelling_deed deed;
    struct processor processor;   /* what was found out, */
    struct foresight_again again; /* or forecast */
};

/* A part of a line that can be clicked: columns of the surface. */
struct piece {
    int x, wide;
};

/* The state of the screen. The advice points into the shown case. */
struct advice_screen {
    struct panes panes; /* the focus is an enum pane_kind */

    struct advices advices;
    const struct matrix_case *of;      /* that the advice was made for, */
    int runs_added, runs_count;        /* made with this number of runs, */
    bool foretold, has_gpu;            /* and whether these two were known, */
    int groups;                        /* and the number of storages with forecasts, */
    bool cold;                         /* in this state of the caches, */
    const struct foresight *foresight; /* from this */
    bool made;

    enum precision precision;
    enum advice_place place; /* the machine whose advice is shown, if there is any */
    bool chosen;             /* the user has chosen the place */
    bool each;               /* the break-even curves show the time per product, not the total */
    int cursor;              /* the candidate under the cursor */
    int top;                 /* the first candidate in sight */
    int rows;                /* the lines of the pane with the focus */
    int format, format_top;  /* the format under the cursor among those of the criteria */
    int criterion;           /* and the criterion */

    struct tune_chart chart; /* of the newest run in which kernels were tuned */

    struct errand errand;
    struct foretelling foretelling;
    bool learnt;           /* the processors were measured, or cannot be */
    bool calibrate;        /* the user wants that measured completely */
    int processor_version; /* that the advice was made by */

    int items[PANES][ADVICE_LINES]; /* the item that each line of a pane shows; -1: none */
    struct piece machines[ADVICE_PLACES];
    int machines_y;
};

extern const struct screen_pane advice_panes[];

/* view.c: the keys of the screen. */
extern const struct action advice_actions[];

/* known.c: the inputs of the advice, known or awaited. */

/* Make the advice again if one of its inputs has changed, and request missing forecasts. The cursor stays on
 * its kernel. */
void advice_refresh(struct explorer *explorer, struct advice_screen *screen);

/* The action of a key: measure the processor completely as soon as no other work runs. */
void advice_calibrate(struct explorer *explorer, void *state, int unused);

/* The shown advice; NULL if there is none for any machine. */
const struct advice *advice_shown(const struct advice_screen *screen);

/* The candidate under the cursor, NULL if there is none. */
const struct advice_candidate *advice_candidate_shown(const struct advice_screen *screen);

/* Write a sentence on the inputs that are still awaited, or on why they are unknown; "" if all are known.
 * Returns out. */
const char *advice_missing(const struct explorer *explorer, const struct advice_screen *screen,
                           char out[PROSE_SIZE]);

/* Write a time like format_seconds, but always in at most 8 columns, even if it is centuries. Returns out. */
char *advice_time(char *out, size_t size, double seconds);

/* head.c */

/* Draw the names of the machines with advice, and the verdict for the shown one. Returns the number of lines
 * drawn, at most a third of the area's. */
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

/* The formats that have a line, in the order of the lines. Returns their number. */
int advice_criteria_count(const struct explorer *explorer, const struct advice_screen *screen);

/* The format of a line. Its `format` is NULL if there is no such line. */
struct format_choice advice_criteria_choice(const struct explorer *explorer,
                                            const struct advice_screen *screen, int line);

#endif
