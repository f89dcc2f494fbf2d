/* The choice of k, the number of entries of each row that HYB keeps in ELL. */
#include <math.h>

#include "base/range.h"
#include "formats/hyb.h"
#include "matrix/histogram.h"

#define INDEX sizeof(int32_t)

/* Increasing k to k + 1 adds a slot for each row to ELL and removes an entry for each row longer than k from
 * COO. With v bytes a value and i bytes an index, all arrays take fewer bytes then if
 *
 *     lines (i + v) < longer(k) (2 i + v),    longer(k) = number of rows longer than k
 *
 * longer(k) does not increase with k, so that k is best where this fails for the first time. It is constant
 * from one length of the histogram to the next, so that k steps from length to length. */
static int64_t choose_by_bytes(const struct length_count *histogram, int64_t bins, int64_t lines,
                               size_t value)
{
    double slots = (double)lines * (double)(INDEX + value);
    int64_t longer = lines, k = 0; /* `longer` rows have histogram[b].length entries or more */
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

/* The largest k is found by scanning the lengths from the longest down. */
static int64_t choose_by_third(const struct length_count *histogram, int64_t bins, int64_t lines)
{
    int64_t rows = 0; /* the rows that have histogram[b].length entries or more */
    for (int64_t b = bins - 1; b >= 0; b--) {
        rows += histogram[b].count;
        if (rows >= ROWS_MIN && TIMES_FASTER * rows >= lines) return histogram[b].length;
    }
    return 0;
}

/* With a width of k, ELL has kept(k) entries, the sum of min(length, k) over all rows. From one length of the
 * histogram to the next, each step of k adds one entry of every row that is longer than k, so that
 * (wanted - kept) / longer steps, rounded up, would reach the wanted number. */
static int64_t choose_by_share(const struct length_count *histogram, int64_t bins, int64_t lines,
                               double share)
{
    int64_t nnz = 0, kept = 0, k = 0;
    int64_t longer = lines; /* the rows that have histogram[b].length entries or more */
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
