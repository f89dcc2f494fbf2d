/* The forecast of times: its terms one by one, their dependence on a GPU's pace, and a whole forecast
 * compared with the model in its header. */
#include <math.h>
#include <string.h>

#include "analysis/forecast/time.h"
#include "kernels/choice.h"
#include "kernels/cuda/told_values.h"
#include "kernels/gpu/profile.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/support.h"

static void expect_near(double found, double wanted, double share, const char *what)
{
    if (fabs(found - wanted) <= share * fabs(wanted)) return;
    fail_msg("%s: %g, not %g", what, found, wanted);
}

/* A kernel that takes something of everything. */
static const struct kernel kernel = {.name = "some",
                                     .pace = {.turn = 2, .request = 0.5, .shared = 1.5, .start = 0.25}};

/* A GPU with round times. */
static struct gpu some_gpu(void)
{
    struct gpu gpu = {0};
    assert_int_equal(gpu_find("h200", &gpu, NULL), STATUS_OK);
    gpu.pace = (struct gpu_pace){.launch = 2e-6,
                                 .next = 1e-6,
                                 .l1_latency = 20e-9,
                                 .l2_latency = 200e-9,
                                 .memory_latency = 500e-9,
                                 .shared_latency = 10e-9,
                                 .l1 = 20e12,
                                 .l2 = 5e12,
                                 .read = 4e12,
                                 .write = 3e12,
                                 .reductions = 2e12,
                                 .meeting = 2e-9};
    return gpu;
}

/* The requests of a product of some size; no term is far above the others. */
static struct estimate some_estimate(void)
{
    struct estimate estimate = {.there = true, .value_bytes = 8};
    estimate.accesses[ACCESS_LOAD].sectors = 8000000;
    estimate.accesses[ACCESS_REDUCTION].sectors = 300000;
    estimate.accesses[ACCESS_ATOMIC].sectors = 100000;
    estimate.operands[OPERAND_VALUES].bytes = 80000000;
    estimate.operands[OPERAND_SHARED].requests = 300000;
    estimate.operands[OPERAND_SHARED].conflicts = 96000;
    estimate.steps = (struct estimate_steps){.launches = 1,
                                             .longest = 90,
                                             .longest_hits = 63,
                                             .longest_missed = 45,
                                             .longest_shared = 40,
                                             .hottest = 4000,
                                             .requests = 70,
                                             .shared = 25,
                                             .turns = 3};
    estimate.memory =
        (struct memory_traffic){.there = true, .served = 0.6, .writes = 1e6, .warm_writes = 5e5};
    estimate.memory.misses[OPERAND_VALUES] = 2000000;
    estimate.memory.misses[OPERAND_X] = 1000000;
    estimate.memory.sectors[OPERAND_VALUES] = 2000000;
    estimate.memory.sectors[OPERAND_X] = 1500000;
    estimate.memory.reads[OPERAND_VALUES] = 64e6;
    estimate.memory.reads[OPERAND_X] = 16e6;
    estimate.memory.warm_reads[OPERAND_VALUES] = 32e6;
    return estimate;
}

static struct prediction forecast(const struct gpu *gpu, const struct estimate *estimate, bool cold)
{
    struct prediction prediction;
    time_forecast(gpu, &kernel, estimate, cold, &prediction);
    assert_true(prediction.there);
    return prediction;
}

/* Each term by the numbers above: 8e6 sectors of 32 bytes in 20 TB/s are 12.8 us, 3.5e6 in 5 TB/s 22.4 us,
 * and so on, divided by the share that products reach. */
static void terms_are_counts_over_what_the_gpu_takes(void **state)
{
    const struct gpu gpu = some_gpu();
    const struct estimate estimate = some_estimate();
    const struct prediction cold = forecast(&gpu, &estimate, true), warm = forecast(&gpu, &estimate, false);
    const struct time_constants *fitted = &time_constants;
    expect_near(cold.term[BOUND_L1], 12.8e-6 / fitted->l1_reached, 1e-12, "l1");
    expect_near(cold.term[BOUND_L2], 22.4e-6 / fitted->l2_reached, 1e-12, "l2");
    expect_near(cold.term[BOUND_DRAM], (20e-6 + 1e-6 / 3) / fitted->dram_reached, 1e-12, "cold dram");
    expect_near(warm.term[BOUND_DRAM], (8e-6 + 0.5e-6 / 3) / fitted->dram_reached, 1e-12, "warm dram");
    expect_near(cold.term[BOUND_REDUCTIONS], 6.4e-6 / fitted->reductions_reached, 1e-12, "reductions");
    expect_near(cold.term[BOUND_HOTTEST], 8e-6, 1e-12, "hottest");
    expect_near(cold.term[BOUND_SHARED], 1.5 * 25 * 10e-9, 1e-12, "shared");
    expect_near(cold.term[BOUND_LAUNCH], 2e-6 + 0.25e-6, 1e-12, "launch");
    /* 396000 passes on 132 multiprocessors */
    expect_near(cold.term[BOUND_ARITHMETIC], 1e7 / gpu_arithmetic(&gpu, 8) + 3000 * fitted->shared_pass,
                1e-12, "arithmetic");
    assert_true(cold.term[BOUND_HOST] == 0);
    /* L1 serves 0.6 of the requests and saves 180 of 200 ns; memory has 2.5 of 3 million misses and adds 300
     * ns, or 1 of them with warm caches. */
    const double adds = 300e-9 * fitted->memory_seen;
    double latency = 200e-9 - 0.6 * fitted->l1_seen * 180e-9 + 0.4 * adds * 2.5 / 3;
    expect_near(cold.term[BOUND_LATENCY], (2 * 3 + 0.5 * 70) * latency, 1e-12, "latency");
    expect_near(warm.term[BOUND_LATENCY],
                (2 * 3 + 0.5 * 70) * (200e-9 - 0.6 * fitted->l1_seen * 180e-9 + 0.4 * adds / 3), 1e-12,
                "warm latency");
    /* The longest warp has 90 requests, the mean one 70 / 3. Alone it hits in 0.7 of its requests, and misses
     * half a sector in each. */
    const double among = 70. / 3 / 90, sector = 32. * 132 / 5e12;
    const double alone = 200e-9 - 0.7 * fitted->alone_seen * 180e-9 + 0.3 * adds * 2.5 / 3 +
                         0.5 * fitted->alone_missed * sector;
    latency = among * latency + (1 - among) * alone;
    expect_near(cold.term[BOUND_LONGEST], (2 + 0.5 * 90) * latency + 1.5 * 40 * 10e-9, 1e-12, "longest");
}

/* If all warps are as long as the longest, that waits like the others. */
static void the_longest_of_equal_warps_is_never_alone(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    estimate.steps.longest = 20;
    const struct prediction few = forecast(&gpu, &estimate, true);
    estimate.steps.longest_hits = 0;
    estimate.steps.longest_missed = 900;
    assert_true(forecast(&gpu, &estimate, true).seconds == few.seconds);
}

/* The terms but that of launches are summed by their powers, and requests of shared memory follow the others
 * of their warp. So the whole lies between the largest of them and their sum. */
static void terms_overlap(void **state)
{
    const struct gpu gpu = some_gpu();
    const struct estimate estimate = some_estimate();
    const struct prediction found = forecast(&gpu, &estimate, true);
    double q = time_constants.overlap, sum = 0, powers = 0, largest = 0;
    for (int b = 0; b < BOUNDS; b++) {
        double term = found.term[b];
        if (b == BOUND_LAUNCH || b == BOUND_SHARED) continue;
        if (b == BOUND_LATENCY) term += found.term[BOUND_SHARED];
        sum += term;
        powers += exp(q * log(fmax(term, 1e-300)));
        largest = fmax(largest, term);
    }
    assert_true(q > 1);
    expect_near(found.seconds, found.term[BOUND_LAUNCH] + exp(log(powers) / q), 1e-9, "the whole");
    assert_true(found.seconds > found.term[BOUND_LAUNCH] + largest);
    assert_true(found.seconds < found.term[BOUND_LAUNCH] + sum);
}

/* A kernel that overlaps twice as well as others has a q of 1 + 2 (q - 1), and so takes less time. */
static void kernels_overlap_differently(void **state)
{
    const struct gpu gpu = some_gpu();
    const struct estimate estimate = some_estimate();
    const struct prediction one = forecast(&gpu, &estimate, true);
    struct prediction two;
    struct kernel other = kernel;
    other.pace.overlap = 2;
    time_forecast(&gpu, &other, &estimate, true, &two);
    struct combination twice = time_combination(1);
    twice.q = 1 + 2 * (time_constants.overlap - 1);
    assert_true(memcmp(one.term, two.term, sizeof one.term) == 0);
    assert_true(one.overlap == 1 && two.overlap == 2);
    expect_near(two.seconds, combination_seconds(&twice, two.term), 1e-12, "twice the overlap");
    assert_true(two.seconds < 0.99 * one.seconds);
}

/* Where the GPU has too little of one thing, that bounds the product, and takes nearly all of its time. */
static void scarce_resources_bound(void **state)
{
    static const size_t bandwidths[][2] = {{BOUND_L1, offsetof(struct gpu_pace, l1)},
                                           {BOUND_L2, offsetof(struct gpu_pace, l2)},
                                           {BOUND_DRAM, offsetof(struct gpu_pace, read)},
                                           {BOUND_DRAM, offsetof(struct gpu_pace, write)},
                                           {BOUND_REDUCTIONS, offsetof(struct gpu_pace, reductions)}};
    const struct estimate estimate = some_estimate();
    for (size_t k = 0; k < sizeof bandwidths / sizeof *bandwidths; k++) {
        struct gpu gpu = some_gpu();
        double *bandwidth = (double *)(void *)((char *)&gpu.pace + bandwidths[k][1]);
        *bandwidth /= 1e4;
        const struct prediction scarce = forecast(&gpu, &estimate, true);
        assert_int_equal(scarce.bound, bandwidths[k][0]);
        expect_near(scarce.seconds, scarce.term[scarce.bound], 0.01, bound_key(scarce.bound));
        *bandwidth *= 2;
        const struct prediction twice = forecast(&gpu, &estimate, true);
        expect_near(twice.term[twice.bound], scarce.term[scarce.bound] / 2, 0.01, bound_key(scarce.bound));
    }
}

/* So does the largest work of a product: one line that all add to, one long warp, many requests. */
static void the_largest_work_bounds(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    estimate.steps.hottest = 10000000;
    assert_int_equal(forecast(&gpu, &estimate, true).bound, BOUND_HOTTEST);
    estimate = some_estimate();
    estimate.steps.longest = 1000000;
    assert_int_equal(forecast(&gpu, &estimate, true).bound, BOUND_LONGEST);
    estimate = some_estimate();
    estimate.steps.requests = 1e6;
    assert_int_equal(forecast(&gpu, &estimate, true).bound, BOUND_LATENCY);
    estimate = some_estimate();
    estimate.steps.shared = 1e8;
    assert_int_equal(forecast(&gpu, &estimate, true).bound, BOUND_SHARED);
    estimate = some_estimate();
    estimate.operands[OPERAND_VALUES].bytes = INT64_C(1) << 50;
    assert_int_equal(forecast(&gpu, &estimate, true).bound, BOUND_ARITHMETIC);
    estimate = (struct estimate){
        .there = true, .value_bytes = 8, .steps = {.launches = 1}, .memory = {.there = true}};
    assert_int_equal(forecast(&gpu, &estimate, true).bound, BOUND_LAUNCH);
}

/* A launch that depends on the one before takes some times of an empty one; all warps begin anew. */
static void further_launches_take_time(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    const struct prediction one = forecast(&gpu, &estimate, true);
    estimate.steps.launches = 3;
    const struct prediction three = forecast(&gpu, &estimate, true);
    expect_near(three.term[BOUND_LAUNCH] - one.term[BOUND_LAUNCH], 2e-6 * time_constants.next_launches, 1e-9,
                "two further launches");
    assert_true(three.term[BOUND_LONGEST] > one.term[BOUND_LONGEST]);
    assert_true(three.seconds > one.seconds);
    estimate.steps.launches = 0; /* of a matrix without rows */
    expect_near(forecast(&gpu, &estimate, true).term[BOUND_LAUNCH], one.term[BOUND_LAUNCH], 1e-9, "none");
}

static void cold_caches_take_longer(void **state)
{
    const struct gpu gpu = some_gpu();
    const struct estimate estimate = some_estimate();
    const struct prediction cold = forecast(&gpu, &estimate, true), warm = forecast(&gpu, &estimate, false);
    assert_true(cold.seconds > warm.seconds);
    assert_true(cold.term[BOUND_DRAM] > warm.term[BOUND_DRAM]);
    assert_true(cold.term[BOUND_LATENCY] > warm.term[BOUND_LATENCY]);
    assert_true(cold.term[BOUND_LONGEST] > warm.term[BOUND_LONGEST]);
    for (int b = 0; b < BOUNDS; b++)
        if (b != BOUND_DRAM && b != BOUND_LATENCY && b != BOUND_LONGEST)
            assert_true(cold.term[b] == warm.term[b]);
    assert_string_equal(cold.machine, "h200");
    assert_string_equal(cold.like, "");
}

static void there_is_no_forecast_of_what_is_not_known(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    struct prediction prediction = {.there = true};
    struct kernel other = kernel;
    other.pace = (struct kernel_pace){0};
    time_forecast(&gpu, &other, &estimate, true, &prediction);
    assert_false(prediction.there);
    estimate.memory.there = false;
    time_forecast(&gpu, &kernel, &estimate, true, &prediction);
    assert_false(prediction.there);
    estimate = some_estimate();
    estimate.there = false;
    time_forecast(&gpu, &kernel, &estimate, true, &prediction);
    assert_false(prediction.there);
    estimate = some_estimate();
    estimate.steps.requests = estimate.steps.shared = estimate.steps.turns = NAN; /* without nvcc */
    time_forecast(&gpu, &kernel, &estimate, true, &prediction);
    assert_false(prediction.there);
}

/* L1 looks up each line: 2e6 of them count as 2e6 sectors at another bandwidth. */
static void lines_are_looked_up(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    estimate.accesses[ACCESS_LOAD].lines = 2000000;
    expect_near(forecast(&gpu, &estimate, true).term[BOUND_L1],
                12.8e-6 / time_constants.l1_reached + 3.2e-6 / time_constants.l1_lines, 1e-12, "l1");
}

/* With 1.25 warps for each slot of a resident warp, some slot has two: 2 / 1.25 times the average. One warp a
 * slot, or several launches, are no waves. */
static void warps_beyond_the_places_come_in_waves(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    estimate.steps.turns = 1;
    estimate.steps.longest = 20; /* all warps are longer: it is never alone */
    const struct prediction one = forecast(&gpu, &estimate, true);
    estimate.steps.turns = 1.25;
    const struct prediction two = forecast(&gpu, &estimate, true);
    expect_near(two.term[BOUND_LATENCY] / one.term[BOUND_LATENCY], 1.6 * (2.5 + 35) / (2 + 35), 1e-12,
                "two waves");
    expect_near(two.term[BOUND_SHARED], 1.6 * one.term[BOUND_SHARED], 1e-12, "of shared memory");
    assert_true(two.term[BOUND_LONGEST] == one.term[BOUND_LONGEST]);
    /* a tenth of a wave counts as half of one */
    estimate.steps.turns = 1.1;
    expect_near(forecast(&gpu, &estimate, true).term[BOUND_SHARED], 1.5 / 1.1 * one.term[BOUND_SHARED], 1e-12,
                "a tenth of a wave");
    estimate.steps.launches = 2;
    expect_near(forecast(&gpu, &estimate, true).term[BOUND_SHARED], one.term[BOUND_SHARED], 1e-12,
                "two launches");
}

/* Passing on a sum adds its latencies of L2, 200 ns each, if there are atomic operations. */
static void sums_are_handed_on(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    struct kernel other = kernel;
    struct prediction without, with;
    other.pace.handover = 4;
    time_forecast(&gpu, &other, &estimate, true, &without);
    assert_true(without.seconds == forecast(&gpu, &estimate, true).seconds);
    estimate.accesses[ACCESS_ATOMIC].requests = 7;
    time_forecast(&gpu, &other, &estimate, true, &with);
    expect_near(with.term[BOUND_LONGEST] - without.term[BOUND_LONGEST], 0.8e-6, 1e-9, "longest");
    expect_near(with.term[BOUND_LATENCY] - without.term[BOUND_LATENCY], 3 * 0.8e-6, 1e-9, "three waves");
}

/* A launch that begins early takes as long as the profile says, or the fitted share of a launch, and no
 * longer than another; but not where caches are flushed before it. */
static void early_launches_overlap(void **state)
{
    struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    const struct prediction late = forecast(&gpu, &estimate, false), cold = forecast(&gpu, &estimate, true);
    estimate.steps.early = 1;
    struct prediction early = forecast(&gpu, &estimate, false);
    expect_near(late.term[BOUND_LAUNCH] - early.term[BOUND_LAUNCH], 2e-6 * (1 - time_constants.early_launch),
                1e-9, "the fitted share");
    expect_near(late.seconds - early.seconds, 2e-6 * (1 - time_constants.early_launch), 1e-9, "the whole");
    gpu.pace.early = 0.5e-6;
    early = forecast(&gpu, &estimate, false);
    expect_near(late.term[BOUND_LAUNCH] - early.term[BOUND_LAUNCH], 1.5e-6, 1e-9, "as measured");
    gpu.pace.early = 3e-6;
    assert_true(forecast(&gpu, &estimate, false).seconds == late.seconds);
    gpu.pace.early = 0.5e-6;
    assert_true(forecast(&gpu, &estimate, true).seconds == cold.seconds);
}

/* If memory serves each request, requests wait for it as long as memory takes, and no longer if sectors are
 * read several times. */
static void latency_ends_with_that_of_memory(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    double waits[5];
    const double misses = memory_sum(estimate.memory.misses);
    for (int k = 0; k < 5; k++) { /* none, half and all of the sectors that are missed; twice and thrice */
        static const double shares[] = {0, 0.5, 1, 2, 3};
        memset(estimate.memory.reads, 0, sizeof estimate.memory.reads);
        estimate.memory.reads[0] = shares[k] * 32 * misses;
        waits[k] = forecast(&gpu, &estimate, true).term[BOUND_LATENCY];
    }
    assert_true(waits[1] > waits[0]);
    expect_near(waits[2] - waits[0], 2 * (waits[1] - waits[0]), 1e-9, "all and half");
    assert_true(waits[3] == waits[2] && waits[4] == waits[2]);
}

/* Memory delivers no more than was measured, whatever else a product takes. */
static void no_forecast_is_below_the_bandwidth_of_memory(void **state)
{
    const struct gpu gpu = some_gpu();
    struct estimate estimate = some_estimate();
    struct kernel other = kernel;
    struct prediction found;
    assert_true(time_constants.dram_reached > 0.5 && time_constants.dram_reached <= 1);
    other.pace.moved = 0.01;
    estimate.memory.reads[OPERAND_VALUES] = 40e9;
    time_forecast(&gpu, &other, &estimate, true, &found);
    assert_true(found.bound == BOUND_DRAM && found.seconds >= 40e9 / gpu.pace.read);
}

/* A library's kernel requests a multiple of the sectors of our kernel that it is like. */
static void libraries_move_a_multiple(void **state)
{
    const struct gpu gpu = some_gpu();
    const struct estimate estimate = some_estimate();
    const struct prediction one = forecast(&gpu, &estimate, true);
    struct kernel other = kernel;
    struct prediction found;
    other.pace.moved = 3;
    time_forecast(&gpu, &other, &estimate, true, &found);
    for (int b = 0; b < BOUNDS; b++) {
        bool moves = b == BOUND_L1 || b == BOUND_L2;
        expect_near(found.term[b], (moves ? 3 : 1) * one.term[b], 1e-12, bound_key((enum bound)b));
    }
}

/* Every kernel of CUDA that is traced has a pace, but for that whose host computes, and so has every kernel
 * of a library for GPUs, each of which is like one of them. */
static void kernels_have_a_pace(void **state)
{
    int paces = 0;
    for (const struct kernel *const *k = kernels; *k; k++) {
        bool known = (*k)->trace || (*k)->like;
        if ((*k)->like) assert_ptr_equal((*k)->like->format, (*k)->format);
        if (!(*k)->backend->devices) continue;
        if ((*k)->like) assert_non_null((*k)->like->trace);
        if (strcmp((*k)->name, "hyb-host") == 0) known = false;
        const struct kernel_pace *pace = &kernel_paced(*k)->pace;
        assert_true((pace->request > 0) == known);
        assert_true((pace->turn > 0) == known);
        assert_true(pace->moved == 0); /* it is counted */
        paces += known;
    }
    assert_true(paces >= 20);
}

/* Returns 1 if the kernel that represents a library's has a parameter of this name, whose value must be
 * `number`. */
static int without(const struct kernel *library, const char *name, double number)
{
    const struct kernel *like = library->like;
    const char *text = library->like_parameters ? library->like_parameters : "";
    struct kernel_choice choice;
    assert_int_equal(kernel_choice_read(like, text, &choice, NULL), STATUS_OK);
    for (int k = 0; like->parameters[k].name; k++) {
        if (strcmp(like->parameters[k].name, name) != 0) continue;
        if (choice.values.number[k] != number)
            fail_msg("%s is replayed with another %s", library->name, name);
        return 1;
    }
    return 0;
}

/* The kernel that represents a library's reads each value and each column in full, and does not begin early.
 * "16", "32" and "8", "full" are the words of the first two parameters. */
static void libraries_get_no_shortcut(void **state)
{
    int columns = 0, values = 0, early = 0;
    for (const struct kernel *const *k = kernels; *k; k++) {
        if (!(*k)->like || !(*k)->backend->devices) continue;
        columns += without(*k, "columns", 1);
        values += without(*k, "values", TOLD_FULL);
        early += without(*k, "early", 0);
    }
    assert_true(columns >= 1 && values >= 1 && early >= 3);
}

/* A loop of the kernel with a pace of its own is forecast by it, also at least. No pace makes a product
 * faster than its bytes pass through memory. */
static void a_loop_has_its_own_pace(void **state)
{
    const struct gpu gpu = some_gpu();
    const struct kernel_pace fast = {.turn = 1e-9, .request = 1e-9, .overlap = 1};
    struct estimate estimate = some_estimate();
    const struct prediction slow = forecast(&gpu, &estimate, true);
    const double least = time_at_least(&gpu, &kernel, &estimate);
    estimate.pace = &fast;
    const struct prediction own = forecast(&gpu, &estimate, true);
    assert_true(own.term[BOUND_LATENCY] < 1e-6 * slow.term[BOUND_LATENCY]);
    assert_true(own.seconds < slow.seconds && own.seconds >= own.term[BOUND_DRAM]);
    assert_true(time_at_least(&gpu, &kernel, &estimate) < least);
}

/* A kernel that was not fitted has the pace of another one, and its forecast says so. */
static void a_pace_is_borrowed_until_it_is_fitted(void **state)
{
    struct gpu gpu = some_gpu();
    const struct estimate estimate = some_estimate();
    const struct kernel borrowing = {
        .name = "new", .backend = &backend_cuda, .pace = {.like = &kernel_cuda_csr_vector}};
    struct prediction own, other;
    gpu.pace.measured = true;
    time_forecast(&gpu, &borrowing, &estimate, false, &own);
    time_forecast(&gpu, &kernel_cuda_csr_vector, &estimate, false, &other);
    assert_true(own.there && own.derived && own.seconds == other.seconds && own.low > 0);
    assert_string_equal(own.like, "cuda/csr-vector");
    assert_true(other.there && !other.derived && !other.like[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pace_is_borrowed_until_it_is_fitted),
        cmocka_unit_test(a_loop_has_its_own_pace),
        cmocka_unit_test(terms_are_counts_over_what_the_gpu_takes),
        cmocka_unit_test(the_longest_of_equal_warps_is_never_alone),
        cmocka_unit_test(terms_overlap),
        cmocka_unit_test(kernels_overlap_differently),
        cmocka_unit_test(scarce_resources_bound),
        cmocka_unit_test(the_largest_work_bounds),
        cmocka_unit_test(further_launches_take_time),
        cmocka_unit_test(cold_caches_take_longer),
        cmocka_unit_test(there_is_no_forecast_of_what_is_not_known),
        cmocka_unit_test(lines_are_looked_up),
        cmocka_unit_test(warps_beyond_the_places_come_in_waves),
        cmocka_unit_test(sums_are_handed_on),
        cmocka_unit_test(early_launches_overlap),
        cmocka_unit_test(latency_ends_with_that_of_memory),
        cmocka_unit_test(no_forecast_is_below_the_bandwidth_of_memory),
        cmocka_unit_test(libraries_move_a_multiple),
        cmocka_unit_test(libraries_get_no_shortcut),
        cmocka_unit_test(kernels_have_a_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
