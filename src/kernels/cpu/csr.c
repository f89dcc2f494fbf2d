#include "kernels/cpu/csr.h"

#include <math.h>

#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/spmm.h"
#include "kernels/cpu/transposed.h"

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

static const char *const transposed_words[] = {[CSR_STORED] = "stored", [CSR_SCATTERED] = "scattered", NULL};

static const struct parameter omp_parameters[] = {
    [CSR_TRANSPOSED] = {.name = "transposed",
                        .help = "A^T: stored once, or products added to scattered elements of y",
                        .max = 1,
                        .type = PARAMETER_WORD,
                        .automatic = "stored if memory suffices",
                        .words = transposed_words},
    {0},
};

static enum status prepare_rows(struct launch *launch, struct error *error)
{
    enum status status = prepare(launch, error);
    struct division *division = launch->state;
    if (status == STATUS_OK && product_plain(launch->product))
        division->scattered = csr_is_scattered(launch->storage);
    return status;
}

/* By default A^T is stored if possible: on every matrix tried it was at least as fast as scattering
 * (README.md). */
static enum status prepare_omp(struct launch *launch, struct error *error)
{
    double *choice = &launch->values.number[CSR_TRANSPOSED];
    bool free_choice = isnan(*choice);
    struct error reason = {0};
    if (!launch->product.transposed) return prepare_rows(launch, error);
    if (free_choice || *choice == CSR_STORED) {
        enum status status = transposed_prepare(launch, prepare_rows, &reason);
        *choice = CSR_STORED;
        if (status == STATUS_OK) return status;
        if (!free_choice) return error_set(error, status, "%s", reason.message);
        transposed_release(launch, spmm_release);
    }
    *choice = CSR_SCATTERED;
    return prepare_rows(launch, error);
}

static bool stores_transposed(const struct launch *launch)
{
    return launch->product.transposed && launch->values.number[CSR_TRANSPOSED] == CSR_STORED;
}

static void release_omp(struct launch *launch)
{
    if (stores_transposed(launch))
        transposed_release(launch, spmm_release);
    else
        spmm_release(launch);
}

static void traffic_omp(const struct launch *launch, struct traffic *traffic)
{
    if (stores_transposed(launch))
        transposed_traffic(launch, traffic, spmm_traffic);
    else
        spmm_traffic(launch, traffic);
}

static bool choice_stores_transposed(const struct kernel_choice *choice)
{
    return choice->values.number[CSR_TRANSPOSED] == CSR_STORED;
}

/* Choose as prepare does if memory suffices. */
static void resolve(struct kernel_choice *choice, struct product product)
{
    double *transposed = &choice->values.number[CSR_TRANSPOSED];
    if (product.transposed && isnan(*transposed)) *transposed = CSR_STORED;
}

struct spmm_rows csr_spmm_rows(const struct storage *storage)
{
    const struct array *array = storage->array;
    return (struct spmm_rows){.kind = SPMM_CSR,
                              .units = storage->rows,
                              .ptr = array[CSR_ROW_PTR].data,
                              .wide = array[CSR_ROW_PTR].element == ELEMENT_I64,
                              .col = array[CSR_COL].data,
                              .val = array[CSR_VAL].data,
                              .slots = storage->nnz,
                              .stride = 1};
}

static void run_seq(const struct launch *launch)
{
    const struct division *division = launch->state;
    if (spmm_run(launch)) return;
    division->loops->csr_plain(launch, 0, launch->storage->rows);
}

static void run_rows(const struct launch *launch)
{
    const struct division *division = launch->state;
    if (spmm_run(launch)) return;
    run_divided(launch, division->scattered ? division->loops->csr_scattered : division->loops->csr);
}

static void run_omp(const struct launch *launch)
{
    if (stores_transposed(launch))
        transposed_run(launch, run_rows);
    else
        run_rows(launch);
}

bool csr_streams_y(const struct storage *storage)
{
    return !storage->complex;
}

const struct kernel kernel_cpu_csr_seq = {
    CPU_KERNEL("csr-seq", csr),
    PUBLISHED_LOOP,
    .summary = "row by row, one thread",
    .source = "PMPP, figure 10.4",
    SPMM_KERNEL(csr_spmm_rows),
    .prepare = prepare,
    .run = run_seq,
    .release = spmm_release,
    .traffic = spmm_traffic,
    .host = {.work = HOST_ROWS},
};

const struct kernel kernel_cpu_csr_omp = {
    .name = "csr-omp",
    .backend = &backend_cpu,
    .format = &format_csr,
    .summary = "row by row; each thread has rows with equally many entries",
    .source = "after Williams, Oliker, Vuduc, Shalf, Yelick and Demmel, \"Optimization of sparse "
              "matrix-vector multiplication on emerging multicore platforms\", SC 2007",
    .wins = "It is the first choice: it needs no conversion, and comes close to the memory's bandwidth "
            "unless rows are short or scattered over x.",
    .parameters = omp_parameters,
    .complex = true,
    SPMM_KERNEL(csr_spmm_rows),
    .prepare = prepare_omp,
    .run = run_omp,
    .release = release_omp,
    .traffic = traffic_omp,
    .host = {.work = HOST_ROWS, .streams_y = csr_streams_y},
    .stores_transposed = choice_stores_transposed,
    .resolve = resolve,
};
