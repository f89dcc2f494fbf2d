/* Shared by fuzz targets: their table, the division of their input, and messages about faults. */
#ifndef SPARSIGHT_TESTS_FUZZ_TARGETS_H
#define SPARSIGHT_TESTS_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A target reads any bytes. Returns 1 if they were accepted, 0 if they were refused, and ends the process if
 * it finds anything wrong. */
typedef int fuzz_target(const uint8_t *data, size_t size);
#define TARGET(name, bytes, runs, repair) fuzz_target fuzz_##name;
#include "fuzz/targets.def"
#undef TARGET

/* Report the fault, and abort. */
_Noreturn void fuzz_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Input that is taken apart from its beginning. */
struct input {
    const uint8_t *at;
    size_t left;
};

/* Take a byte, 0 if there is none, and a number of `bytes` bytes, the lowest first. */
uint8_t input_byte(struct input *input);
uint64_t input_number(struct input *input, int bytes);

/* Take the text up to the next `end`, which is taken too, or all that is left. A NUL in it ends the string.
 * The caller frees it. */
char *input_text(struct input *input, int end);

/* Return all that is left as a string, which the caller frees. */
char *input_rest(struct input *input);

/* Run a target: no files are seen but its own (memory_file.h), and allocations are watched. */
int fuzz_run(fuzz_target *target, const uint8_t *data, size_t size);

/* Make the process do with one thread, and nothing of the user's. To be called once before any target. */
void fuzz_start(void);

#endif
