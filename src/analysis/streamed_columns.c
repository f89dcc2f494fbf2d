#include "analysis/streamed_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/exact.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"

/* Number of entries in a batch, whose intermediate results stay in the first-level cache. */
#define BATCH 512

/* Prefetch distance in entries: the data of a column are fetched this number of entries ahead. */
#define AHEAD 128

/* No prefetch if all columns of a batch lie within this number of columns. */
#define NEAR 16384

/* The bits that a mantissa of 53 is shifted up if its exponent is `top`: 2^32 of them are less than 2^128. */
#define LIFT 43

/* The unit leaves room for values 2^SPARE times the largest one, so that it seldom changes. */
#define HEADROOM 3

/* The exponent field of a double, above the mantissa. */
#define MANTISSA_BITS 52
#define EXPONENT_MAX 2046
#define EXPONENT_ZERO 1075

/* Values as numbers of units. */
struct units {
    uint64_t low[BATCH], high[BATCH];
};

enum status streamed_columns_start(int64_t count, bool summed, struct streamed_columns *columns,
                                   struct error *error)
{
    size_t size = summed ? sizeof *columns->column : sizeof *columns->lengths;
    void *array = memory_zeroed((size_t)count, size, error);
    *columns = (struct streamed_columns){.count = count};
    if (!array) return STATUS_MEMORY;
    threads_place(array, (size_t)count * size);
    if (summed)
        columns->column = array;
    else
        columns->lengths = array;
    return STATUS_OK;
}

void streamed_columns_free(struct streamed_columns *columns)
{
    free(columns->column);
    free(columns->lengths);
    *columns = (struct streamed_columns){0};
}

/* Return the bits of the largest finite |a|; bits are ordered as the numbers are. 0 without values. */
WIDE static int64_t largest_of(const double *val, int64_t count)
{
    int64_t largest = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t bits;
        memcpy(&bits, &val[k], sizeof bits);
        bits &= INT64_MAX;
        bits = bits >> MANTISSA_BITS > EXPONENT_MAX ? 0 : bits;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

/* Turn values into units if those of exponent `top` are shifted up by LIFT. C does not define shifts by less
 * than 0 or more than 63. They are masked, and their results are not used. */
WIDE static void make_units(const double *val, int64_t count, int top, struct units *units)
{
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &val[k], sizeof bits);
        uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
        int64_t exponent = (int64_t)(bits >> MANTISSA_BITS & 2047);
        uint64_t mantissa = fraction | (exponent != 0 ? (uint64_t)1 << MANTISSA_BITS : 0);
        mantissa = exponent > EXPONENT_MAX ? 0 : mantissa;
        int64_t up = (exponent != 0 ? exponent : 1) - top + LIFT;
        up = up < -63 ? -63 : up;
        uint64_t left = mantissa << (up & 63), right = mantissa >> (-up & 63);
        units->low[k] = up > 0 ? left : right;
        units->high[k] = up > 0 ? right : 0;
    }
}

static exact_integer sum_of_column(const struct streamed_column *column)
{
    return (exact_integer)column->high << 64 | column->low;
}

/* Enlarge the unit for values with an exponent above `top`. */
static void raise_unit(struct streamed_columns *columns, int exponent)
{
    int top = (int)min(exponent + HEADROOM, EXPONENT_MAX), down = top - columns->top;
    for (int64_t j = 0; j < columns->count && columns->top > 0; j++) {
        struct streamed_column *column = &columns->column[j];
        exact_integer sum = down < 128 ? sum_of_column(column) >> down : 0;
        column->low = (uint64_t)sum;
        column->high = (uint64_t)(sum >> 64);
    }
    columns->top = top;
}

/* A quarter of the columns cross two cache lines. */
static inline void fetch(struct streamed_column *column)
{
    __builtin_prefetch(&column->low, 1);
    __builtin_prefetch(&column->length, 1);
}

static inline void add(struct streamed_column *column, uint64_t low, uint64_t high)
{
    exact_integer sum = sum_of_column(column) + ((exact_integer)high << 64 | low);
    column->low = (uint64_t)sum;
    column->high = (uint64_t)(sum >> 64);
    column->length++;
}

/* True if these columns are close enough to stay in the second-level cache. */
WIDE static bool are_near(const int32_t *col, int64_t count)
{
    int32_t least = INT32_MAX, most = 0;
    for (int64_t k = 0; k < count; k++) {
        least = col[k] < least ? col[k] : least;
        most = col[k] > most ? col[k] : most;
    }
    return most - least < NEAR;
}

/* Take `count` entries of the `there` that are available. */
static void take_batch(struct streamed_columns *columns, const int32_t *col, const double *val, int64_t count,
                       int64_t there)
{
    struct units units;
    struct streamed_column *column = columns->column;
    int exponent = (int)max(largest_of(val, count) >> MANTISSA_BITS, 1);
    if (exponent > columns->top) raise_unit(columns, exponent);
    make_units(val, count, columns->top, &units);
    int64_t fetched = are_near(col, count) ? 0 : max(min(count, there - AHEAD), 0);
    for (int64_t k = 0; k < fetched; k++) {
        fetch(&column[col[k + AHEAD]]);
        add(&column[col[k]], units.low[k], units.high[k]);
    }
    for (int64_t k = fetched; k < count; k++)
        add(&column[col[k]], units.low[k], units.high[k]);
}

void streamed_columns_take(struct streamed_columns *columns, const int32_t *col, const double *val,
                           int64_t count)
{
    for (int64_t k = 0; k < count && !columns->column; k++)
        columns->lengths[col[k]]++;
    for (int64_t from = 0; from < count && columns->column; from += BATCH)
        take_batch(columns, col + from, val + from, min(count - from, BATCH), count - from);
}

double streamed_columns_most(const struct streamed_columns *columns)
{
    exact_integer most = 0;
    for (int64_t j = 0; j < columns->count && columns->column; j++) {
        exact_integer sum = sum_of_column(&columns->column[j]);
        if (sum > most) most = sum;
    }
    return most ? ldexp((double)most, columns->top - EXPONENT_ZERO - LIFT) : 0;
}

/* Move the lengths to the beginning of the array. None is moved over a column that has not been read. */
void streamed_columns_end(struct streamed_columns *columns, uint32_t **lengths)
{
    if (columns->column) {
        uint32_t *moved = (uint32_t *)(void *)columns->column;
        for (int64_t j = 0; j < columns->count; j++) {
            uint32_t length = columns->column[j].length;
            memcpy(&moved[j], &length, sizeof length);
        }
        *lengths = realloc(moved, (size_t)max(columns->count, 1) * sizeof *moved);
        if (!*lengths) *lengths = moved;
    } else
        *lengths = columns->lengths;
    *columns = (struct streamed_columns){0};
}
