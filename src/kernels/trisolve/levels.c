/* Threads solve rows together, and wait only for the rows that they need. */
#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/trisolve/row.h"
#include "kernels/trisolve/schedule.h"

struct level_solve {
    enum trisolve_operation operation;
    struct trisolve_schedule schedule[TRIANGLES]; /* of the operation's triangle; SYMGS has two, or a mirrored
                                                     one of the lower triangle */
    void
        *plain; /* the state of trisolve_sequential, if a solve row by row is as fast; then the rest is {0} */
    double *middle; /* x1 of TRISOLVE_SYMGS with two schedules, one element for each row; owned, like the next
                       array */
    double *right;  /* the right side of its second solve */
};

/* The vectors of a run. */
struct vectors {
    const double *b, *old;
    double *x, *right;
};

/* True if the upper triangle has the mirrored pattern of the lower one. `next` has room for a number per row.
 */
static bool is_mirrored(const struct trisolve_parts *parts, int64_t *next)
{
    const struct trisolve_triangle *lower = &parts->triangle[TRIANGLE_LOWER];
    const struct trisolve_triangle *upper = &parts->triangle[TRIANGLE_UPPER];
    if (lower->row_ptr[parts->rows] != upper->row_ptr[parts->rows]) return false;
    for (int64_t i = 0; i < parts->rows; i++)
        next[i] = upper->row_ptr[i];
    for (int64_t i = 0; i < parts->rows; i++) {
        for (int64_t k = lower->row_ptr[i]; k < lower->row_ptr[i + 1]; k++) {
            const int64_t mirror = next[lower->col[k]]++;
            if (mirror >= upper->row_ptr[lower->col[k] + 1] || upper->col[mirror] != i) return false;
        }
    }
    return true;
}

static enum status add_schedule(const struct trisolve_parts *parts, enum triangle triangle,
                                const struct trisolve_wish *usual, struct progress *progress,
                                struct level_solve *solve, struct error *error)
{
    const struct trisolve_triangle *own = &parts->triangle[triangle];
    /* levels_find reads the columns of one triangle alone. */
    const struct csr pattern = {parts->rows, parts->rows, own->row_ptr, own->col, own->val, NULL, NULL};
    struct trisolve_wish wish = *usual;
    struct level_sets sets = {0};
    int32_t *levels = memory_array((size_t)parts->rows, sizeof *levels, error);
    if (!levels) return STATUS_MEMORY;
    enum status status = levels_find(&pattern, triangle, progress, levels, &sets, error);
    wish.triangle = triangle;
    wish.both = solve->operation == TRISOLVE_SYMGS && triangle == TRIANGLE_LOWER;
    wish.levels = levels;
    wish.level_count = sets.count;
    if (status == STATUS_OK) status = trisolve_schedule_make(parts, &wish, &solve->schedule[triangle], error);
    free(levels);
    return status;
}

/* Make the schedules of the operation that have no strands yet. */
static enum status add_schedules(const struct trisolve_parts *parts, const struct trisolve_wish *wish,
                                 struct progress *progress, struct level_solve *solve, struct error *error)
{
    enum status status = STATUS_OK;
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++) {
        const bool wanted = solve->operation == TRISOLVE_SYMGS
                                ? t == TRIANGLE_LOWER || !wish->mirrored
                                : (solve->operation == TRISOLVE_UPPER) == (t == TRIANGLE_UPPER);
        if (wanted && !solve->schedule[t].strands)
            status = add_schedule(parts, (enum triangle)t, wish, progress, solve, error);
    }
    return status;
}

static enum status prepare(const struct trisolve_parts *parts, enum trisolve_operation operation, int threads,
                           struct progress *progress, void **state, struct error *error)
{
    struct level_solve *solve = memory_zeroed(1, sizeof *solve, error);
    *state = solve;
    if (!solve) return STATUS_MEMORY;
    struct trisolve_wish wish = {.threads = threads};
    solve->operation = operation;
    if (operation == TRISOLVE_SYMGS) {
        int64_t *next = memory_array((size_t)parts->rows, sizeof *next, error);
        if (!next) return STATUS_MEMORY;
        wish.mirrored = is_mirrored(parts, next);
        free(next);
    }
    enum status status = add_schedules(parts, &wish, progress, solve, error);
    if (status != STATUS_OK) return status;
    if (!solve->schedule[TRIANGLE_LOWER].strands && !solve->schedule[TRIANGLE_UPPER].strands)
        return trisolve_sequential.prepare(parts, operation, threads, progress, &solve->plain, error);
    if (operation != TRISOLVE_SYMGS || wish.mirrored) return STATUS_OK;
    wish.always = true;
    status = add_schedules(parts, &wish, progress, solve, error);
    if (status != STATUS_OK) return status;
    solve->middle = memory_array((size_t)parts->rows, sizeof *solve->middle, error);
    solve->right = memory_array((size_t)parts->rows, sizeof *solve->right, error);
    return solve->middle && solve->right ? STATUS_OK : STATUS_MEMORY;
}

static void lower_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    const double *b = vectors->b;
    double *x = vectors->x;
    for (int64_t r = first; r < last; r++) {
        const int32_t i = strand->row[r];
        x[i] = trisolve_row_rest(&strand->own, TRIANGLE_LOWER, r, b[i], x) * strand->inverse[r];
    }
}

static void upper_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    const double *b = vectors->b;
    double *x = vectors->x;
    for (int64_t r = first; r < last; r++) {
        const int32_t i = strand->row[r];
        x[i] = trisolve_row_rest(&strand->own, TRIANGLE_UPPER, r, b[i], x) * strand->inverse[r];
    }
}

/* Like `forward` of sequential.c, with x0 and x1 in different arrays, because a row with a larger number may
 * be solved first. */
static void forward_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    for (int64_t r = first; r < last; r++) {
        const int32_t i = strand->row[r];
        const double above = trisolve_row_sum(&strand->other, r, vectors->old);
        const double rest =
            trisolve_row_rest(&strand->own, TRIANGLE_LOWER, r, vectors->b[i] - above, vectors->x);
        const double x = rest * strand->inverse[r];
        vectors->x[i] = x;
        vectors->right[i] = above + strand->diagonal[r] * x;
    }
}

/* The same with x0 and x1 in one array. The pattern is symmetric: each row that needs the old x[j], with j >
 * i, is also one that row j needs, so that it comes before row j. */
static void ahead_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    const double *b = vectors->b;
    double *x = vectors->x;
    for (int64_t r = first; r < last; r++) {
        const int32_t i = strand->row[r];
        const double above = trisolve_row_sum(&strand->other, r, x);
        const double rest = trisolve_row_rest(&strand->own, TRIANGLE_LOWER, r, b[i] - above, x);
        const double new = rest * strand->inverse[r];
        x[i] = new;
        strand->right[r] = above + strand->diagonal[r] * new;
    }
}

/* The second solve, on the way back: it begins with the rows of U that the first one has read last. */
static void back_rows(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    const struct vectors *vectors = argument;
    double *x = vectors->x;
    for (int64_t r = last - 1; r >= first; r--) {
        const double rest = trisolve_row_rest(&strand->other, TRIANGLE_UPPER, r, strand->right[r], x);
        x[strand->row[r]] = rest * strand->inverse[r];
    }
}

static void run_pass(struct trisolve_schedule *schedule, enum trisolve_way way, trisolve_rows *rows,
                     struct vectors *vectors)
{
    trisolve_schedule_begin(schedule, way);
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
    struct trisolve_schedule *lower = &solve->schedule[TRIANGLE_LOWER];
    struct trisolve_schedule *upper = &solve->schedule[TRIANGLE_UPPER];
    struct vectors vectors = {.b = b, .x = x};
    if (solve->plain) {
        trisolve_sequential.run(solve->plain, b, x);
    } else if (solve->operation == TRISOLVE_LOWER) {
        run_pass(lower, TRISOLVE_AHEAD, lower_rows, &vectors);
    } else if (solve->operation == TRISOLVE_UPPER) {
        run_pass(upper, TRISOLVE_AHEAD, upper_rows, &vectors);
    } else if (lower->mirrored) {
        run_pass(lower, TRISOLVE_AHEAD, ahead_rows, &vectors);
        run_pass(lower, TRISOLVE_BACK, back_rows, &vectors);
    } else {
        struct vectors forward = {.b = b, .old = x, .x = solve->middle, .right = solve->right};
        run_pass(lower, TRISOLVE_AHEAD, forward_rows, &forward);
        vectors.b = solve->right;
        run_pass(upper, TRISOLVE_AHEAD, upper_rows, &vectors);
    }
}

static void release(void *state)
{
    struct level_solve *solve = state;
    if (!solve) return;
    for (int t = 0; t < TRIANGLES; t++)
        trisolve_schedule_free(&solve->schedule[t]);
    if (solve->plain) trisolve_sequential.release(solve->plain);
    free(solve->middle);
    free(solve->right);
    free(solve);
}

static struct trisolve_facts facts(const void *state)
{
    const struct level_solve *solve = state;
    struct trisolve_facts facts = {0};
    for (int t = 0; t < TRIANGLES; t++) {
        const struct trisolve_schedule *schedule = &solve->schedule[t];
        facts.levels += schedule->mirrored ? 2 * schedule->levels : schedule->levels;
        facts.waits += schedule->strands ? trisolve_schedule_waits(schedule) : 0;
    }
    return facts;
}

const struct trisolve_kernel trisolve_levels = {
    .name = "cpu/levels",
    .summary = "threads share the rows, and wait for those they need; each has several rows in progress",
    .source = "Park et al., ISC 2014; Anderson and Saad, 1989; Graham, 1969",
    .parallel = true,
    .prepare = prepare,
    .run = run,
    .release = release,
    .facts = facts,
};
