/* Accessibility: the look-ups that find the entries of a row, and the row of an entry. */
#include <math.h>

#include "analysis/criteria_parts.h"
#include "base/range.h"
#include "formats/cmrs_strip.h"
#include "formats/coo.h"
#include "formats/fill.h"
#include "formats/jds_parts.h"
#include "formats/sell.h"

/* Look-ups that finding one among n takes by bisection. */
static double bisection(double n)
{
    return n > 1 ? ceil(log2(n)) : 0;
}

/* To find where a row begins and ends among `entries` that are sorted by rows, or gone through if not. */
static double look_ups_of_list(int64_t entries, bool sorted)
{
    if (entries == 0) return 0;
    return sorted ? 2 * bisection((double)entries + 1) : (double)entries;
}

/* To find one of `count` rows that lie in windows of `window` in no order: (w + 1) / 2 in a window of w. */
static double look_ups_of_order(int64_t count, int64_t window)
{
    window = min(window, count);
    if (window == 0) return 0;
    double whole = (double)(count / window), w = (double)window, rest = (double)(count % window);
    return (whole * w * (w + 1) + rest * (rest + 1)) / 2 / (double)count;
}

struct look_ups look_ups_of_jds(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    const int64_t *number = storage->number;
    double rows = (double)storage->rows, sorted = (double)jds_sorted(storage);
    double inside = (double)(storage->nnz - storage->slots[1]);
    double row = look_ups_of_order(jds_sorted(storage), jds_sorted(storage)), entry;
    switch (jds_kind(storage)) {
    case JDS_PLAIN: /* the offsets of the diagonals that the row reaches, and of the one where it ends */
        row += sorted > 0 ? inside / sorted + 1 : 0;
        entry = bisection((double)number[JDS_LONGEST]) + 1;
        break;
    case JDS_SECTIONS_ELL:
        row += bisection((double)number[JDS_SECTIONS]) + 2;
        entry = bisection((double)number[JDS_SECTIONS]) + 2;
        break;
    default:
        row += 2;
        entry = bisection((double)number[JDS_FILLED]) + 1;
        break;
    }
    /* A row that is not among the sorted ones is sought there in vain, and then in the COO part. */
    double apart = (double)number[JDS_APART];
    row = (row * sorted + (sorted + look_ups_of_list(storage->slots[1], true)) * apart) / rows;
    entry = (entry * inside + (double)storage->slots[1]) / (double)storage->nnz;
    return (struct look_ups){row, entry};
}

static double term_searches(const struct layout *layout, int64_t first, int64_t end)
{
    const int64_t *number = layout->storage->number;
    bool by_rows = !number[CMRS_SORTED] && !number[CMRS_MODULO];
    double sum = 0;
    for (int64_t s = first; s < end; s++) {
        const struct strip strip = strip_at(layout->a, layout->height, s);
        sum += strip.rows * look_ups_of_list(group_start(layout, s + 1) - group_start(layout, s), by_rows);
    }
    return sum;
}

/* Rows are sought in their strips. */
double searches_in_strips(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_group, layout->end_group, 1, term_searches);
}

struct look_ups look_ups_of_coo(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    bool sorted = storage_parameter(storage, COO_ORDER) == COO_BY_ROW;
    return (struct look_ups){look_ups_of_list(storage->nnz, sorted), 1};
}

struct look_ups look_ups_of_csr(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->storage->rows)};
}

struct look_ups look_ups_of_bsr(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->groups)};
}

struct look_ups look_ups_of_csc(const struct layout *layout)
{
    return (struct look_ups){look_ups_of_list(layout->storage->nnz, false), 1};
}

/* The slots of a row follow from its number, and the row from that of a slot. */
struct look_ups no_look_ups(const struct layout *layout)
{
    return (struct look_ups){0, 0};
}

struct look_ups look_ups_of_hyb(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    return (struct look_ups){look_ups_of_list(storage->slots[1], true),
                             (double)storage->slots[1] / (double)storage->nnz};
}

struct look_ups look_ups_of_sell(const struct layout *layout)
{
    const struct storage *storage = layout->storage;
    struct look_ups look_ups = {2, bisection((double)layout->groups)};
    if (!layout->order) return look_ups;
    look_ups.row += look_ups_of_order(storage->rows, storage_parameter(storage, SELL_SIGMA));
    look_ups.entry += 1;
    return look_ups;
}

struct look_ups look_ups_of_cmrs(const struct layout *layout)
{
    return (struct look_ups){2, bisection((double)layout->groups) + 1};
}
