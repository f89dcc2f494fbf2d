/* What the formats have in common when they plan and fill: their arrays, values and blocks of rows. Only
 * formats include this. */
#ifndef SPARSIGHT_FORMATS_FILL_H
#define SPARSIGHT_FORMATS_FILL_H

#include "formats/array.h"
#include "formats/format.h"

/* Parameter k of the storage, resolved, as an integer. */
static inline int64_t storage_parameter(const struct storage *storage, int k)
{
    return (int64_t)storage->values.number[k];
}

/* Plan array q, of part 0 and not per slot. Arrays are planned in the order of their numbers. */
struct array *plan_array(struct storage *storage, int q, const char *name, enum role role,
                         enum element element, int64_t length, const char *help);

/* Plan array q with an element for each slot of a part, whose slots are set before. Values get the element
 * that precision and field ask for, columns and rows int32. */
struct array *plan_slots(struct storage *storage, int q, const char *name, enum role role, int part,
                         const char *help);

/* Plan array q of offsets up to `max`: 32 bits if that fits and 64 are not asked for. All offsets of a
 * storage are of one size, so those planned before get 64 bits too if this one needs them. */
struct array *plan_offsets(struct storage *storage, int q, const char *name, int64_t length, int64_t max,
                           const char *help);

/* Announce that fill takes so many bytes for itself at once; of several announcements the largest counts. */
void plan_scratch(struct storage *storage, size_t bytes);

/* Whether plan may take so many bytes for itself: STATUS_OK, or STATUS_LIMIT with them and the limit. */
enum status may_plan(const struct storage *storage, size_t bytes, struct error *error);

static inline int32_t *array_i32(struct storage *storage, int q)
{
    return storage->array[q].data;
}

/* Note that slot e of part 0 holds an entry of value 0. From any thread. */
static inline void keep_slot(struct storage *storage, int64_t e)
{
    __atomic_fetch_or(&storage->kept[e >> 6], (uint64_t)1 << (e & 63), __ATOMIC_RELAXED);
}

/* Put the value of entry k of `a` into element e of a value array, rounded to its precision. */
static inline void put_value(struct storage *storage, struct array *values, int64_t e, const struct csr *a,
                             int64_t k)
{
    double real = a->val[k], imaginary = storage->complex ? a->imaginary[k] : 0;
    bool zero;
    switch (values->element) {
    case ELEMENT_F64:
        ((double *)values->data)[e] = real;
        zero = real == 0;
        break;
    case ELEMENT_F32:
        ((float *)values->data)[e] = (float)real;
        zero = (float)real == 0;
        break;
    case ELEMENT_C64:
        ((double *)values->data)[2 * e] = real;
        ((double *)values->data)[2 * e + 1] = imaginary;
        zero = real == 0 && imaginary == 0;
        break;
    default:
        ((float *)values->data)[2 * e] = (float)real;
        ((float *)values->data)[2 * e + 1] = (float)imaginary;
        zero = (float)real == 0 && (float)imaginary == 0;
        break;
    }
    if (zero && storage->kept && values->part == 0) keep_slot(storage, e);
}

/* Put 0 into element e of a value array: padding. */
static inline void put_zero(struct array *values, int64_t e)
{
    switch (values->element) {
    case ELEMENT_F64:
        ((double *)values->data)[e] = 0;
        break;
    case ELEMENT_F32:
        ((float *)values->data)[e] = 0;
        break;
    case ELEMENT_C64:
        ((double *)values->data)[2 * e] = ((double *)values->data)[2 * e + 1] = 0;
        break;
    default:
        ((float *)values->data)[2 * e] = ((float *)values->data)[2 * e + 1] = 0;
        break;
    }
}

/* Rows of a matrix in blocks of about equal work, entries and rows counted alike, for loops that several
 * threads share: `blocks` of them, at least 1, few enough that each is worth a thread's while and many enough
 * that cancelling is heard. Block b has rows row_block_first(a, n, b) .. row_block_first(a, n, b + 1) - 1.
 * O(log rows). */
int64_t row_blocks(const struct csr *a);
int64_t row_block_first(const struct csr *a, int64_t blocks, int64_t b);

/* The same in whole strips of `height` rows, the last of them cut off where the matrix ends: block b has
 * strips strip_block_first(a, height, blocks, b) .. strip_block_first(a, height, blocks, b + 1) - 1. */
int64_t strip_block_first(const struct csr *a, int64_t height, int64_t blocks, int64_t b);

/* Length of row i. */
static inline int64_t row_length(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* The longest row. Parallel. */
int64_t longest_row(const struct csr *a);

/* The row that holds position e among ascending offsets offset[0..n] of an array of pointers: the last i with
 * offset[i] <= e. O(log n). */
int64_t offset_find(const struct array *offsets, int64_t n, int64_t e);

/* The first of elements low .. high-1, which ascend, that is at least `value`; high if none is. O(log n). */
int64_t array_lower_bound(const struct array *array, int64_t low, int64_t high, int64_t value);

/* Checks of one array for validate, each STATUS_INPUT with the array's name, the element and what is wrong.
 * ascending: from 0 to `last`, never descending. within: every element in min .. max. distinct: in
 * 0 .. n-1, and none twice; n bytes of scratch. Parallel but for the last. */
enum status check_ascending(const struct array *array, int64_t last, struct error *error);
enum status check_within(const struct array *array, int64_t min, int64_t max, struct error *error);
enum status check_distinct(const struct array *array, int64_t n, struct error *error);

/* STATUS_INPUT: "col[7] = 12 WHAT". */
enum status bad_element(const struct array *array, int64_t e, const char *what, struct error *error);

/* The usual answers. */
struct extent extent_none(void);
struct extent extent_of(int64_t first, int64_t count);

/* touch and leads of a format whose arrays all are per slot, and label where line i is row i. */
struct extent touch_none(const struct storage *storage, int q, const struct spot *spot);
struct place leads_nowhere(const struct storage *storage, int q, int64_t e);
int64_t label_row(const struct storage *storage, int64_t line);

#endif
