/* The Kernels screen's own parts: which kernels are listed, their numbers in a table, as curves over threads,
 * and run beside run. Only the files of this folder include this. */
#ifndef SPARSIGHT_UI_KERNELS_KERNELS_H
#define SPARSIGHT_UI_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threads.h"
#include "columns/columns.h"
#include "kernels/list.h"
#include "session/runs.h"
#include "ui/view.h"
#include "ui/widgets/list.h"

#define KERNELS_COLUMNS COLUMNS_MAX
#define KERNELS_CURVES 6
#define KERNELS_WIDE 120 /* from here on the panel is beside the table */
#define NAME_COLUMN (-1) /* of the table: the kernel's name */

enum kernels_mode { MODE_TABLE, MODE_CURVES, MODE_BESIDE };

/* How much of the area the panel takes where it is below the table. */
enum panel_size { PANEL_NONE, PANEL_PART, PANEL_ALL };

/* A line of the table. */
struct line {
    int choice; /* in the list of kernels; -1: only the run that is shown has it */
    int threads;
    const struct run *run;       /* that the result is of; NULL: it was not run */
    const struct result *result; /* likewise */
    int order;                   /* as it would stand unsorted */
};

/* A kernel that was run, and what came of it in each run: a line of the runs beside each other. */
struct entry {
    const struct result **results; /* one for each run, NULL where it was not run; within screen.cells */
    const struct result *first;    /* of them that is there */
    int order;                     /* by which entries stand */
};

/* What is being run. The errand's while that is RUNNING. */
struct making {
    struct session *session;
    struct results results;
    struct bench_options options;
    double sample; /* share of the warps to replay for estimates; 0: all */
    char label[96];
    int count;  /* kernels */
    bool sweep; /* with each number of threads */
};

/* Where the heading of a column was drawn, for the mouse. */
struct heading {
    int column, x, wide;
};

struct kernels_screen {
    struct kernel_list list; /* all kernels by default, then those that were added */
    int standard;            /* how many are there by default */
    bool *selected;          /* each of the list */

    /* How the next run is made, and which results the table shows. */
    struct bench_options options;
    enum precision precision;
    struct thread_counts threads; /* ascending; 0: one per processor */

    struct errand errand;
    struct making making;
    const char *phase; /* of the run, as it was drawn last */
    double since;      /* clock_seconds() when it began */

    const struct run *shown;    /* its results alone; NULL: the newest ones of each kernel */
    int runs_added, runs_count; /* as of the lines */
    bool stale;                 /* the lines are to be made anew */
    struct line *lines;
    int line_count, line_room;
    const struct result *fastest; /* of the lines; NULL: none was timed */
    int timed;                    /* lines with numbers */

    enum kernels_mode mode;
    int cursor, top; /* line under the cursor, and the first one in sight */
    int rows;        /* lines in sight */
    bool visible[KERNELS_COLUMNS];
    int column; /* under the column cursor, or NAME_COLUMN */
    int first;  /* columns shown before the first one in sight */
    int sort;   /* column, or NAME_COLUMN */
    bool descending;
    int name_wide, wide[KERNELS_COLUMNS]; /* the widest seen so far */
    struct heading headings[KERNELS_COLUMNS];
    int heading_count;
    struct rect body; /* the lines, as drawn */

    struct entry *entries; /* of runs beside each other */
    const struct result **cells;
    int entry_count;
    int entry, entry_top; /* under the cursor, and the first one in sight */
    int cell_wide;        /* columns of a run */
    int base;             /* run under the column cursor, that the others are held against */
    int first_run;        /* in sight */
    int curve;            /* under the cursor */

    struct list dialog;                                      /* of columns */
    enum panel_size panel;                                   /* below */
    bool no_panel;                                           /* beside */
    enum { QUESTION_PARAMETERS, QUESTION_THREADS } question; /* what was asked for */
};

/* kernels_lines.c: which kernels stand in the table, with which results. */

/* All kernels as they are by default. STATUS_MEMORY. */
enum status kernels_start(struct explorer *explorer, struct kernels_screen *screen, struct error *error);
void kernels_free(struct kernels_screen *screen);
/* Make the lines anew if something has changed since. */
void kernels_refresh(struct explorer *explorer, struct kernels_screen *screen);
/* Add a kernel with parameters to the list, "height=*"; how many choices there were none of before. */
int kernels_add(struct kernels_screen *screen, const struct kernel *kernel, const char *parameters,
                struct error *error);
/* Take a kernel that was added from the list; false if it is there by default. */
bool kernels_remove(struct kernels_screen *screen, int choice);
/* The result of a line, or in *unrun what there is to say of a kernel that was not run. */
const struct result *kernels_result(const struct explorer *explorer, const struct kernels_screen *screen,
                                    const struct line *line, struct result *unrun);
/* The run's figures that go with it. */
const struct results *kernels_results(const struct line *line);
/* Columns of the table of columns. */
int kernels_columns(void);
/* Step through the runs, from the oldest one to the newest results of all. */
void kernels_step_run(struct explorer *explorer, struct kernels_screen *screen, int step);
int kernels_selected(const struct kernels_screen *screen);
/* The place of a run among all, -1 if there is none such. */
int kernels_run_index(const struct explorer *explorer, const struct run *run);
/* The numbers of threads of a kernel's lines; writes at most THREAD_COUNTS_MAX. */
int kernels_threads(const struct kernels_screen *screen, const struct kernel *kernel, int *threads);

/* kernels_sort.c */
/* Order the lines by the column chosen: what has no number last, else as they were. STATUS_MEMORY. */
enum status kernels_sort(const struct explorer *explorer, struct kernels_screen *screen, struct error *error);

/* The keys of the screen. */
extern const struct action kernels_actions[];

/* kernels_run.c: options, and running; first what keys do. */
void kernels_run_some(struct explorer *explorer, void *screen, int all);
void kernels_sweep_threads(struct explorer *explorer, void *screen, int unused);
/* Take what has been run since, and stop what is not wanted. */
void kernels_take(struct explorer *explorer, struct kernels_screen *screen);
bool kernels_running(const struct kernels_screen *screen);
void kernels_ask_parameters(struct explorer *explorer, void *screen, int unused);
void kernels_ask_threads(struct explorer *explorer, void *screen, int unused);
void kernels_answer(struct explorer *explorer, struct kernels_screen *screen, const char *text);
void kernels_change_precision(struct explorer *explorer, void *screen, int unused);
void kernels_change_cold(struct explorer *explorer, void *screen, int unused);
void kernels_change_accumulate(struct explorer *explorer, void *screen, int unused);
void kernels_change_protocol(struct explorer *explorer, void *screen, int unused);
/* Kernels that the keys r and R run. */
int kernels_runnable(const struct explorer *explorer, const struct kernels_screen *screen, bool all);
void kernels_draw_options(const struct kernels_screen *screen, struct surface *surface, int y, int wide);
void kernels_draw_state(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                        int y, int wide);

/* kernels_machine.c: what the memory can do of the processor and of the GPU that the lines were run on, as
 * far as there is room; first of what the kernel under the cursor runs on. */
void kernels_draw_machines(const struct kernels_screen *screen, struct surface *surface, int y, int x,
                           int wide);
/* "NVIDIA H200: read 4545 GB/s, copy 4270 GB/s, L2 60.0 MiB"; "" if nothing is known of it. */
void kernels_machine_words(const struct machine *machine, char *out, size_t size);

/* kernels_table.c */
void kernels_draw_table(const struct explorer *explorer, struct kernels_screen *screen,
                        struct surface *surface, struct rect rect);
/* Show the columns that have a heading. */
void kernels_standard_columns(struct kernels_screen *screen);
/* Move the column cursor over the columns that are shown. */
void kernels_move_column(struct kernels_screen *screen, int step);
/* columns_list.c: the list of columns. */
void kernels_open_columns(struct explorer *explorer, struct kernels_screen *screen);

/* kernels_panel.c: all there is to say of one result. */
void kernels_draw_panel(const struct explorer *explorer, struct surface *surface, struct rect rect,
                        const struct result *result, const struct run *run);

/* kernels_curves.c: speed over threads. */

/* The run whose curves are shown: the newest with several numbers of threads, or the one that is stepped to;
 * NULL if there is none. */
const struct run *kernels_sweep(const struct explorer *explorer, const struct kernels_screen *screen);
void kernels_draw_curves(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect);
/* The result of the curve under the cursor, with the most threads, and the run's figures that go with it;
 * NULL if there is none. */
const struct result *kernels_curve_result(const struct explorer *explorer,
                                          const struct kernels_screen *screen, const struct run **run);

/* kernels_beside.c: several runs beside each other. */
enum status kernels_make_entries(const struct explorer *explorer, struct kernels_screen *screen,
                                 struct error *error);
void kernels_draw_beside(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect);

#endif
