/* The explorer's loop: what it holds while a matrix is loaded, shown and left, and what the files of this
 * folder do for each other with it. */
#ifndef SPARSIGHT_UI_LOOP_LOOP_H
#define SPARSIGHT_UI_LOOP_LOOP_H

#include "analysis/parts/partition.h"
#include "report/figures/figure.h"
#include "ui/browser/browser.h"
#include "ui/browser/start.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"
#include "ui/find.h"
#include "ui/help.h"
#include "ui/orders.h"
#include "ui/prompt.h"
#include "ui/save.h"
#include "ui/terminal/term.h"
#include "ui/ui.h"
#include "ui/view.h"
#include "ui/widgets/list.h"
#include "ui/work.h"

/* While a job runs, a key is waited for so long, in milliseconds; in a job's first moments less, since many
 * jobs end within that time. */
#define TICK_MS 50
#define FIRST_TICK_MS 5

enum prompt_kind {
    PROMPT_NONE,
    PROMPT_GOTO,
    PROMPT_FIND,
    PROMPT_SAVE,
    PROMPT_ORDER,
    PROMPT_ORDER_FILE,
    PROMPT_PICTURE,
    PROMPT_VIEW
};

/* The states of a case's screens while another case is shown. Its states are ui_states. */
struct scene {
    struct conversions_shown shown; /* these three are members of struct explorer while the case is shown */
    const void *holder[CONVERSIONS_SHOWN];
    struct errand *errand;
    const void *adopted[VIEW_KEYS]; /* states of the previously shown case, whose choices by the user this
                                       case's states adopt when they are drawn next; or NULL */
};

/* The order that is made or written in the background, and those that are to be made. */
struct arranging {
    struct job job;
    bool running;
    bool show;                         /* the case is to be shown when it is there */
    bool writes;                       /* the job writes a case to files, and makes none */
    struct order_save save;            /* the job's while it writes */
    struct saving saving;              /* how the user has named the file */
    struct reorder reorder;            /* the job's while it is running */
    const struct order_choice *wanted; /* orders that were named at the start; the caller's, */
    int count, next;                   /* of which wanted[next] is the first that was not begun */
};

/* The picture that is drawn and written in the background. */
struct picturing {
    struct saving saving; /* how the user has named its file */
    struct job job;
    bool running;
    /* The rest is the job's while it is running. */
    char path[PROMPT_SIZE];
    const struct picture_form *form;
    const struct figure *figure;
    struct figure_subject subject;
    struct partition partition; /* the subject's, if it has one */
    char partition_name[PARTITION_NAME];
    bool light;
};

struct ui {
    const char *name;
    struct start start; /* what the user has chosen the matrix from, if none was named */
    struct load_options options;
    struct job loading;
    bool abandoned; /* loading still waits for its input: this struct must not be freed, since it uses it */
    struct terminal term;
    struct surface surface;
    struct session session;
    struct explorer explorer;
    struct work work;
    struct help help;
    struct action everywhere[EVERYWHERE_MAX];
    struct footer footer;
    enum prompt_kind prompt;
    struct prompt prompts[PROMPT_VIEW + 1];
    struct finding finding; /* the search that runs, or the last one */
    struct job search;
    bool searching;
    const struct matrix_case *searched_in;
    bool searched;            /* there was a search, which can be repeated, */
    bool listed;              /* among the items of a screen and not in the matrix, */
    char sought[PROMPT_SIZE]; /* and this was typed for it */
    struct saving saving;
    struct picturing picturing;
    void **states; /* of all views in all cases; owned */
    struct scene scenes[SESSION_CASES];
    struct orders_list orders;
    struct arranging arranging;
    bool leaving;            /* the user was asked whether to quit although runs are lost then */
    bool dirty;              /* the view has to be drawn again */
    bool late;               /* drawing waits for the end of a sample */
    bool quit;               /* the matrix is left */
    bool gone;               /* the terminal has been closed */
    struct browser *browser; /* where the matrix was opened; NULL if it was named itself */
    int step;                /* 1 if the next matrix of the browser is to be opened, -1 if the one before */
};

/* state.c */

/* Return the screen that is shown. */
const struct view *ui_active(const struct ui *ui);

/* True if the terminal is too small for any screen. */
bool ui_too_small(const struct ui *ui);

/* True if the view cannot be drawn, since parts of the session that it needs are missing. */
bool ui_waiting(const struct ui *ui);

/* True if parts that it needs are missing for good, since the entries of the case are not in memory. */
bool ui_lacking(const struct ui *ui);

/* True if the view can be drawn and has its state, so that it can take keys. */
bool ui_usable(const struct ui *ui);

/* Return the states of all views in the case of this number. */
void **ui_states(const struct ui *ui, int number);

/* Return the state of the view; NULL if it has none yet. */
void *ui_state(const struct ui *ui);

/* Return the list that is open over the screen, or NULL. */
const struct list *ui_list(const struct ui *ui);

/* Give the surface the size of the terminal. */
void ui_fit(struct ui *ui);

/* Do what a key asks of the terminal, which works whatever is shown. Returns false if it asks for something
 * else. */
bool ui_serve_terminal(struct ui *ui, enum demand demand);

/* Return what a key of a table asks for, if the table's actions need no state. */
enum demand ui_demand(struct ui *ui, const struct action *table, int key);

/* choose.c */

/* Let the user choose a matrix. *name becomes what matrix_load takes, or stays NULL if the user quits. */
enum status ui_choose_matrix(struct ui *ui, const struct ui_options *options, const char **name,
                             struct error *error);

/* load.c */

/* Load the matrix ui->name, and show the progress if that lasts. Fails with STATUS_CANCELLED if the user
 * stops it; ui->abandoned says then whether the thread that loads is still at work. */
enum status ui_load(struct ui *ui, struct error *error);

/* matrix.c */

/* Make everything ready for a matrix. The screen that is shown stays the same. */
void ui_prepare(struct ui *ui, const char *name, const struct ui_options *options);

/* Load the matrix that `name` means, and show it until the user leaves it. To be followed by ui_close_matrix.
 */
enum status ui_show_matrix(struct ui *ui, const char *name, const struct ui_options *options,
                           struct error *error);

/* Show what saved reports tell of a matrix, until the user leaves it. To be followed by ui_close_matrix. */
enum status ui_show_saved(struct ui *ui, const struct ui_options *options, struct error *error);

/* Forget the matrix and all that is known of it. */
void ui_close_matrix(struct ui *ui);

/* run.c */

/* Draw, take keys and keep the background work going until the matrix is left. */
void ui_run(struct ui *ui);

/* draw.c */

/* Draw. While a sample is being timed, progress alone is drawn only after the sample's end. */
void ui_draw_between_samples(struct ui *ui);

/* keys.c */

/* Take a key, or with TERM_MOUSE an event of the mouse. */
void ui_take_key(struct ui *ui, int key, const struct mouse *mouse);

/* prompts.c */

/* Give the prompt that is open a key. */
void ui_prompt_key(struct ui *ui, int key);

/* Ask for a place or a search. */
void ui_open_prompt(struct ui *ui, enum prompt_kind kind);

/* Open the prompt if the view asks a question. */
void ui_open_question(struct ui *ui);

/* search.c */

/* Start the search ui->finding.search from the cursor. */
void ui_start_search(struct ui *ui);

/* Take what the search has found, once its job has finished. */
void ui_end_search(struct ui *ui);

/* Start the last search again, from the cursor. */
void ui_repeat_search(struct ui *ui);

/* orders.c */

/* Show this case of the session. The cursor goes to the same place of the source's matrix. */
void ui_show_case(struct ui *ui, struct matrix_case *wanted);

/* Show the next case. */
void ui_next_order(struct ui *ui);

/* Make the matrix in the order that this text asks for, unless it is held in it, and show it. */
void ui_start_order(struct ui *ui, const char *text);

/* Take the order that has been made, once its job has finished. */
void ui_end_order(struct ui *ui);

/* Take the order that is ready, and begin with the next of those that were asked for at the start. */
void ui_arrange(struct ui *ui);

/* Stop making an order, and wait until that has ended. */
void ui_cancel_orders(struct ui *ui);

/* Take the name of the file that a case is to be written to. */
void ui_accept_order_file(struct ui *ui);

/* Do what was chosen in the list of orders. */
void ui_serve_orders(struct ui *ui);

/* picture.c */

/* Ask for a file to write the screen's picture to. */
void ui_ask_picture(struct ui *ui);

/* Take the name of the file, and write it, or begin to. */
void ui_accept_picture(struct ui *ui);

/* Say how the picture in the background has ended, once its job has finished. */
void ui_end_picture(struct ui *ui);

/* Wait until the picture is written that was asked for, if the terminal is still there; else stop it. */
void ui_close_picture(struct ui *ui);

/* saving.c */

/* Return how many runs were made here, in all orders; with `lost` those that no file has yet. */
int ui_runs(const struct ui *ui, bool lost);

/* Ask for a file to save the runs in. */
void ui_ask_file(struct ui *ui, bool then_quit);

/* Take the name of the file that runs are to be saved in. */
void ui_accept_file(struct ui *ui);

/* Write the runs to the file that the user has named, once the session has the content of a report. Numbers
 * that cannot be computed are missing in the report, since saving the runs is more important. */
void ui_save(struct ui *ui);

#endif
