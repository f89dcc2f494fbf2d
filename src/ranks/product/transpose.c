#include "ranks/product/transpose.h"

#include "base/memory.h"
#include "ranks/moved.h"

enum status share_transposed(const struct ranks *ranks, const struct share *share, size_t limit,
                             struct share *to, struct error *error)
{
    const struct move move = {.transposed = true};
    enum status status =
        share_moved(ranks, share, &move, memory_limit(limit) / (size_t)ranks->near, to, error);
    if (status == STATUS_OK) to->matrix.symmetry = share->matrix.symmetry;
    return status;
}
