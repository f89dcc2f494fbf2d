/* Lists of items with parameters on the command line: formats, kernels, orders. */
#ifndef SPARSIGHT_BASE_ITEMS_H
#define SPARSIGHT_BASE_ITEMS_H

#include <stdbool.h>

#include "base/error.h"

/* Return a copy of the next item of a list, which the caller frees, and move *text beyond it. Items are split
 * at blanks, and at commas that are not followed by NAME=VALUE, since such a comma continues an item's
 * parameters. Returns NULL at the end of the list, and then sets *end, or if memory is short. */
char *list_item(const char **text, bool *end, struct error *error);

#endif
