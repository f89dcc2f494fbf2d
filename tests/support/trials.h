/* Trials of the tests over all formats: a failure names the present trial. */
#ifndef SPARSIGHT_TESTS_SUPPORT_TRIALS_H
#define SPARSIGHT_TESTS_SUPPORT_TRIALS_H

#include <stdbool.h>

#include "support/formats.h"
#include "support/storing.h"

/* One thing to try, named by messages. */
struct trial {
    const struct sample *sample;
    const struct wanted *request;
    struct storing options;
    int threads;
};

/* End the test with the present trial, and the fault. */
void trial_fail(const struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Plan it. False, and nothing to free, if it cannot be represented (STATUS_LIMIT) or if parameters that were
 * swept contradict the others; any other refusal ends the test. */
bool trial_plan(const struct trial *trial, struct storage *storage);

/* Convert a plan; a failure ends the test. */
void trial_convert(const struct trial *trial, struct storage *storage);

/* It is sound, and unpacked it is the matrix again. */
void trial_round(const struct trial *trial, const struct storage *storage);

/* It is over the limit, and refused with its size, its padding factor and the limit. */
void trial_refuse(const struct trial *trial, const struct storage *plan);

#endif
