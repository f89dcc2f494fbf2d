/* The lists that the table of a kernel's columns is put together from (columns/kernels.c). */
#ifndef SPARSIGHT_COLUMNS_LISTS_H
#define SPARSIGHT_COLUMNS_LISTS_H

#include "columns/columns.h"

/* What came out of running it (columns/run.c): what is said of all kernels first, and what is looked at
 * later. */
extern const struct column run_columns[], run_later_columns[];

/* What it would ask of a GPU (columns/estimate.c): the two that sum it up, which stand among those of the
 * run, then counts, those of each operand, and what follows from them. */
extern const struct column estimate_leading_columns[], estimate_columns[], operand_columns[],
    estimate_later_columns[];

/* The CMRS paper's model (columns/cmrs.c): what there is for each size of transactions, lambda, then the
 * rest. */
extern const struct column f_columns[], a_columns[], cmrs_columns[];
extern const struct column_instance operands[], lambdas[];

#endif
