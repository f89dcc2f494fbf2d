#include "session/runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static void run_free(struct run *run)
{
    if (!run) return;
    results_free(&run->results);
    free(run->label);
    free(run);
}

struct run *runs_add(struct runs *runs, const char *label, struct results *results, struct error *error)
{
    if (runs->count == RUNS_MAX) {
        error_set(error, STATUS_LIMIT, "%d runs are kept, which is the maximum: delete one first", RUNS_MAX);
        return NULL;
    }
    struct run *run = memory_zeroed(1, sizeof *run, error);
    if (!run) return NULL;
    run->label = memory_string(label, error);
    if (!run->label) {
        run_free(run);
        return NULL;
    }
    run->number = ++runs->added;
    run->results = *results;
    *results = (struct results){0};
    runs->items[runs->count++] = run;
    return run;
}

enum status runs_name(struct run *run, const char *name, struct error *error)
{
    char *label = memory_string(name, error);
    if (!label) return STATUS_MEMORY;
    free(run->label);
    run->label = label;
    snprintf(run->results.name, sizeof run->results.name, "%s", name);
    run->kept = false;
    return STATUS_OK;
}

int runs_own(const struct runs *runs, bool lost)
{
    int count = 0;
    for (int k = 0; k < runs->count; k++)
        count += !runs->items[k]->saved && !(lost && runs->items[k]->kept);
    return count;
}

void runs_drop(struct runs *runs, struct run *run)
{
    int kept = 0;
    for (int k = 0; k < runs->count; k++)
        if (runs->items[k] != run) runs->items[kept++] = runs->items[k];
    if (kept < runs->count) run_free(run);
    runs->count = kept;
}

void runs_free(struct runs *runs)
{
    for (int k = 0; k < runs->count; k++)
        run_free(runs->items[k]);
    *runs = (struct runs){0};
}
