/* Shared by the files of the Kernels screen: its state, the lines of its table, curves over threads, and the
 * comparison of runs. Only the files of this folder, and tests, include this. */
#ifndef SPARSIGHT_UI_KERNELS_KERNELS_H
#define SPARSIGHT_UI_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threads.h"
#include "columns/columns.h"
#include "drawing/flow.h"
#include "kernels/list.h"
#include "session/runs.h"
#include "session/tune.h"
#include "session/tune_map.h"
#include "ui/view.h"
#include "ui/widgets/list.h"
#include "ui/widgets/tune_chart.h"

#define KERNELS_COLUMNS COLUMNS_MAX
#define KERNELS_CURVES 6
#define KERNELS_WIDE 120 /* from this width on the panel is beside the table, else below it */
#define NAME_COLUMN (-1) /* the column of names, which is kernel_columns[0] */

enum kernels_mode { MODE_TABLE, MODE_CURVES, MODE_ROOFLINE, MODE_BESIDE, MODE_MAP };

/* The height of a panel below the table. */
enum panel_size { PANEL_NONE, PANEL_HALF, PANEL_ALL };

/* A line of the table: a kernel with a number of threads. */
struct line {
    int choice;                    /* its index in the list of kernels; -1 if only the shown run has it */
    int threads;                   /* from results_threads: 0 on a device */
    const struct run *run;         /* the run that contains the result; NULL if the kernel was not run */
    const struct results *results; /* all results of the run, or all forecasts, that contain the result */
    const struct result
        *result; /* the result that the line shows; NULL if nothing is known of the kernel yet */
    int order;   /* the line's position before sorting */
};

/* The results of one kernel choice in all runs: a line of the comparison of runs. */
struct comparison {
    const struct result **results; /* one for each run, NULL if it lacks the kernel; within screen->cells */
    const struct result *first;    /* the first of them that is not NULL, which names the line */
    int order;                     /* the position of `first` among all results of all runs */
};

/* The run that the errand makes. It belongs to the errand while that is ERRAND_RUNNING. */
struct making {
    struct session *session;
    struct matrix_case *of; /* the case of the run; the screen may show another one meanwhile */
    struct results results;
    struct bench_options options;
    struct outlook *outlooks; /* the preliminary statistics of each result; owned */
    double sample;            /* the share of the warps to replay for estimates; 0: all */
    char label[96];           /* the name of the run */
    int count;                /* the number of results of the run */
    bool sweep;               /* each kernel is run with several numbers of threads, for curves */
    enum tune_how tune;       /* whether and how each kernel is tuned, for maps */
};

/* Forecasts of the kernels of one storage that were not run. They belong to the errand while it is
 * ERRAND_RUNNING. */
struct foreseeing {
    struct session *session;
    struct matrix_case *of; /* as in struct making */
    struct results results;
    struct product product;
    double sample; /* the share of the warps to replay for estimates; 0: session_foresee chooses it */
};

/* The position of a column's drawn heading, for clicks on it. */
struct heading {
    int column; /* an index of kernel_columns, or NAME_COLUMN; in the comparison of runs the run's index */
    int x, wide;
};

/* The state of the screen. Results and runs are the session's; the screen owns its lines and lists. */
struct kernels_screen {
    struct kernel_list list; /* all kernels with their defaults, then those that the user added */
    int standard;            /* the number of those with their defaults */
    bool *selected;          /* one for each kernel of the list */

    /* The options of the next run, and the choice of the results in the table. */
    struct bench_options options;
    enum precision precision;
    struct thread_counts threads; /* ascending; 0: one thread per processor */

    struct errand errand;
    struct making making;
    struct errand foresight; /* forecasts the kernels of one storage, then those of the next */
    struct foreseeing foreseeing;
    struct results *foreseen; /* the finished forecasts of each storage; owned */
    int foreseen_count;
    const char *phase; /* the phase of the run when it was drawn last */
    double since;      /* clock_seconds() when that phase began */

    const struct run *shown;    /* the table shows this run alone; NULL if it shows the newest results */
    int runs_added, runs_count; /* the session's number of added runs, and of runs, when the lines were
                                   made */
    int settings;               /* explorer->settings when they were taken over */
    bool stale;                 /* the lines must be made again */
    struct line *lines;
    int line_count, line_room;
    double lead; /* the shortest time so far of the kernel being timed, in seconds; 0 if there is none */
    double foreseen_lead[2];      /* the shortest forecast of a line, in seconds: of processors, of GPUs; 0 if
                                     there      is none */
    const struct result *fastest; /* the fastest result of all lines; NULL if none was timed */
    int timed;                    /* the number of lines whose results were timed */

    enum kernels_mode mode;
    int cursor, top; /* the line under the cursor, and the first visible one */
    bool placed;     /* the user has put the cursor there: it follows its line, also from the first one */
    int rows;        /* the number of visible lines */
    bool visible[KERNELS_COLUMNS];     /* chosen by the user, or by default */
    bool filled[KERNELS_COLUMNS];      /* some line has a value there; default columns without one wait */
    bool filled_here[KERNELS_COLUMNS]; /* a kernel has that can run here; other columns are behind those */
    int column;                        /* the column under the column cursor, or NAME_COLUMN */
    int first;                         /* the number of columns that are scrolled out at the left */
    int sort;                          /* the column that lines are sorted by, or NAME_COLUMN */
    bool descending;
    int name_wide, wide[KERNELS_COLUMNS]; /* the width of the widest name, and of the widest cell of each
                                             column, so far */
    double low[KERNELS_COLUMNS], high[KERNELS_COLUMNS]; /* the smallest and the largest number of each column
                                                           so far; 0: none */
    struct heading headings[KERNELS_COLUMNS];
    int heading_count;
    struct rect body; /* where the lines were drawn last */

    /* Runs beside each other. */
    struct comparison *comparisons;
    const struct result **cells; /* the memory of the results of all comparisons */
    int comparison_count;
    int comparison, comparison_top; /* the one under the cursor, and the first visible one */
    int cell_wide;                  /* the width of a run's column */
    int base;                       /* the run that the others are compared with */
    int first_run;                  /* the first run in sight */

    struct tune_chart chart;
    int curve; /* the curve under the cursor */
    int point; /* the point of the roofline under the cursor, counted from the fastest */

    struct list dialog;    /* the list of columns */
    enum panel_size panel; /* the size of a panel below the table */
    bool no_panel;         /* a panel beside the table is closed */
    enum {
        QUESTION_PARAMETERS,
        QUESTION_THREADS,
        QUESTION_COLUMNS,
        QUESTION_FILTER,
        QUESTION_NAME
    } question;      /* the last question */
    char filter[64]; /* the lines are the kernels with all of these words; "": all kernels */
    int hidden;      /* the number of other kernels */
};

/* lines.c: the kernels of the table, with their results. */

/* Fill the list with all kernels in their default choices. STATUS_MEMORY. */
enum status kernels_start(struct explorer *explorer, struct kernels_screen *screen, struct error *error);

/* Free the screen's data, but not the screen itself. */
void kernels_free(struct kernels_screen *screen);

/* Make the lines again if runs, options or the order have changed. Without memory there are no lines, and the
 * bottom line gives the reason. */
void kernels_refresh(struct explorer *explorer, struct kernels_screen *screen);

/* Add a kernel with parameters such as "height=*" to the list. Returns the number of choices that were added:
 * those that the list has already are not added again. `error` is set if the parameters are wrong. */
int kernels_add(struct kernels_screen *screen, const struct kernel *kernel, const char *parameters,
                struct error *error);

/* Remove an added choice from the list. A default choice stays, and the result is false. */
bool kernels_remove(struct kernels_screen *screen, int choice);

/* The result of a line. If nothing is known of the kernel, this is *unrun: it has the kernel's name, and the
 * reason if it cannot run here. */
const struct result *kernels_result(const struct explorer *explorer, const struct kernels_screen *screen,
                                    const struct line *line, struct result *unrun);

/* The results that contain the line's result, because its columns read them, too. They are empty if there is
 * no result. */
const struct results *kernels_results(const struct line *line);

/* The number of kernel_columns, and the index of the one with this key; NAME_COLUMN if there is none. */
int kernels_columns(void);
int kernels_column(const char *key);

/* Show the run that is `step` runs newer, or older if it is negative. After the newest run come the newest
 * results of all runs. */
void kernels_step_run(struct explorer *explorer, void *state, int step);

/* Show the newest of the runs that were read from files, if there is one. */
void kernels_show_saved(struct explorer *explorer, struct kernels_screen *screen);

/* If another screen asks for a kernel (explorer->asked), move the cursor to it. If its run is a saved one,
 * show that run. Otherwise show the newest results, and add the kernel if they lack it. */
void kernels_show_asked(struct explorer *explorer, struct kernels_screen *screen);

/* The kernel of a line. */
const struct kernel *kernels_kernel(const struct kernels_screen *screen, const struct line *line);

/* True if the kernel has all words of the text, regardless of case. Each is a part of its name, its format,
 * its backend or its description. All GPU kernels have "gpu", the others "processor". */
bool kernels_has_words(const struct kernel *kernel, const char *text);

/* The number of kernels that are selected. */
int kernels_selected(const struct kernels_screen *screen);

/* The index of a run among the session's, -1 if it is not one of them. */
int kernels_run_index(const struct explorer *explorer, const struct run *run);

/* Write the numbers of threads of the kernel's lines, at most THREAD_COUNTS_MAX. Returns their number. */
int kernels_threads(const struct kernels_screen *screen, const struct kernel *kernel, int *threads);

/* True if both agree in the options that the user can choose on this screen. */
bool kernels_options_alike(const struct bench_options *a, const struct bench_options *b);

/* True if the result has no times only because this machine lacks the GPU of its kernel. A run read from a
 * file was made on another machine, so its reasons are about that. */
bool kernels_awaits_gpu(const struct explorer *explorer, const struct kernels_screen *screen,
                        const struct line *line, const struct result *result);

/* foresight.c: forecasts of kernels before they are run. */

/* Take the errand's forecasts of kernels that were not run. If lines still lack results, begin with another
 * storage. Does nothing during a run, or while a run is shown alone. */
void kernels_foresee(struct explorer *explorer, struct kernels_screen *screen);

/* Free all forecasts, because the product of the next run has changed. */
void kernels_forget(struct kernels_screen *screen);

/* The number of lines that await a GPU, and the number of these that have an estimate. */
void kernels_count_awaiting(const struct explorer *explorer, const struct kernels_screen *screen,
                            int *awaiting, int *estimated);

/* sort.c */

/* Sort the lines by screen->sort. Lines without a value there come last, and lines with equal values keep
 * their order. By time, lines with only a forecast follow those with a time, sorted by the forecast; kernels
 * that can run here come first. STATUS_MEMORY. */
enum status kernels_sort(const struct explorer *explorer, struct kernels_screen *screen, struct error *error);

/* view.c: the keys of the screen. */
extern const struct action kernels_actions[];

/* uses.c: whether keys help at the moment (struct action). They are for: a run; tuning or a sweep; keys of
 * the table; choosing kernels; the filter; columns; a diagram, whose mode is `argument`; saving runs; naming
 * a run.
 */
enum use kernels_use_run(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_run_more(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_table(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_choosing(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_filter(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_columns(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_mode(const struct explorer *explorer, const void *screen, int mode);
enum use kernels_use_saving(const struct explorer *explorer, const void *screen, int unused);
enum use kernels_use_name(const struct explorer *explorer, const void *screen, int unused);

/* run.c: running. Functions with a last argument `unused` are actions of keys, here and in options.c. */

/* Begin a run of all kernels, or of those selected, or of the one under the cursor if none is. */
void kernels_run_some(struct explorer *explorer, void *screen, int all);

/* Begin a run of the selected kernels with several numbers of threads, for curves. */
void kernels_sweep_threads(struct explorer *explorer, void *screen, int unused);

/* Begin to tune the kernels selected or, if none is, the one under the cursor; `how` is an enum tune_how. */
void kernels_tune(struct explorer *explorer, void *screen, int how);

/* Estimate the seconds of a run of all kernels that the filter shows, from their forecasts. *slower becomes
 * the factor by which the load of the machine prolongs the run. */
double kernels_duration(const struct explorer *explorer, const struct kernels_screen *screen, double *slower);

/* Add the run that the errand has finished to the session's runs. While the errand is still wanted, request
 * it again. */
void kernels_take(struct explorer *explorer, struct kernels_screen *screen);

/* True while a run is going on, or is about to begin. */
bool kernels_running(const struct kernels_screen *screen);

/* Set *result to the result of a line that is being timed, from its samples so far; false if there are
 * none. */
bool kernels_outlook(const struct explorer *explorer, const struct kernels_screen *screen,
                     const struct line *line, struct result *result);

/* The number of kernels that kernels_run_some would run here; those that are only estimated do not count. */
int kernels_runnable(const struct explorer *explorer, const struct kernels_screen *screen, bool all);

/* The number of kernels that kernels_run_some would only estimate because they cannot run here. */
int kernels_estimable(const struct explorer *explorer, const struct kernels_screen *screen, bool all);

/* options.c: the options of the next run. */

/* Ask for parameters of the kernel under the cursor, for numbers of threads, for the number of vectors, or
 * for the words of the filter. */
void kernels_ask_parameters(struct explorer *explorer, void *screen, int unused);
void kernels_ask_threads(struct explorer *explorer, void *screen, int unused);
void kernels_ask_columns(struct explorer *explorer, void *screen, int unused);
void kernels_ask_filter(struct explorer *explorer, void *screen, int unused);
void kernels_ask_name(struct explorer *explorer, void *screen, int unused);

/* Take the answer to the last question. If it is wrong, the bottom line says why. */
void kernels_answer(struct explorer *explorer, void *state, const char *text);

/* Change an option of the next run. */
void kernels_change_precision(struct explorer *explorer, void *screen, int unused);
void kernels_change_cold(struct explorer *explorer, void *screen, int unused);
void kernels_change_accumulate(struct explorer *explorer, void *screen, int unused);
void kernels_change_transposed(struct explorer *explorer, void *screen, int unused);
void kernels_change_layout(struct explorer *explorer, void *screen, int unused);
void kernels_change_protocol(struct explorer *explorer, void *screen, int unused);

/* Write the reason why there is no diagram (state.c). The text names keys as in keys_prose. */
void kernels_draw_empty(struct surface *surface, struct rect rect, const char *words);

/* Draw the options, each with its key, into line y. */
void kernels_draw_options(const struct explorer *explorer, const struct kernels_screen *screen,
                          struct surface *surface, int y, int wide);

/* Write "1,2,4" or "1-8"; a 0 is written as the number of processors. Returns out. */
char *kernels_write_threads(struct thread_counts counts, char *out, size_t size);

/* state.c: the progress of the run. */

/* Draw into line y the progress of the run. Without a run, draw the name of the shown run, the bandwidths of
 * machines, or the next steps. */
void kernels_draw_state(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                        int y, int wide);

/* Draw a note on the table into line y: if one run is shown alone, the keys that show others; if kernels
 * await a GPU, the number of them that are estimated instead, and the GPU. Returns the number of lines drawn,
 * 0 or 1. */
int kernels_draw_note(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, int y, int wide);

/* orders.c */

/* If the matrix has several orders, write a line about them. It names the fastest kernel of each under the
 * options of the next run, with its time relative to the natural order. Returns the number of lines drawn, 0
 * or 1. */
int kernels_draw_orders(const struct explorer *explorer, const struct kernels_screen *screen,
                        struct surface *surface, int y, int wide);

/* Write into the panel that times in the shown order leave out permuting x and y. */
void kernels_write_order(const struct explorer *explorer, struct flow *flow);

/* machine.c */

/* The newest machine of this type (NULL: the host) among the runs that lines show; NULL if none was
 * measured. */
const struct machine *kernels_newest_machine(const struct kernels_screen *screen,
                                             const struct device_type *type);

/* Draw the bandwidths of the machines that ran the lines, as many as fit. First comes that of the kernel
 * under the cursor, then the processor, then other devices. */
void kernels_draw_machines(const struct kernels_screen *screen, struct surface *surface, int y, int x,
                           int wide);

/* Write "NVIDIA H200: read 4545 GB/s, copy 4270 GB/s, L2 60.0 MiB", or "" if the machine was not measured. */
void kernels_machine_words(const struct machine *machine, char *out, size_t size);

/* table.c */

/* Draw the table, and scroll it so that both cursors are visible. */
void kernels_draw_table(const struct explorer *explorer, struct kernels_screen *screen,
                        struct surface *surface, struct rect rect);

/* Show the default columns, those that are `leading`. */
void kernels_standard_columns(struct kernels_screen *screen);

/* Move the column cursor by `step` visible columns. The column of names is before the first one. */
void kernels_move_column(struct kernels_screen *screen, int step);

/* columns_list.c */

/* Open the list in which columns are chosen. */
void kernels_open_columns(struct explorer *explorer, struct kernels_screen *screen);

/* panel.c */

/* Draw everything known about one result. `result` is NULL if there is none under the cursor, `run` if the
 * kernel was not run. */
void kernels_draw_panel(const struct explorer *explorer, struct surface *surface, struct rect rect,
                        const struct result *result, const struct run *run);

/* diagrams.c: speed over threads. */

/* The run whose curves are drawn: screen->shown if there is one, else the newest run that has a kernel with
 * several numbers of threads. NULL if there is no such run. */
const struct run *kernels_sweep(const struct explorer *explorer, const struct kernels_screen *screen);

/* Draw the curves of kernels_sweep's run. Without such a run, name the key that makes one. */
void kernels_draw_curves(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect);

/* The result of the curve under the cursor that has the largest number of threads, with its run in *run. Both
 * are NULL if there is no curve. */
const struct result *kernels_curve_result(const struct explorer *explorer,
                                          const struct kernels_screen *screen, const struct run **run);

/* diagrams.c: speed over arithmetic intensity. */

/* Draw a point for each line that was timed, with the bandwidths of memory and caches that bound them.
 * Without such lines, name the key that runs kernels. */
void kernels_draw_roofline(const struct explorer *explorer, struct kernels_screen *screen,
                           struct surface *surface, struct rect rect);

/* The result of the point under the cursor, with its run in *run. Both are NULL if there is no point. */
const struct result *kernels_point_result(const struct explorer *explorer,
                                          const struct kernels_screen *screen, const struct run **run);

/* diagrams.c: the times of a kernel's variants over two of its parameters. */

/* The run whose map is drawn: screen->shown if kernels were tuned in it, else the newest run with tuned
 * kernels. NULL if there is none. */
const struct run *kernels_tuned_run(const struct explorer *explorer, const struct kernels_screen *screen);

/* Draw the map of one of its kernels. Without one, name the key that tunes. */
void kernels_draw_map(const struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                      struct rect rect);

/* The variant under the cursor, with its run in *run. Both are NULL if none was run there. */
const struct result *kernels_map_result(const struct explorer *explorer, struct kernels_screen *screen,
                                        const struct run **run);

/* Move the cursor by this number of values; show the map of another kernel; show two other parameters; add
 * the variant under the cursor to the table. */
void kernels_map_move(const struct explorer *explorer, struct kernels_screen *screen, int x, int y);
void kernels_map_turn(const struct explorer *explorer, struct kernels_screen *screen, int step);
void kernels_map_pair(const struct explorer *explorer, struct kernels_screen *screen);
void kernels_map_keep(struct explorer *explorer, void *screen, int unused);

/* beside.c: several runs beside each other. */

/* Make screen->comparisons from all runs. STATUS_MEMORY. */
enum status kernels_compare_runs(const struct explorer *explorer, struct kernels_screen *screen,
                                 struct error *error);

/* Draw a line for each comparison and a column for each run. */
void kernels_draw_beside(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, struct rect rect);

#endif
