#include "ui/work.h"

static enum status compute(void *argument, struct progress *progress, struct error *error)
{
    struct work *work = argument;
    return session_need(work->session, work->part, progress, error);
}

/* The first part that is missing and not declined, out of `parts`; 0: none. */
static unsigned next_part(const struct work *work, unsigned parts)
{
    static const unsigned order[] = {SESSION_ROW_LENGTHS, SESSION_PYRAMID, SESSION_STRUCTURE,
                                     SESSION_COL_LENGTHS, SESSION_COL_PTR, SESSION_SIZES};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((parts & order[k] & ~work->declined) && !session_has(work->session, order[k])) return order[k];
    return 0;
}

/* Note how the job ended. True if that changes what can be shown. */
static bool finish(struct work *work)
{
    unsigned part = work->part;
    enum status status = job_join(&work->job);
    work->part = 0;
    if (status == STATUS_OK) return true;
    if (status == STATUS_CANCELLED) return (work->declined & part) != 0;
    work->failure = work->job.error;
    work->declined |= part;
    return true;
}

/* True if it cannot be started, which changes what can be shown. */
static bool fails_to_start(struct work *work, unsigned part)
{
    struct error error = {0};
    work->gauge = (struct gauge){0};
    work->part = part;
    if (job_start(&work->job, compute, work, &error) == STATUS_OK) return false;
    work->failure = error;
    work->declined |= part;
    work->part = 0;
    return true;
}

bool work_step(struct work *work, unsigned needed)
{
    bool changed = false;
    unsigned wanted = next_part(work, needed);
    if (work->part) {
        if (wanted && !(work->part & needed)) progress_cancel(&work->job.progress);
        if (!job_finished(&work->job)) return false;
        changed = finish(work);
        wanted = next_part(work, needed);
    }
    if (!wanted) wanted = next_part(work, ~0u);
    if (wanted && fails_to_start(work, wanted)) changed = true;
    return changed;
}

void work_cancel(struct work *work)
{
    if (!work->part) return;
    work->declined |= work->part;
    work->failure = (struct error){0};
    progress_cancel(&work->job.progress);
}

void work_retry(struct work *work, unsigned parts)
{
    work->declined &= ~parts;
}

void work_end(struct work *work)
{
    if (!work->part) return;
    progress_cancel(&work->job.progress);
    job_join(&work->job);
    work->part = 0;
}
