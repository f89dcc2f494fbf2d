/* The lists that make up the tables of a matrix's columns (columns/matrix.c) and of a kernel's columns
 * (columns/kernels.c). */
#ifndef SPARSIGHT_COLUMNS_LISTS_H
#define SPARSIGHT_COLUMNS_LISTS_H

#include "columns/columns.h"

/* True if the matrix is square: some of its numbers exist only then (columns/blocks.c). */
bool subject_is_square(const struct subject *subject);

/* Components and blocks of a matrix, and the fill of its factors (columns/blocks.c). */
extern const struct column component_columns[], block_columns[], cholesky_columns[], qr_columns[];

/* Dense blocks of fixed and variable sizes, and similar rows (columns/dense_blocks.c). */
extern const struct column dense_block_columns[];

/* Levels and colours of triangular solves (columns/solves.c). */
extern const struct column level_columns[], colour_columns[];
extern const struct column_instance triangle_instances[];

/* Statistics of the values (columns/values.c). */
extern const struct column value_columns[];

/* Results of running a kernel (columns/run.c). The two sums of its estimate come between these two lists. */
extern const struct column run_columns[], run_later_columns[];

/* The terms of the forecast time (columns/prediction.c). */
extern const struct column prediction_columns[];

/* Estimated memory requests on a GPU (columns/estimate.c): the two sums, counts of accesses, numbers of each
 * operand, and numbers derived from the counts. */
extern const struct column estimate_leading_columns[], estimate_columns[], operand_columns[],
    memory_columns[], memory_operand_columns[], estimate_later_columns[];

/* The CMRS paper's model (columns/cmrs.c): f, then a with its approximation, for each lambda; and the numbers
 * that do not depend on lambda. */
extern const struct column f_columns[], a_columns[], cmrs_columns[];
extern const struct column_instance operands[], lambdas[];

/* The energy of a product (columns/energy.c). */
extern const struct column energy_columns[];

/* The work of the ranks in a distributed product (columns/ranked.c). */
extern const struct column ranked_columns[];

/* Tuning results of a variant (columns/tuning.c). */
extern const struct column tuning_columns[];

#endif
