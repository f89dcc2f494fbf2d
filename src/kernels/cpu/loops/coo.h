/* Loops over the entries of COO. */
#include "kernels/cpu/loops/sums.h"

/* PMPP figure 10.14 (sequential SpMV over COO). */
static void coo_plain(const struct launch *launch, const struct coo_part *part)
{
    const real *val = part->val, *x = launch->x;
    real *y = launch->y;
    for (int64_t e = 0; e < part->count; e++)
        y[part->row[e]] += val[e] * x[part->col[e]];
}

/* The end of the row that entry e is in. Rows ascend: where two entries are of one row, so is what is between
 * them. */
static inline int64_t coo_row_end(const int32_t *row, int64_t e, int64_t end)
{
    int32_t i = row[e++];
    while (e + 8 < end && row[e + 7] == i)
        e += 8;
    while (e < end && row[e] == i)
        e++;
    return e;
}

/* Entries that are looked at together, and how many a row must have for rows to be summed one by one: of
 * shorter ones, the lengths are too hard to foresee. */
#define COO_WINDOW 256
#define COO_RUN 16

/* Entries e .. stop-1 one by one into y. Rows from `next` on are set to 0 before, unless `add`; if `fill`,
 * those without entries too. */
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

/* Ask for what comes after entries first .. end-1, of which a long row's last ones are left out. */
static inline void coo_ahead(const struct coo_part *part, int64_t first, int64_t end)
{
    end = min(end, first + COO_WINDOW);
    ahead(part->val, part->col, first, end);
    ahead_array(part->row, first, end, sizeof *part->row);
}

static double coo(const struct launch *launch, const struct coo_part *part, int64_t first, int64_t end)
{
    const int32_t *row = part->row;
    const real *val = part->val, *x = launch->x;
    real *y = launch->y;
    bool add = launch->product.accumulate || part->target == COO_ADDED;
    bool fill = part->target == COO_ALL_ROWS && !add;
    int64_t next =
        first ? (int64_t)row[first - 1] + 1 : 0; /* row to be written; those before it are added to */
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
    return (double)carried;
}
