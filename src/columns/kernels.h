/* Getters of the table of a kernel's columns (src/columns/kernels.c). Used by its files only. */
#ifndef SPARSIGHT_COLUMNS_KERNELS_H
#define SPARSIGHT_COLUMNS_KERNELS_H

#include "columns/columns.h"

typedef struct value getter(const struct column *column, const struct subject *subject);

/* Of the result, in result_columns.c. */
getter result_kernel, result_format, result_backend, result_device, result_precision, result_params,
    result_threads, result_unavailable, result_samples, result_real, result_us, result_spread, result_gflops,
    result_bytes_moved, result_eta, result_read_share, result_bytes, result_slots, result_break_even,
    result_cached, result_tie, result_agrees;

/* Of its estimate, in estimate_columns.c; null where there is none. The offset of a column is that of its
 * number in struct estimate. */
getter estimate_gpu, estimate_granule, estimate_real, estimate_count, estimate_sectors_per_load,
    estimate_operand, estimate_all, estimate_limit, estimate_banks, estimate_atomics;

/* True for CMRS on a GPU. */
bool cmrs_modelled(const struct result *result);

/* Of CMRS on a GPU, in cmrs_columns.c; null for all others. */
getter cmrs_f_32, cmrs_f_128, cmrs_f_256, cmrs_a_32, cmrs_a_128, cmrs_a_256, cmrs_approximation_32,
    cmrs_approximation_128, cmrs_approximation_256, cmrs_gain, cmrs_beta_minus, cmrs_beta_plus,
    cmrs_bandwidth, cmrs_eta_minus, cmrs_eta_plus, cmrs_eta_minus_stated, cmrs_eta_plus_stated;

#endif
