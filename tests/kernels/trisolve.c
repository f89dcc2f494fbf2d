/* kernels/trisolve: triangular solves and symmetric Gauss-Seidel steps, compared with substitution in a dense
 * array. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "kernels/trisolve/check.h"
#include "kernels/trisolve/order.h"
#include "kernels/trisolve/schedule.h"
#include "kernels/trisolve/times.h"
#include "matrix/generators/hash.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

#define N 23

/* A matrix whose rows have a few small entries, beside diagonal entries of 1 to 2. Each seventh row has none
 * on the diagonal. */
static struct csr dominant(void)
{
    double dense[N * N] = {0};
    uint64_t seed = 5;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            if (support_random(&seed, 4) == 0)
                dense[N * i + j] = (double)support_random(&seed, 100) / 500 - 0.1;
        dense[N * i + i] = i % 7 == 3 ? 0 : 1 + (double)support_random(&seed, 100) / 100;
    }
    return support_dense(N, N, dense);
}

/* Substitution in long double, straight from the definition: rows in this order, entries of all columns. */
static void substitute(const struct csr *a, enum trisolve_operation operation, const double *b, double *x)
{
    const int64_t n = a->rows;
    for (int pass = 0; pass < 2; pass++) {
        if (pass != (operation == TRISOLVE_UPPER) && operation != TRISOLVE_SYMGS) continue;
        for (int64_t k = 0; k < n; k++) {
            const int64_t i = pass ? n - 1 - k : k;
            long double sum = b[i], diagonal = value_at(a, i, i);
            for (int64_t j = 0; j < n; j++) {
                const bool within = pass ? j > i : j < i;
                if (j != i && (within || operation == TRISOLVE_SYMGS))
                    sum -= (long double)value_at(a, i, j) * x[j];
            }
            x[i] = (double)(sum / (diagonal == 0 ? 1 : diagonal));
        }
    }
}

static void fill(double *x, int64_t n, uint64_t seed)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (double)support_random(&seed, 2000) / 1000 - 1;
}

TEST(the_matrix_is_divided_into_three_parts)
{
    const double dense[16] = {4, 1, 0, 2, /**/ 0, 0, 3, 0, /**/ 5, 6, 8, 0, /**/ 0, 7, 0, 2};
    FREED(csr_free) struct csr a = support_dense(4, 4, dense);
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    const int64_t lower[] = {0, 0, 0, 2, 3}, upper[] = {0, 2, 3, 3, 3};
    const int32_t below[] = {0, 1, 1}, above[] = {1, 3, 2};
    const double left[] = {5, 6, 7}, right[] = {1, 2, 3}, diagonal[] = {4, 1, 8, 2};
    assert_memory_equal(parts.triangle[TRIANGLE_LOWER].row_ptr, lower, sizeof lower);
    assert_memory_equal(parts.triangle[TRIANGLE_UPPER].row_ptr, upper, sizeof upper);
    assert_memory_equal(parts.triangle[TRIANGLE_LOWER].col, below, sizeof below);
    assert_memory_equal(parts.triangle[TRIANGLE_UPPER].col, above, sizeof above);
    assert_memory_equal(parts.triangle[TRIANGLE_LOWER].val, left, sizeof left);
    assert_memory_equal(parts.triangle[TRIANGLE_UPPER].val, right, sizeof right);
    assert_memory_equal(parts.diagonal, diagonal, sizeof diagonal);
    assert_true(parts.inverse[2] == 0.125);
    assert_int_equal(parts.ones, 1);
}

/* A stored zero on the diagonal counts as 1, too. */
TEST(a_zero_on_the_diagonal_is_a_one)
{
    const double dense[4] = {3, 1, 1, 5};
    FREED(csr_free) struct csr a = support_dense(2, 2, dense);
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    a.val[3] = 0;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    assert_int_equal(parts.ones, 1);
    assert_true(parts.diagonal[1] == 1 && parts.inverse[1] == 1);
    assert_int_equal(parts.triangle[TRIANGLE_UPPER].row_ptr[2], 1);
}

TEST(matrices_without_triangles_are_refused)
{
    struct csr wide = support_matrix(3, 4, 0.5, false, false, 1),
               complex = support_matrix(3, 3, 0.5, false, true, 1);
    struct trisolve_parts parts;
    struct error error = {0};
    assert_int_equal(trisolve_parts_make(&wide, &parts, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "square"));
    trisolve_parts_free(&parts);
    error = (struct error){0};
    assert_int_equal(trisolve_parts_make(&complex, &parts, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "complex"));
    trisolve_parts_free(&parts);
    csr_free(&wide);
    csr_free(&complex);
}

/* Own kernels with up to more threads than rows. */
TEST(kernels_substitute)
{
    FREED(csr_free) struct csr a = dominant();
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    double b[N], expected[N], x[N];
    for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++) {
        for (int threads = 1; threads <= 32; threads = 3 * threads - 1 + (threads == 1)) {
            for (int k = 0; k < 2; k++) {
                const struct trisolve_kernel *kernel = k ? &trisolve_levels : &trisolve_sequential;
                void *prepared;
                assert_int_equal(kernel->prepare(&parts, (enum trisolve_operation)operation, threads, NULL,
                                                 &prepared, NULL),
                                 STATUS_OK);
                for (uint64_t run = 1; run <= 2; run++) {
                    fill(b, N, run);
                    fill(x, N, 10 + run);
                    memcpy(expected, x, sizeof x);
                    substitute(&a, (enum trisolve_operation)operation, b, expected);
                    kernel->run(prepared, b, x);
                    for (int i = 0; i < N; i++)
                        assert_true(fabs(x[i] - expected[i]) <= 1e-13);
                }
                kernel->release(prepared);
            }
        }
    }
}

/* A matrix whose levels are so wide that several threads solve them. */
static struct csr wide_levels(void)
{
    struct matrix matrix = generated("random,m=12000,mean=6,seed=3");
    struct csr a = matrix.csr;
    matrix.csr = (struct csr){0};
    matrix_free(&matrix);
    for (int64_t k = 0; k < csr_nnz(&a); k++)
        a.val[k] *= 0.1;
    return a;
}

/* Expect cpu/levels with this number of threads to compute the bits of `expected`, whose first values are
 * those of fill(.., 8), three times. Return the facts of the prepared solve. */
static struct trisolve_facts expect_levels(const struct trisolve_parts *parts, int operation, int threads,
                                           const double *b, const double *expected)
{
    const size_t bytes = (size_t)parts->rows * sizeof(double);
    double *x = malloc(bytes);
    void *prepared;
    assert_int_equal(
        trisolve_levels.prepare(parts, (enum trisolve_operation)operation, threads, NULL, &prepared, NULL),
        STATUS_OK);
    const struct trisolve_facts facts = trisolve_levels.facts(prepared);
    for (int run = 0; run < 3; run++) {
        fill(x, parts->rows, 8);
        trisolve_levels.run(prepared, b, x);
        assert_memory_equal(x, expected, bytes);
    }
    trisolve_levels.release(prepared);
    free(x);
    return facts;
}

/* Let `expected`, filled first, be what cpu/seq computes. */
static void solve_in_sequence(const struct trisolve_parts *parts, int operation, const double *b,
                              double *expected)
{
    void *one;
    fill(expected, parts->rows, 8);
    assert_int_equal(
        trisolve_sequential.prepare(parts, (enum trisolve_operation)operation, 1, NULL, &one, NULL),
        STATUS_OK);
    trisolve_sequential.run(one, b, expected);
    trisolve_sequential.release(one);
}

/* Each row adds its terms in the same order, whichever thread solves it. */
TEST(threads_compute_what_one_computes)
{
    FREED(csr_free) struct csr a = wide_levels();
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    const size_t bytes = (size_t)a.rows * sizeof(double);
    double *b = malloc(bytes), *expected = malloc(bytes);
    fill(b, a.rows, 7);
    for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++) {
        solve_in_sequence(&parts, operation, b, expected);
        for (int threads = 2; threads <= 5; threads++) {
            const struct trisolve_facts facts = expect_levels(&parts, operation, threads, b, expected);
            assert_true(facts.waits > 0 && facts.levels > 5);
        }
    }
    free(b);
    free(expected);
}

/* Grids whose planes or lines threads solve side by side, a step on their way back included. One thread has
 * several lines of the second grid in progress. */
TEST(grids_are_solved_as_row_by_row)
{
    const char *const grids[] = {"stencil27,n=24", "laplace2d,n=120", "laplace3d,n=30"};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        struct matrix matrix = generated(grids[g]);
        FREED(trisolve_parts_free) struct trisolve_parts parts;
        assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
        const size_t bytes = (size_t)parts.rows * sizeof(double);
        double *b = malloc(bytes), *expected = malloc(bytes);
        fill(b, parts.rows, 7);
        for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++) {
            solve_in_sequence(&parts, operation, b, expected);
            for (int threads = 1; threads <= 5; threads++)
                assert_true((expect_levels(&parts, operation, threads, b, expected).waits > 0) ==
                            (threads > 1));
        }
        free(b);
        free(expected);
        matrix_free(&matrix);
    }
}

/* The triangles have as many entries in each row as a mirrored pattern has, but not in its columns: row i
 * needs the old x of a row that is solved before it. */
TEST(a_pattern_that_is_not_mirrored_keeps_the_old_x)
{
    struct matrix matrix = generated("laplace2d,n=120");
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
    struct trisolve_triangle *upper = &parts.triangle[TRIANGLE_UPPER];
    for (int64_t i = 0; i < parts.rows; i++)
        for (int64_t k = upper->row_ptr[i]; k < upper->row_ptr[i + 1]; k++)
            if (upper->col[k] == i + 120) upper->col[k] = (int32_t)i + 118;
    const size_t bytes = (size_t)parts.rows * sizeof(double);
    double *b = malloc(bytes), *expected = malloc(bytes);
    fill(b, parts.rows, 1);
    solve_in_sequence(&parts, TRISOLVE_SYMGS, b, expected);
    for (int threads = 1; threads <= 3; threads++)
        expect_levels(&parts, TRISOLVE_SYMGS, threads, b, expected);
    free(b);
    free(expected);
    matrix_free(&matrix);
}

/* A solve row by row has its rows in their order. With a delay of 3, three lines of a grid are solved side by
 * side: the second line follows two rows behind the first one. All positions are derived by hand. */
TEST(lines_are_ordered_side_by_side)
{
    enum { LINE = 100 };
    struct matrix matrix = generated("laplace2d,n=100");
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
    int32_t *order = malloc((size_t)parts.rows * sizeof *order);
    int64_t *scratch = malloc((size_t)parts.rows * sizeof *scratch);
    for (int t = 0; t < TRIANGLES; t++) {
        const struct trisolve_triangle *triangle = &parts.triangle[t];
        const int32_t last = t == TRIANGLE_UPPER ? (int32_t)parts.rows - 1 : 0;
        assert_int_equal(trisolve_delay(triangle, (enum triangle)t, parts.rows, scratch), 3);
        assert_int_equal(trisolve_order(triangle, (enum triangle)t, parts.rows, 1, order, NULL), STATUS_OK);
        for (int32_t i = 0; i < parts.rows; i++)
            assert_int_equal(order[i], abs(last - i));
        assert_int_equal(trisolve_order(triangle, (enum triangle)t, parts.rows, 3, order, NULL), STATUS_OK);
        const int32_t begin[] = {0, 1, LINE};
        for (int32_t w = 0; w < 3; w++) { /* windows of three lines */
            const int32_t *window = order + w * 3 * LINE, first = w * 3 * LINE;
            for (int32_t k = 0; k < 3; k++)
                assert_int_equal(window[k], abs(last - first - begin[k]));
            for (int32_t k = 0; k < LINE - 2; k++) {
                assert_int_equal(window[3 * k + 3], abs(last - first - (k + 2)));
                assert_int_equal(window[3 * k + 4], abs(last - first - (LINE + k + 1)));
                assert_int_equal(window[3 * k + 5], abs(last - first - (2 * LINE + k)));
            }
        }
    }
    free(order);
    free(scratch);
    matrix_free(&matrix);
}

/* Rows that need no others, and long rows, are not reordered. */
TEST(rows_that_keep_a_processor_busy_stay_in_order)
{
    const char *const busy[] = {"stencil27,n=12", "random,m=2000,mean=3,seed=3", "banded,n=500,lower=40"};
    for (size_t g = 0; g < sizeof busy / sizeof *busy; g++) {
        struct matrix matrix = generated(busy[g]);
        FREED(trisolve_parts_free) struct trisolve_parts parts;
        assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
        int64_t *scratch = malloc((size_t)parts.rows * sizeof *scratch);
        assert_int_equal(trisolve_delay(&parts.triangle[TRIANGLE_LOWER], TRIANGLE_LOWER, parts.rows, scratch),
                         1);
        free(scratch);
        matrix_free(&matrix);
    }
}

/* Only the lower triangle has levels worth sharing. The upper one is a chain. */
TEST(a_step_shares_one_of_its_solves)
{
    FREED(csr_free) struct csr a = wide_levels();
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    struct trisolve_triangle *upper = &parts.triangle[TRIANGLE_UPPER];
    for (int64_t i = 0; i < a.rows; i++) {
        upper->row_ptr[i] = i;
        if (i + 1 < a.rows) {
            upper->col[i] = (int32_t)i + 1;
            upper->val[i] = 0.25;
        }
    }
    upper->row_ptr[a.rows] = a.rows - 1;
    const size_t bytes = (size_t)a.rows * sizeof(double);
    double *b = malloc(bytes), *x = malloc(bytes), *expected = malloc(bytes);
    void *one, *several;
    fill(b, a.rows, 1);
    fill(x, a.rows, 2);
    fill(expected, a.rows, 2);
    assert_int_equal(trisolve_sequential.prepare(&parts, TRISOLVE_SYMGS, 1, NULL, &one, NULL), STATUS_OK);
    assert_int_equal(trisolve_levels.prepare(&parts, TRISOLVE_SYMGS, 3, NULL, &several, NULL), STATUS_OK);
    trisolve_sequential.run(one, b, expected);
    trisolve_levels.run(several, b, x);
    assert_memory_equal(x, expected, bytes);
    assert_true(trisolve_levels.facts(several).waits > 0);
    assert_true(trisolve_levels.facts(several).levels > a.rows);
    trisolve_sequential.release(one);
    trisolve_levels.release(several);
    free(b);
    free(x);
    free(expected);
}

/* `early` becomes true if a row is solved twice, or before one that it needs. */
struct seen {
    const struct csr *a;
    bool *solved;
    bool early;
};

static void see(const struct trisolve_strand *strand, int64_t first, int64_t last, void *argument)
{
    struct seen *seen = argument;
    for (int64_t r = first; r < last; r++) {
        const int32_t i = strand->row[r];
        for (int64_t k = seen->a->row_ptr[i]; k < seen->a->row_ptr[i + 1] && seen->a->col[k] < i; k++)
            seen->early = seen->early || !seen->solved[seen->a->col[k]];
        seen->early = seen->early || seen->solved[i];
        seen->solved[i] = true;
    }
}

/* If there are fewer threads than strands, a thread takes several strands. Each row is solved once, after the
 * rows that it needs. */
TEST(fewer_threads_finish_all_strands)
{
    FREED(csr_free) struct csr a = wide_levels();
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    FREED(trisolve_schedule_free) struct trisolve_schedule schedule;
    struct level_sets sets;
    int32_t *levels = malloc((size_t)a.rows * sizeof *levels);
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    assert_int_equal(levels_find(&a, TRIANGLE_LOWER, NULL, levels, &sets, NULL), STATUS_OK);
    const struct trisolve_wish wish = {
        .triangle = TRIANGLE_LOWER, .levels = levels, .level_count = sets.count, .threads = 4};
    assert_int_equal(trisolve_schedule_make(&parts, &wish, &schedule, NULL), STATUS_OK);
    assert_true(schedule.shared);
    /* Each wait for a thread is for more tasks than the last one, and for no more tasks than that thread
     * has. */
    for (int t = 0; t < 4; t++) {
        const struct trisolve_strand *strand = &schedule.strands[t];
        int32_t known[4] = {0};
        const struct trisolve_waits *waits = &strand->waits[TRISOLVE_AHEAD];
        for (int64_t w = 0; w < waits->from[strand->tasks]; w++) {
            const struct trisolve_wait *wait = &waits->list[w];
            assert_true(wait->thread != t && wait->tasks > known[wait->thread]);
            assert_true(wait->tasks <= schedule.strands[wait->thread].tasks);
            known[wait->thread] = wait->tasks;
        }
    }
    struct seen seen = {.a = &a, .solved = calloc((size_t)a.rows, 1)};
    trisolve_schedule_begin(&schedule, TRISOLVE_AHEAD);
    trisolve_schedule_run(&schedule, 0, 1, see, &seen);
    assert_false(seen.early);
    for (int64_t i = 0; i < a.rows; i++)
        assert_true(seen.solved[i]);
    free(seen.solved);
    free(levels);
}

/* A chain of rows is one task of one thread, and nothing waits. */
TEST(a_chain_has_no_waits)
{
    FREED(trisolve_schedule_free) struct trisolve_schedule schedule;
    int32_t *levels = malloc(5000 * sizeof *levels);
    struct matrix matrix = generated("banded,n=5000,lower=1");
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    void *prepared;
    assert_int_equal(trisolve_parts_make(&matrix.csr, &parts, NULL), STATUS_OK);
    assert_int_equal(trisolve_levels.prepare(&parts, TRISOLVE_LOWER, 4, NULL, &prepared, NULL), STATUS_OK);
    const struct trisolve_facts facts = trisolve_levels.facts(prepared);
    assert_int_equal(facts.levels, 5000);
    assert_int_equal(facts.waits, 0);
    trisolve_levels.release(prepared);
    for (int32_t i = 0; i < 5000; i++)
        levels[i] = i;
    struct trisolve_wish wish = {
        .triangle = TRIANGLE_LOWER, .levels = levels, .level_count = 5000, .threads = 4};
    wish.always = true;
    assert_int_equal(trisolve_schedule_make(&parts, &wish, &schedule, NULL), STATUS_OK);
    assert_int_equal(schedule.strands[0].tasks, 1);
    assert_int_equal(schedule.strands[0].rows, 5000);
    assert_false(schedule.shared);
    free(levels);
    matrix_free(&matrix);
}

/* The check notices an entry that was left out, and a row of a wrong sign, in each operation. */
TEST(the_check_notices_wrong_rows)
{
    FREED(csr_free) struct csr a = dominant();
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    double b[N], start[N], x[N];
    fill(b, N, 1);
    fill(start, N, 2);
    for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++) {
        FREED(trisolve_check_free) struct trisolve_check check;
        struct error error = {0};
        assert_int_equal(
            trisolve_check_make(&parts, (enum trisolve_operation)operation, b, start, &check, NULL),
            STATUS_OK);
        assert_false(check.loose);
        memcpy(x, start, sizeof x);
        substitute(&a, (enum trisolve_operation)operation, b, x);
        assert_int_equal(trisolve_check_result(&check, x, &error), STATUS_OK);
        for (int i = 0; i < N; i++) {
            const double right = x[i];
            x[i] += 1e-12;
            assert_int_equal(trisolve_check_result(&check, x, &error), STATUS_UNAVAILABLE);
            assert_non_null(strstr(error.message, "wrong in row "));
            x[i] = NAN;
            assert_int_equal(trisolve_check_result(&check, x, &error), STATUS_UNAVAILABLE);
            x[i] = right;
        }
    }
}

/* Ones below the diagonal with 1e-3 on it amplify rounding by 1000 a row. */
TEST(a_step_that_amplifies_rounding_is_not_checked)
{
    double dense[N * N] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            dense[N * i + j] = i == j ? 1e-3 : 1;
    FREED(csr_free) struct csr a = support_dense(N, N, dense);
    FREED(trisolve_parts_free) struct trisolve_parts parts;
    FREED(trisolve_check_free) struct trisolve_check check;
    assert_int_equal(trisolve_parts_make(&a, &parts, NULL), STATUS_OK);
    double b[N], start[N] = {0};
    for (int i = 0; i < N; i++)
        b[i] = i + 1e-3; /* A times a vector of ones */
    assert_int_equal(trisolve_check_make(&parts, TRISOLVE_SYMGS, b, start, &check, NULL), STATUS_OK);
    assert_true(check.loose);
}

TEST(operations_are_read_by_name)
{
    unsigned operations;
    struct error error = {0};
    assert_int_equal(trisolves_read("", &operations, NULL), STATUS_OK);
    assert_int_equal(operations, 7);
    assert_int_equal(trisolves_read("symgs,lower", &operations, NULL), STATUS_OK);
    assert_int_equal(operations, 1 << TRISOLVE_SYMGS | 1 << TRISOLVE_LOWER);
    assert_int_equal(trisolves_read("low", &operations, &error), STATUS_USAGE);
    assert_non_null(strstr(error.message, "'low' is no triangular solve: lower, upper, symgs"));
}

static const struct trisolve_run *run_of(const struct trisolves *trisolves,
                                         const struct trisolve_kernel *kernel,
                                         enum trisolve_operation operation)
{
    for (int k = 0; k < trisolves->count; k++)
        if (strcmp(trisolves->runs[k].name, kernel->name) == 0 && trisolves->runs[k].operation == operation)
            return &trisolves->runs[k];
    fail();
    return NULL;
}

/* Return ||b - A x|| / ||b|| after one step from x = 0 by substitution. b is A times the documented random
 * vector. */
static double reduction_of(const struct csr *a)
{
    const uint64_t key = hash_key(1, HASH_VALUE, 0);
    double b[N], x[N] = {0}, residual = 0, all = 0;
    for (int64_t i = 0; i < N; i++) {
        b[i] = 0;
        for (int64_t j = 0; j < N; j++)
            b[i] += (i == j && value_at(a, i, i) == 0 ? 1 : value_at(a, i, j)) * hash_value(hash_at(key, j));
    }
    substitute(a, TRISOLVE_SYMGS, b, x);
    for (int64_t i = 0; i < N; i++) {
        double r = b[i];
        for (int64_t j = 0; j < N; j++)
            r -= (i == j && value_at(a, i, i) == 0 ? 1 : value_at(a, i, j)) * x[j];
        residual += r * r;
        all += b[i] * b[i];
    }
    return sqrt(residual / all);
}

/* The reported reduction is that of a step by substitution. */
TEST(all_kernels_are_timed)
{
    FREED(csr_free) struct csr a = dominant();
    FREED(trisolves_free) struct trisolves trisolves;
    assert_int_equal(trisolves_run(&a, 7, 2, 0, NULL, &trisolves, NULL), STATUS_OK);
    assert_int_equal(trisolves.ones, 3);
    int64_t lower = 0, upper = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            lower += a.col[k] < i;
            upper += a.col[k] > i;
        }
    const double flops[] = {2.0 * (double)(lower + N), 2.0 * (double)(upper + N),
                            4.0 * (double)(lower + upper + N)};
    for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++) {
        const struct trisolve_run *one =
            run_of(&trisolves, &trisolve_sequential, (enum trisolve_operation)operation);
        const struct trisolve_run *levels =
            run_of(&trisolves, &trisolve_levels, (enum trisolve_operation)operation);
        assert_int_equal(one->threads, 1);
        assert_int_equal(levels->threads, 2);
        assert_true(one->samples.count >= 30 && levels->samples.count >= 30);
        assert_true(one->checked && levels->checked && !one->reason[0] && !levels->reason[0]);
        assert_true(one->flops == flops[operation]);
        assert_true(one->speedup == 1);
        assert_true(levels->speedup == one->samples.time / levels->samples.time);
    }
    assert_true(fabs(trisolves.reduction - reduction_of(&a)) <= 1e-12);
}

TEST(one_thread_runs_all_kernels)
{
    FREED(csr_free) struct csr a = dominant();
    FREED(trisolves_free) struct trisolves trisolves;
    assert_int_equal(trisolves_run(&a, 1, 1, 0, NULL, &trisolves, NULL), STATUS_OK);
    const struct trisolve_run *run = run_of(&trisolves, &trisolve_levels, TRISOLVE_LOWER);
    assert_true(run->threads == 1 && run->checked && !run->reason[0]);
    assert_true(run->facts.levels > 1 && run->facts.waits == 0);
    assert_true(isnan(trisolves.reduction));
}

/* Empty rows alone, and no row at all. */
TEST(empty_matrices_are_solved)
{
    for (int64_t n = 0; n <= 3; n += 3) {
        const double none[9] = {0};
        FREED(csr_free) struct csr a = support_dense(n, n, none);
        FREED(trisolves_free) struct trisolves trisolves;
        assert_int_equal(trisolves_run(&a, 7, 2, 0, NULL, &trisolves, NULL), STATUS_OK);
        assert_int_equal(trisolves.ones, n);
        for (int operation = 0; operation < TRISOLVE_OPERATIONS; operation++)
            assert_string_equal(
                run_of(&trisolves, &trisolve_sequential, (enum trisolve_operation)operation)->reason, "");
    }
}

TEST(a_limit_is_kept)
{
    struct matrix matrix = generated("banded,n=100000,lower=2");
    FREED(trisolves_free) struct trisolves trisolves;
    struct error error = {0};
    assert_int_equal(trisolves_run(&matrix.csr, 7, 2, 1 << 20, NULL, &trisolves, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "the arrays of triangular solves"));
    assert_int_equal(trisolves.count, 0);
    matrix_free(&matrix);
}

/* Each allocation fails in turn: there is an error, and nothing is left behind. */
TEST(failing_memory_is_an_error)
{
    FREED(csr_free) struct csr a = dominant();
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK && k < 1000; k++) {
        struct trisolves trisolves;
        memory_fail_after(k);
        status = trisolves_run(&a, 1u << TRISOLVE_SYMGS, 2, 0, NULL, &trisolves, NULL);
        const long failures = memory_failures();
        memory_fail_after(-1);
        assert_true((failures > 0) == (status == STATUS_MEMORY));
        trisolves_free(&trisolves);
    }
    assert_int_equal(status, STATUS_OK);
}
