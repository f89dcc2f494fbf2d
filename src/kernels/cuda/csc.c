#include "kernels/cuda/csc.h"

#include <math.h>

#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/csc.h"
#include "kernels/cuda/code.h"

static const struct parameter parameters[] = {
    [CSC_ATOMIC_THREADS] = {"threads", "threads a column", 1, 32, .type = PARAMETER_POWER,
                            .automatic = "by mean column length"},
    [CSC_ATOMIC_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

/* Return the threads of a column: its mean number of entries as a power of two. */
static int mean_threads(const struct storage *storage)
{
    int threads = 1;
    while (threads < WARP && threads * storage->cols < storage->nnz)
        threads *= 2;
    return threads;
}

static enum status prepare(struct launch *launch, struct error *error)
{
    double *threads = &launch->values.number[CSC_ATOMIC_THREADS];
    if (isnan(*threads)) *threads = mean_threads(launch->storage);
    if (WARP % (int)*threads)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csc-atomic has 1, 2, 4, 8, 16 or 32 threads a column, not threads=%d",
                         (int)*threads);
    return check_warps(launch, CSC_ATOMIC_BLOCK, error);
}

/* Each thread of a column that has an entry loads the column's element of x once. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct array *col_ptr = &launch->storage->array[CSC_COL_PTR];
    int64_t threads = csc_atomic_threads(launch), cols = launch->storage->cols, loads = 0;
#pragma omp parallel for reduction(+ : loads) if (cols > PARALLEL_MIN)
    for (int64_t j = 0; j < cols; j++)
        loads += min(threads, array_integer(col_ptr, j + 1) - array_integer(col_ptr, j));
    traffic->x_loads = loads;
}

static const struct tuning_line tuning[] = {{"threads", "1 2 4 8 16 32"}, {"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_csc_atomic = {
    .name = "csc-atomic",
    .backend = &backend_cuda,
    .format = &format_csc,
    .summary = "several threads a column, whose entries are added to y atomically",
    .source = "",
    .wins = "It suits a matrix that is stored by columns and is not converted. Each entry takes an atomic "
            "addition, and other kernels are faster on every matrix that was measured.",
    .parameters = parameters,
    .unordered = UNORDERED_ALL,
    .complex = true,
    .prepare = prepare,
    .needs = NEEDS_F64_ATOMICS,
    .run = CUDA_CODE(cuda_csc_atomic),
    .traffic = traffic,
    .trace = &trace_csc_atomic,
    .pace = {.turn = 0.358, .request = 0.574, .start = 2.08, .overlap = 0.898},
    .tuning = tuning,
};
