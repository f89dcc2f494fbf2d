/* Checking a storage, and converting it back to CSR. */
#include "base/threads.h"
#include "formats/array.h"
#include "formats/format.h"
#include "matrix/build.h"

/* Return the number of entries. Without padding all slots contain one, so no values need to be checked. */
static int64_t count_entries(const struct storage *storage)
{
    int64_t slots = storage->slots[0], padding = 0;
    const struct array *values = storage_values(storage, 0);
    if (storage_slots(storage) + storage->mirrored == storage->nnz) return storage->nnz;
#pragma omp parallel for reduction(+ : padding) if (slots > PARALLEL_MIN)
    for (int64_t e = 0; e < slots; e++)
        padding += slot_padding(storage, values, e);
    return storage_slots(storage) + storage->mirrored - padding;
}

enum status storage_validate(const struct storage *storage, struct error *error)
{
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        if (!array->data) return error_set(error, STATUS_INPUT, "%s is not there", array->name);
        if (array->per_slot && array->length != storage->slots[array->part])
            return error_set(error, STATUS_INPUT, "%s has %lld elements for %lld slots", array->name,
                             (long long)array->length, (long long)storage->slots[array->part]);
    }
    int64_t entries = count_entries(storage);
    if (entries != storage->nnz)
        return error_set(error, STATUS_INPUT, "%s holds %lld entries, not %lld", storage->format->name,
                         (long long)entries, (long long)storage->nnz);
    return storage->format->validate(storage, error);
}

/* Converting back to CSR: the slots are a source of entries for build_csr, which takes a block of
 * SLOTS_PER_BLOCK slots at a time. The blocks of part 0 come first, then those of part 1. */

#define SLOTS_PER_BLOCK 65536

static int64_t part_blocks(const struct storage *storage, int part)
{
    return (storage->slots[part] + SLOTS_PER_BLOCK - 1) / SLOTS_PER_BLOCK;
}

static enum status unpack_block(void *self, int64_t b, struct sink *sink, struct error *error)
{
    const struct storage *storage = self;
    int part = b >= part_blocks(storage, 0);
    const struct array *values = storage_values(storage, part);
    bool pads = part == 0 && storage_pads(storage);
    int64_t first = (part ? b - part_blocks(storage, 0) : b) * SLOTS_PER_BLOCK, end = first + SLOTS_PER_BLOCK;
    for (int64_t e = first; e < end && e < storage->slots[part]; e++) {
        if (pads && slot_padding(storage, values, e)) continue;
        struct place place = storage->format->place(storage, part, e);
        if (place.row < 0 || place.row >= storage->rows || place.col < 0 || place.col >= storage->cols)
            return error_set(error, STATUS_INPUT, "%s[%lld] lies outside the matrix", values->name,
                             (long long)e);
        double imaginary, real = array_value(values, e, &imaginary);
        sink_put(sink, (int32_t)place.row, (int32_t)place.col, real, imaginary);
    }
    return STATUS_OK;
}

enum status storage_unpack(const struct storage *storage, struct progress *progress, struct csr *a,
                           struct error *error)
{
    const struct source source = {
        .rows = storage->rows,
        .cols = storage->cols,
        .blocks = part_blocks(storage, 0) + part_blocks(storage, 1),
        .complex = storage->complex,
        .symmetry = storage->symmetry,
        .duplicates = DUPLICATES_SUM,
        .path = storage->format->name,
        .self = (void *)storage,
        .block = unpack_block,
    };
    struct build_result result;
    enum status status = build_csr(&source, progress, a, &result, error);
    if (status != STATUS_OK || result.duplicates == 0) return status;
    csr_free(a);
    return error_set(error, STATUS_INPUT, "%s: a position of the matrix is stored twice",
                     storage->format->name);
}
