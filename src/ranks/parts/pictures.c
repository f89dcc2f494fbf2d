#include "ranks/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "ranks/ranks.h"

#define DOTS (SKETCH_SIDE * SKETCH_SIDE)

/* The votes of all dots of a picture. */
struct poll {
    int64_t dots;
    struct owner_vote votes[DOTS];
};

struct polls {
    struct poll mine, scratch;
    int64_t own[DOTS];
};

static void join(void *to, const void *from)
{
    struct poll *poll = to;
    const struct poll *other = from;
    for (int64_t d = 0; d < poll->dots; d++)
        owner_vote_join(&poll->votes[d], &other->votes[d]);
}

/* Count this rank's entries, in the first or the second pass. */
static void vote(const struct slab *slab, const struct partition *partition, const struct size_dots *dots,
                 bool again, struct poll *poll)
{
#pragma omp parallel for schedule(dynamic) if (csr_nnz(slab->a) > 16 * PARALLEL_MIN)
    for (int y = 0; y < dots->high; y++)
        owners_vote(slab, partition, dots, y, again, NULL, &poll->votes[(size_t)y * (size_t)dots->wide]);
}

/* Draw a picture together. Rank 0 gets the marks. */
static void draw(const struct ranks *ranks, const struct slab *slab, const struct partition *partition,
                 const struct size_dots *dots, struct polls *polls, int32_t *marks)
{
    struct poll *mine = &polls->mine;
    memset(mine, 0, sizeof *mine);
    mine->dots = (int64_t)dots->high * dots->wide;
    vote(slab, partition, dots, false, mine);
    ranks_combine(ranks, mine, &polls->scratch, sizeof *mine, join);
    ranks_broadcast(ranks, 0, mine, sizeof *mine);
    vote(slab, partition, dots, true, mine);
    for (int64_t d = 0; d < mine->dots; d++)
        polls->own[d] = mine->votes[d].own;
    ranks_sum(ranks, polls->own, mine->dots);
    for (int64_t d = 0; marks && d < mine->dots; d++) {
        mine->votes[d].own = polls->own[d];
        marks[d] = owner_vote_mark(&mine->votes[d]);
    }
}

/* Allocate the votes of picture k, and on rank 0 its marks. */
static enum status begin(const struct ranks *ranks, const struct size_dots *dots, struct sketch *sketch,
                         struct error *error)
{
    struct sketch_picture *picture = &sketch->picture[sketch->pictures];
    if (ranks->rank) return STATUS_OK;
    picture->dots = *dots;
    picture->marks = memory_array((size_t)dots->high * (size_t)dots->wide, sizeof *picture->marks, error);
    if (!picture->marks) return STATUS_MEMORY;
    sketch->pictures++;
    return STATUS_OK;
}

enum status ranks_sketch(const struct ranks *ranks, const struct share *share,
                         const struct partition *partition, const struct halo *halo, struct sketch *sketch,
                         struct error *error)
{
    const struct slab slab = {.a = &share->own,
                              .first = share->first,
                              .before = share->before,
                              .rows = share->rows,
                              .cols = share->cols,
                              .nnz = share->nnz};
    struct size_dots dots;
    *sketch = (struct sketch){0};
    struct polls *polls = memory_array(1, sizeof *polls, error);
    enum status status = ranks_agree(ranks, polls ? STATUS_OK : STATUS_MEMORY, error);
    for (int k = 0; k < SKETCH_PICTURES && status == STATUS_OK; k++) {
        if (!sketch_choose(share->rows, share->cols, k, &dots)) continue;
        status = ranks_agree(ranks, begin(ranks, &dots, sketch, error), error);
        if (status == STATUS_OK)
            draw(ranks, &slab, partition, &dots, polls,
                 ranks->rank ? NULL : sketch->picture[sketch->pictures - 1].marks);
    }
    free(polls);
    if (status == STATUS_OK && ranks->rank == 0)
        status = sketch_complete(partition, halo->pairs, halo->messages, sketch, error);
    status = ranks_agree(ranks, status, error);
    if (status != STATUS_OK) sketch_free(sketch);
    return status;
}
