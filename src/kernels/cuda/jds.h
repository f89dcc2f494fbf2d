/* Kernels for JDS on NVIDIA's GPUs. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_JDS_H
#define SPARSIGHT_KERNELS_CUDA_JDS_H

#include "formats/jds.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_jds, trace_jds_sections; /* in jds_trace.c */

/* The parameter of both. If there is a COO part, and products are not added to y, its rows, each once, are
 * kept in the device's memory, launch->state: 32 bits each. They are cleared before its entries are added. */
enum { JDS_BLOCK };

/* A thread for each of so many rows or entries. */
static inline struct grid jds_grid(const struct launch *launch, int64_t count)
{
    return grid_for(count, 1, (int)launch->values.number[JDS_BLOCK]);
}

/* What one launch of jds-sections gets: sorted rows first .. first + height - 1. */
struct jds_piece {
    int64_t first, height;
    int64_t slot, wide; /* as ELL; wide is 0 if all its rows are empty */
    bool csr;           /* as CSR: slot and wide say nothing */
};

struct jds_piece jds_piece(const struct storage *storage, int64_t s);

/* In jds.cu: */
void cuda_jds(const struct launch *launch);
void cuda_jds_sections(const struct launch *launch);

#endif
