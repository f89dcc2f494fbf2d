/* The descriptor of PETSc's MatMult, which multiplies a matrix distributed by rows over processes. Only
 * src/ranks runs it, since the library needs MPI. */
#include "kernels/libraries/backends.h"
#include "kernels/libraries/csr.h"

const struct kernel kernel_petsc_csr = {
    .name = "csr",
    .backend = &backend_petsc,
    .format = &format_csr,
    .summary = "MatMult of a matrix of type mpiaij",
    .source = "Balay, Gropp, McInnes and Smith, Modern Software Tools in Scientific Computing, 1997",
    .wins = "Solvers over processes use it. It shows what another kernel would gain for them.",
    .parameters = library_parameters,
    .sequential = true,
    .real_only = "Debian's library for complex numbers is another one",
    .prepare_cost = 4,
};
