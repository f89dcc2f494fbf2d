/* Shared by formats that plan, fill and check their storages. */
#ifndef SPARSIGHT_FORMATS_FILL_H
#define SPARSIGHT_FORMATS_FILL_H

#include "formats/array.h"
#include "formats/format.h"

/* Return the resolved value of parameter k, which is an integer. */
static inline int64_t storage_parameter(const struct storage *storage, int k)
{
    return (int64_t)storage->values.number[k];
}

/* Plan array q, which belongs to part 0 and is not per slot. Arrays are planned in the order of q. */
struct array *plan_array(struct storage *storage, int q, const char *name, enum role role,
                         enum element element, int64_t length, const char *help);

/* Plan array q with an element for each slot of a part; storage->slots[part] is set before. The elements of
 * values follow from the precision and from whether the matrix is complex; those of columns and rows are
 * int32. */
struct array *plan_slots(struct storage *storage, int q, const char *name, enum role role, int part,
                         const char *help);

/* Plan array q of offsets up to `max`. They have 32 bits if `max` fits and storage->wide is not set. All
 * offsets of a storage have the same size: if these need 64 bits, those planned before get 64 bits too. */
struct array *plan_offsets(struct storage *storage, int q, const char *name, int64_t length, int64_t max,
                           const char *help);

/* Announce the temporary bytes of fill. Of several announcements the largest counts, since each step of fill
 * frees its memory. */
void plan_scratch(struct storage *storage, size_t bytes);

/* Return STATUS_OK if plan may allocate this number of bytes, else STATUS_LIMIT with the number and the
 * limit. */
enum status may_plan(const struct storage *storage, size_t bytes, struct error *error);

/* Plan the same matrix in another format with its defaults, in the same precision and with offsets of the
 * same width, for the numbers of that plan. An existing plan is used (storage->plans); the time that it took
 * counts as that of this plan. *other owns nothing. */
enum status plan_other(struct storage *storage, const struct format *format, const struct csr *a,
                       struct progress *progress, struct storage *other, struct error *error);

static inline int32_t *array_i32(struct storage *storage, int q)
{
    return storage->array[q].data;
}

/* Record that slot e of part 0 holds an entry of value 0. Several threads may do this at the same time. */
static inline void keep_slot(struct storage *storage, int64_t e)
{
    __atomic_fetch_or(&storage->kept[e >> 6], (uint64_t)1 << (e & 63), __ATOMIC_RELAXED);
}

/* Put the value of entry k of `a` into element e of a value array, rounded to its precision, unless it is one
 * of an outline without values. In an outline, note that the slot holds an entry. */
static inline void put_value(struct storage *storage, struct array *values, int64_t e, const struct csr *a,
                             int64_t k)
{
    if (storage->entry && values->part == 0) storage->entry[e] = 1;
    if (!values->data) return;
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

/* Put the value of padding, 0, into element e of a value array. In an outline slots are padding from the
 * start. */
static inline void put_zero(struct array *values, int64_t e)
{
    if (!values->data) return;
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

/* Loops that several threads share process blocks of rows of about equal work; a row counts as much as an
 * entry. The cuts between blocks depend only on the matrix, so that the result does not depend on the number
 * of threads.
 *
 * row_blocks returns the number of blocks, at least 1: few enough that a block is worth scheduling, and many
 * enough that one check for cancelling per block suffices. Block b has the rows
 *
 *     row_block_first(a, blocks, b) .. row_block_first(a, blocks, b + 1) - 1
 *
 * where block b's first row is the first one with b / blocks of the work before it. O(log rows). */
int64_t row_blocks(const struct csr *a);
int64_t row_block_first(const struct csr *a, int64_t blocks, int64_t b);

/* Return the first strip of block b if blocks consist of whole strips: strip s has rows s * height ..
 * (s + 1) * height - 1, or those of them that the matrix has. A strip belongs to the block in which its first
 * row lies. */
int64_t strip_block_first(const struct csr *a, int64_t height, int64_t blocks, int64_t b);

/* Return the length of row i. */
static inline int64_t row_length(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* Return the length of the longest row. Parallel. */
int64_t longest_row(const struct csr *a);

/* Return the row, column or chunk in which slot e lies, given its offsets: the largest i in 0 .. n-1 with
 * offsets[i] <= e. With offsets 0 2 2 5, slot 2 lies in row 2, since row 1 is empty. O(log n). */
int64_t offset_find(const struct array *offsets, int64_t n, int64_t e);

/* Return the index of the first among elements low .. high-1, which ascend, that is at least `value`, or
 * `high` if none is. O(log(high - low)). */
int64_t array_lower_bound(const struct array *array, int64_t low, int64_t high, int64_t value);

/* These functions check one array, and return STATUS_INPUT with the array's name, the element and the fault.
 * check_ascending: the first element is 0, the last one is `last`, and none is less than the one before it.
 * check_within: all elements lie in min .. max. check_distinct: all elements lie in 0 .. n-1, and no two are
 * equal; it takes n bytes and one thread, the others run in parallel. */
enum status check_ascending(const struct array *array, int64_t last, struct error *error);
enum status check_within(const struct array *array, int64_t min, int64_t max, struct error *error);
enum status check_distinct(const struct array *array, int64_t n, struct error *error);

/* Return STATUS_INPUT with an error such as "col[7] = 12 WHAT". */
enum status bad_element(const struct array *array, int64_t e, const char *what, struct error *error);

/* Return no elements, or `count` of them from `first` on. */
struct extent extent_none(void);
struct extent extent_of(int64_t first, int64_t count);

/* `touch` and `leads` of a format all of whose arrays are per slot, and `label` of a format whose line i is
 * row i, or lies beyond the matrix. */
struct extent touch_none(const struct storage *storage, int q, const struct spot *spot);
struct place leads_nowhere(const struct storage *storage, int q, int64_t e);
int64_t label_row(const struct storage *storage, int64_t line);

#endif
