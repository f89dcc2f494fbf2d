/* What the memory of the host, or of a device, can do, measured here and now: nothing that a kernel is held
 * against is taken from a data sheet. */
#ifndef SPARSIGHT_KERNELS_TIMING_MACHINE_H
#define SPARSIGHT_KERNELS_TIMING_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/device.h"

/* Bandwidths in bytes/s. Each thread reads and writes a part of the memory that it touched first. */
struct machine {
    const struct device_type *type; /* what it is one of; NULL: the host */
    struct device *device;          /* open, the caller's; NULL: the host, or no longer there */
    char name[128];                 /* of the device; "" for the host */
    double vendor; /* bytes/s that the device's vendor states; 0 if not known. Nothing is held against it */
    int threads;   /* that the bandwidths were measured with; 0 on a device */
    double read;   /* of a vectorised sum over an array that no cache holds: the best of all times */
    double copy;   /* of a copy by stores around the caches: bytes read plus bytes written; the best */
    double read_low, copy_low; /* the worst: as low as the machine has fallen since it was measured first */
    int times;                 /* how often they were measured */
    size_t cache;  /* bytes that fit in the last-level cache, as a sweep finds; what the system claims is not
                      trusted. Of a device: its L2, as its driver says */
    size_t buffer; /* bytes that are read to put everything out of the caches: 4 x cache, on the host at
                      least 256 MiB, since a cache that is shared with others shows less of itself */
    size_t part;   /* bytes of each thread's part of the memory */
    void *memory;  /* owned; in the device's memory, if there is one */
    double checksum; /* of what was read: keeps the loops from being optimised away */
    double cost;     /* seconds that measuring the bandwidths again takes */
};

/* The machines of a run: the host, and a list of the devices that kernels run on. {0}: nothing was measured
 * of the host, and there are no devices. */
#define DEVICES_MAX 8
struct machines {
    struct machine host;
    struct machine device[DEVICES_MAX];
    int devices;
};

/* The host if type is NULL, else the device of this type, NULL if there is none. It may be changed if the
 * list may (as with strchr). */
struct machine *machines_of(const struct machines *machines, const struct device_type *type);

/* Free all of them, before the devices are closed. */
void machines_free(struct machines *machines);

/* Measure with so many threads. The cache: 256 KiB to 1 GiB are read, each size three times and each thread
 * at least 32 MiB of it, which for two threads is some 7 GiB in all; a thread's speed is that of its median
 * stretch of 4 MiB, so that being put off the processor now and then does not matter. Then the bandwidths:
 * five times the whole memory is read and copied in stretches of 4 MiB a thread, and counted is the time that
 * a quarter of them stays below. Where other work keeps the threads from running together, that is the time
 * they wait: then the sum of what each thread reaches by itself is taken, and read_low or copy_low remains to
 * tell. 0.3 to 2 seconds where nothing else runs.
 *
 * Takes up to 1 GiB of memory while it sweeps, and keeps four times the cache, at least 256 MiB, all held
 * within half the limit (0: what memory_check takes by itself): with less than that, the cache is only found
 * as far as the memory reaches. Free with machine_free. STATUS_MEMORY, STATUS_CANCELLED; *machine is {0}
 * then. */
enum status machine_measure(struct machine *machine, int threads, size_t limit, struct progress *progress,
                            struct error *error);

/* True if there was so little memory to measure with that a cache may hold all of it. */
bool machine_narrow(const struct machine *machine);

/* Measure an open device: five times its memory is read and copied, 2 GiB or what a quarter of its free
 * memory holds, and at least eight times its L2, unless that is more than half of the free memory. Keeps that
 * memory to flush L2 with. Free
 * with machine_free before the device is closed. STATUS_CANCELLED, or what the device says. */
enum status machine_measure_device(struct machine *machine, struct device *device, struct progress *progress,
                                   struct error *error);

/* Measure the bandwidths again, beside the kernels. Does nothing on a machine without memory. */
void machine_again(struct machine *machine, struct progress *progress);

/* Put everything out of the caches, by reading the buffer: writing would leave dirty lines whose write-back
 * is then timed. Does nothing on a machine without memory, or whose device can do nothing more. */
void machine_flush(struct machine *machine, struct progress *progress);

void machine_free(struct machine *machine);

#endif
