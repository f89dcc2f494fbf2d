/* session/scale: scaling is predicted from the time of one rank, and measured times of ranks stand beside
 * it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "session/scale.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/unit.h"

#define CORES 4

/* A tridiagonal matrix on a processor with CORES threads, divided into 2 and 4 ranges of rows. */
static void open_session(struct session *session, int node)
{
    struct error error = {0};
    struct distribution_request request = {.parts = {2, CORES},
                                           .count = 2,
                                           .networked = true,
                                           .network = {.latency_us = 2,
                                                       .bandwidth_gbs = 12,
                                                       .node = node,
                                                       .near_latency_us = 1,
                                                       .near_bandwidth_gbs = 4}};
    advising_load(session, "gen:banded,n=50000,lower=5,upper=5");
    processor_assume(&session->processor);
    session->processor.threads = CORES;
    session->threads = CORES;
    assert_int_equal(partition_list_add(&request.partitions, "natural", &error), STATUS_OK);
    assert_int_equal(
        distribution_make(&session->shown->matrix, &request, 0, NULL, &session->shown->distribution, &error),
        STATUS_OK);
    partition_list_free(&request.partitions);
    assert_int_equal(
        session_foresight(session, session->shown, &session->shown->foresight[PRECISION_F64], NULL, &error),
        STATUS_OK);
}

/* The forecast seconds of a product with this number of threads. */
static double forecast(struct session *session, const struct kernel *kernel, int threads)
{
    struct results results = {0};
    struct error error = {0};
    const struct kernel_choice choice = preparing_choice(kernel, "", PRECISION_F64, threads);
    assert_int_equal(results_want(&results, &choice, &error), STATUS_OK);
    assert_int_equal(
        session_foresee(session, session->shown, &results, (struct product){0}, 0, NULL, NULL, &error),
        STATUS_OK);
    const double seconds = results.items[0].predicted[0].seconds;
    results_free(&results);
    return seconds;
}

static const struct kernel *kernel_named(const char *name)
{
    for (int k = 0; kernels[k]; k++) {
        const size_t length = strlen(kernels[k]->name);
        const char *bare = strchr(name, '/') + 1;
        if (kernels[k]->backend == &backend_cpu && strncmp(bare, kernels[k]->name, length) == 0 &&
            (!bare[length] || bare[length] == ':'))
            return kernels[k];
    }
    fail_msg("%s", name);
    return NULL;
}

/* Four ranks of a node have one thread each; without nodes, a process has all threads. */
TEST(one_process_is_one_rank)
{
    for (int node = 1; node <= CORES; node += CORES - 1) {
        FREED(session_free) struct session session;
        struct error error = {0};
        open_session(&session, node);
        const struct distribution *distribution = &session.shown->distribution;
        assert_int_equal(session_scale(&session, session.shown, NULL, &error), STATUS_OK);
        assert_true(distribution->single_us > 0 && !distribution->measured);
        const struct kernel *kernel = kernel_named(distribution->kernel);
        const double one = 1e6 * forecast(&session, kernel, 1), all = 1e6 * forecast(&session, kernel, CORES);
        assert_true(one > 1.5 * all);
        assert_float_equal(distribution->single_us, node > 1 ? one : all, 1e-3 * one);
        /* One of several ranks on a node takes longer than its share, but less than the whole time. */
        for (int k = 0; k < 2; k++) {
            const struct distributed *division = &distribution->items[k];
            const double share =
                (double)division->halo.most_entries / (double)csr_nnz(&session.shown->matrix.csr);
            const int parts = (int)division->parts;
            struct scaling_costs costs;
            crowd_costs(&distribution->crowd, &distribution->network, parts, &costs);
            /* Bands of 5 on both sides: each boundary has 5 rows and sends 5 elements. */
            const double boundaries = parts > 2 ? 2 : 1,
                         more = boundaries * 5 * (costs.row_us + costs.pack_us);
            assert_true(node > 1 ? costs.pace > 1 : costs.pace == 1);
            assert_true(costs.row_us > 0 && costs.pack_us > 0);
            assert_float_equal(division->scaling.compute_us,
                               distribution->single_us * share * costs.pace + more, 1e-6 * one);
            assert_true(division->measured_us == 0);
        }
    }
}

/* Two ranks ran csr-omp, which is not the best kernel by forecast: it is the predictions' kernel. */
TEST(times_of_ranks_are_compared)
{
    static const double seconds[] = {3e-4, 5e-4, 1e-4};
    static const char *const partitions[] = {"natural", "entries", "natural"};
    FREED(session_free) struct session session;
    struct error error = {0};
    open_session(&session, CORES);
    struct results *results = &session.shown->results;
    for (int k = 0; k < 3; k++) {
        const struct kernel *kernel = k < 2 ? &kernel_cpu_csr_omp : &kernel_cpu_coo_seq;
        FREED(results_free) struct results one = {0};
        struct result *result = advising_add(&one, kernel, 100);
        advising_time(result, seconds[k], 1e-6, 0);
        result->ranked = (struct ranked){.ranks = 2};
        snprintf(result->ranked.partition, sizeof result->ranked.partition, "%s", partitions[k]);
        if (k == 2) result->samples.median = result->samples.time = 7e-4; /* slower than both */
        struct result *items = memory_resize(results->items, (size_t)k + 1, sizeof *items, &error);
        assert_non_null(items);
        items[k] = *result;
        results->items = items;
        results->count = k + 1;
    }
    assert_int_equal(session_scale(&session, session.shown, NULL, &error), STATUS_OK);
    const struct distribution *distribution = &session.shown->distribution;
    assert_string_equal(distribution->kernel, "cpu/csr-omp");
    assert_float_equal(distribution->single_us, 1e6 * forecast(&session, &kernel_cpu_csr_omp, 1), 1e-3);
    assert_float_equal(distribution->items[0].measured_us, 300, 1e-9);
    assert_true(distribution->items[1].measured_us == 0); /* of 4 parts */
}
