#include "formats/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/array.h"
#include "matrix/skeleton.h"

#define FORMAT(name) extern const struct format format_##name;
#include "formats/formats.def"
#undef FORMAT

const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "formats/formats.def"
#undef FORMAT
    NULL,
};

const char *line_name(const struct shape *shape)
{
    return shape->line == LINE_ROW ? "row" : shape->line == LINE_COLUMN ? "column" : shape->name;
}

const struct format *format_find(const char *name)
{
    for (int k = 0; formats[k]; k++)
        if (strcmp(formats[k]->name, name) == 0) return formats[k];
    return NULL;
}

/* Planning and converting */

enum status format_plan(const struct format_choice *choice, const struct format_options *options,
                        const struct csr *a, struct progress *progress, struct storage *storage,
                        struct error *error)
{
    *storage = (struct storage){
        .format = choice->format,
        .values = choice->values,
        .precision = choice->precision,
        .complex = csr_complex(a),
        .wide = options->wide,
        .limit = options->limit,
        .rows = a->rows,
        .cols = a->cols,
        .nnz = csr_nnz(a),
        .plans = options->plans,
    };
    if (storage->nnz > PARALLEL_MIN) threads_gather(0);
    double start = clock_seconds();
    if (a->skeleton && a->skeleton->all) a = a->skeleton->all;
    enum status status = choice->format->plan(storage, a, progress, error);
    storage->planning += clock_seconds() - start;
    storage->seconds = storage->planning;
    storage->plans = NULL;
    if (status != STATUS_OK) storage_free(storage);
    return status;
}

static size_t array_bytes(const struct array *array)
{
    size_t bytes;
    size_multiply((size_t)array->length, element_size(array->element), &bytes);
    return bytes;
}

int64_t storage_slots(const struct storage *storage)
{
    int64_t slots = 0;
    for (int part = 0; part < STORAGE_PARTS; part++)
        slots += storage->slots[part];
    return slots;
}

static size_t kept_words(const struct storage *storage)
{
    return ((size_t)storage->slots[0] + 63) / 64;
}

bool storage_pads(const struct storage *storage)
{
    return storage_slots(storage) + storage->mirrored > storage->nnz;
}

int64_t storage_sorted_window(const struct storage *storage)
{
    return storage->format->sorted_window ? storage->format->sorted_window(storage) : 1;
}

struct format_size storage_size(const struct storage *storage)
{
    struct format_size size = {
        .error = storage->size_error, .slots = storage_slots(storage), .apart = storage->slots[1]};
    size_t value = 0;
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        size_add(size.bytes, array_bytes(array), &size.bytes);
        if (array->role == ROLE_VALUES)
            value = element_size(array->element);
        else
            size.integers += array->length;
    }
    double dense = (double)storage->rows * (double)storage->cols * (double)value;
    size.allocated = size.bytes;
    if (storage_pads(storage)) size_add(size.bytes, kept_words(storage) * sizeof(uint64_t), &size.allocated);
    size_add(size.allocated, storage->scratch, &size.peak);
    size.padding = size.slots + storage->mirrored - storage->nnz;
    size.padding_ratio = storage->nnz ? (double)size.slots / (double)storage->nnz : NAN;
    size.dense_ratio = dense > 0 ? (double)size.bytes / dense : NAN;
    return size;
}

enum status storage_check(const struct storage *storage, size_t limit, struct error *error)
{
    struct format_size size = storage_size(storage);
    char bytes[32], scratch[32], more[64] = "", max[32], name[CHOICE_NAME];
    limit = memory_limit(limit);
    if (size.peak <= limit) return STATUS_OK;
    if (size.allocated <= limit)
        snprintf(more, sizeof more, " and %s more while it is filled",
                 format_bytes(scratch, sizeof scratch, (double)storage->scratch));
    return error_set(
        error, STATUS_LIMIT,
        "%s would take %s%s, its padding factor being %.4g; the limit is %s: --limit=BYTES sets it",
        storage_name(storage, name, sizeof name), format_bytes(bytes, sizeof bytes, (double)size.allocated),
        more, size.padding_ratio, format_bytes(max, sizeof max, (double)limit));
}

/* Return true if the value of any entry is 0 in the storage's precision. */
static bool has_zeros(const struct storage *storage, const struct csr *a)
{
    bool single = storage->precision == PRECISION_F32;
    int64_t zeros = 0, nnz = storage->nnz;
#pragma omp parallel for reduction(+ : zeros) if (nnz > PARALLEL_MIN)
    for (int64_t k = 0; k < nnz; k++) {
        bool real = single ? (float)a->val[k] == 0 : a->val[k] == 0;
        bool imaginary = !a->imaginary || (single ? (float)a->imaginary[k] == 0 : a->imaginary[k] == 0);
        zeros += real && imaginary;
    }
    return zeros > 0;
}

void storage_drop(struct storage *storage)
{
    for (int q = 0; q < storage->count; q++) {
        free(storage->array[q].data);
        storage->array[q].data = NULL;
    }
    free(storage->kept);
    storage->kept = NULL;
    free(storage->entry);
    storage->entry = NULL;
}

static enum status allocate(struct storage *storage, const struct csr *a, struct error *error)
{
    for (int q = 0; q < storage->count; q++) {
        struct array *array = &storage->array[q];
        array->data = memory_array((size_t)array->length, element_size(array->element), error);
        if (!array->data) return STATUS_MEMORY;
        threads_place(array->data, array_bytes(array));
    }
    if (!storage_pads(storage) || !has_zeros(storage, a)) return STATUS_OK;
    storage->kept = memory_zeroed(kept_words(storage), sizeof(uint64_t), error);
    return storage->kept ? STATUS_OK : STATUS_MEMORY;
}

enum status storage_build(struct storage *storage, const struct csr *a, struct progress *progress,
                          struct error *error)
{
    if (storage->nnz > PARALLEL_MIN) threads_gather(0);
    double start = clock_seconds();
    enum status status = allocate(storage, a, error);
    if (status == STATUS_OK) status = storage->format->fill(storage, a, progress, error);
    if (status != STATUS_OK) storage_drop(storage);
    storage->seconds += clock_seconds() - start;
    return status;
}

enum status format_convert(const struct format_choice *choice, const struct format_options *options,
                           const struct csr *a, struct progress *progress, struct storage *storage,
                           struct error *error)
{
    enum status status = format_plan(choice, options, a, progress, storage, error);
    if (status == STATUS_OK) status = storage_check(storage, options->limit, error);
    return status == STATUS_OK ? storage_build(storage, a, progress, error) : status;
}

void storage_free(struct storage *storage)
{
    storage_drop(storage);
    *storage = (struct storage){0};
}

/* Questions about a storage */

const struct array *storage_values(const struct storage *storage, int part)
{
    for (int q = 0; q < storage->count; q++)
        if (storage->array[q].role == ROLE_VALUES && storage->array[q].part == part)
            return &storage->array[q];
    return NULL;
}

bool storage_padding(const struct storage *storage, int part, int64_t e)
{
    return part == 0 && storage_pads(storage) && slot_padding(storage, storage_values(storage, 0), e);
}

struct spot storage_spot(const struct storage *storage, const struct csr *a, struct place place, int64_t k)
{
    struct spot spot = {.place = place, .slot = -1};
    if (k >= 0) spot.slot = storage->format->locate(storage, a, place.row, k, &spot.part);
    return spot;
}

struct format_choice storage_choice(const struct storage *storage)
{
    return (struct format_choice){storage->format, storage->values, storage->precision};
}

char *storage_name(const struct storage *storage, char *out, size_t size)
{
    const struct format_choice choice = storage_choice(storage);
    return format_choice_name(&choice, out, size);
}
