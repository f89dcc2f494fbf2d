/* The loop that everybody writes, in an object file with compiler options of its own. */
#ifndef SPARSIGHT_TESTS_BENCH_PEERS_PLAIN_LOOP_H
#define SPARSIGHT_TESTS_BENCH_PEERS_PLAIN_LOOP_H

#include <stdbool.h>

/* y = A x, or y += A x, over the three arrays of CSR, rows divided evenly among the threads. */
void plain_loop_f64(int rows, const int *row_ptr, const int *col, const double *val, const double *x,
                    double *y, bool add, int threads);
void plain_loop_f32(int rows, const int *row_ptr, const int *col, const float *val, const float *x, float *y,
                    bool add, int threads);

#endif
