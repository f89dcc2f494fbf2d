/* The tables of columns. Each displayed number is one column. There is one for the matrix and one for each
 * list of the report. The screens, the reports and the manual's tables all walk them. */
#ifndef SPARSIGHT_COLUMNS_COLUMNS_H
#define SPARSIGHT_COLUMNS_COLUMNS_H

#include "columns/column.h"

/* The columns of a matrix (columns/matrix.c), in the order of the JSON report. The last one has a NULL key,
 * as in all tables. */
extern const struct column *const columns;
extern const struct column_part part_matrix, part_structure, part_dense_blocks, part_blocks, part_cholesky,
    part_qr, part_lower_triangle, part_upper_triangle, part_colours, part_row_lengths, part_col_lengths,
    part_values;

/* The columns of a case's object `ranks`, which is null if one process has the whole matrix
 * (columns/ranks.c). */
extern const struct column *const rank_columns;
extern const struct column_part part_ranks;

/* The columns of a row of the report's list `formats`, which is a conversion (columns/formats.c): the size of
 * the format, and its five criteria. */
extern const struct column *const format_columns;
extern const struct column_part part_format, part_criteria;

/* The columns of a case's order, its object `order` (columns/orders.c). */
extern const struct column *const order_columns;
extern const struct column_part part_order;

/* The columns of a row of its list `distribution.partitions`, which is a division (columns/parts.c). */
extern const struct column *const part_columns;
extern const struct column_part part_distribution, part_scaling;

/* The columns of a row of its list `rounding`, which is a precision_loss (columns/rounding.c). */
extern const struct column *const rounding_columns;
extern const struct column_part part_rounding;

/* The columns of a row of its list `spgemm` (columns/spgemm.c), and the name of its product: "A^T A". */
extern const struct column *const spgemm_columns;
extern const struct column_part part_spgemm;
const char *spgemm_name(enum spgemm_kind kind);

/* The columns of a row of its list `solve.runs`, a struct solve_outlook, and of its list `solve.kernels`, a
 * struct solve_kernel (columns/krylov.c). */
extern const struct column *const solve_columns, *const solve_kernel_columns;
extern const struct column_part part_solve, part_solve_time, part_solve_best, part_solve_kernels;

/* The columns of a row of its list `trisolve.runs`, which is a trisolve_run (columns/trisolve.c). */
extern const struct column *const trisolve_columns;
extern const struct column_part part_trisolve;

/* The columns of a row of its list `costs`, which is a cost (columns/costs.c). */
extern const struct column *const cost_columns;
extern const struct column_part part_costs;

/* The columns of a row of its list `kernels`, which is a result (columns/kernels.c): the kernel's times, its
 * estimated memory requests on a GPU, and the CMRS paper's model. */
extern const struct column *const kernel_columns;
extern const struct column_part part_run, part_energy, part_predicted, part_estimate, part_cmrs, part_tuning,
    part_ranked;

/* The parts of a kernel's columns; the last one is NULL. */
extern const struct column_part *const kernel_parts[];

/* True if a part has numbers of the subject: the run always, the estimate if there is one, the model of CMRS
 * on a GPU. */
bool part_applies(const struct column_part *part, const struct subject *subject);

/* The structs that stored numbers are in: struct matrix, matrix_case, values, lengths, fill and level_sets of
 * a case, */
column_owner owner_matrix, owner_case, owner_values, owner_row_lengths, owner_col_lengths, owner_own_fill,
    owner_amd_fill, owner_lower, owner_upper;
/* struct format_size and criteria of a conversion, struct halo and scaling of a division, */
column_owner owner_size, owner_criteria, owner_halo, owner_sent, owner_scaling;
/* struct result, format_size, energy, prediction, estimate, memory_traffic, tuned and ranked of a result. */
column_owner owner_result, owner_result_size, owner_energy, owner_prediction, owner_estimate, owner_memory,
    owner_tuned, owner_ranked;

/* struct spgemm; rounded, product_error of a precision_loss; solve, solve_kernel; trisolve_run, its samples
 * and facts. */
column_owner owner_spgemm, owner_rounded, owner_rounded_scaled, owner_rounded_product,
    owner_rounded_product_f32, owner_solve, owner_solve_best, owner_solve_once, owner_solve_kernel,
    owner_trisolve, owner_trisolve_host, owner_trisolve_timed, owner_trisolve_samples, owner_trisolve_facts,
    owner_trisolve_waits;

/* The column of a matrix with this key, or NULL. */
const struct column *column_find(const char *key);

/* The first column of this part in a table, and the next one of the same part after a column; NULL if there
 * is none. Columns of the rows' and the columns' lengths are the same ones in the same order. */
const struct column *column_first(const struct column *table, const struct column_part *part);
const struct column *column_next(const struct column *column);

/* The column's number of this case, which may be NULL. It is null if it is undefined (also NaN and
 * infinities), or if the parts that it needs are not computed yet. */
struct value column_value(const struct column *column, const struct matrix_case *matrix_case);

/* A format column's number of this conversion; null if it is undefined or not known yet. */
struct value format_value(const struct column *column, const struct conversion *conversion);

/* A kernel column's number of this result; null if it is undefined, or if the kernel was not run. */
struct value kernel_value(const struct column *column, const struct results *results,
                          const struct result *result);

#endif
