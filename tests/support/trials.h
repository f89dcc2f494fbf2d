/* Trials of the tests over all formats: a failure names the present trial. */
#ifndef SPARSIGHT_TESTS_SUPPORT_TRIALS_H
#define SPARSIGHT_TESTS_SUPPORT_TRIALS_H

#include <stdbool.h>

#include "support/formats.h"
#include "support/storing.h"

/* A trial, which messages name. */
struct trial {
    const struct sample *sample;
    const struct wanted *request;
    struct storing options;
    int threads;
};

/* End the test with the present trial, and the fault. */
void trial_fail(const struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Plan the storage. Returns false, with nothing to free, if the matrix cannot be represented (STATUS_LIMIT),
 * or if a swept parameter contradicts the others. Any other refusal ends the test. */
bool trial_plan(const struct trial *trial, struct storage *storage);

/* Convert a plan; a failure ends the test. */
void trial_convert(const struct trial *trial, struct storage *storage);

/* End the test unless the storage is valid, and unpacking it gives the matrix. */
void trial_round(const struct trial *trial, const struct storage *storage);

/* End the test unless the storage, which exceeds the limit, is refused with its size, its padding factor and
 * the limit. */
void trial_refuse(const struct trial *trial, const struct storage *plan);

#endif
