/* Kernels that are told an entry's value by a byte, where few values differ (formats/unique.h), or once for
 * all where none does. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_TOLD_VALUES_H
#define SPARSIGHT_KERNELS_CUDA_TOLD_VALUES_H

#include "formats/unique.h"
#include "kernels/kernel.h"

/* How values are told; such a kernel has a parameter `values` of these words. */
enum { TOLD_BYTE, TOLD_FULL, TOLD_ONE };
extern const char *const told_words[];
#define TOLD_HELP \
    "bits of a value: 8 tell which one it is of those that differ, of which there are up to 256 then"
#define TOLD_RULE "8 if so few differ and they take 8 MiB or more"

/* The same for kernels that also take TOLD_ONE. */
extern const char *const told_words_or_one[];
#define TOLD_HELP_OR_ONE TOLD_HELP "; 0: all are the same"
#define TOLD_RULE_OR_ONE "0 if all are the same, " TOLD_RULE

/* Find the values that differ of a launch, whose parameter k says how they are told; left to the kernel, by
 * the rule. `one` says whether it takes TOLD_ONE: it is chosen if there is a single value, and then *unique
 * has no index. *unique has none if they are told by themselves. The parameter becomes what was chosen. Fails
 * as unique_make does, and with STATUS_UNAVAILABLE if values are to be told as they cannot be. */
enum status told_values_choose(struct launch *launch, int k, bool one, const struct array *values,
                               struct unique *unique, struct error *error);

/* Copy them to the launch's device, with `count` indices: *there becomes {0} if there are none. On failure,
 * what was copied is in *there, and the reason in *reason. */
void told_values_place(const struct launch *launch, const struct unique *unique, size_t count,
                       struct unique *there, struct error *reason);
void told_values_release(const struct launch *launch, struct unique *there);

/* Return the bytes that a product reads for `count` values that are told so. */
size_t told_values_read(const struct launch *launch, const struct unique *unique, size_t count);

/* Return how a launch's values are told, as placed. */
static inline int values_told(const struct unique *there)
{
    return there->count <= 0 ? TOLD_FULL : there->index ? TOLD_BYTE : TOLD_ONE;
}

#endif
