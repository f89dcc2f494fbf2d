/* Find whether a terminal's background is light or dark: from its answer, or from its environment. This does
 * not know curses. */
#ifndef SPARSIGHT_UI_ESCAPES_BACKGROUND_H
#define SPARSIGHT_UI_ESCAPES_BACKGROUND_H

#include <stdbool.h>

#include "base/error.h"

enum background {
    BACKGROUND_ASKED, /* the terminal's answer; until it comes, COLORFGBG; without both, dark */
    BACKGROUND_DARK,
    BACKGROUND_LIGHT,
};

/* The question: OSC 11 of xterm, which other terminals have adopted ("XTerm Control Sequences", Operating
 * System Commands). A terminal that does not know it says nothing. */
#define BACKGROUND_QUESTION "\033]11;?\033\\"

/* An answer has this between ESC and its terminator, and then a colour: rgb:RRRR/GGGG/BBBB with one to four
 * digits each, rgba: with a fourth number, or #RRGGBB. */
#define BACKGROUND_ANSWER "]11;"

/* Read the colour of an answer. Returns false if it is not a colour; *light becomes true if its luma is above
 * one half. */
bool background_of_answer(const char *colour, bool *light);

/* Read the environment variable COLORFGBG, "15;0" or "0;default;15", whose last number is the background's
 * colour among the 16 of a terminal. Returns false if it is NULL or has no such number. */
bool background_of_environment(const char *variable, bool *light);

/* Read the user's choice: auto, dark or light; STATUS_USAGE for anything else. */
enum status background_read(const char *text, enum background *background, struct error *error);

#endif
