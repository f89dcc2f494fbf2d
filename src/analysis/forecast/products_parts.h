/* Shared by the files that count the memory requests of products other than y = A x (products.h). */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_PRODUCTS_PARTS_H
#define SPARSIGHT_ANALYSIS_FORECAST_PRODUCTS_PARTS_H

#include "analysis/forecast/products.h"
#include "kernels/cuda/products/products.h"

#define PRODUCT_HALVINGS 40
#define PRODUCT_SECTOR 32
#define PRODUCT_LINE 128

/* The state of counting. Elements of a column of the matrix are loaded, or added to if A is transposed; those
 * of a row are stored, or loaded. A pass takes `wide` bytes of each. */
struct product_counting {
    const struct launch *launch;
    const struct gpu *gpu;
    const struct memory_reuse *reuse;
    struct product_cut cut;
    int columns, passes;
    int rereads;   /* passes that are so far apart that L2 may have lost the storage between them */
    double value;  /* bytes of a value, */
    double wide;   /* of the elements of all vectors in a pass, */
    double arrays; /* and of the storage */
    double slots;  /* with padding */
    bool apart;    /* vectors lie one behind the other if they are scattered */
    bool turned_x, turned_y;
    bool straight;                         /* each thread has a row or an entry, and no vectors are turned */
    const struct product_windows *windows; /* NULL: none */
    struct estimate *estimate;
};

/* The number of granules of columns' elements that each known one represents. */
static inline double product_granules(const struct product_counting *c)
{
    return c->apart ? c->columns : c->wide > REUSE_GRANULE ? c->wide / REUSE_GRANULE : 1;
}

/* True if an array has the row of each slot; else rows are searched in the offsets. */
bool product_tells_rows(const struct storage *storage);

/* Add sectors and lines requested by loads. */
void product_add_loads(const struct product_counting *c, double sectors, double lines);

/* Count the requests of the loops, by the kernel's way. O(rows). */
void product_count(const struct product_counting *c);

/* Set the traffic of L2 and of the memory. */
void product_set_memory(const struct product_counting *c);

#endif
