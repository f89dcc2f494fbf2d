/* Mutants of inputs, for runs without libFuzzer: the same seed makes the same mutants everywhere. */
#ifndef SPARSIGHT_TESTS_FUZZ_MUTATE_H
#define SPARSIGHT_TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Inputs of a target. */
struct corpus {
    struct seed {
        char *name;
        uint8_t *bytes;
        size_t size;
    } * seeds;
    int count;
};

/* Return the next number of a sequence: xorshift64*, Vigna, ACM Transactions on Mathematical Software 42,
 * 2016. *state is not 0. */
uint64_t mutate_random(uint64_t *state);

/* Write a mutant of one of the seeds, or of nothing if there are none, which takes at most `room` bytes.
 * Returns its size. */
size_t mutate(const struct corpus *corpus, uint64_t *state, uint8_t *out, size_t room);

#endif
