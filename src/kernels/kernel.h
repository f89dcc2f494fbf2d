/* SpMV kernels: a table of descriptors, and a kernel made ready for one stored matrix.
 *
 * A kernel computes y = A x, or y += A x, from a matrix in its format. All that it needs beside the arrays
 * (the rows of each thread, partial sums) is made by `prepare`, so that `run` is nothing but the product and
 * can be timed. */
#ifndef SPARSIGHT_KERNELS_KERNEL_H
#define SPARSIGHT_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/parameters.h"
#include "base/text.h"
#include "formats/format.h"

/* The last one stands for all that this build does not know (kernels/foreign.h). */
enum backend { BACKEND_CPU, BACKEND_FOREIGN };

struct kernel;

/* A kernel made ready: start with kernel_prepare, end with kernel_release. Vectors have the precision of the
 * storage: x has storage->cols elements, y storage->rows; they are the caller's and may be changed between
 * runs. */
struct launch {
    const struct kernel *kernel;
    const struct storage *storage;  /* the caller's; it must stay */
    struct parameter_values values; /* of the kernel's own parameters, resolved */
    int threads;                    /* that run uses; 1 for sequential kernels */
    bool accumulate;                /* y += A x */
    const void *x;
    void *y;
    void *state; /* the kernel's own */
};

struct kernel {
    const char *name; /* "csr-balanced"; in full "cpu/csr-balanced" */
    enum backend backend;
    const char *foreign; /* what a backend is called that this build does not know; NULL of those it does */
    const struct format *format;
    const char *summary;                /* one line */
    const char *source;                 /* paper and figure of the published loop; "" if it is our own */
    const struct parameter *parameters; /* of its own, beside the format's; ends with a NULL name */
    bool sequential;                    /* runs on one thread whatever is asked for */
    bool complex;                       /* takes complex matrices; so far none does */

    /* Why it cannot run on this machine, or NULL if it can. May be NULL: it always can. */
    const char *(*unavailable)(void);
    /* Resolve the own parameters and make launch->state; STATUS_UNAVAILABLE says why this storage is not for
     * it (a padding it cannot read). May be NULL. */
    enum status (*prepare)(struct launch *launch, struct error *error);
    /* One product. Allocates nothing and cannot fail. */
    void (*run)(const struct launch *launch);
    void (*release)(struct launch *launch); /* frees launch->state; may be NULL */
    /* Elements of x that one product loads, padding included: what beta-minus counts. NULL: one a slot. */
    int64_t (*x_loads)(const struct launch *launch);
};

/* The table; the last one is NULL. */
extern const struct kernel *const kernels[];

/* "cpu". */
const char *backend_name(enum backend backend);

/* The same of a kernel's backend, which may be foreign. */
const char *kernel_backend(const struct kernel *kernel);

/* Append the full name: "cpu/csr-balanced". */
void kernel_name(const struct kernel *kernel, struct text *text);

/* STATUS_UNAVAILABLE with the reason if the kernel cannot run here at all, or on no complex matrix if this is
 * one: what can be said before anything is converted. */
enum status kernel_check(const struct kernel *kernel, bool complex, struct error *error);

/* Make *launch from a kernel, the kernel's own parameters as text ("" for defaults), and a built storage of
 * its format, for so many threads (0: as many as OpenMP would use). STATUS_UNAVAILABLE with the reason if it
 * cannot run here or on this matrix. kernel_release afterwards, also after failure. */
enum status kernel_prepare(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                           int threads, bool accumulate, struct launch *launch, struct error *error);

/* One product with these vectors. */
void kernel_run(struct launch *launch, const void *x, void *y);

void kernel_release(struct launch *launch);

/* Bytes of all arrays that a product reads (all of the storage's), of x and of y: the least that has to be
 * moved, each element once (beta-plus); and with as many elements of x as are loaded (beta-minus). y counts
 * twice if it is added to. */
struct kernel_bytes {
    double plus, minus;
};
struct kernel_bytes kernel_bytes(const struct launch *launch);

#endif
