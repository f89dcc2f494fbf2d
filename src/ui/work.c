#include "ui/work.h"

#include "base/memory.h"

/* The maximum size of arrays that are kept although no view holds their conversions. A view may want them
 * again. */
#define IDLE_BYTES ((size_t)64 << 20)

static enum status compute_task(struct work *work, struct progress *progress, struct error *error)
{
    struct session *session = work->session;
    if (work->task.part) return session_need(session, work->task.of, work->task.part, progress, error);
    if (work->task.errand) return work->task.errand->run(work->task.errand->argument, progress, error);
    if (work->task.build) return conversion_build(work->task.conversion, session->limit, progress, error);
    return conversion_plan(work->task.conversion, session->limit, progress, error);
}

/* The temporary memory of a task does not stay with the explorer, which may wait for hours. */
static enum status compute(void *argument, struct progress *progress, struct error *error)
{
    enum status status = compute_task(argument, progress, error);
    memory_trim();
    return status;
}

static unsigned *declined_of(struct work *work, const struct matrix_case *of)
{
    return &work->declined[of - work->session->cases];
}

unsigned work_declined(const struct work *work)
{
    return work->declined[work->session->shown - work->session->cases];
}

static bool has_part(const struct session *session, const struct matrix_case *of, unsigned part)
{
    if (part == SESSION_GPU) return session_has(session, SESSION_GPU);
    return case_has(of, part);
}

/* Return the task for the first missing part of a case that was not declined, among `parts`; {0} if there is
 * none. Parts that screens need early come first. */
static struct task next_part(const struct work *work, struct matrix_case *of, unsigned parts)
{
    static const unsigned order[] = {
        SESSION_ROW_LENGTHS, SESSION_PYRAMID, SESSION_TILES,      SESSION_STRUCTURE,
        SESSION_COL_LENGTHS, SESSION_VALUES,  SESSION_COMPONENTS, SESSION_DENSE_BLOCKS,
        SESSION_COL_PTR,     SESSION_SIZES,   SESSION_GPU,        SESSION_FORESIGHT,
        SESSION_BLOCKS,      SESSION_SOLVES,  SESSION_QR,         SESSION_FILL};
    parts &= ~work->declined[of - work->session->cases];
    /* A case without entries keeps its parts, except those that an excerpt provides. */
    if (!case_has_entries(of)) parts &= SESSION_GPU | (of->excerpt.there ? SESSION_FORESIGHT : 0);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((parts & order[k]) && !has_part(work->session, of, order[k]))
            return (struct task){.part = order[k], .of = of};
    return (struct task){0};
}

/* Return the remaining task for a conversion that a view holds. */
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

/* Return the task that plans a conversion of unknown size. */
static struct task next_size(const struct matrix_case *of)
{
    const struct conversions *all = &of->conversions;
    for (int k = 0; k < atomic_load(&all->count); k++)
        if (conversion_state(all->items[k]) == CONVERSION_WANTED && !all->items[k]->declined)
            return (struct task){.conversion = all->items[k]};
    return (struct task){0};
}

static bool is_task(struct task task)
{
    return task.part || task.errand || task.conversion;
}

static bool is_wanted(const struct errand *errand)
{
    return errand && errand->state == ERRAND_WANTED;
}

static struct task next_urgent(const struct work *work, unsigned needed)
{
    struct task task = next_part(work, work->session->shown, needed);
    if (!is_task(task) && work->beside) task = next_part(work, work->beside, needed & ~(unsigned)SESSION_GPU);
    if (is_task(task)) return task;
    if (is_wanted(work->errand) && !work->errand->patient) return (struct task){.errand = work->errand};
    return next_shown(work);
}

/* Return the task for the other parts of a case. A GPU's driver is used only for a screen, or late for
 * forecasts. */
static struct task next_of_case(const struct work *work, struct matrix_case *of)
{
    struct task task = next_part(work, of, ~(unsigned)(SESSION_GPU | SESSION_FORESIGHT | SESSION_COSTLY));
    return is_task(task) ? task : next_size(of);
}

static struct task next_forecast(const struct work *work, struct matrix_case *of)
{
    return next_part(work, of, SESSION_FORESIGHT);
}

/* The parts before the first forecasts: the picture of the matrix, and its peculiarities. */
#define BEFORE_FORECASTS (SESSION_ROW_LENGTHS | SESSION_PYRAMID | SESSION_STRUCTURE)

/* True if a case waits only for its first forecasts, those of CSR, from which the first advice is made. They
 * come before the case's other parts; the other forecasts come after these parts. */
static bool wants_advice(const struct matrix_case *of)
{
    return case_has(of, BEFORE_FORECASTS) && foresight_count(&of->foresight[PRECISION_F64]) == 0;
}

/* Return the task for the parts that take more than linear time. */
static struct task next_costly(const struct work *work, struct matrix_case *of)
{
    return next_part(work, of, SESSION_COSTLY);
}

/* Return the task that `next` finds for the shown case, or else for the first other case with one. */
static struct task next_of_all(const struct work *work,
                               struct task (*next)(const struct work *work, struct matrix_case *of))
{
    struct session *session = work->session;
    struct task task = next(work, session->shown);
    for (int k = 0; k < session->case_count && !is_task(task); k++)
        task = next(work, &session->cases[k]);
    return task;
}

static struct task next_task(const struct work *work, unsigned needed)
{
    struct task task = next_urgent(work, needed);
    if (!is_task(task) && wants_advice(work->session->shown))
        task = next_forecast(work, work->session->shown);
    if (!is_task(task)) task = next_of_all(work, next_of_case);
    if (!is_task(task)) task = next_forecast(work, work->session->shown);
    if (!is_task(task) && is_wanted(work->errand)) task = (struct task){.errand = work->errand};
    if (!is_task(task)) task = next_of_all(work, next_forecast);
    return is_task(task) ? task : next_of_all(work, next_costly);
}

bool work_alone(const struct work *work)
{
    return work->task.errand && work->task.errand->alone;
}

bool work_guarded(const struct work *work)
{
    return work_alone(work) && !work->task.errand->yields;
}

/* True if the job must stop for the task `urgent`, or because its result is no longer needed. Parts that are
 * needed come first, then an errand, then conversions that views hold. */
static bool gives_way(const struct work *work, struct task urgent, unsigned needed)
{
    if (work_guarded(work)) return work->task.errand->unwanted;
    bool in_sight = work->task.of == work->session->shown || work->task.of == work->beside;
    if ((work->task.part & needed) && in_sight) return false;
    if (urgent.part) return true;
    if (work->task.part == SESSION_FORESIGHT && work->task.of == work->session->shown &&
        !wants_advice(work->task.of) && is_task(next_of_case(work, work->task.of)))
        return true; /* the first forecasts are made */
    if (work->task.errand) return work->task.errand->unwanted || urgent.errand; /* urgent is another errand */
    if (urgent.errand) return true;
    if (!work->task.conversion) return urgent.conversion != NULL;
    if (urgent.conversion && urgent.conversion != work->task.conversion) return true;
    return work->task.build && !urgent.conversion; /* no view holds the conversion */
}

/* Prevent retries of the task until the user asks. */
static void decline(struct work *work)
{
    if (work->task.part) *declined_of(work, work->task.of) |= work->task.part;
    if (work->task.errand) work->task.errand->declined = true;
    if (work->task.conversion) work->task.conversion->declined = true;
}

static bool is_declined(const struct work *work)
{
    const struct conversion *conversion = work->task.conversion;
    if (work->task.errand) return work->task.errand->declined;
    if (conversion) return conversion->declined;
    return (work->declined[work->task.of - work->session->cases] & work->task.part) != 0;
}

static void fail(struct work *work, const struct error *error)
{
    work->failure = *error;
    work->failures++;
    decline(work);
}

/* Set the state of an errand that has ended. If it was stopped for another task, it begins again later. */
static void put_down(struct errand *errand, enum status status)
{
    errand->state = status == STATUS_OK ? ERRAND_DONE
                    : errand->declined  ? ERRAND_FAILED
                    : errand->unwanted  ? ERRAND_NONE
                                        : ERRAND_WANTED;
}

/* Join the finished job, and record its result. Returns true if the screen may change. */
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

bool work_make_way(struct work *work)
{
    if (work_guarded(work)) return false;
    if (!work_alone(work)) return true;
    progress_cancel(&work->job.progress);
    finish(work);
    return true;
}

/* Start a job for the task. Returns true if that fails, because the screen may change then. */
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

/* True if the shown case has other forecasts than at the last call. */
static bool forecasts_came(struct work *work)
{
    const int foreseen = case_foreseen(work->session->shown), before = work->foreseen;
    work->foreseen = foreseen;
    return foreseen != before;
}

bool work_step(struct work *work, unsigned needed)
{
    bool changed = forecasts_came(work);
    if (work_busy(work)) {
        if (gives_way(work, next_urgent(work, needed), needed)) progress_cancel(&work->job.progress);
        if (!job_finished(&work->job)) return changed;
        changed |= finish(work);
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
    struct session *session = work->session;
    if (work->errand && work->errand->state == ERRAND_FAILED) work->errand->state = ERRAND_WANTED;
    for (int c = 0; c < session->case_count; c++) {
        const struct conversions *all = &session->cases[c].conversions;
        work->declined[c] &= ~parts;
        for (int k = 0; k < atomic_load(&all->count); k++)
            all->items[k]->declined = false;
    }
}

void work_end(struct work *work)
{
    if (!work_busy(work)) return;
    progress_cancel(&work->job.progress);
    job_join(&work->job);
    work->task = (struct task){0};
}
