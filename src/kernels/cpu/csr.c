#include "kernels/cpu/csr.h"

#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/scattered.h"
#include "kernels/cpu/spmm.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    if (!product_plain(launch->product)) return spmm_prepare(launch, error);
    return divide(launch, launch->storage->rows, &launch->storage->array[CSR_ROW_PTR], error);
}

bool csr_is_scattered(const struct storage *storage)
{
    const struct array *col = &storage->array[CSR_COL];
    return columns_scattered(col->data, col->length, storage->cols,
                             element_size(storage->array[CSR_VAL].element));
}

static enum status prepare_omp(struct launch *launch, struct error *error)
{
    enum status status = prepare(launch, error);
    struct division *division = launch->state;
    if (status == STATUS_OK && product_plain(launch->product))
        division->scattered = csr_is_scattered(launch->storage);
    return status;
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    if (spmm_run(launch)) return;
    run_sequential(launch, division->loops->csr_plain, launch->storage->rows);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    if (spmm_run(launch)) return;
    run_divided(launch, division->scattered ? division->loops->csr_scattered : division->loops->csr);
}

const struct kernel kernel_cpu_csr_seq = {
    .name = "csr-seq",
    .backend = &backend_cpu,
    .format = &format_csr,
    .summary = "row by row, one thread",
    .source = "PMPP, figure 10.4",
    .wins = "One thread runs the loop as it was published: it is there to compare with, and for "
            "what is too small to be shared out.",
    .parameters = no_parameters,
    .complex = true,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .sequential = true,
    .prepare = prepare,
    .run = run_seq,
    .release = spmm_release,
    .traffic = spmm_traffic,
};

const struct kernel kernel_cpu_csr_omp = {
    .name = "csr-omp",
    .backend = &backend_cpu,
    .format = &format_csr,
    .summary = "row by row; each thread has rows with as many entries",
    .source = "",
    .wins = "It is the one to begin with: no conversion, and close to the bandwidth of the "
            "memory unless rows are short or scattered over x.",
    .parameters = no_parameters,
    .complex = true,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare_omp,
    .run = run_omp,
    .release = spmm_release,
    .traffic = spmm_traffic,
};
