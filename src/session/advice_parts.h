/* What the files share that make advice and put it into words (advice_words.h). */
#ifndef SPARSIGHT_SESSION_ADVICE_PARTS_H
#define SPARSIGHT_SESSION_ADVICE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "session/advice.h"

/* Which times candidates are compared by. */
enum advice_basis {
    ADVICE_BY_EITHER,   /* by what was measured if that suffices, else by forecasts */
    ADVICE_BY_MEASURED, /* by what was measured */
    ADVICE_BY_FORECASTS /* by forecasts, also of what was measured */
};

/* The advice for all places without words, and without what other cases and libraries would do. Free with
 * advices_free. STATUS_MEMORY. */
enum status advice_of(const struct session *session, const struct matrix_case *of,
                      struct advice_question question, enum advice_basis basis, struct advices *advices,
                      struct error *error);

/* Let the candidates be compared by times of one kind, and put them in their order: never is a forecast set
 * against a measurement, since forecasts of two kernels err alike, and so tell which is faster better than
 * either beside a measurement does.
 *
 * What was measured suffices if no kernel that was not measured is forecast to be faster than the fastest
 * that was, by the forecasts of both, and if a kernel of CSR was measured, unless none is known. Candidates
 * without a time of this kind are not compared. By forecasts, neither are those that are forecast to be
 * faster than the fastest that was measured, and were measured to be slower: the measurement has refuted
 * that. */
void advice_compare_by(struct advice *advice, enum advice_basis basis);

/* Find what the other orders of the session and the other precision do. STATUS_MEMORY. */
enum status advice_compare_cases(const struct session *session, const struct matrix_case *of,
                                 struct advice_question question, struct advices *advices,
                                 struct error *error);

/* Find the best kernel of a library. Of those for processors that nobody has looked for the time is that of
 * the own kernel that they are like, in y = A x. */
void advice_find_library(struct advice *advice, struct product product);

/* A ratio below this is no reason for anything. */
#define TELLING 1.05

/* A buffer that sentences are appended to; what does not fit is cut off. */
struct words {
    char *out;
    size_t size, length;
};

/* Append to the words as printf does. */
void advice_append(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write the kernel's name with its threads, if it has a number of them, and return out. */
const char *advice_named(const struct advice_candidate *candidate, char out[static 192]);

/* Write a ratio in three digits, and return out: 1.31, 71.5, 5,950. */
char *advice_ratio_words(char *out, size_t size, double ratio);

/* Find `why` and write `reason`. */
void advice_say_reason(struct advice *advice, const struct matrix_case *of);

#endif
