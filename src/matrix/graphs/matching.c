#include "matrix/graphs/matching.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* Number of rows between two checks of the progress. */
#define STEP 4096

/* For each row: the length in rows of the shortest alternating path from a free row, -1 if there is none; and
 * the next entry of the depth-first search. `queue` and the stack of rows are one array, since they are not
 * needed at the same time. */
struct search {
    const struct csr *a;
    struct matching *matching;
    int32_t *level, *queue;
    int64_t *next;
    int64_t steps;
    struct progress *progress;
};

static void match_greedily(const struct csr *a, struct matching *matching)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (matching->row_of[a->col[k]] < 0) {
                matching->row_of[a->col[k]] = (int32_t)i;
                matching->col_of[i] = a->col[k];
                matching->size++;
                break;
            }
}

/* Find the levels of rows, up to the first with an edge to a free column. Returns false if there is none: the
 * matching is then a largest one. */
static bool find_levels(struct search *search)
{
    const struct csr *a = search->a;
    int64_t head = 0, tail = 0;
    int32_t last = INT32_MAX; /* the level from which a free column is reached */
    for (int64_t i = 0; i < a->rows; i++) {
        bool begins = search->matching->col_of[i] < 0 && a->row_ptr[i] < a->row_ptr[i + 1];
        search->level[i] = begins ? 0 : -1;
        if (begins) search->queue[tail++] = (int32_t)i;
    }
    while (head < tail) {
        int32_t i = search->queue[head++];
        if (search->level[i] > last) break;
        if (head % STEP == 0 && progress_cancelled(search->progress)) return false;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int32_t r = search->matching->row_of[a->col[k]];
            if (r < 0) {
                last = search->level[i];
            } else if (search->level[r] < 0) {
                search->level[r] = search->level[i] + 1;
                search->queue[tail++] = r;
            }
        }
    }
    return last < INT32_MAX;
}

/* Follow levels from a free row to a free column, and if one is found swap matched and unmatched edges on the
 * path. A row without such a path is not visited again in this phase. */
static void augment_from(struct search *search, int32_t start)
{
    const struct csr *a = search->a;
    struct matching *matching = search->matching;
    int32_t *stack = search->queue;
    int64_t depth = 1;
    stack[0] = start;
    while (depth > 0) {
        int32_t i = stack[depth - 1];
        if (search->next[i] == a->row_ptr[i + 1]) {
            search->level[i] = -1;
            depth--;
            if (++search->steps % STEP == 0 && progress_cancelled(search->progress)) return;
            continue;
        }
        int32_t j = a->col[search->next[i]++], r = matching->row_of[j];
        if (r >= 0 && search->level[r] == search->level[i] + 1) {
            stack[depth++] = r;
        } else if (r < 0) {
            for (; depth > 0; depth--) {
                int32_t row = stack[depth - 1], before = matching->col_of[row];
                matching->col_of[row] = j;
                matching->row_of[j] = row;
                search->level[row] = -1; /* paths of a phase share no row */
                j = before;
            }
            matching->size++;
        }
    }
}

static void augment(struct search *search)
{
    const struct csr *a = search->a;
    for (int64_t i = 0; i < a->rows; i++)
        search->next[i] = a->row_ptr[i];
    for (int64_t i = 0; i < a->rows; i++) {
        if (i % STEP == 0 && progress_cancelled(search->progress)) return;
        if (search->level[i] == 0 && search->matching->col_of[i] < 0) augment_from(search, (int32_t)i);
    }
}

size_t matching_bytes(const struct csr *a)
{
    return (size_t)a->rows * (3 * sizeof(int32_t) + sizeof(int64_t)) + (size_t)a->cols * sizeof(int32_t);
}

enum status matching_find(const struct csr *a, struct progress *progress, struct matching *matching,
                          struct error *error)
{
    struct search search = {.a = a, .matching = matching, .progress = progress};
    enum status status = STATUS_MEMORY;
    *matching = (struct matching){0};
    matching->col_of = memory_array((size_t)a->rows, sizeof *matching->col_of, error);
    matching->row_of = memory_array((size_t)a->cols, sizeof *matching->row_of, error);
    search.level = memory_array((size_t)a->rows, sizeof *search.level, error);
    search.queue = memory_array((size_t)a->rows, sizeof *search.queue, error);
    search.next = memory_array((size_t)a->rows, sizeof *search.next, error);
    const int64_t most = a->rows < a->cols ? a->rows : a->cols;
    progress_phase(progress, "a largest matching", most);
    if (matching->col_of && matching->row_of && search.level && search.queue && search.next) {
        for (int64_t i = 0; i < a->rows; i++)
            matching->col_of[i] = -1;
        for (int64_t j = 0; j < a->cols; j++)
            matching->row_of[j] = -1;
        match_greedily(a, matching);
        int64_t told = 0;
        while (!progress_cancelled(progress) && find_levels(&search)) {
            progress_add(progress, matching->size - told);
            told = matching->size;
            augment(&search);
        }
        progress_add(progress, most - told); /* a search that finds nothing ends it, too */
        status = progress_status(progress, error);
    }
    free(search.level);
    free(search.queue);
    free(search.next);
    if (status != STATUS_OK) matching_free(matching);
    return status;
}

void matching_free(struct matching *matching)
{
    free(matching->col_of);
    free(matching->row_of);
    *matching = (struct matching){0};
}
