/* The Advice screen with a small matrix, and with times of three kernels. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ADVICE_SCREEN_H
#define SPARSIGHT_TESTS_SUPPORT_ADVICE_SCREEN_H

#include "support/kernels_screen.h"
#include "ui/advice/screen.h"

/* Open the screen with a matrix of 4 rows and columns, on this number of lines and columns of characters. */
struct advice_screen *stage_advice(struct stage *stage, int high, int wide);

/* Add three kernels that were timed, with forecasts that are off by 5, 20 and -50%. ELL takes half the time
 * of CSR, and its conversion takes 10 ms, the time that 100 products save. */
struct run *stage_advised(struct stage *stage);

/* Their outcomes. */
extern const struct outcome advised_outcomes[];

#endif
