/* Screen 2: the sparsity pattern. */
#ifndef SPARSIGHT_UI_PATTERN_VIEW_H
#define SPARSIGHT_UI_PATTERN_VIEW_H

#include "ui/view.h"

extern const struct view view_pattern;

#endif
