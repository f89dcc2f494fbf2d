/* The explorer saves two things. The runs that were made in it become a report, which --results reads: the
 * user is asked for a file, and asked before runs that are not saved are lost. A matrix in another order is
 * written to a file, and the permutation that brings it there to a second one. */
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

/* Write a name that no file of the current directory has, STEM.ENDING or STEM-2.ENDING. In the stem,
 * characters that do not suit a file's name are replaced. */
void save_name(char *stem, const char *ending, char out[PROMPT_SIZE]);

/* Write a name for the file that is proposed, made from the name of the matrix. No file of the current
 * directory has it. */
void save_propose(const struct session *session, char out[PROMPT_SIZE]);

/* Take the name that the user has entered. False if there is such a file already and it was not named twice:
 * then the user is to be asked again, with this label. */
bool save_accept(struct saving *saving, const char *path, const char **label);

#define SAVE_QUESTION 128 /* bytes of save_question */

/* Write the question whether to quit although this number of runs are not saved, or although kernels are
 * being timed and that run would be lost. False if nothing would be lost: then there is no question. The
 * answers are y, n and, unless kernels are being timed, s, which saves first. */
bool save_question(int unsaved, bool timing, char out[SAVE_QUESTION]);

struct order_save {
    const struct matrix_case *of;
    char path[PROMPT_SIZE]; /* of the matrix */
};

#define ORDER_SAVE_PATH (PROMPT_SIZE + 32)

/* Write a name for the file that is proposed, made from those of the matrix and its order. */
void order_save_propose(const struct matrix_case *of, char out[PROMPT_SIZE]);

/* Write the name of the permutation's file: that of the matrix with ".permutation" before its ending. Returns
 * out. */
char *order_save_permutation(const char *path, char out[ORDER_SAVE_PATH]);

/* True if the permutation's file is there and the matrix's is not, so that writing would replace what nobody
 * was asked about. */
bool order_save_clashes(const char *path);

/* Write both files, each whole or not at all. It is the work of a job whose argument is a struct order_save,
 * and reads nothing but the case. STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status order_save_run(void *argument, struct progress *progress, struct error *error);

#endif
