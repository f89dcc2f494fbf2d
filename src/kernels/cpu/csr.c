#include "kernels/cpu/csr.h"

#include "formats/csr.h"
#include "kernels/cpu/cpu.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->rows, &launch->storage->array[CSR_ROW_PTR], error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_sequential(launch, division->loops->csr_plain, launch->storage->rows);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->csr);
}

const struct kernel kernel_cpu_csr_seq = {
    .name = "csr-seq",
    .backend = BACKEND_CPU,
    .format = &format_csr,
    .summary = "row by row, one thread",
    .source = "PMPP, figure 10.4",
    .parameters = no_parameters,
    .sequential = true,
    .prepare = prepare,
    .run = run_seq,
    .release = division_release,
};

const struct kernel kernel_cpu_csr_omp = {
    .name = "csr-omp",
    .backend = BACKEND_CPU,
    .format = &format_csr,
    .summary = "row by row; each thread has rows with as many entries",
    .source = "",
    .parameters = no_parameters,
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
};
