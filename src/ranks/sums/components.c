/* The connected components: each rank unites the vertices that its entries connect, and the results of the
 * ranks are joined. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "ranks/sums/parts.h"

#define TAG_PARENTS 12
#define ROUND_VERTICES ((int64_t)(SUMS_ROUND / sizeof(int32_t)))

/* Join the parents of all ranks on rank 0, in pairs, then pairs of pairs. */
static void join_parents(const struct ranks *ranks, int32_t *parent, int32_t *other, int64_t vertices)
{
    for (int step = 1; step < ranks->count; step *= 2) {
        bool sends = ranks->rank % (2 * step) == step;
        if (!sends && ranks->rank + step >= ranks->count) continue;
        for (int64_t v = 0; v < vertices; v += ROUND_VERTICES) {
            int count = (int)min(vertices - v, ROUND_VERTICES);
            if (sends) {
                ranks_send(ranks, parent + v, (size_t)count * sizeof *parent, ranks->rank - step,
                           TAG_PARENTS);
            } else {
                ranks_receive(ranks, other, (size_t)count * sizeof *other, ranks->rank + step, TAG_PARENTS);
                components_join(parent, v, other, count);
            }
        }
        if (sends) return;
    }
}

enum status sums_components(struct sums *sums, struct components *components, struct error *error)
{
    int64_t vertices = components_vertices(sums->share->rows, sums->share->cols);
    int32_t *parent = NULL, *other = NULL;
    enum status status = components_check(vertices, error);
    if (status == STATUS_OK) {
        parent = memory_array((size_t)vertices, sizeof *parent, error);
        other = memory_array((size_t)min(vertices, ROUND_VERTICES), sizeof *other, error);
        if (!parent || !other) status = STATUS_MEMORY;
    }
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK) {
        components_start(parent, vertices);
        components_unite(&sums->slab, parent, NULL);
        join_parents(sums->ranks, parent, other, vertices);
        if (sums->ranks->rank == 0) status = components_count(parent, vertices, components, error);
        status = ranks_agree(sums->ranks, status, error);
    }
    free(parent);
    free(other);
    return status;
}
