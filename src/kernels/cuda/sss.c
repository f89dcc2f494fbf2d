#include "kernels/cuda/sss.h"

#include <math.h>

#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/sss.h"
#include "kernels/cuda/code.h"

extern const struct kernel kernel_cuda_csc_atomic;

static const struct parameter parameters[] = {
    [SSS_ATOMIC_THREADS] = {"threads", "threads a row", 1, 32, .type = PARAMETER_POWER,
                            .automatic = "by mean row length"},
    [SSS_ATOMIC_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

/* Return the threads of a row: its mean number of entries below the diagonal as a power of two. */
static int mean_threads(const struct storage *storage)
{
    int threads = 1;
    while (threads < WARP && threads * storage->rows < storage->slots[1])
        threads *= 2;
    return threads;
}

static enum status prepare(struct launch *launch, struct error *error)
{
    double *threads = &launch->values.number[SSS_ATOMIC_THREADS];
    if (isnan(*threads)) *threads = mean_threads(launch->storage);
    if (WARP % (int)*threads)
        return error_set(error, STATUS_UNAVAILABLE,
                         "sss-atomic has 1, 2, 4, 8, 16 or 32 threads a row, not threads=%d", (int)*threads);
    return check_warps(launch, SSS_ATOMIC_BLOCK, error);
}

/* Each thread that has an entry loads the row's element of x once, and the first thread of a row in any case;
 * each entry loads its own. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct array *row_ptr = &launch->storage->array[SSS_ROW_PTR];
    const int64_t threads = sss_atomic_threads(launch), rows = launch->storage->rows;
    int64_t loads = 0;
#pragma omp parallel for reduction(+ : loads) if (rows > PARALLEL_MIN)
    for (int64_t i = 0; i < rows; i++)
        loads += max(1, min(threads, array_integer(row_ptr, i + 1) - array_integer(row_ptr, i)));
    traffic->x_loads = loads + launch->storage->slots[1];
}

static const struct tuning_line tuning[] = {{"threads", "1 2 4 8 16 32"}, {"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_sss_atomic = {
    .name = "sss-atomic",
    .backend = &backend_cuda,
    .format = &format_sss,
    .summary = "several threads a row, whose mirror images are added to y atomically",
    .source = "",
    .wins =
        "It suits symmetric matrices in memory that half the bytes of CSR fit into. Each stored entry takes "
        "an atomic addition.",
    .parameters = parameters,
    .unordered = UNORDERED_ALL,
    .complex = true,
    .prepare = prepare,
    .needs = NEEDS_SHUFFLES | NEEDS_F64_ATOMICS,
    .run = CUDA_CODE(cuda_sss_atomic),
    .traffic = traffic,
    .trace = &trace_sss_atomic,
    .pace = {.like = &kernel_cuda_csc_atomic},
    .tuning = tuning,
};
