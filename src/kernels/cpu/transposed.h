/* A^T stored in the kernel's format, so that the loops for A multiply with the transpose as with any matrix:
 * row by row, each element of Y written once, by one thread. This needs the memory of a second matrix, and
 * the time to make it, which counts as preparing the kernel. CSR is transposed directly; other formats are
 * converted to CSR, transposed, and converted again. */
#ifndef SPARSIGHT_KERNELS_CPU_TRANSPOSED_H
#define SPARSIGHT_KERNELS_CPU_TRANSPOSED_H

#include "kernels/cpu/cpu.h"

/* State of a transposed product by a kernel whose loops cannot transpose: the launch with A^T, whose product
 * is not transposed. */
struct transposed {
    struct storage storage;
    struct launch launch;
};

/* Make *out the transposed matrix of a CSR storage, with values and offsets of the same types and the entries
 * of each row in the order of columns. `limit` is the limit in bytes, including temporary counts; 0: the
 * default of memory_check. STATUS_LIMIT, STATUS_MEMORY; *out is then empty. The caller frees it with
 * storage_free. O(nnz + cols), by this number of threads, on which the result does not depend. */
enum status transposed_storage(const struct storage *a, int threads, size_t limit, struct storage *out,
                               struct error *error);

/* The functions of a kernel that stores A^T. Each gets the kernel's own function as an argument, and calls it
 * with A for the product by A, and with A^T for the transposed product. */

/* Store A^T, and prepare the launch with it. The caller must call transposed_release, also after failure. */
enum status transposed_prepare(struct launch *launch,
                               enum status (*prepare)(struct launch *launch, struct error *error),
                               struct error *error);

void transposed_run(const struct launch *launch, void (*run)(const struct launch *launch));
void transposed_release(struct launch *launch, void (*release)(struct launch *launch));

/* The traffic of the kernel's own function for A^T, whose arrays replace those of
 * A. */
void transposed_traffic(const struct launch *launch, struct traffic *traffic,
                        void (*own)(const struct launch *launch, struct traffic *traffic));

/* Return whether preparing this choice, with the parameters that the kernel chose, stores A^T for this
 * product; the kernel then does not read CSR directly. */
bool transposed_stores(const struct kernel_choice *choice, struct product product);

/* `stores_transposed` for kernels that always do. */
bool transposed_always(const struct kernel_choice *choice);

#endif
