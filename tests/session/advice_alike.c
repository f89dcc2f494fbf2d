/* Advice compares like with like: measured times with measured ones, forecasts with forecasts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/csr.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/cuda/dia.h"
#include "kernels/cuda/ell.h"
#include "kernels/libraries/backends.h"
#include "session/advice.h"
#include "session/session.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/unit.h"

static const char *name_of(const struct advice *advice, int k)
{
    return advice->candidates[k].result->full_name;
}

/* csr-seq takes 10 us measured and 8 us forecast; ell-seq is forecast with 9 us. Compared with the
 * measurement ell-seq looks faster; by both forecasts it is slower. */
TEST(a_forecast_does_not_beat_a_measurement)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    struct result *csr = advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR);
    advising_time(csr, 10e-6, 0.1e-6, 0);
    advising_forecast(csr, 8e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cpu_ell_seq, 36000), 9e-6, BOUND_DRAM);
    const struct advice *advice = &advising(&session)->items[ADVICE_CPU];
    assert_true(advice->by_measured);
    assert_string_equal(name_of(advice, 0), "cpu/csr-seq");
    assert_int_equal(advice->count, 2);
    assert_int_equal(advice->compared, 1);
    assert_int_equal(advice->candidates[1].break_even, -1);
    assert_says(advice->verdict, "take cpu/csr-seq: 10.0 us per product (measured)");
    /* Forecast faster than csr-seq's forecast, it is advised by forecasts; the measurement is shown beside
     * them. */
    advising_forecast(&results->items[1], 5e-6, BOUND_DRAM);
    advice = &advising(&session)->items[ADVICE_CPU];
    assert_false(advice->by_measured);
    assert_int_equal(advice->compared, 2);
    assert_string_equal(name_of(advice, 0), "cpu/ell-seq");
    assert_float_equal(1e6 * advice->candidates[1].seconds, 8, 1e-5);
    assert_float_equal(1e6 * advice->candidates[1].timed, 10, 1e-5);
    assert_says(advice->verdict,
                "take cpu/ell-seq: 5.00 us per product (forecast; 80% interval 4.55 to 5.50 us)",
                "The fastest measured kernel is cpu/csr-seq: 10.0 us, forecast at 8.00 us.");
    assert_says(advice->reason, "cpu/csr-seq takes 3.00 us longer (1.6 times as long). Of that, 3.00 us is");
    /* Without a forecast of the measured kernel there is nothing to compare it with. */
    results->items[0].predicted[0].there = false;
    advice = &advising(&session)->items[ADVICE_CPU];
    assert_true(advice->by_measured);
    assert_int_equal(advice->compared, 1);
    assert_string_equal(name_of(advice, 0), "cpu/csr-seq");
}

/* ELL was measured slower than SELL, but is forecast faster. Since DIA was not measured, forecasts are
 * compared; still the measurements rule out ELL. */
TEST(refuted_kernels_are_not_advised)
{
    static const struct {
        const struct kernel *kernel;
        double timed, forecast;
    } rows[] = {{&kernel_cpu_csr_seq, 20e-6, 20e-6},
                {&kernel_cpu_ell_seq, 12e-6, 5e-6},
                {&kernel_cpu_sell_seq, 10e-6, 9e-6},
                {&kernel_cpu_dia_seq, 0, 7e-6}};
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    for (int k = 0; k < 4; k++) {
        struct result *result = advising_add(results, rows[k].kernel, 36000);
        advising_forecast(result, rows[k].forecast, BOUND_DRAM);
        if (rows[k].timed > 0) advising_time(result, rows[k].timed, 0.1e-6, 1e-6);
    }
    const struct advices *advices = advising(&session);
    const struct advice *advice = &advices->items[ADVICE_CPU];
    assert_false(advice->by_measured);
    assert_string_equal(name_of(advice, 0), "cpu/dia-seq");
    assert_string_equal(name_of(advice, 1), "cpu/sell-seq");
    assert_string_equal(name_of(advice, 2), "cpu/csr-seq");
    assert_int_equal(advice->compared, 3);
    assert_string_equal(name_of(advice, 3), "cpu/ell-seq");
    assert_float_equal(1e6 * advice->candidates[3].seconds, 12, 1e-5);
    assert_says(advice->verdict,
                "The fastest measured kernel is cpu/sell-seq: 10.0 us, forecast at 9.00 us.");
    /* If ELL is measured as fast as forecast, it is advised. */
    advising_time(&results->items[1], 5e-6, 0.1e-6, 1e-6);
    advices = advising(&session);
    assert_true(advices->items[ADVICE_CPU].by_measured);
    assert_string_equal(name_of(&advices->items[ADVICE_CPU], 0), "cpu/ell-seq");
}

/* Only the natural order was measured: both forecasts are compared, and the measurement is shown beside
 * them. */
TEST(orders_are_compared_by_times_of_one_kind)
{
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    struct matrix_case *reordered = advising_reorder(&session);
    struct result *here = advising_add(&session.shown->results, &kernel_cpu_csr_seq, ADVISING_CSR);
    struct result *there = advising_add(&reordered->results, &kernel_cpu_csr_seq, ADVISING_CSR);
    advising_time(here, 10e-6, 0.1e-6, 0);
    advising_forecast(there, 8e-6, BOUND_DRAM);
    const struct advices *advices = advising(&session);
    const struct advice_order *order = &advices->items[ADVICE_CPU].orders[0];
    assert_int_equal(advices->items[ADVICE_CPU].order_count, 1);
    assert_true(isnan(order->saved) && isnan(order->here));
    assert_int_equal(order->break_even, -1);
    assert_says(advices->items[ADVICE_CPU].change, "Other orders cannot be compared");
    advising_forecast(here, 7.5e-6, BOUND_DRAM);
    order = &advising(&session)->items[ADVICE_CPU].orders[0];
    assert_true(advices->items[ADVICE_CPU].by_measured && !order->measured);
    assert_float_equal(1e6 * order->seconds, 8, 1e-5);
    assert_float_equal(1e6 * order->here, 7.5, 1e-5);
    assert_float_equal(1e6 * order->timed_here, 10, 1e-5);
    assert_true(isnan(order->timed));
    assert_float_equal(order->saved, 1 - 8 / 7.5, 1e-6);
    assert_says(advices->items[ADVICE_CPU].change,
                "This order is the fastest compared: rcm takes 7% longer (cpu/csr-seq, forecast).");
    advising_forecast(there, 7.6e-6, BOUND_DRAM);
    advising(&session);
    assert_says(advices->items[ADVICE_CPU].change, "No reordering speeds it up by 5% or more.");
    /* Both were measured: forecasts no longer count. */
    advising_time(there, 6e-6, 0.1e-6, 0);
    order = &advising(&session)->items[ADVICE_CPU].orders[0];
    assert_true(order->measured);
    assert_float_equal(order->saved, 0.4, 1e-6);
}

TEST(precisions_are_compared_by_times_of_one_kind)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR);
    struct result *single = advising_add_in(results, &kernel_cpu_csr_seq, PRECISION_F32, 28000);
    advising_time(&results->items[0], 10e-6, 0.1e-6, 0);
    advising_forecast(single, 4e-6, BOUND_DRAM);
    const struct advices *advices = advising(&session);
    assert_true(isnan(advices->items[ADVICE_CPU].other_precision.seconds));
    assert_lacks(advices->items[ADVICE_CPU].change, "precision");
    advising_forecast(&results->items[0], 7e-6, BOUND_DRAM);
    advices = advising(&session);
    assert_float_equal(1e6 * advices->items[ADVICE_CPU].other_precision.here, 7, 1e-5);
    assert_says(advices->items[ADVICE_CPU].change,
                "In single precision a product takes 4.00 us instead of 7.00 us (both forecast).");
    advising_time(&results->items[1], 5e-6, 0.1e-6, 0);
    advices = advising(&session);
    assert_says(advices->items[ADVICE_CPU].change,
                "In single precision a product takes 5.00 us instead of 10.0 us (both measured).");
}

/* A forecast for an H100 counts neither for an H200 nor for a kernel that was measured on an A100. */
TEST(machines_are_not_mixed)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    struct result *result = advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR);
    advising_forecast(result, 3e-6, BOUND_DRAM);
    snprintf(result->predicted[0].machine, sizeof result->predicted[0].machine, "h100");
    const struct advices *advices = advising(&session);
    assert_false(advices->items[ADVICE_GPU].there);
    advising_time(result, 4e-6, 0, 0);
    results->machines.devices = 1;
    results->machines.device[0].type = kernel_cuda_csr_vector.backend->devices;
    snprintf(results->machines.device[0].name, sizeof results->machines.device[0].name, "NVIDIA A100 SXM");
    for (int same = 0; same < 2; same++) {
        const struct advice *advice = &advising(&session)->items[ADVICE_OTHER_GPU];
        assert_true(advice->there && !advices->items[ADVICE_GPU].there);
        assert_int_equal(advice->candidates[0].prediction != NULL, same);
        snprintf(results->machines.device[0].name, sizeof results->machines.device[0].name,
                 "NVIDIA H100 SXM");
    }
}

/* The number of products from which on the candidate is not slower in all, by summing the setup and the
 * products one by one. -1: none up to `most`. */
static int64_t count_products(const struct advice_candidate *candidate, const struct advice_candidate *csr,
                              int64_t most)
{
    double ours = candidate->convert + candidate->upload, theirs = csr->convert + csr->upload;
    int64_t even = ours <= theirs ? 0 : -1;
    for (int64_t n = 1; n <= most; n++) {
        ours += candidate->seconds;
        theirs += csr->seconds;
        if (ours > theirs * (1 + 1e-12))
            even = -1;
        else if (even < 0)
            even = n;
    }
    return even;
}

/* Both sides pay for their setup, uploading CSR too. The largest diagonal matrix was once said to pay off
 * after 141 products, with a setup of 177 us, of which CSR needs 128 us. */
TEST(break_even_is_that_of_sums)
{
    static const char *const names[] = {"gen:banded,n=200000,lower=0,upper=0", "gen:stencil27,n=20",
                                        "gen:powerlaw,scale=12", "gen:banded,n=3000,lower=3,upper=3"};
    enum { MOST = 200000 };
    for (int m = 0; m < 4; m++) {
        struct session session;
        struct error error = {0};
        int some = 0;
        advising_load(&session, names[m]);
        assert_int_equal(session_need(&session, NULL, SESSION_FORESIGHT, NULL, &error), STATUS_OK);
        const struct advice *advice = &advising(&session)->items[ADVICE_GPU];
        for (int k = 0; advice->there && advice->csr >= 0 && k < advice->compared; k++) {
            const struct advice_candidate *one = &advice->candidates[k],
                                          *csr = &advice->candidates[advice->csr];
            if (one->seconds >= csr->seconds || one->break_even > MOST) continue;
            int64_t counted = count_products(one, csr, MOST);
            if (llabs(counted - one->break_even) > one->break_even / 100000 + 1)
                fail_msg("%s: %s pays off after %lld products, added up after %lld", names[m],
                         one->result->name, (long long)one->break_even, (long long)counted);
            some += counted > 1;
            assert_true(csr->upload > 0 && one->upload > 0);
        }
        bool there = advice->there;
        session_free(&session);
        if (!there) skip();
        if (m == 0) assert_true(some > 0);
    }
}

/* The fastest kernel of a library is named, with its time and its ratio to the recommended one. */
TEST(a_library_is_named)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_forecast(advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR), 4e-6, BOUND_DRAM);
    const struct advices *advices = advising(&session);
    assert_null(advices->items[ADVICE_GPU].library.kernel);
    assert_string_equal(advices->items[ADVICE_GPU].call, "");
    advising_forecast(advising_add(results, &kernel_cusparse_csr_alg2, ADVISING_CSR), 9e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cusparse_csr_alg1, ADVISING_CSR), 6e-6, BOUND_DRAM);
    const struct advice_library *library = &advising(&session)->items[ADVICE_GPU].library;
    assert_ptr_equal(library->kernel, &kernel_cusparse_csr_alg1);
    assert_float_equal(library->ratio, 1.5, 1e-6);
    assert_false(library->measured);
    assert_string_equal(
        advices->items[ADVICE_GPU].call,
        "To call a library instead, take cusparse/csr-alg1: 6.00 us per product (forecast), 1.5 times "
        "as long as cuda/csr-vector.");
    advising_forecast(&results->items[2], 3e-6, BOUND_DRAM);
    advices = advising(&session);
    assert_string_equal(advices->items[ADVICE_GPU].call,
                        "cusparse/csr-alg1 is a library's kernel and can be called today.");
    /* Advice alone loads no library for processors: its forecast is that of the kernel that it resembles. */
    advising_forecast(advising_add(results, &kernel_cpu_csr_omp, ADVISING_CSR), 8e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cpu_ell_omp, 36000), 5e-6, BOUND_DRAM);
    library = &advising(&session)->items[ADVICE_CPU].library;
    assert_ptr_equal(library->kernel->like, &kernel_cpu_csr_omp);
    assert_float_equal(library->ratio, 1.6, 1e-6);
    assert_says(advices->items[ADVICE_CPU].call,
                "8.00 us per product (forecast from cpu/csr-omp), 1.6 times as long as "
                "cpu/ell-omp. Whether it is installed was not checked.");
    advising_forecast(&results->items[results->count - 1], 8e-6, BOUND_DRAM); /* as fast as CSR */
    advices = advising(&session);
    assert_says(advices->items[ADVICE_CPU].call, "(forecast from cpu/csr-omp), as long as cpu/csr-omp.");
}

/* Forecasts of y = A x say nothing of products with eight vectors, and the other way round. */
TEST(forecasts_of_another_product_do_not_count)
{
    const struct product one = {.columns = 1}, eight = {.columns = 8};
    for (int k = 0; k < 2; k++) {
        FREED(session_free) struct session session;
        struct product *product = NULL;
        advising_load(&session, ADVISING_MATRIX);
        product = &session.shown->results.options.product;
        *product = k ? eight : one;
        struct foresight *foresight = case_want_foresight(session.shown, PRECISION_F64, *product, NULL);
        assert_non_null(foresight);
        assert_int_equal(session_foresight(&session, session.shown, foresight, NULL, NULL), STATUS_OK);
        assert_true(product_same(foresight->product, k ? eight : one));
        for (int other = 0; other < 3; other++) {
            *product = (k + other) % 2 ? eight : one;
            const struct advices *advices = advising(&session);
            assert_int_equal(advices->items[ADVICE_CPU].there, other != 1);
        }
    }
}
