/* The explorer shows a matrix in the terminal. */
#ifndef SPARSIGHT_UI_UI_H
#define SPARSIGHT_UI_UI_H

#include <stdbool.h>

#include "base/error.h"
#include "kernels/gpu/profile.h"
#include "matrix/matrix.h"
#include "matrix/orders/order.h"
#include "report/saved/saved.h"
#include "ui/escapes/background.h"
#include "ui/escapes/graphics.h"
#include "ui/settings.h"

struct ui_options {
    bool learn;                 /* begin with lessons instead of a matrix (ui/lessons/learning.h): */
    int lesson;                 /* with this one, from 1, or with their list if it is 0 */
    bool ascii;                 /* draw only ASCII characters */
    bool no_mouse;              /* leave the mouse to the terminal */
    enum background background; /* of the terminal */
    enum graphics_wish graphics;
    struct load_options load;
    int device;     /* the number of the GPU that kernels run on */
    struct gpu gpu; /* the GPU that kernels are estimated for; without a name it is the device of this number
                       if present, else the standard GPU */
    enum precision precision; /* the initial precision of Kernels, */
    enum protocol protocol;   /* and its protocol */
    double sample;            /* the share of the warps that estimates replay; 0: all */
    const struct distribution_request *distribution; /* the initial partitions of Parts; NULL: the defaults */
    struct saved **saved; /* saved reports whose runs of the matrix are shown too; owned by the caller */
    int saved_count;
    const char *saved_name;    /* the matrix of these reports to show if none is loaded; NULL: the only one */
    struct settings *settings; /* the caller's; `set` changes these options. NULL: there are none */
    const struct order_list *orders; /* orders into which the matrix is reordered in the background; the first
                                        is shown; NULL: none */
};

/* Run the explorer on the matrix `name` (matrix_load), until the user quits. If it is NULL, show a matrix
 * from saved reports (saved_session); without reports, the browser begins with
 * its start level. If `name` means
 * several matrices, a browser shows them and the user opens them one by one; then one that cannot be loaded
 * is not a failure. Fails if the matrix cannot be loaded or the terminal cannot be used; STATUS_CANCELLED
 * says that the user has cancelled loading. The terminal is restored in any case, also on signals and
 * crashes. `name` must stay valid as long as the process: if loading is cancelled while it waits for its
 * input, its thread keeps waiting. */
enum status ui_explore(const char *name, const struct ui_options *options, struct error *error);

#endif
