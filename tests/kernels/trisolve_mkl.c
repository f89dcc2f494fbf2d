/* kernels/trisolve/mkl: solves by oneMKL, tested with a fake library (tests/support/fake_mkl.c). */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/libraries/backends.h"
#include "kernels/libraries/library.h"
#include "kernels/trisolve/times.h"
#include "support/support.h"
#include "support/unit.h"

#define FAKE "tests/support/fake_library.so"

/* The fake library in this process, whose functions are never unloaded. */
static int *seen(void)
{
    void *file = dlopen("./" FAKE, RTLD_LAZY | RTLD_NOLOAD);
    assert_non_null(file);
    return dlsym(file, "fake_seen");
}
enum { THREADS, OPTIMIZED, ALIVE };

/* oneMKL solves triangular systems. The test checks the results and the number of threads. Gauss-Seidel steps
 * need a symmetric matrix. A failing function and a wrong result are reasons to refuse oneMKL. */
TEST(triangular_solves_of_mkl)
{
    static const double general[16] = {4, 1, 0, 0, /**/ 0, 3, 1, 0, /**/ 2, 0, 5, 1, /**/ 0, 1, 0, 2},
                        symmetric[16] = {4, 1, 0, 2, /**/ 1, 3, 1, 0, /**/ 0, 1, 5, 1, /**/ 2, 0, 1, 6},
                        mirrored[16] = {4, 1, 0, 2, /**/ 1, 3, 1, 0, /**/ 0, 1, 5, 1, /**/ 3, 0, 1, 6};
    static const struct {
        const double *dense;
        enum trisolve_operation operation;
        const char *fault, *reason;
    } cases[] = {
        {general, TRISOLVE_LOWER, "none", NULL},
        {general, TRISOLVE_UPPER, "none", NULL},
        {symmetric, TRISOLVE_SYMGS, "none", NULL},
        {general, TRISOLVE_SYMGS, "none", "oneMKL has SymGS for symmetric matrices only"},
        {mirrored, TRISOLVE_SYMGS, "none", "oneMKL has SymGS for symmetric matrices only"},
        {general, TRISOLVE_UPPER, "mkl_sparse_d_trsv=fail", "wrong in row 1: nan"},
        {symmetric, TRISOLVE_SYMGS, "mkl_sparse_d_symgs=fail", "wrong in row 1: nan"},
        {general, TRISOLVE_LOWER, "mkl_sparse_set_sv_hint=fail",
         "oneMKL: mkl_sparse_set_sv_hint failed: not supported (6)"},
        {symmetric, TRISOLVE_SYMGS, "mkl_sparse_set_symgs_hint=fail",
         "oneMKL: mkl_sparse_set_symgs_hint failed: not supported (6)"},
        {general, TRISOLVE_LOWER, "mkl_sparse_optimize=fail",
         "oneMKL: mkl_sparse_optimize failed: an internal error (5)"},
    };
    setenv("SPARSIGHT_MKL", "./" FAKE, true);
    const char *reason = library_look(&library_mkl);
    if (reason) fail_msg("%s", reason);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = support_dense(4, 4, cases[k].dense);
        struct trisolves trisolves;
        setenv("FAKE_LIBRARY", cases[k].fault, true);
        assert_int_equal(trisolves_run(&a, 1u << cases[k].operation, 3, 0, NULL, &trisolves, NULL),
                         STATUS_OK);
        unsetenv("FAKE_LIBRARY");
        const struct trisolve_run *run = trisolves.runs;
        while (strcmp(run->name, "mkl") != 0)
            run++;
        assert_int_equal(run->threads, 3);
        assert_true((run->samples.count > 0) == (cases[k].reason == NULL));
        if (strncmp(run->reason, cases[k].reason ? cases[k].reason : "",
                    cases[k].reason ? strlen(cases[k].reason) : 1))
            fail_msg("case %zu: %s", k, run->reason);
        if (!cases[k].reason) assert_int_equal(seen()[THREADS], 3);
        assert_int_equal(seen()[ALIVE], 0);
        trisolves_free(&trisolves);
        csr_free(&a);
    }
}
