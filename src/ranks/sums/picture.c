/* The pattern's pyramid: each rank counts its rows of cells, and rank 0 adds them. */
#include <stdlib.h>

#include "base/memory.h"
#include "ranks/sums/parts.h"

#define TAG_CELLS 13

/* Add this rank's rows of cells to the whole. */
static void add_own(const struct slab *slab, const struct pyramid *own, struct pyramid *whole)
{
    size_t bytes;
    for (int64_t r = 0; r < own->grid_rows; r++)
        pyramid_add(whole, slab->first / whole->row_step + r, pyramid_row(own, r, &bytes));
}

/* Add those of another rank, which come one by one. */
static void add_other(const struct sums *sums, int rank, struct pyramid *whole, void *row, size_t bytes)
{
    const int64_t *cuts = &sums->share->cuts[rank];
    if (cuts[0] == cuts[1]) return;
    for (int64_t r = cuts[0] / whole->row_step; r <= (cuts[1] - 1) / whole->row_step; r++) {
        MPI_Recv(row, (int)bytes, MPI_BYTE, rank, TAG_CELLS, sums->ranks->all, MPI_STATUS_IGNORE);
        pyramid_add(whole, r, row);
    }
}

static void send_own(const struct sums *sums, const struct pyramid *own)
{
    size_t bytes;
    for (int64_t r = 0; r < own->grid_rows; r++) {
        const void *row = pyramid_row(own, r, &bytes);
        MPI_Send(row, (int)bytes, MPI_BYTE, 0, TAG_CELLS, sums->ranks->all);
    }
}

enum status sums_pyramid(struct sums *sums, struct pyramid *pyramid, struct error *error)
{
    struct pyramid own = {0};
    size_t bytes = 0;
    void *row = NULL;
    enum status status = pyramid_scan(&sums->slab, NULL, &own, error);
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        status = pyramid_begin(&sums->slab, pyramid, error);
        pyramid_row(&own, 0, &bytes);
        if (status == STATUS_OK && !(row = memory_array(bytes, 1, error))) status = STATUS_MEMORY;
    }
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        add_own(&sums->slab, &own, pyramid);
        for (int r = 1; r < sums->ranks->count; r++)
            add_other(sums, r, pyramid, row, bytes);
        pyramid_sum(pyramid);
    } else if (status == STATUS_OK) {
        send_own(sums, &own);
    } else if (sums->ranks->rank == 0) {
        pyramid_free(pyramid);
    }
    pyramid_free(&own);
    free(row);
    return status;
}
