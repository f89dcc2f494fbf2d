/* What the files share that count what products other than y = A x ask of memory (products.h). */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_PRODUCTS_PARTS_H
#define SPARSIGHT_ANALYSIS_FORECAST_PRODUCTS_PARTS_H

#include "analysis/forecast/products.h"
#include "kernels/cuda/products/products.h"

#define PRODUCT_HALVINGS 40
#define PRODUCT_SECTOR 32
#define PRODUCT_LINE 128

/* What is being counted. Elements that belong to a column of the matrix are loaded, or added to if A is
 * transposed; those that belong to a row are stored, or loaded. A pass takes `wide` bytes of each. */
struct product_counting {
    const struct launch *launch;
    const struct gpu *gpu;
    const struct memory_reuse *reuse;
    struct product_cut cut;
    int columns, passes;
    double value;  /* bytes of a value, */
    double wide;   /* of all vectors' elements that a pass takes, */
    double arrays; /* and of the storage */
    double slots;  /* with padding */
    bool apart;    /* vectors lie one behind the other where they are scattered */
    bool turned_x, turned_y;
    struct estimate *estimate;
};

/* How many granules stand behind each that is known of what belongs to columns. */
static inline double product_granules(const struct product_counting *c)
{
    return c->apart ? c->columns : c->wide > REUSE_GRANULE ? c->wide / REUSE_GRANULE : 1;
}

/* Note sectors and lines that loads ask for. */
void product_add_loads(const struct product_counting *c, double sectors, double lines);

/* Count what the loops ask for, by the way of the kernel. O(rows). */
void product_count(const struct product_counting *c);

/* Set what L2 and the memory move. */
void product_set_memory(const struct product_counting *c);

#endif
