/* The list of runs of kernels on a matrix: runs made here, and runs read from saved reports. */
#ifndef SPARSIGHT_SESSION_RUNS_H
#define SPARSIGHT_SESSION_RUNS_H

#include <stdbool.h>

#include "base/error.h"
#include "session/results.h"

struct run {
    int number;  /* from 1, in the order of adding; numbers of dropped runs are not reused */
    char *label; /* its difference from other runs: "2 threads, cold", or its file and host; owned */
    bool saved;  /* it was read from a file: it is from another machine or time */
    bool kept;   /* it has been written to a file */
    struct results results;
};

#define RUNS_MAX 64

/* Start with {0}; free with runs_free. */
struct runs {
    struct run *items[RUNS_MAX]; /* owned, oldest first */
    int count;
    int added; /* runs that were ever added */
};

/* Append a run with this label; *results becomes the run's own and is {0} afterwards. NULL without memory, or
 * with STATUS_LIMIT if there are RUNS_MAX runs already; then the caller keeps *results. */
struct run *runs_add(struct runs *runs, const char *label, struct results *results, struct error *error);

/* Give a run this name instead of its label. Files get it when the run is next saved.
 * STATUS_MEMORY. */
enum status runs_name(struct run *run, const char *name, struct error *error);

/* The number of runs made here; with `lost` only those that no file has yet. */
int runs_own(const struct runs *runs, bool lost);

/* Remove a run and free it. */
void runs_drop(struct runs *runs, struct run *run);

void runs_free(struct runs *runs);

#endif
