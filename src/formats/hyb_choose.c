/* How many entries of each row HYB keeps in ELL. */
#include <math.h>

#include "base/range.h"
#include "formats/hyb.h"
#include "matrix/histogram.h"

#define INDEX sizeof(int32_t)

/* A position more costs an index and a value a row, and saves two indices and a value for each row that
 * reaches it. Fewer rows reach the next one: the first that does not pay is where to stop. */
static int64_t choose_by_bytes(const struct length_count *histogram, int64_t bins, int64_t lines,
                               size_t value)
{
    double slots = (double)lines * (double)(INDEX + value);
    int64_t longer = lines, k = 0; /* rows longer than k */
    for (int64_t b = 0; b < bins; b++) {
        if (histogram[b].length > k && (double)longer * (double)(2 * INDEX + value) > slots)
            k = histogram[b].length;
        else if (histogram[b].length > k)
            break;
        longer -= histogram[b].count;
    }
    return k;
}

#define ROWS_MIN 4096
#define TIMES_FASTER 3

static int64_t choose_by_third(const struct length_count *histogram, int64_t bins, int64_t lines)
{
    int64_t rows = 0; /* of this length or more */
    for (int64_t b = bins - 1; b >= 0; b--) {
        rows += histogram[b].count;
        if (rows >= ROWS_MIN && TIMES_FASTER * rows >= lines) return histogram[b].length;
    }
    return 0;
}

static int64_t choose_by_share(const struct length_count *histogram, int64_t bins, int64_t lines,
                               double share)
{
    int64_t nnz = 0, kept = 0, longer = lines, k = 0; /* entries in ELL at k, rows longer than k */
    for (int64_t b = 0; b < bins; b++)
        nnz += histogram[b].length * histogram[b].count;
    int64_t wanted = min((int64_t)ceil(share * (double)nnz), nnz);
    for (int64_t b = 0; b < bins && kept < wanted; b++) {
        int64_t needed = (wanted - kept + longer - 1) / longer;
        int64_t step = min(needed, histogram[b].length - k);
        kept += step * longer;
        k += step;
        longer -= histogram[b].count;
    }
    return k;
}

int64_t hyb_choose(const struct length_count *histogram, int64_t bins, enum hyb_rule rule, double share,
                   size_t value)
{
    int64_t lines = 0;
    for (int64_t b = 0; b < bins; b++)
        lines += histogram[b].count;
    switch (rule) {
    case HYB_THIRD:
        return choose_by_third(histogram, bins, lines);
    case HYB_ENTRIES:
        return choose_by_share(histogram, bins, lines, share);
    default:
        return choose_by_bytes(histogram, bins, lines, value);
    }
}
