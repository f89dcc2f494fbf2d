#include "matrix/graphs/components.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/graphs/touched.h"

/* Number of rows, or vertices, between two checks of the progress. */
#define STEP 4096

/* Return the smallest vertex known to be connected with v, and halve the path to it. Other threads may unite
 * vertices meanwhile: parents only ever become smaller. */
static int32_t root_of(int32_t *parent, int32_t v)
{
    int32_t up = __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
    while (up != v) {
        int32_t above = __atomic_load_n(&parent[up], __ATOMIC_RELAXED);
        if (above != up)
            __atomic_compare_exchange_n(&parent[v], &up, above, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        v = up;
        up = above;
    }
    return v;
}

static void unite(int32_t *parent, int32_t u, int32_t v)
{
    for (;;) {
        u = root_of(parent, u);
        v = root_of(parent, v);
        if (u == v) return;
        int32_t low = u < v ? u : v, high = u < v ? v : u, expected = high;
        if (__atomic_compare_exchange_n(&parent[high], &expected, low, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
    }
}

int64_t components_vertices(int64_t rows, int64_t cols)
{
    return rows == cols ? rows : rows + cols;
}

static int64_t vertices_of(const struct csr *a)
{
    return components_vertices(a->rows, a->cols);
}

void components_start(int32_t *parent, int64_t vertices)
{
    for (int64_t v = 0; v < vertices; v++)
        parent[v] = (int32_t)v;
}

void components_unite(const struct slab *slab, int32_t *parent, struct progress *progress)
{
    const struct csr *a = slab->a;
    int32_t shift = slab->rows == slab->cols ? 0 : (int32_t)slab->rows, before = (int32_t)slab->first;
    int64_t steps = a->rows / STEP + 1;
#pragma omp parallel for schedule(dynamic) if (csr_nnz(a) > PARALLEL_MIN)
    for (int64_t s = 0; s < steps; s++) {
        int64_t first = s * STEP, end = min(first + STEP, a->rows);
        for (int64_t i = first; i < end; i++) {
            if (progress_cancelled(progress)) break;
            for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
                unite(parent, before + (int32_t)i, a->col[k] + shift);
        }
        progress_add(progress, end - first);
    }
}

void components_join(int32_t *parent, int64_t first, const int32_t *other, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (other[k] != first + k) unite(parent, (int32_t)(first + k), other[k]);
}

/* Count components and the vertices of the largest. A vertex comes after its parent, which is therefore
 * already a root. */
static void count_roots(int32_t *parent, int32_t *size, int64_t vertices, struct components *components)
{
    *components = (struct components){0};
    for (int64_t v = 0; v < vertices; v++) {
        int32_t root = parent[v] = parent[parent[v]];
        components->connected += root == v;
        components->largest = max(components->largest, ++size[root]);
    }
}

/* Unite all. parent[] of each vertex becomes a vertex that is not after it. */
static enum status find_parents(const struct csr *a, int32_t *parent, struct progress *progress,
                                struct error *error)
{
    const struct slab slab = slab_of(a);
    progress_phase(progress, "connected components", a->rows);
    components_start(parent, vertices_of(a));
    components_unite(&slab, parent, progress);
    return progress_status(progress, error);
}

enum status components_count(int32_t *parent, int64_t vertices, struct components *components,
                             struct error *error)
{
    int32_t *size = memory_zeroed((size_t)vertices, sizeof *size, error);
    if (size) count_roots(parent, size, vertices, components);
    free(size);
    return size ? STATUS_OK : STATUS_MEMORY;
}

enum status components_check(int64_t vertices, struct error *error)
{
    if (vertices <= INT32_MAX) return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "rows and columns together are more than the components of a matrix can have");
}

static enum status find_connected(const struct csr *a, struct progress *progress,
                                  struct components *components, struct error *error)
{
    int64_t vertices = vertices_of(a);
    enum status status = components_check(vertices, error);
    if (status != STATUS_OK) return status;
    int32_t *parent = memory_array((size_t)vertices, sizeof *parent, error);
    status = parent ? find_parents(a, parent, progress, error) : STATUS_MEMORY;
    if (status == STATUS_OK) status = components_count(parent, vertices, components, error);
    free(parent);
    return status;
}

enum status connected_components(const struct csr *a, struct progress *progress, int32_t *component,
                                 int64_t *count, struct error *error)
{
    int64_t vertices = vertices_of(a);
    *count = 0;
    enum status status = components_check(vertices, error);
    if (status != STATUS_OK) return status;
    int32_t *parent = memory_array((size_t)vertices, sizeof *parent, error);
    status = parent ? find_parents(a, parent, progress, error) : STATUS_MEMORY;
    /* The parent of a vertex is already numbered. */
    for (int64_t v = 0; status == STATUS_OK && v < vertices; v++)
        component[v] = parent[v] == v ? (int32_t)(*count)++ : component[parent[v]];
    free(parent);
    return status;
}

/* A vertex during the search along its edges. */
struct frame {
    int64_t next; /* the entry that comes next */
    int32_t v;
    bool root; /* no earlier visited vertex without a component was reached from here */
};

/* The depth-first search of Pearce (Information Processing Letters 116, 2016), with a stack instead of
 * recursion. `index` is 0 before a vertex is visited; then its rank of visit, or the smallest reachable rank;
 * and once its component is known, a number larger than all remaining ranks. */
struct search {
    const struct csr *a;
    const int32_t *vertex;
    struct progress *progress;
    uint32_t *index;
    struct frame *frames;
    int32_t *stack; /* visited vertices without a component, whose edges have been followed */
    int64_t depth, height;
    uint32_t place, component;
    int64_t count, largest, visited;
};

static void enter(struct search *search, int32_t v)
{
    search->index[v] = search->place++;
    const int64_t first = search->a->row_ptr[v];
    __builtin_prefetch(&search->a->col[first]);
    search->frames[search->depth++] = (struct frame){first, v, true};
    if (search->visited % STEP == 0)
        progress_add(search->progress, min(STEP, search->a->rows - search->visited));
    search->visited++;
}

/* Leave a vertex after all of its edges: it closes a component, or waits on the stack for one. */
static void leave(struct search *search, struct frame frame)
{
    uint32_t *index = search->index;
    int32_t v = frame.v;
    if (!frame.root) {
        search->stack[search->height++] = v;
    } else {
        int64_t size = 1;
        for (; search->height > 0 && index[v] <= index[search->stack[search->height - 1]]; size++)
            index[search->stack[--search->height]] = search->component;
        index[v] = search->component--;
        search->place -= (uint32_t)size;
        search->count++;
        search->largest = max(search->largest, size);
    }
    if (search->depth == 0) return;
    struct frame *above = &search->frames[search->depth - 1];
    if (index[v] < index[above->v]) {
        index[above->v] = index[v];
        above->root = false;
    }
}

/* Follow the edges of the frame's vertex up to the first that leads to an unvisited vertex. Returns that
 * vertex, or -1 after all edges. */
static int32_t follow(struct search *search, struct frame *frame)
{
    const int32_t *col = search->a->col, *vertex = search->vertex;
    const uint32_t *index = search->index;
    const int64_t end = search->a->row_ptr[frame->v + 1];
    uint32_t least = index[frame->v];
    int32_t found = -1;
    int64_t k = frame->next;
    while (k < end && found < 0) {
        const int32_t j = col[k++], w = vertex ? vertex[j] : j;
        if (w < 0) continue;
        const uint32_t of = index[w];
        if (of == 0)
            found = w;
        else
            least = of < least ? of : least;
    }
    frame->next = k;
    frame->root &= least == index[frame->v];
    search->index[frame->v] = least;
    return found;
}

static void search_from(struct search *search, int32_t start)
{
    enter(search, start);
    while (search->depth > 0) {
        struct frame *frame = &search->frames[search->depth - 1];
        const int32_t w = follow(search, frame);
        if (w >= 0) {
            if (progress_cancelled(search->progress)) return;
            enter(search, w);
        } else {
            struct frame done = *frame;
            search->depth--;
            leave(search, done);
        }
    }
}

size_t strong_components_bytes(int64_t rows)
{
    size_t bytes;
    size_multiply((size_t)rows, sizeof(struct frame) + sizeof(int32_t) + sizeof(uint32_t), &bytes);
    return bytes;
}

enum status strong_components(const struct csr *a, const int32_t *vertex, const bool *within,
                              struct progress *progress, int32_t *component, int64_t *count, int64_t *largest,
                              struct error *error)
{
    struct search search = {
        .a = a, .vertex = vertex, .progress = progress, .place = 1, .component = UINT32_MAX};
    enum status status = STATUS_MEMORY;
    search.index = memory_zeroed((size_t)a->rows, sizeof *search.index, error);
    search.frames = memory_array((size_t)a->rows, sizeof *search.frames, error);
    search.stack = memory_array((size_t)a->rows, sizeof *search.stack, error);
    progress_phase(progress, "strongly connected components", a->rows);
    if (search.index && search.frames && search.stack) {
        for (int64_t i = 0; i < a->rows && !progress_cancelled(progress); i++)
            if (search.index[i] == 0 && (!within || within[i])) search_from(&search, (int32_t)i);
        status = progress_status(progress, error);
    }
    *count = search.count;
    *largest = search.largest;
    /* A component is closed after those that it leads to, and `component` has counted down. */
    for (int64_t i = 0; status == STATUS_OK && component && i < a->rows; i++)
        component[i] =
            search.index[i] == 0 ? -1 : (int32_t)(search.count - 1 - (int64_t)(UINT32_MAX - search.index[i]));
    free(search.index);
    free(search.frames);
    free(search.stack);
    return status;
}

/* Return the bytes for finding components among this number of vertices. */
static size_t finding_bytes(int64_t vertices, bool strong)
{
    size_t bytes;
    size_multiply((size_t)vertices, 2 * sizeof(int32_t), &bytes);
    size_t searching = strong ? strong_components_bytes(vertices) : 0;
    return bytes > searching ? bytes : searching;
}

size_t components_bytes(const struct csr *a, bool symmetric)
{
    bool strong = a->rows == a->cols && !symmetric;
    if (!touched_are_few(a)) return finding_bytes(vertices_of(a), strong);
    return touched_bytes(a) + finding_bytes(2 * csr_nnz(a), strong);
}

size_t components_each_bytes(const struct csr *a)
{
    return finding_bytes(vertices_of(a), a->rows == a->cols);
}

/* Find the components of a graph; if it is symmetric, these are also the strongly connected ones. */
static enum status find_both(const struct csr *a, bool symmetric, bool strong, struct progress *progress,
                             struct components *components, struct error *error)
{
    enum status status = find_connected(a, progress, components, error);
    if (status != STATUS_OK || !strong) return status;
    if (!symmetric)
        return strong_components(a, NULL, NULL, progress, NULL, &components->strong,
                                 &components->largest_strong, error);
    components->strong = components->connected;
    components->largest_strong = components->largest;
    return STATUS_OK;
}

/* Find the components of the vertices with entries, and add the others as single components. */
static enum status find_among_touched(const struct csr *a, bool symmetric, struct progress *progress,
                                      struct components *components, struct error *error)
{
    struct touched touched;
    bool strong = a->rows == a->cols;
    enum status status = touched_make(a, &touched, error);
    if (status == STATUS_OK)
        status = find_both(&touched.graph, symmetric, strong, progress, components, error);
    if (status == STATUS_OK && touched.alone > 0) {
        components->connected += touched.alone;
        components->largest = max(components->largest, 1);
        if (strong) components->strong += touched.alone;
        if (strong) components->largest_strong = max(components->largest_strong, 1);
    }
    touched_free(&touched);
    return status;
}

enum status components_find(const struct csr *a, bool symmetric, struct progress *progress,
                            struct components *components, struct error *error)
{
    *components = (struct components){0};
    enum status status = components_check(vertices_of(a), error);
    if (status != STATUS_OK) return status;
    return touched_are_few(a) ? find_among_touched(a, symmetric, progress, components, error)
                              : find_both(a, symmetric, a->rows == a->cols, progress, components, error);
}
