/* The first picture of a matrix, which is drawn while the matrix is read. Its dots are those of the Pattern
 * screen; the entries are a sample of those that were read so far. ui/pattern implements it. */
#ifndef SPARSIGHT_UI_READING_H
#define SPARSIGHT_UI_READING_H

#include "matrix/glimpse.h"
#include "ui/view.h"

struct reading;

/* Make the picture of a glimpse for which glimpse_begun is true, drawn as `explorer` draws. Returns NULL and
 * fills in *error on failure. */
struct reading *reading_open(const struct glimpse *glimpse, const struct explorer *explorer,
                             struct error *error);

/* Draw the present counts, and a legend below them. */
void reading_draw(struct reading *reading, struct surface *surface, struct rect area);

/* NULL is allowed. */
void reading_close(struct reading *reading);

#endif
