/* A portrait: the peculiarities of a matrix in a few sentences, from the numbers of its case. */
#ifndef SPARSIGHT_SESSION_PORTRAIT_H
#define SPARSIGHT_SESSION_PORTRAIT_H

#include "session/session.h"

#define PORTRAIT_MAX 5
#define PORTRAIT_WORDS 192

/* The sentences, from the shape of the matrix over its rows to its values. */
struct portrait {
    char sentence[PORTRAIT_MAX][PORTRAIT_WORDS];
    int weight[PORTRAIT_MAX]; /* the more peculiar, the larger */
    int count;
};

/* Make the portrait of a case of the session from its existing parts. Of more than PORTRAIT_MAX sentences,
 * the most peculiar ones remain. Another thread may add parts meanwhile. */
void portrait_make(const struct session *session, const struct matrix_case *of, struct portrait *portrait);

/* Remove the least peculiar sentence. */
void portrait_shorten(struct portrait *portrait);

#endif
