/* This draws a line for each format: the bytes that the matrix would take in it, with its default parameters
 * and in double precision. */
#ifndef SPARSIGHT_UI_SUMMARY_FORMAT_BARS_H
#define SPARSIGHT_UI_SUMMARY_FORMAT_BARS_H

#include "drawing/surface.h"
#include "session/session.h"
#include "ui/view.h"

/* The scale of the bars. */
struct format_scale {
    double min, max; /* the smallest and the largest size, in bytes; 0 if none is known */
    bool logarithmic;
};

/* Return the number of formats. */
int format_bars_count(void);

/* Return the conversion to format k with its default parameters, or NULL if it was not asked for yet. */
const struct conversion *format_default(const struct session *session, int k);

/* Return the scale for all sizes that are known, but for those of formats that are refused. It is linear,
 * unless most bars would then be too short to be told apart. */
struct format_scale format_bars_scale(const struct session *session);

/* Write the heading of the lines, `wide` columns wide. */
void format_bars_heading(struct surface *surface, int y, int x, int wide, const struct format_scale *scale);

/* Draw the line of format k: its name, bar, bytes and padding factor. If it is refused, the line says why
 * instead of the bar. */
void format_bars_line(const struct explorer *explorer, int k, const struct format_scale *scale,
                      struct surface *surface, int y, int x, int wide, bool chosen);

/* Write what format k is and its numbers, or why it is refused. */
void format_bars_words(const struct session *session, int k, char *out, size_t size);

#endif
