/* The processor profile of this process: named, saved, measured or assumed. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/placement.h"
#include "kernels/timing/processor_sure.h"

/* The profile belongs to the process, like the topology, since it is the same for every matrix. */
static struct {
    pthread_mutex_t lock;
    struct processor processor;
    bool probed; /* further measurements need a request of the user */
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

#define NAMED_MAX 262144

/* Read the profile of this path. */
static enum status read_named(const char *path, struct processor *processor, struct error *error)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(NAMED_MAX) : NULL;
    enum status status = STATUS_OK;
    if (!file || !text) {
        status = error_at(error, STATUS_IO, path, 0, 0,
                          "the profile that SPARSIGHT_PROCESSOR names cannot be read");
    } else {
        size_t length = fread(text, 1, NAMED_MAX, file);
        status = processor_read_profile(text, length, path, processor, error);
    }
    if (file) fclose(file);
    free(text);
    return status;
}

/* Use the profile named in the environment; *named becomes whether there is one. */
static enum status take_named(struct processor *processor, bool *named, struct error *error)
{
    const char *name = getenv("SPARSIGHT_PROCESSOR");
    *named = name && name[0];
    if (!*named) return STATUS_OK;
    if (strcmp(name, "assumed") != 0) return read_named(name, processor, error);
    processor_assume(processor);
    return STATUS_OK;
}

static void know(const struct processor *processor, bool probed)
{
    pthread_mutex_lock(&known.lock);
    known.processor = *processor;
    known.probed = probed;
    pthread_mutex_unlock(&known.lock);
}

enum status processor_learn(const struct processor *processor, struct text *path, struct error *error)
{
    know(processor, true);
    return processor_keep(processor, path, error);
}

void processor_forget(void)
{
    know(&(struct processor){.there = false}, false);
}

bool processor_is_surer(const struct processor *kept, const struct processor *other)
{
    char doubt[PROCESSOR_WORDS];
    return kept->there && !processor_doubt(kept, doubt)[0] && processor_doubt(other, doubt)[0] &&
           !(other->complete && !kept->complete);
}

/* Measure quickly, and save the result. The new profile replaces *kept, which is in doubt or {0}. */
static enum status measure(struct processor *kept, size_t limit, struct progress *progress,
                           struct error *error)
{
    struct processor now;
    struct text path = {0};
    char doubt[PROCESSOR_WORDS];
    enum status status = processor_measure(&now, false, limit, progress, NULL);
    if (status == STATUS_CANCELLED) return progress_status(progress, error);
    if (status != STATUS_OK) { /* there is no memory, or there are no threads, for measuring */
        if (!kept->there) processor_assume(kept);
        return STATUS_OK;
    }
    processor_mend(&now);
    if (kept->there && processor_doubt(&now, doubt)[0])
        processor_merge(&now, kept);
    else if (kept->there)
        processor_inherit(&now, kept);
    processor_learn(&now, &path, NULL); /* after a failure this process still uses the profile */
    text_free(&path);
    *kept = now;
    return STATUS_OK;
}

static enum status find(struct processor *processor, enum processor_effort effort, size_t limit,
                        struct progress *progress, struct error *error)
{
    char doubt[PROCESSOR_WORDS];
    bool named;
    enum status status = take_named(processor, &named, error);
    if (status != STATUS_OK) return status;
    if (named) {
        know(processor, true);
        return STATUS_OK;
    }
    processor_find(processor);
    if (effort == PROCESSOR_KEPT) {
        if (!processor->there) processor_assume(processor);
        know(processor, false);
        return STATUS_OK;
    }
    /* A recent profile is used without measuring or probing, so that a series of short reports stays fast. */
    const bool doubted = processor->there && processor_doubt(processor, doubt)[0];
    const double again = doubted ? PROCESSOR_DOUBTED : PROCESSOR_AGAIN;
    if (processor->there && fabs(processor_age(processor)) < again) {
        know(processor, true);
        return STATUS_OK;
    }
    if (processor->there && !doubted) {
        const struct processor_probe probe = processor_probe();
        if (!processor_disagrees(processor, &probe)) {
            processor_confirm(processor);
            know(processor, true);
            return STATUS_OK;
        }
    }
    /* A profile of other cores is not merged with one of the cores that this process is bound to. */
    if (processor->threads != placement_threads()) *processor = (struct processor){.there = false};
    return measure(processor, limit, progress, error);
}

enum status processor_here(struct processor *processor, enum processor_effort effort, size_t limit,
                           struct progress *progress, struct error *error)
{
    pthread_mutex_lock(&known.lock);
    const bool enough = known.processor.there && (known.probed || effort == PROCESSOR_KEPT);
    if (enough) *processor = known.processor;
    pthread_mutex_unlock(&known.lock);
    return enough ? STATUS_OK : find(processor, effort, limit, progress, error);
}
