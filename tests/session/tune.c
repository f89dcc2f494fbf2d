/* Tuning on a matrix: its results, with forecasts made for this test. No test depends on real durations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/tune.h"
#include "session/tune_map.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/unit.h"

/* so low that measuring the machine is short */
#define LIMIT ((size_t)8 << 20)

static void load(struct session *session)
{
    const struct load_options options = {.limit = LIMIT};
    assert_int_equal(session_load(session, "gen:laplace2d,n=10", &options, NULL, NULL), STATUS_OK);
}

static void want(struct results *results, const char *name)
{
    FREED(kernel_list_free) struct kernel_list list = {0};
    assert_int_equal(kernel_list_add(&list, name, NULL), STATUS_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(results_want(results, &list.choices[0], NULL), STATUS_OK);
}

static enum status tune(struct session *session, struct results *results, enum tune_how how,
                        double (*forecast)(const struct result *, bool))
{
    const struct bench_options timing = {.repeat = 1, .min_seconds = 1e-9, .limit = LIMIT};
    const struct tune_options options = {.how = how, .timing = &timing, .forecast = forecast};
    return session_tune(session, session->shown, results, &options, NULL, NULL);
}

static int count_best(const struct results *results)
{
    int count = 0;
    for (int k = 0; k < results->count; k++)
        count += results->items[k].tuned.best;
    return count;
}

TEST(all_variants_are_results)
{
    FREED(session_free) struct session session;
    FREED(results_free) struct results results = {0};
    load(&session);
    want(&results, "cpu/bsr-seq");
    want(&results, "cpu/csr-seq");
    assert_int_equal(tune(&session, &results, TUNE_ALL, NULL), STATUS_OK);
    assert_int_equal(results.count, 2 + 6); /* CSR, and BSR in seven sizes, one of which is its default */
    const struct result *fastest = NULL;
    for (int k = 0; k < results.count; k++) {
        const struct result *result = &results.items[k];
        assert_true(result_timed(result));
        if (k == 1) {
            assert_int_equal(result->tuned.space, 0);
            continue;
        }
        assert_int_equal(result->tuned.space, 7);
        assert_int_equal(result->tuned.runs, 7);
        assert_int_equal(result->tuned.search_runs, 7);
        assert_true(result->tuned.search_loss == 0);
        assert_false(result->tuned.forecast);
        assert_true(result->tuned.speedup == results.items[0].samples.time / result->samples.time);
        if (!fastest || result->samples.time < fastest->samples.time) fastest = result;
    }
    assert_true(fastest && fastest->tuned.best);
    assert_int_equal(count_best(&results), 1);
}

TEST(a_search_runs_few_variants)
{
    FREED(session_free) struct session session;
    FREED(results_free) struct results results = {0};
    load(&session);
    want(&results, "cpu/cmrs-seq");
    assert_int_equal(tune(&session, &results, TUNE_FORECAST, NULL), STATUS_OK);
    assert_int_equal(results.count, TUNING_RUNS_MIN);
    for (int k = 0; k < results.count; k++) {
        assert_int_equal(results.items[k].tuned.space, 64);
        assert_int_equal(results.items[k].tuned.runs, TUNING_RUNS_MIN);
        assert_int_equal(results.items[k].tuned.search_runs, 0);
    }
    assert_int_equal(count_best(&results), 1);
    assert_true(results.items[0].tuned.speedup == 1);
    struct tune_map map;
    const struct result *first;
    assert_int_equal(tune_map_firsts(&results, &first, 1), 1);
    tune_map_make(&map, &results, first);
    assert_true(map.best->tuned.best);
    assert_true(map.axis_count >= 1);
}

/* Low strips with packed columns are the fastest. */
static double by_height(const struct result *result, bool cold)
{
    const double *values = result->resolved.format.values.number;
    return 1e-6 * (1 + fabs(values[0] - 3) + (values[1] ? 0 : 0.5) + (cold ? 100 : 0));
}

TEST(unavailable_kernels_are_tuned_by_forecasts)
{
    FREED(session_free) struct session session;
    FREED(results_free) struct results results = {0};
    if (backend_check(&backend_cuda, NULL) == STATUS_OK) skip();
    load(&session);
    want(&results, "cuda/cmrs");
    assert_int_equal(tune(&session, &results, TUNE_FORECAST, by_height), STATUS_OK);
    assert_int_equal(results.count, 1 + 77);
    const struct result *base = &results.items[0], *best = NULL;
    for (int k = 0; k < results.count; k++) {
        const struct result *result = &results.items[k];
        assert_int_equal(result->status, STATUS_UNAVAILABLE);
        assert_true(result->tuned.forecast);
        assert_int_equal(result->tuned.space, 768);
        assert_int_equal(result->tuned.runs, 768);
        if (result->tuned.best) best = result;
    }
    assert_non_null(best);
    assert_true(best->choice.format.values.number[0] == 3 && best->choice.format.values.number[1] == 1);
    assert_true(fabs(best->tuned.speedup - 6.5) < 1e-12 && base->tuned.speedup == 1);
    /* the map has the same variants */
    struct tune_map map;
    tune_map_make(&map, &results, base);
    assert_ptr_equal(map.best, best);
    assert_true(fabs(tune_map_ratio(&map, base) - 6.5) < 1e-12);
    assert_int_equal(tune_map_level(&map, best, 16), 15);
    assert_int_equal(tune_map_level(&map, base, 16), 0);
}

static double nothing(const struct result *result, bool cold)
{
    return NAN;
}

TEST(without_a_forecast_it_is_left_as_it_is)
{
    FREED(session_free) struct session session;
    FREED(results_free) struct results results = {0};
    if (backend_check(&backend_cuda, NULL) == STATUS_OK) skip();
    load(&session);
    want(&results, "cuda/csr-vector");
    for (int how = TUNE_FORECAST; how <= TUNE_ALL; how++) {
        assert_int_equal(tune(&session, &results, (enum tune_how)how, nothing), STATUS_OK);
        assert_int_equal(results.count, 1);
        assert_int_equal(results.items[0].tuned.space, 0);
    }
}

TEST(tuning_can_be_cancelled)
{
    FREED(session_free) struct session session;
    FREED(results_free) struct results results = {0};
    struct progress progress = {0};
    const struct bench_options timing = {.limit = LIMIT};
    const struct tune_options options = {.how = TUNE_FORECAST, .timing = &timing};
    load(&session);
    want(&results, "cpu/cmrs-seq");
    progress_cancel(&progress);
    assert_int_equal(session_tune(&session, session.shown, &results, &options, &progress, NULL),
                     STATUS_CANCELLED);
}

/* A 2 x 3 grid of variants with times made by hand: T = 1, 2, 4 over c, and sigma adds a half. */
TEST(maps_take_the_best_of_the_others)
{
    struct result items[6] = {0};
    struct results results = {.items = items, .count = 5}; /* the last point of the grid was not run */
    static const char *const parameters[] = {"c=8",           "c=16",           "c=32",
                                             "c=8,sigma=128", "c=16,sigma=128", "c=32,sigma=128"};
    static const double times[] = {1e-6, 2e-6, 4e-6, 1.5e-6, 1e-5, 1};
    struct tune_map map;
    const struct result *firsts[2];
    for (int k = 0; k < 6; k++) {
        items[k].choice = items[k].resolved =
            preparing_choice(&kernel_cpu_sell_omp, parameters[k], PRECISION_F64, 2);
        items[k].samples = (struct samples){.count = 9, .time = times[k]};
        items[k].tuned = (struct tuned){.space = 6, .runs = 5};
    }
    assert_int_equal(tune_map_firsts(&results, firsts, 2), 1);
    tune_map_make(&map, &results, firsts[0]);
    assert_int_equal(map.axis_count, 2);
    assert_string_equal(map.axes[0].parameter->name, "c");
    assert_int_equal(map.axes[0].count, 3);
    assert_string_equal(map.axes[1].parameter->name, "sigma");
    assert_ptr_equal(map.best, &items[0]);
    assert_ptr_equal(tune_map_at(&map, 0, 1, 1, 1), &items[4]);
    assert_null(tune_map_at(&map, 0, 2, 1, 1));
    assert_ptr_equal(tune_map_at(&map, 0, 1, 1, -1), &items[1]);
    assert_true(fabs(tune_map_ratio(&map, &items[2]) - 4) < 1e-12);
    assert_int_equal(tune_map_level(&map, &items[0], 16), 15);
    assert_int_equal(tune_map_level(&map, &items[4], 16), 0);
    assert_int_equal(tune_map_level(&map, NULL, 16), -1);
    assert_int_equal(tune_map_value(&map, 0, &items[2]), 2);
    items[1].choice.threads = 1; /* another number of threads is another map */
    assert_int_equal(tune_map_firsts(&results, firsts, 2), 2);
}
