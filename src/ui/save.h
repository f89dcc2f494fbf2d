/* The explorer saves two things. It writes its runs to a report, which --results reads: it asks the user for
 * a file, and asks before unsaved runs are lost. It writes a matrix in another order to a file, and the
 * permutation to a second file. */
#ifndef SPARSIGHT_UI_SAVE_H
#define SPARSIGHT_UI_SAVE_H

#include <stdbool.h>

#include "session/session.h"
#include "ui/prompt.h"

struct saving {
    char path[PROMPT_SIZE]; /* the file that the user has named */
    bool replace;           /* it existed already; entering the name again replaces it */
    bool wanted;            /* write the runs once the session has the content of a report */
    bool then_quit;         /* quit the explorer when they are written */
};

/* Write a name that is new in the current directory, STEM.ENDING or STEM-2.ENDING. Characters of the stem
 * that are unsuitable in names of files are replaced. */
void save_name(char *stem, const char *ending, char out[PROMPT_SIZE]);

/* Write the proposed name of the file, from the name of the matrix. No file of the current directory has
 * it. */
void save_propose(const struct session *session, char out[PROMPT_SIZE]);

/* Take the name that the user has entered. False if such a file exists and the name was not entered twice:
 * then ask the user again, with this label. */
bool save_accept(struct saving *saving, const char *path, const char **label);

#define SAVE_QUESTION 128 /* bytes of save_question */

/* Write the question whether to quit although this number of runs are unsaved, or although kernels are being
 * timed and their run would be lost. False without a question if nothing would be lost. The answers are y, n
 * and, unless kernels are being timed, s, which saves first. */
bool save_question(int unsaved, bool timing, char out[SAVE_QUESTION]);

struct order_save {
    const struct matrix_case *of;
    char path[PROMPT_SIZE]; /* of the matrix */
};

#define ORDER_SAVE_PATH (PROMPT_SIZE + 32)

/* Write the proposed name of the file, from the names of the matrix and its order. */
void order_save_propose(const struct matrix_case *of, char out[PROMPT_SIZE]);

/* Write the name of the permutation's file: that of the matrix with ".permutation" before its ending. Returns
 * out. */
char *order_save_permutation(const char *path, char out[ORDER_SAVE_PATH]);

/* True if the permutation's file exists and the matrix's does not: writing would replace a file without a
 * question. */
bool order_save_clashes(const char *path);

/* Write both files, each completely or not at all. It is the work of a job whose argument is a struct
 * order_save, and reads only the case. STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status order_save_run(void *argument, struct progress *progress, struct error *error);

#endif
