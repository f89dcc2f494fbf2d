/* The matrices that were opened last, for the list that a start without a matrix shows. They are kept in
 * $XDG_STATE_HOME/sparsight/recent, or in ~/.local/state if that is not set: one path on each line, the
 * newest first. */
#ifndef SPARSIGHT_UI_BROWSER_RECENT_H
#define SPARSIGHT_UI_BROWSER_RECENT_H

#include "base/text.h"

#define RECENT_MAX 12

/* Append the paths, each on a line. Appends nothing if there are none or they cannot be read. */
void recent_read(struct text *paths);

/* Put a file first in the list, as an absolute path. Failing to write the list is no error: it is a
 * convenience. Standard input and synthetic matrices are not kept. */
void recent_add(const char *name);

#endif
