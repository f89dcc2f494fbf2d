/* The Warps screen: what the warps of a GPU's kernels ask of memory, step by step. */
#ifndef SPARSIGHT_UI_WARPS_VIEW_H
#define SPARSIGHT_UI_WARPS_VIEW_H

#include "ui/view.h"

extern const struct view view_warps;

#endif
