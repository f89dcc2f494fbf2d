#include "analysis/streamed_parts.h"

#include "base/range.h"
#include "base/wide.h"

/* Minimum average length of the runs of a line for taking entries by runs. */
#define RUN_MIN 4

/* Prefetch distance in entries. */
#define AHEAD 48

/* The number of entries whose line differs from that of the entry before. `next` is `line` + 1, passed
 * separately: the compiler vectorises the loop only if it does not know that. */
WIDE static int64_t changes_of(const int32_t *line, const int32_t *next, int64_t count)
{
    int32_t changes = 0;
    for (int64_t k = 0; k < count; k++)
        changes += line[k] != next[k];
    return changes;
}

static inline int64_t end_of_run(const int32_t *line, int64_t first, int64_t count)
{
    int64_t end = first + 1;
    while (end < count && line[end] == line[first])
        end++;
    return end;
}

/* If entries ascend, the first of a run is the smallest, and its end is found by steps. */
WIDE static void take_runs(const struct streamed_lines *lines, const int32_t *line, const int32_t *across,
                           const double *sizes, int64_t count, bool ascend)
{
    for (int64_t k = 0, end; k < count; k = end) {
        int32_t i = line[k];
        end = ascend ? streamed_lines_run(line, k, count) : end_of_run(line, k, count);
        lines->lengths[i] += (uint32_t)(end - k);
        if (lines->first) lines->first[i] = streamed_least(across + k, ascend ? 1 : end - k, lines->first[i]);
        if (lines->sums) sum_sizes(sizes + k, end - k, &lines->sums[i]);
    }
}

static void take_apart(const struct streamed_lines *lines, const int32_t *line, const int32_t *across,
                       const double *sizes, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        int32_t later = line[k + AHEAD < count ? k + AHEAD : k];
        __builtin_prefetch(&lines->lengths[later], 1);
        if (lines->sums) __builtin_prefetch(&lines->sums[later], 1);
        lines->lengths[line[k]]++;
        if (lines->sums) sum_add(&lines->sums[line[k]], sizes[k]);
    }
    for (int64_t k = 0; k < count && lines->first; k++)
        if (across[k] < lines->first[line[k]]) lines->first[line[k]] = across[k];
}

void streamed_lines_take(const struct streamed_lines *lines, const int32_t *line, const int32_t *across,
                         const double *sizes, int64_t count, bool ascend)
{
    if (ascend || RUN_MIN * changes_of(line, line + 1, count - 1) <= count)
        take_runs(lines, line, across, sizes, count, ascend);
    else
        take_apart(lines, line, across, sizes, count);
}

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
