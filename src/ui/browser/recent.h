/* The matrices that were opened last, for the list that a start without a matrix shows. They are kept in
 * $XDG_STATE_HOME/sparsight/recent, or where that is not set in ~/.local/state: a path a line, the newest
 * first. */
#ifndef SPARSIGHT_UI_BROWSER_RECENT_H
#define SPARSIGHT_UI_BROWSER_RECENT_H

#include "base/text.h"

#define RECENT_MAX 12

/* Append the paths, each on a line. Nothing is appended where none are kept or they cannot be read. */
void recent_read(struct text *paths);

/* Put a file to the front of those that are kept, as a path from the root. A file that cannot be written is
 * no error: the list is a convenience. Standard input and synthetic matrices are not kept. */
void recent_add(const char *name);

#endif
