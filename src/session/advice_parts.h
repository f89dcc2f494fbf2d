/* Shared by the files that make advice and write its sentences (advice_words.h). */
#ifndef SPARSIGHT_SESSION_ADVICE_PARTS_H
#define SPARSIGHT_SESSION_ADVICE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "session/advice.h"

/* The kind of times for comparing candidates. */
enum advice_basis {
    ADVICE_BY_EITHER,   /* by measurements if these suffice, else by forecasts */
    ADVICE_BY_MEASURED, /* by measurements */
    ADVICE_BY_FORECASTS /* by forecasts, also of measured kernels */
};

/* The advice for all processors and GPUs, without sentences, other cases and libraries. Free with
 * advices_free. STATUS_MEMORY. */
enum status advice_of(const struct session *session, const struct matrix_case *of,
                      struct advice_question question, enum advice_basis basis, struct advices *advices,
                      struct error *error);

/* Find a left-out forecast for the GPU (struct result, `least`) that may change a sentence of the advice
 * after all: *group and *number become those of the fastest one; *group is -1 if there is none.
 * STATUS_MEMORY. */
enum status advice_left_out(const struct session *session, const struct matrix_case *of,
                            const struct foresight *foresight, int *group, int *number, struct error *error);

/* Make a candidate without times of a result of the case's foresight for the GPU. */
struct advice_candidate advice_candidate_of(const struct session *session, const struct matrix_case *of,
                                            struct advice_question question, const struct results *results,
                                            const struct result *result);

/* Return whether a candidate that takes at least `least` seconds changes no sentence of this advice, which
 * lacks only the candidate. */
bool advice_settled(const struct advice *advice, const struct matrix_case *of,
                    const struct advice_candidate *candidate, double least);

/* True if a library's kernels run on this backend. */
bool advice_is_library(const struct backend *backend);

/* Compare the candidates by times of one kind, and sort them. A forecast is never compared with a
 * measurement: forecasts of two kernels have similar errors, so their ratio is more accurate than the ratio
 * of a forecast and a measurement.
 *
 * Measurements suffice if, by the forecasts, no unmeasured kernel is faster than the fastest measured one,
 * and if a CSR kernel was measured, unless none is known. Candidates without a time of this kind are not
 * compared. In comparisons by forecasts, neither are kernels with a faster forecast than the fastest measured
 * one but a slower measurement, since the measurement has refuted the forecast. */
void advice_compare_by(struct advice *advice, enum advice_basis basis);

/* The number of products after which an order that costs `cost` seconds has paid off, from the best
 * candidates in the one order and in the other; -1: never. */
int64_t advice_order_even(const struct advice_candidate *here, const struct advice_candidate *there,
                          double cost);

/* Find the gains of the session's other orders, of the other precision, and of the other state of the
 * caches. STATUS_MEMORY. */
enum status advice_compare_cases(const struct session *session, const struct matrix_case *of,
                                 struct advice_question question, struct advices *advices,
                                 struct error *error);

/* Find the best kernel of a library. For processor libraries that are not known to be installed, the time is
 * that of the similar own kernel in y = A x. */
void advice_find_library(struct advice *advice, struct product product);

/* A ratio below this gets no reason. */
#define TELLING 1.05

/* A buffer for sentences; text that does not fit is cut off. */
struct words {
    char *out;
    size_t size, length;
};

/* Append to the sentences like printf. */
void advice_append(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The size of advice_named's text: the name of a result, the number of threads or the partition, and words.
 */
#define ADVICE_NAMED 224

/* The name of the partition by which ranks ran a kernel. */
const char *advice_partition(const struct ranked *ranked);

/* Write the kernel's name, with its number of threads if it has one, or the partition of ranks, and return
 * out. */
const char *advice_named(const struct advice_candidate *candidate, char out[static ADVICE_NAMED]);

/* Write a ratio in three digits, and return out: 1.31, 71.5, 5,950. */
char *advice_ratio_words(char *out, size_t size, double ratio);

/* Find `why` and write `reason`. */
void advice_say_reason(struct advice *advice, const struct matrix_case *of);

#endif
