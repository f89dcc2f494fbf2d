/* Threads solve the rows of a level together, and wait only for the rows that they need. */
#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/trisolve/row.h"
#include "kernels/trisolve/schedule.h"

struct level_solve {
    enum trisolve_operation operation;
    struct trisolve_schedule schedule[TRIANGLES]; /* of the operation's triangle; SYMGS has two */
    void *alone;    /* the state of the solve by one thread, if no level is worth sharing */
    double *middle; /* x1 of TRISOLVE_SYMGS, one element for each row; owned, like the next array */
    double *right;  /* the right side of its second solve */
};

/* The vectors of a run. */
struct vectors {
    const double *b, *old;
    double *x, *right;
};

static enum status add_schedule(const struct trisolve_parts *parts, enum triangle triangle, int threads,
                                bool alone, struct progress *progress, struct level_solve *solve,
                                struct error *error)
{
    const struct trisolve_triangle *own = &parts->triangle[triangle];
    /* levels_find reads the columns of one triangle alone. */
    const struct csr pattern = {parts->rows, parts->rows, own->row_ptr, own->col, own->val, NULL, NULL};
    struct trisolve_division wanted = {.triangle = triangle,
                                       .both =
                                           solve->operation == TRISOLVE_SYMGS && triangle == TRIANGLE_LOWER,
                                       .alone = alone,
                                       .threads = threads};
    struct level_sets sets = {0};
    int32_t *levels = memory_array((size_t)parts->rows, sizeof *levels, error);
    if (!levels) return STATUS_MEMORY;
    enum status status = levels_find(&pattern, triangle, progress, levels, &sets, error);
    wanted.levels = levels;
    wanted.level_count = sets.count;
    trisolve_schedule_free(&solve->schedule[triangle]);
    if (status == STATUS_OK)
        status = trisolve_schedule_make(parts, &wanted, &solve->schedule[triangle], error);
    free(levels);
    return status;
}

/* Make the schedules of an operation. With `alone`, one strand has all rows; otherwise there are strands only
 * if threads share levels. */
static enum status add_schedules(const struct trisolve_parts *parts, int threads, bool alone,
                                 struct progress *progress, struct level_solve *solve, struct error *error)
{
    const enum trisolve_operation operation = solve->operation;
    enum status status = STATUS_OK;
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++) {
        const bool wanted =
            operation == TRISOLVE_SYMGS || (operation == TRISOLVE_UPPER) == (t == TRIANGLE_UPPER);
        if (wanted) status = add_schedule(parts, (enum triangle)t, threads, alone, progress, solve, error);
    }
    return status;
}

static enum status prepare(const struct trisolve_parts *parts, enum trisolve_operation operation, int threads,
                           struct progress *progress, void **state, struct error *error)
{
    struct level_solve *solve = memory_zeroed(1, sizeof *solve, error);
    *state = solve;
    if (!solve) return STATUS_MEMORY;
    solve->operation = operation;
    enum status status = add_schedules(parts, threads, false, progress, solve, error);
    const bool lower = solve->schedule[TRIANGLE_LOWER].shared, upper = solve->schedule[TRIANGLE_UPPER].shared;
    if (status == STATUS_OK && !lower && !upper)
        return trisolve_sequential.prepare(parts, operation, threads, progress, &solve->alone, error);
    if (status != STATUS_OK || operation != TRISOLVE_SYMGS) return status;
    if (!lower || !upper) status = add_schedules(parts, threads, true, progress, solve, error);
    if (status != STATUS_OK) return status;
    solve->middle = memory_array((size_t)parts->rows, sizeof *solve->middle, error);
    solve->right = memory_array((size_t)parts->rows, sizeof *solve->right, error);
    return solve->middle && solve->right ? STATUS_OK : STATUS_MEMORY;
}

static void lower_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    for (int64_t r = first; r < last; r++) {
        const double sum = trisolve_row_sum(&strand->own, TRIANGLE_LOWER, r, vectors->x);
        vectors->x[strand->row[r]] = (vectors->b[strand->row[r]] - sum) * strand->inverse[r];
    }
}

static void upper_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    for (int64_t r = first; r < last; r++) {
        const double sum = trisolve_row_sum(&strand->own, TRIANGLE_UPPER, r, vectors->x);
        vectors->x[strand->row[r]] = (vectors->b[strand->row[r]] - sum) * strand->inverse[r];
    }
}

/* Like `forward` of sequential.c, with x0 and x1 in different arrays, because a row with a larger number may
 * be solved first. */
static void forward_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    for (int64_t r = first; r < last; r++) {
        const int32_t i = strand->row[r];
        const double above = trisolve_row_sum(&strand->other, TRIANGLE_UPPER, r, vectors->old);
        const double below = trisolve_row_sum(&strand->own, TRIANGLE_LOWER, r, vectors->x);
        const double x = (vectors->b[i] - above - below) * strand->inverse[r];
        vectors->x[i] = x;
        vectors->right[i] = above + strand->diagonal[r] * x;
    }
}

static void run_pass(struct trisolve_schedule *schedule, trisolve_rows *rows, struct vectors *vectors)
{
    trisolve_schedule_begin(schedule);
    if (!schedule->shared) {
        trisolve_schedule_run(schedule, 0, 1, rows, vectors);
        return;
    }
#pragma omp parallel num_threads(schedule->threads)
    trisolve_schedule_run(schedule, omp_get_thread_num(), omp_get_num_threads(), rows, vectors);
}

static void run(void *state, const double *b, double *x)
{
    struct level_solve *solve = state;
    struct vectors vectors = {.b = b, .x = x};
    if (solve->alone) {
        trisolve_sequential.run(solve->alone, b, x);
        return;
    }
    if (solve->operation != TRISOLVE_SYMGS) {
        const bool upper = solve->operation == TRISOLVE_UPPER;
        run_pass(&solve->schedule[upper], upper ? upper_rows : lower_rows, &vectors);
        return;
    }
    struct vectors forward = {.b = b, .old = x, .x = solve->middle, .right = solve->right};
    run_pass(&solve->schedule[TRIANGLE_LOWER], forward_rows, &forward);
    vectors.b = solve->right;
    run_pass(&solve->schedule[TRIANGLE_UPPER], upper_rows, &vectors);
}

static void release(void *state)
{
    struct level_solve *solve = state;
    if (!solve) return;
    for (int t = 0; t < TRIANGLES; t++)
        trisolve_schedule_free(&solve->schedule[t]);
    if (solve->alone) trisolve_sequential.release(solve->alone);
    free(solve->middle);
    free(solve->right);
    free(solve);
}

static struct trisolve_facts facts(const void *state)
{
    const struct level_solve *solve = state;
    struct trisolve_facts facts = {0};
    for (int t = 0; t < TRIANGLES; t++) {
        if (!solve->schedule[t].strands) continue;
        facts.levels += solve->schedule[t].levels;
        facts.waits += trisolve_schedule_waits(&solve->schedule[t]);
    }
    return facts;
}

const struct trisolve_kernel trisolve_levels = {
    .name = "cpu/levels",
    .summary = "threads share the rows of each level, and wait for those they need",
    .source = "Park et al., ISC 2014; Anderson and Saad, 1989",
    .parallel = true,
    .prepare = prepare,
    .run = run,
    .release = release,
    .facts = facts,
};
