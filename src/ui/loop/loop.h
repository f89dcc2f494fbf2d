/* The explorer's loop: its state while a matrix is loaded, shown and left, and the functions shared by the
 * files of this folder. */
#ifndef SPARSIGHT_UI_LOOP_LOOP_H
#define SPARSIGHT_UI_LOOP_LOOP_H

#include "analysis/parts/partition.h"
#include "matrix/glimpse.h"
#include "report/figures/figure.h"
#include "ui/browser/browser.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"
#include "ui/find.h"
#include "ui/help.h"
#include "ui/lessons/learning.h"
#include "ui/orders/orders.h"
#include "ui/prompt.h"
#include "ui/save.h"
#include "ui/settings.h"
#include "ui/terminal/term.h"
#include "ui/ui.h"
#include "ui/view.h"
#include "ui/widgets/row_list.h"
#include "ui/work.h"

/* The time to wait for a key while a job runs, in milliseconds; it is shorter in a job's first moments
 * because many jobs end within that time. */
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
    PROMPT_SETTING,
    PROMPT_VIEW
};

/* The states of a case's screens while another case is shown. Its states are ui_states. */
struct scene {
    struct conversions_shown shown; /* this and the next two members are in struct explorer while the case is
                                       shown */
    const void *holder[CONVERSIONS_SHOWN];
    struct errand *errand;
    const void *adopted[VIEW_KEYS]; /* states of the previously shown case: this case's states adopt the
                                       user's choices from them when they are drawn next; or NULL */
};

/* The order that is made or written in the background, and the list of orders to make. */
struct arranging {
    struct job job;
    bool running;
    bool show;                         /* show the case when it is made */
    bool writes;                       /* the job writes a case to files instead of making one */
    struct order_save save;            /* the job's while it writes */
    struct saving saving;              /* the file that the user has named */
    struct reorder reorder;            /* the job's while it is running */
    const struct order_choice *wanted; /* orders that were named at the start; the caller owns them */
    int count, next;                   /* wanted[next] is the first order not begun yet */
};

/* Keys that were pressed before they could be taken, in their order. */
struct held_keys {
    struct {
        int key;
        int view; /* the screen that had not been drawn; -1: no matrix was shown, and the key is taken as if
                     it were pressed now */
    } items[TERM_KEYS];
    int count;
    enum prompt_kind answered; /* the prompt whose answer waits for its screen; PROMPT_NONE: none does */
    int answer_view;           /* that screen */
    int before_answer;         /* the number of keys that were held before it */
};

/* The picture that is drawn and written in the background. */
struct picturing {
    struct saving saving; /* the file that the user has named */
    char label[80];       /* the label of the prompt */
    struct job job;
    bool running;
    /* The job owns the following members while it runs. */
    char path[PROMPT_SIZE];
    const struct picture_form *form;
    const struct figure *figure;
    struct figure_subject subject;
    struct partition partition; /* the partition of the subject, if it has one */
    char partition_name[PARTITION_NAME];
    bool light;
};

struct ui {
    const char *name;
    struct load_options options, browsing; /* of matrices, and of the browser */
    struct job loading;
    struct glimpse *glimpse; /* the sample of the entries read so far; owned. NULL: memory is lacking, or
                                nothing is loading */
    bool abandoned; /* loading still waits for its input and uses this struct: it must not be freed */
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
    bool searched;            /* there was a search that can be repeated */
    bool listed;              /* that search was among the items of a screen, not in the matrix */
    char sought[PROMPT_SIZE]; /* the typed text of that search */
    int repeats;              /* the number of times that the user has repeated it while it runs */
    struct saving saving;
    struct picturing picturing;
    void **states; /* of all views in all cases; owned */
    struct scene scenes[SESSION_CASES];
    struct orders_list orders;
    struct settings_list settings;
    const struct ui_options *given; /* the caller's options */
    bool again;                     /* the matrix is opened again after it is left */
    struct learning learning;       /* the lesson that runs, if the program was started for lessons */
    struct row_list entries;        /* of a row or column of the shown case */
    struct arranging arranging;
    struct held_keys held;
    bool leaving;            /* the user was asked whether to quit although runs are lost then */
    bool dirty;              /* the view has to be drawn again */
    bool late;               /* drawing waits for the end of a sample */
    bool quit;               /* the matrix is left */
    bool gone;               /* the terminal has been closed */
    struct browser *browser; /* the browser that opened the matrix; NULL if the matrix itself was named */
    int step;                /* 1 to open the browser's next matrix, -1 for the previous one */
};

/* state.c */

/* Return the screen that is shown. */
const struct view *ui_active(const struct ui *ui);

/* True if the terminal is too small for any screen. */
bool ui_too_small(const struct ui *ui);

/* True if the view cannot be drawn because it needs missing parts of the session. */
bool ui_waiting(const struct ui *ui);

/* True if parts that it needs can never be made because the entries of the case are not in memory. */
bool ui_lacking(const struct ui *ui);

/* True if the view can be drawn and has its state: then it accepts keys. */
bool ui_usable(const struct ui *ui);

/* Return the states of all views in the case of this number. */
void **ui_states(const struct ui *ui, int number);

/* Return the state of the view; NULL if it has none yet. */
void *ui_state(const struct ui *ui);

/* Return the list that is open over every screen, or NULL. */
struct list *ui_over(struct ui *ui);

/* Return the list that is open over the screen: that of ui_over, or the view's. NULL if there is none. */
const struct list *ui_list(struct ui *ui);

/* Return the rectangle of the view: chrome_area without the band of a lesson, which is below it. */
struct rect ui_area(const struct ui *ui);

/* Give the surface the size of the terminal. */
void ui_fit(struct ui *ui);

/* Execute a demand that concerns the terminal, and works on every screen. Returns false for any other
 * demand. */
bool ui_serve_terminal(struct ui *ui, enum demand demand);

/* Return the demand of a key of a table whose actions need no state. */
enum demand ui_demand(struct ui *ui, const struct action *table, int key);

/* load.c */

/* Load the matrix ui->name, and show the progress if that takes longer than QUIET_SECONDS (load.c). Fails
 * with STATUS_CANCELLED if the user stops it; ui->abandoned is then true if the loading thread still runs. */
enum status ui_load(struct ui *ui, struct error *error);

/* matrix.c */

/* Prepare everything for a matrix. The shown screen stays the same. */
void ui_prepare(struct ui *ui, const char *name, const struct ui_options *options);

/* Load the matrix `name`, and show it until the user leaves it. Call ui_close_matrix afterwards. */
enum status ui_show_matrix(struct ui *ui, const char *name, const struct ui_options *options,
                           struct error *error);

/* Show a matrix from saved reports, until the user leaves it. Call ui_close_matrix afterwards. */
enum status ui_show_saved(struct ui *ui, const struct ui_options *options, struct error *error);

/* Free the matrix and all its data. */
void ui_close_matrix(struct ui *ui);

/* run.c: the main loop. */

/* Draw, take keys and keep the background work going until the matrix is left. */
void ui_run(struct ui *ui);

/* draw.c */

/* Draw on the surface, not on the terminal. */
void ui_compose(struct ui *ui);

/* Draw. While a sample is being timed, changes of mere progress are drawn only after its end. */
void ui_draw_between_samples(struct ui *ui);

/* keys.c */

/* Take a key, or with TERM_MOUSE an event of the mouse. */
void ui_take_key(struct ui *ui, int key, const struct mouse *mouse);

/* held.c */

/* Hold a key that was pressed before a matrix is shown. */
void ui_hold_key(struct ui *ui, int key);

/* Return the next key that was pressed before the matrix was shown, or else that of term_key. */
int ui_next_key(struct ui *ui, int timeout_ms, struct mouse *mouse);

/* True if the screen will be drawn: at once, or as soon as its parts are computed. */
bool ui_is_coming(const struct ui *ui);

/* The same, but a screen that lacks nothing is drawn on the surface first, so that it accepts keys now. */
bool ui_comes_later(struct ui *ui);

/* Hold the answer of a prompt that concerns the screen. */
void ui_hold_answer(struct ui *ui, enum prompt_kind kind);

/* Hold a key of a screen that will be drawn without the user's help, but cannot be yet. False if the key must
 * be taken now. */
bool ui_hold_for_screen(struct ui *ui, int key);

/* Take the keys and the answer that were held for the shown screen, if it is drawn now. */
void ui_take_held(struct ui *ui);

/* prompts.c */

/* Pass a key to the open prompt. */
void ui_prompt_key(struct ui *ui, int key);

/* Execute the held answer if there is one. Forget it if another screen is shown. */
void ui_take_answer(struct ui *ui);

/* Ask for a position or a search. */
void ui_open_prompt(struct ui *ui, enum prompt_kind kind);

/* Open a prompt with this text, whose empty line closes it. `label` must stay valid. */
void ui_propose(struct ui *ui, enum prompt_kind kind, const char *label, const char *text);

/* Say that something, such as "a search", would disturb the timing, and name the key that cancels the run. */
void ui_say_timing(struct ui *ui, const char *what);

/* Open the prompt if the view asks a question. */
void ui_open_question(struct ui *ui);

/* search.c */

/* Start the search ui->finding.search from the cursor. */
void ui_start_search(struct ui *ui);

/* Take the result of the search, once its job has finished. */
void ui_end_search(struct ui *ui);

/* Stop the search that runs, if one does, without a message. */
void ui_stop_search(struct ui *ui);

/* Start the last search again, from the cursor; while it runs, once it has ended. */
void ui_repeat_search(struct ui *ui);

/* orders.c */

/* Show this case of the session. The cursor stays at the same position of the source's matrix. */
void ui_show_case(struct ui *ui, struct matrix_case *wanted);

/* Show the next case. */
void ui_next_order(struct ui *ui);

/* Make the matrix in the order of this text, unless it exists, and show it. */
void ui_start_order(struct ui *ui, const char *text);

/* Take the order that has been made, once its job has finished. */
void ui_end_order(struct ui *ui);

/* Take the finished order, and begin with the next of those requested at the start. */
void ui_arrange(struct ui *ui);

/* Stop making an order, and wait for the end of its job. */
void ui_cancel_orders(struct ui *ui);

/* Take the name of the file for a case. */
void ui_accept_order_file(struct ui *ui);

/* Execute the choice in the list of orders. */
void ui_serve_orders(struct ui *ui);

/* settings.c */

/* Apply the options that the list of settings has changed. */
void ui_follow_settings(struct ui *ui);

/* Execute the choice in the list of settings. */
void ui_serve_settings(struct ui *ui);

/* Take the value that the user has typed. */
void ui_accept_setting(struct ui *ui);

/* learn.c */

/* Confirm the step of the lesson once its conditions hold, unless something covers the screen. */
void ui_check_lesson(struct ui *ui);

/* Leave the matrix for that of the lesson that was chosen. */
void ui_serve_lessons(struct ui *ui);

/* Leave the matrix, and show it again (keys.c). */
void ui_reopen(struct ui *ui);

/* picture.c */

/* Ask for a file to write the screen's picture to. */
void ui_ask_picture(struct ui *ui);

/* Take the name of the file, and write it, or begin to. */
void ui_accept_picture(struct ui *ui);

/* Report the result of the picture in the background, once its job has finished. */
void ui_end_picture(struct ui *ui);

/* Wait until the requested picture is written, if the terminal still exists; else stop it. */
void ui_close_picture(struct ui *ui);

/* saving.c */

/* Return the number of runs made here, in all orders; with `lost` only those that no file has yet. */
int ui_runs(const struct ui *ui, bool lost);

/* Ask for a file to save the runs in. */
void ui_ask_file(struct ui *ui, bool then_quit);

/* Take the name of the file for the runs. */
void ui_accept_file(struct ui *ui);

/* Write the runs to the file that the user has named, once the session has the content of a report. Numbers
 * that cannot be computed are missing in the report because saving the runs is more important. */
void ui_save(struct ui *ui);

#endif
