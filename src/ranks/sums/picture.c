/* The pattern's pyramid: each rank counts its rows of cells, and rank 0 adds them. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "ranks/sums/parts.h"

#define TAG_CELLS 13

/* Add this rank's rows of cells to the whole. */
static void add_own(const struct slab *slab, const struct pyramid *own, struct pyramid *whole)
{
    size_t bytes;
    for (int64_t r = 0; r < own->grid_rows; r++)
        pyramid_add(whole, slab->first / whole->row_step + r, pyramid_row(own, r, &bytes));
}

/* Maximum number of rows of cells in a message. */
static int64_t rows_of(size_t bytes)
{
    return max((int64_t)(SUMS_ROUND / bytes), 1);
}

/* Add the rows of cells of another rank, which come in several messages. */
static void add_other(const struct sums *sums, int rank, struct pyramid *whole, char *rows, size_t bytes)
{
    const int64_t *cuts = &sums->share->cuts[rank];
    if (cuts[0] == cuts[1]) return;
    int64_t end = (cuts[1] - 1) / whole->row_step + 1;
    for (int64_t r = cuts[0] / whole->row_step, n; r < end; r += n) {
        n = min(rows_of(bytes), end - r);
        ranks_receive(sums->ranks, rows, (size_t)n * bytes, rank, TAG_CELLS);
        for (int64_t k = 0; k < n; k++)
            pyramid_add(whole, r + k, rows + (size_t)k * bytes);
    }
}

static void send_own(const struct sums *sums, const struct pyramid *own)
{
    size_t bytes;
    for (int64_t r = 0, n; r < own->grid_rows; r += n) {
        const void *rows = pyramid_row(own, r, &bytes);
        n = min(rows_of(bytes), own->grid_rows - r);
        ranks_send(sums->ranks, rows, (size_t)n * bytes, 0, TAG_CELLS);
    }
}

enum status sums_pyramid(struct sums *sums, struct pyramid *pyramid, struct error *error)
{
    struct pyramid own = {0};
    size_t bytes = 0;
    char *rows = NULL;
    enum status status = pyramid_scan(&sums->slab, NULL, &own, error);
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        status = pyramid_begin(&sums->slab, pyramid, error);
        pyramid_row(&own, 0, &bytes);
        if (status == STATUS_OK && !(rows = memory_array((size_t)rows_of(bytes), bytes, error)))
            status = STATUS_MEMORY;
    }
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        add_own(&sums->slab, &own, pyramid);
        for (int r = 1; r < sums->ranks->count; r++)
            add_other(sums, r, pyramid, rows, bytes);
        pyramid_sum(pyramid);
    } else if (status == STATUS_OK) {
        send_own(sums, &own);
    } else if (sums->ranks->rank == 0) {
        pyramid_free(pyramid);
    }
    pyramid_free(&own);
    free(rows);
    return status;
}
