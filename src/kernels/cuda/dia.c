#include "kernels/cuda/dia.h"

#include "kernels/cuda/code.h"

static const struct parameter dia_parameters[] = {
    [DIA_KERNEL_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    [DIA_KERNEL_EARLY] = EARLY_PARAMETER,
    {0},
};

static enum status prepare(struct launch *launch, struct error *error)
{
    choose_early(launch, DIA_KERNEL_EARLY);
    return STATUS_OK;
}

/* A diagonal loads an element of x for each of its positions within the matrix. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    traffic_pass(storage, storage->slots[0] - storage->number[DIA_PLACES], 1U << ROLE_VALUES, traffic);
    traffic->x_loads = storage->number[DIA_PLACES];
}

const struct kernel kernel_cuda_dia = {
    .name = "dia",
    .backend = &backend_cuda,
    .format = &format_dia,
    .summary = "a thread a row, over all diagonals, with several loads in flight",
    .source = "Bell and Garland, SC 2009, section 4.1; loads ahead are our own",
    .wins = "It suits bands and stencils with full diagonals, for which it reads only values, x and y. "
            "Beyond the caches it is the fastest kernel on these in single precision. In double precision "
            "sell is faster where few values differ.",
    .parameters = dia_parameters,
    .complex = true,
    .prepare = prepare,
    .run = CUDA_CODE(cuda_dia),
    .traffic = traffic,
    .trace = &trace_dia,
    .pace = {.turn = 1.92, .request = 0.241, .start = 0.234, .overlap = 1.41},
};
