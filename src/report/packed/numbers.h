/* Whole numbers packed: each is written in groups of seven bits, the lowest first, of which all but the last
 * have the eighth bit set (LEB128), and all together are deflated (RFC 1950). Small numbers, and those that
 * repeat, take little. Bytes become letters by base64 where they have to. */
#ifndef SPARSIGHT_REPORT_PACKED_NUMBERS_H
#define SPARSIGHT_REPORT_PACKED_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct packer;

/* Begin to pack numbers, which are appended to `out` as bytes, `most` of them at most. NULL without memory.
 * To be ended with packer_close. */
struct packer *packer_open(struct text *out, size_t most);

void packer_put(struct packer *packer, uint64_t number);

/* True once what was put takes more than there is room for: further numbers are of no account. */
bool packer_full(const struct packer *packer);

/* End packing, and free the packer; NULL is taken too, as one without memory. STATUS_LIMIT if the numbers
 * take more bytes than there is room for, STATUS_MEMORY; `out` is of no account then. */
enum status packer_close(struct packer *packer);

struct unpacker;

/* Begin to read numbers from these letters (base64), which need not stay. STATUS_MEMORY, STATUS_INPUT if they
 * are no such letters. The caller closes the unpacker. */
enum status unpacker_open(const char *letters, struct unpacker **unpacker, struct error *error);

/* Read a number. False if there is none, if the bytes are broken, or if it is larger than `max`: then all
 * that follows is refused, too. */
bool unpacker_next(struct unpacker *unpacker, uint64_t max, uint64_t *number);

/* True if all numbers were read, none was refused, and nothing is left. */
bool unpacker_done(struct unpacker *unpacker);

void unpacker_close(struct unpacker *unpacker);

#endif
