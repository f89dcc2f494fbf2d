/* Kernels for JDS on NVIDIA's GPUs. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_JDS_H
#define SPARSIGHT_KERNELS_CUDA_JDS_H

#include "formats/jds.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"

extern const struct trace trace_jds, trace_jds_sections; /* in traces/jds.c */

/* The parameter of both kernels. If there is a COO part and the launch does not accumulate, launch->state is
 * the rows of that part, each once, in 32 bits each and in the device's memory. They are set to 0 before the
 * part's entries are added. */
enum { JDS_BLOCK };

/* Each of `count` rows or entries has a thread. */
static inline struct grid jds_grid(const struct launch *launch, int64_t count)
{
    return grid_for(count, 1, (int)launch->values.number[JDS_BLOCK]);
}

/* The section of one launch of jds-sections: sorted rows first .. first + height - 1. */
struct jds_piece {
    int64_t first, height;
    int64_t slot, wide; /* the first slot and the width of the rectangle; 0 if all rows are empty */
    bool csr;           /* the rows are CSR instead; slot and wide are undefined */
};

/* Return the piece of the matrix that launch s multiplies. */
struct jds_piece jds_piece(const struct storage *storage, int64_t s);

/* The following are in jds.cu. */
void cuda_jds(const struct launch *launch);
void cuda_jds_sections(const struct launch *launch);

#endif
