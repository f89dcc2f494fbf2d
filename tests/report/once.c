/* A report converts a matrix to each choice of a format once, however many kernels, estimates and rows need
 * it. Conversions are counted where they are made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/csr.h"
#include "support/report.h"

static struct {
    char name[CHOICE_NAME];
    enum precision precision;
    int count;
} built[256];
static int built_count;

enum status __real_storage_build(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error);
enum status __wrap_storage_build(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error);

/* The linker replaces storage_build by this for all callers. */
enum status __wrap_storage_build(struct storage *storage, const struct csr *a, struct progress *progress,
                                 struct error *error)
{
    char name[CHOICE_NAME];
    int k = 0;
    storage_name(storage, name, sizeof name);
    while (k < built_count && (strcmp(built[k].name, name) != 0 || built[k].precision != storage->precision))
        k++;
    assert_in_range(k, 0, 255);
    if (k == built_count) {
        snprintf(built[k].name, sizeof built[k].name, "%s", name);
        built[k].precision = storage->precision;
        built_count++;
    }
    built[k].count++;
    return __real_storage_build(storage, a, progress, error);
}

static int count_of(const char *name, enum precision precision)
{
    for (int k = 0; k < built_count; k++)
        if (strcmp(built[k].name, name) == 0 && built[k].precision == precision) return built[k].count;
    return 0;
}

static void expect_once(void)
{
    for (int k = 0; k < built_count; k++)
        if (built[k].count != 1)
            fail_msg("%s, %s: converted %d times", built[k].name, precision_name(built[k].precision),
                     built[k].count);
}

static struct report_request request(const char *kernels_wanted, const char *convert, const char *arrays)
{
    struct report_request wanted = request_kernels(kernels_wanted);
    struct error error = {0};
    assert_int_equal(format_list_add(&wanted.convert, convert, NULL), STATUS_OK);
    assert_int_equal(format_list_add(&wanted.arrays, arrays, NULL), STATUS_OK);
    assert_int_equal(thread_counts_read(&wanted.threads, "1,2", NULL), STATUS_OK);
    assert_int_equal(gpu_find("h200", &wanted.gpu, &error), STATUS_OK);
    return wanted;
}

/* Requests of conversions, kernels of the host and estimates, in two precisions and with two numbers of
 * threads, some of them in different words for the same choice. */
static void each_choice_is_converted_once(void **state)
{
    struct report_request wanted = request("all cuda/cmrs:height=4 cmrs-omp:height=4 sell-omp:c=32,sigma=1",
                                           "all cmrs:height=4", "csr sell");
    struct session session;
    built_count = 0;
    load_for_report(&session, "gen:laplace2d,n=6", &wanted);
    expect_once();
    const struct matrix_case *shown = session.shown;
    int converted = 0, estimated = 0, run = 0;
    for (int k = 0; k < atomic_load(&shown->conversions.count); k++) {
        const struct conversion *item = shown->conversions.items[k];
        converted += !isnan(item->seconds);
        if (!isnan(item->seconds)) assert_int_equal(count_of(item->name, item->choice.precision), 1);
        assert_int_equal(item->storage != NULL, item->keep);
    }
    for (int k = 0; k < shown->results.count; k++) {
        const struct result *item = &shown->results.items[k];
        char name[CHOICE_NAME];
        format_choice_name(&item->resolved.format, name, sizeof name);
        run += result_timed(item);
        estimated += results_estimate_of(&shown->results, item) != NULL;
        /* An estimate alone uses an outline, unless the storage exists. */
        if (result_timed(item)) assert_int_equal(count_of(name, item->choice.format.precision), 1);
        assert_true(count_of(name, item->choice.format.precision) <= 1);
        /* The result has the time of the only conversion. */
        const struct conversion *conversion = conversions_find(&shown->conversions, &item->choice.format);
        if (result_timed(item) && conversion && item->choice.kernel->format == &format_csr)
            assert_true(item->convert_seconds >= 0); /* copying CSR is no conversion */
        else if (result_timed(item) && conversion)
            assert_true(item->convert_seconds >= conversion->seconds && conversion->seconds > 0);
    }
    assert_true(converted > 20 && run > 30 && estimated > 20);
    /* Only shown storages are left. */
    for (int k = 0; k < shown->pool.count; k++) {
        assert_int_equal(shown->pool.items[k]->built, shown->pool.items[k]->holders > 0);
        assert_int_equal(shown->pool.items[k]->watchers, 0);
    }
    assert_int_equal(shown->pool.pages.count, 0);
    report_request_free(&wanted);
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_choice_is_converted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
