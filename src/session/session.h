/* One loaded matrix and all that is known of it: what the screens and the reports both show. Each part is
 * computed once, when it is first needed, and kept. */
#ifndef SPARSIGHT_SESSION_SESSION_H
#define SPARSIGHT_SESSION_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/lengths.h"
#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "matrix/matrix.h"
#include "session/conversions.h"
#include "session/results.h"
#include "session/runs.h"

enum session_part {
    SESSION_MATRIX = 1,
    SESSION_ROW_LENGTHS = 2,
    SESSION_COL_LENGTHS = 4,
    SESSION_STRUCTURE = 8,
    SESSION_PYRAMID = 16,
    SESSION_COL_PTR = 32,
    SESSION_SIZES = 64, /* the formats asked for in `conversions` are planned */
    SESSION_GPU = 128,  /* `gpu` is the one to estimate for */
};

/* A part may be read once its bit is set in `ready`; it does not change afterwards. The bits are set with
 * release order, so that one thread may compute while another draws what is there already. */
struct session {
    struct matrix matrix;
    struct lengths row_lengths;
    struct lengths col_lengths;
    struct structure structure;
    struct pyramid pyramid;
    int64_t *col_ptr; /* column_offsets: csr.cols + 1 */
    struct conversions conversions;
    struct results results; /* of kernels, if a report asked for them */
    struct runs runs;       /* those that the explorer shows beside each other */
    struct gpu gpu;         /* that kernels are estimated for */
    int device;             /* the number of the one present that it is if none was asked for */
    size_t limit;           /* bytes, for conversions; 0: what memory_check takes by itself */
    atomic_uint ready;
};

/* Load the matrix that `name` means (see matrix_load) into *session. The caller frees with session_free, also
 * after failure. */
enum status session_load(struct session *session, const char *name, const struct load_options *options,
                         struct progress *progress, struct error *error);

/* Estimate for this GPU; without a name, for the device of this number if it is present, else the standard
 * one (gpu_default). Before SESSION_GPU is needed for the first time; without this call it is device 0. */
void session_for_gpu(struct session *session, const struct gpu *gpu, int device);

/* Compute those of `parts` (an OR of session_part) that are not there yet. One thread at a time. */
enum status session_need(struct session *session, unsigned parts, struct progress *progress,
                         struct error *error);

/* True if all of `parts` are there. */
static inline bool session_has(const struct session *session, unsigned parts)
{
    return (atomic_load_explicit(&session->ready, memory_order_acquire) & parts) == parts;
}

void session_free(struct session *session);

#endif
