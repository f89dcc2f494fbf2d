/* kernels/cuda/trisolve/plan: plans of solves on a GPU, followed on the host as its warps and blocks do: each
 * x must be known when it is read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cuda/trisolve/plan.h"
#include "kernels/trisolve/check.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

/* A solve by a plan. */
struct walk {
    const struct triplan *plan;
    const double *b, *old;
    double *x, *right; /* rows */
    double *known;     /* by position in the plan; NaN until it is known */
    double *next;      /* values of the present level */
};

static double known_x(const struct walk *walk, int64_t place)
{
    if (isnan(walk->known[place])) fail_msg("place %lld is not known yet", (long long)place);
    return walk->known[place];
}

/* The sums of the terms of row r of a slice. */
static void add_terms(const struct walk *walk, int64_t number, int r, double *fresh, double *old)
{
    const struct triplan *plan = walk->plan;
    const struct triplan_slice *slice = &plan->slice[number];
    const int lanes = 1 << slice->shift;
    for (int32_t step = slice->begin; step < slice->end; step++)
        for (int lane = r * lanes; lane < (r + 1) * lanes; lane++) {
            const int32_t col = plan->fresh.col[32 * (int64_t)step + lane];
            const double val = plan->fresh.val[32 * (int64_t)step + lane];
            if (col < 0)
                *old += val * known_x(walk, ~col);
            else
                *fresh += val * known_x(walk, col);
        }
    for (int32_t step = plan->old.ptr ? plan->old.ptr[number] : 0;
         plan->old.ptr && step < plan->old.ptr[number + 1]; step++)
        for (int lane = r * lanes; lane < (r + 1) * lanes; lane++) {
            const int32_t col = plan->old.col[32 * (int64_t)step + lane];
            if (col >= 0) *old += plan->old.val[32 * (int64_t)step + lane] * walk->old[col];
        }
}

static void write_row(const struct walk *walk, int64_t place, double old)
{
    const int32_t row = walk->plan->row[place];
    const double x = walk->next[place];
    if (row >= 0 && walk->old)
        walk->right[row] = old + walk->plan->diagonal[place] * x;
    else if (row >= 0)
        walk->x[row] = x;
}

static double right_of(const struct walk *walk, int64_t place)
{
    return walk->plan->row[place] >= 0 ? walk->b[walk->plan->row[place]] : 0;
}

static void publish(const struct walk *walk, int64_t first, int64_t end)
{
    for (int64_t p = first; p < end; p++)
        if (walk->plan->row[p] != TRIPLAN_PADDING) walk->known[p] = walk->next[p];
}

static void walk_level(const struct walk *walk, int64_t first, int64_t end)
{
    const struct triplan *plan = walk->plan;
    for (int64_t number = first; number < end; number++)
        for (int r = 0; r < 32 >> plan->slice[number].shift; r++) {
            const int64_t p = plan->slice[number].place + r;
            double fresh = 0, old = 0;
            if (plan->row[p] == TRIPLAN_PADDING) continue;
            add_terms(walk, number, r, &fresh, &old);
            walk->next[p] = (right_of(walk, p) - old - fresh) * plan->inverse[p];
            write_row(walk, p, old);
        }
    publish(walk, plan->slice[first].place, end < plan->slices ? plan->slice[end].place : plan->places);
}

static void walk_segment(const struct walk *walk, const struct triplan_segment *segment)
{
    const struct triplan *plan = walk->plan;
    const int64_t first = segment->place;
    const uint16_t *start = plan->start + segment->first_start, *level = plan->level + segment->first_level;
    double *old = memory_zeroed((size_t)segment->rows + 1, sizeof *old, NULL);
    double *fresh = memory_zeroed((size_t)segment->rows + 1, sizeof *fresh, NULL);
    assert_true(segment->threads >= 32 && segment->threads <= plan->threads && segment->threads % 32 == 0);
    assert_int_equal(level[0], 0);
    assert_int_equal(level[segment->levels], segment->rows);
    assert_int_equal(start[segment->rows], segment->entries);
    assert_true(triplan_segment_bytes(segment->rows, segment->entries, segment->levels) <= plan->shared);
    for (int32_t number = segment->slice; number < segment->slice + segment->slices; number++)
        for (int r = 0; r < 32 >> plan->slice[number].shift; r++) {
            const int64_t row = plan->slice[number].place + r - first;
            if (row < segment->rows) add_terms(walk, number, r, &fresh[row], &old[row]);
        }
    for (int32_t l = 0; l < segment->levels; l++) {
        for (int32_t r = level[l]; r < level[l + 1]; r++) {
            double sum = 0;
            for (int32_t k = start[r]; k < start[r + 1]; k++)
                sum += plan->own_val[segment->first_entry + k] *
                       known_x(walk, first + plan->own_col[segment->first_entry + k]);
            walk->next[first + r] =
                (right_of(walk, first + r) - old[r] - fresh[r] - sum) * plan->inverse[first + r];
            write_row(walk, first + r, old[r]);
        }
        publish(walk, first + level[l], first + level[l + 1]);
    }
    free(old);
    free(fresh);
}

static void walk_plan(const struct trisolve_parts *parts, const struct triplan_options *options,
                      const double *b, const double *old, double *x, double *right, struct triplan *plan)
{
    assert_int_equal(triplan_make(parts, options, NULL, plan, NULL), STATUS_OK);
    struct walk walk = {.plan = plan, .b = b, .old = old, .x = x, .right = right};
    walk.known = memory_array((size_t)plan->places, sizeof *walk.known, NULL);
    walk.next = memory_array((size_t)plan->places, sizeof *walk.next, NULL);
    for (int64_t p = 0; p < plan->places; p++)
        walk.known[p] = p == 0 ? 0 : NAN;
    for (int64_t k = 0; k < plan->phase_count; k++) {
        const struct triplan_phase *phase = &plan->phases[k];
        for (int64_t g = phase->first; phase->narrow && g < phase->end; g++)
            walk_segment(&walk, &plan->segments[g]);
        for (int64_t l = phase->first_level; !phase->narrow && l < phase->end_level; l++)
            walk_level(&walk, plan->level_slice[l], plan->level_slice[l + 1]);
    }
    free(walk.known);
    free(walk.next);
}

static const struct triplan_options variants[] = {
    {.lanes = 0, .threads = 512, .narrow = 1 << 14, .shared = 96 << 10},
    {.lanes = 0, .threads = 512, .narrow = 0, .shared = 96 << 10},
    {.lanes = 1, .threads = 64, .narrow = 0, .shared = 1 << 16},
    {.lanes = 1, .threads = 64, .narrow = 1 << 14, .shared = 1 << 16},
    {.lanes = 4, .threads = 32, .narrow = 1 << 12, .shared = 1 << 12},
    {.lanes = 32, .threads = 128, .narrow = 1 << 16, .shared = 200000},
    {.lanes = 32, .threads = 128, .narrow = 0, .shared = 200000},
};

/* All operations by plans are right. */
static void solve(const char *name, struct csr *a)
{
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    const size_t n = (size_t)a->rows;
    double *b = memory_array(n, sizeof *b, NULL), *x = memory_array(n, sizeof *x, NULL);
    double *right = memory_array(n, sizeof *right, NULL), *start = memory_array(n, sizeof *start, NULL);
    for (size_t i = 0; i < n; i++) {
        b[i] = (double)(i * 7 % 11) - 5;
        start[i] = (double)(i % 5) - 2;
    }
    assert_int_equal(trisolve_parts_make(a, &parts, NULL), STATUS_OK);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++) {
            struct triplan_options options = variants[v];
            struct triplan lower = {0}, upper = {0};
            struct trisolve_check check;
            struct error error = {0};
            assert_int_equal(
                trisolve_check_make(&parts, (enum trisolve_operation)operation, b, start, &check, NULL),
                STATUS_OK);
            memcpy(x, start, n * sizeof *x);
            options.both = operation == TRISOLVE_SYMGS;
            if (operation != TRISOLVE_UPPER)
                walk_plan(&parts, &options, b, options.both ? start : NULL, x, right, &lower);
            options.both = false;
            options.triangle = TRIANGLE_UPPER;
            if (operation != TRISOLVE_LOWER)
                walk_plan(&parts, &options, operation == TRISOLVE_SYMGS ? right : b, NULL, x, NULL, &upper);
            if (trisolve_check_result(&check, x, &error) != STATUS_OK)
                fail_msg("%s, variant %zu, operation %d: %s", name, v, operation, error.message);
            triplan_free(&lower);
            triplan_free(&upper);
            trisolve_check_free(&check);
        }
    free(b);
    free(x);
    free(right);
    free(start);
}

/* Scale the entries of a row off the diagonal, so that x does not overflow. */
static void dominate(struct csr *a)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            a->val[k] = a->col[k] == i ? 2 : a->val[k] / (double)(a->row_ptr[i + 1] - a->row_ptr[i]) / 3;
}

TEST(plans_of_generated_matrices_are_right)
{
    static const char *const names[] = {"laplace2d,n=40",
                                        "stencil27,n=9",
                                        "powerlaw,scale=11",
                                        "banded,n=3000,lower=1",
                                        "banded,n=500,lower=0",
                                        "arrow,n=3000",
                                        "random,m=2000,mean=60,seed=3",
                                        NULL};
    for (int k = 0; names[k]; k++) {
        struct matrix matrix = generated(names[k]);
        dominate(&matrix.csr);
        solve(names[k], &matrix.csr);
        matrix_free(&matrix);
    }
}

/* Empty rows, full rows, and rows without a diagonal. */
TEST(plans_of_odd_matrices_are_right)
{
    for (uint64_t seed = 1; seed < 4; seed++) {
        FREED(csr_free) struct csr a = support_matrix(1500, 1500, 0.01, true, false, seed);
        dominate(&a);
        solve("a random matrix", &a);
    }
    for (int64_t n = 0; n < 4; n++) {
        const double none[9] = {0};
        FREED(csr_free) struct csr a = support_dense(n, n, none);
        solve("no entries", &a);
    }
}

/* In a chain all levels are narrow. 3000 of them fit into one segment, or into several smaller ones. */
TEST(a_chain_is_one_segment)
{
    struct matrix matrix = generated("banded,n=3000,lower=1,upper=0");
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    FREED(triplan_free) struct triplan plan;
    assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
    struct triplan_options options = {
        .triangle = TRIANGLE_LOWER, .lanes = 1, .threads = 256, .narrow = 1 << 14, .shared = 200000};
    assert_int_equal(triplan_make(&parts, &options, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.levels, 3000);
    assert_int_equal(plan.pieces, 0);
    assert_int_equal(plan.phase_count, 1);
    assert_int_equal(plan.segment_count, 1);
    assert_int_equal(plan.segments[0].levels, 3000);
    assert_int_equal(plan.segments[0].threads, 32);
    assert_int_equal(plan.segments[0].entries, 2999);
    assert_int_equal(plan.fresh.ptr[plan.slices], 0);
    assert_int_equal(plan.segments[0].shift, 0);
    triplan_free(&plan);
    options.shared = options.narrow;
    assert_int_equal(triplan_make(&parts, &options, NULL, &plan, NULL), STATUS_OK);
    assert_true(plan.segment_count > 1);
    matrix_free(&matrix);
}

/* The last row has 4095 entries beside the diagonal. The plan cuts it: 16 entries stay, and the others become
 * 255 pieces of 16, which are summed by 16 pieces in turn. */
TEST(long_rows_are_cut)
{
    enum { ROWS = 4096 };
    struct csr a = {.rows = ROWS, .cols = ROWS};
    a.row_ptr = memory_zeroed(ROWS + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array(ROWS, sizeof *a.col, NULL);
    a.val = memory_array(ROWS, sizeof *a.val, NULL);
    for (int32_t j = 0; j < ROWS; j++) {
        a.col[j] = j;
        a.val[j] = 1.0 / ROWS;
    }
    a.row_ptr[ROWS] = ROWS;
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    FREED(triplan_free) struct triplan plan;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    const struct triplan_options options = {
        .triangle = TRIANGLE_LOWER, .lanes = 1, .threads = 256, .narrow = 0, .shared = 200000};
    assert_int_equal(triplan_make(&parts, &options, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(plan.pieces, 255 + 16);
    assert_int_equal(plan.levels, 4);
    for (int64_t s = 0; s < plan.slices; s++)
        assert_true(plan.fresh.ptr[s + 1] - plan.fresh.ptr[s] <= TRIPLAN_STEPS);
    solve("a full row", &a);
    csr_free(&a);
}

/* Each allocation fails in turn. */
TEST(failing_memory_is_an_error)
{
    struct matrix matrix = generated("powerlaw,scale=8");
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    const struct triplan_options options = {.triangle = TRIANGLE_LOWER,
                                            .both = true,
                                            .lanes = 1,
                                            .threads = 64,
                                            .narrow = 1 << 13,
                                            .shared = 1 << 14};
    assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK && k < 1000; k++) {
        struct triplan plan;
        memory_fail_after(k);
        status = triplan_make(&parts, &options, NULL, &plan, NULL);
        memory_fail_after(-1);
        assert_true(status == STATUS_OK || status == STATUS_MEMORY);
        triplan_free(&plan);
    }
    assert_int_equal(status, STATUS_OK);
    matrix_free(&matrix);
}
