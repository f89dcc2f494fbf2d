/* Runs of kernels on a session's matrix that are kept beside each other: made here one after another, or read
 * from reports that were saved elsewhere. */
#ifndef SPARSIGHT_SESSION_RUNS_H
#define SPARSIGHT_SESSION_RUNS_H

#include <stdbool.h>

#include "base/error.h"
#include "session/results.h"

struct run {
    int number;  /* from 1 in the order they were added; not given again when one is dropped */
    char *label; /* how it differs from others: "2 threads, cold", or the file and host it is from; owned */
    bool saved;  /* read from a file: of another machine, or of another time */
    struct results results;
};

#define RUNS_MAX 64

/* Start with {0}; free with runs_free. */
struct runs {
    struct run *items[RUNS_MAX]; /* owned, oldest first */
    int count;
    int added; /* how many there have been */
};

/* Append a run with this label; *results becomes its own and is {0} afterwards. NULL without memory, or with
 * STATUS_LIMIT if there are RUNS_MAX; *results stays the caller's then. */
struct run *runs_add(struct runs *runs, const char *label, struct results *results, struct error *error);

/* Remove a run and free it. */
void runs_drop(struct runs *runs, struct run *run);

void runs_free(struct runs *runs);

#endif
