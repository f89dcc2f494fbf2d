/* The lists that the tables of a matrix's columns (columns/matrix.c) and of a kernel's (columns/kernels.c)
 * are put together from. */
#ifndef SPARSIGHT_COLUMNS_LISTS_H
#define SPARSIGHT_COLUMNS_LISTS_H

#include "columns/columns.h"

/* What a matrix falls into, and what its factor fills (columns/blocks.c). */
extern const struct column component_columns[], block_columns[], cholesky_columns[];

/* What the values of a matrix are like (columns/values.c). */
extern const struct column value_columns[];

/* What came out of running a kernel (columns/run.c). The two sums of its estimate stand between these two
 * lists. */
extern const struct column run_columns[], run_later_columns[];

/* What the time that is forecast is made of (columns/prediction.c). */
extern const struct column prediction_columns[];

/* What a kernel would ask of a GPU (columns/estimate.c): the two sums, counts of accesses, what there is of
 * each operand, and what follows from the counts. */
extern const struct column estimate_leading_columns[], estimate_columns[], operand_columns[],
    memory_columns[], memory_operand_columns[], estimate_later_columns[];

/* The CMRS paper's model (columns/cmrs.c): f, then a with its approximation, for each lambda; and what does
 * not depend on lambda. */
extern const struct column f_columns[], a_columns[], cmrs_columns[];
extern const struct column_instance operands[], lambdas[];

/* What the ranks do of a product over several (columns/ranked.c). */
extern const struct column ranked_columns[];

/* What tuning says of a variant (columns/tuning.c). */
extern const struct column tuning_columns[];

#endif
