/* What the files of the Parts screen share: its state, and its panes. Only the files of this folder, and
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

#define PARTS_WIDE 150  /* from this width, and */
#define PARTS_HIGH 30   /* this height of the area on, all panes are shown; */
#define PARTS_HALF 110  /* from this width on, two; else one */
#define PARTS_MOST 4096 /* parts that + goes up to; more can be typed */
/* From so many entries on no library is asked without being selected. */
#define ENTRIES_SLOW ((int64_t)1 << 25)
#define PARTS_LINES 128 /* lines of the table that can be clicked */

/* A partition with its number of parts, beside its row of the table. */
struct parts_item {
    struct owners *kept; /* NULL: its owners were not found yet, or let go again */
    bool done;           /* its row is there: the numbers, or why there are none */
    unsigned used;       /* when it was selected last */
};

/* What the errand does. It is the errand's while that runs. */
enum parts_deed { DEED_NONE, DEED_DIVIDE, DEED_MARK };

struct parts_work {
    enum parts_deed deed;
    const struct matrix_case *of;
    size_t limit;

    char name[PARTITION_NAME]; /* of the partition that is found, */
    int64_t parts;
    struct distributed row; /* and what comes out */
    struct divided divided;

    struct owners *owners; /* whose dots are marked; held */
    struct size_dots dots;
    int32_t *marks;
};

/* How the matrix is cut into dots of a picture in units: a unit is half a character, or two where dots are
 * characters. */
struct parts_fit {
    int high, wide;             /* dots */
    int64_t rows, cols;         /* of a dot */
    int large_high, large_wide; /* units that a dot takes */
};

/* The dots of the picture of owners. */
struct parts_picture {
    struct owners *owners; /* that they were made for; held */
    struct size_dots dots;
    int32_t *marks;      /* owned; NULL if there are none yet */
    const int32_t *seen; /* what is drawn: these, or those of a sketch */
    struct parts_fit fit;
    struct rect rect; /* where it was drawn last */
};

/* The tiles of the matrix of volumes. */
struct parts_tiles {
    const void *of;           /* the owners, or the sketch, that they were counted for */
    int64_t step;             /* parts of a tile */
    int count;                /* tiles along a side */
    int64_t *elements;        /* count x count; owned */
    int64_t to, from;         /* the parts under the cursor */
    struct rect rect;         /* where they were drawn last, */
    int cell_high, cell_wide; /* and how many units each takes */
    bool numbers;
};

/* What the curves show. */
enum parts_curve { CURVE_SPEEDUP, CURVE_VOLUME, CURVE_IMBALANCE, PARTS_CURVE_COUNT };

struct parts_screen {
    struct panes panes; /* the focus is an enum parts_pane_kind */

    struct distribution
        table;                /* the rows: those of a partition follow each other, by their number of parts */
    struct parts_item *items; /* one for each */
    int capacity;
    int selected;
    unsigned clock; /* counts selections */
    bool started;   /* the first rows are there */
    bool told; /* the rows are those of a report, without the entries: the case has what they point to, and
                  there will be no others */

    int runs_added, runs_count; /* the predictions were made when so many runs were there, */
    bool foretold, predicted;   /* and forecasts, or none; and that they were made at all */

    struct parts_work work;
    struct errand errand;
    bool paused;   /* the user has stopped the errand: nothing but what is selected is found */
    bool unmarked; /* the dots could not be marked */

    int top;  /* the first line of the table in sight */
    int page; /* lines of the table in sight */
    enum parts_curve curve;
    bool curve_chosen; /* by the user; else it is the volume as long as no time is known */
    struct parts_picture picture;
    struct parts_tiles tiles;

    int lines[PARTS_LINES],
        line_top; /* which row each line of the table shows, from this line on; -1: none */
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

/* rows.c */

/* Make the first rows, and select one; nothing if they are there. */
void parts_start(const struct explorer *explorer, struct parts_screen *screen);

/* Return the row of this partition and number of parts, which is added if it is not there; -1 if there is no
 * memory. */
int parts_row_of(struct parts_screen *screen, const char *name, const struct partitioner *partitioner,
                 int64_t parts);

/* Say that a report does not have what was asked for, and that the entries are not there to find it. */
void parts_say_told(struct explorer *explorer);

/* Select a row. */
void parts_select(struct explorer *explorer, struct parts_screen *screen, int row);

/* Take "metis:objective=cut 24", "24" or "metis" that the user has typed, and select what it names. */
void parts_answer(struct explorer *explorer, struct parts_screen *screen, const char *text);

/* known.c: what is found of the rows in the background. */

/* Bring the state up to date: take what the errand has found, predict, and ask for what is missing. */
void parts_refresh(struct explorer *explorer, struct parts_screen *screen);

/* Go on with what the user has stopped; false if nothing was. */
bool parts_retry(struct parts_screen *screen);

/* True if the dots of the picture are those of these owners and of its size. */
bool parts_marked(const struct parts_screen *screen, const struct owners *owners);

/* True if the owners of what is selected are there: *owners. */
bool parts_owners(const struct parts_screen *screen, struct owners **owners);

/* What a report without the matrix tells of how the selected partition looks; NULL if it tells nothing, or if
 * the entries are there. */
const struct sketch *parts_sketch(const struct parts_screen *screen);

/* The curves that are shown. */
enum parts_curve parts_curve(const struct parts_screen *screen);

void parts_let_go(struct parts_screen *screen);

/* head.c */

/* Write what is selected, with its numbers. Returns how many lines that takes. */
int parts_draw_head(const struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                    struct rect area);

/* Write why nothing can be found, and the remedy, where there are no rows for want of entries. */
void parts_say_nothing(const struct explorer *explorer, struct surface *surface, struct rect rect);

/* Write why there is no picture of what is selected: that it is being found, was cancelled, or why there is
 * none. */
void parts_say_missing(const struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                       struct rect rect);

/* The panes, each in a file of its own. */
void parts_draw_table(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void parts_draw_owners(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void parts_draw_volumes(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);
void parts_draw_curves(struct explorer *explorer, void *state, struct surface *surface, struct rect rect);

/* owners.c */

/* Fit a matrix, or a table of parts, into so many units: dots are whole numbers of lines, of the same number
 * both ways unless one side would vanish, or as many units as there is room for if there are few lines. */
struct parts_fit parts_fit(int64_t rows, int64_t cols, int high, int wide);

/* Move the shared cursor by so many dots of the picture. */
void parts_move_owners(struct explorer *explorer, struct parts_screen *screen, int down, int right);

/* Put it on the place that was clicked. */
void parts_click_owners(struct explorer *explorer, struct parts_screen *screen, int y, int x);

/* volumes.c */
void parts_move_volumes(struct parts_screen *screen, int down, int right);
void parts_click_volumes(struct parts_screen *screen, const struct explorer *explorer, int y, int x);

/* Put two units above each other into a character, as a half block where they differ; a unit of COLOUR_TEXT
 * has no colour, and keeps the background. */
void parts_put_halves(struct surface *surface, int y, int x, enum colour upper, enum colour lower);

#endif
