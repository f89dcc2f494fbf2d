/* What a product moves: how many bytes of the matrix a kernel reads, and how many elements of x and y it
 * loads and stores. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_TRAFFIC_H
#define SPARSIGHT_KERNELS_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

struct launch;

/* One product. Each array of the matrix counts once, whatever is loaded again; x counts as often as it is
 * loaded, since which of its elements a cache still holds depends on the matrix. So does y where a kernel
 * scatters into all of it, y[i] += a x with rows i in no order; a kernel that goes through y row by row moves
 * each element once, also if it adds an entry at a time. What atomic operations add is no part of y_loads and
 * y_stores: memory sees each element once at least, and how often they meet it is what the kernel's trace
 * counts as reductions and atomics. */
struct traffic {
    size_t array_bytes; /* read of the storage's arrays, or of what is read in their place */
    size_t own_bytes;   /* read of what prepare made beside them */
    int64_t x_loads;    /* elements, padding included */
    int64_t y_loads;    /* elements */
    int64_t y_stores;
    /* Seconds in which the last product copied vectors between the host's memory and the device's, which are
     * in its time; NaN if it copies none, or if that is not known. */
    double transfer_seconds;
};

/* What the kernel's descriptor says (`traffic`), and of what it does not speak: all bytes of the storage,
 * none of its own, an element of x for each slot, each element of y stored, and loaded if it is added to. */
struct traffic kernel_traffic(const struct launch *launch);

/* Bytes that a product moves with vectors of s bytes an element:
 *
 *     beta-plus   arrays + s (elements of x and y, each once): the least that has to be moved
 *     beta-minus  arrays + s (elements of x and y as often as they are loaded and stored)
 *
 * y counts twice, also in beta-plus, if it is added to. */
struct kernel_bytes {
    double plus, minus;
};
struct kernel_bytes kernel_bytes(const struct launch *launch);

#endif
