/* The explorer: opens a matrix in the terminal. */
#ifndef SPARSIGHT_UI_UI_H
#define SPARSIGHT_UI_UI_H

#include <stdbool.h>

#include "base/error.h"
#include "kernels/gpu/profile.h"
#include "matrix/matrix.h"
#include "report/saved/saved.h"

struct ui_options {
    bool ascii;
    bool no_mouse;
    struct load_options load;
    int device;     /* the GPU that kernels are run on */
    struct gpu gpu; /* to estimate for; without a name: that of `device` if present, else the standard one */
    double sample;  /* share of the warps to replay for estimates; 0: all */
    struct saved **saved; /* reports whose runs of the matrix are added to the session's; the caller's */
    int saved_count;
};

/* Run the explorer on MATRIX `name` until the user quits. Returns STATUS_OK, or why the matrix could not be
 * loaded or the terminal not be used (STATUS_CANCELLED: the user cancelled loading); the terminal is restored
 * by then, also on signals and crashes. `name` must stay as long as the process, since a loading that is
 * blocked on its input when it is cancelled is left behind. */
enum status ui_explore(const char *name, const struct ui_options *options, struct error *error);

#endif
