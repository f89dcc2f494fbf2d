/* Libraries run in a process of their own. A library's function can neither be asked to stop nor be trusted
 * to leave the process as it is: METIS, for one, takes over the handlers of SIGTERM and SIGABRT while it
 * works, jumps out of them, and prints where memory is short; libhdf5 crashes on some damaged files, and
 * never returns from others. A child process can be killed, and what it does with signals, memory and its
 * output stays its own. It sees all memory of the parent as it was; results come back in memory that both
 * share. */
#ifndef SPARSIGHT_BASE_APART_H
#define SPARSIGHT_BASE_APART_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"

enum verdict { VERDICT_NONE, VERDICT_DONE, VERDICT_MEMORY, VERDICT_FAILED };

/* What is done in a child, and how long it may rest. */
struct apart {
    const char *library; /* what it calls, for messages */
    /* The work. It may allocate, need not free, and must neither take locks of the parent's threads nor start
     * threads. What it finds it writes to memory that both share. */
    enum verdict (*work)(void *self);
    void *self;
    /* Return a number that changes while the work goes on; the parent calls it. NULL: the work may last. */
    int64_t (*advance)(void *self);
    double rest; /* seconds without an advance after which the child is killed */
    /* Bytes that the child may allocate beyond what there is: further calls of malloc fail. 0: no bound. Only
     * Linux keeps to it. */
    size_t memory;
};

/* Return zeroed memory that this process will share with its children, or NULL with STATUS_MEMORY. The caller
 * releases it with the same number of bytes; NULL is allowed. */
void *apart_memory(size_t bytes, struct error *error);
void apart_release(void *memory, size_t bytes);

/* Do the work in a child and wait for it. When the progress is cancelled the child is killed within some 20
 * ms; when the parent dies, the child does too. STATUS_MEMORY if there is no memory, for the work or for a
 * process; STATUS_UNAVAILABLE if the library fails otherwise, crashes, or rests for too long;
 * STATUS_CANCELLED. */
enum status apart_run(const struct apart *apart, struct progress *progress, struct error *error);

/* The same for work that fills in `count` numbers: from[0..count-1]. */
typedef enum verdict apart_numbers(const void *argument, int32_t *from, int64_t count);
enum status apart_fill(apart_numbers *work, const void *argument, const char *library, int32_t *from,
                       int64_t count, struct progress *progress, struct error *error);

#endif
