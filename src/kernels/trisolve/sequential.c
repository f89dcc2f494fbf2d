/* One thread, row after row. */
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/trisolve/row.h"

struct sequential {
    const struct trisolve_parts *parts;
    enum trisolve_operation operation;
    double *right; /* rows, of TRISOLVE_SYMGS; owned */
};

static enum status prepare(const struct trisolve_parts *parts, enum trisolve_operation operation, int threads,
                           struct progress *progress, void **state, struct error *error)
{
    struct sequential *sequential = memory_zeroed(1, sizeof *sequential, error);
    *state = sequential;
    if (!sequential) return STATUS_MEMORY;
    *sequential = (struct sequential){.parts = parts, .operation = operation};
    if (operation != TRISOLVE_SYMGS) return STATUS_OK;
    sequential->right = memory_array((size_t)parts->rows, sizeof *sequential->right, error);
    return sequential->right ? STATUS_OK : STATUS_MEMORY;
}

static void lower(const struct trisolve_parts *parts, const double *b, double *x)
{
    const struct trisolve_triangle *triangle = &parts->triangle[TRIANGLE_LOWER];
    for (int64_t i = 0; i < parts->rows; i++)
        x[i] = trisolve_row_rest(triangle, TRIANGLE_LOWER, i, b[i], x) * parts->inverse[i];
}

static void upper(const struct trisolve_parts *parts, const double *b, double *x)
{
    const struct trisolve_triangle *triangle = &parts->triangle[TRIANGLE_UPPER];
    for (int64_t i = parts->rows - 1; i >= 0; i--)
        x[i] = trisolve_row_rest(triangle, TRIANGLE_UPPER, i, b[i], x) * parts->inverse[i];
}

/* Since L x1 = b - U x0 - D x1, the right side b - L x1 of the second solve is U x0 + D x1: U is read twice,
 * and L once (compare Eisenstat, SIAM J. Sci. Stat. Comput. 2, 1981). */
static void forward(const struct sequential *sequential, const double *b, double *x)
{
    const struct trisolve_parts *parts = sequential->parts;
    const struct trisolve_triangle *below = &parts->triangle[TRIANGLE_LOWER];
    const struct trisolve_triangle *beyond = &parts->triangle[TRIANGLE_UPPER];
    for (int64_t i = 0; i < parts->rows; i++) {
        const double above = trisolve_row_sum(beyond, i, x);
        x[i] = trisolve_row_rest(below, TRIANGLE_LOWER, i, b[i] - above, x) * parts->inverse[i];
        sequential->right[i] = above + parts->diagonal[i] * x[i];
    }
}

static void run(void *state, const double *b, double *x)
{
    const struct sequential *sequential = state;
    if (sequential->operation == TRISOLVE_LOWER) {
        lower(sequential->parts, b, x);
    } else if (sequential->operation == TRISOLVE_UPPER) {
        upper(sequential->parts, b, x);
    } else {
        forward(sequential, b, x);
        upper(sequential->parts, sequential->right, x);
    }
}

static void release(void *state)
{
    struct sequential *sequential = state;
    if (sequential) free(sequential->right);
    free(sequential);
}

const struct trisolve_kernel trisolve_sequential = {
    .name = "cpu/seq",
    .summary = "one thread solves row after row",
    .source = "Saad, Iterative Methods for Sparse Linear Systems, 2003, section 11.6",
    .prepare = prepare,
    .run = run,
    .release = release,
};
