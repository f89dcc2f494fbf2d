/* Orders that group the lines of each component or block (matrix/graphs/parts.h). */
#include <stdlib.h>

#include "base/memory.h"
#include "matrix/graphs/parts.h"
#include "matrix/orders/classes.h"
#include "matrix/orders/order.h"

/* A part with the number of its rows and columns. */
struct sized {
    int64_t size;
    int32_t part;
};

/* By descending size; equal ones by number. */
static int by_size(const void *a, const void *b)
{
    const struct sized *left = a, *right = b;
    if (left->size != right->size) return left->size > right->size ? -1 : 1;
    return (left->part > right->part) - (left->part < right->part);
}

/* Count the lines of each part into count[]. */
static void count_lines(const int32_t *part, int64_t lines, int64_t *count)
{
    for (int64_t i = 0; i < lines; i++)
        count[part[i]]++;
}

/* Turn counts of lines into the first index of each part, in the order `sorted`. */
static void place_parts(const struct sized *sorted, int64_t parts, int64_t *count)
{
    int64_t next = 0;
    for (int64_t k = 0; k < parts; k++) {
        int64_t lines = count[sorted[k].part];
        count[sorted[k].part] = next;
        next += lines;
    }
}

/* Order rows, and columns, by the sizes of their components. */
static enum status order_by_size(const struct csr *a, const struct parts *parts, int32_t *rows, int32_t *cols,
                                 struct error *error)
{
    size_t count = (size_t)parts->count;
    struct sized *sorted = memory_array(count, sizeof *sorted, error);
    int64_t *of_rows = memory_zeroed(count, sizeof *of_rows, error);
    int64_t *of_cols = memory_zeroed(count, sizeof *of_cols, error);
    enum status status = sorted && of_rows && of_cols ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        count_lines(parts->row, a->rows, of_rows);
        count_lines(parts_col(parts), a->cols, of_cols);
        for (int64_t p = 0; p < parts->count; p++)
            sorted[p] = (struct sized){of_rows[p] + of_cols[p], (int32_t)p};
        qsort(sorted, count, sizeof *sorted, by_size);
        place_parts(sorted, parts->count, of_rows);
        place_parts(sorted, parts->count, of_cols);
        classes_place(parts->row, a->rows, of_rows, rows);
        if (cols) classes_place(parts_col(parts), a->cols, of_cols, cols);
    }
    free(sorted);
    free(of_rows);
    free(of_cols);
    return status;
}

static size_t bytes_of(const struct ordering *ordering, enum parting parting)
{
    const struct csr *a = ordering->a;
    size_t places, all = parts_bytes(a, parting);
    size_multiply((size_t)(a->rows + a->cols), 2 * sizeof(int64_t) + sizeof(struct sized), &places);
    size_add(all, places, &all);
    return all;
}

static size_t bytes_components(const struct ordering *ordering)
{
    return bytes_of(ordering, PARTS_CONNECTED);
}

static enum status compute_components_each(const struct ordering *ordering, int32_t *rows, int32_t *cols,
                                           struct error *error)
{
    struct parts parts;
    enum status status =
        parts_find(ordering->a, PARTS_CONNECTED, ordering->symmetric, ordering->progress, &parts, error);
    if (status == STATUS_OK) status = order_by_size(ordering->a, &parts, rows, cols, error);
    parts_free(&parts);
    return status;
}

static enum status compute_components(const struct ordering *ordering, int32_t *from, int64_t count,
                                      struct error *error)
{
    return compute_components_each(ordering, from, NULL, error);
}

static size_t bytes_strong(const struct ordering *ordering)
{
    return bytes_of(ordering, PARTS_STRONG);
}

static enum status compute_strong(const struct ordering *ordering, int32_t *from, int64_t count,
                                  struct error *error)
{
    struct parts parts;
    enum status status = parts_find(ordering->a, PARTS_STRONG, false, ordering->progress, &parts, error);
    if (status == STATUS_OK) status = classes_order(parts.row, count, parts.count, from, error);
    parts_free(&parts);
    return status;
}

static size_t bytes_blocks(const struct ordering *ordering)
{
    return bytes_of(ordering, PARTS_BLOCKS);
}

/* Unmatched rows belong to V, and come last in it; unmatched columns belong to H, and come first. All other
 * columns follow their matched rows, so that the diagonal of S is full. */
static void order_blocks_by_number(const struct csr *a, const struct parts *parts, int32_t *rows,
                                   int32_t *cols, bool *matched)
{
    int64_t next = 0, last = 0;
    for (int64_t k = 0; k < a->rows; k++) {
        int32_t i = rows[k];
        if (parts->col_of[i] >= 0) matched[parts->col_of[i]] = true;
    }
    for (int64_t j = 0; j < a->cols; j++)
        if (!matched[j]) cols[next++] = (int32_t)j;
    for (int64_t k = 0; k < a->rows; k++)
        if (parts->col_of[rows[k]] >= 0) cols[next++] = parts->col_of[rows[k]];
    /* All columns are placed: unmatched rows may now move to the end. */
    for (int64_t k = 0; k < a->rows; k++)
        if (parts->col_of[rows[k]] >= 0) rows[last++] = rows[k];
    for (int64_t i = 0; i < a->rows; i++)
        if (parts->col_of[i] < 0) rows[last++] = (int32_t)i;
}

static enum status compute_blocks(const struct ordering *ordering, int32_t *rows, int32_t *cols,
                                  struct error *error)
{
    const struct csr *a = ordering->a;
    struct parts parts;
    enum status status = parts_find(a, PARTS_BLOCKS, ordering->symmetric, ordering->progress, &parts, error);
    if (status != STATUS_OK) return status;
    bool *matched = memory_zeroed((size_t)a->cols, sizeof *matched, error);
    status = matched ? classes_order(parts.row, a->rows, parts.count, rows, error) : STATUS_MEMORY;
    if (status == STATUS_OK) order_blocks_by_number(a, &parts, rows, cols, matched);
    free(matched);
    parts_free(&parts);
    return status;
}

static const struct parameter for_components[] = {ORDER_APPLY("symmetric, of rectangles each"), {0}};
static const struct parameter for_strong[] = {ORDER_APPLY("symmetric"), {0}};
static const struct parameter for_blocks[] = {ORDER_APPLY("each"), {0}};

const struct order order_components = {
    .name = "components",
    .summary = "connected components beside each other, the largest first: a block diagonal matrix",
    .source = "",
    .lines = LINES_EACH,
    .usual = APPLY_SYMMETRIC,
    .parameters = for_components,
    .bytes = bytes_components,
    .compute = compute_components,
    .compute_each = compute_components_each,
};

const struct order order_strong = {
    .name = "strong",
    .summary = "strongly connected components: block upper triangular, rows and columns alike",
    .source = "Tarjan, SIAM J. Comput. 1, 1972; Pearce, Inf. Process. Lett. 116, 2016",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = for_strong,
    .bytes = bytes_strong,
    .compute = compute_strong,
};

const struct order order_blocks = {
    .name = "blocks",
    .summary = "block triangular form (Dulmage-Mendelsohn): rows and columns each have their own order",
    .source = "Dulmage and Mendelsohn, Canadian J. Math. 10, 1958; Pothen and Fan, ACM Trans. Math. Softw. "
              "16, 1990",
    .lines = LINES_EACH,
    .usual = APPLY_EACH,
    .parameters = for_blocks,
    .bytes = bytes_blocks,
    .compute_each = compute_blocks,
};
