#include "analysis/fill.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* Number of lines between two checks of the progress. */
#define STEP 4096

/* All arrays have an element for each line, in the new order; -1: no line. */
struct elimination {
    const struct graph *graph;
    int64_t count;
    const int32_t *order;
    int32_t *inverse;  /* of the order; NULL if that is NULL */
    int32_t *parent;   /* in the elimination tree; larger than the line */
    int32_t *ancestor; /* a line further up: path compression */
    int32_t *post;     /* the lines in postorder: children before parents, each subtree contiguous */
    int32_t *first;    /* the position in postorder of the first descendant */
    int32_t *child;    /* while the postorder is computed, a child, */
    int32_t *sibling;  /* and the next one; afterwards, of row i: */
    int32_t *latest;   /* the largest `first` of the columns with an entry in row i so far, */
    int32_t *leaf;     /* and the last of them that is a leaf of the row's subtree */
    int64_t *entries;  /* of the columns of L */
};

#define ARRAYS 9 /* of int32_t, with the inverse */

static inline int64_t old_line(const struct elimination *e, int64_t k)
{
    return e->order ? e->order[k] : k;
}

static inline int32_t new_line(const struct elimination *e, int32_t v)
{
    return e->inverse ? e->inverse[v] : v;
}

/* Begin line k: true if the work is to stop. */
static bool is_step(const struct elimination *e, int64_t k, struct progress *progress)
{
    if (k % STEP) return false;
    progress_add(progress, e->count - k < STEP ? e->count - k : STEP);
    return progress_cancelled(progress);
}

/* Find the parents. The parent of the root of a subtree is the first line that has an entry in one of its
 * columns. */
static void find_tree(struct elimination *e, struct progress *progress)
{
    for (int64_t k = 0; k < e->count; k++) {
        if (is_step(e, k, progress)) return;
        int64_t v = old_line(e, k);
        e->parent[k] = e->ancestor[k] = -1;
        for (int64_t p = e->graph->ptr[v]; p < e->graph->ptr[v + 1]; p++) {
            int32_t i = new_line(e, e->graph->neighbour[p]);
            while (i >= 0 && i < k) {
                int32_t up = e->ancestor[i];
                e->ancestor[i] = (int32_t)k;
                if (up < 0) e->parent[i] = (int32_t)k;
                i = up;
            }
        }
    }
}

enum status fill_parents(const struct graph *graph, struct progress *progress, int32_t *parent,
                         struct error *error)
{
    struct elimination e = {.graph = graph, .count = graph->count, .parent = parent};
    e.ancestor = memory_array((size_t)graph->count, sizeof *e.ancestor, error);
    if (!e.ancestor) return STATUS_MEMORY;
    progress_phase(progress, "elimination tree", graph->count);
    find_tree(&e, progress);
    free(e.ancestor);
    return progress_status(progress, error);
}

/* Compute the postorder. `leaf` is the stack. */
static void find_postorder(struct elimination *e)
{
    int32_t *stack = e->leaf;
    int64_t place = 0;
    for (int64_t i = 0; i < e->count; i++)
        e->child[i] = -1;
    for (int64_t i = e->count - 1; i >= 0; i--) {
        if (e->parent[i] < 0) continue;
        e->sibling[i] = e->child[e->parent[i]];
        e->child[e->parent[i]] = (int32_t)i;
    }
    for (int64_t root = 0; root < e->count; root++) {
        if (e->parent[root] >= 0) continue;
        int64_t depth = 1;
        stack[0] = (int32_t)root;
        while (depth > 0) {
            int32_t i = stack[depth - 1], child = e->child[i];
            if (child >= 0) {
                e->child[i] = e->sibling[child];
                stack[depth++] = child;
            } else {
                e->post[place++] = i;
                depth--;
            }
        }
    }
}

/* Return the root of the set that contains line i, and compress the path to it. */
static int32_t set_root(int32_t *ancestor, int32_t i)
{
    int32_t root = i;
    while (ancestor[root] != root)
        root = ancestor[root];
    while (i != root) {
        int32_t up = ancestor[i];
        ancestor[i] = root;
        i = up;
    }
    return root;
}

/* Count an entry (i, j) of A, i > j. The subtree of row i has all columns with an entry in row i of L. If j
 * is a leaf of it, column j gets one more entry. The paths up from this leaf and from the last one meet at a
 * column that would count row i twice, so this column gets one less. */
static void count_entry(struct elimination *e, int32_t i, int32_t j)
{
    if (e->first[j] <= e->latest[i]) return; /* j has a descendant in the subtree: it is no leaf */
    int32_t before = e->leaf[i];
    e->entries[j]++;
    if (before >= 0) e->entries[set_root(e->ancestor, before)]--;
    e->latest[i] = e->first[j];
    e->leaf[i] = j;
}

/* Count differences first, then sum them up the tree: a column has the rows of its children except the
 * children themselves, and the rows that begin with it. */
static void count_columns(struct elimination *e, struct progress *progress)
{
    for (int64_t i = 0; i < e->count; i++)
        e->first[i] = e->latest[i] = e->leaf[i] = -1;
    for (int64_t k = 0; k < e->count; k++) {
        int32_t j = e->post[k];
        e->entries[j] = e->first[j] < 0; /* the diagonal of a leaf of the tree */
        for (; j >= 0 && e->first[j] < 0; j = e->parent[j])
            e->first[j] = (int32_t)k;
    }
    for (int64_t i = 0; i < e->count; i++)
        e->ancestor[i] = (int32_t)i;
    for (int64_t k = 0; k < e->count; k++) {
        if (is_step(e, k, progress)) return;
        int32_t j = e->post[k];
        int64_t v = old_line(e, j);
        if (e->parent[j] >= 0) e->entries[e->parent[j]]--;
        for (int64_t p = e->graph->ptr[v]; p < e->graph->ptr[v + 1]; p++) {
            int32_t i = new_line(e, e->graph->neighbour[p]);
            if (i > j) count_entry(e, i, j);
        }
        if (e->parent[j] >= 0) e->ancestor[j] = e->parent[j];
    }
    for (int64_t j = 0; j < e->count; j++)
        if (e->parent[j] >= 0) e->entries[e->parent[j]] += e->entries[j];
}

size_t fill_bytes(int64_t lines)
{
    return (size_t)lines * (ARRAYS * sizeof(int32_t) + sizeof(int64_t));
}

/* Divide one allocation among the arrays. */
static void lay_out(struct elimination *e, int32_t *memory, int32_t *inverse)
{
    int32_t **const arrays[] = {&e->parent, &e->ancestor, &e->post,   &e->first,
                                &e->child,  &e->sibling,  &e->latest, &e->leaf};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k] = memory + (int64_t)k * e->count;
    for (int64_t k = 0; e->order && k < e->count; k++)
        inverse[e->order[k]] = (int32_t)k;
    e->inverse = e->order ? inverse : NULL;
}

enum status fill_predict(const struct graph *graph, const int32_t *order, struct progress *progress,
                         struct fill *fill, struct error *error)
{
    struct elimination e = {.graph = graph, .count = graph->count, .order = order};
    size_t lines = (size_t)graph->count;
    *fill = (struct fill){0};
    int32_t *memory = memory_array(lines, ARRAYS * sizeof *memory, error);
    e.entries = memory_array(lines, sizeof *e.entries, error);
    enum status status = memory && e.entries ? STATUS_OK : STATUS_MEMORY;
    progress_phase(progress, "fill of a Cholesky factor", 2 * graph->count);
    if (status == STATUS_OK) {
        lay_out(&e, memory, memory + (ARRAYS - 1) * graph->count);
        find_tree(&e, progress);
        status = progress_status(progress, error);
    }
    if (status == STATUS_OK) {
        find_postorder(&e);
        count_columns(&e, progress);
        status = progress_status(progress, error);
    }
    for (int64_t j = 0; status == STATUS_OK && j < e.count; j++) {
        fill->entries += e.entries[j];
        fill->flops += (double)e.entries[j] * (double)e.entries[j];
    }
    free(memory);
    free(e.entries);
    return status;
}
