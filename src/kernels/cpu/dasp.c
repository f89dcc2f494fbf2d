#include "kernels/cpu/dasp.h"

#include "base/range.h"
#include "formats/array.h"
#include "kernels/cpu/cpu.h"

extern const struct kernel kernel_cpu_csr_omp;

/* Return the slots and irregular entries of the units before unit u. */
static int64_t slots_before(const void *of, int64_t u)
{
    const struct storage *storage = of;
    const struct dasp_units units = dasp_units(storage);
    int64_t irregular = 0;
    if (u > units.short_blocks)
        return min(storage->number[DASP_SHORT] + (u - units.short_blocks) * DASP_BLOCK, storage->slots[0]) +
               storage->slots[1];
    if (u > units.row_blocks && storage->slots[1] > 0)
        irregular = array_integer(&storage->array[DASP_IRREG_PTR],
                                  min(DASP_M * (u - units.row_blocks), storage->number[DASP_MEDIUM]));
    return array_integer(&storage->array[DASP_BLOCK_PTR], u) + irregular;
}

static enum status prepare(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    launch->state = division_new(launch, dasp_units(storage).count, slots_before, storage, error);
    return launch->state ? STATUS_OK : STATUS_MEMORY;
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->dasp);
}

const struct kernel kernel_cpu_dasp_omp = {
    CPU_KERNEL("dasp-omp", dasp),
    .summary = "block by block, padding included; each thread has equally many slots",
    .source = "after Lu and Liu, SC 2023, section 3",
    .wins = "It shows what the blocks cost without instructions that multiply dense matrices.",
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
    .pace = {.like = &kernel_cpu_csr_omp},
    .host = {.work = HOST_ROWS},
};
