#include "formats/cmrs.h"
#include "kernels/cpu/cpu.h"

static enum status prepare(struct launch *launch, struct error *error)
{
    return divide(launch, launch->storage->number[CMRS_STRIPS], &launch->storage->array[CMRS_STRIP_PTR],
                  error);
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    division->loops->cmrs_plain(launch, 0, launch->storage->number[CMRS_STRIPS]);
}

static void run_omp(const struct launch *launch)
{
    const struct division *division = launch->state;
    run_divided(launch, division->loops->cmrs);
}

/* With a modulo, strips are padded, and count as equally long. */
static enum host_work work_of(const struct storage *storage)
{
    return storage->number[CMRS_MODULO] == 0 ? HOST_ROWS : HOST_EVEN;
}

static int64_t widest_strip(const struct storage *storage)
{
    return storage->number[CMRS_WIDEST];
}

static const struct tuning_line tuning[] = {
    {"height", TUNING_HEIGHTS}, {"packed", "0 1"}, {"sorted", "0 1"}, {NULL}};

const struct kernel kernel_cpu_cmrs_seq = {
    CPU_KERNEL("cmrs-seq", cmrs),
    PUBLISHED_LOOP,
    .summary = "strip by strip, one thread",
    .source = "Koza et al., SIAM J. Sci. Comput. 36, 2014, section 3",
    .prepare = prepare,
    .run = run_seq,
    .release = division_release,
    .host = {.work_of = work_of, .piece = widest_strip},
    .tuning = tuning,
};

const struct kernel kernel_cpu_cmrs_omp = {
    CPU_KERNEL("cmrs-omp", cmrs),
    .summary = "strip by strip, two sums a row; each thread has strips with equally many slots",
    .source = "",
    .wins = "It suits very short rows, for which the loops of csr-omp cost more than the entries. SELL is "
            "usually faster.",
    .prepare = prepare,
    .run = run_omp,
    .release = division_release,
    .host = {.work_of = work_of, .piece = widest_strip},
    .tuning = tuning,
};
