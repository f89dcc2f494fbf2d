#include "analysis/entries.h"

#include "base/range.h"

/* True if the cells of row `band` that touch columns c0 .. c1-1 are empty. */
static int band_is_empty(const struct pyramid *pyramid, int64_t band, int64_t c0, int64_t c1)
{
    return pyramid_cells(pyramid, band, band + 1, c0 / pyramid->col_step,
                         (c1 + pyramid->col_step - 1) / pyramid->col_step) == 0;
}

int entries_first(const struct pyramid *pyramid, const struct csr *a, struct range range, int64_t rows,
                  struct entry_place *places, int max, int *complete)
{
    int count = 0;
    if (complete) *complete = 1;
    if (range.c0 >= range.c1) return 0;
    for (int64_t i = range.r0; i < range.r1 && count < max;) {
        int64_t band = i / pyramid->row_step;
        int64_t end = min((band + 1) * pyramid->row_step, range.r1);
        if (band_is_empty(pyramid, band, range.c0, range.c1)) {
            i = end;
            continue;
        }
        for (; i < end && count < max; i++) {
            if (rows-- <= 0) {
                if (complete) *complete = 0;
                return count;
            }
            int64_t k = csr_lower_bound(a, i, range.c0);
            for (; k < a->row_ptr[i + 1] && a->col[k] < range.c1 && count < max; k++)
                places[count++] = (struct entry_place){i, a->col[k], k};
        }
    }
    return count;
}

int entries_in_column(const struct pyramid *pyramid, const struct csr *a, int64_t row, int64_t col, int down,
                      int64_t rows, struct entry_place *place)
{
    if (col < 0 || col >= a->cols) return 0;
    int64_t step = down ? 1 : -1;
    for (int64_t i = row + step; i >= 0 && i < a->rows;) {
        int64_t band = i / pyramid->row_step;
        int64_t first = band * pyramid->row_step, last = min(first + pyramid->row_step, a->rows) - 1;
        if (band_is_empty(pyramid, band, col, col + 1)) {
            i = down ? last + 1 : first - 1;
            continue;
        }
        for (; i >= first && i <= last; i += step) {
            if (rows-- <= 0) return -1;
            int64_t k = csr_find(a, i, col);
            if (k < 0) continue;
            *place = (struct entry_place){i, col, k};
            return 1;
        }
    }
    return 0;
}
