#include "formats/unique.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* A table has four times as many slots as values, so that most searches take one step. */
#define PLACES (4 * UNIQUE_MAX)
#define BLOCK ((int64_t)1 << 16) /* elements that a thread takes at a time */

/* Values by their bits: slot p has bits[p] if used[p], and the index of the value. */
struct table {
    uint64_t bits[PLACES];
    bool used[PLACES];
    uint8_t index[PLACES];
    int count;
};

/* The numbers to search. Those of a matrix are doubles, and may count as rounded. */
struct numbers {
    const float *single;
    const double *number; /* NULL if `single` is not */
    int64_t length;
    bool rounded;
};

static uint64_t bits_at(const struct numbers *numbers, int64_t e)
{
    if (numbers->single || numbers->rounded) {
        float number = numbers->single ? numbers->single[e] : (float)numbers->number[e];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    uint64_t bits;
    memcpy(&bits, &numbers->number[e], sizeof bits);
    return bits;
}

/* Return the slot of these bits, or the free slot for them. A table is never full. */
static int place_of(const struct table *table, uint64_t bits)
{
    int p = (int)((bits * 0x9e3779b97f4a7c15ULL) >> 54);
    while (table->used[p] && table->bits[p] != bits)
        p = (p + 1) % PLACES;
    return p;
}

/* Add these bits; false if there are too many. */
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

/* Add the values of elements first .. end-1. Equal neighbours are looked up once. */
static bool note_all(struct table *table, const struct numbers *numbers, int64_t first, int64_t end)
{
    uint64_t before = 0;
    bool any = false;
    for (int64_t e = first; e < end; e++) {
        uint64_t bits = bits_at(numbers, e);
        if (any && bits == before) continue;
        if (!note(table, bits)) return false;
        before = bits;
        any = true;
    }
    return true;
}

/* Add the values of all elements; false if there are too many. */
static bool find(struct table *table, const struct numbers *numbers)
{
    int64_t blocks = (numbers->length + BLOCK - 1) / BLOCK;
    bool many = !note_all(table, numbers, 0, min(numbers->length, BLOCK));
#pragma omp parallel if (blocks > 2 && !many) default(none) shared(table, numbers, blocks, many)
    {
        struct table own = {.count = 0};
#pragma omp for schedule(dynamic, 1) nowait
        for (int64_t b = 1; b < blocks; b++) {
            bool stop;
#pragma omp atomic read
            stop = many;
            if (!stop && !note_all(&own, numbers, b * BLOCK, min((b + 1) * BLOCK, numbers->length))) {
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

static void tell(const struct table *table, const struct numbers *numbers, uint8_t *index)
{
#pragma omp parallel for schedule(static) if (numbers->length > BLOCK)
    for (int64_t e = 0; e < numbers->length; e++)
        index[e] = table->index[place_of(table, bits_at(numbers, e))];
}

enum status unique_make(const struct array *values, size_t limit, struct unique *unique, struct error *error)
{
    const bool single = values->element == ELEMENT_F32;
    const struct numbers numbers = {.single = single ? values->data : NULL,
                                    .number = single ? NULL : values->data,
                                    .length = values->length};
    struct table table = {.count = 0};
    *unique = (struct unique){0};
    if (!values->data || values->length == 0 || (!single && values->element != ELEMENT_F64)) return STATUS_OK;
    if (!find(&table, &numbers)) {
        unique->count = -1;
        return STATUS_OK;
    }
    enum status status = memory_check((size_t)values->length, limit, "indices of values", error);
    if (status != STATUS_OK) return status;
    unique->value = memory_array((size_t)table.count, element_size(values->element), error);
    unique->index = memory_array((size_t)values->length, sizeof *unique->index, error);
    if (!unique->value || !unique->index) {
        unique_free(unique);
        return STATUS_MEMORY;
    }
    order(&table, values->element, unique->value);
    tell(&table, &numbers, unique->index);
    unique->count = table.count;
    return STATUS_OK;
}

void unique_free(struct unique *unique)
{
    free(unique->value);
    free(unique->index);
    *unique = (struct unique){0};
}

/* Find the distinct values of the entries; false if there are none or too many. */
static bool find_entries(const struct csr *a, bool single, struct table *table)
{
    const struct numbers numbers = {.number = a->val, .length = a->row_ptr[a->rows], .rounded = single};
    table->count = 0;
    memset(table->used, 0, sizeof table->used);
    return a->val && !a->imaginary && numbers.length > 0 && find(table, &numbers);
}

bool unique_few(const struct csr *a, bool single)
{
    struct table table;
    return find_entries(a, single, &table);
}

struct distinct_values distinct_values(const struct csr *a, bool single)
{
    const uint64_t exponent = single ? 0x7f800000U : 0x7ff0000000000000U;
    struct table table;
    if (!find_entries(a, single, &table)) return (struct distinct_values){.count = 0};
    struct distinct_values values = {.count = table.count, .finite = true};
    for (int p = 0; p < PLACES; p++) {
        if (!table.used[p]) continue;
        values.zero = values.zero || table.bits[p] == 0;
        values.finite = values.finite && (table.bits[p] & exponent) != exponent;
    }
    return values;
}
