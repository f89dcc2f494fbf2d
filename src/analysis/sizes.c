#include "analysis/sizes.h"

#include <math.h>
#include <string.h>

#include "base/range.h"
#include "base/threads.h"

/* Number of rows between two checks of the progress. */
#define STEP 256

static double size_of(const struct csr *a, int64_t k)
{
    return a->imaginary ? hypot(a->val[k], a->imaginary[k]) : fabs(a->val[k]);
}

int64_t size_dots_border(int64_t origin, int64_t step, int64_t index, int64_t lines)
{
    int64_t distance, place;
    if (__builtin_mul_overflow(step, index, &distance) || __builtin_add_overflow(origin, distance, &place))
        return lines;
    return min(place, lines);
}

/* The statistics to compute for the dots; NULL: not requested. */
struct made {
    double *sizes;
    bool sum;
    const int32_t *class_of; /* the sizes are those of classes of rows, not of values */
    int64_t *positive, *negative;
};

static void add_size(double *size, double more, bool sum)
{
    if (sum)
        *size += isnan(more) ? 0 : more;
    else if (more > *size)
        *size = more;
}

/* Add a row of the matrix to a row of dots; `dot` is the number of its first dot. */
static void add_row(const struct csr *a, const struct size_dots *dots, int64_t i, int64_t right, size_t dot,
                    const void *into)
{
    const struct made *made = into;
    int64_t k = dots->col0 > 0 ? csr_lower_bound(a, i, dots->col0) : a->row_ptr[i];
    for (int64_t next = 0, x = -1; k < a->row_ptr[i + 1] && a->col[k] < right; k++) {
        if (a->col[k] >= next) {
            x = (a->col[k] - dots->col0) / dots->dot_cols;
            next = size_dots_border(dots->col0, dots->dot_cols, x + 1, a->cols);
        }
        size_t at = dot + (size_t)x;
        if (made->sizes)
            add_size(&made->sizes[at], made->class_of ? 1. + made->class_of[i] : size_of(a, k), made->sum);
        if (made->positive) made->positive[at] += a->val[k] > 0;
        if (made->negative) made->negative[at] += a->val[k] < 0;
    }
}

enum status size_dots_walk(const struct csr *a, const struct size_dots *dots, size_dots_row *row,
                           const void *into, const char *phase, struct progress *progress,
                           struct error *error)
{
    int64_t right = size_dots_border(dots->col0, dots->dot_cols, dots->wide, a->cols);
    int64_t top = min(dots->row0, a->rows),
            bottom = size_dots_border(dots->row0, dots->dot_rows, dots->high, a->rows);
    int64_t work = a->row_ptr ? a->row_ptr[bottom] - a->row_ptr[top] + bottom - top : 0;
    progress_phase(progress, phase, bottom - top);
#pragma omp parallel for schedule(dynamic) if (work > 16 * PARALLEL_MIN)
    for (int y = 0; y < dots->high; y++) {
        int64_t first = size_dots_border(dots->row0, dots->dot_rows, y, a->rows);
        int64_t end = size_dots_border(dots->row0, dots->dot_rows, (int64_t)y + 1, a->rows);
        for (int64_t i = first; i < end; i++) {
            if ((i - first) % STEP == 0) {
                if (progress_cancelled(progress)) break;
                progress_add(progress, min(STEP, end - i));
            }
            row(a, dots, i, right, (size_t)y * (size_t)dots->wide, into);
        }
    }
    return progress_status(progress, error);
}

enum status sizes_of_dots(const struct csr *a, const struct size_dots *dots, bool sum,
                          struct progress *progress, double *sizes, struct error *error)
{
    const struct made made = {.sizes = sizes, .sum = sum};
    memset(sizes, 0, (size_t)dots->high * (size_t)dots->wide * sizeof *sizes);
    return size_dots_walk(a, dots, add_row, &made, "sizes of values", progress, error);
}

enum status classes_of_dots(const struct csr *a, const struct size_dots *dots, const int32_t *class_of,
                            struct progress *progress, double *sizes, struct error *error)
{
    const struct made made = {.sizes = sizes, .class_of = class_of};
    memset(sizes, 0, (size_t)dots->high * (size_t)dots->wide * sizeof *sizes);
    return size_dots_walk(a, dots, add_row, &made, "classes of rows", progress, error);
}

enum status signs_of_dots(const struct csr *a, const struct size_dots *dots, struct progress *progress,
                          int64_t *positive, int64_t *negative, struct error *error)
{
    const struct made made = {.positive = positive, .negative = negative};
    size_t bytes = (size_t)dots->high * (size_t)dots->wide * sizeof *positive;
    memset(positive, 0, bytes);
    memset(negative, 0, bytes);
    return size_dots_walk(a, dots, add_row, &made, "signs of values", progress, error);
}
