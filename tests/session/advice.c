/* Advice from times made by hand. Other arithmetic computes break-even points, ties, and the best kernel for
 * each number of products. Forecasts for real matrices give different reasons. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "formats/ell.h"
#include "kernels/cuda/csr.h"
#include "kernels/cuda/ell.h"
#include "session/advice.h"
#include "session/session.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/unit.h"

static const char *best_name(const struct advice *advice, int at)
{
    return advice->candidates[advice->at[at].best].result->full_name;
}

/* CSR takes 10 us and is there; ELL takes 6 us after 35 us: 35 + 6 n <= 10 n from n = 8.75 on. */
TEST(conversion_pays_after_nine_products)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_time(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 10e-6, 0.1e-6, 99e-6);
    advising_time(advising_add(results, &kernel_cpu_ell_seq, 36000), 6e-6, 0.1e-6, 35e-6);
    const struct advices *advices = advising(&session);
    const struct advice *advice = &advices->items[ADVICE_CPU];
    assert_true(advice->there && !advices->items[ADVICE_GPU].there &&
                !advices->items[ADVICE_OTHER_GPU].there);
    assert_int_equal(advice->count, 2);
    assert_int_equal(advice->measured, 2);
    assert_string_equal(best_name(advice, 0), "cpu/csr-seq");
    assert_float_equal(advice->at[0].seconds, 10e-6, 1e-15);
    assert_string_equal(best_name(advice, 1), "cpu/ell-seq");
    assert_float_equal(advice->at[1].seconds, 95e-6, 1e-15);
    assert_string_equal(best_name(advice, 6), "cpu/ell-seq");
    assert_int_equal(advice->candidates[0].break_even, 9);
    assert_int_equal(advice->from, 9);
    assert_int_equal(advice->csr, 1);
    /* The vectors of 1000 elements lie beside the 36,000 bytes. */
    assert_float_equal(advice->candidates[0].memory, 52000, 0);
    assert_says(advice->verdict, "On this processor, take cpu/ell-seq: 6.00 us per product (measured)");
    assert_says(advice->change,
                "For fewer than 9 products stay with CSR (cpu/csr-seq): converting takes 35.0 us.");
    assert_lacks(advice->change, "estimated");
    assert_string_equal(advice->reason,
                        "cpu/csr-seq takes 4.00 us longer (1.67 times as long); no forecasts of both "
                        "explain why.");
}

/* Intervals that touch are a tie; those of the fastest and the slowest of three do not. */
TEST(measured_times_tie_by_their_intervals)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_time(advising_add(results, &kernel_cpu_ell_seq, 36000), 6.0e-6, 0.25e-6, 0);
    advising_time(advising_add(results, &kernel_cpu_sell_seq, 36000), 6.4e-6, 0.25e-6, 0);
    advising_time(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 6.8e-6, 0.25e-6, 0);
    const struct advice *advice = &advising(&session)->items[ADVICE_CPU];
    for (int k = 0; k < ADVICE_COUNTS; k++) {
        assert_string_equal(best_name(advice, k), "cpu/ell-seq");
        assert_int_equal(advice->at[k].ties, 1);
        assert_string_equal(advice->candidates[advice->at[k].tied[0]].result->full_name, "cpu/sell-seq");
    }
    assert_says(advice->verdict, "It is tied with cpu/sell-seq.");
    assert_lacks(advice->verdict, "csr-seq");
    assert_says(advice->reason, "cpu/csr-seq takes 800 ns longer (1.13 times as long)");
    /* A tied kernel is never said to take longer, and CSR precedes kernels that take a conversion. */
    advising_time(&results->items[2], 6.8e-6, 1.0e-6, 0);
    results->items[0].convert_seconds = 35e-6;
    advice = &advising(&session)->items[ADVICE_CPU];
    assert_int_equal(advice->csr, 0);
    for (int k = 0; k < ADVICE_COUNTS; k++)
        assert_string_equal(best_name(advice, k), "cpu/csr-seq");
    assert_float_equal(advice->at[0].seconds, 6.8e-6, 1e-15);
    assert_int_equal(advice->at[6].ties, 2);
    assert_string_equal(advice->candidates[1].result->full_name, "cpu/ell-seq");
    assert_int_equal(advice->from, 1);
    assert_says(advice->verdict, "take cpu/csr-seq: 6.80 us per product",
                "It is tied with cpu/ell-seq and cpu/sell-seq.");
    assert_lacks(advice->reason, "as long");
    assert_string_equal(advice->change,
                        "cpu/ell-seq may be faster, but is tied, and converting takes 35.0 us.");
}

/* The reason of the advice for this processor contains `said`, and lacks `not_said`. */
static void expect_reason(struct session *session, const char *said, const char *not_said)
{
    const char *reason = advising(session)->items[ADVICE_CPU].reason;
    assert_says(reason, said);
    if (not_said) assert_lacks(reason, not_said);
}

/* csr-compact reads CSR, but first builds shorter columns: 6 us a product after 45 us, where csr-omp takes 9
 * us: 45 + 6 n <= 9 n from n = 15 on. If building was not measured, it is estimated as 20 times the time of
 * reading CSR at 40 GB/s, the assumed bandwidth of an unmeasured host. */
TEST(arrays_made_from_csr_count)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_time(advising_add(results, &kernel_cpu_csr_omp, ADVISING_CSR), 9e-6, 0.1e-6, 2e-6);
    advising_time(advising_add(results, &kernel_cpu_csr_compact, ADVISING_CSR), 6e-6, 0.1e-6, 45e-6);
    const struct advice *advice = &advising(&session)->items[ADVICE_CPU];
    assert_string_equal(advice->candidates[0].result->full_name, "cpu/csr-compact");
    assert_false(advice->candidates[0].csr);
    assert_true(advice->candidates[0].convert_measured);
    assert_int_equal(advice->csr, 1);
    assert_float_equal(advice->candidates[1].setup, 0, 0);
    assert_float_equal(advice->candidates[0].setup, 45e-6, 1e-15);
    assert_int_equal(advice->candidates[0].break_even, 15);
    assert_string_equal(best_name(advice, 1), "cpu/csr-omp");
    assert_string_equal(best_name(advice, 2), "cpu/csr-compact");
    assert_says(advice->change, "For fewer than 15 products stay with CSR (cpu/csr-omp");
    results->items[1].convert_seconds = NAN;
    advice = &advising(&session)->items[ADVICE_CPU];
    assert_false(advice->candidates[0].convert_measured);
    assert_float_equal(advice->candidates[0].setup, 20. * ADVISING_CSR / 40e9, 1e-12);
    assert_says(advice->change, "(estimated)");
    /* A forecast knows the bytes of these columns; without it they are unknown, and left out. */
    const double csr = advice->candidates[1].memory;
    assert_true(advice->candidates[1].aside == 0 && isnan(advice->candidates[0].aside));
    assert_float_equal(advice->candidates[0].memory, csr, 0);
    results->items[1].predicted[0] =
        (struct prediction){.there = true, .seconds = 6e-6, .aside = 1000, .machine = "cpu"};
    advice = &advising(&session)->items[ADVICE_CPU];
    assert_float_equal(advice->candidates[0].aside, 1000, 0);
    assert_float_equal(advice->candidates[0].memory, csr + 1000, 0);
}

/* For a processor, sentences mention no launch, L2 or warp. If times were measured, the sentence says that
 * the terms are forecast. If the forecasts differ by another amount, it says that they do not explain the
 * measured difference. */
TEST(processors_have_words_of_their_own)
{
    static const struct {
        enum bound bound;
        const char *term, *words;
    } cases[] = {{BOUND_LAUNCH, "starting its threads", "starting threads"},
                 {BOUND_LONGEST, "its busiest thread", "its busiest thread"},
                 {BOUND_LATENCY, "the latency of scattered loads", "the latency of scattered loads"},
                 {BOUND_L2, "its traffic through the caches", "the bandwidth of caches"},
                 {BOUND_DRAM, "its traffic with memory", "the bandwidth of memory"},
                 {BOUND_ARITHMETIC, "its instructions", "instructions"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(session_free) struct session session;
        char said[192];
        struct results *results = advising_load(&session, ADVISING_MATRIX);
        advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR);
        advising_add(results, &kernel_cpu_ell_seq, 36000);
        for (int of = 0; of < 2; of++)
            advising_forecast(&results->items[of], of ? 6e-6 : 12e-6, cases[k].bound);
        snprintf(said, sizeof said,
                 "cpu/csr-seq takes 6.00 us longer (2 times as long). Of that, 6.00 us is %s. ",
                 cases[k].term);
        expect_reason(&session, said, "By the forecast");
        snprintf(said, sizeof said, "cpu/ell-seq is bound by %s (100%% of its forecast time)",
                 cases[k].words);
        expect_reason(&session, said, NULL);
        advising_time(&results->items[0], 13e-6, 0.1e-6, 0);
        advising_time(&results->items[1], 6e-6, 0.1e-6, 0);
        snprintf(said, sizeof said,
                 "takes 7.00 us longer (2.17 times as long). By the forecasts, 6.00 us is %s. ",
                 cases[k].term);
        expect_reason(&session, said, "Of that");
        advising_time(&results->items[0], 20e-6, 0.1e-6, 0);
        expect_reason(&session,
                      "takes 14.0 us longer (3.33 times as long); the forecasts, 12.0 us and 6.00 us, do "
                      "not explain why. ",
                      cases[k].term == cases[k].words ? NULL : cases[k].term);
    }
}

/* The reason for padding depends on the format. A kernel that takes dozens of times as long is not
 * compared. */
TEST(padding_has_its_own_reason)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_time(advising_add(results, &kernel_cpu_dia_seq, ADVISING_CSR), 6e-6, 0.1e-6, 0);
    results->items[0].size.padding_ratio = 2;
    advising_time(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 12e-6, 0.1e-6, 0);
    expect_reason(&session, "pads 50% of its slots, since diagonals are not full", "rows have");
    advising_time(&results->items[1], 121e-6, 0.1e-6, 0);
    expect_reason(&session, "pads 50%", "as long");
    advising_time(&results->items[1], 6e-6, 0.1e-6, 0);
    advising_time(&results->items[0], 12e-6, 0.1e-6, 0);
    results->items[1].size.padding_ratio = 1;
    expect_reason(&session,
                  "50% of its slots are padding, since diagonals are not full), which accounts for it.",
                  "rows have");
    /* Four times the slots do not account for 1.83 times the time. */
    advising_time(advising_add(results, &kernel_cpu_ell_seq, ADVISING_CSR), 11e-6, 0.1e-6, 0);
    results->items[2].size.padding_ratio = 4;
    expect_reason(&session,
                  "cpu/ell-seq takes 5.00 us longer (1.83 times as long); no forecasts of both explain why.",
                  "padding");
    advising_time(&results->items[2], 23e-6, 0.1e-6, 0);
    advising_time(&results->items[0], 25e-6, 0.1e-6, 0);
    expect_reason(&session,
                  "75% of its slots are padding, since rows have 2 to 3 entries), which accounts for it.",
                  "diagonals");
}

/* The end of the interval of the ratio of two forecasts with the same bound. */
static double same_bound_end(const struct interval_common *common)
{
    return pow(1.1, sqrt(2 - 2 * common->together));
}

/* Forecasts are tied within the interval of their ratio, and setups are estimated: 50 us are 5 products of
 * gain 10 us each. */
TEST(forecasts_tie_within_the_interval_of_their_ratio)
{
    const double end = same_bound_end(&interval_constants.gpu);
    FREED(session_free) struct session session;
    assert_true(end > 1.01 && end < 1.15);
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_forecast(advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR), 20e-6, BOUND_LATENCY);
    advising_forecast(advising_add(results, &kernel_cuda_ell_padded, 36000), 10e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cuda_ell_bounded, 36000), 10e-6 * end * 0.999,
                      BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cuda_ell_masked, 36000), 10e-6 * end * 1.001, BOUND_DRAM);
    const struct advices *advices = advising(&session);
    const struct advice *advice = &advices->items[ADVICE_GPU];
    /* the GPU reads CSR one and a half times and writes ELL, in one launch; CSR is uploaded */
    const struct gpu_pace *pace = &session.gpu.pace;
    double convert = 1.5 * ADVISING_CSR / pace->read + 36000 / pace->write + 9.5e-6,
           upload = ADVISING_CSR / 25e9;
    double csr_upload = upload;
    assert_true(advice->there && !advices->items[ADVICE_CPU].there);
    assert_int_equal(advice->measured, 0);
    assert_string_equal(advice->machine, "NVIDIA H200 SXM");
    assert_float_equal(advice->candidates[0].setup, convert + upload, 1e-12);
    assert_float_equal(advice->candidates[advice->csr].setup, csr_upload, 1e-12);
    assert_false(advice->candidates[0].convert_measured);
    assert_true(advice->candidates[0].convert_on_device);
    int64_t n = 0; /* by counting instead of dividing */
    while (convert + upload + (double)n * 10e-6 > csr_upload + (double)n * 20e-6)
        n++;
    assert_int_equal(n, 1);
    assert_int_equal(advice->candidates[0].break_even, n);
    assert_int_equal(advice->at[6].ties, 1);
    assert_string_equal(advice->candidates[advice->at[6].tied[0]].result->full_name, "cuda/ell-bounded");
    assert_says(advice->verdict, "(forecast; 80% interval 9.09 to 11.0 us)");
    assert_says(advice->reason, "is bound by the bandwidth of memory (100% of its forecast time)",
                "cuda/csr-vector takes 10.0 us longer (2 times as long). By term, 14.3 us is the "
                "latency of its loads, less 4.34 us for its traffic with memory.");
}

/* ELL gains 4 us of CSR's 20 by forecasts whose ratio is 0.8 to within a factor of f, after 35 us more: 35 /
 * 4 = 8.75, and at the ends 35 / (20 - 16 f) and 35 / (20 - 16 / f). */
TEST(break_even_has_an_interval)
{
    const double f = same_bound_end(&interval_constants.cpu);
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_forecast(advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR), 20e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cpu_ell_seq, 36000), 16e-6, BOUND_DRAM);
    results->items[1].convert_seconds = 35e-6;
    const struct advices *advices = advising(&session);
    const struct advice *advice = &advices->items[ADVICE_CPU];
    const struct advice_candidate *best = &advice->candidates[0];
    char said[160];
    assert_string_equal(best->result->full_name, "cpu/ell-seq");
    assert_int_equal(best->break_even, 9);
    assert_int_equal(best->break_even_low, (int64_t)ceil(35 / (20 - 16 / f)));
    assert_int_equal(best->break_even_high, (int64_t)ceil(35 / (20 - 16 * f)));
    snprintf(said, sizeof said, "For fewer than 9 products (80%% interval: %d to %d) stay with CSR",
             (int)ceil(35 / (20 - 16 / f)), (int)ceil(35 / (20 - 16 * f)));
    assert_says(advice->change, said);
    assert_int_equal(advice->candidates[1].break_even_high, 0); /* CSR itself */
    /* if it may be slower, converting may never pay off */
    advising_forecast(&results->items[0], 20e-6, BOUND_DRAM);
    advising_forecast(&results->items[1], 20e-6 / (1 + (f - 1) * 0.95), BOUND_DRAM);
    const struct advice *close = &advising(&session)->items[ADVICE_CPU];
    const struct advice_candidate *ell = &close->candidates[close->csr == 0];
    assert_int_equal(ell->break_even_high, -1);
    assert_true(ell->break_even_low > 0 && ell->break_even > ell->break_even_low);
    /* measured times have no 80% interval */
    advising_time(&results->items[0], 20e-6, 0.1e-6, 0);
    advising_time(&results->items[1], 16e-6, 0.1e-6, 35e-6);
    advices = advising(&session);
    assert_says(advices->items[ADVICE_CPU].change, "For fewer than 9 products stay with CSR");
}

/* CSC is made on the host alone: 8 times CSR and CSC at 40 GB/s, and CSC is uploaded. */
TEST(formats_of_the_host_are_converted_there)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    advising_forecast(advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR), 12e-6, BOUND_LATENCY);
    advising_forecast(advising_add(results, &kernel_cuda_csc_atomic, 44000), 10e-6, BOUND_DRAM);
    const struct advice *advice = &advising(&session)->items[ADVICE_GPU];
    double cost = format_find("csc")->convert_cost;
    double convert = (cost > 0 ? cost : 8) * (ADVISING_CSR + 44000) / 40e9;
    assert_false(advice->candidates[0].convert_on_device);
    assert_float_equal(advice->candidates[0].setup, convert + 44000 / 25e9, 1e-12);
    assert_says(advice->change, "converting and uploading takes", "(estimated)");
}

/* ELL was converted in 3 ms on the host, and in 35 us on the GPU from CSR, which is uploaded in 5 us: with 4
 * us a product less, converting has paid off after the ninth (35 / 4 = 8.75). */
TEST(the_gpu_converts_where_that_takes_less)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    struct result *csr = advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR);
    advising_time(csr, 10e-6, 0.1e-6, 1e-6);
    csr->upload_seconds = 5e-6;
    struct result *ell = advising_add(results, &kernel_cuda_ell_padded, 36000);
    advising_time(ell, 6e-6, 0.1e-6, 3e-3);
    ell = &results->items[1];
    ell->upload_seconds = 7e-6;
    ell->device_convert_seconds = 35e-6;
    for (int k = 0; k < 2; k++) {
        const struct advices *advices = advising(&session);
        const struct advice *advice = advices->items[ADVICE_GPU].there ? &advices->items[ADVICE_GPU]
                                                                       : &advices->items[ADVICE_OTHER_GPU];
        const struct advice_candidate *best = &advice->candidates[0];
        assert_true(advice->there && best->convert_measured);
        assert_int_equal(best->convert_on_device, k == 0);
        assert_float_equal(best->convert, k == 0 ? 35e-6 : 20e-6, 1e-12);
        assert_float_equal(best->upload, k == 0 ? 5e-6 : 7e-6, 1e-12);
        assert_int_equal(best->break_even, k == 0 ? 9 : 6);
        assert_says(advice->change,
                    k == 0 ? "uploading CSR and converting on the GPU takes 40.0 us, uploading alone 5.00 us."
                           : "converting and uploading takes 27.0 us, uploading CSR alone 5.00 us.");
        ell->convert_seconds = 20e-6; /* converting on the host is faster now */
    }
}

/* Timed results count before forecasts, and the last run before earlier ones; runs with flushed caches and of
 * other processors do not. */
TEST(measured_counts_before_forecast)
{
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    static const double seconds[] = {5e-6, 7e-6, 1e-6, 2e-6};
    for (int k = 0; k < 4; k++) {
        struct results results = {0};
        struct result *result = advising_add(&results, &kernel_cpu_csr_seq, ADVISING_CSR);
        advising_forecast(result, 0.5e-6, BOUND_DRAM);
        advising_time(result, seconds[k], 0, 0);
        results.options.cold = k == 2;
        struct run *run = runs_add(&session.shown->runs, "run", &results, NULL);
        assert_non_null(run);
        run->saved = k == 3;
    }
    const struct advice *advice = &advising(&session)->items[ADVICE_CPU];
    assert_int_equal(advice->count, 1);
    assert_float_equal(advice->candidates[0].seconds, 7e-6, 0);
    assert_true(advice->candidates[0].measured);
}

TEST(kernels_without_room_are_not_advised)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    session.gpu.memory = 60000;
    advising_forecast(advising_add(results, &kernel_cuda_csr_vector, 44001), 20e-6, BOUND_DRAM);
    advising_forecast(advising_add(results, &kernel_cuda_ell_padded, 44000), 30e-6, BOUND_DRAM);
    const struct advices *advices = advising(&session);
    assert_int_equal(advices->items[ADVICE_GPU].count, 1);
    assert_string_equal(best_name(&advices->items[ADVICE_GPU], 0), "cuda/ell-padded");
    assert_int_equal(advices->items[ADVICE_GPU].csr, -1);
    assert_int_equal(advices->items[ADVICE_GPU].candidates[0].break_even, -1);
}

/* Ranks are a separate machine: their times are neither compared with forecasts for one processor, nor count
 * as its times. Several partitions may have run the same kernel. */
TEST(ranks_are_a_place_of_their_own)
{
    static const struct {
        const char *partition;
        double seconds, compute, wait;
    } runs[] = {{"entries", 9e-6, 4e-6, 1e-6}, {"metis", 5e-6, 3e-6, 1e-6}, {"natural", 9.5e-6, 4e-6, 5e-6}};
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    for (int k = 0; k < 3; k++) {
        struct result *result = advising_add(results, &kernel_cpu_csr_seq, ADVISING_CSR);
        advising_time(result, runs[k].seconds, 0.01e-6, 0);
        result->resolved.threads = 3;
        result->ranked =
            (struct ranked){.ranks = 4, .compute_seconds = runs[k].compute, .wait_seconds = runs[k].wait};
        snprintf(result->ranked.partition, sizeof result->ranked.partition, "%s", runs[k].partition);
    }
    advising_forecast(advising_add(results, &kernel_cpu_ell_seq, ADVISING_CSR), 20e-6, BOUND_DRAM);
    const struct advices *advices = advising(&session);
    const struct advice *ranks = &advices->items[ADVICE_RANKS], *cpu = &advices->items[ADVICE_CPU];
    assert_true(ranks->there && cpu->there);
    assert_int_equal(ranks->count, 3);
    assert_true(ranks->by_measured);
    assert_string_equal(ranks->machine, "4 ranks with 3 threads each");
    assert_says(ranks->verdict, "On 4 ranks with 3 threads each, take cpu/csr-seq with partition "
                                "metis: 5.00 us per product (measured)");
    assert_string_equal(ranks->reason,
                        "cpu/csr-seq with partition entries takes 4.00 us longer (1.8 times as "
                        "long).");
    assert_string_equal(ranks->call, "");
    assert_int_equal(cpu->count, 1);
    assert_false(cpu->candidates[0].measured);
    assert_says(cpu->verdict, "On this processor, take cpu/ell-seq: 20.0 us per product (forecast");
    results->items[0].ranked.wait_seconds = 3.5e-6; /* most of the 4 us */
    advices = advising(&session);
    assert_string_equal(advices->items[ADVICE_RANKS].reason,
                        "cpu/csr-seq with partition entries takes 4.00 us longer (1.8 times as long), mainly "
                        "waiting for other ranks.");
}

/* Kernels that ran on another GPU than the estimated one have their own advice. */
TEST(another_gpu_is_a_place_of_its_own)
{
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, ADVISING_MATRIX);
    struct result *result = advising_add(results, &kernel_cuda_csr_vector, ADVISING_CSR);
    advising_time(result, 4e-6, 0, 0);
    advising_forecast(result, 3e-6, BOUND_DRAM);
    results->machines.devices = 1;
    results->machines.device[0].type = kernel_cuda_csr_vector.backend->devices;
    snprintf(results->machines.device[0].name, sizeof results->machines.device[0].name, "Another");
    const struct advices *advices = advising(&session);
    assert_true(advices->items[ADVICE_OTHER_GPU].there && advices->items[ADVICE_GPU].there);
    assert_string_equal(advices->items[ADVICE_OTHER_GPU].machine, "Another");
    assert_float_equal(advices->items[ADVICE_OTHER_GPU].candidates[0].seconds, 4e-6, 0);
    assert_float_equal(advices->items[ADVICE_GPU].candidates[0].seconds, 3e-6, 0);
    snprintf(results->machines.device[0].name, sizeof results->machines.device[0].name, "NVIDIA H200 SXM");
    advices = advising(&session);
    assert_false(advices->items[ADVICE_OTHER_GPU].there);
    assert_float_equal(advices->items[ADVICE_GPU].candidates[0].seconds, 4e-6, 0);
}

/* Another order saves 22%: it took 1.1 ms and saves 2.2 us a product, so that it pays off after 500
 * products. */
TEST(orders_are_compared)
{
    struct session session, other;
    advising_load(&session, ADVISING_MATRIX);
    advising_load(&other, ADVISING_MATRIX);
    struct matrix matrix = other.shown->matrix;
    other.shown->matrix = (struct matrix){0};
    struct matrix_case *reordered = session_add_case(&session, "rcm", &matrix, NULL);
    assert_non_null(reordered);
    reordered->reordering.order_seconds = 1.0e-3;
    reordered->reordering.reorder_seconds = 0.1e-3;
    advising_time(advising_add(&session.shown->results, &kernel_cpu_csr_seq, ADVISING_CSR), 10e-6, 0, 0);
    advising_time(advising_add(&reordered->results, &kernel_cpu_csr_seq, ADVISING_CSR), 7.8e-6, 0, 0);
    const struct advices *advices = advising(&session);
    const struct advice *advice = &advices->items[ADVICE_CPU];
    assert_int_equal(advice->order_count, 1);
    assert_float_equal(advice->orders[0].saved, 0.22, 1e-12);
    assert_true(advice->orders[0].break_even == 500 || advice->orders[0].break_even == 501);
    assert_says(advice->change, "The order rcm saves 22% of each product (cpu/csr-seq, measured), from ");
    advising_time(&reordered->results.items[0], 9.9e-6, 0, 0);
    advices = advising(&session);
    assert_says(advices->items[ADVICE_CPU].change, "No reordering speeds it up by 5% or more.");
    session_free(&session);
    session_free(&other);
}

TEST(nothing_known_is_no_advice)
{
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    const struct advices *advices = advising(&session);
    for (int place = 0; place < ADVICE_PLACES; place++)
        assert_false(advices->items[place].there);
}

/* The advice for an H200 from forecasts of all kernels. */
static const struct advice *foresee(const char *name, struct session *session)
{
    struct error error = {0};
    advising_load(session, name);
    assert_int_equal(session_need(session, NULL, SESSION_FORESIGHT, NULL, &error), STATUS_OK);
    assert_true(session_has(session, SESSION_FORESIGHT));
    return &advising(session)->items[ADVICE_GPU];
}

/* Each reason fits its matrix: launches for nearly empty matrices, the longest row if one row is full, bytes
 * or bandwidths if rows are many and alike. */
TEST(reasons_are_of_the_matrix)
{
    static const struct {
        const char *name, *said, *not_said;
    } cases[] = {
        {"gen:banded,n=60,lower=1,upper=1", "is bound by launch overhead", "ongest row has"},
        {"gen:powerlaw,scale=15,edge=16", "ongest row has", "padding"},
        {"gen:banded,n=300000,lower=8,upper=8", "bandwidth", "ongest row has"},
    };
    for (int k = 0; k < 3; k++) {
        FREED(session_free) struct session session;
        const struct advice *advice = foresee(cases[k].name, &session);
        assert_true(advice->there);
        if (!strstr(advice->reason, cases[k].said))
            fail_msg("%s: no '%s' in: %s", cases[k].name, cases[k].said, advice->reason);
        if (strstr(advice->reason, cases[k].not_said)) fail_msg("%s: %s", cases[k].name, advice->reason);
    }
}
