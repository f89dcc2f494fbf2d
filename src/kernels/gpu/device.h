/* Devices with a memory of their own, which are GPUs. A table of functions drives one type of them; NVIDIA's
 * is in kernels/cuda. Nothing else in the program calls a driver, so that a test can replace the GPU by its
 * own device.
 *
 * Only the thread that opened a device uses it. The device works in the order of the calls. An error that
 * ends a device's context, such as an illegal address or the loss of the device, is kept in device->lost, and
 * all later calls fail with that reason. */
#ifndef SPARSIGHT_KERNELS_GPU_DEVICE_H
#define SPARSIGHT_KERNELS_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "formats/format.h"
#include "kernels/backend.h"
#include "kernels/gpu/conversion.h"

struct device_exchange;
struct gpu_pace;
struct launch;
struct progress;

/* The facts that a driver reports about a device. */
struct device_facts {
    char name[256];   /* "NVIDIA H200" */
    char address[32]; /* on the PCI bus: "0000:1B:00.0"; "": unknown */
    size_t memory;    /* bytes of the whole memory */
    size_t cache;     /* bytes of L2 */
    size_t shared;    /* maximum bytes of shared memory of a block; 0: unknown */
    int major, minor; /* the compute capability is major.minor */
    int multiprocessors;
    int driver, runtime; /* the version of CUDA that the driver supports, and the one that this program was
                            built with: 13000 is 13.0; 0 if unknown */
    double bandwidth;    /* the memory's bytes/s, as the vendor states it; 0 if unknown */
};

/* An open device. Start with {0}, open with device_open, and end with device_close. */
struct device {
    const struct device_type *type;
    int index;
    struct device_facts facts;
    struct error lost; /* the error by which the device failed; STATUS_OK while it works */
    size_t limit;      /* maximum bytes of a table on an estimated GPU (kernels/gpu/paper.h) */
    void *state;       /* the type's own data */
};

/* The functions of a type of devices. Those that return a status fail with STATUS_UNAVAILABLE and the
 * driver's own words, or with STATUS_MEMORY if there is no memory. */
struct device_type {
    /* Fails if there is no usable device. */
    enum status (*check)(struct error *error);
    /* Returns the number of devices; 0 if check fails. */
    int (*count)(void);
    enum status (*describe)(int index, struct device_facts *facts, struct error *error);
    /* Opens the device; device->index and device->facts are already set. */
    enum status (*open)(struct device *device, struct error *error);
    void (*close)(struct device *device);

    /* Finds the free bytes of the device's memory. */
    enum status (*available)(struct device *device, size_t *bytes, struct error *error);
    enum status (*allocate)(struct device *device, size_t bytes, void **data, struct error *error);
    void (*release)(struct device *device, void *data);
    /* write copies from the host to the device, read from the device to the host, and copy within the device;
     * fill sets all bytes to one value. When write and read return, the caller may change the host's memory.
     */
    enum status (*write)(struct device *device, void *to, const void *from, size_t bytes,
                         struct error *error);
    enum status (*read)(struct device *device, void *to, const void *from, size_t bytes, struct error *error);
    enum status (*copy)(struct device *device, void *to, const void *from, size_t bytes, struct error *error);
    enum status (*fill)(struct device *device, void *to, unsigned char byte, size_t bytes,
                        struct error *error);

    /* Runs this number of products one after another. *seconds becomes the time of one of them, from events
     * of the device before the first launch and after the last. All launches wait in the device's queue
     * before the first begins, unless a kernel itself waits for the device. */
    enum status (*time)(struct device *device, const struct launch *launch, int products, double *seconds,
                        struct error *error);
    /* Runs this number of products one after another, and returns when they are done. The first begins at
     * once, so that the device hardly rests between two calls. NULL: as `time`. */
    enum status (*repeat)(struct device *device, const struct launch *launch, int products,
                          struct error *error);
    /* Records this number of products in a graph once, and runs it several times. *seconds becomes the time
     * of one product, from events before and after the graph: the median over these runs. Fails with
     * STATUS_UNAVAILABLE if a product cannot be recorded, without side effects. NULL if there are no
     * graphs. */
    enum status (*time_graph)(struct device *device, const struct launch *launch, int products,
                              double *seconds, struct error *error);
    /* Flushes the cache by reading `bytes` from `buffer`. */
    enum status (*flush)(struct device *device, const void *buffer, size_t bytes, struct error *error);
    /* Measures once, by events, the bandwidth of reading the `bytes` at `buffer`, and that of copying their
     * first half to the second, bytes read plus written. */
    enum status (*bandwidth)(struct device *device, void *buffer, size_t bytes, double *read, double *copy,
                             struct error *error);
    /* Measures all of *pace (kernels/gpu/profile.h) except the read bandwidth, in the `bytes` at `buffer`,
     * which it overwrites. Fails with STATUS_LIMIT if these are too few for the size of L2, and with
     * STATUS_CANCELLED. NULL if the type cannot. */
    enum status (*pace)(struct device *device, void *buffer, size_t bytes, struct gpu_pace *pace,
                        struct progress *progress, struct error *error);

    /* Returns whether such a device can convert CSR to this choice, and the traffic of that, for a matrix of
     * this number of rows. It needs no device. Fails with STATUS_UNAVAILABLE and the reason. NULL: no
     * conversions. */
    enum status (*converts)(const struct format_choice *choice, double rows, struct conversion_work *work,
                            struct error *error);
    /* Writes the arrays of *to, whose sizes are planned and which are allocated on the device, from `csr`,
     * whose arrays are there too: the same elements that the format's `fill` writes. The conversion is
     * repeated, and *seconds becomes the median time, by events of the device. It includes finding the sizes
     * on the device again, but no allocation. Fails with STATUS_UNAVAILABLE if it cannot, or if the sizes
     * differ from the planned ones, and with STATUS_LIMIT or STATUS_MEMORY if its temporary memory does not
     * fit. */
    enum status (*convert)(struct device *device, const struct storage *csr, struct storage *to,
                           double *seconds, struct error *error);

    /* Exchanging elements with other processes (kernels/gpu/exchange.h); NULL if unsupported. */
    const struct device_exchange *exchange;
};

/* Open a device by its index, which counts from 0. Fails with STATUS_UNAVAILABLE, and a message with the
 * number of devices. The caller must call device_close, also after failure. */
enum status device_open(const struct device_type *type, int index, struct device *device,
                        struct error *error);
void device_close(struct device *device); /* takes {0} */

/* Return false for an estimated device (kernels/gpu/paper.h). Kernels are prepared on it but never run, and
 * it has no driver to call. */
bool device_runs(const struct device *device);

/* Allocate an array in the device's memory, of at least one byte. Returns NULL on failure; the message names
 * its purpose, `what`. An array larger than the free memory is refused without an attempt (STATUS_LIMIT).
 * Free with device_release. */
void *device_array(struct device *device, size_t count, size_t size, const char *what, struct error *error);
void device_release(struct device *device, void *data); /* takes NULL */

/* Returns a copy of the host's `bytes` at `data` in the device's memory; NULL on failure. */
void *device_copy_of(struct device *device, const void *data, size_t bytes, const char *what,
                     struct error *error);

/* Copy the arrays of a storage into the device's memory, after checking that all of them fit. *resident
 * becomes a copy of the storage whose arrays are there, and *seconds the time of copying. End with
 * device_unstore. */
enum status device_store(struct device *device, const struct storage *storage, struct storage *resident,
                         double *seconds, struct error *error);
void device_unstore(struct device *device, struct storage *resident); /* takes {0} */

/* Write the arrays of `resident` again, on the device, from CSR in its memory (device_type's `convert`). The
 * copied arrays of `storage`, converted by the host, are overwritten first. If `convert` fails, they are
 * copied again. */
enum status device_convert(struct device *device, const struct storage *csr, const struct storage *storage,
                           struct storage *resident, double *seconds, struct error *error);

/* Record the error by which the device failed, unless an earlier one is recorded. */
void device_lose(struct device *device, const struct error *reason);

/* Fails with the noted reason if the device has failed. */
enum status device_check(const struct device *device, struct error *error);

#endif
