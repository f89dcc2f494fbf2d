/* A matrix in another order, and the permutation that brings it there, are written to two files. */
#ifndef SPARSIGHT_UI_ORDER_SAVE_H
#define SPARSIGHT_UI_ORDER_SAVE_H

#include "session/session.h"
#include "ui/prompt.h"

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
