/* The processes of a survey: each does one piece of work, writes what comes of it to standard output, and
 * ends. Whatever happens to one, it happens to no other. */
#ifndef SPARSIGHT_COMMAND_SURVEY_WORKERS_H
#define SPARSIGHT_COMMAND_SURVEY_WORKERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

struct worker {
    pid_t process;        /* 0: none */
    int output, messages; /* what it writes to, -1 once it has ended */
    struct text said;     /* its standard error so far */
    struct text written;  /* its standard output so far */
    int input;            /* the work's number */
    double started;       /* clock_seconds() */
};

/* Start with {0}, its descriptors -1. The process runs work(argument, input), whose result is its exit
 * status, and dies with its parent; where memory runs out it is the one that the system ends first. No thread
 * may have been started before. STATUS_IO if the system gives no process. */
enum status worker_start(struct worker *worker, int (*work)(void *argument, int input), void *argument,
                         int input, struct error *error);

/* Wait until one of `count` workers has ended, and collect what they write meanwhile. Returns its index, and
 * in *state what waitpid says of it; -1 if none is running. The caller takes `said` and `written`, and frees
 * them with worker_clear. */
int workers_wait(struct worker *workers, int count, int *state);

void worker_clear(struct worker *worker);

#endif
