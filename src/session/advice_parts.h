/* What the files that put advice into words share (advice_words.h). */
#ifndef SPARSIGHT_SESSION_ADVICE_PARTS_H
#define SPARSIGHT_SESSION_ADVICE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "session/advice.h"

/* A ratio below this is no reason for anything. */
#define TELLING 1.05

/* A buffer that sentences are appended to; what does not fit is cut off. */
struct words {
    char *out;
    size_t size, length;
};

/* Append to the words as printf does. */
void advice_append(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write the kernel's name with its threads, if it has a number of them, and return out. */
const char *advice_named(const struct advice_candidate *candidate, char out[static 192]);

/* Write `reason`. */
void advice_say_reason(struct advice *advice, const struct matrix_case *of);

#endif
