#include "analysis/pyramid_glimpse.h"

#include <string.h>

#include "base/memory.h"

enum status pyramid_of_glimpse(const struct glimpse *glimpse, struct pyramid *pyramid, struct error *error)
{
    const size_t wide = (size_t)glimpse->grid_cols, stride = wide + 1, high = (size_t)glimpse->grid_rows;
    if (!pyramid->sums) {
        *pyramid = (struct pyramid){.row_step = INT64_C(1) << glimpse->row_shift,
                                    .col_step = INT64_C(1) << glimpse->col_shift,
                                    .grid_rows = glimpse->grid_rows,
                                    .grid_cols = glimpse->grid_cols};
        pyramid->sums = memory_array((high + 1) * stride, sizeof(uint32_t), error);
        if (!pyramid->sums) return STATUS_MEMORY;
    }
    uint32_t *above = pyramid->sums;
    memset(above, 0, stride * sizeof *above);
    for (size_t r = 0; r < high; r++, above += stride) {
        uint32_t sum = 0, *sums = above + stride;
        sums[0] = 0;
        for (size_t c = 0; c < wide; c++) {
            sum += atomic_load_explicit(&glimpse->cells[r * wide + c], memory_order_relaxed);
            sums[c + 1] = above[c + 1] + sum;
        }
    }
    return STATUS_OK;
}
