/* A flow writes words and short texts into a rectangle, one after another, and goes on in the next line where
 * one is full. Nothing is cut: what does not fit whole is left out. */
#ifndef SPARSIGHT_DRAWING_FLOW_H
#define SPARSIGHT_DRAWING_FLOW_H

#include <stdbool.h>

#include "drawing/surface.h"

struct flow {
    struct surface *surface; /* NULL: only to see what fits */
    struct rect rect;
    int line, column; /* where the last one ended; 0, 0 at first */
};

/* Lines written into. */
int flow_lines(const struct flow *flow);

/* Go on in a new line. */
void flow_break(struct flow *flow);

/* A text that stays in one piece, two blanks after the one before. False if there is no room for it. */
bool flow_item(struct flow *flow, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Words, broken at blanks, one blank after what is before; a word that is longer than a line is broken
 * anywhere. False if not all of them fit. */
bool flow_words(struct flow *flow, enum colour colour, const char *words);

/* flow_words if all of them fit, else nothing. */
bool flow_sentence(struct flow *flow, enum colour colour, const char *words);

#endif
