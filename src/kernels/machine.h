/* What this machine's memory can do, measured here and now: nothing that a kernel is held against is taken
 * from a data sheet. */
#ifndef SPARSIGHT_KERNELS_MACHINE_H
#define SPARSIGHT_KERNELS_MACHINE_H

#include <stddef.h>

#include "base/error.h"
#include "base/job.h"

struct machine {
    int threads;   /* that the bandwidths were measured with */
    double read;   /* bytes/s of a vectorised sum over an array that no cache holds */
    double copy;   /* bytes/s of a copy, bytes read plus bytes written */
    size_t cache;  /* bytes that fit in the last-level cache, as a sweep finds; what the system claims is not
                      trusted */
    size_t buffer; /* bytes of the flushing buffer: 4 x cache */
    void *memory;  /* the buffer; owned */
    double checksum; /* of what was read: keeps the loops from being optimised away */
};

/* Measure with so many threads. Takes some seconds at most, and 4 times the cache of memory (as much as the
 * limit allows). Free with machine_free. STATUS_MEMORY, STATUS_CANCELLED. */
enum status machine_measure(struct machine *machine, int threads, size_t limit, struct progress *progress,
                            struct error *error);

/* Measure the bandwidths again, beside the kernels: what is best so far stays. */
void machine_again(struct machine *machine);

/* Put everything out of the caches, by reading the buffer: writing would leave dirty lines whose write-back
 * is then timed. */
void machine_flush(struct machine *machine);

void machine_free(struct machine *machine);

#endif
