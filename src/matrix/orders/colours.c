/* The order by colour: the rows of each colour become consecutive. No two of them are coupled. */
#include "matrix/graphs/colours.h"

#include <stdlib.h>

#include "base/memory.h"
#include "matrix/generators/hash.h"
#include "matrix/orders/classes.h"
#include "matrix/orders/order.h"

enum { APPLY, METHOD, SEED };

static size_t bytes_colours(const struct ordering *ordering)
{
    const int64_t rows = ordering->a->rows;
    size_t all = graph_bytes(ordering->a, ordering->symmetric), work = colours_bytes(rows);
    size_add(all, work + (size_t)rows * sizeof(int32_t) + classes_bytes(rows), &all);
    return all;
}

static enum status compute_colours(const struct ordering *ordering, int32_t *from, int64_t count,
                                   struct error *error)
{
    const double *number = ordering->values->number;
    struct graph graph;
    struct colour_classes colouring;
    enum status status = graph_make(ordering->a, ordering->symmetric, ordering->progress, &graph, error);
    if (status != STATUS_OK) return status;
    int32_t *colour = memory_array((size_t)count, sizeof *colour, error);
    status = colour ? colours_find(&graph, (enum colour_method)(int)number[METHOD], (uint64_t)number[SEED],
                                   ordering->progress, colour, &colouring, error)
                    : STATUS_MEMORY;
    graph_free(&graph);
    if (status == STATUS_OK) status = classes_order(colour, count, colouring.count, from, error);
    free(colour);
    return status;
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric"),
    [METHOD] = {.name = "method",
                .help = "the order in which rows choose the first free colour: by number (natural), by "
                        "descending degree (largest), or at random (Jones and Plassmann)",
                .type = PARAMETER_WORD,
                .words = colour_method_words,
                .standard = COLOURS_NATURAL},
    [SEED] = SEED_OF("the random order of rows"),
    {0},
};

const struct order order_colours = {
    .name = "colours",
    .summary = "by colour: no two rows of a colour are coupled; for smoothers and incomplete factors",
    .source = "Jones and Plassmann, SIAM J. Sci. Comput. 14, 1993; Welsh and Powell, Computer J. 10, 1967",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters,
    .bytes = bytes_colours,
    .compute = compute_colours,
};
