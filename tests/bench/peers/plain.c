/* The plain OpenMP loop over CSR. */
#include "bench/peers/peers.h"
#include "bench/peers/plain_loop.h"
#include "formats/csr.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    if (launch->storage->nnz <= INT32_MAX) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "the plain loop counts entries in 32 bits");
}

static void run(const struct launch *launch)
{
    const struct array *array = launch->storage->array;
    const int *row_ptr = array[CSR_ROW_PTR].data, *col = array[CSR_COL].data;
    int rows = (int)launch->storage->rows;
    if (launch->storage->precision == PRECISION_F32)
        plain_loop_f32(rows, row_ptr, col, array[CSR_VAL].data, launch->x, launch->y,
                       launch->product.accumulate, launch->threads);
    else
        plain_loop_f64(rows, row_ptr, col, array[CSR_VAL].data, launch->x, launch->y,
                       launch->product.accumulate, launch->threads);
}

static const struct parameter none[] = {{0}};

static const struct kernel plain = {
    .name = "plain",
    .backend = &backend_cpu,
    .format = &format_csr,
    .summary = "the OpenMP loop over CSR, compiled with -O3 -march=native -ffast-math",
    .source = "",
    .parameters = none,
    .prepare = prepare,
    .run = run,
};

const struct kernel *peer_plain(void)
{
    return &plain;
}
