/* The time of a solve with each kernel: the products that it took when it was run times their time with the
 * kernel, and the measured times of its other parts. */
#ifndef SPARSIGHT_SESSION_SOLVE_ADVICE_H
#define SPARSIGHT_SESSION_SOLVE_ADVICE_H

#include "session/advice.h"
#include "session/session.h"

/* A kernel in a solve. */
struct solve_kernel {
    char kernel[CHOICE_NAME];
    double product; /* seconds of a product */
    bool measured;  /* this time; else forecast */
    double setup;   /* seconds of the conversion, once */
    double seconds; /* of a solve: products x product + preconditioner + vectors */
    double first;   /* of the first solve: with the conversion and the set-up of the preconditioner */
    int64_t from; /* number of solves from which it is at least as fast as the fastest kernel that reads CSR;
                     1: from the first; -1: never */
    bool csr;     /* it is the fastest kernel that reads CSR */
};

/* A run with the kernels that suit it. `best` is for many solves, `once` for a single one. Names are "" if
 * no kernel is known. */
struct solve_outlook {
    const struct solve *solve; /* the case's */
    struct solve_kernel best, once;
};

/* Start with {0}; free with solve_advice_free. */
struct solve_advice {
    const struct solving *solving;
    struct solve_outlook *runs; /* one for each run; owned */
    int run_count;
    const struct solve
        *of; /* the solve of the kernels below: the fastest that converged, unrefined; NULL: none */
    struct solve_kernel *kernels; /* on this processor, in the order of the advice; owned */
    int kernel_count;
};

/* Solve with the matrix of a case (solving_run). The results become the case's. */
enum status session_solve(struct session *session, struct matrix_case *of,
                          const struct solver_options *options, struct progress *progress,
                          struct error *error);

/* Make the advice for the solves of a case, from kernels in double precision on this processor
 * (session_advise), which computes nothing slow, or from those of its saved report. Nothing if the case has
 * none. A refined solve has no
 * kernels, since its matrix is stored in f32. STATUS_MEMORY. */
enum status session_solve_advice(const struct session *session, const struct matrix_case *of,
                                 struct solve_advice *advice, struct error *error);

/* The same from the kernels of a saved report, for a case that has them (matrix_case.told). */
enum status solve_advice_told(const struct matrix_case *of, struct solve_advice *advice, struct error *error);

/* The same from an advice that is known already; NULL: no kernel is known. */
enum status solve_advice_of(const struct solving *solving, const struct advice *candidates,
                            struct solve_advice *advice, struct error *error);

void solve_advice_free(struct solve_advice *advice);

/* Write a sentence on the fastest solve: its steps, the division of its time, and the kernel for it. "" if
 * none converged. Returns out. */
const char *solve_verdict(const struct solve_advice *advice, char *out, size_t size);

#endif
