/* The Warps screen on a stage. */
#ifndef SPARSIGHT_TESTS_SUPPORT_WARPS_SCREEN_H
#define SPARSIGHT_TESTS_SUPPORT_WARPS_SCREEN_H

#include "support/view.h"
#include "ui/warps/warps.h"

struct warps *warps_of(struct stage *stage);

/* Do the background work: store the held conversions, then run all errands. */
void warps_work(struct stage *stage);

/* Open the screen on a matrix, which is taken over, with these kernels in the order of the panes. */
struct warps *warps_open_kernels(struct stage *stage, struct csr a, int high, int wide, const char *first,
                                 const char *second);

/* 40 rows of four entries each, in neighbouring columns. */
struct csr warps_band(void);

#endif
