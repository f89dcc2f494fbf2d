/* Devices with a memory of their own: GPUs. A table of functions drives one kind of them (kernels/cuda has
 * that of NVIDIA's); everything else asks only what is here, so that a test can put a device of its own in
 * the place of a GPU.
 *
 * An open device is used by one thread at a time, the one that opened it. Work is done in the order it is
 * asked for. A fault that ends a device's context (an illegal address, a device that was lost) is kept in
 * device->lost: everything that is asked of it afterwards fails with that reason. */
#ifndef SPARSIGHT_KERNELS_GPU_DEVICE_H
#define SPARSIGHT_KERNELS_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "formats/format.h"
#include "kernels/backend.h"

struct launch;

/* What a driver says of a device. */
struct device_facts {
    char name[256]; /* "NVIDIA H200" */
    size_t memory;  /* bytes in all */
    size_t cache;   /* bytes of L2 */
    size_t shared;  /* bytes of shared memory that a block may have at most; 0 if not known */
    int major, minor;
    int multiprocessors;
    int driver,
        runtime;      /* CUDA versions, 13000 for 13.0: what the driver supports; what this was built with */
    double bandwidth; /* bytes/s that the vendor states: clock x width x 2; 0 if not known */
};

/* An open device: start with {0}, open with device_open, end with device_close. */
struct device {
    const struct device_type *type;
    int index;
    struct device_facts facts;
    struct error lost; /* status other than STATUS_OK: why it can do nothing more */
    void *state;       /* the type's own */
};

/* All functions that return a status fail with STATUS_UNAVAILABLE and the driver's own words, or with
 * STATUS_MEMORY if it is memory that is missing. */
struct device_type {
    /* STATUS_OK if there is a device that can be used. */
    enum status (*check)(struct error *error);
    /* How many there are; 0 if check fails. */
    int (*count)(void);
    enum status (*describe)(int index, struct device_facts *facts, struct error *error);
    /* device->index and facts are set. */
    enum status (*open)(struct device *device, struct error *error);
    void (*close)(struct device *device);

    /* Bytes of its memory that are free now. */
    enum status (*available)(struct device *device, size_t *bytes, struct error *error);
    enum status (*allocate)(struct device *device, size_t bytes, void **data, struct error *error);
    void (*release)(struct device *device, void *data);
    /* Copy to the device, from it, and within it; fill with one byte. When write and read return, the host's
     * memory may be used again. */
    enum status (*write)(struct device *device, void *to, const void *from, size_t bytes,
                         struct error *error);
    enum status (*read)(struct device *device, void *to, const void *from, size_t bytes, struct error *error);
    enum status (*copy)(struct device *device, void *to, const void *from, size_t bytes, struct error *error);
    enum status (*fill)(struct device *device, void *to, unsigned char byte, size_t bytes,
                        struct error *error);

    /* Run so many products one after another; *seconds: of one, by events of the device around the launches
     * alone. All of them are waiting in its queue before the first begins, unless a kernel waits for the
     * device itself. */
    enum status (*time)(struct device *device, const struct launch *launch, int products, double *seconds,
                        struct error *error);
    /* Put everything out of the cache by reading `bytes` from `buffer`. */
    enum status (*flush)(struct device *device, const void *buffer, size_t bytes, struct error *error);
    /* Bytes/s that are read from `bytes` at `buffer`, and that are read and written when its first half is
     * copied to the second; both once, by events. */
    enum status (*bandwidth)(struct device *device, void *buffer, size_t bytes, double *read, double *copy,
                             struct error *error);
};

/* Open a device by its index, counted from 0. STATUS_UNAVAILABLE says what there is. device_close afterwards,
 * also after failure. */
enum status device_open(const struct device_type *type, int index, struct device *device,
                        struct error *error);
void device_close(struct device *device); /* takes {0} */

/* False of a GPU on paper (kernels/paper.h): kernels are prepared there but never run, and what they would
 * ask of a driver meanwhile has no meaning. */
bool device_runs(const struct device *device);

/* Memory on a device: NULL on failure. `what` is for the message; what is larger than its free memory is
 * refused before it is tried (STATUS_LIMIT). At least one byte. Free with device_release. */
void *device_array(struct device *device, size_t count, size_t size, const char *what, struct error *error);
void device_release(struct device *device, void *data); /* takes NULL */

/* A copy of `bytes` from the host in the device's memory; NULL on failure. */
void *device_copy_of(struct device *device, const void *data, size_t bytes, const char *what,
                     struct error *error);

/* Put the arrays of a storage into the device's memory: *resident is a copy of the storage whose arrays are
 * there; its size is checked as a whole before. *seconds: that it took. End with device_unstore. */
enum status device_store(struct device *device, const struct storage *storage, struct storage *resident,
                         double *seconds, struct error *error);
void device_unstore(struct device *device, struct storage *resident); /* takes {0} */

/* Note why the device can do nothing more; the first reason stays. Returns its status. */
enum status device_lose(struct device *device, const struct error *reason);

/* STATUS_OK, or why the device can do nothing more. */
enum status device_check(const struct device *device, struct error *error);

#endif
