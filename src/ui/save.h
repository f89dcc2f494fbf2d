/* The runs that were made in the explorer are saved as a report, which --results reads: the user is asked for
 * a file, and asked before runs that are not saved are lost. */
#ifndef SPARSIGHT_UI_SAVE_H
#define SPARSIGHT_UI_SAVE_H

#include <stdbool.h>

#include "session/session.h"
#include "ui/prompt.h"

struct saving {
    char path[PROMPT_SIZE]; /* the file that the user has named */
    bool replace;           /* it was there already, and naming it once more replaces it */
    bool wanted;            /* the runs are to be written as soon as the session has what a report shows */
    bool then_quit;         /* the explorer ends when they are written */
};

/* Write a name for the file that is proposed, made from the name of the matrix. No file of the current
 * directory has it. */
void save_propose(const struct session *session, char out[PROMPT_SIZE]);

/* Take the name that the user has entered. False if there is such a file already and it was not named twice:
 * then the user is to be asked again, with this label. */
bool save_accept(struct saving *saving, const char *path, const char **label);

#define SAVE_QUESTION 128 /* bytes of save_question */

/* Write the question whether to quit although so many runs are not saved, or although kernels are being timed
 * and that run would be lost. False if nothing would be: then there is nothing to ask. The answers are y, n
 * and, unless kernels are being timed, s, which saves first. */
bool save_question(int unsaved, bool timing, char out[SAVE_QUESTION]);

#endif
