#include "ui/work.h"

/* Arrays of conversions that no view holds are kept up to this many bytes, since a view may want them again.
 */
#define IDLE_BYTES ((size_t)64 << 20)

static enum status compute(void *argument, struct progress *progress, struct error *error)
{
    struct work *work = argument;
    struct session *session = work->session;
    if (work->task.part) return session_need(session, work->task.part, progress, error);
    if (work->task.errand) return work->task.errand->run(work->task.errand->argument, progress, error);
    if (work->task.build) return conversion_build(work->task.conversion, session->limit, progress, error);
    return conversion_plan(work->task.conversion, session->limit, progress, error);
}

/* Return the first of `parts`, in the order of what screens need first, that is missing and was not declined;
 * 0 if there is none. */
static unsigned next_part(const struct work *work, unsigned parts)
{
    static const unsigned order[] = {SESSION_ROW_LENGTHS, SESSION_PYRAMID, SESSION_TILES, SESSION_STRUCTURE,
                                     SESSION_COL_LENGTHS, SESSION_COL_PTR, SESSION_SIZES, SESSION_GPU};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((parts & order[k] & ~work->declined) && !session_has(work->session, order[k])) return order[k];
    return 0;
}

/* Return the task that is left to do for a conversion that a view holds. */
static struct task task_for(struct conversion *conversion)
{
    enum conversion_state state = conversion_state(conversion);
    bool build = conversion->keep && (state == CONVERSION_WANTED || state == CONVERSION_PLANNED);
    if (conversion->declined || (!build && state != CONVERSION_WANTED)) return (struct task){0};
    return (struct task){.conversion = conversion, .build = build};
}

static struct task next_shown(const struct work *work)
{
    for (int k = 0; work->shown && k < work->shown->count; k++) {
        struct task task = task_for(work->shown->items[k]);
        if (task.conversion) return task;
    }
    return (struct task){0};
}

/* Return the task of planning a conversion whose size is not known yet. */
static struct task next_size(const struct work *work)
{
    const struct conversions *all = &work->session->shown->conversions;
    for (int k = 0; k < atomic_load(&all->count); k++)
        if (conversion_state(all->items[k]) == CONVERSION_WANTED && !all->items[k]->declined)
            return (struct task){.conversion = all->items[k]};
    return (struct task){0};
}

static bool is_task(struct task task)
{
    return task.part || task.errand || task.conversion;
}

static struct task next_urgent(const struct work *work, unsigned needed)
{
    unsigned part = next_part(work, needed);
    if (part) return (struct task){.part = part};
    if (work->errand && work->errand->state == ERRAND_WANTED) return (struct task){.errand = work->errand};
    return next_shown(work);
}

static struct task next_task(const struct work *work, unsigned needed)
{
    struct task task = next_urgent(work, needed);
    if (is_task(task)) return task;
    unsigned part = next_part(work, ~(unsigned)SESSION_GPU); /* a GPU's driver is asked only for a screen */
    return part ? (struct task){.part = part} : next_size(work);
}

bool work_alone(const struct work *work)
{
    return work->task.errand && work->task.errand->alone;
}

/* True if the job is to be cancelled for the task `urgent`, or because nobody needs its result any more.
 * Parts that are needed come first, then an errand, then conversions that views hold. */
static bool gives_way(const struct work *work, struct task urgent, unsigned needed)
{
    if (work_alone(work)) return work->task.errand->unwanted;
    if (work->task.part & needed) return false;
    if (urgent.part) return true;
    if (work->task.errand) return work->task.errand->unwanted || urgent.errand; /* urgent is another errand */
    if (urgent.errand) return true;
    if (!work->task.conversion) return urgent.conversion != NULL;
    if (urgent.conversion && urgent.conversion != work->task.conversion) return true;
    return work->task.build && !urgent.conversion; /* no view holds the conversion any more */
}

/* Note that the task is not to be tried again unless the user asks. */
static void decline(struct work *work)
{
    work->declined |= work->task.part;
    if (work->task.errand) work->task.errand->declined = true;
    if (work->task.conversion) work->task.conversion->declined = true;
}

static bool is_declined(const struct work *work)
{
    const struct conversion *conversion = work->task.conversion;
    if (work->task.errand) return work->task.errand->declined;
    return conversion ? conversion->declined : (work->declined & work->task.part) != 0;
}

static void fail(struct work *work, const struct error *error)
{
    work->failure = *error;
    work->failures++;
    decline(work);
}

/* Set the state of an errand that has ended. One that was stopped for another task begins again later. */
static void put_down(struct errand *errand, enum status status)
{
    errand->state = status == STATUS_OK ? ERRAND_DONE
                    : errand->declined  ? ERRAND_FAILED
                    : errand->unwanted  ? ERRAND_NONE
                                        : ERRAND_WANTED;
}

/* Wait for the job, which has finished, and note how it ended. Returns true if that changes what can be
 * shown.
 */
static bool finish(struct work *work)
{
    enum status status = job_join(&work->job);
    struct errand *errand = work->task.errand;
    bool changed = status != STATUS_CANCELLED || is_declined(work) || (errand && errand->unwanted);
    if (status != STATUS_OK && status != STATUS_CANCELLED) fail(work, &work->job.error);
    if (errand) put_down(errand, status);
    work->task = (struct task){0};
    return changed;
}

/* Start a job for the task. Returns true if that fails, which changes what can be shown. */
static bool fails_to_start(struct work *work, struct task task)
{
    struct error error = {0};
    work->gauge = (struct gauge){0};
    work->task = task;
    if (task.errand) {
        task.errand->state = ERRAND_RUNNING;
        task.errand->unwanted = task.errand->declined = false;
    }
    if (job_start(&work->job, compute, work, &error) == STATUS_OK) return false;
    fail(work, &error);
    if (task.errand) put_down(task.errand, error.status);
    work->task = (struct task){0};
    return true;
}

bool work_busy(const struct work *work)
{
    return is_task(work->task);
}

bool work_step(struct work *work, unsigned needed)
{
    bool changed = false;
    if (work_busy(work)) {
        if (gives_way(work, next_urgent(work, needed), needed)) progress_cancel(&work->job.progress);
        if (!job_finished(&work->job)) return false;
        changed = finish(work);
    }
    if (work->shown) conversions_trim(&work->session->shown->conversions, work->shown, IDLE_BYTES);
    struct task task = next_task(work, needed);
    if (is_task(task) && fails_to_start(work, task)) changed = true;
    return changed;
}

void work_cancel(struct work *work)
{
    if (!work_busy(work)) return;
    decline(work);
    work->failure = (struct error){0};
    progress_cancel(&work->job.progress);
}

void work_retry(struct work *work, unsigned parts)
{
    const struct conversions *all = &work->session->shown->conversions;
    work->declined &= ~parts;
    if (work->errand && work->errand->state == ERRAND_FAILED) work->errand->state = ERRAND_WANTED;
    for (int k = 0; k < atomic_load(&all->count); k++)
        all->items[k]->declined = false;
}

void work_end(struct work *work)
{
    if (!work_busy(work)) return;
    progress_cancel(&work->job.progress);
    job_join(&work->job);
    work->task = (struct task){0};
}
