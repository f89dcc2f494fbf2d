#include "kernels/libraries/csr.h"

#include <math.h>
#include <stdio.h>

#include "formats/csr.h"
#include "kernels/backend.h"

const struct parameter library_parameters[] = {{0}};

/* Look for the library, and fill in *csr. */
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
                                .single = storage->precision == PRECISION_F32};
    return STATUS_OK;
}

static int stride(const struct launch *launch, int64_t size)
{
    const struct product product = launch->product;
    if (product.by_rows) return product_columns(product);
    return size > 0 ? (int)size : 1;
}

int library_x_stride(const struct launch *launch)
{
    return stride(launch, product_x_size(launch->product, launch->storage->rows, launch->storage->cols));
}

int library_y_stride(const struct launch *launch)
{
    return stride(launch, product_y_size(launch->product, launch->storage->rows, launch->storage->cols));
}

const void *library_factor(bool single, bool one)
{
    static const float singles[] = {0, 1};
    static const double doubles[] = {0, 1};
    return single ? (const void *)&singles[one] : (const void *)&doubles[one];
}

enum status library_failed(const struct library *library, const char *what, bool memory, const char *words,
                           struct error *error)
{
    return error_set(error, memory ? STATUS_MEMORY : STATUS_UNAVAILABLE, "%s fails at %s: %s",
                     library->place.title, what, words);
}

enum status library_failed_with(const struct library *library, const char *what, bool memory,
                                const char *called, int number, struct error *error)
{
    char words[64];
    snprintf(words, sizeof words, "%s %d", called, number);
    return library_failed(library, what, memory, words, error);
}

/* Set all of y to one number, by the threads that the kernel has. */
static void fill_y(const struct launch *launch, double value)
{
    const struct storage *storage = launch->storage;
    float *singles = launch->y;
    double *doubles = launch->y;
    bool single = storage->precision == PRECISION_F32;
    int64_t elements =
        product_y_size(launch->product, storage->rows, storage->cols) * product_columns(launch->product);
#pragma omp parallel for schedule(static) num_threads(launch->threads)
    for (int64_t i = 0; i < elements; i++)
        if (single)
            singles[i] = (float)value;
        else
            doubles[i] = value;
}

void library_clear(const struct launch *launch)
{
    fill_y(launch, 0);
}

static int take_threads(const struct library *library, int threads)
{
    return library->take_threads ? library->take_threads(threads) : library_threads(library, threads);
}

enum status library_prepare(struct launch *launch, struct error *error)
{
    const struct library *library = launch->kernel->backend->library;
    struct library_csr csr;
    enum status status = find_csr(library, launch, &csr, error);
    if (status != STATUS_OK || csr.entries == 0) return status;
    int before = take_threads(library, launch->threads);
    status = library->make(&csr, launch, error);
    take_threads(library, before);
    return status;
}

void library_run(const struct launch *launch)
{
    const struct library *library = launch->kernel->backend->library;
    if (!launch->state) {
        if (!launch->product.accumulate) fill_y(launch, 0);
        return;
    }
    int before = take_threads(library, launch->threads);
    bool done = library->multiply(launch);
    take_threads(library, before);
    if (!done) fill_y(launch, NAN);
}
