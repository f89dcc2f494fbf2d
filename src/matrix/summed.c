#include "matrix/summed.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"

#define FIRST_CAPACITY 64

static enum status grow(struct summed *summed, struct error *error)
{
    int64_t capacity = summed->capacity ? 2 * summed->capacity : FIRST_CAPACITY;
    if (capacity > SUMMED_MAX) capacity = SUMMED_MAX;
    struct summed_place *list = memory_resize(summed->list, (size_t)capacity, sizeof *list, error);
    if (!list) return STATUS_MEMORY;
    summed->list = list;
    summed->capacity = capacity;
    return STATUS_OK;
}

enum status summed_add(struct summed *summed, int64_t row, int64_t col, int64_t entries, struct error *error)
{
    summed->count++;
    if (summed->kept == SUMMED_MAX) return STATUS_OK;
    if (summed->kept == summed->capacity && grow(summed, error) != STATUS_OK) return STATUS_MEMORY;
    summed->list[summed->kept++] = (struct summed_place){
        (int32_t)row, (int32_t)col, entries < UINT32_MAX ? (uint32_t)entries : UINT32_MAX};
    return STATUS_OK;
}

static bool is_after(const struct summed_place *place, int64_t row, int64_t col)
{
    return place->row > row || (place->row == row && place->col > col);
}

int64_t summed_after(const struct summed *summed, int64_t row, int64_t col)
{
    int64_t low = 0, high = summed->kept;
    BISECT(low, high, !is_after(&summed->list[middle], row, col));
    return low;
}

static int by_place(const void *a, const void *b)
{
    const struct summed_place *left = a, *right = b;
    if (left->row != right->row) return left->row < right->row ? -1 : 1;
    return (left->col > right->col) - (left->col < right->col);
}

void summed_sort(struct summed *summed)
{
    if (summed->kept > 1) qsort(summed->list, (size_t)summed->kept, sizeof *summed->list, by_place);
}

void summed_free(struct summed *summed)
{
    free(summed->list);
    *summed = (struct summed){0};
}
