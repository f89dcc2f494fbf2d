/* A prompt is a line of text that is edited at the bottom of the screen. */
#ifndef SPARSIGHT_UI_PROMPT_H
#define SPARSIGHT_UI_PROMPT_H

#include "drawing/surface.h"

enum prompt_result { PROMPT_OPEN, PROMPT_DONE, PROMPT_CLOSED };

#define PROMPT_SIZE 120

struct prompt {
    const char *label;      /* "Go to row[,col]" */
    char text[PROMPT_SIZE]; /* the typed text, in ASCII */
    char last[PROMPT_SIZE]; /* the last answer, which Up brings back */
    int length, cursor;
    bool empty; /* an empty line is an answer instead of closing the prompt */
};

/* Open the prompt with an empty line. `label` must stay valid while the prompt is open. */
void prompt_open(struct prompt *prompt, const char *label);

/* Open the prompt with this text. Then an empty line is an answer. */
void prompt_open_with(struct prompt *prompt, const char *label, const char *text);

/* Take a key. Returns PROMPT_DONE if the line was entered, and PROMPT_CLOSED if it was closed: by Esc, or by
 * Enter or Backspace in an empty line that is not an answer. */
enum prompt_result prompt_key(struct prompt *prompt, int key);

/* Draw the prompt in row y, from column x on, in `wide` columns. If the line is longer, the cursor and the
 * text before it are shown. */
void prompt_draw(const struct prompt *prompt, struct surface *surface, int y, int x, int wide);

#endif
