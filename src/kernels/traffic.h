/* The traffic of a product: how many bytes of the matrix a kernel reads, and how many elements of x and y it
 * loads and stores. C and C++ include this header. */
#ifndef SPARSIGHT_KERNELS_TRAFFIC_H
#define SPARSIGHT_KERNELS_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

struct launch;
struct storage;

/* The traffic of one product.
 *
 * Each array of the matrix counts once, even if a kernel loads some of it again. x counts as often as it is
 * loaded, since the matrix determines which of its elements a cache still holds. y counts as often as it is
 * loaded and stored if a kernel scatters into all of it (y[i] += a x with rows i in no order); if a kernel
 * processes y row by row, each element counts once, even if the kernel adds one entry at a time to it.
 *
 * If atomic operations add to y, y_loads and y_stores count each element once: memory sees it at least once.
 * The kernel's trace counts the atomic operations themselves, as reductions and atomics. */
struct traffic {
    size_t array_bytes;  /* bytes read from the storage's arrays, or from their substitutes */
    size_t passed_bytes; /* bytes of these arrays that the kernel skips, such as padding: memory may load them
                            along with their neighbours */
    size_t own_bytes;    /* bytes read from additional arrays of prepare */
    int64_t x_loads;     /* elements of x that are loaded, also for padding */
    int64_t y_loads;     /* elements of y that are loaded, */
    int64_t y_stores;    /* and stored */
    /* The seconds that the last product spent on copying vectors between the host's memory and the device's;
     * they are part of its time. NaN if it copied none, or if unknown. */
    double transfer_seconds;
};

/* Note that this number of slots of part 0 is skipped in the arrays of these roles, bit 1 << role for
 * each. */
void traffic_pass(const struct storage *storage, int64_t slots, unsigned roles, struct traffic *traffic);

/* The traffic of a prepared kernel's product. Unless the kernel's own function `traffic` says otherwise, a
 * product reads all bytes of the storage and no others, loads an element of x for each slot, and stores each
 * element of y; if it accumulates, it also loads each element of y.
 *
 * The kernel's own function counts loads and stores of a single vector of X and Y, which here are multiplied
 * by their number; the bytes it counts are those of the whole product. */
struct traffic kernel_traffic(const struct launch *launch);

/* The bytes that a product moves, if an element of a vector has s bytes, as Koza et al. count them (equation
 * 6.1), for X and Y of this number of columns:
 *
 *     beta-plus  = array_bytes + own_bytes + s columns (n + m)
 *     beta-minus = array_bytes + own_bytes + s (x_loads + y_loads + y_stores)
 *
 * beta-plus is the traffic if the caches hold x and y perfectly: each of the n elements of x and of the m
 * elements of y once. If the product accumulates, y is loaded and stored, and beta-plus has n + 2 m; if it is
 * also transposed, y has n elements, and beta-plus has m + 2 n. beta-minus is the traffic if the caches hold
 * nothing of x and y. */
struct kernel_bytes {
    double plus, minus;
};
struct kernel_bytes kernel_bytes(const struct launch *launch);

#endif
