/* Reverse Cuthill-McKee.
 *
 * Cuthill and McKee number the vertices of a component in the order of a breadth-first search, in which the
 * unnumbered neighbours of a vertex are sorted by ascending degree. Entries are then near the diagonal: the
 * bandwidth is at most that of two neighbouring levels of the search. Reversing the order keeps the
 * bandwidth, and does not increase the profile (George).
 *
 * The deeper the search, the narrower its levels. A good first vertex is therefore an end of a longest
 * shortest path. George and Liu find one that nearly is: they search again from a vertex of least degree in
 * the last level, as long as this gives more levels. */
#include "base/memory.h"
#include "matrix/orders/graph.h"
#include "matrix/orders/order.h"

enum { APPLY, REVERSE };

/* Number of vertices between two checks of the progress. */
#define STRETCH 4096

/* A search visits vertices whose mark is smaller than its own. */
struct search {
    const struct graph *graph;
    struct progress *progress;
    int32_t *queue;    /* the visited vertices; those of a component are contiguous */
    uint32_t *mark;    /* of each vertex: the last search that visited it; finally NUMBERED */
    uint64_t *keys;    /* of the neighbours to sort: degree << 32 | vertex */
    uint32_t searches; /* number of searches begun */
    int64_t visited;   /* since the progress was checked */
    bool cancelled;
};

#define NUMBERED UINT32_MAX

static void look(struct search *search)
{
    if (++search->visited < STRETCH) return;
    search->visited = 0;
    search->cancelled = progress_cancelled(search->progress);
}

/* Search the component of `first` breadth first, from queue[begin] on. Returns the number of levels; *last
 * and *end become the beginning and the end of the last level in the queue. */
static int64_t search_levels(struct search *search, int64_t begin, int32_t first, int64_t *last, int64_t *end)
{
    const struct graph *graph = search->graph;
    uint32_t mark = ++search->searches;
    int64_t levels = 0, tail = begin + 1;
    *last = begin;
    search->queue[begin] = first;
    search->mark[first] = mark;
    for (int64_t head = begin; head < tail && !search->cancelled;) {
        int64_t level_end = tail;
        *last = head;
        levels++;
        for (; head < level_end && !search->cancelled; head++) {
            int32_t v = search->queue[head];
            look(search);
            for (int64_t k = graph->ptr[v]; k < graph->ptr[v + 1]; k++) {
                int32_t u = graph->neighbour[k];
                if (search->mark[u] >= mark) continue;
                search->mark[u] = mark;
                search->queue[tail++] = u;
            }
        }
    }
    *end = tail;
    return levels;
}

/* Return the vertex of least degree among queue[from..to-1]; the lowest index of several. */
static int32_t least_degree(const struct search *search, int64_t from, int64_t to)
{
    int32_t best = search->queue[from];
    for (int64_t k = from + 1; k < to; k++) {
        int32_t v = search->queue[k];
        int64_t more = graph_degree(search->graph, v) - graph_degree(search->graph, best);
        if (more < 0 || (more == 0 && v < best)) best = v;
    }
    return best;
}

/* Find a vertex in the component of `first` from which the search is deep (George and Liu). */
static int32_t find_start(struct search *search, int64_t begin, int32_t first)
{
    int64_t last, end, levels = search_levels(search, begin, first, &last, &end);
    int32_t start = first;
    while (!search->cancelled) {
        int32_t other = least_degree(search, last, end);
        int64_t more = search_levels(search, begin, other, &last, &end);
        if (more <= levels) break;
        levels = more;
        start = other;
    }
    return start;
}

static int by_key(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Sort queue[from..to-1] by degree; vertices of one degree by their indices. */
static void sort_by_degree(struct search *search, int64_t from, int64_t to)
{
    int64_t count = to - from;
    for (int64_t k = 0; k < count; k++) {
        int32_t v = search->queue[from + k];
        search->keys[k] = (uint64_t)graph_degree(search->graph, v) << 32 | (uint32_t)v;
    }
    qsort(search->keys, (size_t)count, sizeof *search->keys, by_key);
    for (int64_t k = 0; k < count; k++)
        search->queue[from + k] = (int32_t)(uint32_t)search->keys[k];
}

/* Number the component of `start` from queue[begin] on. Returns its end. */
static int64_t number(struct search *search, int64_t begin, int32_t start)
{
    const struct graph *graph = search->graph;
    int64_t tail = begin + 1;
    search->queue[begin] = start;
    search->mark[start] = NUMBERED;
    for (int64_t head = begin; head < tail && !search->cancelled; head++) {
        int32_t v = search->queue[head];
        int64_t from = tail;
        look(search);
        for (int64_t k = graph->ptr[v]; k < graph->ptr[v + 1]; k++) {
            int32_t u = graph->neighbour[k];
            if (search->mark[u] == NUMBERED) continue;
            search->mark[u] = NUMBERED;
            search->queue[tail++] = u;
        }
        if (tail - from > 1) sort_by_degree(search, from, tail);
        progress_add(search->progress, 1);
    }
    return tail;
}

/* Marks count searches in 32 bits. A component takes at least two marks, so that they may not suffice for
 * all. They then restart after all marks of unnumbered vertices are reset to 0. */
static void forget_marks(struct search *search)
{
    if (search->searches < UINT32_MAX / 2) return;
    for (int64_t v = 0; v < search->graph->count; v++)
        if (search->mark[v] != NUMBERED) search->mark[v] = 0;
    search->searches = 0;
}

static void number_all(struct search *search, bool reverse)
{
    int64_t count = search->graph->count, done = 0;
    progress_phase(search->progress, "reverse Cuthill-McKee", count);
    for (int64_t v = 0; v < count && !search->cancelled; v++) {
        if (search->mark[v] == NUMBERED) continue;
        forget_marks(search);
        int32_t start = graph_degree(search->graph, v) ? find_start(search, done, (int32_t)v) : (int32_t)v;
        done = number(search, done, start);
    }
    for (int64_t k = 0; reverse && k < count / 2; k++) {
        int32_t other = search->queue[count - 1 - k];
        search->queue[count - 1 - k] = search->queue[k];
        search->queue[k] = other;
    }
}

static int64_t largest_degree(const struct graph *graph)
{
    int64_t largest = 0;
    for (int64_t v = 0; v < graph->count; v++)
        if (graph_degree(graph, v) > largest) largest = graph_degree(graph, v);
    return largest;
}

static size_t bytes_rcm(const struct ordering *ordering)
{
    size_t vertices, all = graph_bytes(ordering->a, ordering->symmetric);
    size_multiply((size_t)ordering->a->rows, sizeof(uint32_t) + sizeof(uint64_t), &vertices);
    size_add(all, vertices, &all);
    return all;
}

static enum status compute_rcm(const struct ordering *ordering, int32_t *from, int64_t count,
                               struct error *error)
{
    struct graph graph;
    struct search search = {.graph = &graph, .progress = ordering->progress, .queue = from};
    enum status status = graph_make(ordering->a, ordering->symmetric, ordering->progress, &graph, error);
    if (status != STATUS_OK) return status;
    search.mark = memory_zeroed((size_t)count, sizeof *search.mark, error);
    search.keys = memory_array((size_t)largest_degree(&graph), sizeof *search.keys, error);
    if (search.mark && search.keys)
        number_all(&search, ordering->values->number[REVERSE] != 0);
    else
        status = STATUS_MEMORY;
    if (status == STATUS_OK) status = progress_status(ordering->progress, error);
    free(search.mark);
    free(search.keys);
    graph_free(&graph);
    return status;
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric"),
    [REVERSE] = {.name = "reverse",
                 .help = "reversed, for a smaller profile; 0: as published by Cuthill and McKee",
                 .type = PARAMETER_YES_NO,
                 .standard = 1},
    {0},
};

const struct order order_rcm = {
    .name = "rcm",
    .summary = "reverse Cuthill-McKee: entries near the diagonal",
    .source = "Cuthill and McKee, ACM 1969; George and Liu, ACM Trans. Math. Softw. 5, 1979, for the start",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters,
    .bytes = bytes_rcm,
    .compute = compute_rcm,
};
