#include "analysis/fill.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

/* Number of lines between two checks of the progress, and of entries of one row. */
#define STEP 4096
#define STRETCH ((int64_t)1 << 16)

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

/* The rows of a matrix in lists. -1 is the end of a list. */
struct row_lists {
    const struct csr *a;
    int32_t *head; /* the first row in the list of each column, */
    int32_t *next; /* and the row after each row in its list */
    int32_t *at;   /* the number of the row's entries before the column in whose list it is */
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

/* Go up the tree from line i, which has an entry in row k. The root of its subtree becomes a child of k. */
static inline void climb(struct elimination *e, int64_t i, int64_t k)
{
    while (i >= 0 && i < k) {
        const int32_t up = e->ancestor[i];
        e->ancestor[i] = (int32_t)k;
        if (up < 0) e->parent[i] = (int32_t)k;
        i = up;
    }
}

/* Find the parents. The parent of the root of a subtree is the first line that has an entry in one of its
 * columns. */
static void find_tree(struct elimination *e, struct progress *progress)
{
    for (int64_t k = 0; k < e->count; k++) {
        if (is_step(e, k, progress)) return;
        int64_t v = old_line(e, k);
        e->parent[k] = e->ancestor[k] = -1;
        for (int64_t p = e->graph->ptr[v]; p < e->graph->ptr[v + 1]; p++)
            climb(e, new_line(e, e->graph->neighbour[p]), k);
    }
}

/* Put each row into the list of its first column, in descending order. */
static void list_rows(const struct row_lists *lists, struct progress *progress)
{
    const struct csr *a = lists->a;
    memset(lists->head, 0xff, (size_t)a->cols * sizeof *lists->head);
    for (int64_t i = 0; i < a->rows; i++) {
        if (i % STEP == 0 && progress_cancelled(progress)) return;
        if (a->row_ptr[i] == a->row_ptr[i + 1]) continue;
        const int32_t f = a->col[a->row_ptr[i]];
        lists->at[i] = 0;
        lists->next[i] = lists->head[f];
        lists->head[f] = (int32_t)i;
    }
}

/* Find the parents in the tree of A^T A. The rows with an entry in column k are in its list. Each then moves
 * to the list of its next column. */
static void find_column_tree(struct elimination *e, const struct row_lists *lists, struct progress *progress)
{
    const struct csr *a = lists->a;
    for (int64_t k = 0; k < e->count; k++) {
        if (is_step(e, k, progress)) return;
        e->parent[k] = e->ancestor[k] = -1;
        for (int32_t i = lists->head[k], next; i >= 0 && !progress_cancelled(progress); i = next) {
            const int64_t p = a->row_ptr[i] + lists->at[i]++;
            next = lists->next[i];
            if (p > a->row_ptr[i]) climb(e, a->col[p - 1], k);
            if (p + 1 == a->row_ptr[i + 1]) continue;
            lists->next[i] = lists->head[a->col[p + 1]];
            lists->head[a->col[p + 1]] = i;
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

/* Count the entries below line j. In A^T A these are all other columns of the rows that begin in column j:
 * the columns of a row lie on one path of the tree. Counting an entry again changes nothing. */
static void count_below(struct elimination *e, const struct row_lists *lists, int32_t j,
                        struct progress *progress)
{
    if (!lists) {
        const int64_t v = old_line(e, j), end = e->graph->ptr[v + 1];
        for (int64_t p = e->graph->ptr[v]; p < end; p++) {
            int32_t i = new_line(e, e->graph->neighbour[p]);
            if (i > j) count_entry(e, i, j);
        }
        return;
    }
    const struct csr *a = lists->a;
    for (int32_t i = lists->head[j]; i >= 0; i = lists->next[i])
        for (int64_t p = a->row_ptr[i] + 1; p < a->row_ptr[i + 1] && !progress_cancelled(progress);)
            for (int64_t stop = min(p + STRETCH, a->row_ptr[i + 1]); p < stop; p++)
                count_entry(e, a->col[p], j);
}

/* Count differences first, then sum them up the tree: a column has the rows of its children except the
 * children themselves, and the rows that begin with it. */
static void count_columns(struct elimination *e, const struct row_lists *lists, struct progress *progress)
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
        if (e->parent[j] >= 0) e->entries[e->parent[j]]--;
        count_below(e, lists, j, progress);
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

/* Count the entries of the columns of L for the elimination's graph, or for the rows in these lists. */
static enum status eliminate(struct elimination *e, const struct row_lists *lists, struct progress *progress,
                             struct error *error)
{
    if (lists) {
        list_rows(lists, progress);
        find_column_tree(e, lists, progress);
        list_rows(lists, progress); /* again by their first columns */
    } else {
        find_tree(e, progress);
    }
    enum status status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    find_postorder(e);
    count_columns(e, lists, progress);
    return progress_status(progress, error);
}

/* Predict the fill; parent[j] becomes the parent of line j unless `parent` is NULL. */
static enum status predict(struct elimination *e, const struct row_lists *lists, struct progress *progress,
                           int32_t *parent, struct fill *fill, struct error *error)
{
    size_t lines = (size_t)e->count;
    *fill = (struct fill){0};
    int32_t *memory = memory_array(lines, ARRAYS * sizeof *memory, error);
    e->entries = memory_array(lines, sizeof *e->entries, error);
    enum status status = memory && e->entries ? STATUS_OK : STATUS_MEMORY;
    progress_phase(progress, lists ? "fill of a QR factorisation" : "fill of a Cholesky factor",
                   2 * e->count);
    if (status == STATUS_OK) {
        lay_out(e, memory, memory + (ARRAYS - 1) * e->count);
        status = eliminate(e, lists, progress, error);
    }
    for (int64_t j = 0; status == STATUS_OK && j < e->count; j++) {
        fill->entries += e->entries[j];
        fill->flops += (double)e->entries[j] * (double)e->entries[j];
        if (parent) parent[j] = e->parent[j];
    }
    free(memory);
    free(e->entries);
    return status;
}

enum status fill_predict(const struct graph *graph, const int32_t *order, struct progress *progress,
                         struct fill *fill, struct error *error)
{
    struct elimination e = {.graph = graph, .count = graph->count, .order = order};
    return predict(&e, NULL, progress, NULL, fill, error);
}

size_t fill_rows_bytes(const struct csr *a)
{
    return fill_bytes(a->cols) + ((size_t)a->cols + 2 * (size_t)a->rows) * sizeof(int32_t);
}

enum status fill_predict_rows(const struct csr *a, struct progress *progress, int32_t *parent,
                              struct fill *fill, struct error *error)
{
    struct elimination e = {.count = a->cols};
    struct row_lists lists = {.a = a,
                              .head = memory_array((size_t)a->cols, sizeof *lists.head, error),
                              .next = memory_array((size_t)a->rows, sizeof *lists.next, error),
                              .at = memory_array((size_t)a->rows, sizeof *lists.at, error)};
    *fill = (struct fill){0};
    enum status status = lists.head && lists.next && lists.at
                             ? predict(&e, &lists, progress, parent, fill, error)
                             : STATUS_MEMORY;
    free(lists.head);
    free(lists.next);
    free(lists.at);
    return status;
}
