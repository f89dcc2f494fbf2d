#include "kernels/cuda/coo.h"

#include <math.h>

#include "formats/coo.h"
#include "formats/fill.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/products/products.h"

#define COO_SEGMENTED_STEPS_MOST 4

static const struct parameter atomic_parameters[] = {
    [COO_ATOMIC_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

static const struct parameter segmented_parameters[] = {
    [COO_SEGMENTED_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    [COO_SEGMENTED_STEPS] = {"steps", "groups of 32 entries for each warp", 1, 1024, .type = PARAMETER_POWER,
                             .automatic = "by entries a multiprocessor"},
    {0},
};

/* Choose the number of times that a warp takes 32 entries: the smallest that fills all resident warps of the
 * GPU, at most 4. On an H200, which holds 270336 threads, R-MAT matrices of seven to nine million entries
 * take 52 to 67 us with 4, and 56 to 68 us with 8. */
static void choose_steps(struct launch *launch)
{
    double *steps = &launch->values.number[COO_SEGMENTED_STEPS];
    double entries = (double)grid_resident_threads(launch);
    if (!isnan(*steps)) return;
    *steps = 1;
    while (*steps < COO_SEGMENTED_STEPS_MOST && *steps * 2 * entries <= (double)launch->storage->nnz)
        *steps *= 2;
}

static enum status prepare_atomic(struct launch *launch, struct error *error)
{
    return product_plain(launch->product) ? STATUS_OK : product_prepare_coo(launch, error);
}

/* Rows within an interval are stored without an atomic addition, which requires that a row's entries are
 * contiguous. */
static enum status prepare_segmented(struct launch *launch, struct error *error)
{
    if (storage_parameter(launch->storage, COO_ORDER) != COO_BY_ROW)
        return error_set(error, STATUS_UNAVAILABLE, "coo-segmented reads entries by row: ask for order=row");
    choose_steps(launch);
    enum status status = check_warps(launch, COO_SEGMENTED_BLOCK, error);
    if (status != STATUS_OK || product_plain(launch->product)) return status;
    return product_prepare(launch, PRODUCT_WALKS, error);
}

static const struct tuning_line tuning_atomic[] = {{"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_coo_atomic = {
    .name = "coo-atomic",
    .backend = &backend_cuda,
    .format = &format_coo,
    .summary = "a thread an entry, added to y atomically",
    .source = "PMPP, section 10.4",
    .wins = "It reads only the entries, in any order. If many entries of a row meet, their additions wait "
            "for each other, and other kernels are faster on every matrix that was measured.",
    .parameters = atomic_parameters,
    .unordered = UNORDERED_ALL,
    .complex = true,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare_atomic,
    .needs = NEEDS_F64_ATOMICS,
    .run = CUDA_CODE(cuda_coo_atomic),
    .release = product_release,
    .traffic = product_traffic,
    .trace = &trace_coo_atomic,
    .pace = {.turn = 0.448, .request = 0.112, .start = 1.82, .overlap = 1.4},
    .product_way = PRODUCT_WAY_ATOMIC,
    .tuning = tuning_atomic,
};

static const struct tuning_line tuning_segmented[] = {
    {"block", TUNING_BLOCKS}, {"steps", "1 2 4 8 16 32 64"}, {NULL}};

const struct kernel kernel_cuda_coo_segmented = {
    .name = "coo-segmented",
    .backend = &backend_cuda,
    .format = &format_coo,
    .summary = "a warp a run of entries, whose rows are added by a segmented sum",
    .source = "Bell and Garland, SC 2009, section 4.4",
    .wins = "It suits R-MAT graphs larger than the caches, on which only csr-swept is sometimes faster: each "
            "warp has equally many entries. On matrices that the caches hold, csr-segmented is faster.",
    .parameters = segmented_parameters,
    .unordered = UNORDERED_ALL,
    .complex = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare_segmented,
    .needs = NEEDS_SHUFFLES | NEEDS_F64_ATOMICS,
    .run = CUDA_CODE(cuda_coo_segmented),
    .release = product_release,
    .traffic = product_traffic,
    .trace = &trace_coo_segmented,
    .pace = {.turn = 0.257, .request = 0.405, .start = 2.1, .overlap = 0.696},
    .product_way = PRODUCT_WAY_SHARES,
    .tuning = tuning_segmented,
};
