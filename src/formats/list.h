/* Lists of formats with parameters on the command line. */
#ifndef SPARSIGHT_FORMATS_LIST_H
#define SPARSIGHT_FORMATS_LIST_H

#include <stdbool.h>

#include "formats/choice.h"

/* A list of choices of formats, split into items as all lists are (base/items.h). This one has three items:
 *
 *     csr,ell:layout=rows,pad=sentinel cmrs
 *
 * The item "all" means every variant of every format. Names of formats may be glob patterns; an item without
 * parameters leaves them at their defaults. A choice that no item names without a pattern is `by_pattern`. */
struct format_list {
    struct format_choice *choices; /* in double precision; owned */
    int count;
};

/* Append the choices of `text` that the list does not have yet. Returns STATUS_USAGE for an unknown format,
 * with the names of all formats, or for wrong parameters. */
enum status format_list_add(struct format_list *list, const char *text, struct error *error);

/* Treat all choices as named, and not as requested by a pattern (format_choice.by_pattern). */
void format_list_name(struct format_list *list);

void format_list_free(struct format_list *list);

#endif
