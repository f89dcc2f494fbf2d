/* Pictures, volumes and owners of partitions, packed (report/packed/numbers.h).
 *
 * A picture: the marks of its dots (analysis/parts/owners.h) plus 2, row by row. Volumes: the elements for
 * each pair of a receiving and a sending tile of parts; if a tile is one part, then the rows of each part and
 * the entries of each. Owners: the number of runs of rows with one owner, the rows of each run, and the owner
 * of each. */
#ifndef SPARSIGHT_REPORT_PACKED_SKETCHES_H
#define SPARSIGHT_REPORT_PACKED_SKETCHES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/sketch.h"
#include "base/error.h"
#include "base/text.h"
#include "report/packed/numbers.h"

/* Append a picture as at most `most` bytes. STATUS_LIMIT if it does not fit, STATUS_MEMORY. */
enum status picture_pack(const struct sketch_picture *picture, size_t most, struct text *out);

/* Append the volumes likewise, in tiles of *step parts: the smallest power of two that fits. */
enum status volumes_pack(const struct sketch *sketch, const struct halo *halo, size_t most, int64_t *step,
                         struct text *out);

/* Append the owners likewise. STATUS_LIMIT if they do not fit or are missing. */
enum status owners_pack(const struct sketch *sketch, int64_t rows, size_t most, struct text *out);

/* Read a picture, whose dots are set, of this number of parts. The input is not trusted. STATUS_INPUT,
 * STATUS_MEMORY; the caller frees with sketch_free in any case. */
enum status picture_unpack(struct unpacker *unpacker, int64_t parts, struct sketch_picture *picture,
                           struct error *error);

/* Read the volumes, in tiles of this number of parts; halo->parts and halo->volume and the numbers of rows
 * and entries of the matrix are given. If a tile is one part, halo->part gets the numbers of each, except its
 * remote entries and its messages. As picture_unpack; the caller frees the halo, too. */
enum status volumes_unpack(struct unpacker *unpacker, int64_t step, int64_t rows, int64_t nnz,
                           struct halo *halo, struct sketch *sketch, struct error *error);

/* Read the owners of this number of rows. As picture_unpack. */
enum status owners_unpack(struct unpacker *unpacker, int64_t rows, int64_t parts, struct sketch *sketch,
                          struct error *error);

#endif
