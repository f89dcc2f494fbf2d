/* A product y = A x as everybody writes it, as a kernel: timed and checked beside ours and those of
 * libraries, and never part of the program. */
#ifndef SPARSIGHT_TESTS_BENCH_PEERS_PEERS_H
#define SPARSIGHT_TESTS_BENCH_PEERS_PEERS_H

#include "kernels/kernel.h"

/* The plain OpenMP loop over CSR. */
const struct kernel *peer_plain(void);

#endif
