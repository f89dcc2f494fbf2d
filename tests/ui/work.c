/* The background work: its order, and its reaction to cancellation and failure. */
#include <sched.h>

#include "base/memory.h"
#include "support/storing.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/work.h"

static struct session session;

static int load(void **state)
{
    static const struct load_options options;
    if (session_load(&session, "gen:laplace2d,n=8", &options, NULL, NULL) != STATUS_OK) return -1;
    return conversions_want_all(&session.shown->conversions, PRECISION_F64, NULL) == STATUS_OK ? 0 : -1;
}

static int unload(void **state)
{
    session_free(&session);
    return 0;
}

static void work_through(struct work *work, unsigned needed)
{
    do {
        work_step(work, needed);
        sched_yield();
    } while (work_busy(work));
}

TEST_BETWEEN(load, unload, work_computes_everything_in_the_end)
{
    FREED(work_end) struct work work = {.session = &session};
    assert_false(session_has(&session, SESSION_PYRAMID));
    work_through(&work, SESSION_MATRIX);
    assert_true(session_has(&session, ALL_PARTS));
    assert_int_equal(work.declined[0], 0);
    assert_false(work_step(&work, ALL_PARTS));
    assert_int_equal(work.task.part, 0);
}

/* Each storage whose forecasts are published changes the screens, while the errand that makes them
 * continues. */
TEST_BETWEEN(load, unload, forecasts_are_seen_as_they_come)
{
    FREED(work_end) struct work work = {.session = &session};
    struct foresight *foresight = &session.shown->foresight[PRECISION_F32];
    work_through(&work, ALL_PARTS);
    const int before = foresight_count(foresight);
    assert_false(work_step(&work, ALL_PARTS));
    atomic_store(&foresight->count, before + 1);
    assert_true(work_step(&work, ALL_PARTS));
    assert_false(work_step(&work, ALL_PARTS));
    atomic_store(&foresight->count, before);
}

static struct matrix_case *add_order(const char *name)
{
    struct order_choice choice;
    assert_int_equal(order_choice_read(name, &choice, NULL), STATUS_OK);
    assert_int_equal(session_reorder(&session, &choice, NULL, NULL), STATUS_OK);
    order_choice_free(&choice);
    return &session.cases[session.case_count - 1];
}

/* Parts for a second picture are needed like those of the first one. All other parts of other cases come
 * last, and parts that the user cancelled for one case are computed for others. */
TEST_BETWEEN(load, unload, other_orders_come_after_what_is_shown)
{
    struct matrix_case *other = add_order("rcm"), *third = add_order("length");
    struct work work = {.session = &session, .beside = other};
    work_step(&work, SESSION_STRUCTURE);
    assert_ptr_equal(work.task.of, session.shown);
    assert_int_equal(work.task.part, SESSION_STRUCTURE);
    while (!job_finished(&work.job))
        sched_yield();
    work_step(&work, SESSION_STRUCTURE);
    assert_ptr_equal(work.task.of, other);
    assert_int_equal(work.task.part, SESSION_STRUCTURE);
    while (!job_finished(&work.job))
        sched_yield();
    work_step(&work, SESSION_STRUCTURE);
    assert_ptr_equal(work.task.of, session.shown);
    work_end(&work);
    work.declined[1] = SESSION_PYRAMID | SESSION_TILES;
    session.shown = third;
    work_through(&work, SESSION_MATRIX);
    assert_true(case_has(third, ALL_PARTS) && case_has(&session.cases[0], ALL_PARTS));
    assert_true(case_has(other, ALL_PARTS & ~(unsigned)(SESSION_PYRAMID | SESSION_TILES)));
    assert_false(case_has(other, SESSION_PYRAMID));
    session.shown = other;
    assert_int_equal(work_declined(&work), SESSION_PYRAMID | SESSION_TILES);
    work_retry(&work, ~0u);
    work_through(&work, SESSION_MATRIX);
    assert_true(case_has(other, ALL_PARTS));
    work_end(&work);
}

TEST_BETWEEN(load, unload, needed_parts_come_first)
{
    struct work work = {.session = &session};
    work_step(&work, SESSION_STRUCTURE);
    assert_int_equal(work.task.part, SESSION_STRUCTURE);
    work_end(&work);
    assert_int_equal(work.task.part, 0);
}

TEST_BETWEEN(load, unload, cancelled_work_waits_to_be_asked_for)
{
    FREED(work_end)
    struct work work = {.session = &session, .declined = {SESSION_STRUCTURE | SESSION_COL_LENGTHS}};
    work_through(&work, SESSION_STRUCTURE);
    assert_true(session_has(&session, SESSION_ROW_LENGTHS | SESSION_PYRAMID));
    assert_false(session_has(&session, SESSION_STRUCTURE));
    work_retry(&work, SESSION_STRUCTURE);
    work_through(&work, SESSION_STRUCTURE);
    assert_true(session_has(&session, SESSION_STRUCTURE));
    assert_false(session_has(&session, SESSION_COL_LENGTHS));
    work_step(&work, 0);
    work_retry(&work, SESSION_COL_LENGTHS);
    work_step(&work, 0);
    assert_int_equal(work.task.part, SESSION_COL_LENGTHS);
    work_cancel(&work);
    assert_true(work.declined[0] & SESSION_COL_LENGTHS);
}

TEST_BETWEEN(load, unload, work_that_fails_says_why)
{
    struct work work = {.session = &session, .declined = {~(unsigned)SESSION_PYRAMID}};
    memory_fail_after(0);
    work_through(&work, SESSION_PYRAMID);
    memory_fail_after(-1);
    assert_false(session_has(&session, SESSION_PYRAMID));
    assert_true(work.declined[0] & SESSION_PYRAMID);
    assert_int_equal(work.failure.status, STATUS_MEMORY);
    work_retry(&work, SESSION_PYRAMID);
    work_through(&work, SESSION_PYRAMID);
    assert_true(session_has(&session, SESSION_PYRAMID));
}

static struct conversion *want(const char *format, const char *parameters)
{
    struct conversion *conversion =
        storing_want(&session.shown->conversions, format_find(format), parameters, PRECISION_F64, NULL);
    assert_non_null(conversion);
    return conversion;
}

/* After the needs of the screen, and before all else, the shown conversions; others are only planned. */
TEST_BETWEEN(load, unload, conversions_are_built_if_they_are_shown)
{
    struct conversion *csr = want("csr", ""), *ell = want("ell", ""), *coo = want("coo", "");
    struct conversions_shown shown = {.items = {csr, ell}, .count = 2};
    FREED(work_end) struct work work = {.session = &session, .shown = &shown};
    csr->keep = true;
    work_step(&work, SESSION_STRUCTURE);
    assert_int_equal(work.task.part, SESSION_STRUCTURE);
    while (work.task.part == SESSION_STRUCTURE)
        work_step(&work, SESSION_STRUCTURE);
    assert_ptr_equal(work.task.conversion, csr);
    assert_true(work.task.build);
    work_through(&work, SESSION_STRUCTURE);
    assert_true(session_has(&session, ALL_PARTS));
    assert_int_equal(conversion_state(csr), CONVERSION_BUILT);
    assert_int_equal(conversion_state(ell), CONVERSION_PLANNED);
    assert_int_equal(conversion_state(coo), CONVERSION_PLANNED);
    struct conversion *sell = want("sell", ""); /* asked for when all else is done */
    work_through(&work, 0);
    assert_int_equal(conversion_state(sell), CONVERSION_PLANNED);
    ell->keep = true;
    work_through(&work, 0);
    assert_int_equal(conversion_state(ell), CONVERSION_BUILT);
}

TEST_BETWEEN(load, unload, cancelled_conversions_wait_to_be_asked_for)
{
    struct conversion *csr = want("csr", "");
    struct conversions_shown shown = {.items = {csr}, .count = 1};
    FREED(work_end) struct work work = {.session = &session, .shown = &shown, .declined = {~0u}};
    csr->keep = true;
    work_step(&work, 0);
    assert_ptr_equal(work.task.conversion, csr);
    work_cancel(&work);
    assert_true(csr->declined);
    work_through(&work, 0);
    if (conversion_state(csr) != CONVERSION_BUILT) { /* unless it finished before the request */
        assert_false(work_step(&work, 0));
        assert_false(work_busy(&work));
        work_retry(&work, 0);
        work_through(&work, 0);
    }
    assert_int_equal(conversion_state(csr), CONVERSION_BUILT);
    assert_int_equal(work.failures, 0);
}

/* A conversion that is shown no more is stopped, and dropped since no report lists it. */
TEST_BETWEEN(load, unload, hidden_cases_give_way)
{
    struct conversion *first = want("hyb", "k=1"), *second = want("hyb", "k=2");
    struct conversions_shown shown = {.items = {first}, .count = 1};
    FREED(work_end) struct work work = {.session = &session, .shown = &shown, .declined = {~0u}};
    first->keep = second->keep = true;
    work_step(&work, 0);
    assert_ptr_equal(work.task.conversion, first);
    shown.items[0] = second;
    work_step(&work, 0);
    assert_true(work.task.conversion == second || progress_cancelled(&work.job.progress));
    work_through(&work, 0);
    assert_int_equal(conversion_state(second), CONVERSION_BUILT);
}

/* Planning that lasts until it is cancelled. */
static enum status linger_plan(struct storage *storage, const struct csr *a, struct progress *progress,
                               struct error *error)
{
    while (!progress_cancelled(progress))
        continue;
    return progress_status(progress, error);
}

/* Nothing is shown instead: it is stopped, and may be requested again. */
TEST_BETWEEN(load, unload, unused_builds_are_stopped)
{
    struct format slow = *format_find("csr");
    slow.plan = linger_plan;
    struct conversion *conversion = storing_want(&session.shown->conversions, &slow, "", PRECISION_F64, NULL);
    assert_non_null(conversion);
    struct conversions_shown shown = {.items = {conversion}, .count = 1};
    struct work work = {.session = &session, .shown = &shown, .declined = {~0u}};
    conversion->keep = true;
    work_step(&work, 0);
    assert_ptr_equal(work.task.conversion, conversion);
    work_step(&work, 0);
    assert_false(progress_cancelled(&work.job.progress));
    shown.count = 0;
    work_step(&work, 0);
    assert_true(work.task.conversion != conversion || progress_cancelled(&work.job.progress));
    assert_false(conversion->declined);
    work_end(&work);
    conversions_free(&session.shown->conversions); /* its format is on the stack */
}

/* Work that lasts until it is cancelled. */
static enum status linger(void *argument, struct progress *progress, struct error *error)
{
    while (!progress_cancelled(progress))
        continue;
    return progress_status(progress, error);
}

static enum status hurry(void *argument, struct progress *progress, struct error *error)
{
    return STATUS_OK;
}

/* The same, reporting its start. */
static enum status linger_begun(void *argument, struct progress *progress, struct error *error)
{
    atomic_store((atomic_bool *)argument, true);
    return linger(NULL, progress, error);
}

/* The first forecasts, from which advice is made, come before the values. As soon as they are there, their
 * task gives way to the other parts, but not before. */
TEST_BETWEEN(load, unload, first_forecasts_come_early)
{
    struct work work = {.session = &session};
    struct foresight *foresight = &session.shown->foresight[PRECISION_F64];
    while (!session_has(&session, SESSION_VALUES)) {
        work_step(&work, SESSION_MATRIX);
        sched_yield();
    }
    const int count = foresight_count(foresight);
    assert_true(count > 0);
    work_end(&work);
    atomic_bool begun = false;
    struct errand slow = {.run = linger_begun, .argument = &begun, .state = ERRAND_WANTED};
    work = (struct work){.session = &session, .errand = &slow};
    work_step(&work, 0);
    while (!atomic_load(&begun))
        sched_yield();
    work.errand = NULL;
    work.task = (struct task){.part = SESSION_FORESIGHT, .of = session.shown};
    const unsigned ready = atomic_fetch_and(&session.shown->ready, ~(unsigned)SESSION_VALUES);
    atomic_store(&foresight->count, 0);
    work_step(&work, 0);
    assert_false(progress_cancelled(&work.job.progress));
    atomic_store(&foresight->count, count);
    work_step(&work, 0);
    assert_true(work.task.part != SESSION_FORESIGHT || progress_cancelled(&work.job.progress));
    work_end(&work);
    atomic_store(&session.shown->ready, ready);
}

/* The stopped errand is wanted again. */
TEST_BETWEEN(load, unload, an_errand_gives_way_to_another)
{
    struct errand slow = {.run = linger, .state = ERRAND_WANTED},
                  quick = {.run = hurry, .state = ERRAND_WANTED};
    FREED(work_end) struct work work = {.session = &session, .errand = &slow, .declined = {~0u}};
    work_step(&work, 0);
    assert_int_equal(slow.state, ERRAND_RUNNING);
    work_step(&work, 0);
    assert_false(progress_cancelled(&work.job.progress));
    work.errand = &quick;
    while (quick.state != ERRAND_DONE)
        work_step(&work, 0);
    assert_int_equal(slow.state, ERRAND_WANTED);
    assert_false(slow.declined);
}

/* An errand of this kind is stopped neither for a needed part nor for another errand, but only if it is no
 * longer wanted. */
TEST_BETWEEN(load, unload, an_errand_that_is_alone_gives_way_to_nothing)
{
    struct errand alone = {.run = linger, .state = ERRAND_WANTED, .alone = true},
                  quick = {.run = hurry, .state = ERRAND_WANTED};
    FREED(work_end) struct work work = {.session = &session, .errand = &alone, .declined = {~0u}};
    work_step(&work, 0);
    assert_int_equal(alone.state, ERRAND_RUNNING);
    assert_true(work_alone(&work));
    work.declined[0] = ~(unsigned)SESSION_STRUCTURE;
    work_step(&work, SESSION_STRUCTURE);
    assert_false(progress_cancelled(&work.job.progress));
    work.errand = &quick;
    work_step(&work, 0);
    assert_false(progress_cancelled(&work.job.progress));
    alone.unwanted = true;
    work_step(&work, 0);
    assert_true(quick.state != ERRAND_WANTED || progress_cancelled(&work.job.progress));
}

/* A patient errand waits for the forecasts of the shown case, unless they were declined; another one comes
 * before them. */
TEST_BETWEEN(load, unload, a_patient_errand_waits_for_forecasts)
{
    struct errand patient = {.run = hurry, .state = ERRAND_WANTED, .patient = true},
                  quick = {.run = hurry, .state = ERRAND_WANTED};
    struct work work = {.session = &session, .errand = &patient};
    while (patient.state != ERRAND_DONE)
        work_step(&work, SESSION_MATRIX);
    assert_true(session_has(&session, SESSION_FORESIGHT));
    work_end(&work);
    unload(NULL);
    assert_int_equal(load(NULL), 0);
    work = (struct work){.session = &session, .errand = &quick};
    while (quick.state != ERRAND_DONE)
        work_step(&work, SESSION_MATRIX);
    assert_false(session_has(&session, SESSION_FORESIGHT));
    work_end(&work);
    patient.state = ERRAND_WANTED;
    work = (struct work){.session = &session, .errand = &patient, .declined = {~0u}};
    while (patient.state != ERRAND_DONE)
        work_step(&work, SESSION_MATRIX);
    assert_false(session_has(&session, SESSION_FORESIGHT));
    work_end(&work);
}

/* Each view reports the memory that it holds. */
TEST_BETWEEN(load, unload, views_hold_conversions_beside_each_other)
{
    struct conversion *a = want("csr", ""), *b = want("ell", ""), *c = want("coo", "");
    struct explorer own = {.session = &session};
    const int first = 0, second = 0;
    explorer_hold(&own, &first, (struct conversion *[]){a, b}, 2);
    explorer_hold(&own, &second, &c, 1);
    assert_int_equal(own.shown.count, 3);
    assert_true(own.shown.items[0] == c && own.shown.items[1] == a && own.shown.items[2] == b);
    explorer_hold(&own, &first, &b, 1);
    assert_int_equal(own.shown.count, 2);
    assert_true(own.shown.items[0] == b && own.shown.items[1] == c);
    explorer_hold(&own, &second, NULL, 0);
    assert_int_equal(own.shown.count, 1);
    assert_ptr_equal(own.shown.items[0], b);
}
