
#include "analysis/streamed_parts.h"
#include "base/range.h"
#include "base/wide.h"

void streamed_rows_end(struct streamed_rows *rows)
{
    if (!rows->open) return;
    rows->open = false;
    rows->profile += max(0, rows->sum.row - rows->first);
    if (rows->valued) values_take_row(&rows->sum, rows->square, &rows->found);
}

static void begin_row(struct streamed_rows *rows, int32_t i)
{
    streamed_rows_end(rows);
    rows->open = true;
    rows->first = INT32_MAX;
    rows->sum = (struct row_sum){.row = i};
}

WIDE void streamed_rows_take(struct streamed_rows *rows, const struct entries *e, int64_t from, int64_t count,
                             double *sizes)
{
    const int32_t *row = e->row + from, *col = e->col + from;
    for (int64_t k = 0, end; k < count; k = end) {
        end = streamed_lines_run(row, k, count);
        if (!rows->open || rows->sum.row != row[k]) begin_row(rows, row[k]);
        rows->lengths[row[k]] += (uint32_t)(end - k);
        rows->first = streamed_least(col + k, e->ascend ? 1 : end - k, rows->first);
        if (rows->valued) row_sum_take(&rows->sum, &rows->scan, e, from + k, end - k, sizes + k);
    }
}
