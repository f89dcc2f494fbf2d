/* Screen 4: the arrays of storage formats side by side. */
#ifndef SPARSIGHT_UI_LAYOUTS_VIEW_H
#define SPARSIGHT_UI_LAYOUTS_VIEW_H

#include "ui/view.h"

extern const struct view view_layouts;

#endif
