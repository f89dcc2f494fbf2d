/* A line of text being edited in the bottom line. */
#ifndef SPARSIGHT_UI_PROMPT_H
#define SPARSIGHT_UI_PROMPT_H

#include "drawing/surface.h"

enum prompt_result { PROMPT_OPEN, PROMPT_DONE, PROMPT_CLOSED };

#define PROMPT_SIZE 120

struct prompt {
    const char *label;      /* "Go to row[,col]" */
    char text[PROMPT_SIZE]; /* ASCII */
    char last[PROMPT_SIZE]; /* what was entered before: Up brings it back */
    int length, cursor;
    bool empty; /* an empty line is an answer too */
};

/* Begin with an empty line; what was entered before is kept as `last`. */
void prompt_open(struct prompt *prompt, const char *label);

/* Begin with this text, to be changed; none is an answer too. */
void prompt_open_with(struct prompt *prompt, const char *label, const char *text);

/* Take a key (see view.h): printable ASCII, arrows, Home, End, Backspace, Delete, Ctrl-A, -E, -K, -U, -W, Up;
 * Enter gives PROMPT_DONE, Escape (or Backspace in an empty line) PROMPT_CLOSED. */
enum prompt_result prompt_key(struct prompt *prompt, int key);

/* Draw it in row y, columns x .. x + wide - 1, the end at the cursor kept in sight. */
void prompt_draw(const struct prompt *prompt, struct surface *surface, int y, int x, int wide);

#endif
