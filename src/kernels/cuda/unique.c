#include "kernels/cuda/unique.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "kernels/cuda/grid.h"
#include "kernels/gpu/device.h"

/* A table has four times as many places as values, so that the few steps of a search are mostly one. */
#define PLACES (4 * UNIQUE_MAX)
#define BLOCK ((int64_t)1 << 16) /* elements that a thread takes at a time */

/* Values by their bits: place p has bits[p] if used[p], and what the value is known as. */
struct table {
    uint64_t bits[PLACES];
    bool used[PLACES];
    uint8_t index[PLACES];
    int count;
};

static uint64_t bits_at(const struct array *values, int64_t e)
{
    if (values->element == ELEMENT_F32) {
        uint32_t bits;
        memcpy(&bits, (const float *)values->data + e, sizeof bits);
        return bits;
    }
    uint64_t bits;
    memcpy(&bits, (const double *)values->data + e, sizeof bits);
    return bits;
}

/* Return the place of these bits, or the free one where they belong. A table is never full. */
static int place_of(const struct table *table, uint64_t bits)
{
    int p = (int)((bits * 0x9e3779b97f4a7c15ULL) >> 54);
    while (table->used[p] && table->bits[p] != bits)
        p = (p + 1) % PLACES;
    return p;
}

/* Note these bits; false says that there are too many. */
static bool note(struct table *table, uint64_t bits)
{
    int p = place_of(table, bits);
    if (table->used[p]) return true;
    if (table->count == UNIQUE_MAX) return false;
    table->used[p] = true;
    table->bits[p] = bits;
    table->count++;
    return true;
}

/* Note the values of elements first .. end-1. Neighbours are often alike, and are looked up once. */
static bool note_all(struct table *table, const struct array *values, int64_t first, int64_t end)
{
    uint64_t before = 0;
    bool any = false;
    for (int64_t e = first; e < end; e++) {
        uint64_t bits = bits_at(values, e);
        if (any && bits == before) continue;
        if (!note(table, bits)) return false;
        before = bits;
        any = true;
    }
    return true;
}

/* Note what all elements have; false says that it is too much. */
static bool find(struct table *table, const struct array *values)
{
    int64_t blocks = (values->length + BLOCK - 1) / BLOCK;
    bool many = !note_all(table, values, 0, min(values->length, BLOCK));
#pragma omp parallel if (blocks > 2 && !many) default(none) shared(table, values, blocks, many)
    {
        struct table own = {.count = 0};
#pragma omp for schedule(dynamic, 1) nowait
        for (int64_t b = 1; b < blocks; b++) {
            bool stop;
#pragma omp atomic read
            stop = many;
            if (!stop && !note_all(&own, values, b * BLOCK, min((b + 1) * BLOCK, values->length))) {
#pragma omp atomic write
                many = true;
            }
        }
#pragma omp critical(unique)
        for (int p = 0; p < PLACES; p++)
            if (own.used[p] && !note(table, own.bits[p])) {
#pragma omp atomic write
                many = true;
            }
    }
    return !many;
}

static int by_bits(const void *a, const void *b)
{
    uint64_t s = *(const uint64_t *)a, t = *(const uint64_t *)b;
    return s < t ? -1 : s > t;
}

/* Write the values in their order, and give each its index. */
static void order(struct table *table, enum element element, void *value)
{
    uint64_t bits[UNIQUE_MAX];
    int count = 0;
    for (int p = 0; p < PLACES; p++)
        if (table->used[p]) bits[count++] = table->bits[p];
    qsort(bits, (size_t)count, sizeof *bits, by_bits);
    for (int i = 0; i < count; i++) {
        uint32_t lower = (uint32_t)bits[i];
        table->index[place_of(table, bits[i])] = (uint8_t)i;
        if (element == ELEMENT_F32)
            memcpy((float *)value + i, &lower, sizeof lower);
        else
            memcpy((double *)value + i, &bits[i], sizeof bits[i]);
    }
}

static void tell(const struct table *table, const struct array *values, uint8_t *index)
{
#pragma omp parallel for schedule(static) if (values->length > BLOCK)
    for (int64_t e = 0; e < values->length; e++)
        index[e] = table->index[place_of(table, bits_at(values, e))];
}

enum status unique_make(const struct storage *storage, const struct array *values, size_t limit,
                        struct unique *unique, struct error *error)
{
    struct table table = {.count = 0};
    *unique = (struct unique){0};
    if (storage->complex || !values->data || values->length == 0 || !find(&table, values)) return STATUS_OK;
    enum status status = memory_check((size_t)values->length, limit, "indices of values", error);
    if (status != STATUS_OK) return status;
    unique->value = memory_array((size_t)table.count, element_size(values->element), error);
    unique->index = memory_array((size_t)values->length, sizeof *unique->index, error);
    if (!unique->value || !unique->index) {
        unique_free(unique);
        return STATUS_MEMORY;
    }
    order(&table, values->element, unique->value);
    tell(&table, values, unique->index);
    unique->count = table.count;
    return STATUS_OK;
}

void unique_free(struct unique *unique)
{
    free(unique->value);
    free(unique->index);
    *unique = (struct unique){0};
}

/* Kernels */

/* Values of fewer bytes are left as they are: such a matrix is in a cache, where a table costs more than it
 * saves. */
#define WORTH ((size_t)8 << 20)

const char *const unique_words[] = {[UNIQUE_BYTE] = "8", [UNIQUE_FULL] = "full", NULL};

enum status unique_choose(struct launch *launch, int k, const struct array *values, struct unique *unique,
                          struct error *error)
{
    double *choice = &launch->values.number[k];
    bool left = isnan(*choice);
    size_t bytes = (size_t)values->length * element_size(values->element);
    *unique = (struct unique){0};
    if (left ? bytes < WORTH : *choice == UNIQUE_FULL) {
        *choice = UNIQUE_FULL;
        return STATUS_OK;
    }
    enum status status = unique_make(launch->storage, values, launch->limit, unique, error);
    if (status != STATUS_OK) return status;
    if (!left && unique->count == 0 && values->length > 0)
        return error_set(error, STATUS_UNAVAILABLE,
                         "values=8 is for real matrices of which at most %d values differ: take values=full",
                         UNIQUE_MAX);
    *choice = unique->count > 0 ? UNIQUE_BYTE : UNIQUE_FULL;
    return STATUS_OK;
}

void unique_place(const struct launch *launch, const struct unique *unique, size_t count,
                  struct unique *there, struct error *reason)
{
    *there = (struct unique){0};
    if (unique->count == 0 || reason->status != STATUS_OK) return;
    there->value = device_copy_of(launch->device, unique->value,
                                  (size_t)unique->count * (size_t)value_size(launch->storage),
                                  "the values that differ", reason);
    if (there->value)
        there->index = device_copy_of(launch->device, unique->index, count, "indices of values", reason);
    if (there->index) there->count = unique->count;
}

void unique_release(const struct launch *launch, struct unique *there)
{
    device_release(launch->device, there->value);
    device_release(launch->device, there->index);
    *there = (struct unique){0};
}
