/* The order in which one thread solves rows. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_ORDER_H
#define SPARSIGHT_KERNELS_TRISOLVE_ORDER_H

#include "kernels/trisolve/trisolve.h"

/* The work of a row in addition to its entries, in units of an entry. */
#define TRISOLVE_ROW_WORK 6

/* Return the number of rows that a processor should compute at the same time, 1 to 4: the expected time of a
 * solve row by row, divided by the work of all rows. A row that needs the row before waits for it: a load,
 * two multiplications, a subtraction and the store take some 20 cycles. Short rows take fewer cycles than
 * that if they do not wait. A processor executes some 300 instructions out of order, which is its window.
 * `scratch` has room for a number per row. O(nnz + rows). */
int trisolve_delay(const struct trisolve_triangle *triangle, enum triangle which, int64_t rows,
                   int64_t *scratch);

/* Make an order of the rows in which each row follows the rows that it needs. At least `delay` steps lie
 * between the two if other rows are ready; a step is the time of one row. Of the rows that are ready, the one
 * that a solve row by row reaches first is taken, so that neighbours stay together: on a grid, `delay` lines
 * are solved side by side. This is list scheduling (Graham, SIAM J. Appl. Math. 17, 1969) on one processor
 * with latencies. A delay of 1 gives the order of a solve row by row. One thread; O(nnz + rows log rows).
 * STATUS_MEMORY. */
enum status trisolve_order(const struct trisolve_triangle *triangle, enum triangle which, int64_t rows,
                           int delay, int32_t *order, struct error *error);

#endif
