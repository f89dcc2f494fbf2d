/* Packed integers. Each is written in groups of seven bits, the lowest first, with the eighth bit set in all
 * but the last (LEB128), and the whole is deflated (RFC 1950). Small and repeated numbers take little room.
 * Where text is required, bytes become letters by base64. */
#ifndef SPARSIGHT_REPORT_PACKED_NUMBERS_H
#define SPARSIGHT_REPORT_PACKED_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct packer;

/* Begin to pack numbers, which are appended to `out` as at most `most` bytes. NULL without memory. End with
 * packer_close. */
struct packer *packer_open(struct text *out, size_t most);

void packer_put(struct packer *packer, uint64_t number);

/* True once the numbers exceed the limit; further numbers are ignored. */
bool packer_full(const struct packer *packer);

/* End packing, and free the packer; NULL counts as out of memory. STATUS_LIMIT if the numbers take more than
 * `most` bytes, STATUS_MEMORY; `out` is then undefined. */
enum status packer_close(struct packer *packer);

struct unpacker;

/* Begin to read numbers from these letters, which are copied. STATUS_MEMORY, STATUS_INPUT if they are not
 * base64. The caller closes the unpacker. */
enum status unpacker_open(const char *letters, struct unpacker **unpacker, struct error *error);

/* Read a number. False if there is none, if the bytes are invalid, or if it is larger than `max`; all later
 * numbers are then refused, too. */
bool unpacker_next(struct unpacker *unpacker, uint64_t max, uint64_t *number);

/* True if all numbers were read, none was refused, and nothing is left. */
bool unpacker_done(struct unpacker *unpacker);

void unpacker_close(struct unpacker *unpacker);

#endif
