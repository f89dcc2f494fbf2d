/* Passes of shared memory, as Nsight Compute counts them for each instruction. */
#ifndef SPARSIGHT_TESTS_GPU_WAVEFRONTS_H
#define SPARSIGHT_TESTS_GPU_WAVEFRONTS_H

#include "kernels/gpu/trace.h"

/* The counter smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared for a request of shared memory: the most
 * words that a bank has to deliver, summed over the lanes that are served together (data/measured/gpu-rules).
 * Loads of 8 and 16 bytes by lanes that could be served together with others are counted with them if that
 * takes one pass; else apart, which the hardware does not do. A swap of reals takes two passes for each half,
 * of 4 bytes the warp. */
int wavefronts(const struct request *request);

#endif
