/* The factors of loops on matrices beyond a core's caches: limited, and shared among parameters of a kernel.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/range.h"
#include "kernels/timing/processor_parts.h"

#define FACTOR_APART \
    1.25 /* maximum ratio of a factor to the median of similar loops, and of the median to it */

/* Return true if two loops belong to the same kernel, with any parameters. */
static bool same_kernel(const struct loop_pace *a, const struct loop_pace *b)
{
    size_t length = strcspn(a->name, ":");
    return length == strcspn(b->name, ":") && strncmp(a->name, b->name, length) == 0;
}

/* Fill in the factors of a level that are 0 from those of the other loop. */
static void share_level(const struct loop_factors *other, bool same, struct loop_factors *first)
{
    for (int many = 0; many < 2; many++)
        if (other->stream[many] > 0 && (same || !(first->stream[many] > 0)))
            first->stream[many] = other->stream[many];
    if (other->scattered > 0 && (same || !(first->scattered > 0))) first->scattered = other->scattered;
}

void processor_share_factors(struct processor *processor)
{
    struct loop_pace measured[PROCESSOR_LOOPS];
    memcpy(measured, processor->loop, sizeof measured);
    for (int k = 0; k < processor->loops; k++) {
        struct loop_pace *loop = &processor->loop[k];
        for (int level = 0; level < PROCESSOR_LEVELS; level++) {
            struct loop_factors found = {{0}}, *at = &loop->beyond[level];
            for (int j = 0; j < processor->loops; j++)
                if (same_kernel(&measured[j], loop))
                    share_level(&measured[j].beyond[level], strcmp(measured[j].name, loop->name) == 0,
                                &found);
            share_level(at, true, &found);
            *at = found;
        }
    }
}

static bool is_sequential(const struct loop_pace *loop)
{
    return strncmp(loop->name + strcspn(loop->name, "-"), "-seq", 4) == 0;
}

/* The factor of a loop with this number. */
static double *factor_of(struct loop_pace *loop, int level, int number)
{
    struct loop_factors *at = &loop->beyond[level];
    return number < 2 ? &at->stream[number] : &at->scattered;
}

/* Limit a factor of all published loops, or of all others, to FACTOR_APART times their median: a larger
 * distance is mostly the error of a difference of two times. */
static void limit_factor(struct processor *processor, int level, int number, bool sequential)
{
    double some[PROCESSOR_LOOPS];
    int count = 0;
    for (int k = 0; k < processor->loops; k++) {
        const double factor = *factor_of(&processor->loop[k], level, number);
        if (is_sequential(&processor->loop[k]) == sequential && factor > 0) some[count++] = factor;
    }
    if (count == 0) return;
    qsort(some, (size_t)count, sizeof *some, compare_doubles);
    for (int k = 0; k < processor->loops; k++) {
        double *factor = factor_of(&processor->loop[k], level, number);
        if (is_sequential(&processor->loop[k]) == sequential && *factor > 0)
            *factor = fmin(some[count / 2] * FACTOR_APART, fmax(some[count / 2] / FACTOR_APART, *factor));
    }
}

void processor_limit_factors(struct processor *processor)
{
    for (int level = 0; level < PROCESSOR_LEVELS; level++)
        for (int number = 0; number < 3; number++)
            for (int sequential = 0; sequential < 2; sequential++)
                limit_factor(processor, level, number, sequential);
}
