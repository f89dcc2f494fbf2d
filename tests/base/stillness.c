/* Nothing is drawn during a timed stretch, unless both sides learn of it. No test depends on durations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "kernels/timing/bench.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/timing.h"

/* A worker that repeats each stretch until it was quiet, and drawers that ask all the time. */
enum { STRETCHES = 300, TAKES = 4 * STRETCHES, DRAWERS = 3 };

struct stage {
    struct job job;
    atomic_int current;         /* the take that is being timed, from 1; 0: none */
    atomic_bool touched[TAKES]; /* something was drawn in it */
    bool quiet[TAKES];          /* what the worker was told */
    int takes;
    atomic_int drawn, refused;
    atomic_int ready; /* number of running drawers */
};

static enum status time_stretches(void *argument, struct progress *progress, struct error *error)
{
    struct stage *stage = argument;
    while (atomic_load(&stage->ready) < DRAWERS)
        sched_yield();
    for (int k = 0; k < STRETCHES; k++) {
        bool quiet = false;
        for (int retake = 0; retake < 4 && !quiet; retake++) {
            int take = stage->takes++;
            progress_quiet_begin(progress);
            atomic_store(&stage->current, take + 1);
            for (int turn = 0; turn < 10; turn++)
                sched_yield();
            atomic_store(&stage->current, 0);
            quiet = stage->quiet[take] = progress_quiet_end(progress);
        }
    }
    /* On a busy machine no drawer may have had a processor yet. */
    const double end = clock_seconds() + 60;
    while (atomic_load(&stage->drawn) == 0 && clock_seconds() < end) {
        progress_quiet_begin(progress);
        sched_yield();
        progress_quiet_end(progress);
    }
    return STATUS_OK;
}

struct drawer {
    struct stage *stage;
    bool insists;
    pthread_t thread;
};

static void touch(struct stage *stage)
{
    int take = atomic_load(&stage->current);
    if (take > 0) atomic_store(&stage->touched[take - 1], true);
}

static void *draw_all_the_time(void *argument)
{
    const struct drawer *drawer = argument;
    struct stage *stage = drawer->stage;
    struct progress *progress = &stage->job.progress;
    atomic_fetch_add(&stage->ready, 1);
    while (!job_finished(&stage->job)) {
        if (!progress_may_draw(progress, drawer->insists ? 1e-5 : 60, drawer->insists)) {
            atomic_fetch_add(&stage->refused, 1);
            continue;
        }
        touch(stage);
        sched_yield();
        touch(stage);
        atomic_fetch_add(&stage->drawn, 1);
        progress_drawn(progress);
    }
    return NULL;
}

/* `insisting` drawers draw without waiting for the end of a stretch. */
static void play(int insisting)
{
    struct stage *stage = calloc(1, sizeof *stage);
    struct drawer drawers[DRAWERS];
    assert_non_null(stage);
    assert_int_equal(job_start(&stage->job, time_stretches, stage, NULL), STATUS_OK);
    for (int k = 0; k < DRAWERS; k++) {
        drawers[k] = (struct drawer){.stage = stage, .insists = k < insisting};
        assert_int_equal(pthread_create(&drawers[k].thread, NULL, draw_all_the_time, &drawers[k]), 0);
    }
    while (!job_wait(&stage->job, 60))
        ;
    for (int k = 0; k < DRAWERS; k++)
        pthread_join(drawers[k].thread, NULL);
    assert_int_equal(job_join(&stage->job), STATUS_OK);
    assert_in_range(stage->takes, STRETCHES, TAKES);
    assert_true(atomic_load(&stage->drawn) > 0);
    for (int k = 0; k < stage->takes; k++)
        assert_false(atomic_load(&stage->touched[k]) && stage->quiet[k]);
    free(stage);
}

static void drawers_that_wait_draw_between_stretches(void **state)
{
    play(0);
}

static void drawers_that_insist_are_noticed(void **state)
{
    play(1);
    play(DRAWERS);
}

/* Both sides in one thread: a side that waits for the other continues after its time limit. */
static void nobody_waits_for_ever(void **state)
{
    struct stillness still;
    assert_true(stillness_open(&still));
    assert_true(stillness_ask(&still, 60, false)); /* nothing is timed */
    stillness_drawn(&still);
    stillness_begin(&still);
    assert_false(stillness_ask(&still, 0, false));
    assert_true(stillness_end(&still));
    stillness_begin(&still);
    assert_true(stillness_ask(&still, 0, true));
    assert_false(stillness_end(&still));
    stillness_begin(&still); /* while the drawer still draws */
    assert_false(stillness_end(&still));
    stillness_drawn(&still);
    stillness_begin(&still);
    assert_true(stillness_end(&still));
    assert_false(stillness_wait(&still, 0));
    stillness_over(&still);
    assert_true(stillness_wait(&still, 60));
    stillness_close(&still);
}

/* A drawer that waits for the end of a stretch. `granted` is then the number of further drawers that may draw
 * before the next one. */
struct waiter {
    struct stillness *still;
    int granted;
};

static void *wait_and_draw(void *argument)
{
    struct waiter *waiter = argument;
    if (!stillness_ask(waiter->still, 60, false)) return NULL;
    pthread_mutex_lock(&waiter->still->lock);
    waiter->granted = waiter->still->granted;
    pthread_mutex_unlock(&waiter->still->lock);
    stillness_drawn(waiter->still);
    return NULL;
}

/* Each waiting drawer draws once before the next stretch; other drawers wait. */
static void those_who_wait_are_let_in_once(void **state)
{
    struct stillness still;
    struct waiter waiter = {.still = &still, .granted = -1};
    pthread_t thread;
    int waiting = 0;
    assert_true(stillness_open(&still));
    stillness_begin(&still);
    assert_int_equal(pthread_create(&thread, NULL, wait_and_draw, &waiter), 0);
    while (!waiting) {
        pthread_mutex_lock(&still.lock);
        waiting = still.waiting;
        pthread_mutex_unlock(&still.lock);
        sched_yield();
    }
    /* Between two stretches, without the broadcast at the end of the first. */
    pthread_mutex_lock(&still.lock);
    still.stretch = false;
    pthread_mutex_unlock(&still.lock);
    stillness_begin(&still);
    stillness_end(&still);
    pthread_join(thread, NULL);
    assert_int_equal(waiter.granted, 0);
    stillness_close(&still);
}

/* Without a drawer no stretch is disturbed. A phase without timed stretches is not timing. */
static void progress_knows_whether_it_times(void **state)
{
    struct stillness still;
    struct progress alone = {0}, watched = {.stillness = &still};
    assert_true(stillness_open(&still));
    progress_quiet_begin(NULL);
    assert_true(progress_quiet_end(NULL) && progress_may_draw(NULL, 60, false) && !progress_timing(NULL));
    progress_drawn(NULL);
    progress_quiet_begin(&alone);
    assert_true(progress_may_draw(&alone, 60, false));
    progress_drawn(&alone);
    assert_true(progress_quiet_end(&alone));
    progress_quiet_begin(&watched);
    assert_true(progress_timing(&watched));
    assert_true(progress_quiet_end(&watched));
    assert_true(progress_timing(&watched));
    progress_phase(&watched, "checking", 0);
    assert_false(progress_timing(&watched));
    assert_true(progress_may_draw(&watched, 0, false));
    progress_drawn(&watched);
    progress_quiet_begin(&watched); /* a drawing that ended earlier does not disturb the stretch */
    assert_false(progress_may_draw(&watched, 0, false));
    assert_true(progress_quiet_end(&watched));
    progress_quiet_begin(&watched);
    assert_true(progress_may_draw(&watched, 0, true));
    progress_drawn(&watched);
    assert_false(progress_quiet_end(&watched));
    stillness_close(&still);
}

/* A kernel that draws in `draws` of its products, from number `from` on. */
static struct stillness *drawn_on;
static int runs, from, draws;
static bool inside; /* every timed product so far ran within a stretch */

static void run_drawn(const struct launch *launch)
{
    runs++;
    kernel_cpu_csr_seq.run(launch);
    if (runs < from || draws == 0) return;
    inside = inside && drawn_on->stretch;
    if (!stillness_ask(drawn_on, 0, true)) return;
    stillness_drawn(drawn_on);
    draws--;
}

/* One product is checked, then samples are taken, then one is checked again. */
static void disturbed_samples_are_taken_again(void **state)
{
    static const struct {
        int draws, takes;
    } cases[] = {{0, 6}, {1, 7}, {3, 9}, {4, 9}, {6, 11}, {1000, 24}};
    struct csr a = support_matrix(40, 40, 0.2, false, false, 3);
    struct kernel drawn = kernel_cpu_csr_seq;
    struct stillness still;
    struct progress progress = {.stillness = &still};
    drawn.run = run_drawn;
    drawn_on = &still;
    assert_true(stillness_open(&still));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct result result = {.choice = preparing_choice(&drawn, "", PRECISION_F64, 1)};
        struct bench_options options = {.repeat = 6, .warmup = -1, .min_seconds = 1e-9, .cold = true};
        struct machines machines = {0};
        runs = 0;
        from = 2;
        draws = cases[k].draws;
        inside = true;
        assert_int_equal(timing_bench(&a, &result, 1, &options, &machines, &progress, NULL), STATUS_OK);
        assert_int_equal(result.status, STATUS_OK);
        assert_int_equal(result.samples.count, 6);
        /* the last product is not timed, so that drawing does not disturb it */
        assert_int_equal(runs, 1 + cases[k].takes + 1);
        assert_true(inside || draws > 0);
    }
    stillness_close(&still);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_for_ever),
        cmocka_unit_test(those_who_wait_are_let_in_once),
        cmocka_unit_test(progress_knows_whether_it_times),
        cmocka_unit_test(disturbed_samples_are_taken_again),
        cmocka_unit_test(drawers_that_wait_draw_between_stretches),
        cmocka_unit_test(drawers_that_insist_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
