/* Symmetric sources that give entries together with their mirror images, if several ranks own the rows. */
#include <stdlib.h>

#include "base/memory.h"
#include "ranks/work.h"

/* Agree on the first entry of the source that is the mirror image of an earlier one although only one of them
 * may occur. Rank 0 reports it, since it knows the lines of any source. */
static enum status judge(struct work *w, const struct source *own, struct error *error)
{
    uint64_t place;
    const struct mirror *mine = mirrors_worst(&w->mirrors, &w->a, own, &place);
    int64_t first = place == UINT64_MAX ? INT64_MAX : (int64_t)place, worst = first;
    ranks_min(w->ranks, &worst, 1);
    if (worst == INT64_MAX) return STATUS_OK;
    struct mirror mirror = {0};
    if (first == worst) mirror = *mine;
    w->together->builder.first(w->together, first == worst, &mirror, sizeof mirror);
    return work_learn(w, w->ranks->rank == 0 ? mirrors_refuse(&mirror, w->source, error) : STATUS_OK, error);
}

static int compare_mirrors(const void *x, const void *y)
{
    const struct mirror *p = x, *q = y;
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    return p->j < q->j ? -1 : p->j > q->j;
}

/* Send each position (i, j) where an entry and its mirror image agree to the owner of row j, which has the
 * other one. */
static enum status tell_mirrors(struct work *w, struct error *error)
{
    const struct ranks *ranks = w->ranks;
    struct mirrors *mirrors = &w->mirrors;
    size_t parts = (size_t)ranks->count;
    int64_t *counts = memory_zeroed(2 * parts, sizeof *counts, error), total = 0, come = 0;
    for (int64_t k = 0; counts && k < mirrors->count; k++) {
        const struct mirror *m = &mirrors->list[k];
        if (m->lower && m->upper) counts[cut_owner(w->cut, m->j)]++;
    }
    for (int r = 0; counts && r < ranks->count; r++)
        total += counts[r];
    struct mirror *out = memory_array((size_t)total, sizeof *out, error);
    int64_t *next = memory_zeroed(parts + 1, sizeof *next, error);
    enum status status = work_learn(w, counts && out && next ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        for (int r = 0; r < ranks->count; r++)
            next[r + 1] = next[r] + counts[r];
        for (int64_t k = 0; k < mirrors->count; k++) {
            const struct mirror *m = &mirrors->list[k];
            if (m->lower && m->upper) out[next[cut_owner(w->cut, m->j)]++] = *m;
        }
        ranks_counts(ranks, counts, counts + parts);
        counts[parts + (size_t)ranks->rank] = counts[ranks->rank] = 0; /* those are in the list already */
        for (int r = 0; r < ranks->count; r++)
            come += counts[parts + (size_t)r];
    }
    free(next);
    struct mirror *list =
        status == STATUS_OK
            ? memory_resize(mirrors->list, (size_t)(mirrors->count + come + 1), sizeof *list, error)
            : NULL;
    if (list) mirrors->list = list;
    if (status == STATUS_OK) status = work_learn(w, list ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        ranks_exchange(ranks, out, counts, list + mirrors->count, counts + parts, sizeof *list);
        mirrors->count += come;
        qsort(list, (size_t)mirrors->count, sizeof *list, compare_mirrors);
    }
    free(out);
    free(counts);
    return status;
}

enum status work_judge_mirrors(struct work *w, const struct source *own, struct error *error)
{
    enum status status = work_learn(w, mirrors_collect(&w->mirrors, &w->a, w->first, error), error);
    if (status != STATUS_OK) return status;
    int64_t places = w->mirrors.count;
    ranks_sum(w->ranks, &places, 1);
    if (places == 0) return STATUS_OK;
    status = work_pass(w, PASS_MATCH, false, error);
    if (status == STATUS_OK) status = judge(w, own, error);
    return status == STATUS_OK ? tell_mirrors(w, error) : status;
}
