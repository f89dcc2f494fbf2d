/* SpMV kernels: a table of descriptors, and a kernel made ready for one stored matrix.
 *
 * A kernel computes a product (kernels/product.h) from a matrix in its format. All that it needs beside the
 * arrays (the rows of each thread, partial sums) is made by `prepare`, so that `run` is nothing but the
 * product and can be timed. Device code includes this page too. */
#ifndef SPARSIGHT_KERNELS_KERNEL_H
#define SPARSIGHT_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/parameters.h"
#include "base/text.h"
#include "formats/format.h"
#include "kernels/backend.h"
#include "kernels/choice.h"
#include "kernels/product.h"
#include "kernels/traffic.h"

struct kernel;
struct device;
struct trace;

/* A kernel made ready: start with kernel_prepare, end with kernel_release. Vectors have the precision of the
 * storage: x has storage->cols elements, y storage->rows; they are the caller's and may be changed between
 * runs. */
struct launch {
    const struct kernel *kernel;
    const struct storage *storage;  /* in the host's memory; the caller's, and it must stay */
    const struct storage *resident; /* the same, its arrays in the memory that run reads: on the host
                                       `storage` itself; on a device all of it but the arrays is the host's */
    struct device *device;          /* NULL on the host */
    struct parameter_values values; /* of the kernel's own parameters, resolved */
    int threads;                    /* that run uses; 1 for sequential kernels, 0 on a device */
    struct product product;         /* what run computes; columns is at least 1 */
    const void *x;                  /* as y, in the memory that run reads */
    void *y;
    const void *host_x; /* the same x in the host's memory */
    void *state;        /* the kernel's own */
};

struct kernel {
    const char *name; /* "csr-balanced"; in full "cpu/csr-balanced" */
    const struct backend *backend;
    const struct format *format;
    const char *summary;                /* one line */
    const char *source;                 /* paper and figure of the published loop; "" if it is our own */
    const struct parameter *parameters; /* of its own, beside the format's; ends with a NULL name */
    const char *format_defaults; /* parameters of the format that stand where none are given ("pad=sentinel"),
                                    since it reads no other storage; NULL: the format's own */
    bool sequential;             /* runs on one thread whatever is asked for */
    bool complex;                /* takes complex matrices; so far none does */
    bool transposes;             /* can multiply with the transposed matrix; so far none does */
    int columns_max;             /* vectors that it can multiply at once; 0: one, as all do so far */

    /* Why it cannot run on this machine although its backend can, or NULL if it can. May be NULL: it always
     * can. */
    const char *(*unavailable)(void);
    /* Resolve the own parameters and make launch->state; STATUS_UNAVAILABLE says why this storage is not for
     * it (a padding it cannot read). May be NULL. */
    enum status (*prepare)(struct launch *launch, struct error *error);
    /* One product. Allocates nothing and cannot fail. On a device it puts launches into the device's queue
     * and waits for nothing, unless a part of the product is the host's; what the device says to them is
     * found out by whoever asked for the product. */
    void (*run)(const struct launch *launch);
    void (*release)(struct launch *launch); /* frees launch->state; may be NULL */
    /* Correct what is taken of every kernel's traffic where this one's differs (kernels/traffic.h). NULL: it
     * does not. */
    void (*traffic)(const struct launch *launch, struct traffic *traffic);
    /* How its warps' requests are replayed (kernels/trace.h). NULL: they are not known. */
    const struct trace *trace;
};

/* The table; the last one is NULL. */
extern const struct kernel *const kernels[];

/* Append the full name: "cpu/csr-balanced". */
void kernel_name(const struct kernel *kernel, struct text *text);

/* STATUS_UNAVAILABLE with the reason if the kernel cannot run here at all, does not take complex matrices if
 * this is one, or cannot compute this product: what can be said before anything is converted. */
enum status kernel_check(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error);

/* The same where a device for its backend is open. */
enum status kernel_suits(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error);

/* What a kernel is made ready for, beside what its choice says. {0} is y = A x. */
struct launch_options {
    struct product product;
};

/* Make *launch from a choice of a kernel of the host and a built storage of its format. STATUS_UNAVAILABLE
 * with the reason if it cannot run here, on this matrix, or compute this product. kernel_release afterwards,
 * also after failure. */
enum status kernel_prepare(const struct kernel_choice *choice, const struct storage *storage,
                           const struct launch_options *options, struct launch *launch, struct error *error);

/* The same of a kernel that runs on a device, where `resident` is stored (device_store). The device must stay
 * until kernel_release. */
enum status kernel_prepare_on(struct device *device, const struct kernel_choice *choice,
                              const struct storage *storage, const struct storage *resident,
                              const struct launch_options *options, struct launch *launch,
                              struct error *error);

/* One product with these vectors, on the host. */
void kernel_run(struct launch *launch, const void *x, void *y);

void kernel_release(struct launch *launch);

#endif
