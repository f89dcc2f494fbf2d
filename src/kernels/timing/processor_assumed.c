/* The assumed profile for processors, or for numbers of them, that were not measured: a compiled-in profile,
 * adapted to this machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/range.h"
#include "kernels/timing/processor_parts.h"

/* A parallel region of n threads takes WAKE + n WAKE_THREAD seconds. This is within a factor of two of
 * libgomp's on machines of 2 to 64 cores. */
#define WAKE 0.5e-6
#define WAKE_THREAD 0.15e-6

/* Up to this size for each thread, a cache is assumed to be private to a core: n threads read n times as fast
 * as one does in its share. */
#define OWN_BYTES ((size_t)1 << 20)

/* The bandwidth of all threads that together read memory of the k-th size. */
static double together(const struct processor *one, int threads, int k)
{
    const size_t bytes = PROCESSOR_FIRST << 2 * k;
    const double shared = one->read[0][k] * fmin(threads, PROCESSOR_CHANNELS);
    if (bytes > OWN_BYTES * (size_t)threads) return shared;
    int share = k;
    for (size_t n = (size_t)threads; n >= 4 && share > 0; n /= 4)
        share--;
    return fmax(shared, threads * one->read[0][share]);
}

void processor_assume(struct processor *processor)
{
    struct processor here = {.there = false};
    const struct processor_text *text = &processor_texts[0];
    processor_identify(&here);
    processor_read_profile(text->text, strlen(text->text), text->name, processor, NULL);
    processor->assumed = true;
    processor->complete = false;
    processor->measurements = 0;
    processor->load = processor->spread = NAN;
    processor->date[0] = 0;
    memcpy(processor->title, here.title, sizeof processor->title);
    memcpy(processor->isa, here.isa, sizeof processor->isa);
    processor->threads = here.threads;
    processor->wake = here.threads > 1 ? WAKE + WAKE_THREAD * here.threads : processor->alone;
    for (int k = 0; k < PROCESSOR_SIZES; k++) {
        processor->read[1][k] = together(processor, here.threads, k);
        processor->far[1][k] = processor->far[0][k];
    }
}

static const struct loop_pace *same_loop(const struct processor *processor, const struct loop_pace *loop)
{
    for (int k = 0; k < processor->loops; k++)
        if (processor->loop[k].precision == loop->precision &&
            strcmp(processor->loop[k].name, loop->name) == 0)
            return &processor->loop[k];
    return NULL;
}

static double median(double *numbers, int count)
{
    if (count == 0) return 1;
    qsort(numbers, (size_t)count, sizeof *numbers, compare_doubles);
    return numbers[count / 2];
}

/* The median of measured / assumed times of loops; 1 if none was measured. */
static double slowness(const struct processor *processor, const struct processor *assumed)
{
    double ratio[PROCESSOR_LOOPS];
    int count = 0;
    for (int k = 0; k < processor->loops; k++) {
        const struct loop_pace *other = same_loop(assumed, &processor->loop[k]);
        double measured = processor->loop[k].row[PROCESSOR_LENGTHS / 2];
        if (other && measured > 0) ratio[count++] = measured / other->row[PROCESSOR_LENGTHS / 2];
    }
    return median(ratio, count);
}

/* Replace numbers that are 0 by the assumed ones x the median ratio of the others, or x `times` without
 * others. Returns the ratio. */
static double fill_numbers(double *numbers, const double *assumed, int count, double times)
{
    double ratio[PROCESSOR_SIZES];
    int known = 0;
    for (int k = 0; k < count; k++)
        if (numbers[k] > 0) ratio[known++] = numbers[k] / assumed[k];
    if (known > 0) times = median(ratio, known);
    for (int k = 0; k < count; k++)
        if (!(numbers[k] > 0)) numbers[k] = times * assumed[k];
    return times;
}

/* Fill in the streaming and scattered-load factors of a loop. */
static void fill_factors(struct loop_pace *loop, const struct loop_pace *assumed)
{
    for (int level = 0; level < PROCESSOR_LEVELS; level++) {
        struct loop_factors *at = &loop->beyond[level];
        const struct loop_factors *other = assumed ? &assumed->beyond[level] : NULL;
        for (int many = 0; many < 2; many++)
            if (!(at->stream[many] > 0)) at->stream[many] = other ? other->stream[many] : 1;
        if (!(at->scattered > 0)) at->scattered = other ? other->scattered : 1;
    }
}

static void fill_loops(struct processor *processor, const struct processor *assumed)
{
    const double times = slowness(processor, assumed);
    for (int k = 0; k < processor->loops; k++) {
        struct loop_pace *loop = &processor->loop[k];
        const struct loop_pace *other = same_loop(assumed, loop);
        for (int l = 0; l < PROCESSOR_LENGTHS && other; l++)
            if (!(loop->row[l] > 0)) loop->row[l] = times * other->row[l];
        for (int m = 0; m < PROCESSOR_MEANS && other && !processor->complete; m++)
            loop->uneven[1][m] = fmax(loop->uneven[0][m], times * other->uneven[1][m]);
        fill_factors(loop, other);
    }
    for (int k = 0; k < assumed->loops && processor->loops < PROCESSOR_LOOPS; k++) {
        if (same_loop(processor, &assumed->loop[k])) continue;
        struct loop_pace *loop = &processor->loop[processor->loops++];
        *loop = assumed->loop[k];
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            loop->row[l] *= times;
        for (int m = 0; m < PROCESSOR_MEANS; m++) {
            loop->uneven[0][m] *= times;
            loop->uneven[1][m] *= times;
        }
    }
}

void processor_fill(struct processor *processor)
{
    struct processor assumed;
    processor_assume(&assumed);
    double read = 1, far = 1; /* all threads are assumed to have the same ratio as one */
    for (int many = 0; many < 2; many++) {
        read = fill_numbers(processor->read[many], assumed.read[many], PROCESSOR_SIZES, read);
        far = fill_numbers(processor->far[many], assumed.far[many], PROCESSOR_SIZES, far);
        fill_numbers(processor->whole[many], assumed.whole[many], PROCESSOR_WHOLES, 1);
    }
    fill_numbers(processor->store, assumed.store, PROCESSOR_SIZES, far);
    if (!(processor->moved > 0)) processor->moved = assumed.moved * far;
    if (!(processor->wake > 0)) processor->wake = assumed.wake;
    if (!(processor->alone > 0)) processor->alone = assumed.alone;
    fill_loops(processor, &assumed);
}
