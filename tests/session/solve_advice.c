/* session/solve_advice: the arithmetic of kernels in a solve, with times made by hand. */
#include <math.h>
#include <string.h>

#include "analysis/solvers/preconditioner.h"
#include "session/solve_advice.h"
#include "support/unit.h"

/* 10 products, beside 20 ms of the preconditioner, 30 ms of vectors and 7 ms of set-up. */
static struct solve a_solve(enum solve_end end)
{
    return (struct solve){.method = solver_methods[0],
                          .preconditioner = preconditioners[3],
                          .end = end,
                          .iterations = 10,
                          .products = 10,
                          .seconds = {0.007, 0.9, 0.02, 0.03}};
}

/* CSR takes 5 ms; the others 4, 4.9 and 6 ms, after a conversion of 100 ms. */
static struct result results[4] = {{.name = "fast"}, {.name = "csr"}, {.name = "near"}, {.name = "slow"}};
static struct advice_candidate candidates[4] = {
    {.result = &results[0], .seconds = 0.004, .setup = 0.1, .measured = true, .low = 0.004, .high = 0.004},
    {.result = &results[1], .seconds = 0.005, .csr = true, .measured = true, .low = 0.005, .high = 0.005},
    {.result = &results[2], .seconds = 0.0049, .setup = 0.1, .measured = true, .low = 0.0049, .high = 0.0049},
    {.result = &results[3], .seconds = 0.006, .setup = 0.1, .measured = true, .low = 0.006, .high = 0.006}};
static const struct advice advice_here = {
    .there = true, .candidates = candidates, .count = 4, .compared = 4, .by_measured = true, .csr = 1};

TEST(times_of_a_solve_and_when_conversions_pay)
{
    /* 100 ms saved at 1 ms a product are 100 products, 10 solves; at 0.1 ms 100 solves. */
    static const double seconds[] = {0.09, 0.1, 0.099, 0.11}, first[] = {0.197, 0.107, 0.206, 0.217};
    static const int64_t from[] = {10, 1, 100, -1};
    struct solve run = a_solve(SOLVE_CONVERGED);
    const struct solving solving = {.runs = &run, .count = 1, .fastest = 0};
    struct solve_advice advice;
    char verdict[256];
    assert_int_equal(solve_advice_of(&solving, &advice_here, &advice, NULL), STATUS_OK);
    assert_int_equal(advice.run_count, 1);
    assert_int_equal(advice.kernel_count, 4);
    assert_ptr_equal(advice.of, &run);
    for (int k = 0; k < 4; k++) {
        assert_string_equal(advice.kernels[k].kernel, results[k].name);
        assert_true(fabs(advice.kernels[k].seconds - seconds[k]) < 1e-12);
        assert_true(fabs(advice.kernels[k].first - first[k]) < 1e-12);
        assert_in_range(advice.kernels[k].from + 2, from[k] + 2, from[k] + 2 + (from[k] > 1));
        assert_int_equal(advice.kernels[k].csr, k == 1);
    }
    assert_string_equal(advice.runs[0].best.kernel, "fast");
    assert_string_equal(advice.runs[0].once.kernel, "csr");
    solve_verdict(&advice, verdict, sizeof verdict);
    assert_string_equal(verdict,
                        "Fastest: CG, ILU(0), 10 iterations in 957 ms. Products take 94% of the time, the "
                        "preconditioner 2.8%, vectors 3.1%.");
    solve_advice_free(&advice);
}

/* The fastest solve is refined, and so has no kernels. A solve that did not converge is not chosen. */
TEST(kernels_are_those_of_the_fastest_plain_solve)
{
    struct solve runs[3] = {a_solve(SOLVE_MOST), a_solve(SOLVE_CONVERGED), a_solve(SOLVE_CONVERGED)};
    runs[0].seconds[SOLVE_PRODUCTS] = 0.1;
    runs[2].seconds[SOLVE_PRODUCTS] = 0.2;
    runs[2].refined = true;
    const struct solving solving = {.runs = runs, .count = 3, .fastest = 2};
    struct solve_advice advice;
    assert_int_equal(solve_advice_of(&solving, &advice_here, &advice, NULL), STATUS_OK);
    assert_ptr_equal(advice.of, &runs[1]);
    assert_string_equal(advice.runs[0].best.kernel, "fast");
    assert_string_equal(advice.runs[2].best.kernel, "");
    solve_advice_free(&advice);
}

TEST(without_kernels_or_solves_there_is_nothing_to_advise)
{
    struct solve run = a_solve(SOLVE_BROKEN);
    const struct solving solving = {.runs = &run, .count = 1, .fastest = -1}, none = {.fastest = -1};
    struct solve_advice advice;
    char verdict[256];
    assert_int_equal(solve_advice_of(&solving, NULL, &advice, NULL), STATUS_OK);
    assert_int_equal(advice.run_count, 1);
    assert_string_equal(advice.runs[0].best.kernel, "");
    assert_string_equal(solve_verdict(&advice, verdict, sizeof verdict), "");
    solve_advice_free(&advice);
    assert_int_equal(solve_advice_of(&none, &advice_here, &advice, NULL), STATUS_OK);
    assert_int_equal(advice.run_count, 0);
    solve_advice_free(&advice);
}
