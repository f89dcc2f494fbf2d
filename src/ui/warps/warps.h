/* The Warps screen's own parts: kernels prepared on paper, the warp and the step that each pane shows, and
 * what is drawn of them. Only view_warps.c and warps_*.c include this. */
#ifndef SPARSIGHT_UI_WARPS_WARPS_H
#define SPARSIGHT_UI_WARPS_WARPS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/warps/coalescing.h"
#include "analysis/warps/warps.h"
#include "kernels/gpu/paper.h"
#include "kernels/list.h"
#include "ui/view.h"
#include "ui/widgets/list.h"

#define WARPS_PANES 2
#define PANE_WIDE 78 /* the least */
#define PANE_HIGH 17
#define STRIP_MAX 512 /* columns of the strip over the steps */

/* How far a kernel is. For the screen's thread alone. */
enum readiness {
    READY_NOT,      /* its matrix is not stored, or it is not prepared */
    READY_PREPARED, /* warps can be replayed */
    READY_COUNTED,  /* all of them were */
};

/* A warp that takes too long to be replayed or found on the screen's thread. */
struct warp_wish {
    bool wanted;
    bool find;     /* the warp that works on `row`, from at.stage on; else `at` */
    bool declined; /* by the user, or there is no memory */
    int64_t row;
    struct warp_at at;
};

enum chore { CHORE_PREPARE, CHORE_RECORD, CHORE_COUNT };

/* A wish, and what came of it. */
struct recording {
    struct warp_wish wish;
    struct warp_moment moment; /* about which addresses are kept, */
    int64_t moment_step;       /* or this step */
    bool found;
    struct warp_at at;
    struct warp_record record; /* owned */
};

/* A kernel on this matrix. Its launch is the errand's while that prepares it, its counts while that counts,
 * its recording while that records; to be read once `ready` says so. */
struct replay {
    struct kernel_choice choice;
    struct conversion *conversion;
    struct device_facts facts; /* of the GPU that it is prepared for */
    size_t limit;              /* bytes for a table of it */
    enum readiness ready;
    bool declined;        /* it is not to be counted by itself */
    struct error refusal; /* why it cannot be replayed; status OK: it can */
    struct device device;
    struct launch launch;
    double share; /* of its warps that are counted; 0: as many as the screen thinks right */
    struct coalescing whole;
    struct warp_costs costs;
    enum chore chore; /* of the errand */
    struct recording recording;
};

/* A kernel in sight, at one step of one warp. */
struct pane {
    struct replay *replay; /* NULL: none; owned */
    bool placed;           /* `at` is set */
    bool astray;           /* no warp was found that works on the cursor's row */
    struct warp_at at;
    struct warp_record record; /* of `at`, if `recorded` */
    bool recorded;
    struct warp_wish wish;
    bool leads; /* the cursor is to go to the warp's row when that is known */
    int64_t step;
    struct rect area, strip; /* as drawn, for the mouse; high 0: not */
    int step_wide;           /* columns of the strip a step; 0: less than one */
};

struct warps {
    struct kernel_list list;      /* those that can be replayed, and others with parameters */
    const struct kernel **traced; /* table of kernels that can be replayed; NULL at the end; owned */
    struct gpu gpu;               /* that kernels are prepared for */
    struct pane panes[WARPS_PANES];
    int focus;
    bool alone;     /* one pane though there is room for two */
    bool tentative; /* the second kernel was not chosen by the user */
    enum precision precision;
    struct warp_moment moment; /* that both panes show, */
    int64_t moment_step;       /* and the step that is for a kernel without such requests */
    struct cursor seen;        /* when the panes were last brought to it */
    bool playing;
    double next; /* clock_seconds() of the next step */
    struct errand errand;
    struct replay *working; /* that the errand is about */
    struct replay *retired; /* shown no more, to be freed when the errand has let go of it; owned */
    struct list dialog;     /* of kernels */
};

/* warps_replays.c: kernels, made ready in the background. */

/* The list, and a kernel for each pane. */
enum status warps_start(struct warps *warps, struct error *error);
void warps_free(struct warps *warps);
/* Take what has been done since, say to the explorer what is wanted. */
void warps_update(struct explorer *explorer, struct warps *warps);
/* The second half of it. */
void warps_want(struct explorer *explorer, struct warps *warps);
/* True if the pane's wish is being fulfilled. */
bool warps_replaying(const struct warps *warps, const struct pane *pane);
/* Show number `choice` of the list in the pane with the focus. */
void warps_choose(struct explorer *explorer, struct warps *warps, int choice);
/* The number of the pane's kernel in the list. */
int warps_choice(const struct warps *warps, const struct pane *pane);
/* Ask for parameters, and take them. */
void warps_ask(struct explorer *explorer, const struct warps *warps);
void warps_answer(struct explorer *explorer, struct warps *warps, const char *text);
void warps_change_precision(struct explorer *explorer, struct warps *warps);
/* Count what was cancelled after all; false if nothing was. */
bool warps_retry(struct warps *warps);

/* warps_places.c: which warp and which step. */

/* Bring all panes to the cursor's row and to the moment, if something has changed. */
void warps_follow(struct explorer *explorer, struct warps *warps);
/* Move the pane with the focus; the cursor and the other pane follow. */
void warps_move_warp(struct explorer *explorer, struct warps *warps, int64_t by);
void warps_go_to(struct explorer *explorer, struct warps *warps, struct warp_at at);
void warps_move_stage(struct explorer *explorer, struct warps *warps, int by);
void warps_move_step(struct warps *warps, int64_t by);
void warps_set_step(struct warps *warps, int64_t step);
/* The next or previous request of the same kind. */
void warps_next_same(struct explorer *explorer, struct warps *warps, int by);
/* The worst or the typical warp, if they are known. */
void warps_find(struct explorer *explorer, struct warps *warps, bool worst);

/* warps_words.c: what is written, without a screen. */

/* The character of a lane: 0-9, a-v. */
char lane_character(int lane);
/* The array that a request goes to, from its text: "x" of "x[col[k]]". Writes into out and returns it. */
char *array_of(const char *text, char *out, size_t size);
/* What a row of the table is called: "x", "y stored". */
char *operand_title(enum access access, enum operand operand, char *out, size_t size);
enum colour operand_colour(enum operand operand);

/* How the lines of a request are drawn: whole lines, or only those of their sectors that are touched. */
struct lines_plan {
    bool sectors;     /* a sector an item; else a line */
    int element_wide; /* columns of an element */
    int elements;     /* drawn in a sector */
    int label;        /* columns of the number of an item's first element */
    int item_wide, columns, items, hidden;
};
/* The most telling plan that fits into high x wide, or the one that fits most. */
struct lines_plan lines_plan(const struct warp_line *lines, int count, int size, bool banks, int high,
                             int wide);

/* warps_memory.c */
void warps_draw_lanes(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                      int y, int x, int wide);
void warps_draw_memory(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                       struct rect rect);

/* warps_table.c: strips over the steps, and totals. */

/* Lines of the table, if it shares so many with the picture of memory. */
int warps_table_high(const struct warps *warps, const struct pane *pane, int high);
void warps_draw_table(const struct explorer *explorer, const struct warps *warps, struct pane *pane,
                      struct surface *surface, struct rect rect);
/* The other kernel in one line. */
void warps_draw_brief(const struct warps *warps, const struct pane *pane, struct surface *surface, int y,
                      int x, int wide);

/* warps_pane.c */
void warps_draw_pane(struct explorer *explorer, struct warps *warps, int index, struct surface *surface,
                     struct rect rect);

/* kernels_list.c: the list of kernels. */
void warps_open_list(struct explorer *explorer, struct warps *warps);

#endif
