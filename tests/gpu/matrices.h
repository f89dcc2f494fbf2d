/* The matrices of the benchmark of GPU kernels. */
#ifndef SPARSIGHT_TESTS_GPU_MATRICES_H
#define SPARSIGHT_TESTS_GPU_MATRICES_H

#include "bench/peers/subjects.h"
#include "gpu/aims.h"

struct gpu_matrix {
    struct subject subject; /* real ones are repeated to the size asked for, others have their own */
    enum kind kind;
};

/* The table, in an order in which a run that is cut off has some of each kind; ends with a NULL name. */
extern const struct gpu_matrix gpu_matrices[];

/* The matrix of that name, or NULL. */
const struct gpu_matrix *gpu_matrix_called(const char *name);

/* Print the table: names, kinds and files. */
void gpu_matrices_list(void);

#endif
