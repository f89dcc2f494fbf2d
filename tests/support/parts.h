/* Partitions by their names. */
#ifndef SPARSIGHT_TESTS_SUPPORT_PARTS_H
#define SPARSIGHT_TESTS_SUPPORT_PARTS_H

#include "analysis/parts/partition.h"

/* Find the partition that `text` names, as --partition takes it. The test fails if it is refused; the caller
 * frees it with partition_free. */
struct partition support_partition(const char *text, const struct csr *a, bool symmetric, int64_t parts);

#endif
