#include "analysis/warps/coalescing.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/warps/sample.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"

#define LINE 128            /* bytes of a line of memory */
#define TURN_PLACES 3       /* warps of a turn / warps that run at a time */
#define TURN_LINES 30000000 /* lines of y that the turns of a launch read, at most */

/* The numbers of struct trace_counts, as real numbers. */
#define NUMBERS 8
typedef double sums[ACCESSES][OPERANDS][NUMBERS];

/* The sample to replay, and the results for each stratum. */
struct plan {
    struct sample sample;
    sums *scaled;     /* for each stratum, the estimates of its sums */
    double *variance; /* for each stratum, the variance of the estimate of its sectors */
    uint64_t seed;
};

/* The replayed blocks are in two parts: those that represent only themselves (all blocks, or the certain
 * ones), and those that also represent blocks that were left out. */
enum part { ITSELF, DRAWN, PARTS };

/* A thread's counts in one of these parts. */
struct found {
    struct tracer tracer;
    int64_t replayed;
    struct coalescing_launch *launch;
};

/* A thread's results. */
struct mine {
    struct found part[PARTS];
    int64_t drawn; /* number of warps drawn in this turn, */
    double strata; /* and the number of warps in their strata */
};

static enum status make_plan(const struct launch *launch, double share, uint64_t seed, struct plan *plan,
                             struct error *error)
{
    *plan = (struct plan){.seed = seed};
    enum status status = sample_make(launch, share, &plan->sample, error);
    if (status != STATUS_OK) return status;
    size_t strata = (size_t)plan->sample.strata;
    plan->variance = memory_zeroed(strata, sizeof *plan->variance, error);
    plan->scaled = memory_zeroed(strata, sizeof *plan->scaled, error);
    return plan->variance && plan->scaled ? STATUS_OK : STATUS_MEMORY;
}

static void free_plan(struct plan *plan)
{
    sample_free(&plan->sample);
    free(plan->variance);
    free(plan->scaled);
}

/* Numbers of requests so far: those of memory that a warp waits for, and all of shared memory. */
struct asked {
    int64_t memory, shared;
};

static struct asked asked_of(const struct tracer *tracer)
{
    struct asked sum = {tracer->waits, 0};
    for (int a = 0; a < ACCESSES; a++)
        sum.shared += tracer->count[a][OPERAND_SHARED].requests;
    return sum;
}

/* Keep the warp if it is longer than the longest one so far, or as long and has a lower number. */
static void take_longest(struct coalescing_launch *launch, int64_t requests, int64_t warp)
{
    if (requests < launch->longest || (requests == launch->longest && warp >= launch->longest_warp)) return;
    launch->longest = requests;
    launch->longest_warp = warp;
}

/* Replay the warps of block b. */
static void replay_block(const struct launch *launch, const struct plan *plan, int64_t b, struct found *found)
{
    const struct sample_stage *stage = sample_stage_of(&plan->sample, b);
    struct coalescing_launch *of_stage = &found->launch[stage->number];
    int64_t first = (b - stage->blocks_before) * COALESCING_BLOCK;
    int64_t end = first + sample_warps(&plan->sample, b);
    struct asked before = asked_of(&found->tracer);
    for (int64_t warp = first; warp < end; warp++) {
        trace_warp(launch, stage->number, warp, &found->tracer);
        const struct asked now = asked_of(&found->tracer);
        take_longest(of_stage, now.memory - before.memory, warp);
        of_stage->longest_shared = max(of_stage->longest_shared, now.shared - before.shared);
        of_stage->requests += now.memory - before.memory;
        of_stage->shared += now.shared - before.shared;
        before = now;
    }
    of_stage->replayed += end - first;
    found->replayed += end - first;
}

/* Random number `counter` under a seed: element `counter` of the sequence of SplitMix64 (Steele, Lea and
 * Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). */
static uint64_t random_of(uint64_t seed, uint64_t counter)
{
    uint64_t z = seed + (counter + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int64_t sectors_of(const struct tracer *tracer)
{
    int64_t sum = 0;
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++)
            sum += tracer->count[a][o].sectors;
    return sum;
}

/* sum += by * counts. */
static void scale(double sum[NUMBERS], const struct trace_counts *counts, double by)
{
    const int64_t number[NUMBERS] = {counts->requests, counts->sectors, counts->lines,   counts->bytes,
                                     counts->useful,   counts->lanes,   counts->padding, counts->conflicts};
    for (int k = 0; k < NUMBERS; k++)
        sum[k] += by * (double)number[k];
}

static void forget(struct tracer *tracer)
{
    memset(tracer->count, 0, sizeof tracer->count);
}

/* Stratum h has N blocks and W warps. Two of the blocks are drawn, each pair equally probable; with w1 and w2
 * warps and y1 and y2 of whatever is counted, the ratio estimate (Cochran, chapter 6) of the stratum's total
 * is
 *
 *     Y = W R,    R = (y1 + y2) / (w1 + w2)
 *
 * Blocks of unequal size are the last ones of launches; all others have w = COALESCING_BLOCK. The variance of
 * the estimate from n = 2 of N blocks is about
 *
 *     var Y = N^2 (1 - n/N) / n * sum over k of (y_k - R w_k)^2 / (n - 1)        (Cochran, section 6.4)
 *
 * 1 - n/N is the correction for a finite population: if both blocks of two are drawn, nothing is uncertain.
 * The two residuals y_k - R w_k add up to 0, so that with e = y1 - R w1 the sum is 2 e^2 and
 *
 *     var Y = N^2 (1 - 2/N) e^2 */
static void replay_stratum(const struct launch *launch, const struct plan *plan, int64_t h, struct mine *mine)
{
    struct found *found = &mine->part[DRAWN];
    const struct sample *sample = &plan->sample;
    int64_t first = sample_first(sample, h), end = sample_first(sample, h + 1);
    int64_t blocks = end - first, chosen[2], warps[2], before = found->replayed;
    double whole_stratum = 0, sectors[2], n = (double)blocks;
    for (int64_t k = first; k < end; k++)
        whole_stratum += (double)sample_warps(sample, sample->rest[k]);
    chosen[0] = (int64_t)(random_of(plan->seed, 2 * (uint64_t)h) % (uint64_t)blocks);
    chosen[1] = (int64_t)(random_of(plan->seed, 2 * (uint64_t)h + 1) % (uint64_t)(blocks - 1));
    if (chosen[1] >= chosen[0]) chosen[1]++;
    forget(&found->tracer);
    for (int k = 0; k < 2; k++) {
        double sum = k ? sectors[0] : 0;
        replay_block(launch, plan, sample->rest[first + chosen[k]], found);
        sectors[k] = (double)sectors_of(&found->tracer) - sum;
        warps[k] = found->replayed - before - (k ? warps[0] : 0);
    }
    double some = (double)(warps[0] + warps[1]);
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++)
            scale(plan->scaled[h][a][o], &found->tracer.count[a][o], whole_stratum / some);
    double rest = sectors[0] - (sectors[0] + sectors[1]) / some * (double)warps[0];
    plan->variance[h] = n * n * (1 - 2 / n) * rest * rest;
    mine->drawn += warps[0] + warps[1];
    mine->strata += whole_stratum;
}

/* The 97.5% point of Student's t distribution with d >= 2 degrees of freedom, from z, that of the normal
 * distribution: the expansion
 *
 *     z + (z^3 + z) / (4 d) + (5 z^5 + 16 z^3 + 3 z) / (96 d^2)
 *       + (3 z^7 + 19 z^5 + 17 z^3 - 15 z) / (384 d^3)
 *
 * (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5), which is 3% too low for d = 2 and 0.4%
 * for d = 4. */
static double student(double degrees)
{
    const double z = 1.959964, z2 = z * z;
    return z * (1 + (z2 + 1) / (4 * degrees) + ((5 * z2 + 16) * z2 + 3) / (96 * degrees * degrees) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * degrees * degrees * degrees));
}

static int64_t whole(double number)
{
    return (int64_t)llround(number);
}

/* The counts of blocks that represent only themselves, over all threads. */
static void add_up(const struct mine *found, int threads, struct coalescing *out)
{
    struct tracer all = {0};
    for (int t = 0; t < threads; t++)
        trace_add(&all, &found[t].part[ITSELF].tracer);
    memcpy(out->count, all.count, sizeof out->count);
}

/* If a sample was replayed, the strata's estimates are added to the counts of blocks that are certain, and
 * the variance is the sum of theirs, since strata are drawn independently. They are added in the order of the
 * strata, so that the result does not depend on the threads. Half of the confidence interval is t
 * sqrt(variance), where t has a degree of freedom for each stratum, n - 1 = 1 (Cochran, section 5.4). */
static void estimate(const struct plan *plan, struct coalescing *out)
{
    double variance = 0, sectors = 0;
    sums sum = {{{0}}};
    for (int64_t h = 0; h < plan->sample.strata; h++) {
        for (int k = 0; k < ACCESSES * OPERANDS * NUMBERS; k++)
            (&sum[0][0][0])[k] += (&plan->scaled[h][0][0][0])[k];
        variance += plan->variance[h];
    }
    for (int a = 0; a < ACCESSES; a++) {
        for (int o = 0; o < OPERANDS; o++) {
            double *s = sum[a][o];
            scale(s, &out->count[a][o], 1);
            out->count[a][o] = (struct trace_counts){whole(s[0]), whole(s[1]), whole(s[2]), whole(s[3]),
                                                     whole(s[4]), whole(s[5]), whole(s[6]), whole(s[7])};
            sectors += s[1];
        }
    }
    bool enough = plan->sample.strata >= 2 && sectors > 0;
    out->error = enough ? student((double)plan->sample.strata) * sqrt(variance) / sectors : NAN;
}

/* The counts of launch s in a part, over all threads. */
static struct coalescing_launch launch_of(const struct mine *found, int threads, int64_t s, enum part part)
{
    struct coalescing_launch sum = {0};
    for (int t = 0; t < threads; t++) {
        const struct coalescing_launch *more = &found[t].part[part].launch[s];
        sum.replayed += more->replayed;
        sum.requests += more->requests;
        sum.shared += more->shared;
        take_longest(&sum, more->longest, more->longest_warp);
        sum.longest_shared = max(sum.longest_shared, more->longest_shared);
    }
    return sum;
}

/* The launches over all threads; warps that were left out are assumed to be like those drawn. */
static void gather_launches(const struct plan *plan, const struct mine *found, int threads,
                            struct coalescing_launch *launches)
{
    for (int64_t s = 0; s < plan->sample.count; s++) {
        struct coalescing_launch sum = launch_of(found, threads, s, ITSELF);
        struct coalescing_launch drawn = launch_of(found, threads, s, DRAWN);
        sum.warps = plan->sample.stages[s].warps;
        if (drawn.replayed > 0) {
            double by = (double)(sum.warps - sum.replayed) / (double)drawn.replayed;
            sum.requests += whole(by * (double)drawn.requests);
            sum.shared += whole(by * (double)drawn.shared);
        }
        sum.replayed += drawn.replayed;
        take_longest(&sum, drawn.longest, drawn.longest_warp);
        sum.longest_shared = max(sum.longest_shared, drawn.longest_shared);
        launches[s] = sum;
    }
}

/* The number of memory lines of y. */
static size_t lines_of_y(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    size_t size = (size_t)value_width(storage->precision, storage->complex);
    return ((size_t)storage->rows * size + LINE - 1) / LINE;
}

static void gather(const struct plan *plan, const struct mine *found, int threads, struct coalescing *out)
{
    add_up(found, threads, out);
    if (plan->sample.strata) estimate(plan, out);
    for (int t = 0; t < threads; t++)
        out->replayed += found[t].part[ITSELF].replayed + found[t].part[DRAWN].replayed;
    out->warps = plan->sample.warps;
    out->share = out->warps > 0 ? (double)out->replayed / (double)out->warps : 1;
}

/* Each thread has its own tables of launches; all threads share the tables of the lines of y. */
static struct mine *make_found(const struct launch *launch, const struct plan *plan, int threads,
                               struct error *error)
{
    size_t lines = lines_of_y(launch), stages = (size_t)plan->sample.count;
    struct mine *found = memory_zeroed((size_t)threads, sizeof *found, error);
    struct coalescing_launch *table =
        found ? memory_zeroed((size_t)threads * PARTS * stages, sizeof *table, error) : NULL;
    uint32_t *additions = table ? memory_zeroed(PARTS * lines, sizeof *additions, error) : NULL;
    if (!additions) {
        free(table);
        free(found);
        return NULL;
    }
    for (int t = 0; t < threads; t++)
        for (int p = 0; p < PARTS; p++) {
            found[t].part[p].launch = table + (size_t)(t * PARTS + p) * stages;
            found[t].part[p].tracer.lines = additions + (size_t)p * lines;
        }
    return found;
}

static void free_found(struct mine *found)
{
    if (!found) return;
    free(found[0].part[0].tracer.lines);
    free(found[0].part[0].launch);
    free(found);
}

/* The warps that run at the same time: blocks first .. end-1. */
struct turn {
    int64_t first, end;
};

/* The turn that begins with block `first`, of TURN_PLACES times `places` warps of its stage, or all if that
 * is 0. */
static struct turn turn_from(const struct launch *launch, const struct plan *plan, const int64_t *places,
                             int64_t first)
{
    const struct sample_stage *stage = sample_stage_of(&plan->sample, first);
    int64_t blocks = (stage->warps + COALESCING_BLOCK - 1) / COALESCING_BLOCK;
    int64_t end = stage->blocks_before + blocks, wide = blocks;
    if (places && places[stage->number] > 0)
        wide = max((TURN_PLACES * places[stage->number] + COALESCING_BLOCK - 1) / COALESCING_BLOCK,
                   blocks * (int64_t)lines_of_y(launch) / TURN_LINES);
    return (struct turn){first, min(end, first + max(wide, 1))};
}

/* The number of elements of the ascending blocks[0..count-1] that are less than b. */
static int64_t before(const int64_t *blocks, int64_t count, int64_t b)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (blocks[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number of strata that begin before block b. */
static int64_t strata_before(const struct sample *sample, int64_t b)
{
    int64_t low = 0, high = sample->strata;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sample->rest[sample_first(sample, middle)] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Replay the blocks of a turn that represent only themselves, and then the strata that begin in it. */
static void replay_turn(const struct launch *launch, const struct plan *plan, struct turn turn,
                        struct mine *found, int threads, struct progress *progress)
{
    const struct sample *sample = &plan->sample;
    const int64_t *certain = sample->strata ? sample->certain : NULL;
    int64_t block = certain ? before(certain, sample->certain_count, turn.first) : turn.first;
    int64_t blocks = (certain ? before(certain, sample->certain_count, turn.end) : turn.end) - block;
    int64_t stratum = strata_before(sample, turn.first);
    int64_t pieces = blocks + strata_before(sample, turn.end) - stratum;
#pragma omp parallel num_threads(threads) if (pieces > 1 && launch->storage->nnz > PARALLEL_MIN)
    {
        struct mine *mine = &found[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < pieces; k++) {
            if (progress_cancelled(progress)) continue;
            if (k < blocks)
                replay_block(launch, plan, certain ? certain[block + k] : block + k, &mine->part[ITSELF]);
            else
                replay_stratum(launch, plan, stratum + k - blocks, mine);
            progress_add(progress, 1);
        }
    }
}

/* The most additions of a turn to one line, where drawn warps represent the warps of their strata. The tables
 * are cleared for the next turn. */
static double hottest_of_turn(const struct launch *launch, struct mine *found, int threads)
{
    uint32_t *itself = found[0].part[ITSELF].tracer.lines, *drawn = found[0].part[DRAWN].tracer.lines;
    int64_t lines = (int64_t)lines_of_y(launch), replayed = 0;
    double most = 0, strata = 0;
    for (int t = 0; t < threads; t++) {
        replayed += found[t].drawn;
        strata += found[t].strata;
        found[t].drawn = 0;
        found[t].strata = 0;
    }
    double by = replayed > 0 ? strata / (double)replayed : 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (lines > PARALLEL_MIN)
    for (int64_t k = 0; k < lines; k++) {
        most = fmax(most, (double)itself[k] + by * (double)drawn[k]);
        itself[k] = drawn[k] = 0;
    }
    return most;
}

/* Replay turn after turn. After a turn without additions, the rest of the launch is one turn, since most
 * kernels do not add. Returns the sum over the turns of the most additions to one line. */
static double replay(const struct launch *launch, const struct plan *plan, const int64_t *places,
                     struct mine *found, int threads, struct progress *progress)
{
    const struct sample *sample = &plan->sample;
    double hottest = 0, most = 1;
    progress_phase(progress, "replaying warps",
                   sample->strata ? sample->certain_count + sample->strata : sample->blocks);
    for (int64_t b = 0; b < sample->blocks && !progress_cancelled(progress);) {
        bool begins = sample_stage_of(sample, b)->blocks_before == b;
        struct turn turn = turn_from(launch, plan, begins || most > 0 ? places : NULL, b);
        replay_turn(launch, plan, turn, found, threads, progress);
        most = hottest_of_turn(launch, found, threads);
        hottest += most;
        b = turn.end;
    }
    return hottest;
}

enum status coalescing_count_turns(const struct launch *launch, double share, uint64_t seed,
                                   const int64_t *places, struct coalescing *coalescing,
                                   struct coalescing_launch *launches, struct progress *progress,
                                   struct error *error)
{
    struct plan plan;
    int threads = threads_count();
    *coalescing = (struct coalescing){0};
    enum status status = make_plan(launch, share, seed, &plan, error);
    struct mine *found = status == STATUS_OK ? make_found(launch, &plan, threads, error) : NULL;
    if (!found) {
        free_plan(&plan);
        return STATUS_MEMORY;
    }
    double hottest = replay(launch, &plan, places, found, threads, progress);
    status = progress_status(progress, error);
    if (status == STATUS_OK) {
        gather(&plan, found, threads, coalescing);
        coalescing->hottest = whole(hottest);
    }
    if (status == STATUS_OK && launches) gather_launches(&plan, found, threads, launches);
    free_found(found);
    free_plan(&plan);
    return status;
}

enum status coalescing_count(const struct launch *launch, double share, uint64_t seed,
                             struct coalescing *coalescing, struct coalescing_launch *launches,
                             struct progress *progress, struct error *error)
{
    return coalescing_count_turns(launch, share, seed, NULL, coalescing, launches, progress, error);
}

int64_t coalescing_warp_requests(const struct launch *launch, int64_t s, int64_t warp)
{
    struct tracer tracer = {.now = 0};
    trace_warp(launch, s, warp, &tracer);
    return asked_of(&tracer).memory;
}

struct trace_counts coalescing_sum(const struct coalescing *coalescing, enum access access)
{
    struct tracer sum = {0}, more = {0};
    for (int o = 0; o < OPERANDS; o++) {
        if (o == OPERAND_SHARED) continue;
        more.count[0][0] = coalescing->count[access][o];
        trace_add(&sum, &more);
    }
    return sum.count[0][0];
}

static double moved(const struct trace_counts *counts, int granule)
{
    return granule == 32 ? 32 * (double)counts->sectors : 128 * (double)counts->lines;
}

double coalescing_efficiency(const struct trace_counts *counts, int granule)
{
    return counts->useful < 0 ? NAN : share_of((double)counts->useful, moved(counts, granule));
}

struct trace_counts coalescing_sum_of_all(const struct coalescing *coalescing)
{
    struct tracer all = {0}, more = {0};
    for (int a = 0; a < ACCESSES; a++) {
        more.count[0][0] = coalescing_sum(coalescing, (enum access)a);
        trace_add(&all, &more);
    }
    return all.count[0][0];
}

double coalescing_sectors_per_request(const struct trace_counts *counts)
{
    return counts->requests > 0 && counts->sectors > 0 ? (double)counts->sectors / (double)counts->requests
                                                       : NAN;
}

double coalescing_efficiency_of_all(const struct coalescing *coalescing, int granule)
{
    const struct trace_counts all = coalescing_sum_of_all(coalescing);
    return coalescing_efficiency(&all, granule);
}

double coalescing_lane_utilisation(const struct coalescing *coalescing)
{
    const struct trace_counts loads = coalescing_sum(coalescing, ACCESS_LOAD);
    const double at_work = (double)(loads.lanes - loads.padding);
    return loads.requests > 0 ? at_work / (TRACE_LANES * (double)loads.requests) : NAN;
}

double coalescing_padding(const struct trace_counts *counts)
{
    return share_of((double)counts->padding, (double)counts->lanes);
}

int64_t coalescing_bank_conflicts(const struct coalescing *coalescing)
{
    int64_t sum = 0;
    for (int a = 0; a < ACCESSES; a++)
        sum += coalescing->count[a][OPERAND_SHARED].conflicts;
    return sum;
}
