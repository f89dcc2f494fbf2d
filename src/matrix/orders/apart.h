/* Libraries run in a process of their own. A library's function can neither be asked to stop nor be trusted
 * to leave the process as it is: METIS, for one, takes over the handlers of SIGTERM and SIGABRT while it
 * works, jumps out of them, and prints where memory is short. A child process can be killed, and what it does
 * with signals, memory and its output stays its own. It sees all memory of the parent as it was; what comes
 * back is the permutation, in memory that both share. */
#ifndef SPARSIGHT_MATRIX_ORDERS_APART_H
#define SPARSIGHT_MATRIX_ORDERS_APART_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"

enum verdict { VERDICT_NONE, VERDICT_DONE, VERDICT_MEMORY, VERDICT_FAILED };

/* What is done in the child: fill in from[0..count-1]. It may allocate, need not free, and must neither take
 * locks of the parent's threads nor start threads. */
typedef enum verdict apart_work(const void *argument, int32_t *from, int64_t count);

/* Do the work in a child and wait for it. `library` names in messages what it calls. When the progress is
 * cancelled the child is killed within some 20 ms; when the parent dies, the child does too. STATUS_MEMORY if
 * there is no memory, for the work or for a process; STATUS_UNAVAILABLE if the library fails otherwise;
 * STATUS_CANCELLED. */
enum status run_apart(apart_work *work, const void *argument, const char *library, int32_t *from,
                      int64_t count, struct progress *progress, struct error *error);

#endif
