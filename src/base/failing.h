/* The error of pieces of work that threads do in any order. It is that of the first piece that fails, as if
 * they were done in sequence. */
#ifndef SPARSIGHT_BASE_FAILING_H
#define SPARSIGHT_BASE_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct failing {
    int64_t pieces;
    _Atomic int64_t first; /* the lowest piece that has failed so far; `pieces` if none has */
    struct error error;    /* its error */
};

static inline void failing_start(struct failing *failing, int64_t pieces)
{
    failing->pieces = pieces;
    atomic_init(&failing->first, pieces);
    failing->error.status = STATUS_OK;
}

/* Return true if a piece before k has failed: then piece k is not needed. */
static inline bool failing_before(const struct failing *failing, int64_t k)
{
    return k > atomic_load(&failing->first);
}

/* Note that piece k has failed. Several threads at once. */
void failing_note(struct failing *failing, int64_t k, const struct error *error);

/* Return the status of all pieces, which have been done, and fill in *error, which may be NULL. */
enum status failing_status(const struct failing *failing, struct error *error);

#endif
