#include "kernels/cuda/csr.h"

#include <math.h>

#include "formats/csr.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/products/products.h"

static const struct parameter scalar_parameters[] = {
    [CSR_SCALAR_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    [CSR_SCALAR_EARLY] = EARLY_PARAMETER,
    {0},
};

static const char *const reductions[] = {[CSR_SHUFFLE] = "shuffle", [CSR_SHARED] = "shared", NULL};

static const struct parameter vector_parameters[] = {
    [CSR_VECTOR_THREADS] = {"threads", "threads a row", 2, 32, .type = PARAMETER_POWER,
                            .automatic = "by rows and mean row length"},
    [CSR_VECTOR_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    [CSR_VECTOR_ALIGNED] = {"aligned",
                            "1: rows longer than this number of threads are read from a multiple of it on",
                            .type = PARAMETER_YES_NO},
    [CSR_VECTOR_REDUCE] = {"reduce",
                           "addition of a row's sums: by shuffles, or in shared memory by a warp a row",
                           .type = PARAMETER_WORD, .words = reductions},
    [CSR_VECTOR_EARLY] = EARLY_PARAMETER,
    {0},
};

/* Rows with this multiple of the mean length are long, and never have too many threads. */
#define LONG_ROWS 32

/* Return the threads of a row: the mean number of entries, rounded up to a power of two from 2 to 32, as in
 * CUSP. A small matrix, whose threads fill less than half of the GPU, has more, which makes long rows faster.
 * If the threads do not all fit on the GPU at once, and no row is much longer than others, it has half of
 * that number, since starting and ending a thread takes time. On an H200 this is the fastest choice for most
 * matrices. */
static int mean_threads(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    int64_t resident = grid_resident_threads(launch);
    int threads = 2;
    while (threads < WARP && threads * storage->rows < storage->nnz)
        threads *= 2;
    bool even = storage->number[CSR_LONGEST] <= LONG_ROWS * (int64_t)threads;
    if (threads > 2 && threads * storage->rows > resident && even) return threads / 2;
    while (threads < WARP && 2 * threads * storage->rows <= resident / 2)
        threads *= 2;
    return threads;
}

/* Return the minimum threads of a row for several vectors or scattering: the mean number of entries, at most
 * 8, unless the threads of all rows are less than half of those the GPU holds. On an H200 this is within a
 * tenth of the fastest with rows of 16 and of 27 entries and 2 to 32 vectors. */
static int product_threads(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    int64_t resident = grid_resident_threads(launch);
    int threads = 2;
    while (threads < 8 && threads * storage->rows < storage->nnz)
        threads *= 2;
    while (threads < WARP && threads * storage->rows < resident / 2)
        threads *= 2;
    return threads;
}

static enum status prepare_scalar(struct launch *launch, struct error *error)
{
    choose_early(launch, CSR_SCALAR_EARLY);
    return STATUS_OK;
}

static enum status prepare_vector(struct launch *launch, struct error *error)
{
    double *threads = &launch->values.number[CSR_VECTOR_THREADS];
    bool shared = (int)launch->values.number[CSR_VECTOR_REDUCE] == CSR_SHARED;
    choose_early(launch, CSR_VECTOR_EARLY);
    if (isnan(*threads))
        *threads = shared                           ? WARP
                   : product_plain(launch->product) ? mean_threads(launch)
                                                    : product_threads(launch);
    if (WARP % (int)*threads)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csr-vector has 2, 4, 8, 16 or 32 threads a row, not threads=%d", (int)*threads);
    if (shared && (int)*threads != WARP)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csr-vector with reduce=shared has 32 threads a row: leave out threads=%d or reduce",
                         (int)*threads);
    if (product_plain(launch->product)) return check_warps(launch, CSR_VECTOR_BLOCK, error);
    return product_prepare_csr(launch, error);
}

static const struct tuning_line tuning_scalar[] = {{"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_csr_scalar = {
    .name = "csr-scalar",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "a thread a row",
    .source = "PMPP, figure 10.7",
    .wins = "It is the simplest kernel of CSR. With one to three entries a row it takes less than 1.5 times "
            "as long as the fastest kernel, unless one row is long. With longer rows the lanes of a warp "
            "read distant elements, and wait for the longest row.",
    .parameters = scalar_parameters,
    .complex = true,
    .prepare = prepare_scalar,
    .run = CUDA_CODE(cuda_csr_scalar),
    .trace = &trace_csr_scalar,
    .pace = {.turn = 0.894, .request = 0.526, .start = 0.619, .overlap = 1.04},
    .tuning = tuning_scalar,
};

static unsigned vector_needs(const struct kernel_choice *choice)
{
    return choice->values.number[CSR_VECTOR_REDUCE] == CSR_SHARED ? 0 : NEEDS_SHUFFLES;
}

static bool warp_a_row(const struct parameter_values *values)
{
    return values->number[CSR_VECTOR_THREADS] == WARP;
}

static const struct tuning_line tuning_vector[] = {{"threads", "2 4 8 16 32"},
                                                   {"block", TUNING_BLOCKS},
                                                   {"aligned", "0 1"},
                                                   {"reduce", "shuffle shared"},
                                                   {NULL}};

static const struct tuning_rule rules_vector[] = {{"reduce", "shared", "threads", "32"}, {NULL}};

const struct kernel kernel_cuda_csr_vector = {
    .name = "csr-vector",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "several threads a row, whose sums are added by shuffles or in shared memory",
    .source = "Bell and Garland, SC 2009, section 4.3; CUSP; reduce=shared: Cranfield report on OpenMP and "
              "CUDA",
    .wins = "It suits rows of similar length, with a number of threads that fits the mean length. It is "
            "often the fastest kernel where caches hold the matrix. One very long row keeps a single warp "
            "busy long after all others. With 8 vectors or a multiple of that, eight rows that share columns "
            "are multiplied together, by tensor cores in double precision.",
    .parameters = vector_parameters,
    .unordered = UNORDERED_TRANSPOSED,
    .complex = true,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare_vector,
    .needs_of = vector_needs,
    .run = CUDA_CODE(cuda_csr_vector),
    .release = product_release,
    .traffic = product_traffic,
    .warp_a_row = warp_a_row,
    .trace = &trace_csr_vector,
    .pace = {.turn = 0.409, .request = 0.578, .start = 0.53, .overlap = 0.775},
    .product_way = PRODUCT_WAY_ROWS,
    .tuning = tuning_vector,
    .tuning_rules = rules_vector,
};
