/* Definitions of the numbers of screens, which `?` shows, from the tables of columns. */
#ifndef SPARSIGHT_UI_DEFINITIONS_H
#define SPARSIGHT_UI_DEFINITIONS_H

#include "columns/columns.h"
#include "ui/view.h"

/* The definition of a column. */
struct definition definition_of(const struct column *column);

/* Set *definition to the k-th item of a table of `count` definitions, and else to the k - count-th column as
 * definition_listed does. */
bool definition_of_tables(const struct definition *own, int count, const struct column *table,
                          const char *const *keys, int k, struct definition *definition);

/* Set *definition to the k-th of the columns of a table whose keys begin with one of these words, in the
 * order of the words; NULL ends them. False if there are no more. */
bool definition_listed(const struct column *table, const char *const *keys, int k,
                       struct definition *definition);

#endif
