/* The browser: the matrices of a folder or an archive, of which the user opens one after the other. It is
 * shown before there is a session, and again when a matrix has been left. */
#ifndef SPARSIGHT_UI_BROWSER_BROWSER_H
#define SPARSIGHT_UI_BROWSER_BROWSER_H

#include <stdbool.h>

#include "matrix/matrix.h"
#include "ui/terminal/term.h"
#include "ui/view.h"

struct browser;

/* What the user wants of whoever shows the browser. */
enum browser_answer {
    BROWSER_STAY,
    BROWSER_OPEN, /* the matrix browser_chosen */
    BROWSER_QUIT,
};

/* Return what the help says of the browser, and its keys. That is no screen of the table of views: only
 * title, help, actions and gesture are set. */
const struct view *browser_about(void);

/* Open a browser on a folder or an archive, `path`, which is listed in the background. `options` must stay.
 * The caller frees it with browser_close. */
enum status browser_open(const char *path, const struct load_options *options, struct browser **browser,
                         struct error *error);

/* Stop what runs in the background and free the browser. */
void browser_close(struct browser *browser);

/* Show the browser until the user opens a matrix or quits. Nothing runs in the background afterwards. */
enum browser_answer browser_run(struct browser *browser, struct terminal *term, struct surface *surface);

/* Return the path of the matrix that is chosen, for matrix_load. It stays as long as the browser. */
const char *browser_chosen(const struct browser *browser);

/* Find the next matrix in the order that is shown, or with step -1 the one before, leaving out what is no
 * matrix or is known to be damaged, and choose it if `choose`. Returns false if there is none. */
bool browser_choose(struct browser *browser, int step, bool choose);

/* The matrix that is chosen could not be opened, which its line says from now on; or it stands for several
 * (STATUS_SEVERAL), which are listed then. */
void browser_refused(struct browser *browser, const struct error *error);

/* Keep the background work going. Returns for how many milliseconds to wait for a key; -1 stands for ever. */
int browser_step(struct browser *browser);

/* Stop what runs in the background; browser_step begins it again. */
void browser_rest(struct browser *browser);

void browser_draw(struct browser *browser, struct surface *surface, bool ascii, enum palette palette);

/* Take a key, or an event of the mouse, that is no matter of the terminal. */
enum browser_answer browser_key(struct browser *browser, int key);
enum browser_answer browser_mouse(struct browser *browser, const struct mouse *mouse);

#endif
