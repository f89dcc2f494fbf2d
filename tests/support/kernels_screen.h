/* The Kernels screen on a stage, with runs made by hand. */
#ifndef SPARSIGHT_TESTS_SUPPORT_KERNELS_SCREEN_H
#define SPARSIGHT_TESTS_SUPPORT_KERNELS_SCREEN_H

#include "session/runs.h"
#include "support/view.h"
#include "ui/kernels/kernels.h"

/* The result of a kernel: seconds, and the half-width of their interval; no seconds: an error. */
struct outcome {
    const char *kernel;
    int threads;
    double seconds, half;
};

/* Open the screen on a 4 x 4 matrix. */
struct kernels_screen *stage_kernels(struct stage *stage, int high, int wide);
struct kernels_screen *screen_of(struct stage *stage);

/* Put the cursor on this kernel. */
void stage_go_to(struct stage *stage, const char *name);

/* Add a run of these outcomes, the last one without a kernel: 1e6 operations and bytes each, a machine that
 * reads 10 GB/s and copies 8. */
struct run *stage_run(struct stage *stage, const struct outcome *outcomes, enum precision precision,
                      const char *label);

/* Return the number of kernels. */
int kernel_count(void);

#endif
