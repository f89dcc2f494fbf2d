/* Lists of formats with parameters, as the command line has them. */
#ifndef SPARSIGHT_FORMATS_LIST_H
#define SPARSIGHT_FORMATS_LIST_H

#include <stdbool.h>

#include "formats/choice.h"

/* A list of choices of formats, split into items as all lists are (base/items.h). This one has three items:
 *
 *     csr,ell:layout=rows,pad=sentinel cmrs
 *
 * The item "all" stands for every variant of every format. Names of formats may be glob patterns; an item
 * without parameters leaves them at their defaults. */
struct format_list {
    struct format_choice *choices; /* in double precision; owned */
    int count;
};

/* Append the choices that `text` lists, but those that the list has already. Returns STATUS_USAGE if there is
 * no such format, with the names of those that there are, or if its parameters are wrong. */
enum status format_list_add(struct format_list *list, const char *text, struct error *error);
void format_list_free(struct format_list *list);

#endif
