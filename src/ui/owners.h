/* A partition that screens show: the owners of the rows of a case, and the messages between them. It is
 * immutable and reference-counted. The Parts screen, which computes it, and the Pattern screen, which colours
 * by it, may hold it; the last release frees it. Only the screen's thread holds and releases. An errand reads
 * the partition that its view holds. */
#ifndef SPARSIGHT_UI_OWNERS_H
#define SPARSIGHT_UI_OWNERS_H

#include "session/distribution.h"

struct owners {
    int holders;
    const struct matrix_case *of;
    struct divided divided;
    int64_t messages;          /* of them */
    char name[PARTITION_NAME]; /* "metis:objective=cut" */
};

/* Move the content of `divided`, which becomes {0}, into an object that the caller holds. Without memory it
 * returns NULL, and *divided does not change. */
struct owners *owners_make(const struct matrix_case *of, const char *name, int64_t messages,
                           struct divided *divided);

/* Hold it once more; returns it. NULL is accepted. */
struct owners *owners_hold(struct owners *owners);

/* Let it go. NULL is allowed. */
void owners_release(struct owners *owners);

/* Return the bytes that it takes. */
size_t owners_bytes(const struct owners *owners);

#endif
