/* A flow writes words and short texts into a rectangle, one after the other, and continues in the next line
 * when a line is full. No word is cut: words that do not fit are left out. */
#ifndef SPARSIGHT_DRAWING_FLOW_H
#define SPARSIGHT_DRAWING_FLOW_H

#include <stdbool.h>

#include "drawing/surface.h"

struct flow {
    struct surface *surface; /* NULL to find the fitting size, without drawing */
    struct rect rect;
    int line, column; /* the end of the last text; 0, 0 at the beginning */
};

/* Return the number of lines with text. */
int flow_lines(const struct flow *flow);

/* Begin a new line. */
void flow_break(struct flow *flow);

/* Write a text that stays in one piece, two blanks after the text before. False if there is no room for it.
 */
bool flow_item(struct flow *flow, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Write words, which may be broken at blanks, one blank after the text before. A word that is longer than a
 * line is broken anywhere. False if not all words fit. */
bool flow_words(struct flow *flow, enum colour colour, const char *words);

/* Write words as flow_words does if all of them fit, else nothing. */
bool flow_sentence(struct flow *flow, enum colour colour, const char *words);

#endif
