/* analysis/solvers with complex matrices: products, solves in as many steps as there are rows, and
 * preconditioners of the embedded matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/embedding.h"
#include "analysis/solvers/krylov.h"
#include "base/memory.h"
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

/* A matrix with the entries of `real`, and these imaginary parts. */
static struct csr complex_matrix(const double real[9], const double imaginary[9])
{
    struct csr a = support_dense(3, 3, real);
    a.imaginary = malloc((size_t)csr_nnz(&a) * sizeof *a.imaginary);
    for (int64_t i = 0; i < 3; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
            a.imaginary[k] = imaginary[3 * i + a.col[k]];
    return a;
}

TEST(complex_products_and_embeddings_are_one)
{
    static const double real[] = {3, 1, 0, /**/ 1, 4, 2, /**/ 0, 2, 5},
                        imaginary[] = {1, 2, 0, /**/ -2, 0, -1, /**/ 0, 1, -3};
    static const double x[] = {1, 0, 0, 1, 2, -1};
    /* (3 + i) + (1 + 2i) i, (1 - 2i) + 4i + (2 - i) (2 - i), (2 + i) i + (5 - 3i) (2 - i) */
    static const double wanted[] = {1, 2, 4, -2, 6, -9};
    FREED(csr_free) struct csr a = complex_matrix(real, imaginary);
    FREED(csr_free) struct csr embedded;
    double y[6];
    solver_multiply(&a, NULL, x, y);
    assert_memory_equal(y, wanted, sizeof y);
    assert_int_equal(embedding_make(&a, &embedded, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&embedded), 28);
    for (int64_t k = 1; k < 6; k++) /* columns ascend */
        assert_true(embedded.col[embedded.row_ptr[k] + 1] > embedded.col[embedded.row_ptr[k]]);
    solver_multiply(&embedded, NULL, x, y);
    assert_memory_equal(y, wanted, sizeof y);
}

/* In exact numbers both methods end after as many steps as there are rows. */
TEST(complex_solves_take_as_many_steps_as_rows)
{
    static const double real[] = {3, 1, 2, /**/ 1, 4, 2, /**/ 1, 2, 5},
                        imaginary[] = {1, 2, -1, /**/ -2, 1, -1, /**/ 3, 1, -3};
    FREED(csr_free) struct csr a = complex_matrix(real, imaginary);
    FREED(solving_free) struct solving solving = solved(&a, "bicgstab,gmres,none,ilu0");
    for (int k = 0; k < 4; k++) {
        assert_int_equal(solving.runs[k].end, SOLVE_CONVERGED);
        /* ILU(0) of a full matrix is its inverse. */
        assert_in_range(solving.runs[k].iterations, 1, k % 2 ? 1 : 3);
    }
    FREED(csr_free)
    struct csr hermitian =
        complex_matrix((double[9]){3, 1, 2, 1, 4, 2, 2, 2, 5}, (double[9]){0, 1, -1, -1, 0, 1, 1, -1, 0});
    FREED(solving_free) struct solving conjugate = solved(&hermitian, "cg,none,ic0");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(conjugate.runs[k].end, SOLVE_CONVERGED);
        assert_in_range(conjugate.runs[k].iterations, 1, k ? 1 : 3);
    }
}

/* The numbers of rows in messages are those of the matrix. */
TEST(preconditioners_of_complex_matrices_name_its_rows)
{
    static const double real[] = {3, 1, 0, /**/ 1, 4, 0, /**/ 0, 0, 1},
                        holes[] = {3, 1, 0, /**/ 1, 0, 2, /**/ 0, 2, 5},
                        imaginary[] = {0, 2, 0, /**/ -2, 0, 0, /**/ 0, 0, 7};
    FREED(csr_free) struct csr whole = complex_matrix(real, imaginary);
    whole.val[4] = 0; /* the last entry is 7i, whose pivots are not real */
    FREED(solving_free) struct solving solving = solved(&whole, "gmres,ilu0,jacobi");
    assert_int_equal(solving.runs[0].end, SOLVE_CONVERGED);
    assert_string_equal(solving.runs[0].preconditioner->name, "jacobi");
    assert_int_equal(solving.runs[1].end, SOLVE_REFUSED);
    if (!strstr(solving.runs[1].reason, "the pivot of row 3 is zero")) fail_msg("%s", solving.runs[1].reason);
    FREED(csr_free) struct csr lacking = complex_matrix(holes, imaginary);
    FREED(solving_free) struct solving without = solved(&lacking, "gmres,ilu0,jacobi");
    for (int k = 0; k < 2; k++)
        if (!strstr(without.runs[k].reason, "row 2 has no diagonal entry"))
            fail_msg("%s", without.runs[k].reason);
}

TEST(complex_scalars_are_exact_where_real)
{
    const struct scalar a = {3, 0}, b = {7, 0}, c = {1, 2}, d = {3, -4};
    assert_true(scalar_quotient(a, b).re == 3. / 7 && scalar_quotient(a, b).im == 0);
    assert_true(scalar_product(c, d).re == 11 && scalar_product(c, d).im == 2);
    const struct scalar quotient = scalar_quotient(c, d); /* (1 + 2i)(3 + 4i) / 25 */
    assert_true(fabs(quotient.re + 0.2) < 1e-15 && fabs(quotient.im - 0.4) < 1e-15);
    assert_true(scalar_size(d) == 5);
}

TEST(every_allocation_may_fail)
{
    static const double real[] = {3, 1, 2, /**/ 1, 4, 2, /**/ 1, 2, 5},
                        imaginary[] = {1, 2, -1, /**/ -2, 1, -1, /**/ 3, 1, -3};
    FREED(csr_free) struct csr a = complex_matrix(real, imaginary);
    const struct solver_options options = options_of("max=3,refine=1,restart=2,gmres");
    long count = 0;
    for (bool failed = true; failed; count++) {
        struct solving solving;
        memory_fail_after(count);
        enum status status = solving_run(&a, &options, 0, NULL, &solving, NULL);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        solving_free(&solving);
    }
    assert_true(count > 8);
}
