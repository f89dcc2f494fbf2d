#include "kernels/timing/processor_sure.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "base/memory.h"
#include "base/range.h"
#include "kernels/timing/processor_parts.h"

/* Bounds of plausible numbers. */

/* The system wakes a sleeping thread within 50 us, and each further one within 2 us. 171 us were measured on
 * a machine whose processors were busy. */
#define WAKE_MOST 50e-6
#define WAKE_MOST_THREAD 2e-6
#define WAKE_LEAST 10e-9 /* no signal between cores is faster */
#define ALONE_MOST 20e-6 /* a region of one thread wakes nobody */

/* One thread: at most 4 vectors of 64 bytes in each of 6e9 cycles a second; and even single-board computers
 * with one memory channel exceed 200 MB/s. */
#define READ_LEAST 2e8
#define READ_MOST 1.5e12

/* Bandwidth of all threads / that of one thread alone. They share the bandwidth available to one, so that a
 * lower ratio means that other work had the processors. */
#define TOGETHER_LEAST 0.7
#define TOGETHER_MOST 1.5 /* maximum of bandwidth per thread / that of the fastest single thread */

#define FURTHER_MOST 1.6 /* maximum of bandwidth in a larger memory / that in a smaller one */

/* A random load: at least 0.1 ns, since it takes a cycle, and at most 2 us, the latency of another node's
 * memory under full load. */
#define FAR_LEAST 1e-10
#define FAR_MOST 2e-6

/* A row: at most 1 us and 40 ns a slot, as if each missed the first-level cache; and at least 0.01 ns a slot,
 * which is 16 a cycle at 6 GHz. */
#define ROW_MOST 1e-6
#define SLOT_MOST 40e-9
#define SLOT_LEAST 1e-11

/* Minimum of a row's time / that of a row with fewer slots. From 16 slots on, COO uses another loop, which
 * takes half the time of 12 slots. */
#define SHORTER_LEAST 0.3

static bool within(double value, double least, double most)
{
    return value >= least && value <= most;
}

static double wake_most(const struct processor *processor)
{
    return WAKE_MOST + WAKE_MOST_THREAD * processor->threads;
}

static bool good_wake(const struct processor *processor)
{
    return within(processor->wake, WAKE_LEAST, wake_most(processor));
}

static bool good_read(const struct processor *p, int many, int k)
{
    double fastest = 0;
    for (int j = 0; j < PROCESSOR_SIZES; j++)
        fastest = fmax(fastest, p->read[0][j]);
    if (many)
        return within(p->read[1][k], TOGETHER_LEAST * p->read[0][k],
                      fmax(1, p->threads) * TOGETHER_MOST * fastest);
    return within(p->read[0][k], READ_LEAST, READ_MOST) &&
           (k == 0 || p->read[0][k] <= FURTHER_MOST * p->read[0][k - 1]);
}

static bool good_row(const struct loop_pace *loop, int l)
{
    const double slots = processor_length[l];
    return within(loop->row[l], SLOT_LEAST * slots, ROW_MOST + SLOT_MOST * slots) &&
           (l == 0 || loop->row[l] >= SHORTER_LEAST * loop->row[l - 1]);
}

static const char *size_name(int k, char out[16])
{
    const size_t kib = PROCESSOR_FIRST >> 10 << 2 * k;
    snprintf(out, 16, kib < 1024 ? "%zu KiB" : "%zu MiB", kib < 1024 ? kib : kib >> 10);
    return out;
}

static bool implausible_memory(const struct processor *processor, char out[PROCESSOR_WORDS])
{
    char size[16];
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_SIZES; k++) {
            const char *who = many ? "all threads" : "one thread";
            if (!good_read(processor, many, k)) {
                snprintf(out, PROCESSOR_WORDS, "reading %s with %s came out as %.3g GB/s, which %s",
                         size_name(k, size), who, 1e-9 * processor->read[many][k],
                         many ? "does not fit the bandwidth of one thread" : "is implausible");
                return true;
            }
            if (!within(processor->far[many][k], FAR_LEAST, FAR_MOST)) {
                snprintf(out, PROCESSOR_WORDS, "a load at random in %s with %s came out as %.3g ns",
                         size_name(k, size), who, 1e9 * processor->far[many][k]);
                return true;
            }
        }
    return false;
}

bool processor_implausible(const struct processor *processor, char out[PROCESSOR_WORDS])
{
    if (!good_wake(processor) || !within(processor->alone, 0, ALONE_MOST)) {
        bool alone = good_wake(processor);
        snprintf(out, PROCESSOR_WORDS, "%s came out as %.3g us, but at most %.3g us are plausible",
                 alone ? "a region of one thread" : "waking the threads",
                 1e6 * (alone ? processor->alone : processor->wake),
                 1e6 * (alone ? ALONE_MOST : wake_most(processor)));
        return true;
    }
    if (implausible_memory(processor, out)) return true;
    for (int k = 0; k < processor->loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            if (!good_row(&processor->loop[k], l)) {
                snprintf(out, PROCESSOR_WORDS, "a row of %d slots of %s came out as %.3g ns",
                         processor_length[l], processor->loop[k].name, 1e9 * processor->loop[k].row[l]);
                return true;
            }
    return false;
}

/* Replace implausible numbers. */
void processor_mend(struct processor *processor)
{
    int wrong = 0;
    const struct processor found = *processor; /* plausibility depends on numbers that are replaced below */
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_SIZES; k++) {
            bool good = good_read(&found, many, k), far = within(found.far[many][k], FAR_LEAST, FAR_MOST);
            wrong += !good + !far;
            if (!good) processor->read[many][k] = 0;
            if (!far) processor->far[many][k] = 0;
        }
    wrong += !good_wake(processor) + !within(processor->alone, 0, ALONE_MOST);
    if (!good_wake(processor)) processor->wake = 0;
    if (!within(processor->alone, 0, ALONE_MOST)) processor->alone = 0;
    for (int k = 0; k < processor->loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            if (!good_row(&processor->loop[k], l)) {
                processor->loop[k].row[l] = 0;
                wrong++;
            }
    /* Products of large matrices last longer than a thread's time slice on a busy machine: streaming factors
     * cannot be measured then. */
    const bool busy = processor->complete && load_is_busy(processor->load, processor->threads);
    for (int k = 0; k < processor->loops && busy; k++)
        memset(processor->loop[k].beyond, 0, sizeof processor->loop[k].beyond);
    for (int many = 0; many < 2 && busy; many++)
        memset(processor->whole[many], 0, sizeof processor->whole[many]);
    if (busy) processor->complete = false;
    if (wrong > 0 || busy) processor_fill(processor);
    processor->mended += wrong;
}

const char *processor_doubt(const struct processor *processor, char out[PROCESSOR_WORDS])
{
    out[0] = 0;
    if (processor->assumed)
        snprintf(out, PROCESSOR_WORDS, "nothing was measured");
    else if (processor->mended > 0)
        snprintf(out, PROCESSOR_WORDS, "%d of its numbers were implausible and are assumed instead",
                 processor->mended);
    else if (load_is_busy(processor->load, processor->threads))
        snprintf(out, PROCESSOR_WORDS, "other programs kept %.2g of %d processors busy", processor->load,
                 processor->threads);
    else if (isnan(processor->spread))
        snprintf(out, PROCESSOR_WORDS, "the repeatability of its times is unknown");
    else if (processor->spread > PROCESSOR_SPREAD)
        snprintf(out, PROCESSOR_WORDS, "its times repeat within %.0f%% only", 100 * processor->spread);
    return out;
}

const char *processor_say(const struct processor *processor, char out[PROCESSOR_WORDS])
{
    if (processor->assumed) {
        snprintf(out, PROCESSOR_WORDS, "not measured: assumed from another processor");
        return out;
    }
    int used =
        snprintf(out, PROCESSOR_WORDS, "measured %s%s, %d time%s", processor->complete ? "" : "quickly ",
                 processor->date, processor->measurements, processor->measurements == 1 ? "" : "s");
    if (isfinite(processor->load))
        used +=
            snprintf(out + used, PROCESSOR_WORDS - (size_t)used,
                     "; other programs kept %.2g of %d processors busy", processor->load, processor->threads);
    if (isfinite(processor->spread))
        used += snprintf(out + used, PROCESSOR_WORDS - (size_t)used, "; times repeat within %.0f%%",
                         100 * processor->spread);
    if (processor->mended > 0)
        snprintf(out + used, PROCESSOR_WORDS - (size_t)used, "; %d numbers are assumed", processor->mended);
    return out;
}

/* The loop of the same name and precision; NULL if there is none. */
static struct loop_pace *same_loop(struct processor *processor, const struct loop_pace *loop)
{
    for (int k = 0; k < processor->loops; k++)
        if (processor->loop[k].precision == loop->precision &&
            strcmp(processor->loop[k].name, loop->name) == 0)
            return &processor->loop[k];
    return NULL;
}

void processor_inherit(struct processor *processor, const struct processor *other)
{
    if (!other->complete || processor->complete) return;
    for (int k = 0; k < other->loops; k++) {
        struct loop_pace *loop = same_loop(processor, &other->loop[k]);
        if (!loop) continue;
        memcpy(loop->beyond, other->loop[k].beyond, sizeof loop->beyond);
        memcpy(loop->uneven[1], other->loop[k].uneven[1], sizeof loop->uneven[1]);
    }
    for (int many = 0; many < 2; many++) /* except the first size, which the quick measurement has, too */
        memcpy(&processor->whole[many][1], &other->whole[many][1], (PROCESSOR_WHOLES - 1) * sizeof(double));
    processor->complete = true;
    processor->derived = other->derived;
}

static void merge_loop(struct loop_pace *loop, const struct loop_pace *other, struct spreads *spreads)
{
    for (int l = 0; l < PROCESSOR_LENGTHS; l++) {
        spreads_add(spreads, fmin(loop->row[l], other->row[l]), fmax(loop->row[l], other->row[l]));
        loop->row[l] = fmin(loop->row[l], other->row[l]);
    }
    for (int m = 0; m < PROCESSOR_MEANS; m++)
        for (int k = 0; k < 2; k++)
            loop->uneven[k][m] = fmin(loop->uneven[k][m], other->uneven[k][m]);
}

void processor_merge(struct processor *processor, const struct processor *other)
{
    struct spreads spreads = {.count = 0};
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_SIZES; k++) {
            processor->read[many][k] = fmax(processor->read[many][k], other->read[many][k]);
            processor->far[many][k] = fmin(processor->far[many][k], other->far[many][k]);
        }
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        processor->store[k] = fmin(processor->store[k], other->store[k]);
    processor->moved = fmin(processor->moved, other->moved);
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_WHOLES; k++)
            processor->whole[many][k] = fmin(processor->whole[many][k], other->whole[many][k]);
    processor->wake = fmin(processor->wake, other->wake);
    processor->alone = fmin(processor->alone, other->alone);
    processor_inherit(processor, other);
    for (int k = 0; k < other->loops; k++) {
        struct loop_pace *loop = same_loop(processor, &other->loop[k]);
        if (loop)
            merge_loop(loop, &other->loop[k], &spreads);
        else if (processor->loops < PROCESSOR_LOOPS)
            processor->loop[processor->loops++] = other->loop[k];
    }
    processor->spread = fmax(processor->spread, spreads_most(&spreads));
    processor->load = fmin(processor->load, other->load);
    processor->measurements += other->measurements;
    if (processor->mended > other->mended) processor->mended = other->mended;
}

/* Set each of `numbers` numbers at this offset of *to to the median of those of the passes. */
static void take_medians(const struct processor *passes, int count, size_t place, size_t numbers,
                         struct processor *to)
{
    for (size_t n = 0; n < numbers; n++) {
        double some[PROCESSOR_TIMES], middle;
        for (int k = 0; k < count; k++)
            memcpy(&some[k], (const char *)&passes[k] + place + n * sizeof(double), sizeof(double));
        qsort(some, (size_t)count, sizeof *some, compare_doubles);
        middle = (some[(count - 1) / 2] + some[count / 2]) / 2;
        memcpy((char *)to + place + n * sizeof(double), &middle, sizeof(double));
    }
}

void processor_typical(const struct processor *passes, int count, struct processor *processor)
{
#define MEDIANS(member)                                                                                     \
    take_medians(passes, count, offsetof(struct processor, member), sizeof passes->member / sizeof(double), \
                 processor)
    *processor = passes[count - 1];
    MEDIANS(wake);
    MEDIANS(alone);
    MEDIANS(read);
    MEDIANS(far);
    MEDIANS(store);
    MEDIANS(moved);
    MEDIANS(whole);
    MEDIANS(spread);
    processor->measurements = count;
    for (int l = 0; l < processor->loops; l++) {
        const size_t place = offsetof(struct processor, loop) + (size_t)l * sizeof passes->loop[0];
        bool same = true; /* passes measure the same loops in the same order, unless memory was short */
        for (int k = 0; k < count; k++)
            same = same && passes[k].loop[l].precision == processor->loop[l].precision &&
                   strcmp(passes[k].loop[l].name, processor->loop[l].name) == 0;
        if (!same) continue;
        take_medians(passes, count, place + offsetof(struct loop_pace, row), PROCESSOR_LENGTHS, processor);
        take_medians(passes, count, place + offsetof(struct loop_pace, uneven), 2 * PROCESSOR_MEANS,
                     processor);
        take_medians(passes, count, place + offsetof(struct loop_pace, beyond),
                     (sizeof processor->loop[l].beyond) / (sizeof(double)), processor);
    }
}

/* Measure completely up to `times` times. *sure becomes the number of passes without a doubt, which
 * come first; *merged the best of the others. */
static enum status measure_passes(struct processor *passes, int times, int *sure, struct processor *merged,
                                  size_t limit, struct progress *progress, struct error *error)
{
    struct processor again;
    char doubt[PROCESSOR_WORDS];
    enum status status = STATUS_OK;
    const double last = clock_seconds() + PROCESSOR_LAST;
    for (int k = 0; k < times && status == STATUS_OK && (k == 0 || clock_seconds() < last); k++) {
        const double end = clock_seconds() + PROCESSOR_PATIENCE;
        if (k > 0) progress_phase(progress, "waiting until the machine is quiet", 0);
        while (k > 0 && load_is_busy(load_now(0.5), merged->threads) && clock_seconds() < end &&
               !progress_cancelled(progress))
            continue;
        status = processor_measure(&again, true, limit, progress, error);
        if (status != STATUS_OK) break;
        processor_mend(&again);
        if (!processor_doubt(&again, doubt)[0]) {
            passes[(*sure)++] = again;
            continue;
        }
        if (merged->there) processor_merge(&again, merged);
        *merged = again;
    }
    return status;
}

enum status processor_calibrate(struct processor *processor, int times, size_t limit,
                                struct progress *progress, struct error *error)
{
    struct processor merged = {.there = false};
    struct processor *passes = memory_array(PROCESSOR_TIMES, sizeof *passes, error);
    int sure = 0;
    *processor = merged;
    if (!passes) return STATUS_MEMORY;
    processor_identify(&merged);
    enum status status = measure_passes(passes, times, &sure, &merged, limit, progress, error);
    if (status == STATUS_OK && sure > 0)
        processor_typical(passes, sure, processor);
    else if (status == STATUS_OK)
        *processor = merged;
    free(passes);
    return status;
}

struct processor_probe processor_probe(void)
{
    const struct kernel *kernel = NULL;
    struct processor_probe probe = {.read = processor_read_now((size_t)1 << 16)};
    for (int k = 0; kernels[k] && !kernel; k++)
        if (backend_is_own(kernels[k]->backend) && strcmp(kernels[k]->name, "csr-omp") == 0)
            kernel = kernels[k];
    probe.row[0] = kernel ? processor_row_seconds(kernel, 8) : NAN;
    probe.row[1] = kernel ? processor_row_seconds(kernel, 32) : NAN;
    return probe;
}

bool processor_disagrees(const struct processor *processor, const struct processor_probe *probe)
{
    static const int length[2] = {8, 32};
    for (int k = 0; k < processor->loops; k++) {
        const struct loop_pace *loop = &processor->loop[k];
        if (loop->precision != PRECISION_F64 || strcmp(loop->name, "csr-omp") != 0) continue;
        for (int r = 0; r < 2; r++)
            if (loop_row(loop, length[r]) > PROCESSOR_APART * probe->row[r]) return true;
    }
    return processor_read(processor, 1, 65536) * PROCESSOR_APART < probe->read;
}
