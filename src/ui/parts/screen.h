/* Shared by the files of the Parts screen: its state, and its panes. Only the files of this folder, and
 * tests, include this. */
#ifndef SPARSIGHT_UI_PARTS_SCREEN_H
#define SPARSIGHT_UI_PARTS_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/owners.h"
#include "drawing/surface.h"
#include "session/distribution.h"
#include "ui/owners.h"
#include "ui/view.h"
#include "ui/widgets/panes.h"

enum parts_pane_kind { PARTS_TABLE, PARTS_OWNERS, PARTS_VOLUMES, PARTS_CURVES, PARTS_PANES };

#define PARTS_WIDE 150  /* from this width */
#define PARTS_HIGH 30   /* and this height of the area on, the screen shows all panes */
#define PARTS_HALF 110  /* from this width on, it shows two panes; else one */
#define PARTS_MOST 4096 /* max number of parts for the key +; more can be typed */
/* From this number of entries on, libraries run only if their row is selected. */
#define ENTRIES_SLOW ((int64_t)1 << 25)
#define PARTS_LINES 128 /* lines of the table that can be clicked */

/* A partition with its number of parts, beside its row of the table. */
struct parts_item {
    struct owners *kept; /* NULL: its owners were not computed yet, or were released */
    bool done;           /* its row is complete: the numbers, or the reason why there are none */
    unsigned used;       /* the time of its last selection, by `clock` */
};

/* The work of the errand, which owns it while it runs. */
enum parts_deed { DEED_NONE, DEED_DIVIDE, DEED_MARK };

struct parts_work {
    enum parts_deed deed;
    const struct matrix_case *of;
    size_t limit;

    char name[PARTITION_NAME]; /* the name of the partition */
    int64_t parts;
    struct network network; /* of the predictions */
    struct distributed row; /* and the resulting row */
    struct divided divided;

    struct owners *owners; /* the owners to mark in the dots; held */
    struct size_dots dots;
    int32_t *marks;
};

/* The division of the matrix into dots of a picture, in units: a unit is half a character, or two if dots are
 * characters. */
struct parts_fit {
    int high, wide;             /* dots */
    int64_t rows, cols;         /* rows and columns per dot */
    int large_high, large_wide; /* units per dot */
};

/* The dots of the picture of owners. */
struct parts_picture {
    struct owners *owners; /* the owners of the marks; held */
    struct size_dots dots;
    int32_t *marks;      /* owned; NULL if there are none yet */
    const int32_t *seen; /* the drawn marks: these, or those of a sketch */
    struct parts_fit fit;
    struct rect rect; /* the last drawn rectangle */
};

/* The tiles of the matrix of volumes. */
struct parts_tiles {
    const void *of;           /* the owners, or the sketch, whose tiles are counted */
    int64_t step;             /* parts per tile */
    int count;                /* tiles along a side */
    int64_t *elements;        /* count x count; owned */
    int64_t to, from;         /* the parts under the cursor */
    struct rect rect;         /* the last drawn rectangle, */
    int cell_high, cell_wide; /* and the number of units per tile */
    bool numbers;
};

/* The quantity of the curves. */
enum parts_curve { CURVE_SPEEDUP, CURVE_VOLUME, CURVE_IMBALANCE, PARTS_CURVE_COUNT };

/* The kernel whose time one process takes. */
struct parts_base {
    char kernel[CHOICE_NAME]; /* "cpu/csr-omp"; "": the advised kernel */
    int threads;              /* 0: any number */
};

struct parts_screen {
    struct panes panes; /* the focus is an enum parts_pane_kind */

    struct distribution table; /* the rows: those of a partition are consecutive, by number of parts */
    struct parts_item *items;  /* one for each */
    int capacity;
    int selected;
    unsigned clock; /* counts selections */
    bool started;   /* the first rows exist */
    bool told; /* the rows come from a report without the entries: they point into the case, and none can be
                  added */

    int runs_added, runs_count; /* the number of runs at the last prediction */
    bool foretold, predicted; /* at the last prediction the forecasts were complete; there was a prediction */
    int settings;             /* explorer->settings when the network was taken over */
    struct parts_base base;   /* the user's choice for the time of one process */

    struct parts_work work;
    struct errand errand;
    bool paused;   /* the user has stopped the errand: only the selected row is computed */
    bool unmarked; /* the dots could not be marked */

    int top;  /* the first visible line of the table */
    int page; /* lines of the table in sight */
    enum parts_curve curve;
    bool asks_network; /* the open question is about the network, not about a partition */
    bool curve_chosen; /* the user has chosen the curves; else they show the volume until a time is known */
    struct parts_picture picture;
    struct parts_tiles tiles;

    int lines[PARTS_LINES],
        line_top; /* lines[k]: the row that line line_top + k of the table shows; -1: none */
};

extern const struct screen_pane parts_panes[];
extern const struct action parts_actions[];

/* The row and the item that are selected; NULL if there is none. */
static inline struct distributed *parts_row(struct parts_screen *screen)
{
    return screen->table.count ? &screen->table.items[screen->selected] : NULL;
}

static inline struct parts_item *parts_item(struct parts_screen *screen)
{
    return screen->table.count ? &screen->items[screen->selected] : NULL;
}

/* True if dots are half blocks, so that a character is two of them; else a dot is two characters wide. */
static inline bool parts_has_blocks(const struct explorer *explorer)
{
    return explorer->shades && !explorer->ascii;
}

/* rows.c */

/* Make the first rows, and select one; does nothing if they exist. */
void parts_start(const struct explorer *explorer, struct parts_screen *screen);

/* Select the report's row of the first partition and number of parts that the options request. If the report
 * lacks it, say so. */
void parts_select_asked(struct explorer *explorer, struct parts_screen *screen);

/* Adopt the network of the options and settings for the predictions. */
void parts_take_network(const struct explorer *explorer, struct parts_screen *screen);

/* Predict the rows of a report for this network, or take the report's predictions if it is the report's. */
void parts_predict_told(const struct explorer *explorer, struct parts_screen *screen,
                        const struct network *network);

/* Return the row of this partition and number of parts, and add it if it is missing; -1 if there is no
 * memory. */
int parts_row_of(struct parts_screen *screen, const char *name, const struct partitioner *partitioner,
                 int64_t parts);

/* Show a message: the report lacks the request, and it cannot be computed without the entries. */
void parts_say_told(struct explorer *explorer);

/* Select a row. */
void parts_select(struct explorer *explorer, struct parts_screen *screen, int row);

/* Take the user's text for the predictions (known.c): "latency=2,bandwidth=12", a kernel or "advised", and
 * "threads=4", in any combination. */
void parts_answer_network(struct explorer *explorer, struct parts_screen *screen, const char *text);

/* Take the user's text "metis:objective=cut 24", "24" or "metis", and select that partition. */
void parts_answer(struct explorer *explorer, struct parts_screen *screen, const char *text);

/* known.c: the computation of rows in the background. */

/* Update the state: take the errand's results, predict, and request missing rows. */
void parts_refresh(struct explorer *explorer, struct parts_screen *screen);

/* Resume cancelled work; false if nothing was cancelled. */
bool parts_retry(struct parts_screen *screen);

/* True if the picture's dots belong to these owners and to its size. */
bool parts_marked(const struct parts_screen *screen, const struct owners *owners);

/* True if the owners of the selected partition are known: *owners. */
bool parts_owners(const struct parts_screen *screen, struct owners **owners);

/* The pictures of the selected partition from a report without the matrix (rows.c). NULL if it has none, or
 * if the entries are in memory. */
const struct sketch *parts_sketch(const struct parts_screen *screen);

/* The quantity of the curves (rows.c). */
enum parts_curve parts_curve(const struct parts_screen *screen);

void parts_let_go(struct parts_screen *screen);

/* head.c */

/* Describe the selected partition, with its numbers. Returns the number of lines. */
int parts_draw_head(const struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                    struct rect area);

/* If there are no rows because the entries are missing, write the reason and the remedy. */
void parts_say_nothing(const struct explorer *explorer, struct surface *surface, struct rect rect);

/* Write why there is no picture of the selection: it is being computed, was cancelled, or another reason. */
void parts_say_missing(const struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                       struct rect rect);

/* The panes, each in a file of its own. */
void parts_draw_table(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void parts_draw_owners(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void parts_draw_volumes(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void parts_draw_curves(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);

/* owners.c */

/* Fit a matrix, or a table of parts, into this number of units. A dot has a whole number of lines, the same
 * in both directions unless one side would vanish. If there are few lines, a line has several units. */
struct parts_fit parts_fit(int64_t rows, int64_t cols, int high, int wide);

/* Move the shared cursor by this number of dots of the picture. */
void parts_move_owners(struct explorer *explorer, struct parts_screen *screen, int down, int right);

/* Move it to the clicked position. */
void parts_click_owners(struct explorer *explorer, struct parts_screen *screen, int y, int x);

/* volumes.c */
void parts_move_volumes(struct parts_screen *screen, int down, int right);
void parts_click_volumes(struct parts_screen *screen, const struct explorer *explorer, int y, int x);

/* owners.c */

/* Make a canvas of a part of the screen. Its dots are half blocks, or characters; two neighbouring characters
 * are a unit. */
struct canvas parts_canvas(const struct explorer *explorer, struct cells *cells, struct surface *surface,
                           struct rect rect);

/* Draw dot (y, x) of a picture on it, and mark the one under the cursor in that rectangle. */
void parts_draw_dot(struct canvas *canvas, const struct parts_fit *fit, int64_t y, int64_t x,
                    enum colour colour);
void parts_draw_cursor(const struct explorer *explorer, struct canvas *canvas, const struct parts_fit *fit,
                       int64_t y, int64_t x, struct surface *surface, struct rect rect);

#endif
