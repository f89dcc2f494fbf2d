
#include "analysis/streamed_parts.h"
#include "base/range.h"
#include "base/wide.h"

void streamed_rows_end(struct streamed_rows *rows)
{
    if (!rows->open) return;
    rows->open = false;
    rows->profile += max(0, (int64_t)rows->row - rows->first);
    if (rows->valued) values_take_row(rows->off, rows->diagonal, rows->square, &rows->found);
}

static void begin_row(struct streamed_rows *rows, int32_t i)
{
    streamed_rows_end(rows);
    rows->open = true;
    rows->row = i;
    rows->first = INT32_MAX;
    rows->off = (struct sum){0, 0};
    rows->diagonal = 0;
}

static void take_diagonal(struct streamed_rows *rows, const struct entries *e, int64_t k, double size)
{
    rows->diagonal += size;
    rows->positive_diagonal += e->val[k] > 0 && (!e->imaginary || e->imaginary[k] == 0);
}

/* The diagonal is sought as far from the beginning of the row as it was in the row before. */
static inline void sum_ascending(struct streamed_rows *rows, const struct entries *e, int64_t from, int64_t k,
                                 int64_t end, double *sizes)
{
    int64_t at = streamed_lines_seek(e->col + from, k, end, rows->row, k + rows->before);
    if (at >= 0) {
        take_diagonal(rows, e, from + at, sizes[at]);
        rows->before = at - k;
        sizes[at] = 0;
    }
    streamed_sum(sizes + k, end - k, &rows->off);
}

static void sum_mixed(struct streamed_rows *rows, const struct entries *e, int64_t from, int64_t k,
                      int64_t end, const double *sizes)
{
    for (; k < end; k++)
        if (e->col[from + k] == rows->row)
            take_diagonal(rows, e, from + k, sizes[k]);
        else
            sum_add(&rows->off, sizes[k]);
}

WIDE void streamed_rows_take(struct streamed_rows *rows, const struct entries *e, int64_t from, int64_t count,
                             double *sizes)
{
    const int32_t *row = e->row + from, *col = e->col + from;
    for (int64_t k = 0, end; k < count; k = end) {
        end = streamed_lines_run(row, k, count);
        if (!rows->open || rows->row != row[k]) begin_row(rows, row[k]);
        rows->lengths[row[k]] += (uint32_t)(end - k);
        rows->first = streamed_least(col + k, e->ascend ? 1 : end - k, rows->first);
        if (!rows->valued) continue;
        if (e->ascend)
            sum_ascending(rows, e, from, k, end, sizes);
        else
            sum_mixed(rows, e, from, k, end, sizes);
    }
}
