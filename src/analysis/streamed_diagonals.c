
#include <stdbool.h>
#include <string.h>

#include "analysis/streamed_parts.h"
#include "base/range.h"
#include "base/set.h"
#include "base/wide.h"

/* Number the diagonals of entries; together there are fewer than 2^32. */
WIDE static void find_diagonals(const int32_t *row, const int32_t *col, int64_t count, uint32_t main_diagonal,
                                uint32_t *diagonal)
{
    for (int64_t k = 0; k < count; k++)
        diagonal[k] = main_diagonal + (uint32_t)col[k] - (uint32_t)row[k];
}

/* Add `count` diagonals to the set; one thread at a time. New diagonals are found without a branch for each
 * entry, which would be mispredicted. */
static void add_diagonals(uint64_t *set, const uint32_t *diagonal, int64_t count)
{
    uint32_t missing[STREAMED_BATCH];
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++) {
        missing[found] = diagonal[k];
        found += set_lacks(set, diagonal[k]);
    }
    for (int64_t k = 0; k < found; k++)
        set_add_alone(set, missing[k]);
}

static bool are_same(const uint32_t *a, const uint32_t *b, int64_t count)
{
    uint32_t differ = 0;
    if (a[0] != b[0] || a[count - 1] != b[count - 1]) return false;
    for (int64_t k = 0; k < count; k++)
        differ |= a[k] ^ b[k];
    return differ == 0;
}

/* Keep only the diagonals of rows that differ from the row before. They move to the front, over elements that
 * have been compared already. Returns their number. */
static int64_t keep_others(const int32_t *row, uint32_t *diagonal, int64_t count)
{
    int64_t kept = 0, before = 0;
    for (int64_t k = 0, end, last = 0; k < count; k = end) {
        int64_t size;
        end = streamed_lines_run(row, k, count);
        size = end - k;
        bool same = k > 0 && size == before && are_same(diagonal + last, diagonal + k, size);
        if (!same) {
            memmove(diagonal + kept, diagonal + k, (size_t)size * sizeof *diagonal);
            last = kept;
            kept += size;
        }
        before = size;
    }
    return kept;
}

void streamed_diagonals_take(uint64_t *set, int64_t rows, const struct entries *e)
{
    uint32_t diagonal[STREAMED_BATCH];
    for (int64_t from = 0, count; from < e->count; from += count) {
        count = min(e->count - from, STREAMED_BATCH);
        find_diagonals(e->row + from, e->col + from, count, (uint32_t)rows - 1, diagonal);
        int64_t others = e->ascend ? keep_others(e->row + from, diagonal, count) : count;
        add_diagonals(set, diagonal, others);
    }
}
