/* COO: the row, column and value of each entry (PMPP, section 10.4, figures 10.11 and 10.12). */
#ifndef SPARSIGHT_FORMATS_COO_H
#define SPARSIGHT_FORMATS_COO_H

#include "formats/format.h"

/* The arrays: element e of each belongs to the same entry. */
enum { COO_ROW, COO_COL, COO_VAL };

/* The parameters. */
enum { COO_ORDER, COO_SEED };

/* The values of the parameter `order`. */
enum { COO_BY_ROW, COO_RANDOM };

extern const struct format format_coo;

/* The COO parts of HYB and JDS share the following two functions with COO. */

/* Check that rows lie in 0 .. rows-1 and columns in 0 .. cols-1, and if `sorted` is true, that rows ascend,
 * and columns within a row. Returns STATUS_INPUT with the element that is wrong. Parallel. */
enum status coo_check(const struct storage *storage, const struct array *row, const struct array *col,
                      bool sorted, struct error *error);

/* Return RULE_MINOR if a row begins at element e > 0, else RULE_NONE. */
enum rule coo_rule(const struct array *row, int64_t e);

#endif
