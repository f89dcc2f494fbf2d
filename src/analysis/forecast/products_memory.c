/* The traffic of L2 and of a GPU's memory in products other than y = A x. */
#include <math.h>

#include "analysis/forecast/products_parts.h"

/* The bytes that a product touches once, in order. */
struct touched {
    double in_order;
};

/* The lost share of lines that are touched in turn, if they are u times the capacity: see memory.c. */
static double lost(double u)
{
    double m = 1;
    for (int k = 0; k < PRODUCT_HALVINGS; k++)
        m = 1 - exp(-m * u);
    return u <= 1 ? 0 : m;
}

/* The granules for each known one that passes read at about the same time: of all vectors if the warps of a
 * window's passes are neighbours, else of one pass. */
static double side_by_side(const struct product_counting *c)
{
    return product_granules(c) * (c->windows ? c->passes : 1);
}

/* Those of all passes. */
static double of_all(const struct product_counting *c)
{
    return product_granules(c) * (c->apart ? 1 : c->passes);
}

/* The bytes of L2 that a share t of the product fills. */
static double held(const struct product_counting *c, const struct touched *touched, double t)
{
    const double both = c->gpu->partitions, one = 2 - 1 / both;
    const struct reuse *reuse = &c->reuse->several;
    return touched->in_order * t * one + reuse_footprint(reuse, t * reuse->ticks) * side_by_side(c) * both;
}

static double find_stay(const struct product_counting *c, const struct touched *touched)
{
    double low = 0, high = 1;
    for (int k = 0; k < PRODUCT_HALVINGS && held(c, touched, high) > (double)c->gpu->cache; k++) {
        const double middle = (low + high) / 2;
        if (held(c, touched, middle) <= (double)c->gpu->cache)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void product_set_memory(const struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const struct product product = launch->product;
    const struct reuse *reuse = &c->reuse->several;
    struct memory_traffic *memory = &c->estimate->memory;
    const double vector = c->columns * c->value, rows = (double)launch->storage->rows * vector;
    const double x = product.transposed ? rows : (double)launch->storage->cols * vector;
    const double y = product.transposed ? (double)launch->storage->cols * vector : rows;
    const double copies = (c->turned_x ? x : 0) + (c->turned_y ? y : 0);
    const struct touched touched = {.in_order = c->arrays + rows + copies};
    const double t = find_stay(c, &touched), granules = of_all(c);
    const double first = fmin(reuse_first(reuse) * granules, product.transposed ? y : x);
    const double again = t < 1 ? reuse_again(reuse, t * reuse->ticks) * granules : 0;
    /* Further passes, and a product after another one, find the data that L2 has not lost. */
    const double gone = lost(held(c, &touched, 1) / (double)c->gpu->cache);
    memory->there = true;
    memory->stays = t;
    memory->reads[OPERAND_VALUES] = c->arrays * (1 + (c->rereads - 1) * gone);
    memory->warm_reads[OPERAND_VALUES] = c->arrays * c->rereads * gone;
    memory->reads[OPERAND_X] = product.transposed ? rows : first + again;
    memory->warm_reads[OPERAND_X] = product.transposed ? rows * gone : first * gone + again;
    if (c->turned_x) {
        memory->reads[OPERAND_X] += x * gone;
        memory->warm_reads[OPERAND_X] += x * gone;
    }
    const bool adds = product.transposed || launch->kernel->product_way == PRODUCT_WAY_ATOMIC;
    memory->reads[OPERAND_Y] = (adds                 ? y * gone
                                : product.accumulate ? y
                                                     : 0) +
                               (product.transposed ? again : 0);
    memory->warm_reads[OPERAND_Y] =
        (adds || product.accumulate ? y * gone : 0) + (product.transposed ? again : 0);
    memory->warm_writes = gone * (y + copies) + (product.transposed ? again : 0);
    memory->writes = t < 1 ? memory->warm_writes * (1 - t) : 0;
}
