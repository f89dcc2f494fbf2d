/* What advice says in words. */
#ifndef SPARSIGHT_SESSION_ADVICE_WORDS_H
#define SPARSIGHT_SESSION_ADVICE_WORDS_H

#include "session/advice.h"

/* Write `verdict`, `reason`, `change` and `call`, and find `why`, of an advice that is there, for this
 * product. What they say is true of its numbers and of this matrix alone: a sentence for which a number is
 * missing, or says nothing, is left out. */
void advice_say(struct advice *advice, struct product product, const struct matrix_case *matrix_case);

#endif
