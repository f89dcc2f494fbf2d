/* Rounding after rows and columns were scaled by powers of two (precisions.h). */
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/precisions_batch.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"
#include "formats/fill.h"
#include "matrix/nonempty.h"

/* Smaller exponents of scaled values become this one. All types round both to 0. */
#define EXPONENT_MIN (-900)

#define FRACTION (((uint64_t)1 << 52) - 1)

/* The exponents e of rows and columns: their largest |value| is from 2^(e-1) to 2^e. */
struct scaling {
    const struct csr *a;
    int32_t *col; /* of columns, after rows were scaled; INT32_MIN: no finite value but 0 */
    struct progress *progress;
};

struct scaled_work {
    double base[2][PRECISION_BATCH]; /* values scaled to below 1 */
    double val[PRECISION_BATCH];
    struct rounded_batch batch;
    struct rounded rounded[NUMBER_TYPES];
};

/* The exponent e of a value > 0, with 2^(e-1) <= value < 2^e. */
static inline int exponent_of(double value)
{
    uint64_t bits;
    int exponent;
    memcpy(&bits, &value, sizeof bits);
    exponent = (int)(bits >> 52) - 1022;
    if (value < DBL_MIN) frexp(value, &exponent);
    return exponent;
}

/* The larger absolute value of the parts of a value. A part that is not finite counts as 0. */
static inline double size_of(const struct csr *a, int64_t k)
{
    double size = fabs(a->val[k]), other = a->imaginary ? fabs(a->imaginary[k]) : 0;
    size = size <= DBL_MAX ? size : 0;
    other = other <= DBL_MAX ? other : 0;
    return size > other ? size : other;
}

/* Entries between two checks of the progress. */
#define STRETCH ((int64_t)1 << 18)

/* The exponent of a row's largest value; 0 if it has no finite value but 0. */
static int row_exponent(const struct scaling *s, int64_t i)
{
    double largest = 0;
    int64_t end = s->a->row_ptr[i + 1];
    for (int64_t k = s->a->row_ptr[i]; k < end && !progress_cancelled(s->progress);)
        for (int64_t stop = min(k + STRETCH, end); k < stop; k++) {
            double size = size_of(s->a, k);
            largest = size > largest ? size : largest;
        }
    return largest > 0 ? exponent_of(largest) : 0;
}

/* Raise the exponent of a column. Maxima do not depend on the order. */
static inline void raise(int32_t *column, int32_t exponent)
{
    int32_t old = __atomic_load_n(column, __ATOMIC_RELAXED);
    while (old < exponent &&
           !__atomic_compare_exchange_n(column, &old, exponent, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

static void scale_columns(const struct scaling *s, int64_t first, int64_t end)
{
    const struct csr *a = s->a;
    for (int64_t i = nonempty_from(a->row_ptr, first, end); i < end;
         i = nonempty_from(a->row_ptr, i + 1, end)) {
        int row = row_exponent(s, i);
        for (int64_t k = a->row_ptr[i], last = a->row_ptr[i + 1];
             k < last && !progress_cancelled(s->progress);)
            for (int64_t stop = min(k + STRETCH, last); k < stop; k++) {
                double size = size_of(a, k);
                if (size > 0) raise(&s->col[a->col[k]], exponent_of(size) - row);
            }
    }
}

/* Return value x 2^by. Its exponent is at most 0 after scaling, and is raised to EXPONENT_MIN. */
static inline double move_exponent(double value, int by)
{
    double size = fabs(value), moved;
    uint64_t bits;
    if (!(size > 0 && size <= DBL_MAX)) return value;
    int exponent = (int)max(exponent_of(size) + by, EXPONENT_MIN);
    if (size < DBL_MIN) return copysign(ldexp(frexp(size, &(int){0}), exponent), value);
    memcpy(&bits, &size, sizeof bits);
    bits = (bits & FRACTION) | (uint64_t)(exponent + 1022) << 52;
    memcpy(&moved, &bits, sizeof moved);
    return copysign(moved, value);
}

WIDE static void multiply(const double *base, double factor, int64_t count, double *val)
{
    for (int64_t k = 0; k < count; k++)
        val[k] = base[k] * factor;
}

/* Round the scaled values of `count` entries, which are in `base`, to the types that need scaling. */
static void round_scaled(const struct precisions *precisions, int parts, int64_t count,
                         struct scaled_work *work)
{
    for (int t = 0; t < NUMBER_TYPES; t++) {
        const struct number_type *type = &number_types[t];
        const struct rounding rounding = number_rounding(type);
        if (!precisions->type[t].scaling) continue;
        for (int q = 0; q < parts; q++) {
            multiply(work->base[q], ldexp(1, type->scaled), count, work->val);
            precisions_round(type, &rounding, work->val, count, &work->batch, &work->rounded[t]);
        }
    }
}

static void scale_rows(const struct scaling *s, const struct precisions *precisions, int64_t first,
                       int64_t end, struct scaled_work *work)
{
    const struct csr *a = s->a;
    const int parts = a->imaginary ? 2 : 1;
    int64_t held = 0;
    for (int64_t i = nonempty_from(a->row_ptr, first, end); i < end;
         i = nonempty_from(a->row_ptr, i + 1, end)) {
        int row = row_exponent(s, i);
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int32_t col = s->col[a->col[k]];
            int by = col == INT32_MIN ? 0 : -row - col;
            work->base[0][held] = move_exponent(a->val[k], by);
            if (parts > 1) work->base[1][held] = move_exponent(a->imaginary[k], by);
            if (++held < PRECISION_BATCH) continue;
            if (progress_cancelled(s->progress)) return;
            round_scaled(precisions, parts, held, work);
            held = 0;
        }
    }
    round_scaled(precisions, parts, held, work);
}

/* Both passes go over blocks of rows. All results are counts and maxima, which do not depend on the order. */
static enum status scale(const struct scaling *s, struct precisions *precisions, struct error *error)
{
    int64_t blocks = row_blocks(s->a);
    struct rounded rounded[NUMBER_TYPES] = {{0}};
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(s->progress)) continue;
        scale_columns(s, row_block_first(s->a, blocks, b), row_block_first(s->a, blocks, b + 1));
        progress_add(s->progress, 1);
    }
#pragma omp parallel if (blocks > 1)
    {
        struct scaled_work work = {.rounded = {{0}}};
#pragma omp for schedule(dynamic)
        for (int64_t b = 0; b < blocks; b++) {
            if (progress_cancelled(s->progress)) continue;
            scale_rows(s, precisions, row_block_first(s->a, blocks, b), row_block_first(s->a, blocks, b + 1),
                       &work);
            progress_add(s->progress, 1);
        }
#pragma omp critical(scaled_parts)
        for (int t = 0; t < NUMBER_TYPES; t++)
            rounded_join(&rounded[t], &work.rounded[t]);
    }
    for (int t = 0; t < NUMBER_TYPES; t++)
        if (precisions->type[t].scaling) precisions->type[t].scaled = rounded[t];
    return progress_status(s->progress, error);
}

enum status precisions_scale(const struct csr *a, struct progress *progress, struct precisions *precisions,
                             struct error *error)
{
    bool wanted = false;
    for (int t = 0; t < NUMBER_TYPES; t++)
        wanted = wanted || precisions->type[t].scaling;
    if (!wanted) return STATUS_OK;
    struct scaling s = {.a = a, .progress = progress};
    s.col = memory_array((size_t)a->cols, sizeof *s.col, error);
    if (!s.col) return STATUS_MEMORY;
    progress_phase(progress, "scaling rows and columns", 2 * row_blocks(a));
    for (int64_t j = 0; j < a->cols; j++)
        s.col[j] = INT32_MIN;
    enum status status = scale(&s, precisions, error);
    free(s.col);
    return status;
}
