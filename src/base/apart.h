/* Running a library in a child process. A library's function cannot be asked to stop, and may change the
 * state of the process: METIS replaces the handlers of SIGTERM and SIGABRT while it works, jumps out of them,
 * and prints if memory is short; libhdf5 crashes on some damaged files, and never returns from others. A
 * child process can be killed, and its use of signals, memory and output does not affect the parent. It sees
 * a copy of the parent's memory, and returns results in memory that both share. */
#ifndef SPARSIGHT_BASE_APART_H
#define SPARSIGHT_BASE_APART_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"

enum verdict { VERDICT_NONE, VERDICT_DONE, VERDICT_MEMORY, VERDICT_FAILED };

/* The work of a child, and the time that it may take without progress. */
struct apart {
    const char *library; /* the library that it calls, for messages */
    /* The work. It may allocate, need not free, and must neither take locks of the parent's threads nor start
     * threads. It writes its results to memory that both share. */
    enum verdict (*work)(void *self);
    void *self;
    /* Return a number that changes while the work goes on; the parent calls it. NULL: the work may last. */
    int64_t (*advance)(void *self);
    double rest; /* seconds without an advance after which the child is killed */
    /* Bytes that the child may allocate in addition to the parent's memory; further calls of malloc fail. 0:
     * no bound. Only Linux enforces it. */
    size_t memory;
    /* Seconds of processor time after which the system ends the child, rounded up; 0: no bound. */
    double seconds;
};

/* Return zeroed memory that this process will share with its children, or NULL with STATUS_MEMORY. The caller
 * releases it with the same number of bytes; NULL is allowed. */
void *apart_memory(size_t bytes, struct error *error);
void apart_release(void *memory, size_t bytes);

/* Do the work in a child and wait for it. When the progress is cancelled the child is killed within some 20
 * ms; when the parent dies, the child does too. STATUS_MEMORY if there is no memory for a process;
 * STATUS_LIMIT if the library had too little or the child was killed: this process goes on;
 * STATUS_UNAVAILABLE if the library fails otherwise, crashes, makes no progress for too long, or takes too
 * much processor time; STATUS_CANCELLED. */
enum status apart_run(const struct apart *apart, struct progress *progress, struct error *error);

/* The same for work that fills in `count` numbers: from[0..count-1]. */
typedef enum verdict apart_numbers(const void *argument, int32_t *from, int64_t count);
enum status apart_fill(apart_numbers *work, const void *argument, const char *library, int32_t *from,
                       int64_t count, struct progress *progress, struct error *error);

/* The same within this processor time. */
enum status apart_fill_within(double seconds, apart_numbers *work, const void *argument, const char *library,
                              int32_t *from, int64_t count, struct progress *progress, struct error *error);

#endif
