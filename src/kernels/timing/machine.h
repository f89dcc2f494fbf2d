/* Measuring the bandwidth and the cache of the host's memory, and of a device's. Kernels are compared with
 * these bandwidths, measured in the same run, never with numbers of a data sheet. */
#ifndef SPARSIGHT_KERNELS_TIMING_MACHINE_H
#define SPARSIGHT_KERNELS_TIMING_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/device.h"

/* The host, or a device, and its measurements. Bandwidths are in bytes/s. Each thread of the host reads and
 * writes a share of `memory` of its own, which it touched first, so that the share lies in the memory next to
 * the thread's processor. */
struct machine {
    const struct device_type *type; /* the type of the device; NULL for the host */
    struct device *device; /* the open device, which is the caller's; NULL for the host, and for a device that
                              has been closed */
    char name[128];        /* the name of the device; "" for the host */
    double vendor; /* the bandwidth that the device's vendor states, for users to see; 0 if unknown. No kernel
                      is compared with it */
    int threads;   /* the number of threads that measured the bandwidths; 0 on a device */
    int processors;            /* number of processors that the process may run on */
    double read;               /* the bandwidth of a vectorised sum over an array that no cache holds:
                                  the best of all measurements so far */
    double copy;               /* the bandwidth of a copy with stores that bypass the caches, counting
                                  bytes read and bytes written: the best so far */
    double read_low, copy_low; /* the worst so far, which shows disturbances during the run */
    int times;                 /* number of measurements of each bandwidth */
    size_t cache;  /* bytes that fit in the last-level cache: on the host, the result of a sweep over sizes,
                      since the system's number is often wrong; on a device, the L2 that its driver reports */
    size_t buffer; /* bytes read to flush the caches: 4 times the cache, on the host at least 256 MiB, since a
                      cache that others use at the same time looks smaller than it is */
    size_t share;  /* bytes of each thread's share of `memory`; on a device, all of it */
    void *memory;  /* owned; on a device, an address in its memory */
    double checksum; /* the sum of all elements read, without which the compiler would remove the reading
                        loops */
    double cost;     /* the seconds of the last measurement of bandwidths */
};

/* The machines of a run: the host, and the devices that kernels run on. {0} is a host without measurements,
 * and no devices. */
#define DEVICES_MAX 8
struct machines {
    struct machine host;
    struct machine device[DEVICES_MAX];
    int devices;
};

/* The host if type is NULL, else the device of this type; NULL if there is none. The result may be changed if
 * the caller may change `machines`, although that is const here (as with strchr). */
struct machine *machines_of(const struct machines *machines, const struct device_type *type);

/* Free all machines, before the devices are closed. */
void machines_free(struct machines *machines);

/* Measure the host with this number of threads. It takes 0.2 to 2 s on an idle machine, and less once the
 * process has found the cache with the same number of threads and the same limit.
 *
 * The cache is found by a sweep: memory of 256 KiB, 512 KiB, ..., 1 GiB is read, each size three times, and
 * by each thread at least 32 MiB of it, which is some 7 GiB in all with two threads. A thread's speed is that
 * of its median stretch of 4 MiB, so that it does not matter if the thread loses its processor now and then.
 * Where the topology tells the caches of the last level, the sweep goes up to eight times their sum, but at
 * least 256 MiB, and beyond that only if the cache that it finds is not about that sum.
 *
 * The bandwidths are then measured five times. The whole memory is read, and copied, in stretches of 4 MiB a
 * thread, and the result is the first quartile of the times of all stretches. If other work prevents the
 * threads from running at the same time, that time is mostly waiting. The result is then the sum of the
 * threads' own bandwidths, and read_low or copy_low still shows the low common bandwidth.
 *
 * The sweep takes up to 1 GiB of memory; 4 times the cache, but at least 256 MiB, are kept afterwards.
 * Neither is more than half the limit (0: the default of memory_check). If the cache is larger than this
 * memory, the result is the size of the memory. Free with machine_free. Fails with STATUS_MEMORY and
 * STATUS_CANCELLED; *machine is {0} then. */
enum status machine_measure(struct machine *machine, int threads, size_t limit, struct progress *progress,
                            struct error *error);

/* True if the host was measured with little memory, which may all fit in a cache. */
bool machine_narrow(const struct machine *machine);

/* Measure an open device: memory of the device is read and copied five times. It is 2 GiB or a quarter of the
 * free memory, whichever is less, but at least 8 times L2, and never more than half of the free memory. The
 * memory is kept, since L2 is flushed by reading it. Free with machine_free before the device is closed.
 * Fails with STATUS_CANCELLED, and as the device does. */
enum status machine_measure_device(struct machine *machine, struct device *device, struct progress *progress,
                                   struct error *error);

/* The bandwidth of several threads. If other work had the processors, and the threads hardly ever ran at the
 * same time, their common bandwidth is mostly waiting: it is below half the sum of their own, `apart`, which
 * is then the result. */
double machine_mended(double common, double apart);

/* Measure the bandwidths once more, while kernels are being timed. Does nothing if machine->memory is NULL.
 */
void machine_again(struct machine *machine, struct progress *progress);

/* Flush the caches by reading the buffer, which evicts their contents. Writing would leave dirty lines, whose
 * write-back would add to the next kernel's time. Does nothing if machine->memory is NULL, or if the device
 * has failed. */
void machine_flush(struct machine *machine, struct progress *progress);

void machine_free(struct machine *machine);

#endif
