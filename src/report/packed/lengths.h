/* The lengths of lines, packed (report/packed/numbers.h): the entries of each stretch of `step` lines. If the
 * step is more than 1, also the longest line of each stretch, and a list of the longest lines: their count,
 * then the index and length of each. */
#ifndef SPARSIGHT_REPORT_PACKED_LENGTHS_H
#define SPARSIGHT_REPORT_PACKED_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "drawing/spans.h"
#include "report/packed/numbers.h"

/* Append the lengths as at most `most` bytes, in at most `stretches` stretches. *step becomes the smallest
 * power of two that fits, or for coarse spans their own step. `lengths` is the distribution of all.
 * STATUS_LIMIT if none fits, STATUS_MEMORY. */
enum status lengths_pack(const struct spans *spans, const struct lengths *lengths, int64_t stretches,
                         size_t most, int64_t *step, struct text *out);

/* Read the lengths of this number of lines, which have `nnz` entries together and at most `longest` each. The
 * input is not trusted. STATUS_INPUT, STATUS_MEMORY: *spans is {0} then. The caller frees with spans_free. */
enum status lengths_unpack(struct unpacker *unpacker, int64_t lines, int64_t step, int64_t nnz,
                           int64_t longest, struct spans *spans, struct error *error);

#endif
