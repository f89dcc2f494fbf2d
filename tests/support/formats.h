/* Shared by the tests over all formats: matrices to store, ways to store them, and exact comparison. The
 * check of GPU kernels, which is built without cmocka, uses it, too. */
#ifndef SPARSIGHT_TESTS_SUPPORT_FORMATS_H
#define SPARSIGHT_TESTS_SUPPORT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/format.h"
#include "matrix/csr.h"

/* A matrix to try. */
struct sample {
    char name[96];
    struct csr a;
};

struct samples {
    struct sample *items;
    int count;
};

/* Small matrices of every kind: those of data/, one of each generator, random ones (skewed, complex), ones
 * without rows, columns or entries, and ones with values that are hard to preserve: zeros, -0, NaN,
 * infinities, denormals, values that single precision rounds to 0 or infinity. */
struct samples samples_small(void);

/* A few matrices that are large enough for several threads. */
struct samples samples_large(void);

void samples_free(struct samples *samples);

/* The origin of a request. */
enum origin {
    ORIGIN_VARIANT, /* the format's own list for reports */
    ORIGIN_COMBINATION,
    ORIGIN_SWEEP, /* one parameter through its range: it may contradict the others (STATUS_USAGE) */
};

/* A format with parameters. */
struct wanted {
    const struct format *format;
    char parameters[96];
    enum origin origin;
};

struct requests {
    struct wanted *items;
    int count;
};

/* Every format of the table: its variants, each of its parameters over its range, and combinations. */
struct requests requests_all(void);

void requests_free(struct requests *requests);

/* Return a message on the first difference of b from `a` in that precision, bit for bit, in static memory;
 * NULL if there is none. */
const char *csr_difference(const struct csr *a, const struct csr *b, enum precision precision);

/* Return the bytes of an array, counted without the library. */
size_t bytes_of(const struct array *array);

/* Return a message on the first difference between the arrays of two storages, or NULL. */
const char *storage_difference(const struct storage *a, const struct storage *b);

#endif
