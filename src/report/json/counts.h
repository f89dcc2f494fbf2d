/* The keys of an estimate's counts in JSON, for writing and reading. Some of them are columns too
 * (columns/estimate.c), under the same keys. */
#ifndef SPARSIGHT_REPORT_JSON_COUNTS_H
#define SPARSIGHT_REPORT_JSON_COUNTS_H

#include <stddef.h>

#include "kernels/gpu/trace.h"

/* The objects of the accesses: "loads", "stores", ... Those of the operands are called operand_names. */
extern const char *const access_keys[ACCESSES];

/* The members of each object: "requests", "sectors", ... The last one has a NULL key. */
struct count_key {
    const char *key;
    size_t offset; /* of the int64_t in struct trace_counts */
};
extern const struct count_key count_keys[];

#endif
