/* Kernels that read values by bytes, as indices into a table of few distinct values (formats/unique.h), or a
 * single value for all entries. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_TOLD_VALUES_H
#define SPARSIGHT_KERNELS_CUDA_TOLD_VALUES_H

#include "formats/unique.h"
#include "kernels/kernel.h"
#include "kernels/told.h"

/* The rules for the default of `values` (kernels/told.h). */
#define TOLD_RULE "8 if at most 256 differ in 8 MiB or more"
#define TOLD_RULE_OR_ONE "0 if all are equal, " TOLD_RULE

/* Find the distinct values of a launch. Parameter k is their encoding; by default a rule chooses it, and the
 * parameter becomes the choice. `one`: the kernel supports TOLD_ONE, which is chosen for a single value;
 * *unique then has no index. *unique is empty for full values. Fails as unique_make does, and with
 * STATUS_UNAVAILABLE if the values do not fit the requested encoding. */
enum status told_values_choose(struct launch *launch, int k, bool one, const struct array *values,
                               struct unique *unique, struct error *error);

/* Copy them to the launch's device, with `count` indices: *there becomes {0} if there are none. On failure
 * *there has the arrays copied so far, and *reason the reason. */
void told_values_place(const struct launch *launch, const struct unique *unique, size_t count,
                       struct unique *there, struct error *reason);
void told_values_release(const struct launch *launch, struct unique *there);

/* Return the bytes that a product reads for `count` values in this encoding. */
size_t told_values_read(const struct launch *launch, const struct unique *unique, size_t count);

/* Return the encoding of a launch's copied values. */
static inline int values_told(const struct unique *there)
{
    return there->count <= 0 ? TOLD_FULL : there->index ? TOLD_BYTE : TOLD_ONE;
}

#endif
