/* analysis/solvers: methods with known numbers of steps, factors against their definition, ends, and results
 * that do not depend on threads. tests/support/solved.py compares with SciPy. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/krylov.h"
#include "analysis/solvers/triangular.h"
#include "analysis/solvers/vectors.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

static struct solver_options options_of(const char *text)
{
    struct solver_options options;
    struct error error = {0};
    if (solver_options_read(text, &options, &error) != STATUS_OK) fail_msg("%s", error.message);
    return options;
}

static struct solving solved(const struct csr *a, const char *text)
{
    const struct solver_options options = options_of(text);
    struct solving solving;
    struct error error = {0};
    if (solving_run(a, &options, 0, NULL, &solving, &error) != STATUS_OK) fail_msg("%s", error.message);
    return solving;
}

static struct csr diagonal(int64_t n, int64_t distinct)
{
    double *values = calloc((size_t)(n * n), sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i * n + i] = (double)(1 + i % distinct);
    struct csr a = support_dense(n, n, values);
    free(values);
    return a;
}

/* A Krylov method of a matrix with d distinct eigenvalues ends after d steps (Saad 2003, section 6.2). */
TEST(as_many_steps_as_eigenvalues)
{
    for (int64_t d = 1; d <= 5; d++) {
        FREED(csr_free) struct csr a = diagonal(40, d);
        FREED(solving_free) struct solving solving = solved(&a, "none,tol=1e-12");
        assert_int_equal(solving.count, 3);
        assert_true(solving.symmetric);
        for (int k = 0; k < solving.count; k++) {
            const struct solve *solve = &solving.runs[k];
            assert_int_equal(solve->end, SOLVE_CONVERGED);
            assert_int_equal(solve->iterations, d);
            assert_true(solve->true_residual <= 1e-12);
            assert_true(solve->curve[0] == 1 && solve->curve[d] == solve->residual);
            assert_int_equal(solve->applications, 0);
        }
        assert_int_equal(solving.runs[0].products, d);
        assert_int_equal(solving.runs[2].products, d);
        assert_in_range(solving.runs[1].products, 2 * d - 1, 2 * d);
    }
}

/* These are exact: the diagonal of a diagonal matrix, one block, and factors without fill. */
TEST(exact_preconditioners_take_one_step)
{
    static const struct {
        const char *matrix, *options;
    } cases[] = {{"laplace2d,nx=40,ny=1", "ilu0,ic0"}, {"laplace2d,n=5", "block-jacobi,block=25"}};
    FREED(csr_free) struct csr scaled = diagonal(30, 30);
    FREED(solving_free) struct solving jacobi = solved(&scaled, "jacobi");
    for (int k = 0; k < jacobi.count; k++)
        assert_int_equal(jacobi.runs[k].iterations, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(matrix_free) struct matrix matrix = generated(cases[k].matrix);
        FREED(solving_free) struct solving solving = solved(&matrix.csr, cases[k].options);
        for (int j = 0; j < solving.count; j++) {
            assert_int_equal(solving.runs[j].end, SOLVE_CONVERGED);
            assert_int_equal(solving.runs[j].iterations, 1);
            assert_true(solving.runs[j].true_residual < 1e-8);
        }
    }
}

/* A random matrix with a full diagonal that dominates; symmetric if asked. */
static struct csr dominant(int64_t n, bool symmetric, uint64_t seed)
{
    double *values = calloc((size_t)(n * n), sizeof *values);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (i == j || support_random(&seed, 100) >= 12) continue;
            values[i * n + j] = support_random(&seed, 1000) * 1e-3 - 0.5;
            if (symmetric) values[j * n + i] = values[i * n + j];
        }
    for (int64_t i = 0; i < n; i++)
        values[i * n + i] = 2 + 0.5 * (double)n * 0.12 + support_random(&seed, 100) * 0.01;
    struct csr a = support_dense(n, n, values);
    free(values);
    return a;
}

static double factor_at(const struct factors *factors, int64_t i, int64_t j, bool lower)
{
    const int64_t k = csr_find(factors->a, i, j);
    if (i == j && lower && !factors->both) return 1;
    return k < 0 || (lower ? j > i : j < i) ? 0 : factors->val[k];
}

/* (L U)_ij = a_ij on the pattern of A (Saad 2003, proposition 10.4), and z = U^-1 L^-1 r. */
TEST(factors_multiply_to_the_matrix_on_its_pattern)
{
    const struct solver_options options = solver_options_standard();
    for (uint64_t seed = 1; seed < 12; seed++)
        for (int kind = 3; kind < 5; kind++) {
            FREED(csr_free) struct csr a = dominant(50, kind == 4, seed);
            FREED(preconditioner_free) struct preconditioner m = {0};
            double r[50], z[50], uz[50];
            assert_int_equal(preconditioner_make(preconditioners[kind], &a, 1, &options, &m, NULL, NULL),
                             STATUS_OK);
            const struct factors *factors = m.state;
            for (int64_t i = 0; i < a.rows; i++)
                for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
                    double sum = 0;
                    for (int64_t j = 0; j < a.rows; j++)
                        sum += factor_at(factors, i, j, true) * factor_at(factors, j, a.col[k], false);
                    assert_true(fabs(sum - a.val[k]) < 1e-13 * 10);
                }
            for (int64_t i = 0; i < 50; i++)
                r[i] = (double)support_random(&seed, 100) - 50;
            m.kind->apply(&m, r, z);
            for (int64_t i = 0; i < 50; i++) {
                uz[i] = 0;
                for (int64_t j = 0; j < 50; j++)
                    uz[i] += factor_at(factors, i, j, false) * z[j];
            }
            for (int64_t i = 0; i < 50; i++) {
                double sum = 0;
                for (int64_t j = 0; j < 50; j++)
                    sum += factor_at(factors, i, j, true) * uz[j];
                assert_true(fabs(sum - r[i]) < 1e-11);
            }
        }
}

/* M z = r for the blocks of A. */
TEST(block_jacobi_solves_with_each_block)
{
    const struct solver_options options = options_of("block=7");
    FREED(csr_free) struct csr a = dominant(50, false, 5);
    FREED(preconditioner_free) struct preconditioner m = {0};
    double r[50], z[50];
    uint64_t seed = 9;
    assert_int_equal(preconditioner_make(preconditioners[2], &a, 1, &options, &m, NULL, NULL), STATUS_OK);
    for (int64_t i = 0; i < 50; i++)
        r[i] = (double)support_random(&seed, 100) - 50;
    m.kind->apply(&m, r, z);
    for (int64_t i = 0; i < 50; i++) {
        double sum = 0;
        for (int64_t j = i / 7 * 7; j < i / 7 * 7 + 7 && j < 50; j++)
            sum += value_at(&a, i, j) * z[j];
        assert_true(fabs(sum - r[i]) < 1e-11);
    }
}

/* The solution, from A x in plain loops, and what the method says of its residual. */
TEST(solutions_have_the_residual_that_is_told)
{
    for (int which = 0; which < 2; which++)
        for (int method = 0; method < SOLVER_METHODS; method++) {
            FREED(csr_free) struct csr a = dominant(90, which == 0, 4);
            const struct solver_options options = options_of("tol=1e-10,restart=4");
            const int64_t n = a.rows;
            struct preconditioner none = {.kind = preconditioners[0], .rows = n};
            struct solve solve = {.method = solver_methods[method], .preconditioner = none.kind};
            double b[90], x[90] = {0}, sums[1], square = 0, whole = 0;
            double *vectors = calloc(90 * 40, sizeof *vectors);
            if (which == 1 && solve.method->symmetric) {
                free(vectors);
                continue;
            }
            for (int64_t i = 0; i < n; i++) {
                b[i] = (double)(i % 7) - 2;
                whole += b[i] * b[i];
            }
            solve.curve = calloc((size_t)options.most + 1, sizeof *solve.curve);
            struct krylov_times times = {.since = 0};
            struct krylov krylov = {.a = &a,
                                    .preconditioner = &none,
                                    .options = &options,
                                    .n = n,
                                    .norm = sqrt(whole),
                                    .whole = sqrt(whole),
                                    .least = 1e-10 * sqrt(whole),
                                    .b = b,
                                    .x = x,
                                    .vectors = vectors,
                                    .sums = sums,
                                    .solve = &solve,
                                    .times = &times};
            assert_int_equal(solve.method->run(&krylov, NULL), STATUS_OK);
            assert_int_equal(solve.end, SOLVE_CONVERGED);
            for (int64_t i = 0; i < n; i++) {
                double sum = b[i];
                for (int64_t j = 0; j < n; j++)
                    sum -= value_at(&a, i, j) * x[j];
                square += sum * sum;
            }
            assert_true(sqrt(square / whole) <= 2e-10);
            assert_true(fabs(sqrt(square / whole) - solve.residual) < 1e-11);
            free(solve.curve);
            free(vectors);
        }
}

/* GMRES minimises over a space that grows: its residual never rises, and a longer cycle takes no more steps.
 */
TEST(residuals_of_gmres_never_rise)
{
    FREED(matrix_free) struct matrix matrix = generated("laplace2d,n=20");
    int64_t before = INT64_MAX;
    for (int restart = 5; restart <= 80; restart *= 4) {
        char text[64];
        snprintf(text, sizeof text, "gmres,none,max=5000,restart=%d", restart);
        FREED(solving_free) struct solving solving = solved(&matrix.csr, text);
        const struct solve *solve = &solving.runs[0];
        assert_int_equal(solve->end, SOLVE_CONVERGED);
        for (int64_t k = 1; k <= solve->iterations; k++)
            assert_true(solve->curve[k] <= solve->curve[k - 1] * (1 + 1e-9));
        assert_true(solve->iterations < before);
        before = solve->iterations;
    }
}

static void assert_ends(const struct csr *a, const char *text, enum solve_end end, const char *reason)
{
    FREED(solving_free) struct solving solving = solved(a, text);
    assert_int_equal(solving.count, 1);
    assert_int_equal(solving.runs[0].end, end);
    if (!strstr(solving.runs[0].reason, reason)) fail_msg("%s", solving.runs[0].reason);
}

TEST(breakdowns_and_refusals_have_their_reasons)
{
    static const double indefinite[] = {1, 0, 0, /**/ 0, -20, 0, /**/ 0, 0, 3};
    static const double saddle[] = {1, 2, 0, /**/ 2, -1, 0, /**/ 0, 0, 3};
    static const double unequal[] = {3, 1, 0, /**/ 2, 3, 0, /**/ 0, 0, 1};
    static const double rotation[] = {0, 1, 0, /**/ 0, 0, 1, /**/ 1, 0, 0};
    static const double lower[] = {1, 0, 0, /**/ 4, 1, 0, /**/ 0, 4, 1};
    static const double zero_pivot[] = {1, 1, 0, /**/ 1, 1, 1, /**/ 0, 1, 1};
    static const double singular[] = {0, 1, 0, /**/ 0, 0, 1, /**/ 0, 0, 0};
    FREED(csr_free) struct csr a = support_dense(3, 3, indefinite);
    FREED(csr_free) struct csr b = support_dense(3, 3, rotation);
    FREED(csr_free) struct csr c = support_dense(3, 3, lower);
    FREED(csr_free) struct csr d = support_dense(3, 3, zero_pivot);
    FREED(csr_free) struct csr e = support_dense(3, 3, singular);
    FREED(csr_free) struct csr f = support_dense(3, 3, saddle);
    FREED(csr_free) struct csr g = support_dense(3, 3, unequal);
    assert_ends(&a, "cg,none,x=ones", SOLVE_BROKEN, "the matrix is not definite: p^T A p = ");
    assert_ends(&a, "cg,jacobi", SOLVE_CONVERGED, ""); /* M = A */
    assert_ends(&f, "cg,jacobi", SOLVE_BROKEN, "is not definite");
    assert_ends(&a, "gmres,ic0", SOLVE_REFUSED, "IC(0): the pivot of row 2 is not positive; try shift=0.01");
    assert_ends(&b, "cg,none", SOLVE_REFUSED, "CG needs a symmetric matrix");
    assert_ends(&b, "gmres,jacobi", SOLVE_REFUSED, "Jacobi: row 1 has no diagonal entry");
    assert_ends(&b, "gmres,ilu0", SOLVE_REFUSED, "ILU(0): row 1 has no diagonal entry");
    assert_ends(&b, "bicgstab,none,x=ones", SOLVE_CONVERGED, "");
    assert_ends(&b, "gmres,none", SOLVE_CONVERGED, "");
    assert_ends(&b, "gmres,none,restart=1", SOLVE_BROKEN, "GMRES(1) stagnates");
    assert_ends(&b, "gmres,block-jacobi,block=2", SOLVE_REFUSED, "the block from row 1 on is singular");
    assert_ends(&b, "gmres,block-jacobi,block=3", SOLVE_CONVERGED, "");
    assert_ends(&g, "cg,none", SOLVE_REFUSED, "CG needs a symmetric matrix");
    assert_ends(&c, "gmres,ic0", SOLVE_REFUSED, "IC(0) needs a symmetric matrix");
    assert_ends(&d, "gmres,ilu0", SOLVE_REFUSED, "ILU(0): the pivot of row 2 is zero; try shift=0.01");
    assert_ends(&d, "gmres,ilu0,shift=0.01", SOLVE_CONVERGED, "");
    assert_ends(&c, "gmres,none,max=1", SOLVE_MOST, "");
    assert_ends(&e, "gmres,none", SOLVE_BROKEN, "the matrix is singular");
}

/* The Laplacian of a path + 1e-7 I, whose product with ones is small beside ||A|| ||x||: rounding keeps b - A
 * x above the tolerance. */
TEST(a_residual_that_drifts_away_is_told)
{
    static double values[60 * 60];
    for (int i = 0; i < 60; i++) {
        values[i * 60 + i] = (i == 0 || i == 59 ? 1 : 2) + 1e-7;
        if (i > 0) values[i * 60 + i - 1] = values[(i - 1) * 60 + i] = -1;
    }
    FREED(csr_free) struct csr a = support_dense(60, 60, values);
    FREED(solving_free) struct solving solving = solved(&a, "gmres,none,restart=60,tol=1e-13,x=ones");
    assert_int_equal(solving.runs[0].end, SOLVE_DRIFTED);
    assert_true(solving.runs[0].residual <= 1e-13 && solving.runs[0].true_residual > 1e-12);
    assert_int_equal(solving.fastest, -1);
}

/* Sums of whole numbers are exact, in stretches and at their ends. */
TEST(dot_products_have_all_stretches)
{
    static double x[3 * VECTOR_STRETCH + 5], y[3 * VECTOR_STRETCH + 5], sums[4];
    for (int64_t n = VECTOR_STRETCH - 1; n <= 3 * VECTOR_STRETCH + 5; n += VECTOR_STRETCH + 3) {
        double expected = 0;
        for (int64_t i = 0; i < n; i++) {
            x[i] = (double)(i % 100);
            y[i] = (double)(i % 7) - 2;
            expected += x[i] * y[i];
        }
        assert_true(vector_dot(n, x, y, sums) == expected);
    }
}

/* CG takes the same steps with -A as with A. */
TEST(negative_definite_matrices_are_definite)
{
    FREED(matrix_free) struct matrix matrix = generated("laplace2d,n=12");
    FREED(solving_free) struct solving plus = solved(&matrix.csr, "cg,none,jacobi,ilu0");
    for (int64_t k = 0; k < csr_nnz(&matrix.csr); k++)
        matrix.csr.val[k] = -matrix.csr.val[k];
    FREED(solving_free) struct solving minus = solved(&matrix.csr, "cg,none,jacobi,ilu0");
    for (int k = 0; k < 3; k++) {
        assert_int_equal(minus.runs[k].end, SOLVE_CONVERGED);
        assert_int_equal(minus.runs[k].iterations, plus.runs[k].iterations);
        assert_true(minus.runs[k].residual == plus.runs[k].residual);
    }
}

TEST(what_cannot_be_solved_at_all)
{
    const struct solver_options options = solver_options_standard(), ones = options_of("x=ones");
    static const double balanced[] = {1, -1, /**/ -1, 1};
    static const double huge[] = {1e308, 1e308, /**/ 1e308, 1e308};
    FREED(csr_free) struct csr wide = support_matrix(3, 4, 0.5, false, false, 1);
    FREED(csr_free) struct csr empty = support_dense(2, 2, (double[4]){0});
    FREED(csr_free) struct csr laplacian = support_dense(2, 2, balanced);
    FREED(csr_free) struct csr large = support_dense(2, 2, huge);
    const struct {
        const struct csr *a;
        const struct solver_options *options;
        const char *message;
    } cases[] = {{&wide, &options, "not square"},
                 {&empty, &options, "b = A x is 0"},
                 {&laplacian, &ones, "x=random"},
                 {&large, &ones, "overflows"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct solving solving;
        struct error error = {0};
        assert_int_equal(solving_run(cases[k].a, cases[k].options, 0, NULL, &solving, &error),
                         STATUS_UNAVAILABLE);
        if (!strstr(error.message, cases[k].message)) fail_msg("%s", error.message);
        assert_null(solving.runs);
    }
    struct solving limited;
    FREED(matrix_free) struct matrix matrix = generated("laplace2d,n=600");
    assert_int_equal(solving_run(&matrix.csr, &options, (size_t)64 << 20, NULL, &limited, NULL),
                     STATUS_LIMIT);
}

/* Even rows of the 5-point stencil before odd ones: two levels, which threads share. */
static struct csr red_and_black(int64_t n)
{
    char text[64];
    snprintf(text, sizeof text, "laplace2d,nx=%lld,ny=1", (long long)n);
    struct matrix matrix = generated(text);
    struct csr a = {.rows = n, .cols = n}, *from = &matrix.csr;
    int64_t k = 0;
    assert_int_equal(from->rows, n);
    assert_int_equal(csr_allocate(&a, csr_nnz(from), 0, NULL), STATUS_OK);
    a.row_ptr = calloc((size_t)n + 1, sizeof *a.row_ptr);
    for (int64_t i = 0; i < n; i++) {
        const int64_t old = i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1;
        for (int odd = 0; odd < 2; odd++)
            for (int64_t q = from->row_ptr[old]; q < from->row_ptr[old + 1]; q++) {
                if (from->col[q] % 2 != odd) continue;
                a.col[k] = (int32_t)(from->col[q] / 2 + odd * (n / 2));
                a.val[k++] = from->val[q];
            }
        a.row_ptr[i + 1] = k;
    }
    matrix_free(&matrix);
    assert_int_equal(csr_validate(&a, NULL), STATUS_OK);
    return a;
}

TEST(results_do_not_depend_on_threads)
{
    for (size_t m = 0; m < 2; m++) {
        struct matrix matrix = {0};
        if (m == 0) matrix = generated("laplace2d,n=370");
        if (m == 1) matrix.csr = red_and_black(140000);
        struct solving solving[2];
        for (int t = 0; t < 2; t++) {
            threads_set(1 + 2 * t);
            solving[t] = solved(&matrix.csr, "max=6,restart=4,refine=1");
        }
        threads_set(0);
        assert_int_equal(solving[0].count, 30);
        for (int k = 0; k < solving[0].count; k++) {
            const struct solve *one = &solving[0].runs[k], *other = &solving[1].runs[k];
            assert_int_equal(one->end, other->end);
            assert_int_equal(one->iterations, other->iterations);
            assert_true(one->end == SOLVE_REFUSED || one->true_residual == other->true_residual);
            if (one->curve)
                assert_memory_equal(one->curve, other->curve,
                                    ((size_t)one->iterations + 1) * sizeof *one->curve);
        }
        solving_free(&solving[0]);
        solving_free(&solving[1]);
        matrix_free(&matrix);
    }
}

/* The same solves by levels and row by row. */
TEST(levels_solve_as_rows_one_after_another)
{
    const struct solver_options options = solver_options_standard();
    FREED(csr_free) struct csr a = red_and_black(30000);
    double *r = calloc(30000, sizeof *r), *z[2] = {calloc(30000, sizeof *r), calloc(30000, sizeof *r)};
    for (int64_t i = 0; i < a.rows; i++)
        r[i] = (double)(i % 11) - 4;
    for (int t = 0; t < 2; t++) {
        FREED(preconditioner_free) struct preconditioner m = {0};
        threads_set(1 + t);
        assert_int_equal(preconditioner_make(preconditioners[3], &a, 1, &options, &m, NULL, NULL), STATUS_OK);
        const struct factors *factors = m.state;
        for (int triangle = 0; triangle < TRIANGLES && t == 1; triangle++) {
            const struct trisolve_facts facts = factors->kernel->facts(factors->solve[triangle]);
            assert_int_equal(facts.levels, 2);
            assert_int_equal(facts.waits, 1);
        }
        m.kind->apply(&m, r, z[t]);
    }
    threads_set(0);
    assert_memory_equal(z[0], z[1], 30000 * sizeof *r);
    free(r);
    free(z[0]);
    free(z[1]);
}

/* A matrix stored in f32 has another solution, at a distance of about 1e-8; refined, it has the same. */
TEST(refinement_reaches_what_f32_does_not)
{
    FREED(matrix_free) struct matrix matrix = generated("laplace2d,n=24");
    for (int64_t k = 0; k < csr_nnz(&matrix.csr); k++)
        matrix.csr.val[k] /= 3; /* no value is exact in f32 */
    FREED(solving_free) struct solving solving = solved(&matrix.csr, "none,ilu0,tol=1e-11,refine=1");
    assert_int_equal(solving.count, 12);
    for (int k = 0; k < solving.count; k++) {
        const struct solve *solve = &solving.runs[k];
        assert_int_equal(solve->end, SOLVE_CONVERGED);
        assert_int_equal(solve->refined, k % 4 >= 2);
        assert_true(solve->true_residual <= 1e-10);
        assert_true(solve->refined ? solve->refreshes >= 2 : solve->refreshes == 0);
        if (solve->refined) assert_true(solve->residual == solve->true_residual);
    }
}

TEST(words_of_the_option)
{
    struct solver_options options = options_of("");
    struct error error = {0};
    assert_int_equal(options.methods, 7);
    assert_int_equal(options.preconditioners, 31);
    assert_true(options.tolerance == 1e-8 && options.most == 1000 && options.restart == 30);
    assert_true(!options.ones && options.seed == 1 && options.block == 8 && !options.refine);
    options = options_of("bicgstab,tol=1e-6,ilu0,max=20,x=ones,block=4,cg");
    assert_int_equal(options.methods, 3);
    assert_int_equal(options.preconditioners, 8);
    assert_true(options.tolerance == 1e-6 && options.most == 20 && options.ones && options.block == 4);
    assert_int_equal(solver_options_read("minres", &options, &error), STATUS_USAGE);
    assert_non_null(strstr(error.message, "'minres'"));
    assert_non_null(strstr(error.message, "cg, bicgstab, gmres, none, jacobi, block-jacobi, ilu0, ic0"));
    assert_int_equal(solver_options_read("tol=2", &options, NULL), STATUS_USAGE);
    assert_int_equal(solver_options_read("tolerance=1e-3", &options, NULL), STATUS_USAGE);
    assert_null(solver_options_word(SOLVER_METHODS + PRECONDITIONERS));
}

TEST(names_of_solves)
{
    FREED(csr_free) struct csr a = diagonal(4, 2);
    FREED(solving_free) struct solving solving = solved(&a, "bicgstab,none,ilu0,refine=1");
    static const char *const expected[] = {"BiCGSTAB", "BiCGSTAB, ILU(0)", "BiCGSTAB, refined",
                                           "BiCGSTAB, ILU(0), refined"};
    char name[SOLVE_NAME];
    for (int k = 0; k < 4; k++)
        assert_string_equal(solve_name(&solving.runs[k], name, sizeof name), expected[k]);
    assert_in_range(solving.fastest, 0, 3);
}

TEST(every_allocation_may_fail)
{
    FREED(matrix_free) struct matrix matrix = generated("laplace2d,n=70"); /* levels are sorted, too */
    const struct solver_options options = options_of("max=3,refine=1,restart=2");
    long count = 0;
    threads_set(2);
    for (bool failed = true; failed; count++) {
        struct solving solving;
        struct error error = {0};
        memory_fail_after(count);
        enum status status = solving_run(&matrix.csr, &options, 0, NULL, &solving, &error);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        if (failed) assert_null(solving.runs);
        solving_free(&solving);
    }
    threads_set(0);
    assert_true(count > 30);
}

TEST(a_cancelled_solve_ends)
{
    FREED(matrix_free) struct matrix matrix = generated("laplace2d,n=30");
    const struct solver_options options = solver_options_standard();
    struct progress progress = {0};
    struct solving solving;
    progress_cancel(&progress);
    assert_int_equal(solving_run(&matrix.csr, &options, 0, &progress, &solving, NULL), STATUS_CANCELLED);
    assert_null(solving.runs);
}
