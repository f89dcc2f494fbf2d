/* COO: an entry's row, column and value (PMPP section 10.4, figures 10.11 and 10.12). */
#ifndef SPARSIGHT_FORMATS_COO_H
#define SPARSIGHT_FORMATS_COO_H

#include "formats/format.h"

/* Element e of each array belongs to the same entry. */
enum { COO_ROW, COO_COL, COO_VAL };

/* Parameters. */
enum { COO_ORDER, COO_SEED };

/* Values of `order`. */
enum { COO_BY_ROW, COO_RANDOM };

extern const struct format format_coo;

/* What HYB's second part has in common with COO in the order of rows: */

/* The columns lie in 0 .. cols-1 and the rows in 0 .. rows-1; if sorted is true, rows ascend, and columns
 * within a row. Parallel. */
enum status coo_check(const struct storage *storage, const struct array *row, const struct array *col,
                      bool sorted, struct error *error);

/* RULE_MINOR if another row begins at element e > 0. */
enum rule coo_rule(const struct array *row, int64_t e);

#endif
