/* Shared by the files of the Warps screen: kernels prepared for an estimated GPU, the warp and the step of
 * each pane, and their drawing. Only the files of this folder, and tests, include this. */
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
#define PANE_WIDE 72   /* the min width of a pane */
#define PANE_BESIDE 78 /* the min width of each of two panes beside each other */
#define PANE_HIGH 17   /* its min height */
#define PANE_LOW 12    /* the min height of a pane shown alone, which has a shorter table */
#define STRIP_MAX 512  /* the max width of the strip over the steps */

/* The state of a kernel. Only the screen's thread reads and sets it, when the errand has ended. */
enum readiness {
    READY_NOT,      /* its matrix is not stored, or the kernel is not prepared */
    READY_PREPARED, /* its warps can be replayed */
    READY_COUNTED,  /* the requests of all its warps, or of a sample, are counted */
};

/* A warp whose replay or search takes too long for the screen's thread: the errand does it. */
struct warp_wish {
    bool wanted;
    bool find;     /* find the warp of `row`, from launch at.stage on; else the warp is `at` */
    bool declined; /* the user cancelled it, or memory was lacking: no automatic retry */
    int64_t row;
    struct warp_at at;
};

/* The tasks of the errand for a kernel, in their order. */
enum chore { CHORE_PREPARE, CHORE_RECORD, CHORE_COUNT };

/* A wish, and the errand's result. The window of the record's addresses contains the step of `moment`; for a
 * warp without such requests, that of `moment_step` (warp_step_of). */
struct recording {
    struct warp_wish wish;
    struct warp_moment moment;
    int64_t moment_step;
    bool found;                /* for a wish with `find`: a warp works on the row */
    struct warp_at at;         /* the warp that was recorded */
    struct warp_record record; /* owned */
};

/* A kernel on this matrix. While the errand prepares it, the errand has `launch`; while it counts, `whole`
 * and `costs`; while it records, `recording`. The screen reads them once `ready` says that they are
 * complete. */
struct replay {
    struct kernel_choice choice;
    struct conversion *conversion; /* the session's; NULL before it is wanted */
    struct device_facts facts;     /* of the GPU for which the kernel is prepared */
    size_t limit;                  /* limit in bytes for each table of the kernel */
    enum readiness ready;
    bool declined;        /* the user cancelled it: no automatic retry */
    struct error refusal; /* why the kernel cannot be replayed; STATUS_OK if it can */
    struct device device;
    struct launch launch;
    double share; /* the share of its warps to count; 0: all, or a sample if there are many slots */
    struct coalescing whole; /* the counts of the product */
    struct warp_costs costs;
    enum chore chore; /* the errand's current task if warps->working is this */
    struct recording recording;
};

/* A visible kernel, at one step of one warp. */
struct pane {
    struct replay *replay;     /* owned; NULL in a build without such kernels */
    bool placed;               /* `at` is set */
    bool astray;               /* no warp was found for the cursor's row */
    struct warp_at at;         /* the warp that is shown */
    bool recorded;             /* `record` is that of `at` */
    struct warp_record record; /* owned */
    struct warp_wish wish;
    bool leads; /* the cursor moves to the warp's first row as soon as that is known */
    int64_t step;
    struct rect area, strip; /* their drawn rectangles, for the mouse; `high` is 0 if they were not drawn */
    int step_wide;           /* the width of a step in the strip; 0 if a column has several steps */
};

/* The state of the screen. */
struct warps {
    struct kernel_list list;      /* all kernels that can be replayed, then those that the user added */
    const struct kernel **traced; /* the table of kernels that can be replayed, which a NULL ends; owned */
    struct gpu gpu;               /* the GPU that is estimated */
    struct pane panes[WARPS_PANES];
    int focus;      /* the pane that keys go to */
    bool alone;     /* one pane is shown even if two fit */
    bool tentative; /* the second kernel is not the user's choice and may be replaced */
    enum precision precision;
    struct warp_moment moment;   /* the moment that all panes show */
    int64_t moment_step;         /* the shown step of a warp without such requests */
    struct cursor seen;          /* the cursor when the panes last followed it */
    const struct replay *sought; /* the kernel of whose warps the user wants one before they are counted;
                                    NULL: none is wanted. Not owned, and not followed */
    int sought_worst;            /* the argument of that warps_find */
    struct cursor sought_from;   /* the cursor then: if it has moved since, nothing is wanted */
    bool playing;
    double next; /* clock_seconds() of the next step while playing */
    struct errand errand;
    struct replay *working; /* the kernel that the errand works on; NULL if there is none */
    struct replay *retired; /* a kernel that left its pane during the errand's work on it; freed when the
                               errand has ended; owned */
    struct list dialog;     /* the list of kernels */
};

/* replays.c: kernels, prepared by the errand. */

/* Fill the list, and choose a kernel for each pane. In a build without GPU kernels the list stays empty.
 * STATUS_MEMORY. */
enum status warps_start(struct warps *warps, struct error *error);

/* Free the screen's data, but not the screen itself. */
void warps_free(struct warps *warps);

/* Take the errand's results, request the conversions of both panes, and call warps_want. */
void warps_update(struct explorer *explorer, struct warps *warps);

/* Begin the next chore if the errand is free, or stop one that is no longer wanted. Call this again after
 * warps_follow, which may change the panes' wishes. */
void warps_want(struct explorer *explorer, struct warps *warps);

/* True while the errand works on the pane's wish. */
bool warps_replaying(const struct warps *warps, const struct pane *pane);

/* Show choice number `choice` of the list in the pane with the focus, in the screen's precision. */
void warps_choose(struct explorer *explorer, struct warps *warps, int choice);

/* The number of the pane's kernel in the list, -1 if it has none. */
int warps_choice(const struct warps *warps, const struct pane *pane);

/* Ask for a kernel with parameters. */
void warps_ask(struct explorer *explorer, void *state, int unused);

/* Take the answer: add its kernels to the list and show the first that is new there; if none is new, show the
 * one that was named, if it was one. If the answer is wrong, the bottom line says why. */
void warps_answer(struct explorer *explorer, void *state, const char *text);

/* Store the matrices of all panes in the other precision. */
void warps_change_precision(struct explorer *explorer, void *state, int unused);

/* Request everything again that was cancelled; false if nothing was. */
bool warps_retry(struct warps *warps);

/* places.c: the choice of the shown warp and step. */

/* If the cursor's row has changed, show in each pane the warp that works on it. Then show the step of the
 * moment. Long work becomes a wish. */
void warps_follow(struct explorer *explorer, struct warps *warps);

/* Show another warp in the pane with the focus: `by` warps further in the same launch, this one, or the first
 * one `by` launches further. The cursor goes to its first row, and the other pane to the warp of that row. */
void warps_move_warp(struct explorer *explorer, struct warps *warps, int64_t by);
void warps_go_to(struct explorer *explorer, struct warps *warps, struct warp_at at);
void warps_move_stage(struct explorer *explorer, void *state, int by);

/* Show another step in the pane with the focus: `by` steps further, or this one, clamped to the warp's steps.
 * The moment becomes that of the step, so that the other pane follows. */
void warps_move_step(struct warps *warps, int64_t by);
void warps_set_step(struct warps *warps, int64_t step);

/* Go to the next request of the same kind, or to the previous one if `by` is -1. */
void warps_next_same(struct explorer *explorer, void *state, int by);

/* Show the longest warp, or if it is shown the one with the most sectors; or the typical warp. If they are
 * not known yet, warps_find_later shows it once they are. */
void warps_find(struct explorer *explorer, void *state, int worst);
void warps_find_later(struct explorer *explorer, struct warps *warps);

/* words.c: texts, and the layout of lines of memory, without drawing. */

/* The character of a lane: 0-9 and a-v for lanes 0 to 31. */
char lane_character(int lane);

/* Write the array that a request goes to, "x" of "x[col[k]]". Returns `out`. */
char *array_of(const char *text, char *out, size_t size);

/* Write the title of a kind of request in the table: "x", "y stored". Returns `out`. */
char *operand_title(enum access access, enum operand operand, char *out, size_t size);

/* The colour of an operand. */
enum colour operand_colour(enum operand operand);

/* The layout of the memory of a request: items in `columns` columns. An item is a line of 128 bytes with its
 * four sectors, or a single sector that was touched. */
struct lines_plan {
    bool sectors;     /* an item is a sector */
    int element_wide; /* the width of an element */
    int elements;     /* the number of elements that are drawn in a sector */
    int label;        /* the width of an item's label, the index of its first element */
    int item_wide, columns;
    int items, hidden; /* the number of items, and of those that do not fit */
};

/* Plan how the lines of a request for elements of `size` bytes are drawn in high x wide characters. Of three
 * plans the first that hides nothing is taken: lines with wide elements, lines with narrow ones, sectors. If
 * all hide something, it is the last one. Shared memory (`banks`) has no sectors and only the first two.
 * Labels of lines have at least `label` columns. */
struct lines_plan lines_plan(const struct warp_line *lines, int count, int size, bool banks, int label,
                             int high, int wide);

/* Return the width of a label that fits any of `elements` indices. */
int lines_label(int64_t elements);

/* memory.c: the step of a pane. Both functions mark the requests of lanes on the cursor's row. */

/* Draw the lanes that take part in the step's request. */
void warps_draw_lanes(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                      int y, int x, int wide);

/* Draw the memory that the request touches. Its addresses must be known (warp_record_has). */
void warps_draw_memory(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                       struct rect rect);

/* table.c: strips over the steps, and totals. */

/* Return the height of the table if it shares `high` lines with the picture of memory. */
int warps_table_high(const struct warps *warps, const struct pane *pane, int high);

/* Draw the table of a pane, and record the position of its strip. */
void warps_draw_table(const struct explorer *explorer, const struct warps *warps, struct pane *pane,
                      struct surface *surface, struct rect rect);

/* product.c: the requests of a kernel in the whole product, compared with the other kernel. */

/* The colour of a share of the bytes moved that are useful, and of lanes at work. */
enum colour used_colour(double share);

/* Write one line about the product, or several: its sectors, their comparison with the other pane's kernel,
 * the useful share of the bytes, and the padding. Fewer sectors than the other's are green, more are red.
 * Until they are counted, the line gives the reason or the progress. */
void warps_draw_product(const struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                        struct surface *surface, struct rect rect);

/* Write the same line for the kernel of a hidden pane, after its name. */
void warps_draw_brief(const struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                      struct surface *surface, int y, int x, int wide);

/* pane.c */

/* Draw a pane, or the work that it waits for. */
void warps_draw_pane(struct explorer *explorer, struct warps *warps, int index, struct surface *surface,
                     struct rect rect);

/* view.c */

/* Open the list in which the kernel of the pane with the focus is chosen. */
void warps_open_list(struct explorer *explorer, void *state, int unused);

#endif
