/* Lists of formats with parameters, as the command line has them. */
#ifndef SPARSIGHT_FORMATS_LIST_H
#define SPARSIGHT_FORMATS_LIST_H

#include <stdbool.h>

#include "formats/choice.h"

/* Items are split at blanks, and at commas that are not followed by NAME=VALUE:
 * "csr,ell:layout=rows,pad=sentinel cmrs". "all": every variant of every format; names match by glob, and
 * without parameters mean the defaults. */
struct format_list {
    struct format_choice *choices; /* in double precision; owned */
    int count;
};

/* Append the items of `text` to the list; what asks for the same as one that is there already is left out.
 * STATUS_USAGE with what there is. */
enum status format_list_add(struct format_list *list, const char *text, struct error *error);
void format_list_free(struct format_list *list);

/* The next item of a list that is split like this, as a copy to be freed; *text moves on. NULL at the end,
 * which *end tells, and without memory. Lists of kernels are written the same way. */
char *list_item(const char **text, bool *end, struct error *error);

#endif
