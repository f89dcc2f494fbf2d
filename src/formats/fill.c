#include "formats/fill.h"

#include <stdio.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

struct array *plan_array(struct storage *storage, int q, const char *name, enum role role,
                         enum element element, int64_t length, const char *help)
{
    storage->array[q] =
        (struct array){.name = name, .help = help, .role = role, .element = element, .length = length};
    storage->count = q + 1;
    return &storage->array[q];
}

static enum element value_element(const struct storage *storage)
{
    if (storage->precision == PRECISION_F32) return storage->complex ? ELEMENT_C32 : ELEMENT_F32;
    return storage->complex ? ELEMENT_C64 : ELEMENT_F64;
}

struct array *plan_slots(struct storage *storage, int q, const char *name, enum role role, int part,
                         const char *help)
{
    enum element element = role == ROLE_VALUES ? value_element(storage) : ELEMENT_I32;
    struct array *array = plan_array(storage, q, name, role, element, storage->slots[part], help);
    array->part = part;
    array->per_slot = true;
    return array;
}

struct array *plan_offsets(struct storage *storage, int q, const char *name, int64_t length, int64_t max,
                           const char *help)
{
    if (max > INT32_MAX) storage->wide = true;
    for (int p = 0; storage->wide && p < q; p++)
        if (storage->array[p].role == ROLE_POINTERS) storage->array[p].element = ELEMENT_I64;
    return plan_array(storage, q, name, ROLE_POINTERS, storage->wide ? ELEMENT_I64 : ELEMENT_I32, length,
                      help);
}

void plan_scratch(struct storage *storage, size_t bytes)
{
    if (bytes > storage->scratch) storage->scratch = bytes;
}

enum status may_plan(const struct storage *storage, size_t bytes, struct error *error)
{
    char what[64];
    snprintf(what, sizeof what, "planning %s", storage->format->name);
    enum status status = memory_check(bytes, storage->limit, what, error);
    return status ? status
                  : memory_check_beside(bytes, csr_bytes(storage->rows, storage->nnz, storage->complex),
                                        storage->limit, what, error);
}

enum status plan_other(struct storage *storage, const struct format *format, const struct csr *a,
                       struct progress *progress, struct storage *other, struct error *error)
{
    const struct format_choice choice = format_choice_default(format, storage->precision);
    const struct format_options options = {.wide = storage->wide, .limit = storage->limit};
    const struct plans *plans = storage->wide ? NULL : storage->plans;
    const struct storage *plan = other;
    double start = clock_seconds();
    enum status status = plans ? plans->plan(plans->context, &choice, storage->limit, progress, &plan, error)
                               : format_plan(&choice, &options, a, progress, other, error);
    if (status != STATUS_OK) return status;
    if (plan != other) *other = *plan;
    storage->planning += other->planning - (clock_seconds() - start);
    return STATUS_OK;
}

#define WORK_PER_BLOCK 65536
#define BLOCKS_MAX 65536

/* Rows of a stretch; a stretch without entries is skipped. */
#define STRETCH_ROWS 1024

/* Return the number of entries and rows before row i. */
static inline int64_t work_before(const struct csr *a, int64_t i)
{
    return a->row_ptr[i] + i;
}

int64_t row_blocks(const struct csr *a)
{
    return 1 + min(work_before(a, a->rows) / WORK_PER_BLOCK, BLOCKS_MAX);
}

int64_t row_block_first(const struct csr *a, int64_t blocks, int64_t b)
{
    int64_t target = (int64_t)((double)work_before(a, a->rows) * (double)b / (double)blocks);
    int64_t low = 0, high = a->rows; /* the row lies in low .. high */
    if (b >= blocks) return a->rows; /* rounding must not lose the last rows */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (work_before(a, middle) < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t strip_block_first(const struct csr *a, int64_t height, int64_t blocks, int64_t b)
{
    return (row_block_first(a, blocks, b) + height - 1) / height;
}

int64_t longest_row(const struct csr *a)
{
    int64_t longest = 0;
#pragma omp parallel for reduction(max : longest) if (a->rows > PARALLEL_MIN)
    for (int64_t first = 0; first < a->rows; first += STRETCH_ROWS) {
        const int64_t end = min(first + STRETCH_ROWS, a->rows);
        if (a->row_ptr[first] == a->row_ptr[end]) continue;
        for (int64_t i = first; i < end; i++)
            longest = max(longest, row_length(a, i));
    }
    return longest;
}

int64_t offset_find(const struct array *offsets, int64_t n, int64_t e)
{
    int64_t low = 0, high = n; /* offset[low] <= e < offset[high] */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (array_integer(offsets, middle) <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t array_lower_bound(const struct array *array, int64_t low, int64_t high, int64_t value)
{
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (array_integer(array, middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum status bad_element(const struct array *array, int64_t e, const char *what, struct error *error)
{
    char text[64];
    return error_set(error, STATUS_INPUT, "%s[%lld] = %s %s", array->name, (long long)e,
                     array_text(array, e, text, sizeof text), what);
}

enum status check_ascending(const struct array *array, int64_t last, struct error *error)
{
    int64_t n = array->length, worst = n;
    if (n < 1) return error_set(error, STATUS_INPUT, "%s has no element", array->name);
    if (array_integer(array, 0) != 0) return bad_element(array, 0, "is not 0", error);
#pragma omp parallel for reduction(min : worst) if (n > PARALLEL_MIN)
    for (int64_t e = 1; e < n; e++)
        if (e < worst && array_integer(array, e) < array_integer(array, e - 1)) worst = e;
    if (worst < n) return bad_element(array, worst, "is less than the one before", error);
    if (array_integer(array, n - 1) != last) return bad_element(array, n - 1, "is not the end", error);
    return STATUS_OK;
}

enum status check_within(const struct array *array, int64_t min, int64_t max, struct error *error)
{
    int64_t n = array->length, worst = n;
#pragma omp parallel for reduction(min : worst) if (n > PARALLEL_MIN)
    for (int64_t e = 0; e < n; e++) {
        int64_t value = array_integer(array, e);
        if (e < worst && (value < min || value > max)) worst = e;
    }
    return worst < n ? bad_element(array, worst, "lies out of range", error) : STATUS_OK;
}

enum status check_distinct(const struct array *array, int64_t n, struct error *error)
{
    enum status status = check_within(array, 0, n - 1, error);
    if (status != STATUS_OK) return status;
    uint8_t *seen = memory_zeroed((size_t)n, 1, error);
    if (!seen) return STATUS_MEMORY;
    for (int64_t e = 0; e < array->length && status == STATUS_OK; e++) {
        int64_t value = array_integer(array, e);
        if (seen[value]) status = bad_element(array, e, "occurs twice", error);
        seen[value] = 1;
    }
    free(seen);
    return status;
}

struct extent extent_none(void)
{
    return (struct extent){0, 0};
}

struct extent extent_of(int64_t first, int64_t count)
{
    return (struct extent){first, first + count};
}

struct extent touch_none(const struct storage *storage, int q, const struct spot *spot)
{
    return extent_none();
}

struct place leads_nowhere(const struct storage *storage, int q, int64_t e)
{
    return (struct place){-1, -1};
}

int64_t label_row(const struct storage *storage, int64_t line)
{
    return line < storage->rows ? line : -1;
}
