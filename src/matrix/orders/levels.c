/* The order by level: the rows of each level of a triangular solve become consecutive. */
#include <stdlib.h>

#include "base/memory.h"
#include "matrix/graphs/levels.h"
#include "matrix/orders/classes.h"
#include "matrix/orders/order.h"

enum { APPLY, TRIANGLE };

static size_t bytes_levels(const struct ordering *ordering)
{
    const int64_t rows = ordering->a->rows;
    return levels_bytes(rows) + (size_t)rows * sizeof(int32_t) + classes_bytes(rows);
}

/* In the upper triangle rows depend on later rows. Its levels are therefore ordered from the last to the
 * first. */
static enum status compute_levels(const struct ordering *ordering, int32_t *from, int64_t count,
                                  struct error *error)
{
    const enum triangle triangle = (enum triangle)(int)ordering->values->number[TRIANGLE];
    struct level_sets sets;
    int32_t *level = memory_array((size_t)count, sizeof *level, error);
    if (!level) return STATUS_MEMORY;
    enum status status = levels_find(ordering->a, triangle, ordering->progress, level, &sets, error);
    for (int64_t i = 0; status == STATUS_OK && triangle == TRIANGLE_UPPER && i < count; i++)
        level[i] = (int32_t)sets.count - 1 - level[i];
    if (status == STATUS_OK) status = classes_order(level, count, sets.count, from, error);
    free(level);
    return status;
}

static const char *const triangle_words[] = {"lower", "upper", NULL};

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric"),
    [TRIANGLE] = {.name = "triangle",
                  .help = "the triangle that is solved. Its entries stay in it. If the pattern is not "
                          "symmetric, entries of the other triangle can move into it",
                  .type = PARAMETER_WORD,
                  .words = triangle_words,
                  .standard = TRIANGLE_LOWER},
    {0},
};

const struct order order_levels = {
    .name = "levels",
    .summary = "by level of a triangular solve: the rows of a level are independent of each other",
    .source = "Anderson and Saad, Int. J. High Speed Comput. 1, 1989",
    .lines = LINES_VERTICES,
    .usual = APPLY_SYMMETRIC,
    .parameters = parameters,
    .bytes = bytes_levels,
    .compute = compute_levels,
};
