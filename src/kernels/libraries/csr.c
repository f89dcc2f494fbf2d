#include "kernels/libraries/csr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "formats/sss.h"
#include "kernels/backend.h"

const struct parameter library_parameters[] = {{0}};

/* The arrays made from half of a symmetric matrix come after the handles in launch->state. */
enum { OWN_ROW_PTR = LIBRARY_HANDLES, OWN_COL, OWN_VAL, STATE_POINTERS };

/* Write for each row the entries below the diagonal, padding included, and then the diagonal entry. */
static void merge_halves(const struct storage *storage, int *row_ptr, int *col, char *val)
{
    const struct array *array = storage->array;
    const size_t size = element_size(array[SSS_VAL].element);
    const char *below = array[SSS_VAL].data, *diag = array[SSS_DIAG].data;
    const int64_t rows = storage->rows;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < rows; i++) {
        const int64_t first = array_integer(&array[SSS_ROW_PTR], i),
                      count = array_integer(&array[SSS_ROW_PTR], i + 1) - first, to = first + i;
        row_ptr[i] = (int)to;
        memcpy(col + to, (const int32_t *)array[SSS_COL].data + first, (size_t)count * sizeof *col);
        memcpy(val + (size_t)to * size, below + (size_t)first * size, (size_t)count * size);
        col[to + count] = (int)i;
        memcpy(val + (size_t)(to + count) * size, diag + (size_t)i * size, size);
    }
    row_ptr[rows] = (int)storage_slots(storage);
}

/* Make the CSR of a matrix stored by half, which owns its arrays in launch->state, and refer *csr to it. */
static enum status make_half(struct launch *launch, struct library_csr *csr, struct error *error)
{
    const struct storage *storage = launch->storage;
    const size_t slots = (size_t)storage_slots(storage), rows = (size_t)storage->rows;
    void **state = launch->state;
    state[OWN_ROW_PTR] = memory_array(rows + 1, sizeof(int), error);
    state[OWN_COL] = memory_array(slots, sizeof(int), error);
    state[OWN_VAL] = memory_array(slots, element_size(storage->array[SSS_VAL].element), error);
    if (!state[OWN_ROW_PTR] || !state[OWN_COL] || !state[OWN_VAL]) return STATUS_MEMORY;
    merge_halves(storage, state[OWN_ROW_PTR], state[OWN_COL], state[OWN_VAL]);
    csr->row_ptr = state[OWN_ROW_PTR];
    csr->col = state[OWN_COL];
    csr->val = state[OWN_VAL];
    csr->entries = (int)slots;
    return STATUS_OK;
}

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
                                .limit = launch->limit,
                                .symmetric = storage->symmetry != SYMMETRY_GENERAL};
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
        .symmetric = storage->symmetry != SYMMETRY_GENERAL,
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
    launch->state = memory_zeroed(STATE_POINTERS, sizeof(void *), error);
    if (!launch->state) return STATUS_MEMORY;
    if (csr.symmetric) status = make_half(launch, &csr, error);
    if (status != STATUS_OK) return status;
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
    for (int k = OWN_ROW_PTR; k < STATE_POINTERS; k++)
        free(handle[k]);
    free(handle);
    launch->state = NULL;
}
