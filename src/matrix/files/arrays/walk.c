#include "matrix/files/arrays/walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/wide.h"

/* Columns of another type read at once: few system calls, and they stay in the cache. */
#define FILL_PIECE 8192

enum status walk_wrong(const struct arrays *arrays, struct error *error, const char *format, ...)
{
    char message[512];
    va_list words;
    va_start(words, format);
    vsnprintf(message, sizeof message, format, words);
    va_end(words);
    return error_at(error, STATUS_INPUT, arrays->path, 0, 0, "%s", message);
}

int64_t walk_line(const struct walk *walk, int64_t k)
{
    int64_t low = 1, high = walk->line_count; /* pointers[low - 1] <= k < pointers[high] */
    BISECT(low, high, walk->pointers[middle] <= k);
    return low - 1;
}

enum status walk_check_index(const struct walk *walk, const struct view *view, int64_t k, int64_t index,
                             int64_t size, struct error *error)
{
    int64_t base = walk->arrays->base;
    if (index >= 0 && index < size) return STATUS_OK;
    return walk_wrong(walk->arrays, error,
                      "element %" PRId64 " of %s is %" PRId64 ", which is not among %" PRId64 " to %" PRId64,
                      k + 1, view->name, index + base, base, size - 1 + base);
}

enum status walk_indices(const struct walk *walk, const struct view *view, int64_t k, int64_t count,
                         int64_t size, int64_t *out, struct error *error)
{
    enum status status = view_integers(view, k, count, out, error);
    for (int64_t t = 0; t < count && status == STATUS_OK; t++) {
        out[t] -= walk->arrays->base;
        if ((uint64_t)out[t] >= (uint64_t)size)
            status = walk_check_index(walk, view, k + t, out[t], size, error);
    }
    return status;
}

/* Return true if all of these indices are among 0 .. size-1. The loop does not stop at the first invalid one,
 * so that the compiler vectorises it: the sign bit of index | (last - index) is set if the index is negative
 * or beyond the last. */
WIDE static bool indices_fit(const int32_t *index, int64_t count, int64_t size)
{
    uint32_t outside = 0, last = (uint32_t)(size - 1);
    if (size == 0) return count == 0;
    for (int64_t k = 0; k < count; k++)
        outside |= (uint32_t)index[k] | (last - (uint32_t)index[k]);
    return outside <= INT32_MAX;
}

enum status walk_narrow_indices(const struct walk *walk, const struct view *view, int64_t k, int64_t count,
                                int64_t size, int32_t *out, struct error *error)
{
    uint32_t base = (uint32_t)walk->arrays->base;
    if (view->type == NUMBER_I32) {
        enum status status = view_copy_native(view, k, count, out, error);
        if (status != STATUS_OK) return status;
        for (int64_t t = 0; t < count && base != 0; t++)
            out[t] = (int32_t)((uint32_t)out[t] - base);
        if (indices_fit(out, count, size)) return STATUS_OK;
    }
    enum status status = STATUS_OK;
    int64_t pieces[FILL_PIECE];
    for (int64_t done = 0, some; done < count && status == STATUS_OK; done += some) {
        some = count - done < FILL_PIECE ? count - done : FILL_PIECE;
        status = walk_indices(walk, view, k + done, some, size, pieces, error);
        for (int64_t t = 0; t < some && status == STATUS_OK; t++)
            out[done + t] = (int32_t)pieces[t];
    }
    return status;
}

enum status walk_values(struct walk *walk, int64_t k, int64_t count, bool counted, double *real,
                        double *imaginary, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    enum status status = STATUS_OK;
    int64_t rounded = 0;
    if (arrays->field == FIELD_PATTERN) {
        for (int64_t t = 0; t < count; t++)
            real[t] = 1;
        return STATUS_OK;
    }
    bool apart = imaginary && arrays->imaginary.count > 0;
    if (arrays->single) {
        status = view_reals(&arrays->value, 0, 1, real, imaginary, &rounded, error);
        if (rounded && counted) atomic_fetch_add(&walk->rounded, count);
        for (int64_t t = 1; t < count; t++) {
            real[t] = real[0];
            if (imaginary) imaginary[t] = imaginary[0];
        }
        return status;
    }
    status = view_reals(&arrays->value, k, count, real, apart ? NULL : imaginary, &rounded, error);
    if (status == STATUS_OK && apart)
        status = view_reals(&arrays->imaginary, k, count, imaginary, NULL, &rounded, error);
    if (rounded && counted) atomic_fetch_add(&walk->rounded, rounded);
    return status;
}

/* --- rows read directly into the arrays --- */

/* Check the order of entry `begin`, which is not the first of its row. The previous entry, which another
 * thread writes, may be missing yet: it is read from the file again. */
static enum status check_seam(const struct walk *walk, int64_t begin, const struct csr *a,
                              struct rows_found *found, struct error *error)
{
    int64_t before;
    enum status status = view_integers(&walk->arrays->col, begin - 1, 1, &before, error);
    if (status == STATUS_OK) found->unsorted |= before - walk->arrays->base >= a->col[begin];
    return status;
}

/* Check the order of rows. Columns that do not ascend are counted over all entries, which the compiler
 * vectorises, and over the first entries of rows, where that is allowed. */
static enum status check_order(const struct walk *walk, int64_t begin, int64_t end, const struct csr *a,
                               struct rows_found *found, struct error *error)
{
    int32_t all = 0, allowed = 0;
    int64_t line = walk_line(walk, begin);
    for (int64_t k = begin + 1; k < end; k++)
        all += a->col[k] <= a->col[k - 1];
    while (line < a->rows && a->row_ptr[line] <= begin)
        line++;
    for (int64_t last = begin; line < a->rows && a->row_ptr[line] < end; line++) {
        int64_t k = a->row_ptr[line];
        if (k > last) allowed += a->col[k] <= a->col[k - 1]; /* rows without entries begin there, too */
        last = k;
    }
    found->unsorted |= all > allowed;
    bool within = a->row_ptr[walk_line(walk, begin)] < begin;
    return within ? check_seam(walk, begin, a, found, error) : STATUS_OK;
}

/* The bits of a double without its sign, which are 0 only for 0 and -0. */
static inline uint64_t magnitude(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits << 1;
}

/* Count the zeros by integers, which the compiler vectorises: for each x except 0, x or -x has the top
 * bit. */
static void count_zeros(const struct csr *a, int64_t begin, int64_t end, struct rows_found *found)
{
    uint64_t others = 0;
    const double *val = a->val + begin, *imaginary = a->imaginary ? a->imaginary + begin : val;
    for (int64_t k = 0; k < end - begin; k++) {
        uint64_t x = magnitude(val[k]) | magnitude(imaginary[k]);
        others += (x | (0 - x)) >> 63;
    }
    found->zeros += end - begin - (int64_t)others;
}

enum status walk_fill_rows(void *self, int64_t block, struct csr *a, struct rows_found *found,
                           struct error *error)
{
    struct walk *walk = self;
    int64_t begin = block * WALK_BLOCK, end = begin + WALK_BLOCK;
    if (end > walk->entries) end = walk->entries;
    enum status status =
        walk_narrow_indices(walk, &walk->arrays->col, begin, end - begin, a->cols, a->col + begin, error);
    if (status == STATUS_OK) status = check_order(walk, begin, end, a, found, error);
    if (status == STATUS_OK)
        status = walk_values(walk, begin, end - begin, true, a->val + begin,
                             a->imaginary ? a->imaginary + begin : NULL, error);
    if (status == STATUS_OK) count_zeros(a, begin, end, found);
    found->first = begin;
    found->end = end;
    found->first_row = walk_line(walk, begin);
    found->end_row = a->rows;
    return status;
}
