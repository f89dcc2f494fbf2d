#include "kernels/libraries/csr.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formats/csr.h"
#include "kernels/backend.h"

const struct parameter library_parameters[] = {{0}};

/* Find the library, and fill in *csr. */
static enum status find_csr(const struct library *library, const struct launch *launch,
                            struct library_csr *csr, struct error *error)
{
    const struct storage *storage = launch->storage;
    const char *reason = library_look(library);
    if (reason) return error_set(error, STATUS_UNAVAILABLE, "%s", reason);
    if (storage->wide || storage->nnz > INT32_MAX)
        return error_set(error, STATUS_UNAVAILABLE,
                         "%s is called with 32-bit integers, and the offsets of this matrix have 64 bits",
                         library->place.title);
    *csr = (struct library_csr){.rows = (int)storage->rows,
                                .cols = (int)storage->cols,
                                .entries = (int)storage->nnz,
                                .row_ptr = storage->array[CSR_ROW_PTR].data,
                                .col = storage->array[CSR_COL].data,
                                .val = storage->array[CSR_VAL].data,
                                .limit = launch->limit};
    return STATUS_OK;
}

static struct library_product product_of(const struct launch *launch)
{
    static const float singles[] = {0, 1};
    static const double doubles[] = {0, 1};
    const struct product product = launch->product;
    const struct storage *storage = launch->storage;
    bool single = storage->precision == PRECISION_F32;
    int columns = product_columns(product);
    int64_t x_size = product_x_size(product, storage->rows, storage->cols),
            y_size = product_y_size(product, storage->rows, storage->cols);
    return (struct library_product){
        .single = single,
        .transposed = product.transposed,
        .by_rows = product.by_rows && columns > 1,
        .columns = columns,
        .x_stride = product.by_rows ? columns : (int)(x_size > 0 ? x_size : 1),
        .y_stride = product.by_rows ? columns : (int)(y_size > 0 ? y_size : 1),
        .x_size = x_size,
        .y_size = y_size,
        .beta = product.accumulate,
        .one_at = single ? (const void *)&singles[1] : (const void *)&doubles[1],
        .beta_at =
            single ? (const void *)&singles[product.accumulate] : (const void *)&doubles[product.accumulate],
        .x = launch->x,
        .y = launch->y,
    };
}

/* Set all of Y to one number, with the kernel's threads. */
static void fill_y(const struct library_product *product, double value, int threads)
{
    float *singles = product->y;
    double *doubles = product->y;
    int64_t elements = product->y_size * product->columns;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < elements; i++)
        if (product->single)
            singles[i] = (float)value;
        else
            doubles[i] = value;
}

static int take_threads(const struct library *library, int threads)
{
    return library->take_threads ? library->take_threads(threads) : library_threads(library, threads);
}

enum status library_prepare(struct launch *launch, struct error *error)
{
    const struct library *library = launch->kernel->backend->library;
    const struct library_product product = product_of(launch);
    struct library_call call = {.error = error};
    struct library_csr csr;
    enum status status = find_csr(library, launch, &csr, error);
    if (status != STATUS_OK || csr.entries == 0) return status;
    launch->state = memory_zeroed(LIBRARY_HANDLES, sizeof(void *), error);
    if (!launch->state) return STATUS_MEMORY;
    int before = take_threads(library, launch->threads);
    bool made = library->make(&csr, &product, launch->state, &call);
    take_threads(library, before);
    return made ? STATUS_OK : library_failed(library, &call);
}

void library_run(const struct launch *launch)
{
    const struct library *library = launch->kernel->backend->library;
    const struct library_product product = product_of(launch);
    if (!product.beta && (!launch->state || library->adds)) fill_y(&product, 0, launch->threads);
    if (!launch->state) return;
    int before = take_threads(library, launch->threads);
    bool done = library->multiply(&product, launch->state) == 0;
    take_threads(library, before);
    if (!done) fill_y(&product, NAN, launch->threads);
}

void library_release(struct launch *launch)
{
    void **handle = launch->state;
    if (handle[0]) launch->kernel->backend->library->release(handle);
    free(handle);
    launch->state = NULL;
}
