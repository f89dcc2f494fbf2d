/* Elements shared by figures. Only for the files of this folder. */
#ifndef SPARSIGHT_REPORT_FIGURES_PARTS_H
#define SPARSIGHT_REPORT_FIGURES_PARTS_H

#include "base/text.h"
#include "drawing/canvas.h"
#include "report/figures/figure.h"

/* Write the matrix's name, its order if it is not the natural one, and its size in the first line, and what
 * the figure shows, if not NULL, in the second. Returns where what is below begins. */
double figure_heading(const struct figure_subject *subject, struct canvas *canvas, const char *shows);

/* Draw the frame of a rectangle just outside of it. */
void canvas_frame(struct canvas *canvas, double x, double y, double wide, double high);

#endif
