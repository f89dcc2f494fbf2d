/* Unpacking one member of a gzip file, by the fastest library of the build: ISA-L, else zlib. Both verify the
 * member's checksum and size. */
#ifndef SPARSIGHT_MATRIX_FILES_INFLATER_H
#define SPARSIGHT_MATRIX_FILES_INFLATER_H

#include <stddef.h>

#include "base/error.h"

enum inflated {
    INFLATED_MORE,    /* the member continues */
    INFLATED_MEMBER,  /* the member has ended, and its checksum was right; inflater_reset begins the next
                         one */
    INFLATED_DAMAGED, /* the input is wrong */
    INFLATED_MEMORY,
};

/* The bytes left to unpack, and the room left for the text. */
struct inflater_bytes {
    const unsigned char *in;
    size_t in_left;
    unsigned char *out;
    size_t out_left;
};

struct inflater;

/* Return NULL with STATUS_MEMORY if memory is short. */
struct inflater *inflater_open(struct error *error);

/* Begin a member. */
void inflater_reset(struct inflater *inflater);

/* Unpack until the member ends, or no input or no room is left; *bytes is advanced. *why becomes a phrase if
 * the input is wrong. */
enum inflated inflater_run(struct inflater *inflater, struct inflater_bytes *bytes, const char **why);

/* Free it; NULL is allowed. */
void inflater_close(struct inflater *inflater);

#endif
