/* Screen 1: what the matrix is, and every number known of it. */
#ifndef SPARSIGHT_UI_SUMMARY_VIEW_H
#define SPARSIGHT_UI_SUMMARY_VIEW_H

#include "ui/view.h"

extern const struct view view_summary;

#endif
