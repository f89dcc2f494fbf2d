/* Screen 6: every kernel on the matrix, timed, beside each other. */
#ifndef SPARSIGHT_UI_KERNELS_VIEW_H
#define SPARSIGHT_UI_KERNELS_VIEW_H

#include "ui/view.h"

extern const struct view view_kernels;

#endif
