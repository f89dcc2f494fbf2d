/* Advice in words. */
#ifndef SPARSIGHT_SESSION_ADVICE_WORDS_H
#define SPARSIGHT_SESSION_ADVICE_WORDS_H

#include "session/advice.h"

/* Write `verdict`, `reason`, `change` and `call`, and find `why`, of an existing advice for this product. The
 * sentences use only the numbers of this advice and this matrix; a sentence with a missing or meaningless
 * number is left out. */
void advice_say(struct advice *advice, struct product product, const struct matrix_case *matrix_case);

#endif
