/* Loops over the entries of COO: y[row[e]] += val[e] x[col[e]].
 *
 * In the order of rows the entries of a row make a run. A run can be summed in registers and written once.
 * But if runs are short, finding their ends costs more than adding each entry to y separately. So entries are
 * taken in windows, and the mean length of a window's runs decides:
 *
 *     row   0 0 1 2 2 4 | 7 7 7 7 7 7 7 7 7 7 7 7 7 ...
 *           scattered   | a run: one sum, which may continue after the window */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_COO_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_COO_H

#include "kernels/cpu/loops/sums.h"

/* This is the published loop: PMPP, figure 10.14 (sequential SpMV over COO). */
static void coo_plain(const struct launch *launch, const struct coo_part *part)
{
    const real *val = part->val, *x = launch->x;
    real *y = launch->y;
    for (int64_t e = 0; e < part->count; e++)
        y[part->row[e]] += val[e] * x[part->col[e]];
}

/* Return the end of the run that entry e is in, no later than `end`. Since rows ascend, two entries of one
 * row have only entries of that row between them, so that one comparison may skip eight. */
static inline int64_t coo_row_end(const int32_t *row, int64_t e, int64_t end)
{
    int32_t i = row[e++];
    while (e + 8 < end && row[e + 7] == i)
        e += 8;
    while (e < end && row[e] == i)
        e++;
    return e;
}

/* A window has COO_WINDOW entries. If its rows have at least COO_RUN of them on average, they are summed run
 * by run: the ends of shorter runs are too frequent and irregular for branch prediction. */
#define COO_WINDOW 256
#define COO_RUN 16

/* Add entries e .. stop-1 to y one by one. First the rows from `next` up to the last entry's, which are not
 * yet written, are set to 0: all of them if `fill`, else those with entries, and none if `add`. */
static inline void coo_scatter(const struct launch *launch, const struct coo_part *part, int64_t e,
                               int64_t stop, int64_t next, bool add, bool fill)
{
    const int32_t *row = part->row;
    const real *val = part->val, *x = launch->x;
    real *y = launch->y;
    if (fill)
        for (int64_t i = next; i <= row[stop - 1]; i++)
            y[i] = 0;
    else if (!add)
        for (int64_t k = e; k < stop; k++)
            if (row[k] >= next) y[row[k]] = 0;
    for (int64_t k = e; k < stop; k++)
        y[row[k]] += val[k] * x[part->col[k]];
}

/* Prefetch after entries first .. end-1; in a run beyond COO_WINDOW, after its first COO_WINDOW entries. */
static inline void coo_ahead(const struct coo_part *part, int64_t first, int64_t end)
{
    end = min(end, first + COO_WINDOW);
    ahead(part->val, part->col, first, end);
    ahead_array(part->row, first, end, sizeof *part->row);
}

/* This is the loop of struct loops. Entries of a row that began before `first` are summed into the result;
 * then y is written window by window. `next` is the lowest row that this call has not yet written: rows
 * before it already hold sums, and further entries are added to them. */
static loop_sum coo(const struct launch *launch, const struct coo_part *part, int64_t first, int64_t end)
{
    const int32_t *row = part->row;
    const real *val = part->val, *x = launch->x;
    real *y = launch->y;
    bool add = launch->product.accumulate || part->target == COO_ADDED;
    bool fill = part->target == COO_ALL_ROWS && !add;
    int64_t next = first ? (int64_t)row[first - 1] + 1 : 0;
    int64_t e = first;
    bool large = ahead_pays(part->count);
    real carried = 0;
    if (first == end) return 0;
    if (first && row[first] == row[first - 1]) {
        e = coo_row_end(row, first, end);
        carried = dot(val + first, part->col + first, x, e - first);
    }
    while (e < end) {
        int64_t stop = min(e + COO_WINDOW, end), i = row[e];
        if ((row[stop - 1] - i + 1) * COO_RUN > stop - e) {
            if (large) coo_ahead(part, e, stop);
            coo_scatter(launch, part, e, stop, next, add, fill);
        } else {
            stop = coo_row_end(row, e, end);
            if (large) coo_ahead(part, e, stop);
            real sum = dot(val + e, part->col + e, x, stop - e);
            for (; fill && next < i; next++)
                y[next] = 0;
            y[i] = add || i < next ? y[i] + sum : sum;
        }
        next = (int64_t)row[stop - 1] + 1;
        e = stop;
    }
    for (; fill && end == part->count && next < launch->storage->rows; next++)
        y[next] = 0;
    return (loop_sum)carried;
}

#endif
