/* Conversion of a distributed matrix into storage formats: each rank converts its own rows. */
#ifndef SPARSIGHT_RANKS_CONVERT_H
#define SPARSIGHT_RANKS_CONVERT_H

#include <stddef.h>

#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "report/report.h"
#include "session/case.h"

/* Build the formats that the request lists, in its precisions, on all ranks at the same time, and free them
 * again. Each rank builds its rows with the parameters that the format chose for the whole matrix. The
 * planned conversions of rank 0's case (convert_apart) get the time of the slowest rank. If a rank has no
 * memory, or needs more than `limit` bytes (0: the default of memory_check, divided among the ranks of a
 * node), they get the refusal. Formats that are refused for the whole matrix are not built. `shown` is NULL
 * on other ranks. The share needs its values. Collective. STATUS_MEMORY on all ranks alike. */
enum status ranks_convert(const struct ranks *ranks, const struct share *share,
                          const struct report_request *request, size_t limit, struct matrix_case *shown,
                          struct error *error);

#endif
