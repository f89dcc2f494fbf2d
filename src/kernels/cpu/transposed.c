#include "kernels/cpu/transposed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "formats/fill.h"
#include "matrix/transpose.h"

/* A counting sort of the entries by column, as in formats/csc.c. Stripe s has entries bound(s) .. bound(s +
 * 1) - 1. counts[s cols + j] is first their number in column j, and then the number of entries of column j
 * before the stripe's next one. */
struct sorting {
    const struct storage *a;
    struct storage *out;
    int64_t *offsets;
    uint32_t *counts;
    int64_t stripes;
};

static int64_t bound(const struct sorting *sorting, int64_t s)
{
    int64_t nnz = sorting->a->nnz, stripes = sorting->stripes;
    return nnz / stripes * s + nnz % stripes * s / stripes;
}

static void count_entries(const struct sorting *sorting, int64_t s)
{
    const int32_t *col = sorting->a->array[CSR_COL].data;
    uint32_t *counts = sorting->counts + s * sorting->a->cols;
    for (int64_t k = bound(sorting, s); k < bound(sorting, s + 1); k++)
        counts[col[k]]++;
}

static void add_up(const struct sorting *sorting, int64_t j)
{
    uint32_t before = 0;
    for (int64_t s = 0; s < sorting->stripes; s++) {
        uint32_t *count = &sorting->counts[s * sorting->a->cols + j], own = *count;
        *count = before;
        before += own;
    }
    sorting->offsets[j] = before;
}

/* Move a stripe's entries to their positions; `size` is that of a value, a constant. */
static inline __attribute__((always_inline)) void put_sized(const struct sorting *sorting, int64_t s,
                                                            size_t size)
{
    const struct storage *a = sorting->a;
    const struct array *row_ptr = &a->array[CSR_ROW_PTR];
    const int32_t *col = a->array[CSR_COL].data;
    const char *val = a->array[CSR_VAL].data;
    int32_t *to_col = sorting->out->array[CSR_COL].data;
    char *to_val = sorting->out->array[CSR_VAL].data;
    uint32_t *counts = sorting->counts + s * a->cols;
    int64_t k = bound(sorting, s), end = bound(sorting, s + 1);
    if (k == end) return;
    for (int64_t i = offset_find(row_ptr, a->rows, k); k < end; i++)
        for (int64_t stop = min(array_integer(row_ptr, i + 1), end); k < stop; k++) {
            int64_t place = sorting->offsets[col[k]] + counts[col[k]]++;
            to_col[place] = (int32_t)i;
            memcpy(to_val + (size_t)place * size, val + (size_t)k * size, size);
        }
}

static void put_entries(const struct sorting *sorting, int64_t s)
{
    switch (element_size(sorting->a->array[CSR_VAL].element)) {
    case 4:
        put_sized(sorting, s, 4);
        break;
    case 8:
        put_sized(sorting, s, 8);
        break;
    default:
        put_sized(sorting, s, 16);
    }
}

static void sort(const struct sorting *sorting, int threads)
{
    const int64_t cols = sorting->a->cols;
    struct array *row_ptr = &sorting->out->array[CSR_ROW_PTR];
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int64_t s = 0; s < sorting->stripes; s++)
        count_entries(sorting, s);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t j = 0; j < cols; j++)
        add_up(sorting, j);
    threads_offsets(sorting->offsets, cols);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t j = 0; j <= cols; j++)
        array_set(row_ptr, j, sorting->offsets[j]);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int64_t s = 0; s < sorting->stripes; s++)
        put_entries(sorting, s);
}

/* Allocate the arrays of A^T, which have the sizes of A's except for the row offsets. */
static enum status allocate(const struct storage *a, struct storage *out, struct error *error)
{
    for (int q = 0; q < a->count; q++) {
        struct array *array = &out->array[q];
        *array = a->array[q];
        array->data = NULL;
        if (q == CSR_ROW_PTR) array->length = a->cols + 1;
        const size_t size = element_size(array->element);
        array->data = memory_array((size_t)array->length, size, error);
        if (!array->data) return STATUS_MEMORY;
        threads_place(array->data, (size_t)array->length * size);
        out->count = q + 1;
    }
    return STATUS_OK;
}

enum status transposed_storage(const struct storage *a, int threads, size_t limit, struct storage *out,
                               struct error *error)
{
    struct sorting sorting = {.a = a, .out = out};
    size_t bytes;
    *out = (struct storage){.format = a->format,
                            .values = a->values,
                            .precision = a->precision,
                            .complex = a->complex,
                            .wide = a->wide,
                            .limit = a->limit,
                            .rows = a->cols,
                            .cols = a->rows,
                            .nnz = a->nnz,
                            .slots = {a->nnz}};
    /* All counts together are no larger than the arrays of entries. */
    sorting.stripes = max(1, min((int64_t)threads, a->cols ? a->nnz / a->cols * 2 : 1));
    const size_t cols = (size_t)a->cols, stripes = (size_t)sorting.stripes;
    size_t sum = storage_size(a).bytes + (cols + 1) * (sizeof(int64_t) * 2);
    if (!size_multiply(cols * stripes, sizeof *sorting.counts, &bytes)) bytes = SIZE_MAX;
    size_add(sum, bytes, &sum);
    enum status status = memory_check(sum, limit, "the transposed matrix", error);
    if (status == STATUS_OK) status = allocate(a, out, error);
    if (status == STATUS_OK) {
        sorting.offsets = memory_zeroed(cols + 1, sizeof *sorting.offsets, error);
        sorting.counts = memory_zeroed(cols * stripes + 1, sizeof *sorting.counts, error);
        status = sorting.offsets && sorting.counts ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK) sort(&sorting, threads);
    free(sorting.offsets);
    free(sorting.counts);
    if (status != STATUS_OK) storage_free(out);
    return status;
}

/* Store A^T in a format other than CSR, by way of CSR in this program's memory. `limit` as in
 * transposed_storage. */
static enum status convert(const struct storage *a, size_t limit, struct storage *out, struct error *error)
{
    const struct format_choice choice = storage_choice(a);
    struct csr csr = {0}, turned = {0};
    const size_t bytes = csr_bytes(a->rows, a->nnz, a->complex),
                 turned_bytes = csr_bytes(a->cols, a->nnz, a->complex);
    enum status status = memory_check(bytes + turned_bytes, limit, "the transposed matrix", error);
    if (status == STATUS_OK) status = storage_unpack(a, NULL, &csr, error);
    if (status == STATUS_OK) status = csr_transpose(&csr, NULL, &turned, error);
    csr_free(&csr);
    if (limit) limit = limit > turned_bytes ? limit - turned_bytes : 1;
    const struct format_options options = {.wide = a->wide, .limit = limit};
    if (status == STATUS_OK) status = format_convert(&choice, &options, &turned, NULL, out, error);
    csr_free(&turned);
    return status;
}

enum status transposed_prepare(struct launch *launch,
                               enum status (*prepare)(struct launch *launch, struct error *error),
                               struct error *error)
{
    if (!launch->product.transposed) return prepare(launch, error);
    size_t limit = launch->storage->limit ? launch->storage->limit : launch->limit;
    const size_t arrays = storage_size(launch->storage).bytes;
    struct transposed *transposed = memory_zeroed(1, sizeof *transposed, error);
    launch->state = transposed;
    if (!transposed) return STATUS_MEMORY;
    if (limit) limit = limit > arrays ? limit - arrays : 1;
    enum status status =
        launch->storage->format == &format_csr
            ? transposed_storage(launch->storage, launch->threads, limit, &transposed->storage, error)
            : convert(launch->storage, limit, &transposed->storage, error);
    if (status != STATUS_OK) return status;
    transposed->launch = *launch;
    transposed->launch.storage = transposed->launch.resident = &transposed->storage;
    transposed->launch.product.transposed = false;
    transposed->launch.state = NULL;
    return prepare(&transposed->launch, error);
}

void transposed_run(const struct launch *launch, void (*run)(const struct launch *launch))
{
    if (!launch->product.transposed) {
        run(launch);
        return;
    }
    const struct transposed *transposed = launch->state;
    struct launch own = transposed->launch;
    own.x = own.host_x = launch->x;
    own.y = launch->y;
    run(&own);
}

void transposed_release(struct launch *launch, void (*release)(struct launch *launch))
{
    if (!launch->product.transposed) {
        release(launch);
        return;
    }
    struct transposed *transposed = launch->state;
    if (!transposed) return;
    if (transposed->launch.state) release(&transposed->launch);
    storage_free(&transposed->storage);
    free(transposed);
    launch->state = NULL;
}

void transposed_traffic(const struct launch *launch, struct traffic *traffic,
                        void (*own)(const struct launch *launch, struct traffic *traffic))
{
    if (!launch->product.transposed) {
        own(launch, traffic);
        return;
    }
    const struct transposed *transposed = launch->state;
    traffic->array_bytes = storage_size(&transposed->storage).bytes;
    traffic->x_loads = storage_slots(&transposed->storage);
    own(&transposed->launch, traffic);
    /* The product reads A^T, made by preparing, and nothing of the storage itself. */
    traffic->own_bytes += traffic->array_bytes;
    traffic->array_bytes = 0;
}

bool transposed_stores(const struct kernel_choice *choice, struct product product)
{
    return product.transposed && choice->kernel->stores_transposed &&
           choice->kernel->stores_transposed(choice);
}

bool transposed_always(const struct kernel_choice *choice)
{
    return true;
}
