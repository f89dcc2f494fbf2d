/* A^T stored as CSR, so that the loops of CSR multiply with the transposed matrix as they do with any other:
 * row by row, each element of Y written once, by one thread. What that takes is the memory of another matrix
 * and the time of making it, which is that of preparing the kernel. */
#ifndef SPARSIGHT_KERNELS_CPU_TRANSPOSED_H
#define SPARSIGHT_KERNELS_CPU_TRANSPOSED_H

#include "kernels/cpu/cpu.h"

/* State of a launch that multiplies with the transposed matrix by a kernel of CSR that cannot do so itself:
 * the launch with A^T, whose product is not transposed. */
struct transposed {
    struct storage storage;
    struct launch launch;
};

/* Make *out the transposed matrix of a CSR storage, with values and offsets of the same types and the entries
 * of each row in the order of columns. `limit` bytes may be taken, also for counts meanwhile; 0 stands for
 * what memory_check allows by itself. STATUS_LIMIT, STATUS_MEMORY; *out is empty then. The caller frees it
 * with storage_free. O(nnz + cols), by so many threads; the result does not depend on them. */
enum status transposed_storage(const struct storage *a, int threads, size_t limit, struct storage *out,
                               struct error *error);

/* The functions of a kernel that stores A^T: each does what the kernel's own function does, which it is
 * handed, with the product by A as it is, and with the transposed product by way of A^T. */

/* Store A^T, and prepare the launch with it. transposed_release has to follow, also after failure. */
enum status transposed_prepare(struct launch *launch,
                               enum status (*prepare)(struct launch *launch, struct error *error),
                               struct error *error);

void transposed_run(const struct launch *launch, void (*run)(const struct launch *launch));
void transposed_release(struct launch *launch, void (*release)(struct launch *launch));

/* The traffic is what the kernel's own function says of A^T, whose arrays stand in the place of those of A.
 */
void transposed_traffic(const struct launch *launch, struct traffic *traffic,
                        void (*own)(const struct launch *launch, struct traffic *traffic));

/* Return whether preparing this choice, with the parameters that the kernel chose, stores A^T for this
 * product: then the kernel does not take CSR as it is. */
bool transposed_stores(const struct kernel_choice *choice, struct product product);

/* `stores_transposed` of a kernel that always does. */
bool transposed_always(const struct kernel_choice *choice);

#endif
