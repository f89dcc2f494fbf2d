/* CPU kernels for CSR. */
#ifndef SPARSIGHT_KERNELS_CPU_CSR_H
#define SPARSIGHT_KERNELS_CPU_CSR_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_csr_seq, kernel_cpu_csr_omp, kernel_cpu_csr_balanced,
    kernel_cpu_csr_compact;

/* The parameter of csr-omp that selects its method for the transposed matrix, and its values. */
enum { CSR_TRANSPOSED };
enum csr_transposed { CSR_STORED, CSR_SCATTERED };

/* Return true if prefetching elements of x pays: columns_scattered of all entries. */
bool csr_is_scattered(const struct storage *storage);

/* The rows of CSR (kernel.spmm_rows). */
struct spmm_rows csr_spmm_rows(const struct storage *storage);

/* Return true for real matrices: sums of their rows are written bypassing the caches (host_way.streams_y). */
bool csr_streams_y(const struct storage *storage);

#endif
