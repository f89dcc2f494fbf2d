/* The cells of a pattern, packed (report/packed/numbers.h): the number of cells of each row of them; the
 * first column of each row with cells, as the difference from that of the row before, with the sign as the
 * lowest bit; the numbers of empty columns between cells of a row; and the number of entries of each cell
 * minus one, unless all are 0. Numbers of a kind are stored together, since deflate then finds more
 * repetitions. */
#ifndef SPARSIGHT_REPORT_PACKED_CELLS_H
#define SPARSIGHT_REPORT_PACKED_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/level.h"
#include "base/error.h"
#include "base/text.h"
#include "report/packed/numbers.h"

/* Append the cells as at most `most` bytes. They are made coarser until they fit and are at most `cells`.
 * *ones becomes true if each has one entry; their counts are then omitted. STATUS_LIMIT if not even one cell
 * fits, STATUS_MEMORY. */
enum status cells_pack(struct level *level, size_t most, int64_t cells, bool *ones, struct text *out);

/* Read the cells of a level, whose steps, rows and cols are set; they have `nnz` entries together. The input
 * is not trusted. STATUS_INPUT, STATUS_MEMORY: *level is {0} then. The caller frees with level_free. */
enum status cells_unpack(struct unpacker *unpacker, bool ones, int64_t nnz, struct level *level,
                         struct error *error);

#endif
