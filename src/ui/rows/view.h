/* Screen 3: the lengths of rows and columns. */
#ifndef SPARSIGHT_UI_ROWS_VIEW_H
#define SPARSIGHT_UI_ROWS_VIEW_H

#include "ui/view.h"

extern const struct view view_rows;

#endif
