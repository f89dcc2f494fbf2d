/* The bars of the Summary screen. Each format that reports list by default has a line for each variant: the
 * bytes of the matrix in it, in double precision. Other bars show the sizes of values. */
#ifndef SPARSIGHT_UI_SUMMARY_BARS_H
#define SPARSIGHT_UI_SUMMARY_BARS_H

#include "drawing/flow.h"
#include "drawing/surface.h"
#include "session/session.h"
#include "ui/view.h"

/* The columns of a format's name. */
#define FORMAT_NAME_WIDE 19

/* The scale of the bars, in bytes. */
struct format_scale {
    double csr;   /* the size of CSR; 0 if it is not known */
    double least; /* the smallest size of a format that is not refused; 0 if none is known */
};

/* Return the number of lines. */
int format_bars_count(void);

/* Return the format of line k, and its conversion, or NULL if that was not requested yet. */
struct format_choice format_bars_choice(int k);
const struct conversion *format_bars_conversion(const struct session *session, int k);

/* Return the scale of the known sizes. */
struct format_scale format_bars_scale(const struct session *session);

/* Write the heading of the lines, `wide` columns wide. */
void format_bars_heading(const struct explorer *explorer, struct surface *surface, int y, int x, int wide);

/* Write the name of a case's order, right-aligned in this number of columns: the heading of its numbers. */
void format_bars_order(const struct matrix_case *of, struct surface *surface, int y, int x, int wide);

/* Draw line k: the format's name with a mark if it is the smallest, a bar and a number for its size relative
 * to CSR, and its bytes. Then follows the padding factor, or the bytes in the other order if one is shown
 * beside. If the format is refused, the reason replaces the bar. */
void format_bars_line(const struct explorer *explorer, int k, const struct format_scale *scale,
                      struct surface *surface, int y, int x, int wide, bool chosen);

/* Write a description of the format of line k and its numbers, or the reason why it is refused. */
void format_bars_words(const struct session *session, int k, char *out, size_t size);

/* True if all formats are refused. */
bool format_bars_none(const struct session *session);

/* The bars of the Summary screen that show the distribution of the sizes of values. */

/* Draw a title, a bar for each power of ten, and the exponents under the bars. If there is little room, a bar
 * covers several powers. Heights are logarithmic: log(1 + entries). If the shown case has no values, or they
 * are not known yet, a line says so. */
void value_bars_draw(const struct explorer *explorer, struct surface *surface, struct rect rect);

#endif
