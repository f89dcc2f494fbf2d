/* The browser: the matrices of a folder or an archive; the user opens them one by one. It is shown before
 * there is a session, and again after a matrix. */
#ifndef SPARSIGHT_UI_BROWSER_BROWSER_H
#define SPARSIGHT_UI_BROWSER_BROWSER_H

#include <stdbool.h>

#include "matrix/matrix.h"
#include "ui/terminal/term.h"
#include "ui/view.h"

struct browser;
struct settings;

/* The user's request to the caller of the browser. */
enum browser_answer {
    BROWSER_STAY,
    BROWSER_OPEN,  /* the matrix browser_chosen */
    BROWSER_LEARN, /* show the lessons */
    BROWSER_SET,   /* apply the settings, which have changed, and show the browser again */
    BROWSER_QUIT,
};

/* Return the help and the keys of the browser. It is not a screen of the table of views: only title, help,
 * actions and gesture are set. */
const struct view *browser_about(void);

/* Open a browser on a folder or an archive, `path`, or on the start level (start.h) if `path` is NULL. A
 * background job lists it. `options` must stay valid. The caller frees the browser with browser_close. */
enum status browser_open(const char *path, const struct load_options *options, struct browser **browser,
                         struct error *error);

/* Offer these settings, the caller's, which must stay valid. NULL: there are none. */
void browser_offer(struct browser *browser, struct settings *settings);

/* Show an error in the bottom line. */
void browser_tell(struct browser *browser, const struct error *error);

/* Stop the background work and free the browser. */
void browser_close(struct browser *browser);

/* Show the browser until the user opens a matrix or quits. Nothing runs in the background afterwards. */
enum browser_answer browser_run(struct browser *browser, struct terminal *term, struct surface *surface);

/* Return the path of the chosen matrix, for matrix_load. It lives as long as the browser. */
const char *browser_chosen(const struct browser *browser);

/* Find the next matrix in the shown order, or with step -1 the previous one. Other files and matrices known
 * to be damaged are skipped. Choose it if `choose`. Returns false if there is none. */
bool browser_choose(struct browser *browser, int step, bool choose);

/* Record that the chosen matrix could not be opened: its line says so from now on. If the file has several
 * matrices (STATUS_SEVERAL), list them. */
void browser_refused(struct browser *browser, const struct error *error);

/* Advance the background work. Returns the time in milliseconds to wait for a key; -1: no limit. */
int browser_step(struct browser *browser);

/* Stop the background work; browser_step begins it again. */
void browser_rest(struct browser *browser);

void browser_draw(struct browser *browser, struct surface *surface, bool ascii, enum palette palette);

/* Take a key, or an event of the mouse, other than those that concern the terminal. */
enum browser_answer browser_key(struct browser *browser, int key);
enum browser_answer browser_mouse(struct browser *browser, const struct mouse *mouse);

#endif
